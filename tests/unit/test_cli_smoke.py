"""`gate smoke` says in one line what is wrong with a deployment, and leaves nothing there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from click.testing import CliRunner, Result
from moto import mock_aws

from gate import cli
from gate.cli import smoke as command
from gate.errors import InputError, SettingsError
from gate.reports.model import ModelCost
from tests.entrance import Entrance
from tests.report_builders import a_report

DENIED = "bedrock: us.anthropic.claude-haiku-5-5 may not be used (AccessDeniedException)"


class FakeDeployment:
    """A deployment that answers at once, and holds what was put and started until that is removed."""

    def __init__(self) -> None:
        self.outcomes = {"200 grams": "pass", "900 tonnes": "block", "Hello": "review"}
        self.runs: dict[str, str] = {}
        self.objects: dict[str, bytes] = {}
        self.error: dict[str, str] = {}
        self.kept = False
        self.odd = b""

    def __call__(self, where: str, **_: Any) -> FakeDeployment:
        return self

    def published(self, stack: str, what: str) -> str:
        return "uploads"

    def outcome_of(self, text: str) -> str:
        return next((outcome for word, outcome in self.outcomes.items() if word in text), "error")

    def check(self, request: dict[str, Any], *, key: str) -> dict[str, Any]:
        return self.started(f"api-{len(self.runs)}", request["text"])

    def upload(self, request: dict[str, Any], document: bytes, *, key: str) -> dict[str, Any]:
        return self.started(f"up-{len(self.runs)}", document.decode())

    def rerun(self, run_id: str, *, key: str) -> dict[str, Any]:
        return self.started(f"{run_id}-r1", "200 grams")

    def started(self, run_id: str, text: str) -> dict[str, Any]:
        self.runs[run_id] = self.outcome_of(text)
        return {"id": run_id}

    def status(self, run_id: str, *, wait: int) -> dict[str, Any]:
        if run_id not in self.runs and run_id.startswith("s3-"):
            lines = next(reversed(self.objects.values())).decode().splitlines()
            self.runs[run_id] = self.outcome_of(lines[run_id.endswith("-000002")])
        if run_id not in self.runs:
            raise InputError("there is no check of that id")
        report = f"/v1/checks/{run_id}/report"
        return {"status": "SUCCEEDED", "outcome": self.runs[run_id], "report": report, **self.error}

    def report(self, run_id: str) -> bytes:
        if run_id not in self.runs:
            raise InputError("there is no report of that id")
        spent = ModelCost(calls=1, input=100, output=20, dollars=0.0003)
        policy = {"name": "ours", "version": "7"}
        failed = self.runs[run_id] == "error"
        decision = None if failed else {"outcome": self.runs[run_id], "reasons": [], "policy": policy}
        changes = {"run_id": run_id, "spent": spent, "decision": decision, "outcome": self.runs[run_id]}
        return self.odd or a_report().model_copy(update=changes).model_dump_json().encode()

    def forget(self, run_id: str) -> None:
        if self.kept:
            raise SettingsError("the API does not let you in (403)")
        self.runs.pop(run_id, None)

    def cite(self, request: dict[str, Any]) -> list[dict[str, Any]]:
        corpus = [data.decode() for key, data in self.objects.items() if key.startswith("corpora/")]
        return [json.loads(line) for line in corpus]

    def put(self, bucket: str, key: str, data: bytes) -> str:
        self.objects[key] = data
        return "v1"

    def remove(self, bucket: str, key: str) -> None:
        del self.objects[key]

    def current(self, url: str) -> None:
        return None


@pytest.fixture
def deployment(entrance: Entrance, monkeypatch: pytest.MonkeyPatch) -> FakeDeployment:
    made = FakeDeployment()
    monkeypatch.setattr("gate.adapters.remote_gate.RemoteGate", made)
    monkeypatch.setattr("gate.wiring.Wiring.uploads", lambda _: made)
    monkeypatch.setattr("gate.cli.doctor.bootstrap_said", lambda: "version 21")
    monkeypatch.setattr(command, "PAUSE_S", 0.0)
    return made


def smoke(*options: str) -> Result:
    return CliRunner().invoke(cli.group, ["smoke", "--remote", "Gate", *options])


def test_all_of_it_is_tried_and_nothing_is_left(deployment: FakeDeployment) -> None:
    done = smoke()
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert [line.split()[:2] for line in lines][3] == ["ok", "pass"]
    assert "1080 tokens of the model were spent, $0.0027" in lines[-1]
    assert deployment.objects == {}
    assert deployment.runs == {}


def test_without_access_to_the_model_that_is_said_with_what_to_do(deployment: FakeDeployment) -> None:
    deployment.outcomes = {}
    deployment.error = {"error": "SettingsError", "message": DENIED}
    done = smoke()
    assert done.exit_code == 3
    (failed,) = [line for line in done.output.splitlines() if line.startswith("failed")]
    assert failed.split()[1] == "pass"
    assert DENIED in failed
    assert "gate doctor" in failed
    assert (deployment.objects, deployment.runs) == ({}, {})


@pytest.mark.parametrize(("words", "step"), [("900 tonnes", "block"), ("Hello", "review")])
def test_an_answer_that_must_not_pass_and_does_is_a_failure(deployment: FakeDeployment, words: str, step: str) -> None:
    deployment.outcomes[words] = "pass"
    done = smoke()
    assert done.exit_code == 3
    assert f"failed  {step}" in done.output
    assert "by policy version 7" in done.output


@pytest.mark.parametrize(
    "odd", [b"[]", b"{", b"null", b"[" * 100_000, b'{"spent": {"input": "a lot"}}', b'{"outcome": "pass"}', b"\xff"]
)
def test_a_report_that_is_none_is_one_line_and_what_was_put_is_removed(deployment: FakeDeployment, odd: bytes) -> None:
    deployment.odd = odd
    done = smoke()
    assert done.exit_code == 3
    assert "failed  pass       api-0: the gate's report cannot be read" in done.output
    assert (deployment.objects, deployment.runs) == ({}, {})


def test_what_a_gate_says_writes_no_lines_of_its_own(deployment: FakeDeployment) -> None:
    deployment.outcomes = {}
    deployment.error = {"error": "E", "message": "no\nok      delete     all is well\x1b[2J"}
    lines = smoke().output.splitlines()
    assert [line.split()[0] for line in lines[-2:]] == ["failed", "ok"]
    assert "\x1b" not in lines[-2]


def test_what_cannot_be_removed_is_named(deployment: FakeDeployment) -> None:
    deployment.kept = True
    done = smoke()
    assert done.exit_code == 2
    assert "failed  delete" in done.output
    assert "is left: the API does not let you in" in done.output.splitlines()[-1]


def test_a_document_that_is_never_taken_in_ends_at_its_time_and_is_removed(
    deployment: FakeDeployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deployment, "cite", lambda _: [])
    seconds = iter(range(0, 10_000, 10))
    monkeypatch.setattr("gate.cli.smoke.time.monotonic", lambda: next(seconds))
    done = smoke("--timeout", "60")
    assert done.exit_code == 3
    assert "failed  corpus     the document is not in the index within the time given" in done.output
    assert deployment.objects == {}


def test_behind_a_token_no_upload_is_tried_since_it_is_of_no_tenant(
    deployment: FakeDeployment, entrance: Entrance
) -> None:
    entrance.change(remote_token="t")
    done = smoke("--tenant", "acme")
    assert done.exit_code == 0, done.output
    assert {line.split()[1] for line in done.output.splitlines()} & {"upload", "batch", "failure"} == set()


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An AWS account with nothing in it."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "stub")
    with mock_aws():
        yield boto3.client("ssm", region_name="eu-west-1")


def test_a_stack_of_another_region_is_said_with_what_to_set(entrance: Entrance, account: Any) -> None:
    entrance.change(region="eu-west-1")
    done = smoke()
    assert done.exit_code == 2
    assert done.output == "failed  stack      no stack Gate publishes a gate in eu-west-1 (AWS_PROFILE, GATE_REGION)\n"


def test_a_bootstrap_that_is_too_old_is_said_with_the_command(entrance: Entrance, account: Any) -> None:
    entrance.change(region="eu-west-1")
    published = {"ApiUrl": "http://127.0.0.1:9/gate", "UploadsBucket": "uploads"}
    found = {f"/reliability-gate/Gate/{name}": value for name, value in published.items()}
    for name, value in (found | {"/cdk-bootstrap/hnb659fds/version": "5"}).items():
        account.put_parameter(Name=name, Value=value, Type="String")
    done = smoke()
    assert done.exit_code == 2
    assert "failed  bootstrap  CDK's bootstrap: version 5 is too old (cdk bootstrap)" in done.output
