"""A first call of every deployed function in a fresh process: with its settings, without what its layers lack."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

from gate.catalogue import DETECTIVES
from tests.aws_events import a_request, an_event, an_upload
from tests.infra.templates import Template
from tests.stubs import services

FUNCTIONS = Path(__file__).parents[1] / "functions"
AWS = {
    "AWS_DEFAULT_REGION": "us-east-1", "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x",
    "AWS_SECRET_ACCESS_KEY": "x",
}  # fmt: skip
SETTINGS = {
    "GATE_BLOBS": "s3://blobs", "GATE_BUDGET_TABLE": "budgets", "GATE_DOCUMENTS": "s3://uploads/corpora/",
    "GATE_DOCUMENTS_TABLE": "documents", "GATE_DOCUMENTS_QUEUE": "", "GATE_REVIEWS_TABLE": "reviews", "GATE_POLICY": "s3://uploads/config/policy.json",
    "GATE_MACHINE": "arn:aws:states:us-east-1:123456789012:stateMachine:gate",
    "GATE_BATCH_MACHINE": "arn:aws:states:us-east-1:123456789012:stateMachine:batch",
}  # fmt: skip
"""In place of what only a deployment knows."""
FIRST_CALL = """
import importlib, json, sys, time
name, absent, event = json.load(sys.stdin)
sys.modules.update(dict.fromkeys(absent))
answer = importlib.import_module(f"{name}.handler").handler(event, None)
print(json.dumps({"answer": answer, "seconds": time.process_time()}), file=sys.stderr)
"""
OBSERVED_CALL = """
import importlib, json, sys
from gate.settings import Settings
name, absent, event = json.load(sys.stdin)
sys.modules.update(dict.fromkeys(absent))
read, get = set(), Settings.__getattribute__
def noted(self, field):
    if field in type(self).model_fields:
        read.add(field)
    return get(self, field)
Settings.__getattribute__ = noted
answer = importlib.import_module(f"{name}.handler").handler(event, None)
print(json.dumps({"answer": answer, "read": sorted(read)}), file=sys.stderr)
"""
ANSWER = "The lamp weighs 200 g."
TURNS = [{"role": "user", "content": "How heavy is it?"}, {"role": "assistant", "content": ANSWER}]
CLAIM = {
    "text": ANSWER, "source_prompt": TURNS[0]["content"], "source_response": ANSWER, "claim_id": "c0001", "turn": 1,
    "start": 0, "end": len(ANSWER), "branch": 0,
}  # fmt: skip
EVIDENCE = [{"claim": CLAIM, "documents": [services.PASSAGE]}]
VERDICTS = [
    {"claim": ANSWER, "label": "supported", "justification": "It says so.", "claim_id": "c0001", "reason": "entailed",
     "documents": ["d1"], "quote": ANSWER, "checks": [], "doubt": None, "checked_by": "m"}
]  # fmt: skip
CHECKED = [{"branch": 0, "verdicts": VERDICTS, "evidence": EVIDENCE, "ranking": [], "error": None}]
ARTIFACTS = {"repo": {"kind": "listing", "paths": ["a.py"]}, "docs": [{"location": "README.md", "text": "See a.py."}]}
RECORD = {"evidence_id": "repo_1", "evidence_class": "FILE", "found": True, "location": "a.py", "rationale": "there"}
CONFIG = {"elasticsearch": {"index": "trusted_docs"}, "name": "answer.md"}
STATES: dict[str, dict[str, Any]] = {
    "load_transcript": {"submission": {"name": "answer.md", "text": ANSWER}},
    "extract_claims": {"transcript": {"id": None, "turns": TURNS}},
    "retrieve_evidence": {"claims": [CLAIM]},
    "verify_claims": {"evidence": EVIDENCE},
    **{name: {"artifacts": ARTIFACTS, "transcript": {"id": None, "turns": TURNS}} for name in DETECTIVES},
    "aggregate_evidence": {"collected": [{"evidences": {"repo": [RECORD], "docs": []}, "error": None}]},
    "retrieve_citations": {"segment": {"use_case": "payment_plans", "reasons": ["interested in: plans"]}},
    "judge": {"claims": [CLAIM], "non_claims": [], "checked": CHECKED, "policy": {}},
    "publish_report": {},
    "publish_failure": {"failure": {"status": "FAILED", "error": "X", "cause": "x"}},
    "split_batch": {"upload": {"bucket": "uploads", "key": "transcripts/many.jsonl", "version": None}},
    "summarize_batch": {
        "batch": {"part": 1, "parts": 1, "before": 0, "runs": "runs/cold/runs.json", "transcripts": 1, "rejected": 0}
    },
}
RUNTIME = {"boto3", "botocore", "s3transfer", "jmespath", "python-dateutil", "six", "urllib3", "llm-reliability-gate"}
"""What is there without a layer: Lambda's own SDK, and the code."""
OBJECTS = {
    "/uploads/transcripts/answer.md": ANSWER.encode(),
    "/uploads/transcripts/many.jsonl": json.dumps({"turns": TURNS}).encode(),
    "/uploads/corpora/trusted_docs/lamp.md": f"# Lamp\n\n{ANSWER}\n".encode(),
    "/blobs/runs/cold/runs.json": b'["cold-1"]',
}


