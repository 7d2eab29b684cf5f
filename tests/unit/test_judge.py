"""The judge gives every claim one verdict and decides by the policy; "could not tell" never opens the gate."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from builders import a_numbered_claim, a_verdict
from gate.agents.judge import judge
from gate.model import Policy


def a_run(labels, *, policy=None, error=None, **state):
    """State as it reaches the judge: one claim a branch."""
    claims = [a_numbered_claim(number) for number in range(1, len(labels) + 1)]
    checked = [
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


def judged(state):
    judge(state)
    return state


def rules(state):
    return [reason["rule"] for reason in state["decision"]["reasons"]]


def test_an_answer_whose_claims_are_all_supported_passes():
    state = judged(a_run(["supported"] * 3))
    assert state["decision"] == {
        "outcome": "pass",
        "reasons": [],
        "policy": {"name": "default", "version": "1", "combine": "strict"},
    }
    assert state["accounting"]["grounding"] == 1.0


@pytest.mark.parametrize(
    ("label", "outcome", "rule"),
    [("weakly_supported", "review", "weakly_supported"), ("unsupported", "block", "unsupported")],
)
def test_a_claim_without_full_support_is_named_in_the_reason(label, outcome, rule):
    state = judged(a_run(["supported", label]))
    assert state["decision"]["outcome"] == outcome
    assert state["decision"]["reasons"][0]["rule"] == rule
    assert state["decision"]["reasons"][0]["claims"] == ["c0002"]


def test_a_branch_that_ended_in_an_error_leaves_an_unchecked_claim_in_every_denominator():
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


def test_an_unreadable_answer_counts_as_unchecked_and_not_as_unsupported():
    state = a_run(["supported"])
    state["checked"][0]["verdicts"] = [a_verdict(1, "unsupported", reason="unreadable_answer")]
    assert rules(judged(state)) == ["unchecked"]
    assert state["accounting"]["labels"]["unsupported"] == 0


def test_text_without_claims_is_said_and_reviewed():
    state = judged(a_run([]) | {"non_claims": [{}, {}]})
    assert state["decision"]["outcome"] == "review"
    assert state["decision"]["reasons"][0]["message"] == "The answer states nothing that can be checked (2 sentences)."
    assert state["accounting"]["grounding"] is None


def test_a_failed_check_asks_for_review_though_the_model_was_content():
    state = a_run(["supported"])
    state["checked"][0]["verdicts"][0]["checks"] = [{"name": "numbers", "passed": False, "detail": "30, not 90"}]
    assert judged(state)["decision"]["outcome"] == "review"
    assert state["verdicts"][0]["label"] == "supported"


def test_a_failed_stage_is_no_pass():
    assert judged(a_run(["supported"], citations_error="SearchUnavailableError"))["decision"]["outcome"] == "review"
    failed = {"metadata": {"pipeline_integrity": "FAILED"}, "artifacts_error": None}
    assert judged(a_run(["supported"], **failed))["decision"]["outcome"] == "review"


def test_evidence_that_was_asked_for_and_got_lost_without_an_error_is_no_pass():
    state = judged(a_run(["supported"], has={"artifacts": True}, evidences={}, metadata={}))
    assert (state["decision"]["outcome"], rules(state)) == ("review", ["failed_stage"])
    done = {"has": {"artifacts": True}, "metadata": {"pipeline_integrity": "SUCCESS"}}
    assert judged(a_run(["supported"], **done))["decision"]["outcome"] == "pass"


def test_a_cited_path_that_does_not_exist_blocks():
    missing = {"evidence_id": "docs_DOCUMENT_CLAIM_1", "evidence_class": "DOCUMENT_CLAIM", "found": False}
    state = judged(a_run(["supported"], evidences={"docs": [missing]}))
    assert state["decision"]["outcome"] == "block"
    assert state["decision"]["reasons"][0]["evidence"] == ["docs_DOCUMENT_CLAIM_1"]


def test_a_policy_may_allow_a_share_and_ask_for_grounding():
    policy = {"max_unsupported_share": 0.5, "min_grounding": 0.6, "low_grounding": "block"}
    state = judged(a_run(["supported", "unsupported"], policy=policy))
    assert rules(state) == ["grounding"]
    assert state["decision"]["outcome"] == "block"


@pytest.mark.parametrize(("combine", "outcome"), [("strict", "block"), ("majority", "review"), ("soft", "review")])
def test_judges_who_disagree_are_combined_as_the_policy_says(combine, outcome):
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
def test_no_combination_outvotes_a_judge_who_could_not_tell(key, labels, more, combine):
    lenient = dict.fromkeys(["missing_path", "doubtful_path", "vision_conflict"], "pass")
    evidences = {
        "docs": [a_missing_path("d1"), a_missing_path("d2", tier="warn")],
        "vision": [{"evidence_id": "v1", "evidence_class": "VISION_CONFLICT", "found": False, "location": "a.png"}],
    }
    state = judged(a_run(labels, policy={**lenient, "combine": combine, key: "block"}, evidences=evidences, **more))
    assert state["decision"]["outcome"] == "block"
    assert len(state["decision"]["reasons"]) >= 4


def test_a_soft_policy_blocks_where_two_judges_would_and_not_for_one():
    policy = {"combine": "soft"}
    missing = {"evidences": {"docs": [a_missing_path("d1")]}}
    assert judged(a_run(["supported"], policy=policy, **missing))["decision"]["outcome"] == "review"
    assert judged(a_run(["unsupported"], policy=policy, **missing))["decision"]["outcome"] == "block"


def test_a_majority_of_two_is_both():
    state = judged(a_run(["unsupported", "weakly_supported"], policy={"combine": "majority"}))
    assert [reason["outcome"] for reason in state["decision"]["reasons"]] == ["block", "review"]
    assert state["decision"]["outcome"] == "review"


@pytest.mark.parametrize("key", ["unchecked", "no_claims", "integrity_failed", "evidence_failed"])
def test_a_policy_cannot_make_could_not_tell_a_pass(key):
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
    "checks damaged": lambda verdicts, at: verdicts[at].update(checks="all fine"),
    "about another claim": lambda verdicts, at: verdicts[at].update(claim="The sky is green."),
    "all lost": lambda verdicts, at: verdicts.clear(),
}


def by_id(checked):
    """What a run's verdicts say, in whatever order: two blows can amount to a mere change of order, which is none."""
    return sorted(json.dumps(verdict, sort_keys=True) for branch in checked for verdict in branch["verdicts"])


