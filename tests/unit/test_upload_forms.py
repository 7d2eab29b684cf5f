"""Transcripts that are too long for a request: a form, an upload, and the run that it starts."""

from __future__ import annotations

import gzip
import json
import time
from typing import Any

import pytest

from gate import runtime, wiring
from gate.adapters.trails.local_trail import LocalTrail
from gate.ports import RunStatus
from gate.services import submissions, upload_forms
from gate.services.trail import acts
from tests.aws_events import FakeRuns, FakeUploads, a_request, an_upload
from tests.entrance import Entrance

RED, BLUE = ({"sub": f"of-{tenant}", "custom:tenant": tenant} for tenant in ("red", "blue"))
TRANSCRIPT = json.dumps({"turns": [{"role": "assistant", "content": "The sky is blue."}]}).encode()
TO = "s3://uploads/transcripts/by-form/"


class Bucket(FakeUploads):
    """Forms of it are what was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: dict[str, Any] = {}
        self.removed: list[str] = []

    def form(self, bucket: str, key: str, fields: dict[str, str], **asked: Any) -> tuple[str, dict[str, str]]:
        self.asked = asked
        return f"https://{bucket}", {"key": key, **fields}

    def remove(self, bucket: str, key: str) -> None:  # type: ignore[override]
        self.removed.append(key)


class Gate:
    """The function behind the API, the one that uploads start, and fakes for what AWS does."""

    def __init__(self, entrance: Entrance) -> None:
        self.runs, self.bucket = FakeRuns(), Bucket()
        entrance.change(upload_to=TO, upload_key="arn:aws:kms:us-east-1:1:key/k", tenant_claim="custom:tenant")
        entrance.give(runs=self.runs, batch_runs=FakeRuns(), uploads=self.bucket)

    def ask(self, method: str, path: str, body: Any = None, claims: Any = RED, **headers: str) -> tuple[int, Any]:
        answer = runtime.handle("api", a_request(method, path, body, claims=claims, **headers))
        return answer["statusCode"], json.loads(answer["body"])

    def form(self, body: Any = None, claims: Any = RED, **headers: str) -> dict[str, Any]:
        status, form = self.ask("POST", "/v1/uploads", body or {}, claims, **headers)
        assert status == 201, form
        return dict(form)

    def arrives(self, key: str, data: bytes = TRANSCRIPT, version: str = "v1") -> dict[str, Any]:
        self.bucket.objects[key, version] = data
        return runtime.handle("start_check", an_upload(key, size=len(data), version=version))


@pytest.fixture
def gate(entrance: Entrance) -> Gate:
    return Gate(entrance)


def test_what_is_uploaded_by_a_form_starts_the_run_that_it_names_as_a_request_of_its_caller_would(gate: Gate) -> None:
    form = gate.form({"name": "chat.json", "search": {"sources": ["faq"]}, "against": "corpus"})
    assert form["fields"]["key"] == f"transcripts/by-form/red/{form['id']}.json"
    assert gate.arrives(form["fields"]["key"]) == {"run_id": form["id"], "kind": "check", "started": True}
    state = gate.runs.started[form["id"]]
    found = runtime.RunBlobs(wiring.current().blob_store(), form["id"]).resolve(state["submission"])
    assert found == {"name": "chat.json", "text": TRANSCRIPT.decode()}
    _, asked = gate.ask("POST", "/v1/checks", {"text": "a", "search": {"sources": ["faq"]}, "against": "corpus"})
    assert state["config"] == gate.runs.started[asked["id"]]["config"] | {"name": "chat.json"}
    assert state["config"]["search"]["tenant"] == "red"
    assert "sky" not in json.dumps(state)


def test_a_form_fixes_size_kind_and_encryption_and_ends_soon(gate: Gate) -> None:
    form = gate.form({"name": "chat.md.gz"})
    assert form["fields"]["Content-Type"] == "application/gzip"
    assert form["fields"]["key"].endswith(f"/{form['id']}.md.gz")
    assert gate.bucket.asked == {
        "encryption_key": "arn:aws:kms:us-east-1:1:key/k",
        "max_bytes": 10_000_000,
        "seconds": 900,
    }
    assert form["max_bytes"] == 10_000_000
    assert (form["check"], form["report"]) == (f"/v1/checks/{form['id']}", f"/v1/checks/{form['id']}/report")
    packed = gzip.compress(b"# Answer", mtime=0)
    assert gate.arrives(form["fields"]["key"], packed)["started"] is True


def test_a_check_waits_for_its_upload_says_until_when_and_comes_to_nothing_without_it(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = gate.form()
    _, waiting = gate.ask("GET", form["check"])
    assert (waiting["status"], waiting["outcome"]) == ("RUNNING", None)
    assert waiting["message"] == f"it waits for its upload until {form['until']}"
    later = time.time() + 900 + upload_forms.LATE_S + 1
    monkeypatch.setattr("gate.services.upload_forms.time.time", lambda: later)
    _, over = gate.ask("GET", form["check"])
    assert (over["status"], over["outcome"]) == ("TIMED_OUT", "error")
    gate.arrives(form["fields"]["key"])
    assert gate.ask("GET", form["check"])[1]["status"] == "RUNNING"
    assert gate.ask("GET", form["check"])[1]["message"] is None


def test_a_form_starts_one_run_whatever_comes_after_the_first_upload(gate: Gate) -> None:
    form = gate.form()
    key = form["fields"]["key"]
    assert gate.arrives(key)["started"] is True
    gate.runs.statuses[form["id"]] = RunStatus("SUCCEEDED")
    before = dict(gate.runs.started[form["id"]])
    for data in (TRANSCRIPT, b"{}", b"\xff"):
        assert gate.arrives(key, data, "v2") == {"run_id": form["id"], "kind": "check", "started": False}
    assert gate.runs.started[form["id"]] == before
    assert not wiring.current().blob_store().exists(f"reports/{form['id']}/report.json")


def test_of_two_uploads_at_once_the_second_one_leaves_no_failure(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    form = gate.form()
    gate.arrives(form["fields"]["key"])
    monkeypatch.setattr(upload_forms, "has_begun", lambda _: False)
    again = gate.arrives(form["fields"]["key"], TRANSCRIPT.replace(b"blue", b"grey"), "v2")
    assert again == {"run_id": form["id"], "rejected": "ConflictError"}
    assert not wiring.current().blob_store().exists(f"reports/{form['id']}/report.json")


def test_an_upload_that_cannot_be_checked_is_told_under_its_run_and_may_be_mended(gate: Gate) -> None:
    form = gate.form({"name": "chat.txt"})
    assert gate.arrives(form["fields"]["key"], b"\xff")["rejected"] == "InputError"
    _, told = gate.ask("GET", form["check"])
    assert (told["outcome"], told["error"]) == ("error", "InputError")
    assert gate.arrives(form["fields"]["key"], b"The sky is blue.", "v2")["started"] is True


def test_what_lies_where_forms_lead_without_one_starts_nothing(gate: Gate) -> None:
    form = gate.form()
    for key in ("red/other.json", f"blue/{form['id']}.json", f"red/up-{'0' * 32}.json"):
        answer = gate.arrives(f"transcripts/by-form/{key}")
        assert answer["rejected"] == "InputError"
        assert answer["run_id"].startswith("s3-")
    assert gate.runs.started == {}
    assert gate.arrives("transcripts/red/other.json")["started"] is True


def test_the_same_key_gives_a_form_for_the_same_run_and_for_something_else_none(gate: Gate) -> None:
    first, again = (gate.form({"name": "a.json"}, Idempotency_Key="k") for _ in range(2))
    assert (first["id"], first["fields"]) == (again["id"], again["fields"])
    status, body = gate.ask("POST", "/v1/uploads", {"name": "b.md"}, Idempotency_Key="k")
    assert (status, body["code"]) == (409, "ConflictError")
    assert gate.form({"name": "a.json"}, BLUE, Idempotency_Key="k")["id"] != first["id"]
    assert gate.ask("POST", "/v1/checks", {"text": "a"}, Idempotency_Key="k")[1]["id"] != first["id"]


def test_an_event_that_comes_again_after_the_policy_changed_starts_nothing_new(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = gate.form()
    gate.arrives(form["fields"]["key"])
    policy = {**submissions.team_policy().document, "version": "2"}
    monkeypatch.setattr(submissions, "team_policy", lambda: submissions.PolicyInForce(policy, "2"))
    assert gate.arrives(form["fields"]["key"])["started"] is False


def test_the_run_is_of_its_tenant_and_goes_with_what_was_uploaded(gate: Gate) -> None:
    form = gate.form()
    assert gate.ask("GET", form["check"], claims=BLUE)[0] == 404
    assert gate.ask("DELETE", form["check"])[0] == 409
    gate.arrives(form["fields"]["key"])
    gate.runs.statuses[form["id"]] = RunStatus("SUCCEEDED")
    status, _ = gate.ask("DELETE", form["check"])
    assert (status, gate.bucket.removed) == (200, [form["fields"]["key"]])
    assert gate.arrives(form["fields"]["key"], version="v2")["rejected"] == "InputError"


def test_what_was_uploaded_stays_where_its_deletion_cannot_be_written_down(
    entrance: Entrance, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrance.change(ledger="local")
    entrance.give(blob_store=wiring.current().blob_store())
    form = gate.form()
    gate.arrives(form["fields"]["key"])
    gate.runs.statuses[form["id"]] = RunStatus("SUCCEEDED")
    with monkeypatch.context() as broken:
        broken.setattr(LocalTrail, "add", lambda *_: False)
        broken.setattr(acts, "ATTEMPTS", 1)
        assert gate.ask("DELETE", form["check"])[0] == 503
    assert gate.bucket.removed == []
    assert gate.ask("DELETE", form["check"])[0] == 200
    assert gate.bucket.removed == [form["fields"]["key"]]


@pytest.mark.parametrize("name", ["a@b.example", "..", "x" * 64, "über"])
def test_a_tenant_that_is_no_plain_name_stands_in_no_key(gate: Gate, name: str) -> None:
    form = gate.form({}, {"sub": "u", "custom:tenant": name})
    folder = form["fields"]["key"].removeprefix("transcripts/by-form/").partition("/")[0]
    assert len(folder) == 64
    assert folder.isalnum()
    gate.arrives(form["fields"]["key"])
    assert gate.runs.started[form["id"]]["config"]["search"]["tenant"] == name


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"name": "many.jsonl"}, "one transcript"),
        ({"name": "a.exe"}, "unknown type"),
        ({"name": "a"}, "unknown type"),
        ({"name": ".."}, "unknown type"),
        ({"search": {"tenant": "blue"}}, "not the caller's"),
        ({"search": {"index": "secret"}}, "may not be set"),
    ],
)
def test_a_form_for_what_may_not_be_checked_is_refused(gate: Gate, body: dict[str, Any], said: str) -> None:
    status, told = gate.ask("POST", "/v1/uploads", body)
    assert status == 400
    assert said in told["message"]


@pytest.mark.parametrize("name", ["..json", "a. b.JSON", "v1.2.json.gz", "..json.gz"])
def test_however_a_name_is_dotted_the_form_is_for_its_last_endings(gate: Gate, name: str) -> None:
    ending = ".json.gz" if name.endswith(".gz") else ".json"
    form = gate.form({"name": name})
    assert form["fields"]["key"].endswith(f"/{form['id']}{ending}")


def test_a_gate_without_a_bucket_says_where_it_takes_what(entrance: Entrance, gate: Gate) -> None:
    entrance.change(upload_to="")
    status, told = gate.ask("POST", "/v1/uploads", {})
    assert (status, told["hint"]) == (400, "POST /v1/checks")
