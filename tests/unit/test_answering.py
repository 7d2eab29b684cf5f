"""What answers a question is judged in whatever form it stands, and what only names or greets beside it is not."""

from __future__ import annotations

from typing import Any

import pytest

from gate.agents.extract_claims import extract_claims

TRUE = "Shipping to Norway costs a flat 9 euros."


def read(answer: str, *asked: str) -> dict[str, Any]:
    turns = [{"role": "user", "content": one} for one in asked]
    state: dict[str, Any] = {"transcript": {"turns": [*turns, {"role": "assistant", "content": answer}]}}
    extract_claims(state)
    return state


def judged(answer: str, *asked: str) -> list[str]:
    """The claims of an answer beside a true sentence."""
    return [claim["text"] for claim in read(f"{answer}\n\n{TRUE}", *asked)["claims"][:-1]]


@pytest.mark.parametrize(
    ("question", "answer", "claim"),
    [
        ("Can I pay in bitcoin?", "Yes", "You can pay in bitcoin."),
        ("Can I pay in bitcoin?", "**Accepted**", "Accepted"),
        ("Who founded Larkfield?", "**Tilda Moor**", "Tilda Moor"),
        ("Who founded Larkfield?", "Tilda Moor:", "Tilda Moor:"),
        ("Who founded Larkfield?", "**Tilda Moor.** She sells lamps.", "Tilda Moor."),
        ("Where is Larkfield based?", "Paris", "Paris"),
        ("How many days does a refund take?", "**900**", "900"),
    ],
)
def test_a_heading_or_label_that_comes_first_behind_a_prompt_is_a_claim(question: str, answer: str, claim: str) -> None:
    assert claim in judged(answer, question)
    assert judged("**Tilda Moor**", "Write a page about Larkfield.") == []


@pytest.mark.parametrize("before", ["Who founded Larkfield?", "## Who founded Larkfield?", "The founder is:"])
def test_a_heading_behind_a_question_or_an_open_lead_in_is_a_claim(before: str) -> None:
    assert "Tilda Moor" in judged(f"{before}\n\n**Tilda Moor**")
    assert "Tilda Moor" not in judged("Here is who they are:\n\n**Tilda Moor**")


@pytest.mark.parametrize(
    ("heading", "name"), [("### 900", "### 2024"), ("### Yes", "### Sandals"), ("**No**", "### 1")]
)
def test_a_figure_a_yes_and_a_no_alone_are_no_headings(heading: str, name: str) -> None:
    assert judged(f"## Refund deadline in days\n\n{heading}") == [heading.strip("#* ")]
    assert judged(f"## Refund deadline in days\n\n{name}") == []


@pytest.mark.parametrize(
    "heading",
    [
        "# Returned lamps",
        "# Returned lamps at Larkfield",
        "# Lamps at a glance",
        "## How to send it back",
        "**What you need**",
        "Overview",
    ],
)
def test_a_heading_that_tells_nothing_new_first_behind_a_prompt_is_none(heading: str) -> None:
    assert judged(heading, "How long can lamps be returned?") == []


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("Refund days | 900", None),
        ("Refund days | 5", None),
        ("Vegan | yes", None),
        ("Contains | lead", None),
        ("Founder | Tilda Moor", "unclear"),
        ("Founded in | 1850", None),
        ("Founding year | 1850", "unclear"),
        ("Bitcoin | accepted", "unclear"),
        ("Dogs | forbidden", "unclear"),
        ("Service | Hours per pay period", "heading"),
        ("Setting | Is it allowed?", "question"),
        ("What | Allowed", "heading"),
        ("Basic Plan | Monthly Price", "heading"),
        ("Plan | Price | Monthly Price", "heading"),
    ],
)
def test_the_first_row_of_a_table_of_names_and_values_is_a_claim_or_unread(row: str, reason: str | None) -> None:
    state = read(f"| {row} |\n|{'---|' * (row.count('|') + 1)}\n| Shipping to Norway | flat 9 euros |")
    assert row.replace(" | ", ", ") in [one["text"] for one in state["claims"]] or reason
    assert [one["reason"] for one in state["non_claims"]] == [one for one in (reason,) if one]


def test_a_column_whose_rows_say_yes_or_no_is_headed_by_what_they_say_it_of() -> None:
    state = read("| Coin | Accepted |\n|---|---|\n| Bitcoin | yes |")
    assert [one["reason"] for one in state["non_claims"]] == ["heading"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (["Please tell me whether I can return opened lamps."], "Absolutely!"),
        (["I wonder if opened lamps can be returned."], "Of course!"),
        (["hi can i return opened lamps"], "Of course!"),
        (["hi are opened lamps returnable"], "Definitely."),
        (["I bought it in May, can I return it"], "Sure!"),
        (["Bitcoin accepted?"], "I think so."),
        (["I want to pay in bitcoin."], "Absolutely!"),
        (["Can I return it?", "I bought it in May."], "Absolutely!"),
        (["Tell me whether it is refundable."], "The handbook does not say, but it is refundable."),
    ],
)
def test_a_yes_answers_whatever_a_yes_may_answer(asked: list[str], answer: str) -> None:
    assert judged(answer, *asked) == [answer]


