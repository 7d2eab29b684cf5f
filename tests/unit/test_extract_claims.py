"""Every sentence of an answer is a claim, or a non-claim with a reason, and points at the place it came from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.agents.extract_claims import extract_claims, grouped
from gate.agents.judge import judge
from gate.claims import reading
from gate.claims.set_aside.reasons import non_claim_reason
from gate.claims.spans import spans
from gate.model import Claim
from tests.builders import a_verdict
from tests.entrance import Entrance

LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"

ANSWER = """# Refunds

Sure! Here is what I found:

- Dr. Smith paid $3.50 in Jan. 2020. He was refunded
  within 5 days.
- Does that help?

| Plan | Price |
|------|-------|
| Pro  | 30 EUR |

```sh
gate check answer.md
```
"""


def extracted(*turns: tuple[str, str]) -> dict[str, Any]:
    state: dict[str, Any] = {"transcript": {"turns": [{"role": role, "content": content} for role, content in turns]}}
    extract_claims(state)
    return state


def test_claims_are_the_sentences_that_state_something() -> None:
    state = extracted(("user", "What about refunds?"), ("assistant", ANSWER))
    assert [claim["text"] for claim in state["claims"]] == [
        "Dr. Smith paid $3.50 in Jan. 2020.",
        "He was refunded within 5 days.",
        "Pro, 30 EUR",
        "gate check",
    ]
    assert [(other["text"][:20], other["reason"]) for other in state["non_claims"]] == [
        ("Refunds", "heading"),
        ("Sure!", "greeting"),
        ("Here is what I found", "lead_in"),
        ("Does that help?", "question"),
        ("Plan | Price", "heading"),
    ]


def test_a_claim_points_at_the_stretch_it_came_from_and_the_prompt_before_it() -> None:
    state = extracted(
        ("user", "First?"), ("assistant", "One is 1. Two is 2."), ("user", "Then?"), ("assistant", ANSWER)
    )
    for claim in state["claims"]:
        stretch = claim["source_response"][claim["start"] : claim["end"]]
        assert stretch.replace("  | ", ", ").replace("\n  ", " ") == claim["text"]
    assert [claim["source_prompt"] for claim in state["claims"]] == ["First?"] * 2 + ["Then?"] * 4
    assert [claim["turn"] for claim in state["claims"]] == [1, 1, 3, 3, 3, 3]
    assert [claim["claim_id"] for claim in state["claims"]] == ["c0001", "c0002", "c0003", "c0004", "c0005", "c0006"]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The limit is\n42. Above it nothing works.", ["The limit is 42.", "Above it nothing works."]),
        ("The tower opened on\n3. May 1887.", ["The tower opened on 3.", "May 1887."]),
        ("It weighs:\n\n42. That is a lot.", ["42.", "That is a lot."]),
        ("E. coli lives in the gut.", ["E. coli lives in the gut."]),
        ("Results:\n1. It grew by 4 %.\n2. It cost 5 EUR\nin all.", ["It grew by 4 %.", "It cost 5 EUR in all."]),
        ("6. It grew by 4 %.\n\n7. It cost 5 EUR.", ["6. It grew by 4 %.", "7. It cost 5 EUR."]),
        ("a) It grew by 4 %.\nb) It cost 5 EUR.", ["It grew by 4 %.", "It cost 5 EUR."]),
        ("> 1. It grew by 4 %.\n> 2. It cost 5 EUR.", ["It grew by 4 %.", "It cost 5 EUR."]),
    ],
)
def test_a_number_is_a_list_marker_only_where_it_counts(text: str, claims: list[str]) -> None:
    state = extracted(("assistant", text))
    assert [claim["text"] for claim in state["claims"]] == claims


def test_only_the_assistant_is_checked() -> None:
    state = extracted(("system", "Paris is in Spain."), ("user", "Rome is in France."), ("tool", "x is 3."))
    assert state["claims"] == state["non_claims"] == state["branches"] == []


def test_up_to_400_claims_have_a_branch_each_and_more_are_grouped_in_order() -> None:
    few = extracted(("assistant", " ".join(f"Number {i} is odd." for i in range(400))))
    assert [len(branch) for branch in few["branches"]] == [1] * 400
    many = extracted(("assistant", " ".join(f"Number {i} is odd." for i in range(1_000))))
    assert len(many["branches"]) == 400
    assert {len(branch) for branch in many["branches"]} == {2, 3}
    assert [claim for branch in many["branches"] for claim in branch] == many["claims"]
    assert all(claim["branch"] == at for at, branch in enumerate(many["branches"]) for claim in branch)


def test_a_paragraph_of_any_length_is_read_sentence_by_sentence() -> None:
    text = " ".join(f"Room {number} holds {number} people." for number in range(2_000))
    assert [text[one.start : one.end] for one in spans(text)] == [
        f"Room {number} holds {number} people." for number in range(2_000)
    ]


@given(st.integers(0, 3_000), st.integers(1, 400))
def test_grouping_keeps_every_claim_once(count: int, most: int) -> None:
    groups = grouped([Claim(text=str(i), source_prompt="", source_response="") for i in range(count)], most)
    assert [claim["text"] for group in groups for claim in group] == [str(i) for i in range(count)]
    assert len(groups) == min(count, most)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("これは文です。次の文です！", 2),
        ("他是医生。她是律师。", 2),
        ("हाँ यह सच है। दूसरा वाक्य यह है।", 2),
        ("هذا صحيح. هذا أيضا صحيح.", 2),
        ("Это правда. А это нет!", 2),
        ("Der Preis beträgt z. B. 5 EUR. Das ist viel.", 2),
        ("Mix 1 tsp. of soap with water. It foams.", 2),
        ("The special . variable holds it. It is new.", 2),
        ("It weighs 5 kg. It is made of iron.", 2),
        ("Add 2 tbsp. of oil. It foams.", 2),
        ("Returns are free for 90 days. parcels take 9 days.", 2),
        ("Version 1.2.3 costs 3.50 EUR, e.g. per month. It is new.", 2),
    ],
)
def test_sentences_are_found_in_many_scripts(text: str, count: int) -> None:
    assert len(spans(text)) == count


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("aB1.!? \n-#*|`>。।؟é😀\t:~_()\"'"), max_size=120) | st.text(max_size=120))
def test_no_letter_of_any_text_is_lost_and_no_sentence_overlaps_another(text: str) -> None:
    found = spans(text)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(s.start < s.end <= len(text) and text[s.start : s.end].strip() for s in found)
    covered = {position for s in found for position in range(s.start, s.end)}
    for at, character in enumerate(text):
        if character.isalnum() and at not in covered:
            assert is_list_marker(text, at), f"lost {character!r} at {at}"


def is_list_marker(text: str, at: int) -> bool:
    """Whether the character at `at` is part of a line's leading `12.`, `a)` or the like."""
    before = "".join(text[:at].splitlines(keepends=True)[-1:]) if at and text[at - 1] not in LINE_ENDS else ""
    after = "".join(re.findall(r"\A\S*", text[at:]))
    return bool(re.fullmatch(r"[\s>]*\(?(\d{1,3}|[A-Za-z])[.)]", before + after))


