"""A run waits for a person on the committed definition: whatever they do, or do not, is accounted, and nothing passes
because nobody answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from threading import Thread
from time import monotonic, sleep
from typing import Any

import pytest

from gate import runtime, wiring
from gate.errors import (
    ConflictError,
    EventsUnavailableError,
    ExpiredError,
    InputError,
    InternalError,
    StorageUnavailableError,
)
from gate.local.run import LocalRun, resume_locally
from gate.local.task_tokens import TaskTokens
from gate.model import Policy
from gate.reports import render
from gate.reports.model import Report
from gate.services.audit_log import recording
from gate.services.reviews import deciding
from gate.services.reviews.deciding import assign, decide, labels_key, refuse
from gate.services.reviews.review_queue import NoReviewError, concluded, found, moment, waiting
from gate.services.trail.proofs import stored_report, story
from gate.trail.review_items import ClaimMark, PersonDecision, ReviewItem
from tests.entrance import Entrance
from tests.report_builders import a_state

SENTENCES = (("The sky is blue.", "supported"), ("Whales sing.", "unsupported"))
UNTOLD = (("The sky is blue.", "supported"), ("Whales sing.", "unchecked"))
OBJECTED = {"outcome": "review", "claims": ["c0002"], "evidence": [], "rule": "no_support", "message": "1 claim …"}
DECISION = {"outcome": "review", "reasons": [OBJECTED], "policy": {"name": "default", "version": "1"}}


class Loop:
    """A run that waits, in a thread of its own, and the people who decide."""

    def __init__(self) -> None:
        self.tokens = TaskTokens()
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.is_heard = True

    def answer(self, token: str) -> bool:
        return self.tokens.answer(token)

    def send(self, kind: str, detail: Mapping[str, Any]) -> None:
        if not self.is_heard:
            raise EventsUnavailableError("the event bus failed")
        self.events.append((kind, dict(detail)))

    def ask(
        self,
        *,
        limit_s: int = 60,
        sentences: Any = SENTENCES,
        invoke: Any = runtime.handle,
        caller: str = "",
        **policy: Any,
    ) -> Any:
        """Begin to wait; gives what becomes of the run."""
        state = a_state(sentences)
        if sentences is not UNTOLD:
            state["decision"] = DECISION
        state["policy"] = Policy(review_hours=1, **policy).model_dump()
        state["review"] = {"wanted": True, "limit_s": limit_s}
        state["config"] |= {"search": {"tenant": "red"}, "caller": caller}
        return self.again(state, invoke)

    def ask_and_die(self) -> dict[str, Any]:
        """Begin to wait, and stop; gives the state that a redrive begins with."""
        kept: dict[str, Any] = {}

        def noting(name: str, event: Mapping[str, Any]) -> Mapping[str, Any]:
            kept.update(event["state"])
            return runtime.handle(name, event)

        self.ask(invoke=noting)
        (dead,) = self.tokens.waiting()
        assert self.tokens.close(dead)
        return kept

    def again(self, state: dict[str, Any], invoke: Any = runtime.handle) -> Future[LocalRun]:
        future: Future[LocalRun] = Future()

        def run() -> None:
            future.set_result(resume_locally("a-run", state, invoke=invoke, tokens=self.tokens))

        before = len(self.tokens.waiting())
        Thread(target=copy_context().run, args=(run,), daemon=True).start()  # of a run that dies nothing is waited for
        until = monotonic() + 20
        while not future.done() and len(self.tokens.waiting()) == before:
            assert monotonic() < until
            sleep(0.01)
        item = found("a-run")
        while not future.done() and (item is None or item.token not in self.tokens.waiting()):
            sleep(0.01)
            item = found("a-run")
        return future


@pytest.fixture
def loop(entrance: Entrance) -> Loop:
    entrance.change(ledger="local")
    made = Loop()
    entrance.give(runs=made, event_bus=made)
    return made


def the_report() -> Report:
    data = stored_report("a-run")
    assert data is not None
    return Report.model_validate_json(data)


def steps() -> list[str]:
    """What the ledger has of the run, in order."""
    told = story("a-run")
    assert told.holds
    return [
        str(entry.facts.get("step") or entry.facts.get("outcome")) for entry in told.entries if entry.kind != "policy"
    ]


def decided(reviewer: str, outcome: Any = "pass", comment: str = "", **more: Any) -> ReviewItem:
    return decide("a-run", "red", reviewer, outcome, comment, **more).item


def test_a_reviewer_reads_the_report_while_the_run_waits_and_passes_it(loop: Loop) -> None:
    run = loop.ask(sentences=UNTOLD)
    before = the_report()
    assert (before.outcome, before.review and before.review.state) == ("review", "waiting")
    assert [item.run for item in waiting("red")] == ["a-run"]
    decided("ann", comment="I looked it up.")
    assert run.result(20).status == "SUCCEEDED"
    after = the_report()
    assert after.outcome == "pass"
    assert after.review is not None
    assert (after.review.gate, after.review.state, after.review.outcome) == ("review", "decided", "pass")
    (who,) = after.review.decisions
    assert (who.reviewer, who.comment, who.overrules) == ("ann", "I looked it up.", False)
    for form in ("html", "markdown", "table"):
        shown = render(after, form).data.decode()
        assert all(part in shown for part in ("ann", "looked it up", "own outcome")), form
    assert steps() == ["review", "requested", "approved", "pass"]
    assert waiting("red") == []
    assert [kind for kind, _ in loop.events] == ["ReviewRequested", "CheckCompleted"]
    assert loop.events[1][1]["review"]["decisions"][0]["reviewer"] == "ann"
    assert "I looked it up" not in json.dumps(loop.events), "events hold no text"


def test_what_people_say_of_verdicts_is_counted_together_and_by_reason_once_the_run_goes_on(loop: Loop) -> None:
    with recording() as figures:
        run = loop.ask(four_eyes=True, sentences=(*UNTOLD, ("Ice is cold.", "supported"), ("Fish fly.", "unsupported")))
        given = {claim.claim_id: (str(claim.status), str(claim.reason)) for claim in the_report().claims}
        marks = {claim: "unsupported" if said == "supported" else "supported" for claim, (said, _) in given.items()}
        decided("ann", comment="All of it is wrong.", marks=marks)
        first = next(iter(marks))
        decided("bob", comment="Not that one.", marks={first: "right"})
        run.result(20)
    counted = {(one.name, one.labels.get("reason", "")): one.value for one in figures}
    assert counted["VerdictsMarkedTwice", ""] == counted["ReviewersDiffer", ""] == 1
    wrong = {claim: said for claim, said in given.items() if claim != first and said[0] != "unchecked"}
    assert counted["FalseAlarms", ""] == sum(said != "supported" for said, _ in wrong.values()) > 0
    assert counted["Misses", ""] == sum(said == "supported" for said, _ in wrong.values()) > 0
    assert counted["VerdictsMarked", ""] == sum(said != "unchecked" for said, _ in given.values())
    for reason in {reason for _, reason in wrong.values()}:
        of_reason = [said for said, why in wrong.values() if why == reason]
        assert counted["FalseAlarms", reason] == sum(said != "supported" for said in of_reason)


def test_a_block_needs_no_comment_and_blocks(loop: Loop) -> None:
    run = loop.ask()
    decided("ann", "block")
    run.result(20)
    assert the_report().outcome == "block"
    assert steps()[-2:] == ["blocked", "block"]


def test_who_overrules_the_gate_says_why(loop: Loop) -> None:
    run = loop.ask()
    with pytest.raises(InputError, match="a comment is needed"):
        decided("ann", comment="  ")
    assert steps() == ["review", "requested"], "what is refused changes nothing"
    decided("ann", comment="The corpus is behind.")
    run.result(20)
    assert the_report().outcome == "pass"
    assert steps()[-2:] == ["overruled", "pass"]


def test_marks_are_kept_as_labelled_rows_beside_the_report(loop: Loop) -> None:
    run = loop.ask()
    with pytest.raises(InputError, match="no claim of that id"):
        decided("ann", "block", marks={"c0009": "right"})
    with pytest.raises(InputError, match="no label"):
        decided("ann", "block", marks={"c0001": "wrong"})
    decided("ann", "block", "It is grey.", marks={"c0001": "unsupported", "c0002": "right"})
    run.result(20)
    assert the_report().marks == {"c0001": "unsupported", "c0002": "unsupported"}
    rows = [json.loads(line) for line in wiring.current().blob_store().get(labels_key("a-run")).splitlines()]
    assert [(row["given"], row["label"], row["reviewer"], row["comment"]) for row in rows] == [
        ("supported", "unsupported", "ann", "It is grey."),
        ("unsupported", "unsupported", "ann", "It is grey."),
    ]
    assert (rows[0]["claim"], bool(rows[0]["documents"]), rows[0]["run"]) == ("The sky is blue.", True, "a-run")
    assert steps()[-2] == "overruled", "another label than the gate's overrules it"


def test_marks_of_two_who_decide_at_once_are_both_kept(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    run = loop.ask(four_eyes=True)
    keep, beside = deciding._keep_labels, [lambda: decided("ben", "block", marks={"c0002": "right"})]

    def keep_late(report: Report, item: ReviewItem) -> None:
        if beside:
            beside.pop()()
        keep(report, item)

    monkeypatch.setattr(deciding, "_keep_labels", keep_late)
    decided("ann", comment="It is grey.", marks={"c0001": "unsupported"})
    run.result(20)
    rows = [json.loads(line) for line in wiring.current().blob_store().get(labels_key("a-run")).splitlines()]
    assert {(row["reviewer"], row["claim_id"]) for row in rows} == {("ann", "c0001"), ("ben", "c0002")}


@pytest.mark.parametrize("fallback", ["review", "block"])
def test_where_nobody_answers_in_time_the_policy_s_fallback_holds_and_never_a_pass(loop: Loop, fallback: str) -> None:
    run = loop.ask(limit_s=1, review_fallback=fallback)
    assert run.result(20).status == "SUCCEEDED"
    report = the_report()
    assert report.outcome == fallback
    assert report.review is not None
    assert (report.review.state, report.review.decisions) == ("timed_out", ())
    assert steps() == ["review", "requested", "timed_out", fallback]


def test_an_answer_after_the_limit_is_refused_in_one_line_and_changes_nothing(loop: Loop) -> None:
    loop.ask(limit_s=1).result(20)
    before = stored_report("a-run")
    with pytest.raises(ExpiredError, match=r"its time was over .*; nothing has changed"):
        decided("ann", comment="Sorry.")
    assert stored_report("a-run") == before
    assert steps()[-1] == "late"


def test_a_second_decision_is_told_who_made_the_first(loop: Loop) -> None:
    loop.ask()
    decided("ann", "block")
    with pytest.raises(ExpiredError, match=r"it was decided \(block\) by ann; nothing has changed"):
        decided("bob", comment="No.")


def test_with_four_eyes_two_people_must_agree_before_it_passes(loop: Loop) -> None:
    run = loop.ask(four_eyes=True)
    assert decided("ann", comment="Fine.").state == "waiting"
    with pytest.raises(ConflictError, match="ann has decided already"):
        decided("ann", comment="Fine, again.")
    assert not run.done()
    decided("bob", comment="Fine with me.")
    run.result(20)
    assert the_report().outcome == "pass"
    assert steps()[-3:] == ["overruled", "overruled", "pass"]


def test_with_four_eyes_nobody_passes_what_they_submitted_themselves(loop: Loop) -> None:
    run = loop.ask(four_eyes=True, caller="ann")
    with pytest.raises(ConflictError, match="submitted"):
        decided("ann", comment="It is mine, and fine.")
    assert steps() == ["review", "requested", "refused"]
    decided("ann", "block")
    run.result(20)
    assert the_report().outcome == "block", "who withdraws their own answer may"


def an_item_with_marks(count: int) -> ReviewItem:
    """A review in which somebody has marked so many claims, and said why at length."""
    who, at = "arn:aws:sts::123456789012:assumed-role/reviewers/ann", moment()
    marks = (
        ClaimMark(
            run=f"api-{1:040}",
            claim_id=f"c{number:04}",
            given="weakly_supported",
            label="weakly_supported",
            reviewer=who,
            at=at,
        )
        for number in range(count)
    )
    item = ReviewItem(run=f"api-{1:040}", since=at, until=at, reasons=(), token="t" * 800)
    said = PersonDecision(reviewer=who, outcome="block", comment="ü" * 2_000, overrules=True, at=at)
    return item.decided_by(said, tuple(marks))


def test_marks_of_hundreds_of_claims_fit_into_an_item_of_the_table() -> None:
    """One of DynamoDB has 400 KiB."""
    assert len(an_item_with_marks(1_000).model_dump_json().encode()) < 300_000


def test_more_marks_than_an_item_of_the_table_holds_are_refused() -> None:
    with pytest.raises(InputError, match="more marks"):
        an_item_with_marks(2_000)


@pytest.mark.parametrize("name", ["bob\nnobody decided in time: block", "\x1b[2J", "\udce9", "b" * 1_001])
def test_who_is_to_look_has_a_name_that_can_be_read(loop: Loop, name: str) -> None:
    loop.ask()
    with pytest.raises(InputError):
        assign("a-run", "red", name, "ann")
    assert steps() == ["review", "requested"]
    assert assign("a-run", "red", "", "ann").assignee == ""
    decided("ann", "block")


@pytest.mark.parametrize("same", [" ann", "Ann", "\uff41nn", "a\u200bnn", "ann\u00ad", "ann\ufeff "])
def test_one_person_under_two_spellings_is_no_four_eyes(loop: Loop, same: str) -> None:
    loop.ask(four_eyes=True)
    decided("ann", comment="Fine.")
    with pytest.raises(ConflictError, match="has decided already"):
        decided(same, comment="Fine with me too.")
    assert steps()[-1] == "overruled"
    decided("bob", "block")


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "a" * 1_001, "ann\ndecided: pass", "\x1b[2Jann", "\udce9"])
def test_a_reviewer_gives_a_name_that_can_be_read(loop: Loop, name: str) -> None:
    loop.ask()
    with pytest.raises(InputError):
        decided(name, "block")
    assert steps() == ["review", "requested"]
    decided("ann", "block")


def test_a_mark_without_a_label_and_a_comment_that_is_no_text_are_refused(loop: Loop) -> None:
    loop.ask()
    with pytest.raises(InputError, match="no label"):
        decided("ann", "block", "No.", marks={"c0001": ""})
    with pytest.raises(InputError, match="no text"):
        decided("ann", "block", "caf\udce9")
    assert steps() == ["review", "requested"]
    decided("ann", "block")


def test_with_four_eyes_a_disagreement_ends_with_the_stricter(loop: Loop) -> None:
    run = loop.ask(four_eyes=True)
    decided("ann", comment="Fine.")
    decided("bob", "block")
    run.result(20)
    assert the_report().outcome == "block"


def test_one_of_four_eyes_alone_passes_nothing_when_the_time_is_over(loop: Loop) -> None:
    run = loop.ask(limit_s=2, four_eyes=True)
    decided("ann", comment="Fine.")
    run.result(20)
    report = the_report()
    assert report.outcome == "review"
    assert report.review is not None
    assert [one.reviewer for one in report.review.decisions] == ["ann"]


def test_another_tenant_s_review_is_not_there_and_a_refused_reviewer_is_on_record(loop: Loop) -> None:
    loop.ask()
    assert waiting("blue") == []
    with pytest.raises(NoReviewError):
        decide("a-run", "blue", "eve", "pass", "Mine.")
    with pytest.raises(NoReviewError):
        refuse("a-run", "blue", "eve")
    refuse("a-run", "red", "mallory")
    assert steps() == ["review", "requested", "refused"]
    decided("ann", "block")


def test_a_run_that_died_while_it_waited_is_gone_on_with_by_what_was_decided_meanwhile(loop: Loop) -> None:
    """Its token is gone: the decision is kept, the redriven run asks nobody twice."""
    kept = loop.ask_and_die()
    assert not decide("a-run", "red", "ann", "pass", "Fine.").goes_on
    assert the_report().review is not None, "the report still says that it waits"
    assert loop.again(kept).result(20).status == "SUCCEEDED"
    assert the_report().outcome == "pass"
    assert steps() == ["review", "requested", "overruled", "pass"]


def test_a_run_that_was_stopped_and_is_redriven_shows_what_is_to_be_decided_again(loop: Loop) -> None:
    kept = loop.ask_and_die()
    runtime.handle("publish_failure", {"run_id": "a-run", "state": {"config": {}, "failure": {"status": "ABORTED"}}})
    assert the_report().outcome == "error"
    with pytest.raises(InputError, match="its run has failed"):
        decided("ann", comment="Fine.")
    run = loop.again(kept)
    assert [claim.claim_id for claim in the_report().claims] == ["c0001", "c0002"], "a reviewer reads what is to pass"
    decided("ann", comment="Fine.", marks={"c0001": "right"})
    run.result(20)
    assert the_report().outcome == "pass"


def test_a_redriven_run_that_nobody_has_decided_waits_again_under_its_new_token(loop: Loop) -> None:
    kept = loop.ask_and_die()
    run = loop.again(kept)
    assert steps() == ["review", "requested"], "it was asked once"
    assert decide("a-run", "red", "ann", "block").goes_on
    run.result(20)
    assert the_report().outcome == "block"


def test_what_goes_on_without_an_answer_is_over_and_does_not_pass(loop: Loop) -> None:
    run = loop.ask()
    item = found("a-run")
    assert item is not None
    loop.answer(item.token)
    run.result(20)
    assert the_report().outcome == "review"
    assert steps()[-2:] == ["timed_out", "review"]


def test_a_review_that_is_gone_while_its_run_waits_is_one_that_nobody_decided(loop: Loop) -> None:
    run = loop.ask(review_fallback="block")
    item = found("a-run")
    assert item is not None
    wiring.current().reviews().forget("a-run")
    loop.answer(item.token)
    run.result(20)
    report = the_report()
    assert (report.outcome, report.review and report.review.state) == ("block", "timed_out")


def test_a_review_that_nobody_can_be_told_of_waits_all_the_same(loop: Loop) -> None:
    loop.is_heard = False
    run = loop.ask()
    until = monotonic() + 20
    while "unannounced" not in steps():
        assert monotonic() < until
        sleep(0.01)
    assert not run.done()
    loop.is_heard = True
    decided("ann", "block")
    run.result(20)
    assert the_report().outcome == "block"


def test_a_report_that_cannot_be_published_fails_the_run_and_asks_nobody(loop: Loop, entrance: Entrance) -> None:
    class Full:
        def put(self, *_: Any, **__: Any) -> bool:
            raise InternalError("no room")

        def get(self, run: str) -> None:
            return None

    entrance.give(reviews=Full())
    run = loop.ask()
    assert run.result(20).status == "FAILED"


def test_two_who_decide_at_once_are_counted_once_each(loop: Loop) -> None:
    run = loop.ask(four_eyes=True)
    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(copy_context().run, decided, name, "pass", "Fine.") for name in ("ann", "bob")]
        states = sorted(one.result().state for one in both)
    assert states == ["decided", "waiting"]
    run.result(20)
    assert the_report().outcome == "pass"


def test_a_review_that_was_never_asked_for_is_none() -> None:
    assert concluded("nobody") is None


def test_a_ledger_that_cannot_be_written_stops_the_decision(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    loop.ask()
    with monkeypatch.context() as patch:
        patch.setattr("gate.services.trail.acts.ATTEMPTS", 0)
        with pytest.raises(StorageUnavailableError):
            decided("ann", "block")
    item = found("a-run")
    assert item is not None
    assert item.decisions == ()
    decided("ann", "block")
