"""The known answer through the whole pipeline: the model is a stand-in that is talked to over HTTP, for
Bedrock by the real SDK, the machine is the committed definition."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gate import runtime, wiring
from gate.local import run as local_run
from gate.local.run import run_locally
from gate.runtime import RunBlobs
from gate.services.paths.path_index import index_corpus
from gate.settings import Settings
from tests.differential import execute_twice
from tests.entrance import Entrance
from tests.known_answer import ANSWER, FACTS, Check, Invoke, Outcome
from tests.stubs.converse import ConverseStub, running
from tests.stubs.moto_states import Moto, oracle
from tests.stubs.openai import ChatStub

ON_BOTH = ("test_damage", "test_faults")
"""Modules whose tests run with each protocol of a model, where they ask for its stand-in."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests of `ON_BOTH` that name the stand-in run with either."""
    named = "stub" in metafunc.function.__code__.co_varnames[: metafunc.function.__code__.co_argcount]
    if named and metafunc.module.__name__.rpartition(".")[2] in ON_BOTH:
        metafunc.parametrize("protocol", ["converse", "openai"], indirect=True)


@pytest.fixture
def protocol(request: pytest.FixtureRequest) -> str:
    """How the model is spoken to."""
    return str(getattr(request, "param", "converse"))


@pytest.fixture(autouse=True)
def moto(monkeypatch: pytest.MonkeyPatch, protocol: str) -> Iterator[Moto]:
    """Every run is played to moto's interpreter, too, which must agree; once for each test is enough."""
    with oracle() as moto:
        if protocol == "converse":
            monkeypatch.setattr(local_run, "execute", partial(execute_twice, moto=moto))
        yield moto


@pytest.fixture
def stub(entrance: Entrance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, protocol: str) -> Iterator[ConverseStub]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    with running(ChatStub() if protocol == "openai" else ConverseStub()) as stub:
        reached = {"model": "bedrock:stub", "model_endpoint": stub.url, "region": "us-east-1"}
        if protocol == "openai":
            reached = {"model": "openai:stub", "model_endpoint": f"{stub.url}/v1", "model_answers": "text"}
        settings = Settings.model_validate({"home": tmp_path / "gate", "embedder": "none", **reached})
        entrance.use(settings.model_copy(update={"verdict_cache": False}))
        yield stub


@pytest.fixture
def index(tmp_path: Path) -> str:
    """The facts, indexed in the embedded store."""
    corpus = tmp_path / "corpus.jsonl"
    passages = [{"id": f"p{number}", "content": f"{fact} It was opened long ago."} for number, fact in enumerate(FACTS)]
    corpus.write_text("".join(json.dumps(passage) + "\n" for passage in passages))
    return index_corpus(str(corpus))


@pytest.fixture
def check(stub: ConverseStub, index: str) -> Check:
    def check(answer: str = ANSWER, invoke: Invoke = runtime.handle, **options: Any) -> Outcome:
        config = {"elasticsearch": {"index": index}}
        run = run_locally({"name": "answer.md", "text": answer}, config, invoke=invoke, **options)
        if run.status != "SUCCEEDED":
            return Outcome(run)
        blobs = RunBlobs(wiring.current().blob_store(), run.run_id)
        verdicts = tuple(blobs.resolve(run.state["verdicts"]))
        return Outcome(run, run.state["decision"]["outcome"], run.state["accounting"], verdicts)

    return check