@pytest.mark.parametrize(
    "heading",
    [
        "Refund policy",
        "Version 2.1",
        "2.1 (2024-05-01)",
        "Step 3: install",
        "Step 3: check that it is on",
        "3. What happens after 30 days",
        "How refunds work in 2024",
        "10 things you need to know",
        "Costs in 2024",
        "Frequently asked questions",
        "Common side effects of Brenvia",
        "Released 2019",
        "2. Getting started",
        "Chapter 3",
        "Results in 2023",
        "Return policy",
        "Known issues",
        "Heron 2",
        "Summary: key points",
    ],
)
def test_a_heading_that_names_what_follows_stays_a_heading(heading: str) -> None:
    assert non_claim_reason(heading, "heading") == "heading"


@pytest.mark.parametrize(
    "heading",
    [
        "Refunds take 90 days",
        "Refunds take ninety days",
        "The tower is 5 km high",
        "The tower is 5 km high?",
        "Shipping costs 5 EUR",
        "Der Versand kostet 5 EUR",
        "Corvex cures cancer",
        "Sella Viaduct opens early",
        "Dr Moor convicted of fraud",
        "Return window: 900 days",
        "Return window 900 days",
        "No refunds for anyone",
        "Never mix Corvex and alcohol",
        "Mix Corvex and alcohol",
        "Larkfield stole customer money",
        "Larkfield poisoned customers",
        "Refunds: denied",
        "900 days to return",
        "50% of parcels",
    ],
)
def test_a_heading_with_a_verb_is_a_claim(heading: str) -> None:
    assert non_claim_reason(heading, "heading") is None


def test_a_figure_in_a_question_mark_or_a_heading_does_not_escape_beside_a_true_sentence() -> None:
    state = extracted(("assistant", "## Refunds take 90 days\n\nThe shop opens at 9. Its tower is 5 km high?"))
    assert [claim["text"] for claim in state["claims"]] == [
        "Refunds take 90 days",
        "The shop opens at 9.",
        "Its tower is 5 km high?",
    ]


# What is more than may be checked


@pytest.mark.parametrize(("against", "is_claim"), [("corpus", True), ("both", True), ("contexts", False)])
def test_the_title_of_a_passage_vouches_for_an_answer_only_where_the_passages_decide(
    against: str, *, is_claim: bool
) -> None:
    answer = "Shipping costs 9 euros.\n\nSources:\n\n- Refunds take 900 days"
    state: dict[str, Any] = {
        "transcript": {"turns": [{"role": "assistant", "content": answer}]},
        "contexts": [{"title": "Refunds take 900 days", "content": "Shipping costs 9 euros."}],
        "config": {"against": against},
    }
    extract_claims(state)
    assert any("900" in claim["text"] for claim in state["claims"]) is is_claim


