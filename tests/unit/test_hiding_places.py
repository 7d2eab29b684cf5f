"""No place in an answer hides a statement from judgement, and what states nothing beside it is not judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate.agents.extract_claims import extract_claims
from gate.agents.load_transcript import load_transcript
from gate.claims.reading import read_turn
from gate.text.formats.html_elements import UNSHOWN
from tests.quality.reading import snippets

SNIPPETS = Path(__file__).parents[1] / "quality" / "snippets"

Read = tuple[list[str], dict[str, str]]


def read(answer: str, question: str = "") -> dict[str, Any]:
    turns = [{"role": "user", "content": question}] if question else []
    state: dict[str, Any] = {"transcript": {"turns": [*turns, {"role": "assistant", "content": answer}]}}
    extract_claims(state)
    return state


def claims_of(answer: str, question: str = "") -> list[str]:
    return [claim["text"] for claim in read(answer, question)["claims"]]


HIDDEN = [
    # a title, which a page shows when one points at it
    ('See [the guide](a.md "Refunds take 900 days").', "Refunds take 900 days"),
    ('![](a.png "Refunds take 900 days")', "Refunds take 900 days"),
    ("See [tern].\n\n[tern]: a.md 'Tern is banned in France'", "Tern is banned in France"),
    ('It weighs [200 g](a.md "900").', "900"),
    ('It costs <abbr title="1.900">20 euros</abbr>.', "1.900"),
    ('```python title="Refunds take 900 days"\nx = 1\n```', "Refunds take 900 days"),
    # a character by its number
    ("<p>&#82;efunds take &#57;00 days</p>", "Refunds take 900 days"),
    # a statement beside an abstention
    ("Larkfield never refunds anyone, and the handbook does not explain why.", "Larkfield never refunds anyone"),
    ("The handbook does not say when it opens, and the shop is in Berlin.", "the shop is in Berlin"),
    ("The text does not say when the mill in Berlin burned down.", "the mill in Berlin burned down"),
    # words of lacking that deny no source
    ("Tern is open source software.", "Tern is open source software."),
    ("Tern is open source and includes a debugger.", "Tern is open source and includes a debugger."),
    ("Access to the article is limited to subscribers.", "Access to the article is limited to subscribers."),
    ("A refund is impossible without the document.", "A refund is impossible without the document."),
    ("The source code is missing tests.", "The source code is missing tests."),
    # who is unable to do something, or gives something not, is no speaker who cannot tell
    ("Corvex is unable to refund.", "Corvex is unable to refund."),
    ("We are unable to deliver to Norway.", "We are unable to deliver to Norway."),
    ("I don't provide refunds.", "I don't provide refunds."),
    ("Unable to provide a refund.", "Unable to provide a refund."),
    ("It is impossible to give a refund to students.", "It is impossible to give a refund to students."),
    ("It is hard to say why the Pell was banned in Norway.", "the Pell was banned in Norway"),
    ("There is no information desk in the station.", "There is no information desk in the station."),
    ("I don't know anyone whose parcel sank twice.", "I don't know anyone whose parcel sank twice."),
    ("Kind regards\nRefunds Take Ages", "Refunds Take Ages"),
    # a lead-in that asserts
    ("Here are the lamps the court forbade:\n\n1. Pell", "the lamps the court forbade"),
    ("You can return it after 900 days:\n\n- by post", "You can return it after 900 days:"),
    ("There is no refund for:\n\n- lamps", "There is no refund for:"),
    ("There is no refund for:\n\n- lamps", "lamps"),
    # a question that asserts
    ("Can you believe Moor won?", "Moor won"),
    ("Can you believe refunds take 90 days?", "refunds take 90 days"),
    ("Would you believe that refunds take 90 days?", "refunds take 90 days"),
    ("Could anyone have guessed the moon is cheese?", "the moon is cheese"),
    ("What else, apart from the recall of 2023, would you like to know?", "the recall of 2023"),
    ("Refunds are never given – what else?", "Refunds are never given – what else?"),
    ("Lamps can be returned: why not?", "Lamps can be returned: why not?"),
    ("Lamps can be returned; what about that?", "Lamps can be returned; what about that?"),
    ("As lamps can be returned, why wait?", "As lamps can be returned, why wait?"),
    ("If lamps can be returned like kettles, why wait?", "If lamps can be returned like kettles, why wait?"),
    ("With bitcoin accepted in Norway, how can you lose?", "With bitcoin accepted in Norway, how can you lose?"),
    ("We take bitcoin… how nice is that?", "We take bitcoin… how nice is that?"),
    # a courtesy that grants what is asked before it
    ("Can I return a lamp? Anytime!", "Anytime!"),
    ("Can I pay in bitcoin?\n\nPlease do!", "Please do!"),
    ("Do you take cheques?\n\nWith pleasure!", "With pleasure!"),
    ("Can I return a lamp? Happy to help!", "Happy to help!"),
    ("Bitcoin? Of course!", "Of course!"),
    ("Are you open at night? Anytime!", "Anytime!"),
    # in a list of sources, and below a letter
    ('Sources:\n\n- "Lamps can be returned and are free" (2026)', '"Lamps can be returned and are free" (2026)'),
    ("Sources:\n\n- Moor (2026). “Refunds take 90 days.”", "“Refunds take 90 days.”"),
    ("Source: Bitcoin Accepted Worldwide", "Bitcoin Accepted Worldwide"),
    ("Sources:\n\n- Larkfield Accepts Bitcoin", "Larkfield Accepts Bitcoin"),
    ("Sources:\n\n- Refunds Impossible", "Refunds Impossible"),
    ("Thanks,\nLamps Fully Refundable", "Lamps Fully Refundable"),
    ("Kind regards,\nTilda Moor\nBitcoin Accepted", "Bitcoin Accepted"),
    # a heading that begins with a person, a tick in the head of a table
    ("**We take bitcoin**\n\nAsk us.", "We take bitcoin"),
    ("## You may pay with bitcoin\n\nAsk us.", "You may pay with bitcoin"),
    ("| Bitcoin | ✅ |\n|---|---|\n| Cheques | ❌ |", "Bitcoin, ✅"),
    # a heading that stands over nothing
    ("Accepted payments:\n\n**Bitcoin**\n\n**Cheques**", "Bitcoin"),
    ("Accepted payments:\n\n**Bitcoin**\n\n**Cheques**", "Cheques"),
    ("## Accepted payments\n\n### Bitcoin\n\n### Visa\n\nAsk us.", "Bitcoin"),
    ("Ask us.\n\n**Free shipping worldwide**", "Free shipping worldwide"),
    ("Can I pay in bitcoin? 👍🏽 Thanks!", "👍🏽 Thanks!"),
    ("Can I pay in bitcoin? Thanks for asking, anytime!", "Thanks for asking, anytime!"),
    # what a note in brackets would take out of a sentence
    ("Lamps can be returned within 【90】 days.", "Lamps can be returned within 【90】 days."),
    # a word that answers a question
    ("Is it dangerous?\n\nVery", "Very"),
    # a heading that asserts
    ("# How refunds never arrive", "How refunds never arrive"),
    ("Refunds never arrive\n---\n\nAsk us.", "Refunds never arrive"),
    ("## Are the batteries replaceable? Of course\n\nAsk us.", "Are the batteries replaceable? Of course"),
    ("## Waterproof? Yes\n\nAsk us.", "Waterproof? Yes"),
    ("## Waterproof: sure\n\nAsk us.", "Waterproof: sure"),
    ("## Batteries can be replaced\n\nAsk us.", "Batteries can be replaced"),
    ("| Is it waterproof? Yes |\n|---|\n| Ask us. |", "Is it waterproof? Yes"),
    ("Is it waterproof?\n\nAnswer: sure", "Answer: sure"),
    # glued to an address by what is drawn as a blank, or behind it without one
    ("https://x.example/\u2800Refunds\u2800are\u2800never\u2800given.", "Refunds\u2800are\u2800never"),
    ("https://x.example/\u3164Refunds\u3164are\u3164never\u3164given.", "Refunds\u3164are\u3164never"),
    ("https://x.example。退款需要九百天。", "退款需要九百天"),
    ("https://x.example/退款需要九百天", "退款需要九百天"),
    ("https://x.example退款需要九百天", "退款需要九百天"),
    ("It is old (https://x.example/\u2800Refunds\u2800never).", "Refunds\u2800never"),
    ("Sources:\n\n- Refunds\u3164are\u3164never.md", "Refunds\u3164are\u3164never"),
    # what looks like a mark of a chat template
    ("<|refunds take 900 days|>", "refunds take 900 days"),
    ("<|900|>", "900"),
    ("Return it within <|90|> days.", "Return it within <|90|> days."),
    ("Return it within 30<|0|> days.", "Return it within 30<|0|> days."),
    ("Return it within          <|token_90|>  <|end|>          days.", "Return it within <|token_90|> <|end|> days."),
    ("Lamps are <|user return file|> sold.", "Lamps are <|user return file|> sold."),
    ("Refunds are<|end|>never given.", "Refunds are<|end|>never given."),
    # what a page shows of a tag
    ("![Refunds take 900 days](x.png)", "Refunds take 900 days"),
    ('<img src="a.png" alt="Refunds take 900 days">', "Refunds take 900 days"),
    ('See <img src="a.png" title="Refunds take 900 days"> here.', "Refunds take 900 days"),
    ('<iframe srcdoc="Refunds take 900 days."></iframe>', "Refunds take 900 days."),
    ('<input value="Refunds take 900 days">', "Refunds take 900 days"),
    ('<input placeholder="Refunds take 900 days">', "Refunds take 900 days"),
    ('<option value="1" label="Refunds take 900 days">', "Refunds take 900 days"),
    ("<select><option>Refunds take 900 days</option></select>", "Refunds take 900 days"),
    ("<a onclick=\"say('refunds take 900 days')\">here</a>", "refunds take 900 days"),
    # what no page takes for a tag
    ("<?x refunds never arrive ?>", "refunds never arrive"),
    ("Hi <?x refunds never arrive ?> there", "refunds never arrive"),
    ("<![CDATA[refunds never arrive]]>", "refunds never arrive"),
    ("<!DOCTYPE refunds never arrive>", "refunds never arrive"),
    ("<refunds never arrive>", "refunds never arrive"),
    ("<b refunds never arrive>ever</b>", "refunds never arrive"),
    ("Refunds <never> arrive.", "Refunds <never> arrive."),
    ("<think>\nRefunds never arrive.\n</think>\nHi!", "Refunds never arrive."),
    ("<s>Refunds never arrive.</s>", "Refunds never arrive."),
    # around what is crossed out
    ("Refunds ~~never~~ arrive. Refunds <del>do not</del> cost 5 euros.", "Refunds arrive."),
    ("Refunds ~~never~~ arrive. Refunds <del>do not</del> cost 5 euros.", "Refunds cost 5 euros."),
    ("| Lamp | Price |\n|---|---|\n| Pell | ~~25~~ 18 euros |", "Pell, 18 euros"),
]


@pytest.mark.parametrize(("answer", "claim"), HIDDEN)
def test_a_statement_is_a_claim_wherever_it_stands(answer: str, claim: str) -> None:
    assert any(claim in text for text in claims_of(answer))


def test_a_title_that_is_the_number_of_its_source_is_no_claim() -> None:
    assert claims_of('It is red [1](https://a.org "1") and round [2](https://b.org "2").') == ["It is red and round."]
    assert claims_of('It is red ([Smith](https://a.org "2024-01-01")).') == ["It is red."]


@pytest.mark.parametrize(
    ("shown", "title"), [("1900 g", "900"), ("1,900 g", "900"), ("2014", "14"), ("14.5 days", "14"), ("1 900 g", "900")]
)
def test_a_title_that_is_a_part_of_the_figure_shown_is_another_figure(shown: str, title: str) -> None:
    assert title in claims_of(f'It was [{shown}](https://a.org "{title}").')
    assert title not in claims_of(f'It was [{title} g](https://a.org "{title}").')


HONEST = [
    ("**Lamps**\n\n**Pell**\n\nIt is old.", "heading"),
    ("# Lamps\n\n## Pell\n\nIt is old.", "heading"),
    ("## Pell\n\n![](pell.png)\n\nIt is old.", "heading"),
    ("About your order – is it a lamp?", "question"),
    ("If the lamp breaks, can I return it?", "question"),
    ("If you have other questions, what are they?", "question"),
    ("As a member, what do I pay?", "question"),
    ("# We and the sea", "heading"),
    ("# You and Your Rights", "heading"),
    ("Sources:\n\n- United Nations, Frequently Asked Questions", "sources"),
    ("Sources:\n\n- Moor Limited, updated in May", "sources"),
    ("https://x.example/Köln?a=(b)&c=%20#d", "sources"),
    ("https://x.example:8080", "sources"),
    ("About gift cards and vouchers, the handbook says nothing.", "abstention"),
    ("The text does not mention refunds, exchanges or what they cost.", "abstention"),
    ("I have looked, and I cannot find any information about it.", "abstention"),
    ("The passages are missing this information.", "abstention"),
    ("It is impossible to say from the text how long refunds take.", "abstention"),
    ("Can you imagine?", "question"),
    ("Take care!", "greeting"),
    ("Would you believe it?", "question"),
    ("# How refunds work", "heading"),
    ("# How not to worry", "heading"),
    ("# Need help? Call us", "heading"),
    ("# Things you should know", "heading"),
    ("# Is it waterproof?", "question"),
    ("Background\n\nIt is old.", "heading"),
    ("<|start_header_id|>assistant<|end_header_id|>", "template"),
    ("<|reserved_special_token_0|>", "template"),
    ("<answer>\nIt is old.\n</answer>", "template"),
    ("<|start|>assistant<|channel|>final<|message|>It is old.<|return|>", "template"),
    ("It is old.<!-- checked by Ada -->", "markup"),
    ('<b class="price tag big" inert>Hello!</b>', "greeting"),
]


@pytest.mark.parametrize(("answer", "reason"), HONEST)
def test_what_states_nothing_is_set_aside(answer: str, reason: str) -> None:
    assert read(answer)["non_claims"][0]["reason"] == reason


def test_a_courtesy_or_a_sign_behind_an_offer_answers_nothing() -> None:
    assert claims_of("It is old. Would you like to know more? Happy to help! 👍") == ["It is old."]
    assert claims_of("It is old. Any other questions? Anytime! ✅") == ["It is old."]
    assert read("It is old. How can I help? 😊")["reading"]["unread"] == 0


def test_a_word_that_answers_what_the_user_asked_is_a_claim() -> None:
    assert claims_of("Anytime!", "Is it allowed to return a lamp?") == ["Anytime!"]
    assert claims_of("Happy to help! It is old.", "Is it allowed to return a lamp?") == ["It is old."]
    assert claims_of("Always", "Does it contain lead?") == ["Always"]
    assert claims_of("Red", "What colour is it?") == ["Red"]
    assert claims_of("Background\n\nIt is old.", "What is its history?") == ["It is old."]


def test_a_mark_behind_a_full_stop_belongs_to_the_sentence_before_it() -> None:
    state = read("It costs nothing.[^1] Repairs cost 18 euros.[^2][^3]\n\n[^1]: Handbook")
    assert [(claim["text"], claim["cites"]) for claim in state["claims"]] == [
        ("It costs nothing.", ["1"]),
        ("Repairs cost 18 euros.", ["2", "3"]),
    ]


def test_a_tag_within_a_line_sets_nothing_apart() -> None:
    assert claims_of("<p>The shop opens at <b>nine</b>.</p>") == ["The shop opens at nine."]


UNREAD = [
    # signs that answer without a word
    ("Can I pay in bitcoin? ✅", "unclear", "✅"),
    ("Are you open on Sundays? ✅", "unclear", "✅"),
    ("Do you have a lifetime warranty? 👍", "unclear", "👍"),
    ("Do you need a licence? ❌", "unclear", "❌"),
    ("Any fees? ❌", "unclear", "❌"),
    ("Can I pay in bitcoin?\n\n👍", "unclear", "👍"),
    ("| Visa | Bitcoin |\n|---|---|\n| ✅ | ● |", "unclear", "✅ | ●"),
    ("![](desk.png)", "image", "desk.png"),
    ("![The desk](desk.png)", "image", "desk.png"),
    ("![The desk][1]\n\n[1]: desk.png", "image", "!"),
    ('<img src="desk.png" alt="">', "image", "desk.png"),
    ("<video controls><source></video>", "image", "video"),
    ("It is <span hidden>not</span> free.", "image", "hidden"),
    ('It is <span style="display:none">not</span> free.', "image", 'style="display:none"'),
    ("It is <b style='color:red; font-size: 0'>not</b> free.", "image", "style='color:red; font-size: 0'"),
    ("It is <b style='color: transparent'>not</b> free.", "image", "style='color: transparent'"),
    ("<div hidden>\n\nIt is free.\n\n</div>", "image", "hidden"),
    ('It takes:\n\n<ol start="42"><li>weeks</ol>', "image", 'start="42"'),
    ("<ul><li value=42>weeks it takes</ul>", "image", "value=42"),
    ('<progress value="0.9"></progress> of all lamps burn.', "image", 'value="0.9"'),
    *((f"It is <{name}>not</{name}> free.", "image", name) for name in sorted(UNSHOWN)),
    # what some windows show without a word that others show
    ("It is ~not~ free.", "struck", "not"),
    ("It is ~~~not~~~ free.", "image", "~~~"),
    ("It is n\u0336o\u0336t\u0336 free.", "image", "\u0336"),
    ("It weighs 140\u0338 grams.", "image", "\u0338"),
    (r"It is $\cancel{\text{not}}$ free.", "image", r"\cancel"),
    (r"It is $\phantom{not}$ free.", "image", r"\phantom"),
    (r"$\def\not{}$ It is $\not$ free.", "image", r"\def"),
    # commands of formulae that show one text out of several, or none of it, and their comments
    (r"It is $\mathchoice{}{}{not}{not}$ free.", "image", r"\mathchoice"),
    (r"It is \(\TextOrMath{not}{}\) free.", "image", r"\TextOrMath"),
    (r"It is $\href{not}{}$ free.", "image", r"\href"),
    (r"It is $\iffalse not\fi$ free.", "image", r"\iffalse"),
    ("It is $%not\n$ free.", "image", "%"),
    ("It is $$\n%not\n$$ free.", "image", "%"),
    ("It is <not> free.", "image", "<not>"),
    ("It is </not> free.", "image", "</not>"),
    ("It is <!not> free.", "image", "<!not>"),
    ("<div>It is <not> free.</div>", "image", "<not>"),
    ('It is <x-y style="display:none">not</x-y> free.', "image", '<x-y style="display:none">'),
    ("It is <span popover>not</span> free.", "image", "popover"),
    # letters that may have the colour of the page
    ('It is <font color="white">not</font> free.', "image", 'color="white"'),
    ('It is <b style="color:#fff">not</b> free.', "image", 'style="color:#fff"'),
    ('It is <b style="color: #c000">not</b> free.', "image", 'style="color: #c000"'),
    ('It is <b style="color:black">not</b> free.', "image", 'style="color:black"'),
    (
        'It is <b style="color:red;background-color:red">not</b> free.',
        "image",
        'style="color:red;background-color:red"',
    ),
    ("<script>Refunds take 900 days</script>", "code", "Refunds take 900 days"),
    ("Refunds ~~never~~ arrive.", "struck", "never"),
    ("~~Refunds arrive.~~", "struck", "Refunds arrive."),
    ("It is <s>free</s> cheap.", "struck", "free"),
    ("<p>It is <del>free <s>or</s> gratis</del> cheap.</p>", "struck", "free <s>or</s> gratis"),
]


@pytest.mark.parametrize(("answer", "reason", "text"), UNREAD)
def test_what_nobody_can_look_at_or_is_crossed_out_is_unread(answer: str, reason: str, text: str) -> None:
    state = read(answer)
    assert (reason, text) in [(one["reason"], one["text"]) for one in state["non_claims"]]
    assert state["reading"]["unread"] >= len("".join(text.split("<s>")[0].split()))


@pytest.mark.parametrize("answer", ["It is 1<sup>40</sup> grams.", "<p>It is 1<sup>40</sup> grams.</p>"])
def test_a_raised_figure_is_no_part_of_the_figure_before_it(answer: str) -> None:
    assert claims_of(answer) == ["It is 1⁴⁰ grams."]


@pytest.mark.parametrize(
    "answer",
    [
        "It takes ~5 to ~10 minutes.",
        "Look at ~/a and ~/b.",
        "As <think>it is free</think>.",
        r"The area is $\pi r^2 \approx \frac{22}{7} \cdot \text{r}^2$, or \(50\%\) of $40\%$.",
        r"It costs $10, 5% less than $12, and 7% less than US$ 14 or R$ 15.",
        r"Open C:\Users\larkfield\manual.pdf, or run `\mathchoice` for $5 or $7.",
        "It is a \u2260 b, or =\u0338.",
        '<font color="red">It is free.</font>',
        "It is m<sup>2</sup>, and free.<sup>1</sup>",
    ],
)
def test_what_every_window_shows_is_read(answer: str) -> None:
    assert not read(answer)["reading"]["unread"]


def test_a_style_that_hides_nothing_leaves_a_text_read() -> None:
    state = read('It is <b style="color: #c00; font-weight: bold;">not</b> free.')
    assert [claim["text"] for claim in state["claims"]] == ["It is not free."]
    assert not state["reading"]["unread"]


def of_parts(*texts: str, **message: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text} for text in texts]
    record = {"messages": [{"role": "assistant", "content": content, **message}]}
    state: dict[str, Any] = {"submission": {"name": "a.json", "text": json.dumps(record)}}
    load_transcript(state)
    extract_claims(state)
    return state


@pytest.mark.parametrize(
    ("texts", "claims"),
    [
        (["```\nx = y[3]", "Refunds take 900 days."], ["Refunds take 900 days."]),
        (["```\nx = y[3]", "refunds take 900 days."], ["refunds take 900 days."]),
        (["It is <!-- old", "refunds --> never arrive."], ["It is <!", "refunds --> never arrive."]),
        (["<div>", "refunds never arrive </div>"], ["refunds never arrive"]),
        (["- It is old", "# Refunds never arrive"], ["It is old", "Refunds never arrive"]),
        (["[a]:", "refunds"], ["refunds"]),
        (["The fee is ", "5 EUR", " a month, says ", "Dr Moor", "."], ["The fee is 5 EUR a month, says Dr Moor ."]),
        (["It costs 5 EUR. ", "It is old."], ["It costs 5 EUR.", "It is old."]),
        (["It is old, and", "- not new"], ["It is old, and", "not new"]),
        (["- ", "It is old", "\n- ", "it is new"], ["It is old", "it is new"]),
    ],
)
def test_each_part_of_a_message_is_read_by_itself_unless_its_sentence_goes_on(
    texts: list[str], claims: list[str]
) -> None:
    state = of_parts(*texts)
    assert [claim["text"] for claim in state["claims"]] == claims
    text = state["transcript"]["turns"][0]["content"]
    for claim in state["claims"]:
        assert "".join(text[claim["start"] : claim["end"]].split()) == "".join(claim["text"].split())


def test_the_images_of_a_message_are_not_read_and_shown() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    state = of_parts("It is old.", images=[image])
    assert [(one["kind"], one["shown"]) for one in state["transcript"]["not_read"]] == [("images", True)]
    assert state["has"]["unread"]
    assert not of_parts("It is old.", images=[])["has"]["unread"]


@pytest.mark.parametrize(
    ("half", "count"),
    [
        ("develop", 60),
        ("kept_apart", 60),
        ("shapes_develop", 40),
        ("shapes_kept_apart", 32),
        ("chat_develop", 40),
        ("chat_kept_apart", 40),
        ("colon_develop", 20),
        ("colon_kept_apart", 20),
        ("untruth", 72),
        ("headings", 72),
    ],
)
def test_no_snippet_of_an_answer_hides_a_statement(half: str, count: int) -> None:
    rows = (SNIPPETS / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    found = list(snippets(json.loads(row) for row in rows))
    assert len(found) == count
    assert not [(row["id"], wrong) for row, wrong in found if any("hidden" in one for one in wrong)]


DENIED = [
    # a sentence that does no more than to deny the one before it
    ("Refunds take 14 days. {}", "That is wrong.", "That is great."),
    ("Refunds take 14 days. {}", "Sorry, wrong!", "Hope that helps!"),
    ("Refunds take 14 days. {}", "Not really.", "I may be wrong."),
    ("Refunds take 14 days. {}", "I don't think so.", "Correct me if I'm wrong."),
    ("Refunds take 14 days.\n\n{}", "No way!", "Enjoy!"),
    ("Refunds take 14 days.\n\n{}", "I take that back.", "I hope that helps."),
    ("Refunds take 14 days. {}", "Sorry for the error above.", "Sorry for the delay."),
    ("Refunds take 14 days. {}", "I apologize for the mistake above.", "I apologize for the confusion."),
    ("Refunds take 14 days. {}", "Or so they say.", "Have a good day!"),
    ("Refunds take 14 days. {}", "Perhaps not.", "Perhaps that helps."),
]


@pytest.mark.parametrize(("answer", "denial", "courtesy"), DENIED)
def test_a_sentence_that_denies_the_one_before_it_is_no_opinion(answer: str, denial: str, courtesy: str) -> None:
    assert denial in claims_of(answer.format(denial))
    assert claims_of(answer.format(courtesy)) == ["Refunds take 14 days."]


UNTRUE = [
    ("# {}\n\n- Refunds take 14 days.", "Myths", "Facts"),
    ("# {}\n\n## Refunds\n\nRefunds take 14 days.", "Common misconceptions", "Common questions"),
    ("## {}\n\nRefunds take 14 days.", "Wrong", "What went wrong"),
    ("**{}:**\n\n- Refunds take 14 days.", "Not true", "True"),
    ("{}:\n\n- Refunds take 14 days.", "In your dreams", "In your shop"),
    ("{}:\n\n- Refunds take 14 days.", "If only this were so", "If this is so"),
    ("**{}:**\n\nRefunds take 14 days.", "False", "Good to know"),
    ("{}\n\nRefunds take 14 days.", "Misinformation", "Information"),
    ("{}:\n\n1. Refunds take 14 days.", "Here are some lies", "Here are some facts"),
    ("{}:\n\n- Refunds take 14 days.", "Things you should never believe", "Things you should always know"),
    ("{}:\n\n- Refunds take 14 days.", "Never be fooled by the following", "Always look for the following"),
    ("{}:\n\n- Refunds take 14 days.", "One common misconception is", "The misconception was due to"),
    ("{}:\n\n- Refunds take 14 days.", "A myth that people tell", "The myth likely arose from facts"),
    ("{}:\n\n- Refunds take 14 days.", "This is a misconception", "Here's why this is a misconception"),
    ("{}:\n\n- Refunds take 14 days.", "Competitors claim, wrongly", "Competitors claim, with good reason"),
    ("{}:\n\n- Refunds take 14 days.", "It is not true that", "It is good to know that"),
    ("{}:\n\n- Refunds take 14 days.", "None of this is true", "If none of this is true"),
    ("{}:\n\n- Refunds take 14 days.", "This isn't true", "This is true"),
    ("{}:\n\n- Refunds take 14 days.", "The opposite of the following is true", "The following is true"),
    ("{}\n\n- Refunds take 14 days.", "# Facts\n\n# Fiction", "# Novels\n\n# Fiction"),
    ("{}\n\n- Refunds take 14 days.", "Which of these is a lie?", "Is that a myth?"),
    ("<details><summary>{}</summary>Refunds take 14 days.</details>", "False", "Refunds"),
    ("| {} |\n|---|\n| Refunds take 14 days. |", "Myth", "Fact"),
    ("- {}:\n  - Refunds take 14 days.", "Myths about refunds", "All about refunds"),
    ("# {}\n\nRefunds take 14 days.", "Falsch", "Fakten"),
    ("{} Refunds take 14 days.", "❌", "✅"),
    ("- {} Refunds take 14 days.", "🚫", "👍"),
    ("Refunds take 14 days. {}", "👎", "👍"),
    ("Refunds take 14 days {}", ":x:", ":white_check_mark:"),
    ("{}:\n\n- ❌ Refunds take 14 days.", "Statements", "Cons"),
]


@pytest.mark.parametrize(("answer", "untrue", "true"), UNTRUE)
def test_what_stands_under_a_word_or_sign_of_untruth_is_judged_as_untrue(answer: str, untrue: str, true: str) -> None:
    for title, leads in ((untrue, ["Untrue:"]), (true, [None])):
        found = [claim.get("lead") for claim in read(answer.format(title))["claims"] if "efunds" in claim["text"]]
        assert found[-1:] == leads


UNCLEAR = [
    # beneath a title: what may be the falsehood that it names, or may be the truth that is told of it
    ("# {}\n\n- Refunds are never paid in cash.", "Myths", "Facts"),
    ("# Myths\n\n- Shops pay at once. {} refunds take 14 days.", "So", "In reality,"),
    ("# Myths\n\n- Shops pay at once.\n\n{} refunds take 14 days.", "Now", "In summary,"),
    ("# Myths\n\n- Shops pay at once.\n  - {}: refunds take 14 days.", "As they say", "The truth"),
    ("**{}:**\n\nShops pay at once.\n\nRefunds take 14 days.", "Myth", "Tip"),
    ("# {}\n\n- People think that refunds take 14 days.", "Misconceptions", "Experiences"),
    ('# {}\n\n- "Refunds take 14 days" stands on a page.', "Lies", "Letters"),
    ("# {}\n\nRefunds take 14 days.", "The Myth of Refunds", "The History of Refunds"),
    ("{}:\n\n- Refunds take 14 days.", "The hoax", "Factors behind the hoax"),
    ("{}:\n\n- Refunds take 14 days.", "Let's clear up a misconception", "Let's explain how a misconception arose"),
    ("| {} | Fact |\n|---|---|\n| Refunds take 14 days. | 30 |", "Myth", "Rule"),
    ("# {}\n\n### Shops are shut in May\n\nRefunds take 14 days.", "Myths", "Questions"),
]


@pytest.mark.parametrize(("answer", "title", "plain"), UNCLEAR)
def test_what_may_be_told_or_denied_by_its_title_is_unread(answer: str, title: str, plain: str) -> None:
    for text, reasons in ((title, ["unclear"]), (plain, [])):
        state = read(answer.format(text))
        found = [one["reason"] for one in state["non_claims"] if "efunds" in one["text"] and one["text"] != text]
        assert [reason for reason in found if reason != "heading"] == reasons
        assert bool(state["reading"]["unread"]) == bool(reasons)


@pytest.mark.parametrize(
    "answer",
    [
        "# Myth\n\nShops pay at once.\n\nIn fact, shops wait.\n\nRefunds take 14 days.",
        "# The Refund Hoax\n\n- Shops pay at once.\n\n**Terms:**\n\n- Refunds take 14 days.",
    ],
)
def test_what_a_title_calls_untrue_ends_with_the_truth_or_with_the_next_title(answer: str) -> None:
    assert [claim.get("lead") for claim in read(answer)["claims"] if "efunds" in claim["text"]] == [None]


def test_what_a_lead_in_refuses_is_judged_together_with_it() -> None:
    claims = read("The shop refused to:\n\n- pay refunds in cash")["claims"]
    assert [claim.get("lead") for claim in claims][-1:] == ["The shop refused to:"]


@pytest.mark.parametrize(
    ("title", "lead"),
    [
        ("Old policy", "Old policy:"),
        ("Previous terms (2019)", "Previous terms (2019):"),
        ("Old town", None),
        ("Abolished", "Abolished:"),
        ("Until last year", "Until last year:"),
        ("Deprecated", None),
        ("Before you go", None),
    ],
)
def test_what_stands_under_a_title_of_the_past_is_judged_with_it(title: str, lead: str | None) -> None:
    claims = read(f"## {title}\n\nRefunds take 14 days.\n\n## New\n\nRefunds take 30 days.")["claims"]
    assert [claim.get("lead") for claim in claims] == [lead, None]


@pytest.mark.parametrize(
    ("answer", "leads"),
    [
        ("Old policy:\n- Refunds take 14 days.\n- Returns take 3 days.", ["Old policy:", "Old policy:"]),
        ("Old policy:\n\n- Refunds take 14 days.\n\nReturns take 3 days.", ["Old policy:", None]),
        ("Old policy:\n\nRefunds take 14 days.\n\nReturns take 3 days.", ["Old policy:", None]),
        ("**Old policy**\n\nRefunds take 14 days.", ["Old policy:"]),
        ("- Old policy:\n  - Refunds take 14 days.\n- Returns take 3 days.", ["Old policy:", None]),
        # its own label stays in its text
        ("Old policy:\nRefunds take 14 days.", [None]),
        ("Old policy:\n\n- Refunds take 14 days. Returns take 3 days.", ["Old policy:", "Old policy:"]),
        ("| Article | Old price |\n|---|---|\n| Lamp, given back | 14 EUR |", [None]),
    ],
)
def test_a_lead_in_a_label_or_an_item_of_the_past_is_such_a_title(answer: str, leads: list[str | None]) -> None:
    assert [claim.get("lead") for claim in read(answer)["claims"]] == leads


def test_a_sign_agrees_with_what_denies_something_by_itself_and_counts_for_no_row_of_several() -> None:
    for answer in ("❌ Refunds are not paid in cash.", "| a | b | c |\n|---|---|---|\n| Refunds, paid | ❌ | ✅ |"):
        assert not any("lead" in claim for claim in read(answer)["claims"])


LONG = (
    "Refunds for members who sent their lamp back to the shop in which it was bought are paid in fourteen days. " * 200
)

COVERED = [
    # marks of one window, and what is no such mark
    ("Batteries are ||{}|| replaceable.", "Refunds || returns take 14 days."),
    ("Batteries are >!{}!< replaceable.", "Refunds take 14 days!"),
    ("Batteries are %%{}%% replaceable.", "Refunds take 14 days in 100 % of cases, 100 % of the time."),
    ("Batteries are {{--{}--}} replaceable.", "Refunds take {{14}} days."),
    ("Batteries are {{>>{}<<}} replaceable.", "Refunds take 14 -- yes, 14 -- days."),
    ("Batteries are {{# {} #}} replaceable.", "Refunds take 14 days, says note #3 of #4."),
    ("Batteries are {{% comment %}}{}{{% endcomment %}} replaceable.", "Refunds take 14 days (100%)."),
    ("Batteries are {{/* {} */}} replaceable.", "Refunds take `{{/* {} */}}` days."),
    ('Batteries are {{false && "{}"}} replaceable.', "Refunds take 14 days & more."),
    ("Batteries are &lt;!--{}--&gt; replaceable.", "Refunds take &lt; 15 days."),
    ("Batteries are [s]{}[/s] replaceable.", "Batteries are [b]{}[/b] replaceable."),
    ("Batteries are [color=white]{}[/color] replaceable.", "Refunds take 14 days [1]."),
    ("Batteries are -{}- replaceable.", "The up-to-date, state-of-the-art lamp weighs -148 to -150 grams."),
    ("Batteries are +{}+ replaceable.", "C++ and A+ lamps weigh 148 grams."),
    ("Batteries are [[{}|fully]] replaceable.", "Refunds [[take]] 14 days."),
    ("Batteries are :del[{}] replaceable.", "Batteries are :red[{}] replaceable."),
    (":::hidden\nBatteries are {} replaceable.\n:::", ":::note\nBatteries are {} replaceable.\n:::"),
    ("Batteries are [{}]{{.sr-only}} replaceable.", "Batteries are [{}]{{.strong}} replaceable."),
    ("Batteries are *{}*{{: .hidden}} replaceable.", "Batteries are *{}*{{: .big}} replaceable."),
    ("Batteries are :strike:`{}` replaceable.", "Batteries are :code:`{}` replaceable."),
    ("Batteries are [line-through]#{}# replaceable.", "Refunds take 14 days [see #3]."),
    ("Refunds take :nine::zero: days.", "Refunds take 14 days :tada:"),
    ("Batteries are replaceable <wbr {} after 2026.", "Refunds take <15 days."),
    # a tag whose style hides it
    ('Batteries are <span class="sr-only">{}</span> replaceable.', 'Batteries are <b class="note">{}</b> replaceable.'),
    ('Batteries are <i class="md:hidden x">{}</i> replaceable.', 'Batteries are <i class="overflow-hidden">{}</i> so.'),
    (
        'Batteries are <i class="text-white">{}</i> replaceable.',
        'Batteries are <i class="bg-white">{}</i> replaceable.',
    ),
    ('Batteries are <i class="w-0 h-0">{}</i> replaceable.', 'Batteries are <i class="w-10">{}</i> replaceable.'),
    ("Batteries are <ruby>{}<rt>fully</rt></ruby> replaceable.", "Batteries are <small>{}</small> replaceable."),
    # what is read as it is written
    (f"{'> ' * 45}Batteries are ~~{{}}~~ replaceable.", f"{'> ' * 45}Batteries are {{}} replaceable."),
    (f"{LONG}Batteries are <!--{{}}--> replaceable.", f"{LONG}Batteries are {{}} replaceable."),
]


@pytest.mark.parametrize(("answer", "plain"), COVERED)
def test_what_one_window_shows_without_its_words_is_unread_and_nothing_else_is(answer: str, plain: str) -> None:
    for text, is_unread in ((answer, True), (plain, False)):
        assert bool(read(text.format("not"))["reading"]["unread"]) == is_unread


@pytest.mark.parametrize(
    "fence",
    [
        "```text Refunds are never given.",
        "~~~Refunds\u00a0are never given",
        "```Lamps contain lead",
        "```text 退款需要九百天",
    ],
)
def test_a_sentence_on_the_line_of_a_fence_is_unread(fence: str) -> None:
    said, mark = fence[3:], fence[:3]
    asides = {(one.text, one.reason) for one in read_turn(f"{fence}\nls\n{mark}").statements}
    assert (" ".join(said.split()), "image") in asides
