"""The known answer through the whole pipeline: the model is a stand-in for Bedrock that the real SDK talks to, the
machine is the committed definition."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from known_answer import ANSWER, FACTS, Check, Invoke, Outcome
from stubs.converse import ConverseStub, running

from gate import runtime, services, wiring
from gate.local.run import run_locally
from gate.runtime import RunBlobs
from gate.settings import Settings


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ConverseStub]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    with running() as stub:
        settings = Settings(home=tmp_path / "gate", model="bedrock:stub", model_endpoint=stub.url, region="us-east-1")
        wiring.configure(settings.model_copy(update={"embedder": "none", "verdict_cache": False}))
        yield stub


@pytest.fixture
def index(tmp_path: Path) -> str:
    """The facts, indexed in the embedded store."""
    corpus = tmp_path / "corpus.jsonl"
    passages = [{"id": f"p{number}", "content": f"{fact} It was opened long ago."} for number, fact in enumerate(FACTS)]
    corpus.write_text("".join(json.dumps(passage) + "\n" for passage in passages))
    return services.index_corpus(str(corpus))


@pytest.fixture
def check(stub: ConverseStub, index: str) -> Check:
    def check(answer: str = ANSWER, invoke: Invoke = runtime.handle, **options: Any) -> Outcome:
        config = {"elasticsearch": {"index": index}}
        run = run_locally({"name": "answer.md", "text": answer}, config, invoke=invoke, **options)
        if run.status != "SUCCEEDED":
            return Outcome(run)
        blobs = RunBlobs(wiring.blob_store(), run.run_id)
        verdicts = tuple(blobs.resolve(run.state["verdicts"]))
        return Outcome(run, run.state["decision"]["outcome"], run.state["accounting"], verdicts)

    return check