def events() -> dict[str, Any]:
    """A first event for every function."""
    states = {**STATES, "publish_report": _judged(), "request_review": _judged()}
    inside = {name: {"run_id": "cold", "state": {"config": CONFIG, **state}} for name, state in states.items()}
    inside["request_review"]["task_token"] = "a token"
    return {
        **inside,
        "start_check": an_upload("transcripts/answer.md"),
        "ingest_corpus": an_upload("corpora/trusted_docs/lamp.md"),
        "reconcile_corpus": {},
        "tell_reviewers": {"detail": {"run_id": "cold"}},
        "publish_failure": an_event("execution_failed"),
        "api": a_request("POST", "/v1/checks", {"text": ANSWER}),
        "check_now": a_request("POST", "/v1/checks:now", {"text": ANSWER}),
    }


def _judged() -> dict[str, Any]:
    from gate.agents.judge import judge

    state: dict[str, Any] = {
        "transcript": {"id": None, "turns": TURNS}, "claims": [CLAIM], "non_claims": [], "checked": CHECKED,
        "policy": {}, "evidences": {}, "metadata": {}, "citations": [],
    }  # fmt: skip
    judge(state)
    return state


def first_call(name: str, function: Template, url: str, code: str = FIRST_CALL) -> dict[str, Any]:
    """Call a function as it is deployed, its services at `url`; its `answer`, and the CPU `seconds` until then.

    Args:
        function: its properties in the template.
        code: `OBSERVED_CALL` tells which settings it `read` in place of the seconds.
    """
    given = json.dumps([name, missing_modules(function), events()[name]])
    return run(code, environment_of(function, url), given)


def environment_of(function: Template, url: str) -> dict[str, str]:
    """What a function is deployed with, its services on loopback."""
    told = function["Environment"]["Variables"]
    plain = {key: value for key, value in told.items() if isinstance(value, str)}
    here = {key: value for key, value in {**SETTINGS, "GATE_SEARCH": url}.items() if key in told}
    services_here = {"AWS_ENDPOINT_URL": url, "PYTHONPATH": str(FUNCTIONS)}
    return {"PATH": os.environ["PATH"], **plain, **here, **AWS, **services_here}


def missing_modules(function: Template) -> list[str]:
    """Modules that are installed here and are not in the function's layers."""
    from infra.layer import LOCK, wanted

    others = [layer for layer in function["Layers"] if "Package" not in layer["Ref"]]
    assert len(others) == len(function["Layers"]) - 1
    locked = "".join(wanted(LOCK.read_text(), readers=readers) for readers in (False, True)[: len(others)])
    there = {line.partition("==")[0] for line in locked.splitlines() if "==" in line} | RUNTIME
    installed = packages_distributions().items()
    return [module for module, packages in installed if not there & {canonical(package) for package in packages}]


def canonical(package: str) -> str:
    """A package's name as locks write it."""
    return package.lower().replace("_", "-")


def run(code: str, environment: dict[str, str], given: str = "") -> dict[str, Any]:
    """Run code in a fresh process; returns what it says in its last line."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, input=given, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    said: dict[str, Any] = json.loads(done.stderr.strip().splitlines()[-1])
    return said
