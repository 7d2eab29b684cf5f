"""The judge gives every claim one verdict and decides by the policy; "could not tell" never opens the gate."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any, TypeAlias

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gate.agents.judge import judge
from gate.catalogue import SOURCES
from gate.decision.policy_document import policy_of
from gate.errors import InputError, SettingsError, UnreachableError
from gate.model import Policy
from gate.services.audit_log import recording
from tests.builders import a_numbered_claim, a_verdict

State: TypeAlias = dict[str, Any]


def a_run(
    labels: Sequence[str], *, policy: dict[str, Any] | None = None, error: int | None = None, **state: Any
) -> State:
    """State as it reaches the judge: one claim a branch."""
    claims = [a_numbered_claim(number) for number in range(1, len(labels) + 1)]
    checked: list[State] = [
        {"branch": at, "verdicts": [a_verdict(at + 1, label)], "evidence": [], "ranking": [], "error": None}
        for at, label in enumerate(labels)
    ]
    if error is not None:
        checked[error] = {
            "branch": error,
            "verdicts": [],
            "evidence": [],
            "ranking": [],
            "error": "ModelThrottledError",
        }
    return {"claims": claims, "non_claims": [], "checked": checked, "policy": policy or {}, **state}


def judged(state: State) -> State:
    judge(state)
    return state


def rules(state: State) -> list[str]:
    return [reason["rule"] for reason in state["decision"]["reasons"]]


def test_a_repository_that_the_answer_brings_along_vouches_for_no_name_of_it() -> None:
    mention = {"kind": "name", "tier": "ignore", "document": "turn 0", "target": "plume serve"}
    seen = {"evidence_id": "d1", "evidence_class": "NAME_MENTION", "found": True, "location": "turn 0", "rationale": ""}
    state = a_run(["unsupported"])
    state["claims"][0] |= {"kind": "name", "turn": 0, "text": "plume serve"}
    verdict = state["checked"][0]["verdicts"][0]
    verdict |= {"claim": "plume serve", "reason": "not_mentioned"}
    state["evidences"] = {"repo": [], "docs": [{**seen, "mention": mention}], "vision": []}
    for own, label in ((False, "unsupported"), (True, "supported")):
        state["has"] = {**state.get("has", {}), "own_repository": own}
        assert judged(copy.deepcopy(state))["verdicts"][0]["label"] == label


def test_a_name_whose_words_the_documents_name_apart_is_supported_where_the_operators_repository_has_it() -> None:
    mention = {"kind": "name", "tier": "ignore", "document": "turn 0", "target": "plume serve"}
    seen = {"evidence_id": "d1", "evidence_class": "NAME_MENTION", "found": True, "location": "turn 0", "rationale": ""}
    state = a_run(["weakly_supported"], has={"own_repository": True})
    state["claims"][0] |= {"kind": "name", "turn": 0, "text": "plume serve"}
    check = {"name": "names", "passed": False, "detail": "its words stand apart"}
    state["checked"][0]["verdicts"][0] |= {"claim": "plume serve", "reason": "partial", "checks": [check]}
    missing: State = {"repo": [], "docs": [], "vision": []}
    assert judged({**copy.deepcopy(state), "evidences": missing})["decision"]["outcome"] == "review"
    found = {**missing, "docs": [{**seen, "mention": mention}]}
    (verdict,) = judged({**state, "evidences": found})["verdicts"]
    assert (verdict["label"], verdict["checks"]) == ("supported", [])


def test_an_answer_whose_claims_are_all_supported_passes() -> None:
    state = judged(a_run(["supported"] * 3))
    assert state["decision"] == {
        "outcome": "pass",
        "reasons": [],
        "policy": {"name": "default", "version": "1", "combine": "strict"},
    }
    assert state["accounting"]["grounding"] == 1.0


@pytest.mark.parametrize("combine", ["strict", "majority", "soft"])
def test_an_answer_with_a_part_that_could_not_be_read_never_passes(combine: str) -> None:
    state = judged(a_run(["supported"] * 3, policy={"combine": combine}, has={"unread": True}))
    assert state["decision"]["outcome"] == "review"
    assert rules(state) == ["unread"]


@pytest.mark.parametrize("combine", ["strict", "majority", "soft"])
def test_an_answer_with_text_that_nobody_read_never_passes(combine: str) -> None:
    reading = {"characters": 200, "claims": 190, "marks": 0, "set_aside": {"code": 7, "greeting": 3}, "unread": 7}
    state = judged(a_run(["supported"] * 3, policy={"combine": combine}, reading=reading))
    assert (state["decision"]["outcome"], rules(state)) == ("review", ["unread"])
    assert state["decision"]["reasons"][0]["message"].startswith("3.5% of the answer was not read")
    assert state["accounting"]["reading"] == reading
    empty = {**reading, "set_aside": {"greeting": 10}, "unread": 0}
    assert judged(a_run(["supported"], reading=empty))["decision"]["outcome"] == "pass"


@pytest.mark.parametrize(
    ("label", "outcome", "rule"),
    [("weakly_supported", "review", "weakly_supported"), ("unsupported", "block", "unsupported")],
)
def test_a_claim_without_full_support_is_named_in_the_reason(label: str, outcome: str, rule: Any) -> None:
    state = judged(a_run(["supported", label]))
    assert state["decision"]["outcome"] == outcome
    assert state["decision"]["reasons"][0]["rule"] == rule
    assert state["decision"]["reasons"][0]["claims"] == ["c0002"]


def test_a_branch_that_ended_in_an_error_leaves_an_unchecked_claim_in_every_denominator() -> None:
    state = judged(a_run(["supported"] * 4, error=2))
    assert state["decision"]["outcome"] == "review"
    assert state["verdicts"][2]["reason"] == "error"
    assert state["accounting"] | {"problems": []} == {
        "claims": 4,
        "verdicts": 3,
        "unchecked": 1,
        "non_claims": 0,
        "sentences": 4,
        "labels": {"supported": 3, "weakly_supported": 0, "unsupported": 0},
        "grounding": 0.75,
        "integrity": "SUCCESS",
        "problems": [],
        "unchecked_claims": ["c0003"],
    }


def test_an_unchecked_claim_says_why_its_branch_failed() -> None:
    state = a_run(["supported"] * 2, error=1)
    state["checked"][1]["why"] = "bedrock:m is throttled (429)"
    assert "(ModelThrottledError: bedrock:m is throttled (429))" in judged(state)["verdicts"][1]["justification"]
    state = a_run(["supported"] * 2, error=1)
    state["checked"][1]["error"] = "States.Timeout"
    assert "(States.Timeout: no answer in time)" in judged(state)["verdicts"][1]["justification"]


def failing(labels: list[str], *errors: str) -> State:
    """A run whose first branches ended in these errors."""
    state = a_run(labels)
    for branch, error in zip(state["checked"], errors, strict=False):
        branch.update(verdicts=[], error=error, why=f"{error} at work; mend it")
    return state


def test_an_error_of_the_settings_on_every_claim_is_a_failed_run_that_says_it() -> None:
    with pytest.raises(SettingsError, match="no claim could be checked: SettingsError at work; mend it"):
        judge(failing(["supported"] * 2, "SettingsError", "RequestRefusedError"))


@pytest.mark.parametrize("errors", [["UnreachableError"] * 2, ["TooSlowError", "UnreachableError"]])
def test_a_service_that_answered_for_no_claim_is_a_failed_run_that_says_it(errors: list[str]) -> None:
    with pytest.raises(UnreachableError, match=f"no claim could be checked: {errors[0]} at work; mend it"):
        judge(failing(["supported"] * 2, *errors))


def test_a_claim_without_evidence_does_not_hide_that_no_other_could_be_checked() -> None:
    state = failing(["supported"] * 2, "SettingsError")
    state["checked"][1]["verdicts"] = [a_verdict(2, "unsupported", reason="no_evidence")]
    with pytest.raises(SettingsError):
        judge(state)


@pytest.mark.parametrize("errors", [["SettingsError"], ["SettingsError", "ModelThrottledError"], ["InternalError"] * 2])
def test_a_run_in_which_something_was_checked_or_something_else_failed_reaches_a_decision(errors: list[str]) -> None:
    assert judged(failing(["supported"] * 2, *errors))["decision"]["outcome"] == "review"


def test_an_unreadable_answer_counts_as_unchecked_and_not_as_unsupported() -> None:
    state = a_run(["supported"])
    state["checked"][0]["verdicts"] = [a_verdict(1, "unsupported", reason="unreadable_answer")]
    assert rules(judged(state)) == ["unchecked"]
    assert state["accounting"]["labels"]["unsupported"] == 0


def test_text_without_claims_is_said_and_reviewed() -> None:
    state = judged(a_run([]) | {"non_claims": [{}, {}]})
    assert state["decision"]["outcome"] == "review"
    assert state["decision"]["reasons"][0]["message"] == "The answer states nothing that can be checked (2 sentences)."
    assert state["accounting"]["grounding"] is None


def test_a_failed_check_asks_for_review_though_the_model_was_content() -> None:
    state = a_run(["supported"])
    state["checked"][0]["verdicts"][0]["checks"] = [{"name": "numbers", "passed": False, "detail": "30, not 90"}]
    assert judged(state)["decision"]["outcome"] == "review"
    assert state["verdicts"][0]["label"] == "supported"


def test_a_failed_stage_is_no_pass() -> None:
    assert judged(a_run(["supported"], citations_error="SearchUnavailableError"))["decision"]["outcome"] == "review"
    failed: State = {"metadata": {"pipeline_integrity": "FAILED"}, "artifacts_error": None}
    assert judged(a_run(["supported"], **failed))["decision"]["outcome"] == "review"


def test_a_detective_that_ran_out_of_time_is_named_with_the_reason() -> None:
    problem = {"problem": "detective_failed", "source": "collect_docs_evidence", "error": "Sandbox.Timedout"}
    metadata = {"pipeline_integrity": "FAILED", "problems": [{"problem": "missing_key", "source": "docs"}, problem]}
    (reason,) = judged(a_run(["supported"], metadata=metadata))["decision"]["reasons"]
    assert "collect_docs_evidence (Sandbox.Timedout: the function ran out of time)" in reason["message"]


def test_what_was_left_out_is_named_with_the_reason_each_reason_once() -> None:
    def said(*reasons: str) -> str:
        found = [
            {"evidence_id": str(n), "evidence_class": "UNREADABLE", "found": False, "location": ".", "rationale": why}
            for n, why in enumerate(reasons)
        ]
        failed: State = {"metadata": {"pipeline_integrity": "FAILED"}, "evidences": {"repo": [], "docs": found}}
        (reason,) = judged(a_run(["supported"], **failed))["decision"]["reasons"]
        return str(reason["message"]).partition(" Left out: ")[2]

    assert said("it is encrypted", "it is damaged", "it is encrypted") == "it is encrypted; it is damaged."
    assert said(*"abcdefg") == "a; b; c; d; e; and 2 more reasons."


def test_evidence_that_was_asked_for_and_got_lost_without_an_error_is_no_pass() -> None:
    state = judged(a_run(["supported"], has={"artifacts": True}, evidences={}, metadata={}))
    assert (state["decision"]["outcome"], rules(state)) == ("review", ["failed_stage"])
    done: State = {"has": {"artifacts": True}, "metadata": {"pipeline_integrity": "SUCCESS"}}
    assert judged(a_run(["supported"], **done))["decision"]["outcome"] == "pass"


def test_a_cited_path_that_does_not_exist_blocks() -> None:
    missing: State = {"evidence_id": "docs_DOCUMENT_CLAIM_1", "evidence_class": "DOCUMENT_CLAIM", "found": False}
    state = judged(a_run(["supported"], evidences={"docs": [missing]}))
    assert state["decision"]["outcome"] == "block"
    assert state["decision"]["reasons"][0]["evidence"] == ["docs_DOCUMENT_CLAIM_1"]


def test_a_policy_may_allow_a_share_and_ask_for_grounding() -> None:
    policy = {"max_unsupported_share": 0.5, "min_grounding": 0.6, "low_grounding": "block"}
    state = judged(a_run(["supported", "unsupported"], policy=policy))
    assert rules(state) == ["grounding"]
    assert state["decision"]["outcome"] == "block"


@pytest.mark.parametrize(("combine", "outcome"), [("strict", "block"), ("majority", "review"), ("soft", "review")])
def test_judges_who_disagree_are_combined_as_the_policy_says(combine: str, outcome: str) -> None:
    state = a_run(["unsupported", "weakly_supported"], policy={"combine": combine, "failed_check": "review"})
    state["checked"][1]["verdicts"][0]["checks"] = [{"name": "numbers", "passed": False, "detail": ""}]
    assert judged(state)["decision"]["outcome"] == outcome
    assert len(state["decision"]["reasons"]) == 3


@pytest.mark.parametrize(
    ("key", "labels", "more"),
    [
        ("unchecked", ["supported"], {"error": 0}),
        ("integrity_failed", ["supported"], {"checked": []}),
        ("no_claims", [], {}),
        ("evidence_failed", ["supported"], {"citations_error": "SearchUnavailableError"}),
    ],
)
@pytest.mark.parametrize("combine", ["strict", "majority", "soft"])
def test_no_combination_outvotes_a_judge_who_could_not_tell(
    key: str, labels: list[str], more: dict[str, Any], combine: str
) -> None:
    lenient = dict.fromkeys(["missing_path", "doubtful_path", "vision_conflict"], "pass")
    evidences = {
        "docs": [a_missing_path("d1"), a_missing_path("d2", tier="warn")],
        "vision": [{"evidence_id": "v1", "evidence_class": "VISION_CONFLICT", "found": False, "location": "a.png"}],
    }
    state = judged(a_run(labels, policy={**lenient, "combine": combine, key: "block"}, evidences=evidences, **more))
    assert state["decision"]["outcome"] == "block"
    assert len(state["decision"]["reasons"]) >= 4


def test_a_soft_policy_blocks_where_two_judges_would_and_not_for_one() -> None:
    policy = {"combine": "soft"}
    missing: State = {"evidences": {"docs": [a_missing_path("d1")]}}
    assert judged(a_run(["supported"], policy=policy, **missing))["decision"]["outcome"] == "review"
    assert judged(a_run(["unsupported"], policy=policy, **missing))["decision"]["outcome"] == "block"


def test_a_majority_of_two_is_both() -> None:
    state = judged(a_run(["unsupported", "weakly_supported"], policy={"combine": "majority"}))
    assert [reason["outcome"] for reason in state["decision"]["reasons"]] == ["block", "review"]
    assert state["decision"]["outcome"] == "review"


@pytest.mark.parametrize("key", ["unchecked", "no_claims", "integrity_failed", "evidence_failed"])
def test_a_policy_cannot_make_could_not_tell_a_pass(key: str) -> None:
    with pytest.raises(ValueError, match=key):
        Policy.model_validate({key: "pass"})


DAMAGE = {
    "dropped": lambda verdicts, at: verdicts.pop(at),
    "doubled": lambda verdicts, at: verdicts.append(copy.deepcopy(verdicts[at])),
    "renamed": lambda verdicts, at: verdicts[at].update(claim_id="c9999"),
    "without id": lambda verdicts, at: verdicts[at].pop("claim_id", None),
    "not a dict": lambda verdicts, at: verdicts.__setitem__(at, "supported"),
    "label invented": lambda verdicts, at: verdicts[at].update(label="SUPPORTED!"),
    "label lost": lambda verdicts, at: verdicts[at].pop("label", None),
    "justification lost": lambda verdicts, at: verdicts[at].pop("justification", None),
    "reason lost": lambda verdicts, at: verdicts[at].pop("reason", None),
    "reason of another label": lambda verdicts, at: verdicts[at].update(reason="no_evidence"),
    "checks lost": lambda verdicts, at: verdicts[at].pop("checks", None),
    "doubt lost": lambda verdicts, at: verdicts[at].pop("doubt", None),
    "doubt below nought": lambda verdicts, at: verdicts[at].update(doubt=-1.0),
    "checks damaged": lambda verdicts, at: verdicts[at].update(checks="all fine"),
    "about another claim": lambda verdicts, at: verdicts[at].update(claim="The sky is green."),
    "all lost": lambda verdicts, at: verdicts.clear(),
}


@pytest.mark.parametrize("others", [0, 2])
@pytest.mark.parametrize("kind", sorted(DAMAGE))
def test_each_kind_of_damage_alone_leaves_the_claim_unchecked_and_is_no_pass(kind: str, others: Any) -> None:
    state = a_run(["supported"] * (others + 1))
    DAMAGE[kind](state["checked"][0]["verdicts"], 0)
    judge(state)
    assert state["decision"]["outcome"] != "pass"
    assert state["accounting"]["integrity"] == "FAILED"
    assert state["accounting"]["unchecked_claims"] == ["c0001"]
    assert [verdict["claim_id"] for verdict in state["verdicts"]] == [claim["claim_id"] for claim in state["claims"]]


def test_a_verdict_that_nobody_asked_for_is_a_problem_though_every_claim_has_its_own() -> None:
    state = a_run(["supported"])
    state["checked"][0]["verdicts"].append(a_verdict(9))
    assert judged(state)["accounting"]["problems"] == [{"kind": "foreign_verdict"}]
    assert state["accounting"]["unchecked"] == 0
    assert state["decision"]["outcome"] != "pass"


def test_a_verdict_that_came_before_its_branch_failed_is_kept() -> None:
    state = a_run(["supported"])
    state["checked"][0]["error"] = "ModelThrottledError"
    assert judged(state)["verdicts"][0]["label"] == "supported"
    assert state["accounting"]["unchecked"] == 0


def test_a_verdict_whose_values_only_look_like_its_types_is_damaged() -> None:
    state = a_run(["supported"])
    state["checked"][0]["verdicts"][0]["checks"] = [{"name": "numbers", "passed": "true", "detail": ""}]
    assert judged(state)["accounting"]["problems"] == [{"kind": "damaged_verdict", "claim_id": "c0001"}]


def test_an_estimate_that_the_budget_holds_changes_nothing() -> None:
    estimate = {"calls": 1, "input": 10, "output": 5, "dollars": None, "left": 100, "stopped": False}
    assert judged(a_run(["supported"], estimate=estimate))["decision"]["outcome"] == "pass"


def test_of_many_problems_the_first_hundred_are_kept_and_the_integrity_is_still_lost() -> None:
    state = a_run(["supported"])
    state["checked"][0]["verdicts"] += [a_verdict(9)] * 150
    assert len(judged(state)["accounting"]["problems"]) == 100
    assert state["accounting"]["integrity"] == "FAILED"


def test_two_claims_of_one_sentence_are_one_sentence() -> None:
    state = a_run(["supported"] * 2)
    for claim in state["claims"]:
        claim.update(turn=0, start=0, end=16)
    assert judged(state)["accounting"]["sentences"] == 1


def test_evidence_and_the_fused_order_of_every_branch_are_kept_flat() -> None:
    state = a_run(["supported"] * 2)
    for at, branch in enumerate(state["checked"]):
        branch["evidence"], branch["ranking"] = [{"documents": [str(at)]}], [[f"d{at}"]]
    assert judged(state)["ranking"] == [["d0"], ["d1"]]
    assert state["evidence"] == [{"documents": ["0"]}, {"documents": ["1"]}]


def test_lost_evidence_is_noticed_though_other_metadata_is_there() -> None:
    state = judged(a_run(["supported"], has={"artifacts": True}, metadata={"counts": {"repo": 3}}))
    assert rules(state) == ["failed_stage"]


def test_the_figures_behind_the_alarm_are_those_of_the_accounting() -> None:
    with recording() as facts:
        judged(a_run(["supported"] * 4, error=2))
    assert {(fact.name, fact.value) for fact in facts} == {("Claims", 4), ("UncheckedClaims", 1)}


def test_a_contradicted_claim_is_judged_by_the_rule_for_contradictions() -> None:
    state = a_run(["unsupported"], policy={"contradicted": "block", "unsupported": "pass"})
    state["checked"][0]["verdicts"][0]["reason"] = "contradicted"
    assert judged(state)["decision"]["outcome"] == "block"
    state = a_run(["unsupported"], policy={"contradicted": "review", "unsupported": "pass"})
    state["checked"][0]["verdicts"][0]["reason"] = "contradicted"
    assert judged(state)["decision"]["outcome"] == "review"
    assert rules(state)[0] == "contradicted"


def by_id(checked: list[State]) -> list[str]:
    """What a run's verdicts say, in whatever order: two blows can amount to a mere change of order, which is none."""
    return sorted(json.dumps(verdict, sort_keys=True) for branch in checked for verdict in branch["verdicts"])


