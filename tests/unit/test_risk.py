"""The risk of an answer: what it is made of, what it decides, and what it never outvotes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.local_verifier import local_verifier
from gate.adapters.local_verifier.doubt import FEATURES, features, layer
from gate.adapters.local_verifier.lexical import FEATURES as COUNTED
from gate.adapters.local_verifier.lexical import Reading
from gate.decision.accounting import account
from gate.decision.policy import Facts, decide
from gate.decision.risk import blocking_doubt, risk_of, worst
from gate.model import BLOCK_DOUBT, BLOCK_RISK, NO_SUPPORT, OUTCOMES, REVIEW_RISK, Check, Policy
from gate.reports import render
from tests.availability import unavailable
from tests.builders import a_numbered_claim, a_verdict
from tests.report_builders import a_report

UNCHECKED: list[Any] = [a_verdict(9, "unsupported", reason="error", doubt=None)]
Doubts = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def verdicts(*doubts: float | None, label: str = "supported") -> list[Any]:
    return [a_verdict(number, label, doubt=doubt) for number, doubt in enumerate(doubts, start=1)]


def facts(found: list[Any]) -> Facts:
    claims: list[Any] = [a_numbered_claim(number) for number in range(1, len(found) + 1)]
    return Facts(*account(claims, found, errors={}, non_claims=0))


def outcome(found: list[Any], **policy: Any) -> tuple[str, list[str]]:
    decision = decide(facts(found), Policy.model_validate(policy))
    return decision["outcome"], [reason["rule"] for reason in decision["reasons"]]


@given(Doubts, st.data())
def test_more_doubt_about_a_claim_never_lowers_the_risk(doubts: list[float], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(doubts) - 1))
    more = [*doubts[:place], data.draw(st.floats(doubts[place], 1)), *doubts[place + 1 :]]
    assert (risk_of(verdicts(*more)) or 0) >= (risk_of(verdicts(*doubts)) or 0) - 1e-12


@given(Doubts, st.floats(0, 1))
def test_a_further_claim_never_lowers_the_risk_and_no_claim_is_riskier_than_its_answer(
    doubts: list[float], more: float
) -> None:
    risk = risk_of(verdicts(*doubts)) or 0
    assert max(doubts) - 1e-12 <= risk <= 1
    assert (risk_of(verdicts(*doubts, more)) or 0) >= risk - 1e-12


@given(Doubts, st.floats(0.01, 1))
def test_without_the_claims_that_are_named_the_risk_lies_below_the_threshold(doubts: list[float], below: float) -> None:
    found = verdicts(*doubts)
    named = worst(found, below)
    rest = [one for one in found if one["claim_id"] not in named]
    assert (risk_of(rest) or 0) < below + 1e-12
    assert bool(named) or (risk_of(found) or 0) < below + 1e-12


def test_there_is_no_risk_without_claims_or_where_a_claim_has_no_doubt() -> None:
    assert risk_of([]) is None
    assert risk_of(verdicts(0.1, None)) is None
    assert risk_of(UNCHECKED) is None


def test_an_unchecked_claim_leaves_the_risk_of_the_others() -> None:
    assert risk_of([*verdicts(0.1), *UNCHECKED]) == pytest.approx(0.1)


def test_by_default_the_risk_decides_and_not_the_labels() -> None:
    likely = {"supported": NO_SUPPORT, "weakly_supported": 0.2, "unsupported": 0.5}
    found = [a_verdict(1, "supported", doubt=0.0), a_verdict(2, "unsupported", doubt=REVIEW_RISK / 2, scores=likely)]
    assert outcome(found) == ("pass", [])
    assert outcome(verdicts((REVIEW_RISK + BLOCK_RISK) / 2)) == ("review", ["risk"])
    assert outcome(verdicts(BLOCK_RISK)) == ("block", ["risk"])


def test_an_answer_of_which_nothing_is_supported_never_passes_on_its_risk_alone() -> None:
    assert outcome(verdicts(0.01, label="unsupported")) == ("review", ["no_support"])
    assert outcome(verdicts(0.01, 0.01, label="unsupported"), unsupported="pass") == ("pass", ["unsupported"])


def test_a_plain_invention_beside_true_claims_is_reviewed_however_low_the_risk() -> None:
    unlikely = {"supported": NO_SUPPORT - 0.01, "weakly_supported": 0.2, "unsupported": 0.51}
    true = a_verdict(1, "supported", doubt=0.0)
    assert outcome([true, a_verdict(2, "unsupported", doubt=0.01, scores=unlikely)]) == ("review", ["no_support"])
    assert outcome([true, a_verdict(2, "weakly_supported", doubt=0.01, scores=unlikely)]) == ("pass", [])


def test_many_claims_of_a_little_doubt_are_a_risk_and_the_worst_are_named() -> None:
    decision = decide(facts(verdicts(*[0.02] * 30, 0.4)), Policy())
    assert decision["outcome"] == "block"
    assert decision["reasons"][0]["claims"][0] == "c0031"


def test_a_risk_of_many_small_doubts_alone_is_reviewed_and_blocked_only_where_a_policy_says_so() -> None:
    small = verdicts(*[BLOCK_DOUBT - 0.01] * 5)
    assert outcome(small) == ("review", ["risk"])
    assert outcome([*small, a_verdict(6, doubt=BLOCK_DOUBT)]) == ("block", ["risk"])
    assert outcome(small, block_risk=BLOCK_RISK) == ("block", ["risk"])
    assert "No claim alone" in decide(facts(small), Policy())["reasons"][0]["message"]


@pytest.mark.parametrize(("claims", "doubt"), [(1, 0.15), (7, 0.15), (10, 0.2), (16, 0.32), (20, 0.4), (90, 0.4)])
def test_the_more_claims_an_answer_has_the_more_doubtful_one_must_be_that_blocks_it(claims: int, doubt: float) -> None:
    others = verdicts(*[0.1] * (claims - 1))
    assert blocking_doubt(claims) == pytest.approx(doubt)
    if claims > 7:
        assert outcome([*others, a_verdict(claims, doubt=doubt + 0.01)])[0] == "block"
        assert outcome([*others, a_verdict(claims, doubt=doubt - 0.01)])[0] == "review"


def test_where_no_verdict_is_calibrated_the_labels_decide_as_they_did() -> None:
    assert outcome(verdicts(None, None)) == ("pass", [])
    assert outcome(verdicts(0.0, None, label="weakly_supported")) == ("review", ["weakly_supported"])
    assert outcome(verdicts(None, label="unsupported")) == ("block", ["unsupported"])


@pytest.mark.parametrize("key", ["unsupported", "weakly_supported"])
@pytest.mark.parametrize("said", OUTCOMES)
def test_a_policy_that_speaks_of_labels_is_asked_about_labels(key: str, said: str) -> None:
    assert outcome(verdicts(0.0, label=key), **{key: said}) == (said, [key])
    assert outcome(verdicts(1.0), **{key: said}) == ("pass", []), "its owner decides by labels, as before"


def test_a_share_of_claims_has_the_labels_decide_as_well() -> None:
    assert outcome(verdicts(0.9, 0.9, label="unsupported"), max_unsupported_share=1.0) == ("pass", [])
    assert outcome(verdicts(0.0, 0.0, label="unsupported"), max_weak_share=0.5) == ("block", ["unsupported"])


def test_labels_and_risk_decide_together_where_a_policy_names_both() -> None:
    assert outcome(verdicts(0.9), unsupported="block", block_risk=0.5) == ("block", ["risk"])
    assert outcome(verdicts(0.2), unsupported="block", review_risk=0.3, block_risk=0.5) == ("pass", [])


def test_thresholds_of_a_policy_take_the_place_of_the_defaults() -> None:
    assert outcome(verdicts(0.4), review_risk=0.5, block_risk=0.9) == ("pass", [])
    assert outcome(verdicts(0.0), review_risk=0.0) == ("review", ["risk"])


HARD: dict[str, tuple[dict[str, Any], str]] = {
    "a figure that differs": (
        {"checks": [{"name": "numbers", "passed": False, "detail": "not in the evidence: 7"}]},
        "failed_check",
    ),
    "a contradiction": ({"label": "unsupported", "reason": "contradicted"}, "contradicted"),
    "an unchecked claim": ({"label": "unsupported", "reason": "error"}, "unchecked"),
}


@pytest.mark.parametrize("what", HARD)
def test_no_risk_however_low_lets_a_hard_rule_go(what: str) -> None:
    fields, rule = HARD[what]
    found = [*verdicts(0.0), {**a_verdict(2, doubt=0.0), **fields}]
    said, rules = outcome(found)
    assert said != "pass"
    assert rule in rules


def test_text_that_was_not_read_never_passes_whatever_the_risk() -> None:
    known = facts(verdicts(0.0))
    unread = Facts(known.verdicts, known.accounting, parts_missed=True)
    assert decide(unread, Policy())["outcome"] == "review"


@given(Doubts, st.sampled_from(OUTCOMES), st.floats(0, 1), st.floats(0, 1))
def test_the_risk_makes_no_outcome_softer_than_the_hard_rules_have_it(
    doubts: list[float], hard: str, review: float, block: float
) -> None:
    found = verdicts(*doubts)
    found[0]["checks"] = [{"name": "numbers", "passed": False, "detail": ""}]
    said, _ = outcome(found, failed_check=hard, review_risk=review, block_risk=block)
    assert OUTCOMES.index(said) >= OUTCOMES.index(hard)


def a_reading(missing: float) -> Reading:
    counted = tuple(missing if name == "missing_share" else 0.0 for name in COUNTED)
    return Reading("", counted, (), (), (), (), None, (), (), lambda key: 1.0)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.booleans())
def test_a_claim_of_less_support_with_more_that_is_missing_is_never_less_doubtful(
    supported: float, less: float, missing: float, differs: bool
) -> None:
    def doubt(supported: float, missing: float, *checks: Check) -> float:
        scores: Any = {"supported": supported, "weakly_supported": 0.0, "unsupported": 1 - supported}
        label: Any = "supported" if supported > 1 - supported else "unsupported"
        return layer().chance(features(a_reading(missing), label, scores, checks))

    check = Check(name="numbers", passed=not differs, detail="")
    assert doubt(supported * less, missing, check) >= doubt(supported, missing * less) - 1e-12


def test_no_feature_lowers_the_doubt() -> None:
    assert len(layer().weights) == len(FEATURES)
    assert all(weight >= 0 for weight in layer().weights)


def test_the_verifier_doubts_what_its_evidence_does_not_have() -> None:
    if local_verifier().judge("A.", "", []).doubt is None:
        unavailable("without the cross-encoder no doubt is calibrated")
    document: Any = {"content": "Refunds are paid within 14 days of the return. Shipping to Norway costs 9 euros."}
    said = local_verifier().judge("Refunds are paid within 14 days of the return.", "", [document])
    invented = local_verifier().judge("The founder collects rare stamps from Peru and Bolivia.", "", [document])
    assert said.doubt is not None
    assert invented.doubt is not None
    assert said.doubt < invented.doubt / 5


def test_a_verifier_that_was_not_calibrated_on_answers_tells_no_doubt() -> None:
    document: Any = {"content": "Refunds take 14 days."}
    assert local_verifier("article").judge("Refunds take 14 days.", "", [document]).doubt is None


@pytest.mark.parametrize("name", ["table", "html", "markdown"])
def test_reports_tell_the_risk_or_that_there_is_none(name: str) -> None:
    report = a_report()
    assert "labels decide" in render(report, name).data.decode()
    assert "is unsupported: 23 %" in render(report.model_copy(update={"risk": 0.234}), name).data.decode()
    assert json.loads(render(report, "json").data)["risk"] is None
