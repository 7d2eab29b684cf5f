"""A deployed gate asked from the command line, HTTP and pipeline included: what is shown is what a check here shows."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import cli, runtime, wiring
from gate.local.run import run_locally
from gate.ports import RunStatus
from gate.services.paths.path_index import index_corpus
from tests.aws_events import FakeRuns
from tests.entrance import Entrance
from tests.stubs import api
from tests.stubs.api import ApiStub
from tests.stubs.converse import ConverseStub

pytestmark = pytest.mark.e2e

ANSWERS = {
    "pass.md": "The sky over the harbour is blue. Boats leave at nine.",
    "block.md": "The sky over the harbour is blue. Boats sink at nine.",
    "talk.md": "Hello! How can I help you today?",
}
CORPUS = ("The sky over the harbour is blue. Clouds are white.", "Boats leave at nine. The crossing takes two hours.")


class Executions(FakeRuns):
    """Executions of the committed definition, in threads of their own."""

    def start(self, run_id: str, state: Any) -> bool:
        started = super().start(run_id, state)
        if started:
            threading.Thread(target=copy_context().run, args=(self._run, run_id, state), daemon=True).start()
        return started

    def _run(self, run_id: str, state: Any) -> None:
        submission = runtime.RunBlobs(wiring.current().blob_store(), run_id).resolve(state["submission"])
        done = run_locally(submission, state["config"], run_id=run_id)
        self.statuses[run_id] = RunStatus(done.status, done.error, done.cause)


@pytest.fixture
def deployed(
    entrance: Entrance, stub: ConverseStub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ApiStub]:
    """A gate behind its API, and a folder with answers and the corpus that the gate has too."""
    monkeypatch.chdir(tmp_path)
    for name, text in ANSWERS.items():
        (tmp_path / name).write_text(text)
    lines = [json.dumps({"id": f"d{number}", "content": text}) for number, text in enumerate(CORPUS)]
    (tmp_path / "corpus.jsonl").write_text("\n".join(lines))
    index = index_corpus("corpus.jsonl")
    entrance.change(index=index)
    entrance.give(runs=Executions(), batch_runs=FakeRuns())
    monkeypatch.setattr("gate.agents.api.POLL_S", 0.02)
    with api.running() as served:
        yield served


def gate(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, list(arguments))


@pytest.mark.parametrize(("name", "code"), [("pass.md", 0), ("block.md", 1), ("talk.md", 1)])
@pytest.mark.parametrize("form", ["table", "markdown"])
def test_a_check_at_a_deployed_gate_shows_what_a_check_here_shows(
    deployed: ApiStub, name: str, code: int, form: str
) -> None:
    here = gate("check", name, "-f", form)
    there = gate("check", name, "-f", form, "--remote", deployed.url)
    assert there.exit_code == here.exit_code == code, there.output
    assert there.stdout == here.stdout
    assert there.stderr == ""


def test_several_files_are_at_the_gate_before_the_first_is_waited_for(deployed: ApiStub) -> None:
    assert gate("check", *ANSWERS, "--remote", deployed.url, "-o", "out").exit_code == 1
    methods = [method for method, *_ in deployed.seen]
    assert methods[:3] == ["POST"] * 3
    assert "POST" not in methods[3:]
    assert len(list(Path("out").iterdir())) == 3


def test_a_rerun_asks_the_model_only_for_what_it_has_not_judged(deployed: ApiStub, stub: ConverseStub) -> None:
    deployed.gate = deployed.gate.changed(verdict_cache=True)
    first = json.loads(gate("check", "block.md", "--remote", deployed.url, "-f", "json").stdout)
    asked = len(stub.seen)
    assert asked == 2
    result = gate("rerun", first["run_id"], "--remote", deployed.url, "-f", "json")
    again = json.loads(result.stdout)
    assert (result.exit_code, len(stub.seen)) == (1, asked)
    assert again["run_id"] != first["run_id"]
    assert again["decision"] == first["decision"]