@given(
    count=st.integers(1, 6),
    hits=st.lists(st.tuples(st.sampled_from(sorted(DAMAGE)), st.integers(0, 5)), min_size=1, max_size=4),
    combine=st.sampled_from(["strict", "majority", "soft"]),
    one_branch=st.booleans(),
)
def test_damaged_verdicts_never_pass_and_every_claim_keeps_one_entry(count, hits, combine, one_branch):
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


def test_swapped_ids_are_noticed_by_the_text_they_answer():
    state = a_run(["supported", "unsupported"])
    state["claims"][0]["text"] = "The grass is green."
    state["checked"][0]["verdicts"][0]["claim"] = "The grass is green."
    first, second = (branch["verdicts"][0] for branch in state["checked"])
    first["claim_id"], second["claim_id"] = second["claim_id"], first["claim_id"]
    assert judged(state)["accounting"]["unchecked"] == 2
    assert state["decision"]["outcome"] == "block"


def test_a_failed_check_that_got_lost_is_damage_and_no_pass():
    state = a_run(["supported"])
    del state["checked"][0]["verdicts"][0]["checks"]
    assert judged(state)["accounting"]["problems"] == [{"kind": "damaged_verdict", "claim_id": "c0001"}]
    assert state["accounting"]["grounding"] == 0


def test_two_claims_of_one_id_do_not_share_a_verdict():
    state = a_run(["supported"])
    state["claims"].append(dict(state["claims"][0]))
    assert judged(state)["accounting"]["grounding"] == 0
    assert state["accounting"]["unchecked"] == 2
    assert rules(state) == ["integrity", "unchecked"]


@given(st.permutations(range(6)))
def test_order_of_verdicts_changes_nothing(order):
    labels = ["supported", "unsupported", "weakly_supported"] * 2
    straight, mixed = a_run(labels), a_run(labels)
    mixed["checked"] = [mixed["checked"][at] for at in order]
    judge(straight)
    judge(mixed)
    assert straight["verdicts"] == mixed["verdicts"]
    assert straight["decision"] == mixed["decision"]


def a_missing_path(name, **mention):
    told = {"mention": mention} if mention else {}
    return {"evidence_id": name, "evidence_class": "DOCUMENT_CLAIM", "found": False, "location": f"{name}.py", **told}


def test_a_path_that_was_said_to_exist_and_does_not_is_graver_than_a_doubtful_one():
    docs = [a_missing_path("d1"), a_missing_path("d2", tier="block"), a_missing_path("d3", tier="warn")]
    state = judged(a_run(["supported"], evidences={"repo": [], "docs": docs}))
    said = {reason["rule"]: (reason["outcome"], reason["evidence"]) for reason in state["decision"]["reasons"]}
    assert said == {"missing_path": ("block", ["d1", "d2"]), "doubtful_path": ("review", ["d3"])}


def test_what_only_an_image_shows_asks_for_review():
    vision = [{"evidence_id": "v1", "evidence_class": "VISION_CONFLICT", "found": False, "location": "a.png"}]
    state = judged(a_run(["supported"], evidences={"vision": vision}))
    assert state["decision"]["outcome"] == "review"
    assert rules(state) == ["vision_conflict"]
