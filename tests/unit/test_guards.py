"""A guard keeps `supported` from being said of a claim whose amount, denial or pairing of names differs."""

from __future__ import annotations

import pytest

from gate import wiring
from gate.adapters import local_verifier
from gate.adapters.local_verifier import LocalVerifier, lexicon
from gate.agents.verify_claims import verify_claims
from gate.rules import checks
from gate.rules.checks import run_checks
from gate.rules.fencing import fence
from gate.rules.guards import stopped
from gate.rules.verdict_parsing import parse_answer

CARRIERS = "In Ruritania it is handed to Falken, in Borduria and Syldavia to Courierex, and in Grand Fenwick to Bolt."


def guard_of(claim, *documents):
    stop = stopped(claim, documents, lexicon().read(claim, list(documents)))
    return stop and stop.guard


@pytest.mark.parametrize(
    ("claim", "evidence", "guard"),
    [
        ("The fee is paid in four instalments.", "The fee is paid in three instalments.", "amount"),
        ("The office closed on 15 January.", "The office closed on 31 January.", "amount"),
        ("The lid is dishwasher safe.", "The lid is not dishwasher safe.", "denial"),
        ("The lid is not dishwasher safe.", "The lid is dishwasher safe.", "denial"),
        ("In Ruritania the parcel is delivered by Courierex.", CARRIERS, "names"),
        ("In Ruritania the parcel is delivered by Falken.", CARRIERS, None),
        ("Courierex delivers in Borduria and Syldavia.", CARRIERS, None),
        ("Ring PHONE-9002 for help.", "For help ring PHONE-9001.", "pseudonym"),
        ("Ring PHONE-9001 for help.", "For help ring PHONE-9001.", None),
        ("The fee is paid in three instalments.", "The fee is paid in three instalments.", None),
        ("You are not charged until it ships.", "You are charged only when it ships.", None),
        ("Visa, Courierex and Bolt are partners.", "Our partners are Visa, Bolt and Courierex.", None),
    ],
)
def test_a_guard_objects_to_what_differs_and_to_nothing_else(claim, evidence, guard):
    assert guard_of(claim, evidence) == guard


def test_without_evidence_no_guard_has_anything_to_say():
    assert guard_of("The lid is safe.") is None


def test_a_stopped_claim_is_unsupported_says_why_and_keeps_its_probabilities():
    evidence = "The annual fee of the garden club is paid in three monthly instalments."
    prompt = fence("The annual fee of the garden club is paid in four monthly instalments.", [{"content": evidence}])
    answer = parse_answer(LocalVerifier().complete(prompt))
    assert answer.label != "supported"
    plain = parse_answer(LocalVerifier("article").complete(prompt))
    assert sum(plain.scores.values()) == pytest.approx(1, abs=0.01)


def test_a_guard_never_makes_a_verdict_milder():
    claim, evidence = "The club was founded by 300 astronauts in 1830.", "The garden club meets on Sundays."
    answer = parse_answer(LocalVerifier().complete(fence(claim, [{"content": evidence}])))
    assert answer.label == "unsupported"


def test_guards_are_asked_only_where_a_verdict_could_become_stricter(monkeypatch):
    asked = []
    monkeypatch.setattr(local_verifier, "stopped", lambda claim, texts, reading: asked.append(claim))
    evidence = "The annual fee of the garden club is paid in three monthly instalments."
    for claim in (evidence, "The club was founded by astronauts in a submarine."):
        LocalVerifier().complete(fence(claim, [{"content": evidence}]))
    assert asked == [evidence]


def test_what_a_guard_compares_is_not_compared_again_for_the_verdict():
    evidence = "The annual fee of the reading club is paid in three monthly instalments."
    wiring.configure(wiring.settings().model_copy(update={"model": "local:lexical"}))
    before = checks._run_checks.cache_info().misses
    entry = {"claim": {"text": evidence, "claim_id": "c0001"}, "documents": [{"id": "d", "content": evidence}]}
    state = {"evidence": [entry]}
    verify_claims(state)
    [verdict] = state["verdicts"]
    assert (verdict["label"], verdict["checks"]) == ("supported", [{"name": "numbers", "passed": True, "detail": ""}])
    assert checks._run_checks.cache_info().misses == before + 1


def test_the_checks_of_one_verdict_are_not_those_of_another():
    first, second = (run_checks("It has 7 rooms.", ["It has 7 rooms."]) for _ in range(2))
    first[0]["detail"] = "changed"
    assert second[0]["detail"] == ""
