"""A check that is answered with its report: kept as any other, done within its seconds, and once for each key."""

from __future__ import annotations

import gc
import json
import re
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from gate import runtime, wiring
from gate.adapters.held_run import HeldRun
from gate.adapters.later import Later
from gate.adapters.local_files import FolderBlobStore
from gate.adapters.model_verifier import ModelVerifier
from gate.adapters.spending.budget import BudgetedModel, LocalLedger
from gate.agents.verify_claims import BUDGET_REACHED
from gate.errors import InternalError, SearchUnavailableError, StorageUnavailableError
from gate.local import check_now as module
from gate.model import Policy
from gate.ports import Completion, Judged, Question
from gate.services import submissions
from gate.services.audit_log import recording
from gate.services.callers import Caller, is_of_one_request
from gate.services.trail.kept_runs import kept_run
from gate.services.trail.proofs import story
from tests.aws_events import FakeRuns, a_request
from tests.entrance import Entrance
from tests.fakes.model import WordVerifier

FACTS = [f"Item {number} weighs {number * 3} grams." for number in range(1, 6)]
CHECK = {"name": "answer.md", "text": " ".join(FACTS[:3])}
TENANT = {"sub": "u1", "custom:tenant": "red"}


class Slow(WordVerifier):
    """Judges, but for what it is told to wait for."""

    def __init__(self, word: str, done: threading.Event) -> None:
        self._word, self._done, self.asked = word, done, 0

    def judge(self, claim: str, *rest: Any) -> Judged:
        self.asked += 1
        if self._word in claim:
            self._done.wait(20)
        return super().judge(claim, *rest)


@pytest.fixture
def verifier(entrance: Entrance) -> WordVerifier:
    entrance.change(index="trusted_docs", search="embedded")
    engine = wiring.current().search_engine()
    engine.ensure_index("trusted_docs")
    engine.index_documents(({"id": f"d{n}", "content": fact} for n, fact in enumerate(FACTS)), "trusted_docs")
    made = WordVerifier()
    entrance.give(verifier=made, blob_store=FolderBlobStore(wiring.current().settings.home))
    return made


def ask(body: Any = None, **headers: Any) -> tuple[int, Any]:
    answer = runtime.handle("check_now", a_request("POST", "/v1/checks:now", body or CHECK, **headers))
    return answer["statusCode"], json.loads(answer["body"])


@pytest.mark.usefixtures("verifier")
def test_the_answer_is_the_report_that_is_kept(entrance: Entrance) -> None:
    status, report = ask()
    assert (status, report["outcome"], len(report["claims"])) == (200, "pass", 3)
    store = wiring.current().blob_store()
    assert json.loads(store.get(f"reports/{report['run_id']}/report.json")) == report
    entrance.give(runs=FakeRuns(), batch_runs=FakeRuns())
    found = json.loads(runtime.handle("api", a_request("GET", f"/v1/checks/{report['run_id']}"))["body"])
    assert (found["status"], found["outcome"]) == ("SUCCEEDED", "pass")


@pytest.mark.usefixtures("verifier")
def test_no_report_is_kept_of_an_answer_whose_beginning_somebody_says_was_checked_before() -> None:
    false = "The moon is made of cheese. "
    status, body = ask({"text": false + FACTS[0], "checked_to": len(false)})
    assert (status, body.get("outcome")) == (422, None)
    assert not wiring.current().blob_store().keys("reports")


@pytest.mark.usefixtures("verifier")
def test_of_the_run_there_is_kept_what_it_takes_to_run_it_again_and_whose_it_is() -> None:
    _, report = ask()
    folder = wiring.current().settings.home / "runs" / report["run_id"]
    submission, config = submissions.stored_input(report["run_id"])
    assert submission["text"] == CHECK["text"]
    assert config["caller"]
    names = sorted(path.name for path in folder.iterdir())
    assert [name for name in names if len(name) < 64] == ["begun.json", "input.json", "owner.json"]
    assert len(names) == 4