@given(
    count=st.integers(1, 6),
    hits=st.lists(st.tuples(st.sampled_from(sorted(DAMAGE)), st.integers(0, 5)), min_size=1, max_size=4),
    combine=st.sampled_from(["strict", "majority", "soft"]),
    one_branch=st.booleans(),
)
def test_damaged_verdicts_never_pass_and_every_claim_keeps_one_entry(
    count: int, hits: list[tuple[str, int]], combine: str, one_branch: bool
) -> None:
    state = a_run(["supported"] * count, policy={"combine": combine})
    if one_branch:
        for claim in state["claims"]:
            claim["branch"] = 0
        state["checked"] = [{**state["checked"][0], "verdicts": [v for b in state["checked"] for v in b["verdicts"]]}]
    before = copy.deepcopy(state["checked"])
    for kind, at in hits:
        verdicts = state["checked"][at % len(state["checked"])]["verdicts"]
        if verdicts:
            at %= len(verdicts)
            if isinstance(verdicts[at], dict):
                DAMAGE[kind](verdicts, at)
    assume(by_id(state["checked"]) != by_id(before))
    judge(state)
    assert state["decision"]["outcome"] != "pass"
    assert [verdict["claim_id"] for verdict in state["verdicts"]] == [claim["claim_id"] for claim in state["claims"]]
    assert state["accounting"]["integrity"] == "FAILED"
    assert state["accounting"]["grounding"] <= 1


