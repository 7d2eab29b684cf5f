"""`gate check --remote`, `gate rerun` and `gate report`: a deployed gate asked over HTTP, answered by its function."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from pydantic import SecretStr

from gate import cli, runtime, wiring
from gate.adapters import remote_gate
from gate.ports import RunStatus
from gate.reports.model import Report
from gate.reports.wording import TO_DO
from tests.aws_events import FakeRuns
from tests.entrance import Entrance
from tests.report_builders import a_report
from tests.stubs.api import ApiStub, running
from tests.stubs.receiver import receiving

ANSWER = "The sky is blue."


class Gate:
    """A deployed gate whose runs end at once, with a report of the outcome set here."""

    def __init__(self, stub: ApiStub) -> None:
        self.stub, self.runs = stub, Ending()

    def submissions(self) -> list[dict[str, Any]]:
        started = self.runs.started.items()
        return [
            runtime.RunBlobs(self.stub.gate.blob_store(), run_id).resolve(state["submission"])
            for run_id, state in started
        ]

    def config(self) -> dict[str, Any]:
        (state,) = self.runs.started.values()
        config: dict[str, Any] = state["config"]
        return config


class Ending(FakeRuns):
    """Runs that end when they are started."""

    def __init__(self) -> None:
        super().__init__()
        self.sentences: Any = ((ANSWER, "supported"),)
        self.status_after = RunStatus("SUCCEEDED")

    def start(self, run_id: str, state: Any) -> bool:
        started = super().start(run_id, state)
        self.statuses[run_id] = self.status_after
        if self.status_after.status == "SUCCEEDED":
            report = a_report(self.sentences).model_copy(update={"run_id": run_id})
            wiring.current().blob_store().put(f"reports/{run_id}/report.json", report.model_dump_json().encode())
        return started


@pytest.fixture
def gate(entrance: Entrance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Gate]:
    monkeypatch.chdir(tmp_path)
    for name, value in {"ACCESS_KEY_ID": "AKIAEXAMPLE", "SECRET_ACCESS_KEY": "secret", "REGION": "eu-north-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-north-1")
    monkeypatch.setattr("gate.adapters.remote_gate.time.sleep", lambda _: None)
    (tmp_path / "answer.md").write_text(ANSWER)
    with running() as stub:
        made = Gate(stub)
        entrance.give(runs=made.runs, batch_runs=FakeRuns())
        yield made


def check(gate: Gate, *arguments: str, **more: Any) -> Result:
    return CliRunner().invoke(cli.group, ["check", *arguments, "--remote", gate.stub.url], **more)


@pytest.mark.parametrize(
    ("label", "options", "code"),
    [
        ("supported", (), 0),
        ("weakly_supported", (), 1),
        ("weakly_supported", ("--fail-on", "block"), 0),
        ("unsupported", ("--fail-on", "block"), 1),
    ],
)
def test_the_exit_code_is_the_decision_of_the_deployed_gate(
    gate: Gate, label: str, options: tuple[str, ...], code: int
) -> None:
    gate.runs.sentences = ((ANSWER, label),)
    result = check(gate, "answer.md", *options)
    assert result.exit_code == code, result.output
    assert ("supported: 1 of 1" if label == "supported" else ANSWER) in result.stdout
    assert gate.submissions() == [{"name": "answer.md", "text": ANSWER, "format": "answer"}]


def test_the_report_is_delivered_in_any_format_under_the_name_it_has_here(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "deep (1)").mkdir()
    (tmp_path / "deep (1)" / "größe?.md").write_text(ANSWER)
    result = check(gate, "deep (1)/größe?.md", "-f", "json")
    assert Report.model_validate_json(result.stdout).name == "deep (1)/größe?.md"
    assert gate.config()["name"] == "größe-.md"
    check(gate, "answer.md", "-o", "report.html", "-q")
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")


def test_each_answer_may_be_checked_within_its_request(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("The sea is wide.")
    result = check(gate, "answer.md", "other.md", "--now")
    assert result.exit_code == 0, result.output
    assert [(method, path) for method, path, _, _ in gate.stub.seen] == [("POST", "/v1/checks:now")] * 2
    assert len({headers["idempotency-key"] for _, _, headers, _ in gate.stub.seen}) == 2
    assert "other.md" in result.output


def test_what_is_too_large_for_a_request_is_said_and_the_others_are_checked(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "long.md").write_text("It is so. " * 5_001)
    result = check(gate, "long.md", "answer.md", "--now")
    assert result.exit_code == 2
    assert "long.md: 50010 characters are more than a check in the request takes" in result.stderr
    assert "leave --now out" in result.stderr
    assert len(gate.submissions()) == 1


class Uploading:
    """A bucket whose forms lead to `url`; a run begins with the form, since nobody tells of uploads here."""

    def __init__(self, gate: Gate, url: str) -> None:
        self._gate, self._url = gate, url

    def form(self, bucket: str, key: str, fields: dict[str, str], **_: Any) -> tuple[str, dict[str, str]]:
        self._gate.runs.start(Path(key).stem, {})
        return self._url, {"key": key, **fields}


def test_a_transcript_that_is_too_long_for_a_request_is_uploaded_and_its_run_waited_for(
    gate: Gate, entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.cli.remote.LONG_BYTES", 10)
    (tmp_path / "chat.json").write_text('{"turns": [{"role": "assistant", "content": "The sky is blue."}]}')
    with receiving() as bucket:
        gate.stub.gate = gate.stub.gate.changed(upload_to="s3://uploads/by-form")
        entrance.give(uploads=Uploading(gate, bucket.url))
        result = check(gate, "chat.json", "answer.md")
    assert result.exit_code == 0, result.output
    paths = [path for method, path, _, _ in gate.stub.seen if method == "POST"]
    assert paths == ["/v1/uploads", "/v1/checks"]
    ((headers, body),) = bucket.got
    assert "authorization" not in {name.lower() for name in headers}, "the form is the right to upload"
    assert body.index(b'name="key"') < body.index(b'name="file"')
    assert b'{"turns": [{"role": "assistant", "content": "The sky is blue."}]}' in body


def test_a_gate_that_takes_no_uploads_is_sent_a_long_transcript_as_any(
    gate: Gate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.cli.remote.LONG_BYTES", 10)
    (tmp_path / "chat.json").write_text('{"turns": [{"role": "assistant", "content": "The sky is blue."}]}')
    assert check(gate, "chat.json").exit_code == 0
    assert [path for method, path, _, _ in gate.stub.seen if method == "POST"] == ["/v1/uploads", "/v1/checks"]


def test_a_check_on_this_machine_is_in_no_request(gate: Gate) -> None:
    result = CliRunner().invoke(cli.group, ["check", "answer.md", "--now"])
    assert result.exit_code == 2
    assert "--now: is for a deployed gate" in result.stderr


def test_requests_are_signed_for_the_api_and_a_check_has_its_own_key(gate: Gate) -> None:
    check(gate, "answer.md", "answer.md")
    for method, _, headers, _ in gate.stub.seen:
        assert "/eu-north-1/execute-api/aws4_request" in headers["authorization"]
        assert headers["authorization"].startswith("AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/")
        assert ("idempotency-key" in headers["authorization"]) == (method == "POST"), "the key is signed too"
    keys = [headers["idempotency-key"] for method, _, headers, _ in gate.stub.seen if method == "POST"]
    assert len(set(keys)) == len(keys) == 2


def test_a_token_takes_the_place_of_the_signature(
    entrance: Entrance, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    entrance.change(remote_token="t0ken")
    assert check(gate, "answer.md").exit_code == 0
    assert {headers["authorization"] for _, _, headers, _ in gate.stub.seen} == {"Bearer t0ken"}


def test_the_key_of_a_usage_plan_goes_with_each_request_of_the_api(entrance: Entrance, gate: Gate) -> None:
    entrance.change(remote_key=SecretStr("k3y"))
    assert check(gate, "answer.md").exit_code == 0
    assert {headers.get("x-api-key") for _, _, headers, _ in gate.stub.seen} == {"k3y"}


def test_what_the_api_takes_travels(gate: Gate, tmp_path: Path) -> None:
    gate.stub.gate = gate.stub.gate.changed(indexes="handbook", tenant_field=True)
    (tmp_path / "segment.json").write_text('{"use_case": "sky"}')
    search = ("--corpus", "handbook", "--source", "a", "--source", "b", "--tenant", "red")
    result = check(gate, "answer.md", *search, "--segment", "segment.json")
    assert result.exit_code == 0, result.output
    assert gate.config()["elasticsearch"] == {"index": "handbook"}
    assert gate.config()["search"] == {"tenant": "red", "sources": ["a", "b"]}
    assert gate.submissions()[0]["segment"] == {"use_case": "sky"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("chat.json", {"messages": [{"role": "assistant", "content": ANSWER}]}),
        ("list.json", [{"role": "assistant", "content": ANSWER}]),
        ("own.json", {"turns": [{"role": "assistant", "content": ANSWER}]}),
        ("bare", {"turns": [{"role": "assistant", "content": ANSWER}]}),
    ],
)
def test_a_transcript_arrives_as_one(gate: Gate, tmp_path: Path, name: str, content: Any) -> None:
    (tmp_path / name).write_text(json.dumps(content))
    assert check(gate, name).exit_code == 0
    (submission,) = gate.submissions()
    assert submission["name"].endswith(".json")
    arrived = json.loads(submission["text"])
    assert arrived == (content if isinstance(content, dict) else {"messages": content})


def test_an_answer_may_come_from_the_standard_input(gate: Gate) -> None:
    assert check(gate, "-", input=ANSWER).exit_code == 0
    assert gate.submissions() == [{"name": "stdin.txt", "text": ANSWER, "format": "answer"}]


@pytest.mark.parametrize(
    "option", [("--policy", "p.yaml"), ("--repo", "."), ("--corpus", "answer.md"), ("--estimate",)]
)
def test_what_only_this_machine_has_is_refused_before_anything_is_sent(gate: Gate, option: tuple[str, ...]) -> None:
    result = check(gate, "answer.md", *option)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"gate: {option[0]}")
    assert len(result.stderr.splitlines()) == 2
    assert not gate.stub.seen


def test_of_several_files_the_bad_one_is_named_and_the_others_are_checked(gate: Gate, tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("")
    result = check(gate, "empty.md", "answer.md", "-o", "out")
    assert result.exit_code == 2
    assert result.stderr.startswith("gate: empty.md: empty")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["answer.html"]


@pytest.mark.parametrize(
    ("status", "body", "code", "said"),
    [
        (400, {"code": "InputError", "message": "search.tenant may not be set here", "hint": "h"}, 2, "answer.md: sea"),
        (422, {"statusCode": 422, "detail": [{"loc": ["body", "text"], "type": "string_too_long"}]}, 2, "text: string"),
        (422, {"detail": [{"loc": 5}]}, 2, "answers 422"),
        (422, {"detail": [{"loc": 5, "msg": "no text"}]}, 2, "answer.md: no text"),
        (401, {"message": "Unauthorized"}, 2, "does not let you in (401: Unauthorized)"),
        (403, {"message": "User: x is not authorized\n to perform"}, 2, "(403: User: x is not authorized to perform)"),
        (404, {"message": "Not Found"}, 2, "Not Found"),
        (409, {"code": "ConflictError", "message": "a check of this name exists, with other content"}, 2, "other con"),
        (413, {"message": "Request Too Long"}, 2, "too large for the API"),
        (302, None, 2, "answers, but not as a gate does"),
        (200, b"<html>Sign in</html>", 2, "answers, but not as a gate does"),
        (500, {"code": "SettingsError", "message": "GATE_POLICY: broken"}, 2, "set up wrongly: GATE_POLICY: broken"),
    ],
)
def test_a_refusal_is_one_line_and_is_not_repeated(gate: Gate, status: int, body: Any, code: int, said: str) -> None:
    gate.stub.refuse(status, body)
    result = check(gate, "answer.md")
    assert result.exit_code == code, result.output
    lines = result.stderr.splitlines()
    assert said in lines[0]
    assert all(line.startswith("hint: ") for line in lines[1:])
    assert len(gate.stub.seen) == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_what_may_pass_is_tried_again_under_the_same_key(gate: Gate, status: int) -> None:
    gate.stub.refuse(status, {"message": "later"}, times=3, Retry_After="2")
    assert check(gate, "answer.md").exit_code == 0
    keys = {headers["idempotency-key"] for method, _, headers, _ in gate.stub.seen if method == "POST"}
    assert (len(keys), len(gate.runs.started)) == (1, 1)


@pytest.mark.parametrize(("status", "said"), [(503, "the gate failed (503: asleep)"), (429, "no more requests")])
def test_what_does_not_pass_is_a_failed_run(gate: Gate, status: int, said: str) -> None:
    gate.stub.refuse(status, {"code": "StorageUnavailableError", "message": "asleep"}, times=remote_gate.TRIES)
    result = check(gate, "answer.md")
    assert result.exit_code == 3
    assert said in result.stderr


def test_a_gate_that_cannot_be_reached_is_said_in_one_line(gate: Gate) -> None:
    result = CliRunner().invoke(cli.group, ["check", "answer.md", "--remote", "http://127.0.0.1:9"])
    assert result.exit_code == 3
    assert result.stderr == "gate: http://127.0.0.1:9 could not be reached (EndpointConnectionError)\n"


def test_a_gate_that_is_lost_while_it_works_leaves_the_id_of_the_run(gate: Gate) -> None:
    answer = {"id": "api-1", "status": "RUNNING"}
    gate.stub.refuse(202, answer)
    gate.stub.refuse(503, {"message": "asleep"}, times=remote_gate.TRIES)
    result = check(gate, "answer.md")
    assert result.exit_code == 3
    first, second = result.stderr.splitlines()
    assert first == f"gate: api-1 is not lost: gate report api-1 --remote {gate.stub.url}"
    assert second.startswith("gate: the gate failed (503")


def test_an_interruption_leaves_the_id_of_the_run(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(remote_gate.RemoteGate, "status", interrupted)
    result = check(gate, "answer.md", "-o", "report.html")
    assert result.exit_code == 130
    (run_id,) = gate.runs.started
    assert result.stderr.splitlines()[0].startswith(f"gate: {run_id} is not lost")
    assert result.stderr.splitlines()[1:] == ["gate: interrupted"]
    assert not Path("report.html").exists()


def test_waiting_ends_at_the_timeout_and_not_before_the_gate_was_asked(gate: Gate) -> None:
    gate.runs.status_after = RunStatus("RUNNING")
    result = check(gate, "answer.md", "--timeout", "1")
    assert result.exit_code == 3
    assert "no decision within 1 s" in result.stderr or "gave no answer within 1 s" in result.stderr
    assert "is not lost" in result.stderr
    assert all(path.endswith("?wait=1") for method, path, _, _ in gate.stub.seen if method == "GET")


def test_a_failed_run_exits_3_with_its_report_though_that_comes_a_little_later(gate: Gate) -> None:
    gate.runs.status_after = RunStatus("FAILED", "States.Timeout")
    status = gate.runs.status

    def published_by_an_event(run_id: str) -> RunStatus | None:
        if len(gate.stub.seen) == 4:
            failure = {"status": "FAILED", "error": "States.Timeout", "cause": "it took too long"}
            runtime.handle("publish_failure", {"run_id": run_id, "state": {"failure": failure}})
        return status(run_id)

    gate.runs.status = published_by_an_event  # type: ignore[method-assign]
    result = check(gate, "answer.md", "-o", "report.json")
    assert result.exit_code == 3
    said = "gate: answer.md: States.Timeout: it took too long\n"
    assert result.stderr == f"{said}hint: {TO_DO['mend'].one}\n"
    assert Report.model_validate_json(Path("report.json").read_text()).outcome == "error"


def test_a_failed_run_that_leaves_no_report_is_named(gate: Gate) -> None:
    gate.runs.status_after = RunStatus("ABORTED")
    result = check(gate, "answer.md")
    assert result.exit_code == 3
    assert "ABORTED, and no report of it" in result.stderr


def test_a_report_too_large_for_the_api_is_fetched_by_its_link_without_a_signature(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.agents.api.INLINE_REPORT_BYTES", 3)
    data = a_report(((ANSWER, "supported"),)).model_dump_json().encode()
    linked = f"{gate.stub.url}/bucket/report.json?X-Amz-Signature=abc"
    monkeypatch.setattr(type(wiring.current().blob_store()), "link", lambda self, key: linked)
    send = gate.stub.answer

    def answer(method: str, path: str, headers: dict[str, str], body: bytes) -> Any:
        if path.startswith("/bucket"):
            return (403, b"", {}) if "authorization" in {name.lower() for name in headers} else (200, data, {})
        return send(method, path, headers, body)

    gate.stub.answer = answer  # type: ignore[method-assign]
    assert check(gate, "answer.md").exit_code == 0


def test_a_report_said_to_lie_elsewhere_but_not_where_is_one_line(gate: Gate) -> None:
    send = gate.stub.answer

    def answer(method: str, path: str, headers: dict[str, str], body: bytes) -> Any:
        return (303, b"", {}) if path.endswith("/report") else send(method, path, headers, body)

    gate.stub.answer = answer  # type: ignore[method-assign]
    result = check(gate, "answer.md")
    assert result.exit_code == 2, result.output
    assert "answers, but not as a gate does" in result.stderr


def test_a_report_is_fetched_from_no_place_where_others_could_change_it(gate: Gate) -> None:
    send = gate.stub.answer

    def answer(method: str, path: str, headers: dict[str, str], body: bytes) -> Any:
        elsewhere = {"Location": "http://reports.example.com/a"}
        return (303, b"", elsewhere) if path.endswith("/report") else send(method, path, headers, body)

    gate.stub.answer = answer  # type: ignore[method-assign]
    result = check(gate, "answer.md")
    assert result.exit_code == 2, result.output
    assert "answers, but not as a gate does" in result.stderr


@pytest.mark.parametrize("id", ["../../v1/reviews", "$(reboot)", "a b", "\x1b[2J", "a" * 121])
def test_an_id_that_is_none_is_put_into_no_address_and_no_command(gate: Gate, id: str) -> None:
    gate.stub.refuse(200, {"id": id, "status": "RUNNING"})
    result = check(gate, "answer.md")
    assert result.exit_code == 2, result.output
    assert "answers, but not as a gate does" in result.stderr
    assert len(gate.stub.seen) == 1


def test_of_an_answer_without_end_no_more_is_read_than_a_gate_says(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_gate, "MAX_ANSWER_BYTES", 1_000)
    gate.stub.refuse(200, b" " * 2_000)
    result = check(gate, "answer.md")
    assert result.exit_code == 3, result.output
    assert "answered with more than 1,000 bytes" in result.stderr


@pytest.mark.parametrize(("header", "seconds"), [("2", 2.0), ("900", 30.0), ("²", 0.0), ("soon", 0.0), (None, 0.0)])
def test_only_plain_digits_say_how_long_to_wait(header: str | None, seconds: float) -> None:
    assert remote_gate._seconds(header) == seconds


def test_a_report_of_another_version_is_said_to_be_one(gate: Gate) -> None:
    gate.runs.start("api-9", {})
    wiring.current().blob_store().put("reports/api-9/report.json", b'{"schema_version": "2", "outcome": "pass"}')
    result = CliRunner().invoke(cli.group, ["report", "api-9", "--remote", gate.stub.url])
    assert result.exit_code == 3
    assert "api-9: the gate's report cannot be read" in result.stderr


def test_a_rerun_is_a_new_run_whose_id_is_said_and_whose_report_is_shown(gate: Gate) -> None:
    gate.runs.sentences = ((ANSWER, "unsupported"),)
    check(gate, "answer.md")
    (first,) = gate.runs.started
    gate.runs.sentences = ((ANSWER, "supported"),)
    result = CliRunner().invoke(cli.group, ["rerun", first, "--remote", gate.stub.url])
    assert result.exit_code == 0, result.output
    again = next(run_id for run_id in gate.runs.started if run_id != first)
    assert result.stderr == f"gate: {first} runs again as {again}\n"
    assert gate.submissions()[0] == gate.submissions()[1]


def test_a_rerun_of_what_has_expired_says_so(gate: Gate) -> None:
    check(gate, "answer.md")
    (first,) = gate.runs.started
    wiring.current().blob_store().delete_prefix(f"runs/{first}")
    result = CliRunner().invoke(cli.group, ["rerun", first, "--remote", gate.stub.url])
    assert result.exit_code == 2
    assert result.stderr == "gate: nothing is kept that could be run again\nhint: submit it again\n"


def test_a_local_run_keeps_nothing_to_run_again_and_says_so() -> None:
    result = CliRunner().invoke(cli.group, ["rerun", "a" * 32])
    assert result.exit_code == 2
    assert result.stderr.startswith("gate: a run on this machine keeps nothing")


def test_a_report_is_shown_again_from_here_or_from_the_gate(gate: Gate) -> None:
    gate.runs.start("api-7", {})
    shown = CliRunner().invoke(cli.group, ["report", "api-7", "--remote", gate.stub.url, "-f", "markdown"])
    local = CliRunner().invoke(cli.group, ["report", "api-7", "-f", "markdown"])
    assert shown.exit_code == local.exit_code == 0
    assert shown.stdout == local.stdout
    assert "Pass: answer.md" in shown.stdout


@pytest.mark.parametrize("run_id", ["../x", "a/b", "a?b", ""])
def test_what_is_no_id_is_refused(run_id: str) -> None:
    assert CliRunner().invoke(cli.group, ["report", run_id]).exit_code == 2
    assert CliRunner().invoke(cli.group, ["report", "none"]).exit_code == 2


@pytest.mark.parametrize("where", ["http://example.com", "ftp://example.com/x", "no stack!", ""])
def test_a_place_that_is_none_is_refused(gate: Gate, where: str) -> None:
    result = CliRunner().invoke(cli.group, ["check", "answer.md", "--remote", where])
    assert result.exit_code == 2
    assert "neither the https:// URL of a gate nor the name of its stack" in result.stderr


def test_without_credentials_the_line_says_so(gate: Gate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    result = check(gate, "answer.md")
    assert result.exit_code == 2
    assert "NoCredentialsError" in result.stderr
    assert not gate.stub.seen


@pytest.mark.parametrize(
    ("url", "region"),
    [
        ("https://a1.execute-api.ap-southeast-2.amazonaws.com/gate", "ap-southeast-2"),
        ("https://a1-vpce-1.execute-api.us-gov-west-1.vpce.amazonaws.com/gate/", "us-gov-west-1"),
        ("https://gate.example.com", "eu-north-1"),
    ],
)
def test_the_signature_is_for_the_region_of_the_api(gate: Gate, url: str, region: str) -> None:
    made = remote_gate.RemoteGate(url)
    request = made._request("GET", f"{made.url}/v1/health", b"", "", True)
    assert f"/{region}/execute-api/" in request.headers["Authorization"]


@pytest.mark.integration
def test_a_stack_is_found_by_the_parameter_that_it_publishes(gate: Gate) -> None:
    import boto3
    from moto import mock_aws

    with mock_aws():
        result = CliRunner().invoke(cli.group, ["check", "answer.md", "--remote", "Team"])
        assert result.exit_code == 2
        assert result.stderr.startswith("gate: no stack Team publishes a gate in eu-north-1")
        name = "/reliability-gate/Team/ApiUrl"
        boto3.client("ssm").put_parameter(Name=name, Value=f"{gate.stub.url}/", Type="String")
        assert CliRunner().invoke(cli.group, ["check", "answer.md", "--remote", "Team"]).exit_code == 0