@pytest.mark.parametrize(
    "asked",
    [
        "how long can I keep it",
        "What is it and how does it work",
        "change of address",
        "Write me a letter.",
        "hi can you explain it",
        "Hello!",
        "How do I know whether it is full",
    ],
)
def test_a_yes_to_who_asks_something_else_or_only_greets_is_a_courtesy(asked: str) -> None:
    assert judged("Sure!", asked) == []


def test_a_question_that_was_answered_before_is_asked_no_more() -> None:
    turns = [("user", "Can I return it?"), ("assistant", TRUE), ("user", "How do I do it?"), ("assistant", "Sure!")]
    state: dict[str, Any] = {"transcript": {"turns": [{"role": role, "content": text} for role, text in turns]}}
    extract_claims(state)
    assert [claim["text"] for claim in state["claims"]] == [TRUE]


def test_who_abstains_and_says_whom_to_ask_answers_nothing() -> None:
    assert judged("The handbook doesn't say so, so ask for it.", "Is it refundable?") == []


@pytest.mark.parametrize(
    "between",
    [
        "Q: {}\nA: ",
        "**Q:** {}\n\n**A:** ",
        "{} Great question! ",
        "{} What a great question! ",
        "{}\n\n![](x.png)\n\n",
        "{}\n\n## Answer\n\n",
        "{}\n\nShort answer:\n\n",
    ],
)
@pytest.mark.parametrize("answer", ["Absolutely!", "I think so.", "**Accepted**"])
def test_labels_courtesies_and_images_stand_not_between_a_question_and_its_answer(between: str, answer: str) -> None:
    assert answer.strip("*") in judged(f"{between.format('Is bitcoin accepted?')}{answer}")


@pytest.mark.parametrize("between", ["It is. ", "It is.\n\n![](x.png)\n\n", "We know. Great question! "])
def test_a_courtesy_behind_what_answers_the_question_is_no_answer(between: str) -> None:
    assert "Absolutely!" not in judged(f"Is bitcoin accepted? {between}Absolutely!")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        # a permission
        ("Can I return it?", "Feel free to return it."),
        ("Can I bring my dog?", "Please feel free to bring it."),
        ("Can I drink alcohol with it?", "Enjoy the alcohol!"),
        ("Can I smoke in the room?", "Happy smoking!"),
        ("", "Happy to refund!"),
        ("", "We are glad to refund."),
        ("", "I'd say you can use it every day."),
        # a refusal
        ("", "I can't refund your order."),
        ("", "I can't sell you alcohol."),
        # somebody to ask, of whom something is told
        ("", "You can contact our free lifetime hotline."),
        ("", "Please contact the bankrupt shop."),
        ("", "Please contact the only shop."),
        # what will be, or is of something
        ("", "It will probably take a week."),
        ("", "I think it might take a week."),
        ("", "No need to worry, it's safe with it."),
    ],
)
def test_a_courtesy_or_referral_that_allows_refuses_or_tells_is_a_claim(asked: str, said: str) -> None:
    assert judged(said, *filter(None, [asked])) == [said]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Can I bring my dog?", "Feel free to ask if you have any other questions!"),
        ("Can I bring my dog?", "Enjoy your trip!"),
        ("Write me a page about lamps.", "Feel free to tweak it."),
        ("Can I return lamps?", "Happy to help!"),
        ("", "Welcome to our shop!"),
        ("", "I can't see your order from here."),
        ("", "I can't access your account."),
        ("", "You can contact the manufacturer."),
        ("", "You should contact your landlord or a good lawyer."),
        ("", "I think it is a great idea."),
        ("", "It sounds like a great plan."),
        ("", "You're welcome, it was a pleasure!"),
        ("", "Great, that's it!"),
        ("", "You can find the details below."),
    ],
)
def test_a_courtesy_or_referral_that_only_is_one_is_none(asked: str, said: str) -> None:
    assert judged(said, *filter(None, [asked])) == []


@pytest.mark.parametrize("denial", ["That was an error, sorry!", "Sorry, my mistake.", "It's a typo."])
def test_who_takes_back_what_stands_before_it_denies_it(denial: str) -> None:
    assert judged(f"Refunds take 14 days. {denial}") == ["Refunds take 14 days.", denial]
    assert judged("Refunds take 14 days. Sorry for the mistake in my last message!") == ["Refunds take 14 days."]
