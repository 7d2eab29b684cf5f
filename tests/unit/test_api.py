"""The API as API Gateway calls it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gate import runtime, wiring
from gate.adapters.spending.allowance import current
from gate.adapters.trails.local_trail import LocalTrail
from gate.agents.api import answer_request
from gate.agents.publish_report import publish_report
from gate.agents.request_review import request_review
from gate.errors import BusyError, StorageUnavailableError
from gate.ports import RunStatus
from gate.services import submissions
from gate.services.audit_log import recording
from gate.services.reviews.review_queue import changed, concluded, moment
from gate.services.run import using
from gate.services.trail.period_totals import PeriodTotals
from gate.services.trail.proofs import story, verified
from tests.aws_events import FakeRuns, a_request
from tests.entrance import Entrance
from tests.report_builders import a_state

ANSWER = {"name": "answer.md", "text": "The sky is blue."}
STORED = {**ANSWER, "format": "answer"}
"""An answer as a run is started with it: text is one answer, whatever it looks like."""
TENANT = {"sub": "u1", "custom:tenant": "red"}


class Api:
    """The function, with fake executions."""

    def __init__(self, entrance: Entrance) -> None:
        self.runs, self.batches = FakeRuns(), FakeRuns()
        entrance.give(runs=self.runs, batch_runs=self.batches)

    def __call__(self, *request: Any, **headers: Any) -> tuple[int, Any]:
        answer = runtime.handle("api", a_request(*request, **headers))
        body = answer["body"]
        assert isinstance(body, str), "API Gateway takes text"
        is_json = "json" in answer["multiValueHeaders"].get("Content-Type", [""])[0]
        return answer["statusCode"], json.loads(body) if is_json and body else body

    def finish(self, run_id: str, outcome: str = "pass") -> None:
        self.runs.statuses[run_id] = RunStatus("SUCCEEDED")
        wiring.current().blob_store().put(f"reports/{run_id}/report.json", json.dumps({"outcome": outcome}).encode())
        wiring.current().blob_store().put(f"reports/{run_id}/report.html", b"<h1>Report</h1>")


@pytest.fixture
def api(entrance: Entrance) -> Api:
    return Api(entrance)


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_of_requests_at_once_each_is_answered_for_itself(api: Api) -> None:
    here = wiring.current()

    def stored(at: int) -> str:
        with wiring.entered(here):
            _, body = api("POST", "/v1/checks", {**ANSWER, "text": f"Item {at} is blue."})
            return str(submissions.stored_input(body["id"])[0]["text"])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(stored, range(32))) == [f"Item {at} is blue." for at in range(32)]


def test_a_check_is_accepted_and_its_text_goes_by_reference(api: Api) -> None:
    status, body = api("POST", "/v1/checks", ANSWER)
    state = api.runs.started[body["id"]]
    assert (status, body["status"]) == (202, "RUNNING")
    assert "sky" not in json.dumps(state)
    found = runtime.RunBlobs(wiring.current().blob_store(), body["id"]).resolve(state["submission"])
    assert found == STORED


def test_a_transcript_is_taken_as_it_is(api: Api) -> None:
    transcript = {"turns": [{"role": "assistant", "content": "Hi."}]}
    _, body = api("POST", "/v1/checks", {"transcript": transcript})
    found = runtime.RunBlobs(wiring.current().blob_store(), body["id"]).resolve(
        api.runs.started[body["id"]]["submission"]
    )
    assert found["name"] == "submission.json"
    assert json.loads(found["text"]) == transcript


def test_the_same_idempotency_key_starts_one_run_and_other_content_is_a_conflict(api: Api) -> None:
    first, second = (api("POST", "/v1/checks", ANSWER, Idempotency_Key="k1") for _ in range(2))
    assert first == second
    assert len(api.runs.started) == 1
    status, body = api("POST", "/v1/checks", ANSWER | {"text": "Another."}, Idempotency_Key="k1")
    assert (status, body["code"]) == (409, "ConflictError")


def test_the_same_idempotency_key_starts_one_run_though_the_policy_has_changed_meanwhile(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = api("POST", "/v1/checks", ANSWER, Idempotency_Key="k1")
    changed = submissions.PolicyInForce({**submissions.team_policy().document, "version": "2"}, "2")
    monkeypatch.setattr(submissions, "team_policy", lambda: changed)
    assert api("POST", "/v1/checks", ANSWER, Idempotency_Key="k1") == first
    assert api("POST", "/v1/checks", ANSWER | {"name": "other.md"}, Idempotency_Key="k1")[0] == 409
    assert api("POST", "/v1/checks", ANSWER, Idempotency_Key="k2")[1]["id"] != first[1]["id"]
    assert api.runs.started[first[1]["id"]]["config"]["policy"]["version"] != "2"


def test_what_a_key_has_started_is_asked_for_once_by_reading_it(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    store = wiring.current().blob_store()

    def noted(name: str) -> Callable[[str], Any]:
        real = getattr(store, name)

        def ask(key: str) -> Any:
            asked.append(f"{name} {key}")
            return real(key)

        return ask

    for name in ("exists", "get", "find"):
        monkeypatch.setattr(store, name, noted(name))
    run_id = api("POST", "/v1/checks", ANSWER, Idempotency_Key="k1")[1]["id"]
    api("POST", "/v1/checks", ANSWER, Idempotency_Key="k1")
    assert [one for one in asked if one.endswith("/input.json")] == [f"find runs/{run_id}/input.json"] * 2


def test_waiting_ends_with_the_outcome(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.agents.api.time.sleep", lambda _: api.finish(next(iter(api.runs.started))))
    status, body = api("POST", "/v1/checks?wait=5", ANSWER)
    assert (status, body["status"], body["outcome"]) == (200, "SUCCEEDED", "pass")


def test_a_check_is_running_though_its_execution_is_not_described_yet(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api.runs, "status", lambda run_id: None)
    status, body = api("POST", "/v1/checks", ANSWER)
    assert (status, body["status"]) == (202, "RUNNING")
    assert api("GET", f"/v1/checks/{body['id']}") == (200, body)


def test_a_run_that_failed_is_never_running_even_before_its_report_is_there(api: Api) -> None:
    _, body = api("POST", "/v1/checks", ANSWER)
    api.runs.statuses[body["id"]] = RunStatus("TIMED_OUT", "States.Timeout")
    status, body = api("GET", f"/v1/checks/{body['id']}")
    assert (status, body["status"], body["outcome"], body["error"]) == (200, "TIMED_OUT", "error", "States.Timeout")


def test_a_run_that_is_redriven_has_no_outcome_yet(api: Api) -> None:
    _, body = api("POST", "/v1/checks", ANSWER)
    api.finish(body["id"], "error")
    api.runs.statuses[body["id"]] = RunStatus("RUNNING")
    _, body = api("GET", f"/v1/checks/{body['id']}")
    assert (body["status"], body["outcome"]) == ("RUNNING", None)


def test_the_report_comes_as_json_or_html(api: Api) -> None:
    _, body = api("POST", "/v1/checks", ANSWER)
    api.finish(body["id"])
    path = f"/v1/checks/{body['id']}/report"
    assert api("GET", path) == (200, {"outcome": "pass"})
    assert api("GET", path, Accept="text/html,*/*") == (200, "<h1>Report</h1>")


def test_a_report_too_large_for_an_answer_is_linked(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    from gate.agents import api as module

    _, body = api("POST", "/v1/checks", ANSWER)
    api.finish(body["id"])
    monkeypatch.setattr(module, "INLINE_REPORT_BYTES", 3)
    assert api("GET", f"/v1/checks/{body['id']}/report")[0] == 303


def test_forgetting_a_check_removes_all_that_it_stored(api: Api) -> None:
    _, body = api("POST", "/v1/checks", ANSWER)
    path = f"/v1/checks/{body['id']}"
    assert api("DELETE", path)[0] == 409
    api.finish(body["id"])
    assert api("DELETE", path) == (200, {"id": body["id"], "removed": 5})
    assert api("GET", f"{path}/report")[0] == 404


def test_the_key_of_a_check_that_was_deleted_brings_nothing_of_it_back(api: Api) -> None:
    _, body = api("POST", "/v1/checks", ANSWER, Idempotency_Key="k1")
    api.finish(body["id"])
    assert api("DELETE", f"/v1/checks/{body['id']}")[0] == 200
    status, refusal = api("POST", "/v1/checks", ANSWER, Idempotency_Key="k1")
    assert (status, refusal["hint"]) == (410, "a new Idempotency-Key")
    assert wiring.current().blob_store().keys(f"runs/{body['id']}") == []


@pytest.mark.parametrize("path", ["/v1/checks/none", "/v1/checks/none/report"])
def test_an_id_that_nobody_was_given_is_not_found(api: Api, path: str) -> None:
    assert api("GET", path)[0] == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": "a", "transcript": {}},
        {"text": "a", "other": 1},
        {"text": "\ud800"},
        {"transcript": {"a": "\udc00"}},
        {"text": "a", "name": "../../etc"},
        {"text": "a", "search": {"published_from": "yesterday"}},
        {"text": "a", "search": {"tenant": "red"}},
        {"text": "a", "search": {"published_from": "2026-13-45"}},
        '{"text": "a", "text": "b"}',
        '{"text": "a", "search": {"top_k": 1' + "0" * 5_000 + "}}",
        '{"transcript": {"a": NaN}}',
        "not json",
        "[" * 100_000,
        "",
    ],
)
def test_a_request_that_cannot_be_used_is_the_caller_s_fault(api: Api, body: Any) -> None:
    status, _ = api("POST", "/v1/checks", body)
    assert 400 <= status < 500
    assert not api.runs.started


def test_a_body_that_says_it_is_a_form_is_refused(api: Api) -> None:
    assert api("POST", "/v1/checks", ANSWER, Content_Type="multipart/form-data")[0] == 415


def test_a_body_that_is_not_utf_8_is_the_caller_s_fault(api: Api) -> None:
    event = a_request("POST", "/v1/checks") | {"body": "//79", "isBase64Encoded": True}
    assert runtime.handle("api", event)["statusCode"] in (400, 422)


def test_a_service_that_is_down_is_said_to_be(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(run_id: str, state: Any) -> bool:
        raise StorageUnavailableError("the state machine failed (ServiceUnavailable)")

    monkeypatch.setattr(api.runs, "start", down)
    status, body = api("POST", "/v1/checks", ANSWER)
    assert (status, body["code"]) == (503, "StorageUnavailableError")


def test_the_tenant_of_the_token_filters_the_search_and_owns_the_run(entrance: Entrance, api: Api) -> None:
    entrance.change(tenant_claim="custom:tenant")
    _, body = api("POST", "/v1/checks", ANSWER, claims=TENANT)
    assert api.runs.started[body["id"]]["config"]["search"] == {"tenant": "red"}
    path = f"/v1/checks/{body['id']}"
    assert api("GET", path, claims=TENANT)[0] == 200
    assert api("GET", path, claims=TENANT | {"custom:tenant": "blue"})[0] == 404
    assert api("DELETE", path, claims=TENANT | {"custom:tenant": "blue"})[0] == 404


def test_a_report_is_its_tenant_s_and_no_other_s_for_as_long_as_it_is_kept(entrance: Entrance, api: Api) -> None:
    entrance.change(tenant_claim="custom:tenant")
    _, body = api("POST", "/v1/checks", ANSWER, claims=TENANT)
    run_id, blue = body["id"], TENANT | {"custom:tenant": "blue"}
    state = a_state([("The sky is blue.", "supported")], run_id=run_id)
    state["config"]["search"] = {"tenant": "red"}
    publish_report(state)
    api.runs.statuses[run_id] = RunStatus("SUCCEEDED")
    wiring.current().blob_store().delete_prefix(f"runs/{run_id}")  # as the bucket's rule does after a month
    path = f"/v1/checks/{run_id}"
    assert api("GET", f"{path}/report", claims=TENANT)[0] == 200
    assert api("GET", f"{path}/report", claims=blue)[0] == 404
    assert api("POST", f"{path}/rerun", claims=TENANT)[0] == 410
    assert api("DELETE", path, claims=blue)[0] == 404
    assert api("DELETE", path, claims=TENANT)[0] == 200
    assert wiring.current().blob_store().keys(f"reports/{run_id}") == []


def test_a_caller_may_not_search_as_another_tenant(entrance: Entrance, api: Api) -> None:
    entrance.change(tenant_claim="custom:tenant")
    assert api("POST", "/v1/checks", ANSWER | {"search": {"tenant": "blue"}}, claims=TENANT)[0] == 400
    assert api("POST", "/v1/checks", ANSWER, claims={"sub": "u1"})[0] == 400


def test_a_trusted_caller_may_name_the_tenant_where_the_deployment_says_so(entrance: Entrance, api: Api) -> None:
    entrance.change(tenant_field=True)
    _, body = api("POST", "/v1/checks", ANSWER | {"search": {"tenant": "red"}})
    assert api.runs.started[body["id"]]["config"]["search"] == {"tenant": "red"}


def test_a_caller_may_name_an_index_that_the_deployment_lists_and_no_other(entrance: Entrance, api: Api) -> None:
    entrance.change(indexes="handbook, prices")
    _, body = api("POST", "/v1/checks", ANSWER | {"search": {"index": "prices"}})
    assert api.runs.started[body["id"]]["config"]["elasticsearch"] == {"index": "prices"}
    for other in ("salaries", "*", ".kibana", "handbook,salaries"):
        status, body = api("POST", "/v1/checks", ANSWER | {"search": {"index": other}})
        assert (status, body["code"]) == (400, "InputError")


def test_who_asked_is_known_to_the_run(api: Api) -> None:
    _, body = api("POST", "/v1/checks", ANSWER)
    identity = "arn:aws:sts::123456789012:assumed-role/ci/run"
    assert api.runs.started[body["id"]]["config"]["caller"] == identity
    _, body = api("POST", "/v1/checks", ANSWER, claims={"sub": "u1"})
    assert api.runs.started[body["id"]]["config"]["caller"] == "u1"


def test_a_segment_goes_with_the_answer_and_may_hold_no_reference(api: Api) -> None:
    _, body = api("POST", "/v1/checks", ANSWER | {"segment": {"use_case": "sky"}})
    found = runtime.RunBlobs(wiring.current().blob_store(), body["id"]).resolve(
        api.runs.started[body["id"]]["submission"]
    )
    assert found == STORED | {"segment": {"use_case": "sky"}}
    status, _ = api("POST", "/v1/checks", ANSWER | {"segment": {"reasons": [{"$blob": "0" * 64}]}})
    assert status == 400


def rerun(api: Api, run_id: str, **headers: Any) -> tuple[int, Any]:
    return api("POST", f"/v1/checks/{run_id}/rerun", **headers)


def test_a_rerun_is_a_new_run_of_the_same_on_the_policy_of_now(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ANSWER | {"segment": {"use_case": "sky"}, "search": {"sources": ["almanac"]}}
    _, first = api("POST", "/v1/checks", asked)
    api.finish(first["id"], "block")
    monkeypatch.setattr(submissions, "team_policy", lambda: submissions.PolicyInForce({"name": "mended"}, "p8"))
    status, again = rerun(api, first["id"])
    assert (status, again["status"]) == (202, "RUNNING")
    assert again["id"].startswith(f"{first['id']}-r")
    before, now = (api.runs.started[one["id"]] for one in (first, again))
    assert runtime.RunBlobs(wiring.current().blob_store(), again["id"]).resolve(now["submission"]) == STORED | {
        "segment": {"use_case": "sky"}
    }
    assert now["config"] == before["config"] | {"policy": {"name": "mended"}}


def test_a_rerun_searches_nothing_that_a_request_may_not_search_any_more(entrance: Entrance, api: Api) -> None:
    entrance.change(indexes="prices", tenant_field=True)
    entrance.give(blob_store=wiring.current().blob_store())
    _, first = api("POST", "/v1/checks", ANSWER | {"search": {"index": "prices", "tenant": "red"}})
    api.finish(first["id"])
    _, again = rerun(api, first["id"])
    assert api.runs.started[again["id"]]["config"] == api.runs.started[first["id"]]["config"]
    for now in ({"indexes": ""}, {"tenant_field": False}):
        with wiring.entered(wiring.current().changed(**now)):
            assert rerun(api, first["id"])[0] == 400


def test_a_rerun_outlives_what_it_repeats_and_can_be_repeated_itself(api: Api) -> None:
    _, first = api("POST", "/v1/checks", ANSWER)
    api.finish(first["id"])
    _, second = rerun(api, first["id"])
    api.finish(second["id"])
    api("DELETE", f"/v1/checks/{first['id']}")
    _, third = rerun(api, second["id"])
    assert len({first["id"], second["id"], third["id"]}) == 3
    assert len(third["id"]) == len(second["id"]), "endings do not pile up"


def test_a_rerun_asked_for_twice_under_one_key_is_one(api: Api) -> None:
    _, first = api("POST", "/v1/checks", ANSWER)
    api.finish(first["id"])
    answers = {rerun(api, first["id"], Idempotency_Key="k")[1]["id"] for _ in range(2)}
    assert len(answers) == 1
    assert rerun(api, first["id"], Idempotency_Key="k2")[1]["id"] not in answers
    assert len(api.runs.started) == 3


def test_a_rerun_needs_no_body(api: Api) -> None:
    _, first = api("POST", "/v1/checks", ANSWER)
    api.finish(first["id"])
    event = a_request("POST", f"/v1/checks/{first['id']}/rerun") | {"body": None}
    assert runtime.handle("api", event)["statusCode"] == 202


def test_a_check_that_is_running_is_not_run_again(api: Api) -> None:
    _, first = api("POST", "/v1/checks", ANSWER)
    assert rerun(api, first["id"])[0] == 409
    assert len(api.runs.started) == 1


def test_a_rerun_says_where_nothing_is_there_or_nothing_is_kept(api: Api) -> None:
    assert rerun(api, "none")[0] == 404
    _, first = api("POST", "/v1/checks", ANSWER)
    api.finish(first["id"])
    wiring.current().blob_store().delete_prefix(f"runs/{first['id']}")
    status, body = rerun(api, first["id"])
    assert (status, body["code"], body["hint"]) == (410, "ExpiredError", "submit it again")
    api.batches.statuses["s3-batch"] = RunStatus("SUCCEEDED")
    status, body = rerun(api, "s3-batch")
    assert (status, body["message"]) == (400, "a batch is not run again as a whole")


def test_a_submission_that_was_changed_is_not_run_again(api: Api) -> None:
    _, first = api("POST", "/v1/checks", ANSWER)
    api.finish(first["id"])
    sha = api.runs.started[first["id"]]["submission"]["$blob"]
    wiring.current().blob_store().put(f"runs/{first['id']}/{sha}", json.dumps(ANSWER | {"text": "Another."}).encode())
    status, body = rerun(api, first["id"])
    assert (status, body["code"]) == (500, "InternalError")
    assert len(api.runs.started) == 1


def test_a_key_used_for_other_content_does_not_change_what_a_rerun_repeats(api: Api) -> None:
    _, first = api("POST", "/v1/checks", ANSWER, Idempotency_Key="k")
    assert api("POST", "/v1/checks", ANSWER | {"text": "Another."}, Idempotency_Key="k")[0] == 409
    api.finish(first["id"])
    _, again = rerun(api, first["id"])
    state = api.runs.started[again["id"]]
    assert runtime.RunBlobs(wiring.current().blob_store(), again["id"]).resolve(state["submission"]) == STORED


def test_a_run_of_another_tenant_is_not_run_again(entrance: Entrance, api: Api) -> None:
    entrance.change(tenant_claim="custom:tenant")
    _, first = api("POST", "/v1/checks", ANSWER, claims=TENANT)
    api.finish(first["id"])
    assert rerun(api, first["id"], claims=TENANT | {"custom:tenant": "blue"})[0] == 404
    status, again = rerun(api, first["id"], claims=TENANT)
    assert status == 202
    assert api("GET", f"/v1/checks/{again['id']}", claims=TENANT)[0] == 200


def test_health_and_the_openapi_document_answer(api: Api) -> None:
    assert api("GET", "/v1/health")[1]["status"] == "ok"
    status, document = api("GET", "/openapi.json")
    assert status == 200
    assert set(document["paths"]) >= {"/v1/checks", "/v1/checks/{run_id}", "/v1/checks/{run_id}/report"}


def test_a_tenant_whose_day_is_spent_is_told_when_to_come_again_and_another_is_not(
    entrance: Entrance, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrance.change(tenant_claim="custom:tenant", budget_tenant_day=10_000)
    _, body = api("POST", "/v1/checks", ANSWER, claims=TENANT)
    with using(api.runs.started[body["id"]]["config"]):
        account, *_ = wiring.current().ceilings().accounts(current() or pytest.fail("no allowance"))
    wiring.current().ledger().reserve(account.key, 9_000, account.limit)
    request = a_request("POST", "/v1/checks", ANSWER, claims=TENANT)
    with recording() as figures:
        answer = runtime.handle("api", request)
    assert answer["statusCode"] == 429
    assert [figure.name for figure in figures] == ["CeilingReached"]
    assert 0 < int(answer["multiValueHeaders"]["Retry-After"][0]) <= 86_400
    assert json.loads(answer["body"])["message"] == "the tenant's day has spent its tokens"
    assert len(api.runs.started) == 1
    assert api("POST", "/v1/checks", ANSWER, claims=TENANT | {"custom:tenant": "blue"})[0] == 202


def test_a_check_that_cannot_begin_now_is_told_when_to_come_again(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(run_id: str, state: Any) -> bool:
        raise BusyError("no check can begin now (ThrottlingException)")

    monkeypatch.setattr(api.runs, "start", refuse)
    answer = runtime.handle("api", a_request("POST", "/v1/checks", ANSWER))
    assert (answer["statusCode"], answer["multiValueHeaders"]["Retry-After"]) == (429, ["10"])


def test_a_deletion_is_written_down_with_who_asked_whether_it_was_allowed_or_not(api: Api, entrance: Entrance) -> None:
    entrance.change(tenant_claim="custom:tenant", ledger="local")
    _, body = api("POST", "/v1/checks", ANSWER, claims=TENANT)
    api.finish(body["id"])
    path = f"/v1/checks/{body['id']}"
    assert api("DELETE", path, claims={"sub": "u2", "custom:tenant": "blue"})[0] == 404
    assert api("DELETE", path, claims=TENANT)[0] == 200
    entries = story(body["id"]).entries
    assert [(entry.actor, entry.facts["allowed"]) for entry in entries] == [("u2", False), ("u1", True)]
    assert len({entry.chain for entry in entries}) == 2


def test_a_caller_who_asks_for_deletions_again_and_again_adds_few_entries_which_say_how_many(
    api: Api, entrance: Entrance
) -> None:
    entrance.change(tenant_claim="custom:tenant", ledger="local")
    _, body = api("POST", "/v1/checks", ANSWER, claims=TENANT)
    api.finish(body["id"])
    stranger = {"sub": "u2", "custom:tenant": "blue"}
    for number in range(20):
        assert api("DELETE", f"/v1/checks/{body['id'] if number == 7 else number}", claims=stranger)[0] == 404
    totals = PeriodTotals()
    verified(each=totals.add)
    assert [one.facts["refused_today"] for one in totals.others] == [1, 2, 4, 8, 16]
    assert (totals.others[3].run, totals.as_json()["refused"]) == (body["id"], 16)
    assert api("DELETE", "/v1/checks/.refused", claims=stranger)[0] != 200


def test_a_check_that_is_gone_is_not_written_down_as_deleted_again(api: Api, entrance: Entrance) -> None:
    entrance.change(ledger="local")
    _, body = api("POST", "/v1/checks", ANSWER)
    api.finish(body["id"])
    answers = [api("DELETE", f"/v1/checks/{body['id']}") for _ in range(3)]
    assert [(status, found["removed"]) for status, found in answers] == [
        (200, answers[0][1]["removed"]),
        (200, 0),
        (200, 0),
    ]
    assert len(story(body["id"]).entries) == 1


def test_a_deletion_says_why_by_a_word_of_a_closed_list(api: Api, entrance: Entrance) -> None:
    entrance.change(ledger="local")
    _, body = api("POST", "/v1/checks", ANSWER)
    api.finish(body["id"])
    path = f"/v1/checks/{body['id']}"
    assert api("DELETE", f"{path}?reason=Jane")[0] in (400, 422)
    assert wiring.current().blob_store().exists(f"reports/{body['id']}/report.json")
    assert api("DELETE", f"{path}?reason=erasure")[0] == 200
    assert [entry.facts["reason"] for entry in story(body["id"]).entries] == ["erasure"]


def test_nothing_is_deleted_that_cannot_be_written_down(
    api: Api, entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrance.change(ledger="local")
    _, body = api("POST", "/v1/checks", ANSWER)
    api.finish(body["id"])

    def refuse(*_: Any) -> bool:
        raise StorageUnavailableError("the disk is gone")

    monkeypatch.setattr(LocalTrail, "add", refuse)
    assert api("DELETE", f"/v1/checks/{body['id']}")[0] == 503
    assert wiring.current().blob_store().exists(f"reports/{body['id']}/report.json")


@pytest.mark.parametrize("change", ["report", "note", "entry of another run"])
def test_a_report_that_is_not_the_one_that_was_decided_is_not_shown(api: Api, entrance: Entrance, change: str) -> None:
    entrance.change(ledger="local")
    _, body = api("POST", "/v1/checks", ANSWER)
    _, other = api("POST", "/v1/checks", ANSWER)
    store, path = wiring.current().blob_store(), f"/v1/checks/{body['id']}"
    for run_id, text in ((body["id"], "The sky is green."), (other["id"], "The sky is blue.")):
        api.runs.statuses[run_id] = RunStatus("SUCCEEDED")
        label = "unsupported" if "green" in text else "supported"
        publish_report(a_state([(text, label)], run_id=run_id))
    assert (api("GET", path)[1]["outcome"], api("GET", f"{path}/report")[0]) == ("block", 200)
    if change == "report":
        key = f"reports/{body['id']}/report.json"
        store.put(key, store.get(key).replace(b'"block"', b'"pass"'))
    elif change == "note":
        store.put(f"reports/{body['id']}/salt.json", b"{}")
    else:
        for name in ("report.json", "salt.json"):
            store.put(f"reports/{body['id']}/{name}", store.get(f"reports/{other['id']}/{name}"))
    for asked in (path, f"{path}/report"):
        status, refusal = api("GET", asked)
        assert (status, refusal["message"]) == (500, "the report is not the one that the ledger has")
    assert api("DELETE", path)[0] == 200


def test_a_report_without_an_entry_is_not_shown(api: Api, entrance: Entrance) -> None:
    entrance.change(ledger="local")
    _, body = api("POST", "/v1/checks", ANSWER)
    api.finish(body["id"])
    assert api("GET", f"/v1/checks/{body['id']}")[0] == 500


# Reviews


REVIEWER = {**TENANT, "cognito:groups": "[submitters reviewers]"}


@pytest.fixture
def asked(api: Api, entrance: Entrance) -> str:
    """A run of tenant red that waits for a person; its id."""
    entrance.change(tenant_claim="custom:tenant", ledger="local")
    _, body = api("POST", "/v1/checks", ANSWER, claims=TENANT)
    run_id = str(body["id"])
    state = a_state((("The sky is blue.", "supported"), ("Whales sing.", "unsupported")))
    state["config"]["search"] = {"tenant": "red"}
    request_review({**state, "run_id": run_id, "review": {"wanted": True, "limit_s": 60}, "task_token": "secret"})
    return run_id


def test_what_waits_is_told_to_reviewers_of_its_tenant_and_to_nobody_else(api: Api, asked: str) -> None:
    status, body = api("GET", "/v1/reviews", None, claims=REVIEWER)
    (shown,) = body["reviews"]
    assert (status, shown["id"], shown["report"]) == (200, asked, f"/v1/checks/{asked}/report")
    assert shown["reasons"][0]["rule"] == "unsupported"
    assert "secret" not in json.dumps(body), "the token lets the run go on"
    assert api("GET", f"/v1/reviews/{asked}", None, claims=REVIEWER) == (200, shown)
    blue = {**REVIEWER, "custom:tenant": "blue"}
    assert api("GET", "/v1/reviews", None, claims=blue) == (200, {"reviews": []})
    assert api("GET", f"/v1/reviews/{asked}", None, claims=blue)[0] == 404
    assert api("GET", "/v1/reviews", None, claims=TENANT)[0] == 403
    assert api("GET", f"/v1/reviews/{asked}", None, claims=TENANT)[0] == 403


@pytest.mark.parametrize("path", ["/v1/checks", "/v1/outcomes", "/v1/reviews"])
def test_a_run_that_was_redriven_goes_on_once_somebody_asks_after_its_time(api: Api, asked: str, path: str) -> None:
    assert api("GET", f"{path}/{asked}", None, claims=REVIEWER)[0] == 200
    assert api.runs.answered == [], "it is to be decided yet"
    changed(asked, lambda item: item.model_copy(update={"until": moment(-1), "token": "of the redrive"}))
    status, _ = api("GET", f"{path}/{asked}", None, claims={**REVIEWER, "custom:tenant": "blue"})
    assert (status, api.runs.answered) == (404, []), "by nobody of another tenant"
    assert api("GET", f"{path}/{asked}", None, claims=REVIEWER)[0] == 200
    assert api.runs.answered == ["of the redrive"]
    ended = concluded(asked)
    assert ended is not None
    assert (ended.state, ended.outcome) == ("timed_out", "review"), "nothing passes because nobody answered"
    assert api("GET", f"{path}/{asked}", None, claims=REVIEWER)[0] == 200
    assert api.runs.answered == ["of the redrive"], "it does not wait any more"


def test_a_check_that_waits_says_so_and_has_no_outcome_yet(api: Api, asked: str) -> None:
    status, body = api("GET", f"/v1/checks/{asked}?wait=25", None, claims=TENANT)
    assert (status, body["status"], body["outcome"]) == (200, "RUNNING", None)
    assert body["review"] == f"/v1/reviews/{asked}"
    assert api("GET", f"/v1/checks/{asked}/report", None, claims=TENANT)[1]["review"]["state"] == "waiting"


def test_a_reviewer_decides_in_their_own_name_and_the_run_goes_on(api: Api, asked: str) -> None:
    path = f"/v1/reviews/{asked}/decide"
    assert api("POST", path, {"outcome": "pass"}, claims=REVIEWER)[1]["message"].startswith("a comment is needed")
    named = {"outcome": "pass", "comment": "Fine.", "reviewer": "the boss"}
    assert api("POST", path, named, claims=REVIEWER)[0] == 400, "nobody decides in another's name"
    status, body = api(
        "POST", path, {"outcome": "pass", "comment": "Fine.", "marks": {"c0001": "right"}}, claims=REVIEWER
    )
    assert (status, body["state"], body["outcome"], body["goes_on"]) == (200, "decided", "pass", True)
    assert (body["decisions"][0]["reviewer"], body["marks"][0]["label"]) == ("u1", "supported")
    assert api.runs.answered == ["secret"]
    status, body = api("POST", path, {"outcome": "block"}, claims=REVIEWER)
    assert (status, body["code"]) == (410, "ExpiredError")


def test_a_review_is_assigned_by_who_may_review_and_others_still_may_decide(api: Api, asked: str) -> None:
    path = f"/v1/reviews/{asked}/assign"
    assert api("POST", path, {"assignee": "u2"}, claims=TENANT)[0] == 403
    status, body = api("POST", path, {"assignee": "u2"}, claims=REVIEWER)
    assert (status, body["assignee"], body["state"]) == (200, "u2", "waiting")
    assert story(asked, "red").entries[-1].facts["step"] == "assigned"
    assert api("POST", f"/v1/reviews/{asked}/decide", {"outcome": "block"}, claims=REVIEWER)[1]["state"] == "decided"
    assert api("POST", path, {"assignee": "u3"}, claims=REVIEWER)[0] == 410


def test_who_has_not_the_role_is_refused_and_it_is_written_down(api: Api, asked: str) -> None:
    status, body = api("POST", f"/v1/reviews/{asked}/decide", {"outcome": "pass", "comment": "Mine."}, claims=TENANT)
    assert (status, body["code"]) == (403, "MayNotError")
    assert api.runs.answered == []
    told = story(asked, "red").entries[-1]
    assert (told.kind, told.actor, told.facts["step"]) == ("review", "u1", "refused")


@pytest.mark.parametrize(
    ("held", "role", "status"),
    [
        ({"scope": "gate/submit gate/review"}, "gate/review", 200),
        ({"scope": "gate/submit"}, "gate/review", 403),
        ({"cognito:groups": "reviewers,others"}, "reviewers", 200),
        ({"cognito:groups": "no-reviewers"}, "reviewers", 403),
        ({"cognito:groups": ""}, "", 403),
    ],
)
def test_the_role_is_a_group_or_a_scope_of_the_token(
    api: Api, entrance: Entrance, held: dict[str, str], role: str, status: int
) -> None:
    entrance.change(review_role=role)
    assert api("GET", "/v1/reviews", None, claims={"sub": "u1", **held})[0] == status


def test_a_review_goes_with_its_check(api: Api, asked: str) -> None:
    api("POST", f"/v1/reviews/{asked}/decide", {"outcome": "block"}, claims=REVIEWER)
    api.runs.statuses[asked] = RunStatus("SUCCEEDED")
    assert api("DELETE", f"/v1/checks/{asked}", None, claims=TENANT)[0] == 200
    assert api("GET", f"/v1/reviews/{asked}", None, claims=REVIEWER)[0] == 404


def headers_of(event: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = answer_request(event)["multiValueHeaders"]
    return found


def test_a_page_that_is_named_may_read_every_answer_and_another_none(api: Api, entrance: Entrance) -> None:
    entrance.change(cors_origins="https://app.example, https://two.example")

    def asked(page: str) -> list[dict[str, Any]]:
        there, gone = a_request("GET", "/v1/health", Origin=page), a_request("GET", "/v1/checks/none", Origin=page)
        return [there, gone, a_request("POST", "/v1/checks", Content_Type="text/plain", Origin=page)]

    for event in asked("https://two.example"):
        found = headers_of(event)
        assert found["Access-Control-Allow-Origin"] == ["https://two.example"]
        assert found["Vary"] == ["Origin"]
    for page in ("https://evil.example", "https://two.example.evil.example", "null", "*", ""):
        assert not [one for event in asked(page) for one in headers_of(event) if one.startswith("Access-Control")]


def test_no_page_may_read_an_answer_where_none_is_named(api: Api) -> None:
    found = headers_of(a_request("GET", "/v1/health", Origin="https://app.example"))
    assert not [name for name in found if name.startswith("Access-Control")]