def test_sentences_beyond_the_most_claims_of_a_run_are_one_stretch_that_is_unread(entrance: Entrance) -> None:
    entrance.change(max_claims=3)
    turn = "Ab is 7. " * 50
    state = extracted(("assistant", "Ab is 6. Ab is 7."), ("assistant", turn))
    assert [claim["turn"] for claim in state["claims"]] == [0, 0, 1]
    (rest,) = state["non_claims"]
    assert (rest["reason"], rest["turn"], rest["start"], rest["end"]) == ("too_many", 1, 9, len(turn) - 1)
    assert state["reading"]["unread"] == 49 * len("Abis7.")
    assert state["reading"]["set_aside"] == {"too_many": 49 * len("Abis7.")}


def test_an_answer_of_which_a_part_was_too_much_never_passes(entrance: Entrance) -> None:
    entrance.change(max_claims=1)
    state = extracted(("assistant", "Ab is 7. Ab is 8."))
    state["checked"] = [
        {"branch": 0, "verdicts": [{**a_verdict(1), "claim": "Ab is 7."}], "evidence": [], "ranking": []}
    ]
    judge(state)
    assert (state["decision"]["outcome"], [one["rule"] for one in state["decision"]["reasons"]]) == (
        "review",
        ["unread"],
    )


def test_a_sentence_longer_than_a_claim_may_be_is_unread(entrance: Entrance) -> None:
    entrance.change(max_claim_chars=40)
    state = extracted(("assistant", f"Ab is 7. The heron {'and the heron ' * 5}flies. Ab is 8."))
    assert [claim["text"] for claim in state["claims"]] == ["Ab is 7.", "Ab is 8."]
    assert [one["reason"] for one in state["non_claims"]] == ["too_long"]
    assert state["reading"]["unread"] > 40


def test_claims_that_a_model_reads_out_of_sentences_count_one_by_one(entrance: Entrance) -> None:
    class Two:
        name = "two"

        def read(self, context: str, sentences: Sequence[str]) -> tuple[tuple[str, ...], ...]:
            return tuple(("The heron flies.", "The stork swims.") for _ in sentences)

    entrance.change(max_claims=3)
    entrance.give(claim_reader=Two())
    state = extracted(("assistant", "The heron flies and the stork swims. The heron flies and the stork swims."))
    assert [claim["text"] for claim in state["claims"]] == ["The heron flies.", "The stork swims."]
    assert [one["reason"] for one in state["non_claims"]] == ["too_many"]


@pytest.fixture
def looked_into(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences of which it was asked whether they are claims."""
    found: list[str] = []

    def noted(text: str, *more: Any, **named: Any) -> Any:
        found.append(text)
        return non_claim_reason(text, *more, **named)

    monkeypatch.setattr(reading, "non_claim_reason", noted)
    return found


def test_no_more_sentences_are_read_than_a_run_may_have_claims_five_times_over(
    entrance: Entrance, looked_into: list[str]
) -> None:
    entrance.change(max_claims=2)
    state = extracted(("assistant", "Is it? " * 50), ("assistant", "Is it? Ab is 7."))
    assert len(looked_into) == 10
    assert not state["claims"]
    told = [(one["reason"], one["turn"]) for one in state["non_claims"]]
    assert told == [*[("question", 0)] * 10, ("too_many", 0), ("too_many", 1)]
    assert state["reading"]["unread"] == 40 * len("Isit?") + len("Isit?Abis7.")


def test_what_follows_one_claim_too_many_is_not_looked_into(entrance: Entrance, looked_into: list[str]) -> None:
    entrance.change(max_claims=2)
    assert len(extracted(("assistant", "Ab is 7. " * 50))["claims"]) == 2
    assert len(looked_into) == 3
    state = extracted(("assistant", "Ab is 7. Ab is 8.\n\nBest regards"))
    assert [one["reason"] for one in state["non_claims"]] == ["greeting"]


def test_a_sentence_twice_as_long_as_a_claim_may_be_is_not_looked_into(entrance: Entrance) -> None:
    state = extracted(("assistant", "a: " * 100_000))
    assert {one["reason"] for one in state["non_claims"]} == {"too_long"}


@pytest.mark.hostile
def test_a_flood_of_five_letter_sentences_costs_what_two_thousand_claims_cost() -> None:
    state = extracted(("assistant", "Ab is 7. " * 10_000))
    assert len(state["claims"]) == 2_000
    assert len(state["non_claims"]) == 1
    assert len(state["branches"]) == 400
    assert state["reading"]["unread"] == 8_000 * len("Abis7.")