def test_with_a_ledger_the_decision_can_be_made_again_from_what_is_kept(
    entrance: Entrance, verifier: WordVerifier
) -> None:
    entrance.change(ledger="local")
    _, report = ask()
    entry = story(report["run_id"]).entries[-1]
    kept = kept_run(entry)
    assert (kept.how, kept.holds) == ("as decided", True)


def test_a_policy_that_has_people_decide_is_not_waited_for(
    verifier: WordVerifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = Policy(review_hours=1, unsupported="review", contradicted="review", failed_check="review")
    monkeypatch.setattr("gate.agents.api._policy", policy.model_dump)
    began = time.monotonic()
    status, report = ask({"text": "The moon is made of cheese."})
    assert (status, report["outcome"]) == (200, "review")
    assert report.get("review") is None
    assert time.monotonic() - began < module.WITHIN_S / 2


def test_a_claim_that_is_not_judged_in_time_is_unchecked_and_the_answer_does_not_pass(
    entrance: Entrance, verifier: WordVerifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = threading.Event()
    entrance.give(verifier=Slow("Item 2", done))
    monkeypatch.setattr(module, "WITHIN_S", 1.5)
    began = time.monotonic()
    status, report = ask()
    took = time.monotonic() - began
    done.set()
    assert (status, report["outcome"]) == (200, "review")
    assert [claim["status"] for claim in report["claims"]] == ["supported", "unchecked", "supported"]
    assert "TooSlowError: the run's time was over" in report["claims"][1]["justification"]
    assert took < 3


def test_a_search_that_comes_back_too_late_leaves_claims_unchecked(
    entrance: Entrance, verifier: WordVerifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.agents.retrieve_evidence.search_docs", raising(SearchUnavailableError("down")))
    monkeypatch.setattr(module, "WITHIN_S", 0.5)
    status, report = ask()
    assert (status, report["outcome"]) == (200, "review")
    assert {claim["status"] for claim in report["claims"]} == {"unchecked"}


def test_a_run_that_cannot_end_in_time_is_an_error_and_never_a_pass(
    verifier: WordVerifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = threading.Event()
    monkeypatch.setattr("gate.agents.load_transcript.load_transcript", lambda state: done.wait(20))
    runtime.agent_function.cache_clear()
    monkeypatch.setattr(module, "WITHIN_S", 0.3)
    status, report = ask()
    done.set()
    runtime.agent_function.cache_clear()
    assert (status, report["outcome"], report["failure"]["error"]) == (200, "error", "TIMED_OUT")


def test_the_same_key_is_checked_once_and_other_content_under_it_is_a_conflict(
    entrance: Entrance, verifier: WordVerifier
) -> None:
    asked = Slow("nothing", threading.Event())
    entrance.give(verifier=asked)
    first, second = (ask(Idempotency_Key="k") for _ in range(2))
    assert first == second
    assert asked.asked == 3
    status, body = ask({"text": "Another."}, Idempotency_Key="k")
    assert (status, body["code"]) == (409, "ConflictError")


def test_a_request_that_is_sent_again_meanwhile_waits_for_the_first_one(
    entrance: Entrance, verifier: WordVerifier
) -> None:
    begun, done = threading.Event(), threading.Event()

    class Waiting(Slow):
        def judge(self, claim: str, *rest: Any) -> Judged:
            begun.set()
            return super().judge(claim, *rest)

    asked = Waiting("Item", done)
    entrance.give(verifier=asked)
    here = wiring.current()

    def one() -> tuple[int, Any]:
        with wiring.entered(here):
            return ask(Idempotency_Key="k")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(one)
        assert begun.wait(5)
        second = pool.submit(one)
        time.sleep(0.1)
        done.set()
        assert first.result() == second.result()
    assert asked.asked == 3


@pytest.mark.parametrize(("age", "code"), [(0, 409), (60, 200)])
@pytest.mark.usefixtures("verifier")
def test_a_check_whose_process_died_is_begun_again_once_its_time_is_over(
    monkeypatch: pytest.MonkeyPatch, age: int, code: int
) -> None:
    monkeypatch.setattr(module, "WITHIN_S", 2.0)
    monkeypatch.setattr(module.RunsInRequest, "_run", raising(InternalError("killed")))
    assert ask(Idempotency_Key="k")[0] == 500
    monkeypatch.undo()
    store, (key,) = wiring.current().blob_store(), begun()
    mark = json.loads(store.get(key))
    store.put(key, json.dumps({**mark, "until": mark["until"] - age}).encode())
    monkeypatch.setattr(module.RunsInRequest, "_is_reported", lambda self, run_id, until: False)
    assert ask(Idempotency_Key="k")[0] == code


@pytest.mark.usefixtures("verifier")
def test_a_check_whose_process_died_is_not_under_way_for_ever_and_can_be_deleted(
    entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.RunsInRequest, "_run", raising(InternalError("killed")))
    assert ask()[0] == 500
    entrance.give(runs=FakeRuns(), batch_runs=FakeRuns())
    store, (key,) = wiring.current().blob_store(), begun()
    run_id = key.split("/")[1]

    def of_the_run(method: str) -> tuple[int, Any]:
        answer = runtime.handle("api", a_request(method, f"/v1/checks/{run_id}"))
        return answer["statusCode"], json.loads(answer["body"])

    assert of_the_run("GET")[1]["status"] == "RUNNING"
    assert of_the_run("DELETE")[0] == 409
    store.put(key, json.dumps({**json.loads(store.get(key)), "until": time.time() - 1}).encode())
    status, found = of_the_run("GET")
    assert (status, found["status"], found["outcome"]) == (200, "TIMED_OUT", "error")
    assert of_the_run("DELETE")[0] == 200
    assert store.keys(f"runs/{run_id}") == []


def begun() -> list[str]:
    home = wiring.current().settings.home
    return [str(path.relative_to(home)) for path in (home / "runs").glob("*/begun.json")]


@pytest.mark.usefixtures("verifier")
def test_what_is_too_large_for_a_request_is_refused_with_what_to_do() -> None:
    status, body = ask({"text": "x" * 50_001})
    assert (status, body["code"], body["hint"]) == (413, "TooLargeError", "POST /v1/checks")
    assert "50001 characters" in body["message"]


@pytest.mark.usefixtures("verifier")
def test_sentences_one_by_one_are_not_promised() -> None:
    status, body = ask(Accept="text/event-stream")
    assert (status, body["code"]) == (400, "InputError")


def test_a_day_that_is_spent_refuses_the_check(entrance: Entrance, verifier: WordVerifier) -> None:
    entrance.change(budget_day=10)
    entrance.give(ledger=LocalLedger())
    answer = runtime.handle("check_now", a_request("POST", "/v1/checks:now", CHECK))
    assert answer["statusCode"] == 429
    assert int(answer["multiValueHeaders"]["Retry-After"][0]) > 0


class CountingLedger(LocalLedger):
    """What was asked of the counters, but for reading them; it takes nothing back where it is told so."""

    def __init__(self, *, takes_back: bool = True) -> None:
        super().__init__()
        self.asked: list[str] = []
        self._takes_back = takes_back

    def reserve(self, run_id: str, tokens: int, limit: int) -> bool:
        self.asked.append(f"reserve {run_id[:3]}")
        return super().reserve(run_id, tokens, limit)

    def settle(self, run_id: str, difference: int) -> None:
        self.asked.append(f"settle {run_id[:3]}")
        if not self._takes_back:
            raise StorageUnavailableError("no")
        super().settle(run_id, difference)


class Spending:
    """A model that answers in form, and says what that cost."""

    name = "m"

    def __init__(self, cost: int) -> None:
        self.cost = cost

    def complete(self, question: Question) -> Completion:
        answer = "LABEL: unsupported\nJUSTIFICATION: It does not say so.\nREASON: not_mentioned"
        return Completion(answer, "m", {"input": self.cost - 1, "output": 1})


def paid_from(entrance: Entrance, ledger: LocalLedger, cost: int = 100, **ceilings: int) -> None:
    entrance.change(model="openai:m", model_endpoint="http://127.0.0.1:9/v1", embedder="none", **ceilings)
    model = BudgetedModel(Spending(cost), ledger, ceilings=wiring.current().ceilings())
    entrance.give(verifier=ModelVerifier(model), ledger=ledger)


@pytest.mark.usefixtures("verifier")
def test_what_its_claims_may_cost_is_reserved_once_and_the_rest_given_back(entrance: Entrance) -> None:
    ledger = CountingLedger()
    paid_from(entrance, ledger, budget_tokens=10**6, budget_day=10**7)
    status, report = ask()
    assert (status, {claim["status"] for claim in report["claims"]}) == (200, {"unsupported"})
    assert ledger.asked == ["reserve now", "reserve day", "settle now", "settle day"]
    assert ledger.spent(report["run_id"]) == 3 * 100


@pytest.mark.usefixtures("verifier")
def test_a_budget_that_holds_some_of_its_claims_leaves_the_others_unchecked(entrance: Entrance) -> None:
    ledger = CountingLedger()
    paid_from(entrance, ledger, 700, budget_tokens=2_500, budget_stop=False)
    with recording() as figures:
        status, report = ask({"text": " ".join(FACTS)})
    said = [claim["justification"] for claim in report["claims"] if claim["status"] == "unchecked"]
    assert (status, set(said)) == (200, {BUDGET_REACHED})
    assert [figure.name for figure in figures].count("CeilingReached") == len(said)
    assert 0 < len(said) < len(FACTS)
    assert ledger.spent(report["run_id"]) == (len(FACTS) - len(said)) * 700


@pytest.mark.usefixtures("verifier")
def test_what_cannot_be_given_back_stays_counted_and_the_check_is_answered(entrance: Entrance) -> None:
    ledger = CountingLedger(takes_back=False)
    paid_from(entrance, ledger, budget_tokens=10**6)
    with recording() as figures:
        status, report = ask()
    assert (status, report["outcome"]) == (200, "block")
    assert [figure.name for figure in figures].count("StorageUnavailableError") == 1
    assert ledger.spent(report["run_id"]) > 3 * 100


@pytest.mark.usefixtures("verifier")
def test_a_run_that_fails_gives_back_what_it_held(entrance: Entrance, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = CountingLedger()
    paid_from(entrance, ledger, budget_day=10**7)
    monkeypatch.setattr("gate.agents.judge.judge", raising(InternalError("no")))
    runtime.agent_function.cache_clear()
    ask()
    runtime.agent_function.cache_clear()
    assert ledger.asked == ["reserve day", "settle day"]


def test_a_report_is_its_tenant_s_alone(entrance: Entrance, verifier: WordVerifier) -> None:
    entrance.change(tenant_claim="custom:tenant")
    status, report = ask(claims=TENANT)
    assert status == 200
    assert {claim["status"] for claim in report["claims"]} == {"unsupported"}, "the documents are nobody's"
    path = f"/v1/checks/{report['run_id']}/report"
    own, other = (
        runtime.handle("api", a_request("GET", path, claims=claims))["statusCode"]
        for claims in (TENANT, TENANT | {"custom:tenant": "blue"})
    )
    assert (own, other) == (200, 404)


def test_an_error_inside_is_counted_as_where_it_is_its_own_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "handle", raising(SearchUnavailableError("down")))
    with recording() as figures, pytest.raises(SearchUnavailableError):
        module.counting("retrieve_evidence", {})
    assert [figure.name for figure in figures] == ["SearchUnavailableError"]


def test_values_of_the_run_stay_in_memory_and_everything_else_is_stored(entrance: Entrance) -> None:
    behind = wiring.current().blob_store()
    later, value = Later(), f"runs/one/{'a' * 64}"
    store = HeldRun(behind, later)
    store.hold("one")
    store.put(value, b"1")
    assert (store.get(value), store.exists(value), behind.exists(value)) == (b"1", True, False)
    assert (store.find(value), store.find(f"runs/one/{'b' * 64}")) == (b"1", None)
    others = (f"runs/two/{'a' * 64}", "runs/one/input.json", "reports/one/report.json", f"cache/{'a' * 64}")
    for key in others:
        store.put(key, b"2")
        assert store.get(key) == b"2"
    later.end()
    for key in others:
        assert behind.get(key) == b"2"
    assert store.keys("runs/one") == ["runs/one/" + "a" * 64, "runs/one/input.json"]
    store.store()
    assert behind.get(value) == b"1"
    assert store.delete_prefix("runs/one") == 2
    assert not store.exists(value)


class Damaged(FolderBlobStore):
    """Does not take what `is_refused` says, and says so only when claims are judged."""

    def __init__(self, is_refused: Callable[[str, bytes], bool]) -> None:
        super().__init__(wiring.current().settings.home)
        self._is_refused, self.judged = is_refused, threading.Event()

    def put(self, key: str, data: bytes, *, content_type: str = "application/json") -> None:
        if key.startswith("runs/") and self._is_refused(key, data):
            assert self.judged.wait(10)
            raise StorageUnavailableError("S3 is away")
        super().put(key, data, content_type=content_type)


class Watched(WordVerifier):
    """Says that claims are judged."""

    def __init__(self, judged: threading.Event) -> None:
        self._judged = judged

    def judge(self, *asked: Any) -> Judged:
        self._judged.set()
        return super().judge(*asked)


SUBMITTED = "[0-9a-f]{64}"


@pytest.mark.parametrize("name", ["owner.json", SUBMITTED, "begun.json", "input.json"])
@pytest.mark.usefixtures("verifier")
def test_where_something_that_it_began_with_cannot_be_kept_nothing_is_decided(entrance: Entrance, name: str) -> None:
    entrance.change(ledger="local")
    store = Damaged(lambda key, _: bool(re.fullmatch(name, key.split("/")[2])))
    entrance.give(blob_store=store, verifier=Watched(store.judged))
    began = time.monotonic()
    status, body = ask()
    assert (status, body["code"], body["message"]) == (503, "StorageUnavailableError", "S3 is away")
    assert time.monotonic() - began < module.WITHIN_S / 4, "the machine does not wait and try again"
    trail = wiring.current().trail()
    assert trail is not None
    assert trail.names() == []
    assert not (wiring.current().settings.home / "reports").exists()


def test_an_id_that_two_requests_can_have_is_not_taken_for_one_s_own() -> None:
    caller = Caller("me", None)
    assert is_of_one_request(caller.run_id(None, "now"))
    for shared in (caller.run_id("k", "now"), caller.rerun_id(caller.run_id(None), "k")):
        assert not is_of_one_request(shared)


@pytest.mark.usefixtures("verifier")
def test_of_two_requests_at_once_only_that_one_fails_whose_data_cannot_be_kept(entrance: Entrance) -> None:
    store = Damaged(lambda key, data: b"Item 9" in data)
    entrance.give(blob_store=store, verifier=Watched(store.judged))
    here = wiring.current()

    def is_kept(at: int) -> bool:
        with wiring.entered(module.InRequest(here)):
            try:
                text = f"Item {9 if at % 2 else 1} weighs 3 grams."
                return submissions.start(f"now-{at:032x}", {"name": "answer.md", "text": text}, {})
            except StorageUnavailableError:
                return False

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(is_kept, range(8))) == [at % 2 == 0 for at in range(8)]


def raising(error: Exception) -> Callable[..., Mapping[str, Any]]:
    def fail(*_: Any, **__: Any) -> Mapping[str, Any]:
        raise error

    return fail


def test_nothing_that_outlives_a_request_holds_on_to_what_it_held(entrance: Entrance) -> None:
    entrance.change(model="openai:m", model_endpoint="http://127.0.0.1:9/v1", claims="model", verdict_cache=True)
    with wiring.entered(module.InRequest(wiring.current())):
        held = weakref.ref(wiring.current().blob_store())
        wiring.current().claim_reader()
        wiring.current().verifier("")
    gc.collect()
    assert held() is None