def test_swapped_ids_are_noticed_by_the_text_they_answer() -> None:
    state = a_run(["supported", "unsupported"])
    state["claims"][0]["text"] = "The grass is green."
    state["checked"][0]["verdicts"][0]["claim"] = "The grass is green."
    first, second = (branch["verdicts"][0] for branch in state["checked"])
    first["claim_id"], second["claim_id"] = second["claim_id"], first["claim_id"]
    assert judged(state)["accounting"]["unchecked"] == 2
    assert state["decision"]["outcome"] == "block"


def test_a_failed_check_that_got_lost_is_damage_and_no_pass() -> None:
    state = a_run(["supported"])
    del state["checked"][0]["verdicts"][0]["checks"]
    assert judged(state)["accounting"]["problems"] == [{"kind": "damaged_verdict", "claim_id": "c0001"}]
    assert state["accounting"]["grounding"] == 0


def test_two_claims_of_one_id_do_not_share_a_verdict() -> None:
    state = a_run(["supported"])
    state["claims"].append(dict(state["claims"][0]))
    assert judged(state)["accounting"]["grounding"] == 0
    assert state["accounting"]["unchecked"] == 2
    assert rules(state) == ["integrity", "unchecked"]


@given(st.permutations(range(6)))
def test_order_of_verdicts_changes_nothing(order: Any) -> None:
    labels = ["supported", "unsupported", "weakly_supported"] * 2
    straight, mixed = a_run(labels), a_run(labels)
    mixed["checked"] = [mixed["checked"][at] for at in order]
    judge(straight)
    judge(mixed)
    assert straight["verdicts"] == mixed["verdicts"]
    assert straight["decision"] == mixed["decision"]


