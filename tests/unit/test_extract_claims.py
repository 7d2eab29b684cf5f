"""Every sentence of an answer is a claim, or a non-claim with a reason, and points at the place it came from."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.agents.extract_claims import claim_text, extract_claims, grouped
from gate.rules.non_claims import non_claim_reason
from gate.rules.sentences import sentences

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


def extracted(*turns):
    state = {"transcript": {"turns": [{"role": role, "content": content} for role, content in turns]}}
    extract_claims(state)
    return state


def test_claims_are_the_sentences_that_state_something():
    state = extracted(("user", "What about refunds?"), ("assistant", ANSWER))
    assert [claim["text"] for claim in state["claims"]] == [
        "Dr. Smith paid $3.50 in Jan. 2020.",
        "He was refunded within 5 days.",
        "Pro, 30 EUR",
    ]
    assert [(other["text"][:20], other["reason"]) for other in state["non_claims"]] == [
        ("Refunds", "heading"),
        ("Sure!", "greeting"),
        ("Here is what I found", "fragment"),
        ("Does that help?", "question"),
        ("| Plan | Price |", "heading"),
        ("```sh\ngate check ans", "code"),
    ]


def test_a_claim_points_at_the_stretch_it_came_from_and_the_prompt_before_it():
    state = extracted(
        ("user", "First?"), ("assistant", "One is 1. Two is 2."), ("user", "Then?"), ("assistant", ANSWER)
    )
    for claim in state["claims"]:
        assert claim_text(claim["source_response"][claim["start"] : claim["end"]]) == claim["text"]
    assert [claim["source_prompt"] for claim in state["claims"]] == ["First?"] * 2 + ["Then?"] * 3
    assert [claim["turn"] for claim in state["claims"]] == [1, 1, 3, 3, 3]
    assert [claim["claim_id"] for claim in state["claims"]] == ["c0001", "c0002", "c0003", "c0004", "c0005"]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The limit is\n42. Above it nothing works.", ["The limit is 42.", "Above it nothing works."]),
        ("The tower opened on\n3. May 1887.", ["The tower opened on 3.", "May 1887."]),
        ("It weighs:\n\n42. That is a lot.", ["42.", "That is a lot."]),
        ("E. coli lives in the gut.", ["E. coli lives in the gut."]),
        ("Results:\n1. It grew by 4 %.\n2. It cost 5 EUR\nin all.", ["It grew by 4 %.", "It cost 5 EUR in all."]),
        ("6. It grew by 4 %.\n\n7. It cost 5 EUR.", ["It grew by 4 %.", "It cost 5 EUR."]),
        ("a) It grew by 4 %.\nb) It cost 5 EUR.", ["It grew by 4 %.", "It cost 5 EUR."]),
        ("> 1. It grew by 4 %.\n> 2. It cost 5 EUR.", ["It grew by 4 %.", "It cost 5 EUR."]),
    ],
)
def test_a_number_is_a_list_marker_only_where_it_counts(text, claims):
    state = extracted(("assistant", text))
    assert [claim["text"] for claim in state["claims"]] == claims


def test_only_the_assistant_is_checked():
    state = extracted(("system", "Paris is in Spain."), ("user", "Rome is in France."), ("tool", "x is 3."))
    assert state["claims"] == state["non_claims"] == state["branches"] == []


def test_up_to_400_claims_have_a_branch_each_and_more_are_grouped_in_order():
    few = extracted(("assistant", " ".join(f"Number {i} is odd." for i in range(400))))
    assert [len(branch) for branch in few["branches"]] == [1] * 400
    many = extracted(("assistant", " ".join(f"Number {i} is odd." for i in range(1_000))))
    assert len(many["branches"]) == 400
    assert {len(branch) for branch in many["branches"]} == {2, 3}
    assert [claim for branch in many["branches"] for claim in branch] == many["claims"]
    assert all(claim["branch"] == at for at, branch in enumerate(many["branches"]) for claim in branch)


@given(st.integers(0, 3_000), st.integers(1, 400))
def test_grouping_keeps_every_claim_once(count, most):
    groups = grouped([{"text": str(i)} for i in range(count)], most)
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
        ("Version 1.2.3 costs 3.50 EUR, e.g. per month. It is new.", 2),
    ],
)
def test_sentences_are_found_in_many_scripts(text, count):
    assert len(sentences(text)) == count


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("aB1.!? \n-#*|`>。।؟é😀\t:~_()\"'"), max_size=120) | st.text(max_size=120))
def test_no_letter_of_any_text_is_lost_and_no_sentence_overlaps_another(text):
    found = sentences(text)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(s.start < s.end <= len(text) and text[s.start : s.end].strip() for s in found)
    covered = {position for s in found for position in range(s.start, s.end)}
    for at, character in enumerate(text):
        if character.isalnum() and at not in covered:
            assert is_list_marker(text, at), f"lost {character!r} at {at}"


def is_list_marker(text, at):
    """Whether the character at `at` is part of a line's leading `12.`, `a)` or the like."""
    before = "".join(text[:at].splitlines(keepends=True)[-1:]) if at and text[at - 1] not in LINE_ENDS else ""
    after = re.match(r"\S*", text[at:])[0]
    return bool(re.fullmatch(r"[\s>]*\(?(\d{1,3}|[A-Za-z])[.)]", before + after))


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Hello there!", "greeting"),
        ("I hope this helps!", "greeting"),
        ("Let me know if you have any other questions.", "greeting"),
        ("Please restart the router.", "instruction"),
        ("I think it is a great product.", "opinion"),
        ("I don't know.", "abstention"),
        ("I'm sorry, but I cannot confirm that.", "abstention"),
        ("I cannot find information about the price of 5 EUR.", "abstention"),
        ("Key points:", "fragment"),
        ("---", "fragment"),
        ("Here is what you should know before you order a Heron 2.", "fragment"),
        ("Please keep the box until the window has closed.", "instruction"),
        ("In my opinion it makes a lovely present.", "opinion"),
        ("どうですか？", "question"),
        ("Would you like to know more?", "question"),
        ("How high is the tower?", "question"),
        ("Is the tower 5 km high?", "question"),
        ("If I return it within 30 days, do I pay?", "question"),
        ("In which year was it built, 1990 or 1991?", "question"),
        ("The fee, is it 5 EUR?", "question"),
        ("Any questions?", "question"),
        ("Ist der Turm 5 km hoch?", "question"),
        ("Avez-vous 5 minutes ?", "question"),
        ("¿Cuánto mide la torre?", "question"),
        ("塔高多少公里？", "question"),
        ("Какой высоты башня?", "question"),
    ],
)
def test_what_states_nothing_is_set_aside_with_its_reason(sentence, reason):
    assert non_claim_reason(sentence) == reason


