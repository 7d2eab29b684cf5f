"""A handler loads during INIT what its agent will need, and nothing that it will not: a cold start is its imports."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gate.catalogue import AGENTS, BATCH, ENTRANCES, Agent

LAMBDAS = (*AGENTS, *BATCH, *ENTRANCES)
FUNCTIONS = Path(__file__).parents[2] / "functions"
ON_LAMBDA = {
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "GATE_MODEL": "bedrock:eu.anthropic.claude-haiku-5-5",
    "GATE_SEARCH": "https://127.0.0.1:9",
    "GATE_SEARCH_SERVICE": "es",
    "GATE_EMBEDDER": "bedrock:amazon.titan-embed-text-v2:0",
    "GATE_BLOBS": "s3://bucket/prefix",
    "GATE_MACHINE": "arn:aws:states:eu-central-1:123456789012:stateMachine:gate",
    "GATE_BATCH_MACHINE": "arn:aws:states:eu-central-1:123456789012:stateMachine:batch",
    "GATE_HOME": "/tmp",
}
HEAVY = ("boto3", "opensearchpy", "moto", "tantivy", "rich", "click", "onnxruntime", "aws_cdk", "grpc", "numpy")
SEARCHING = {"search", "index"}


@pytest.mark.integration
@pytest.mark.parametrize("agent", LAMBDAS, ids=lambda agent: agent.name)
def test_a_handler_preloads_exactly_what_its_agent_uses(agent: Agent) -> None:
    code = f"import sys, {agent.name}.handler; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(FUNCTIONS), **ON_LAMBDA}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-600:]
    wanted = {"boto3"} | ({"opensearchpy"} if SEARCHING & set(agent.uses) else set())
    assert set(done.stdout.split()) == wanted


@pytest.mark.integration
def test_who_reads_no_submission_starts_without_the_readers_of_transcripts_and_the_words_of_queries() -> None:
    unread = ("gate.submission.transcripts.table", "gate.retrieval.query_terms")
    handlers = "judge.handler, verify_claims.handler"
    code = f"import sys, {handlers}; print(*[name for name in {unread!r} if name in sys.modules])"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(FUNCTIONS), **ON_LAMBDA}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.integration
def test_catalogue_folders_and_agent_modules_agree() -> None:
    named = {agent.name for agent in LAMBDAS}
    folders = {path.parent.name for path in FUNCTIONS.glob("*/handler.py")}
    assert folders == named, f"no folder: {named - folders}; no line in the catalogue: {folders - named}"
    for agent in LAMBDAS:
        module = importlib.import_module(agent.module)
        assert callable(getattr(module, agent.function, None)), f"{agent.module} has no {agent.function}"


@pytest.mark.parametrize("agent", LAMBDAS, ids=lambda agent: agent.name)
def test_a_handler_is_three_lines(agent: Agent) -> None:
    lines = (FUNCTIONS / agent.name / "handler.py").read_text().splitlines()
    assert len([line for line in lines if line.strip()]) <= 3
    assert (FUNCTIONS / agent.name / "__init__.py").read_text() == ""