def a_missing_path(name: str, **mention: str) -> State:
    told = {"mention": mention} if mention else {}
    return {"evidence_id": name, "evidence_class": "DOCUMENT_CLAIM", "found": False, "location": f"{name}.py", **told}


def test_a_path_that_was_said_to_exist_and_does_not_is_graver_than_a_doubtful_one() -> None:
    docs = [a_missing_path("d1"), a_missing_path("d2", tier="block"), a_missing_path("d3", tier="warn")]
    state = judged(a_run(["supported"], evidences={"repo": [], "docs": docs}))
    said = {reason["rule"]: (reason["outcome"], reason["evidence"]) for reason in state["decision"]["reasons"]}
    assert said == {"missing_path": ("block", ["d1", "d2"]), "doubtful_path": ("review", ["d3"])}
    texts = [reason["message"] for reason in state["decision"]["reasons"]]
    assert any("2 cited paths do not" in text for text in texts)
    assert any("1 cited path does" in text for text in texts)


def test_a_name_in_code_that_is_not_in_the_repository_blocks_and_a_doubtful_one_is_reviewed() -> None:
    docs = [
        {**a_missing_path(name, tier=tier), "evidence_class": "NAME_CLAIM", "component": name}
        for name, tier in [("n1", "block"), ("n2", "warn"), ("n3", "warn")]
    ]
    state = judged(a_run(["supported"], evidences={"repo": [], "docs": docs}))
    said = {reason["rule"]: (reason["outcome"], reason["evidence"]) for reason in state["decision"]["reasons"]}
    assert said == {"missing_name": ("block", ["n1"]), "doubtful_name": ("review", ["n2", "n3"])}