@pytest.mark.parametrize(
    "sentence",
    [
        "Please note that the fee is 5 EUR.",
        "I think the refund takes 90 days.",
        "I am not sure, but the refund takes a month.",
        "I don't know the details, however Bob invented it.",
        "Sure, Paris is in Germany.",
        "Use of the service is free.",
        "Here is what you should know: refunds take 90 days.",
        "Please note that Bob was the inventor.",
        "Please pay within 5 days.",
        "Did you know that the moon is made of cheese?",
        "I believe Paris lies in Germany.",
        "Send the form within 90 days.",
        "Contact support@example.com.",
        "他是医生。",
        "Refunds work.",
        "Thanks to Bob the bridge was built.",
        "The tower is 5 km high?",
        "The tower is in Paris?",
        "The tower, which is 5 km high, is new?",
        "The tower is new and is 5 km high?",
        "The tower: is 5 km high?",
        "Isn't the tower 5 km high?",
        "The tower is 5 km high, isn't it?",
        "The tower is 5 km high, right?",
        "The tower is 5 km high: what do you think?",
        "Der Turm ist 5 km hoch?",
        "La tour mesure 5 km ?",
        "塔高5公里？",
    ],
)
def test_in_doubt_a_sentence_is_a_claim(sentence):
    assert non_claim_reason(sentence) is None


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
        "Released 2019",
        "Is it 5 km high?",
        "| Plan | Takes | 2024 |",
    ],
)
def test_a_heading_that_names_what_follows_stays_a_heading(heading):
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
        "| Plan | Refunds take 90 days |",
    ],
)
def test_a_heading_with_a_verb_and_a_fact_is_a_claim(heading):
    assert non_claim_reason(heading, "heading") is None


def test_a_figure_in_a_question_mark_or_a_heading_does_not_escape_beside_a_true_sentence():
    state = extracted(("assistant", "## Refunds take 90 days\n\nThe shop opens at 9. Its tower is 5 km high?"))
    assert [claim["text"] for claim in state["claims"]] == [
        "Refunds take 90 days",
        "The shop opens at 9.",
        "Its tower is 5 km high?",
    ]
