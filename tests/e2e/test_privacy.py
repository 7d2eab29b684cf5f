"""Personal data planted in transcript, corpus and segment is nowhere but where it may be.

The whole pipeline runs on the committed definition, every task through its Lambda handler; the model is a stand-in for
Bedrock that the real SDK talks to. Raw text may lie in the blobs of the run and in the index, and nowhere else.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gate import runtime
from gate.adapters import local_files
from gate.errors import GateError
from gate.local.run import LocalRun, run_locally
from gate.reports import FORMATS, render
from gate.reports.model import Report
from gate.services.paths.path_index import index_corpus
from gate.settings import Settings
from tests.entrance import Entrance
from tests.stubs.converse import ConverseStub, failure, running
from tests.stubs.moto_states import Moto

pytestmark = pytest.mark.e2e

PLANTED = (
    "555-123-4567",
    "(212) 555-0143",
    "212.555.0143",
    "ann.lee@example.com",
    "bo.berg@example.org",
    "desk@example.net",
    "from.segment@example.com",
    "321-54-9876",
    "219-09-9999",
)
ANSWER = (
    "You can call the desk at 555-123-4567. Refunds are handled by ann.lee@example.com. "
    "The form lists the number 321-54-9876. Dr. Berg answers at (212) 555-0143. The library opens at nine."
)
QUESTION = "I am bo.berg@example.org, my SSN is 219-09-9999: whom do I call?"
PASSAGES = [
    ("Desk, desk@example.net", "You can call the desk at 555-123-4567. It is open on weekdays."),
    ("Refunds", "Refunds are handled by ann.lee@example.com. Write before noon."),
    ("Form 12", "The form lists the number 321-54-9876. Line 4 holds the year."),
    ("Doctors", "Dr. Berg answers at 212.555.0143 on Mondays."),
    ("Library", "The library opens at nine."),
]
SEGMENT = {"use_case_label": "Refunds", "reasons": ["wrote from from.segment@example.com about the desk"]}
RAW_PLACES = ("runs", "indexes")
"""Folders of the state directory that hold raw text, as docs/privacy.md says."""


class Context:
    aws_request_id = "request"
    function_name = "gate"
    function_version = "1"
    invoked_function_arn = "arn:aws:lambda:us-east-1:123456789012:function:gate"
    memory_limit_in_mb = 512


@dataclass
class Watched:
    """A run, and everything that left it."""

    run: LocalRun
    texts: dict[str, list[str]] = field(default_factory=dict)


@pytest.fixture
def stub(entrance: Entrance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ConverseStub]:
    for name, value in {"AWS_ACCESS_KEY_ID": "stub", "AWS_SECRET_ACCESS_KEY": "stub"}.items():
        monkeypatch.setenv(name, value)
    with running() as stub:
        settings = Settings(home=tmp_path / "gate", model="bedrock:stub", model_endpoint=stub.url, region="us-east-1")
        entrance.use(settings.model_copy(update={"embedder": "none"}))
        yield stub


@pytest.fixture
def watch(stub: ConverseStub, moto: Moto, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Callable[[], Watched]:
    payloads, lock = [], threading.Lock()
    handler_for = cache(runtime.lambda_handler_for)

    def invoke(name: str, event: Mapping[str, Any]) -> Any:
        with lock:  # one handler at a time, as in a Lambda
            payloads.append(json.dumps(event))
            try:
                state = handler_for(name)(event, Context())
            except GateError as error:
                payloads.append(f"{error.code}: {error}")
                raise
            payloads.append(json.dumps(state))
            return state

    def watch() -> Watched:
        corpus = tmp_path / "corpus.jsonl"
        records = [{"id": f"p{number}", "title": title, "text": text} for number, (title, text) in enumerate(PASSAGES)]
        corpus.write_text("".join(json.dumps(record) + "\n" for record in records))
        turns = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}]
        submission = {"name": "answer.json", "text": json.dumps({"turns": turns, "segment": SEGMENT})}
        config = {"elasticsearch": {"index": index_corpus(str(corpus))}}
        run = run_locally(submission, config, invoke=invoke)
        printed = capfd.readouterr()
        home = tmp_path / "gate"
        kept = [
            path for path in home.rglob("*") if path.is_file() and path.relative_to(home).parts[0] not in RAW_PLACES
        ]
        texts = {
            "logs and metrics": [printed.out, printed.err],
            "model requests": [json.dumps(seen.body, ensure_ascii=False) for seen in stub.seen],
            "state payloads": [*payloads, json.dumps(run.state), str(run.cause)],
            "execution history": [json.dumps(history, default=str) for history in moto.histories],
            "reports, audit and caches": [path.read_text() for path in kept],
            "rendered reports": [_rendered(path) for path in kept if path.name == "report.json"],
        }
        return Watched(run, texts)

    return watch


def _rendered(path: Path) -> str:
    report = Report.model_validate_json(path.read_text())
    return "".join(render(report, name).data.decode() for name in FORMATS)


def leaks(watched: Watched) -> list[str]:
    forms = {form for value in PLANTED for form in (value, json.dumps(value)[1:-1], _digits(value)) if len(form) > 6}
    return [
        f"{value} in {place}"
        for place, texts in watched.texts.items()
        for value in forms
        if any(value in text for text in texts)
    ]


def _folder(path: Path, home: Path) -> str:
    return path.relative_to(home).parts[0]


def _digits(value: str) -> str:
    return "".join(character for character in value if character.isdigit())


def test_no_planted_value_leaves_the_run_and_its_index(watch: Callable[[], Watched], stub: ConverseStub) -> None:
    watched = watch()
    assert watched.run.status == "SUCCEEDED"
    assert watched.run.state["decision"]["outcome"] != "error"
    assert watched.run.state["accounting"]["labels"]["supported"] >= 3, "claims with pseudonyms are still verified"
    assert [place for place, texts in watched.texts.items() if not any(texts)] == [], "every place was looked at"
    assert "PHONE-9001" in "".join(watched.texts["model requests"])
    assert "[REDACTED_EMAIL]" in "".join(watched.texts["rendered reports"])
    assert '"RetrievalQueries"' in watched.texts["logs and metrics"][0]
    assert leaks(watched) == []


def test_no_planted_value_leaves_a_run_whose_model_fails(watch: Callable[[], Watched], stub: ConverseStub) -> None:
    stub.on("desk", failure(400, "ValidationException")).on("Berg", failure(403, "AccessDeniedException"))
    watched = watch()
    assert watched.run.status == "SUCCEEDED"
    assert watched.run.state["decision"]["outcome"] in ("review", "block")
    assert leaks(watched) == []


def test_the_scan_sees_what_it_should(entrance: Entrance, watch: Callable[[], Watched], stub: ConverseStub) -> None:
    entrance.change(pseudonyms=False)
    assert "ann.lee@example.com in model requests" in leaks(watch())


def test_raw_text_lies_where_the_documents_say(
    watch: Callable[[], Watched], stub: ConverseStub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_files, "HELD_BYTES", 0)  # no room in memory: all of the run is in its folder
    watch()
    blobs = "".join(path.read_text() for path in (tmp_path / "gate" / "runs").rglob("*") if path.is_file())
    assert all(value in blobs for value in PLANTED)