def test_a_cited_path_that_was_found_is_not_missing() -> None:
    docs = [{**a_missing_path("d1"), "found": True}]
    assert judged(a_run(["supported"], evidences={"repo": [], "docs": docs}))["decision"]["outcome"] == "pass"


def test_what_only_an_image_shows_asks_for_review() -> None:
    vision = [{"evidence_id": "v1", "evidence_class": "VISION_CONFLICT", "found": False, "location": "a.png"}]
    state = judged(a_run(["supported"], evidences={"vision": vision}))
    assert state["decision"]["outcome"] == "review"
    assert rules(state) == ["vision_conflict"]


def a_finding(source: str, **fields: object) -> dict[str, object]:
    return {
        "evidence_id": f"{source}_X",
        "evidence_class": "X",
        "found": False,
        "location": "a.py",
        "rationale": "",
    } | fields


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    ("wanted", "outcome"), [(None, "review"), ("block", "block"), ("review", "review"), ("pass", "pass")]
)
def test_findings_of_any_detective_reach_the_decision_as_the_policy_says(
    source: str, wanted: str | None, outcome: str
) -> None:
    policy = {"findings": {source: wanted}} if wanted else {}
    state = judged(a_run(["supported"], policy=policy, evidences={source: [a_finding(source)]}))
    assert state["decision"]["outcome"] == outcome
    (reason,) = state["decision"]["reasons"]
    assert (reason["rule"], reason["evidence"]) == (f"findings.{source}", [f"{source}_X"])


@pytest.mark.parametrize(
    "fields", [{"found": True}, {"evidence_class": "PATH_MENTION"}, {"evidence_class": "UNREADABLE"}]
)
def test_what_was_found_or_has_a_rule_of_its_own_is_no_finding(fields: dict[str, Any]) -> None:
    state = judged(a_run(["supported"], evidences={"docs": [a_finding("docs", **fields)]}))
    assert state["decision"]["reasons"] == []


def test_a_policy_names_detectives_that_there_are() -> None:
    with pytest.raises(InputError, match=r"findings: licence is no detective: repo, docs, vision"):
        policy_of({"findings": {"licence": "block"}})
    with pytest.raises(InputError, match=r"findings\.repo"):
        policy_of({"findings": {"repo": "never"}})
