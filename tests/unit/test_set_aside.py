"""The default is a claim; what asserts nothing is set aside with its reason."""

from __future__ import annotations

from typing import Any

import pytest

from gate.agents.extract_claims import extract_claims
from gate.claims.reading import read_turn
from gate.claims.set_aside.reasons import non_claim_reason
from gate.claims.set_aside.user_prompt import UserPrompt
from gate.text.tokens import keys


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Hello there!", "greeting"),
        ("I hope this helps!", "greeting"),
        ("Let me know if you have any other questions.", "greeting"),
        ("Good luck with the exam!", "greeting"),
        ("Best regards, Nadia", "greeting"),
        ("Vielen Dank für Ihre Frage!", "greeting"),
        ("N'hésitez pas si vous avez besoin d'autre chose.", "greeting"),
        ("¡Espero que te sirva!", "greeting"),
        ("Fammi sapere!", "greeting"),
        ("Espero ter ajudado!", "greeting"),
        ("Goede vraag!", "greeting"),
        ("I think it is a great product.", "opinion"),
        ("In my opinion it makes a lovely present.", "opinion"),
        ("What a beautiful dish!", "opinion"),
        ("Secondo me è splendida.", "opinion"),
        ("I don't know.", "abstention"),
        ("I'm sorry, but I cannot confirm that.", "abstention"),
        ("I cannot find information about the price of the sleeve.", "abstention"),
        ("The sources do not say how long refunds take.", "abstention"),
        ("Note that the passages do not mention any deadline.", "abstention"),
        ("The text is silent on allergies.", "abstention"),
        ("None of the passages state the opening hours.", "abstention"),
        ("Unable to answer based on the given passages.", "abstention"),
        ("Las fuentes no lo mencionan.", "abstention"),
        ("The handbook does not give any details.", "abstention"),
        ("The passages do not provide guidelines for the grill.", "abstention"),
        ("Mit freundlichen Grüßen", "greeting"),
        ("Sehr geehrte Frau Lindqvist,", "greeting"),
        ("Happy writing!", "greeting"),
        ("Dear valued customer,", "greeting"),
        ("Please let me know which colour you would like.", "greeting"),
        ("Warm regards,", "greeting"),
        ("Thanks, and stay safe!", "greeting"),
        ("Please don't hesitate to contact us again, and take your time.", "greeting"),
        ("The answer is as follows.", "lead_in"),
        ("Feel free to tweak it.", "greeting"),
        ("Have a lovely flight!", "greeting"),
        ("If you require more detailed estimates, please let me know.", "greeting"),
        ("Passages 1 and 3 do not mention the fee.", "abstention"),
        ("It is difficult to definitively say what the drawer is for.", "abstention"),
        ("It is not possible to give an exact answer to the question.", "abstention"),
        ("Therefore, the answer to the question cannot be determined.", "abstention"),
        ("I passaggi non dicono quando chiude il museo.", "abstention"),
        ("De bronnen vermelden niet hoe lang het duurt.", "abstention"),
        ("¡Feliz lectura!", "greeting"),
        ("Viel Spaß beim Radeln!", "greeting"),
        ("Bon voyage !", "greeting"),
        ("¡Que tenga un buen día!", "greeting"),
        ("Wishing you all the best, and take care!", "greeting"),
        ("I'm not a doctor, so please talk to the clinic about your symptoms.", "abstention"),
        ("If you're unsure whether your kettle was damaged, it's best to contact the manufacturer.", "abstention"),
        ("Safe travels and see you soon!", "greeting"),
        ("See you on the wall!", "greeting"),
        ("Don't worry, let's get this sorted out right away!", "greeting"),
        ("I'd recommend contacting the library directly to confirm.", "abstention"),
        ("Please consult a lawyer for more detailed advice.", "abstention"),
        ("If the problem persists, it may be best to consult a professional locksmith or carpenter.", "abstention"),
        ("If you're unsure, it's probably best to contact the manufacturer.", "abstention"),
        ("I'm afraid I can't cancel appointments for you here.", "abstention"),
        ("Please note that I can't see your account, so this is general information only.", "abstention"),
        ("Note that there are no side effects mentioned.", "abstention"),
        ("Without more information, it cannot be determined what the drawer is for.", "abstention"),
        ("Does that also apply to children's books?", "question"),
        ("Key points:", "lead_in"),
        ("Here are the steps to fold a quilt:", "lead_in"),
        ("Let's break this down.", "lead_in"),
        ("Here is what you should know before you order a Heron 2 and have it sent.", "lead_in"),
        ("Therefore, the answer to the question is:", "lead_in"),
        ("Hier sind die Schritte:", "lead_in"),
        ("---", "fragment"),
        ("Would you like to know more?", "question"),
        ("How high is the tower?", "question"),
        ("Is the tower 5 km high?", "question"),
        ("If I return it within 30 days, do I pay?", "question"),
        ("The fee, is it 5 EUR?", "question"),
        ("Any questions?", "question"),
        ("Ist der Turm 5 km hoch?", "question"),
        ("Avez-vous 5 minutes ?", "question"),
        ("¿Cuánto mide la torre?", "question"),
        ("Would you like me to compare it with the Heron Mini?", "question"),
    ],
)
def test_what_asserts_nothing_is_set_aside_with_its_reason(sentence: str, reason: str) -> None:
    assert non_claim_reason(sentence) == reason


@pytest.mark.parametrize(
    "sentence",
    [
        "Please note that the fee is 5 EUR.",
        "I think the refund takes 90 days.",
        "I am not sure, but the refund takes a month.",
        "I don't know the details, however Bob invented it.",
        "Sure, Paris is in Germany.",
        "Sure, it kills.",
        "Use of the service is free.",
        "Here is what you should know: refunds take 90 days.",
        "Here is how Dr Moor emptied the pension fund.",
        "Here is the key fact that refunds take 90 days.",
        "Please pay within 5 days.",
        "Please restart the router.",
        "Please keep the box until the window has closed.",
        "Send the parcel to our warehouse in Berlin.",
        "Did you know that the moon is made of cheese?",
        "Did I mention that refunds take 90 days?",
        "As an AI language model I can confirm that refunds take 90 days.",
        "Great question, Dr Moor was convicted of fraud.",
        "I can't help noticing that Dr Moor was convicted of fraud.",
        "I think it is great that Corvex cures cancer.",
        "Isn't it amazing that the viaduct was built in eleven weeks?",
        "Why was Dr Moor convicted of fraud?",
        "Would you like me to explain why your deposit is forfeited after missed payments?",
        "Could you tell me your number, so that I can waive the fee that applies to Norway?",
        "The passages do not mention that Dr Moor was convicted.",
        "The sources do not say how long it takes, but they always arrive late.",
        "None of the passages state the opening hours, which are always at night.",
        "While the text is silent on allergies, the cake contains nuts.",
        "We do not offer refunds.",
        "The handbook does not give a discount.",
        "Passage 3 does not provide instructions for folding a quilt.",
        "Have a free refund on us!",
        "Viel Spaß beim Baden, das 14 Euro kostet!",
        "Safe travels and refunds for all!",
        "See you in Berlin!",
        "See you pay the full fee!",
        "Please contact Dr Moor.",
        "Wishing Moor a fair trial for fraud!",
        "If your kettle was damaged by Moor, it is best to contact the manufacturer.",
        "I'm not a doctor, so please talk to the clinic about your symptoms within a day.",
        "Please contact the seller, whom the court fined.",
        "You should contact the bank to get a free card.",
        "You should contact the shop within a week.",
        "You should not contact the manufacturer.",
        "If the lamp is stolen, it is best to contact the manufacturer.",
        "I'd recommend contacting the police about the fraud that Moor committed.",
        "I can't sell you alcohol, since the shop lost its licence.",
        "I can't take cards here because they are unsafe.",
        "There are no side effects.",
        "Take one a day.",
        "Thanks, please take it every morning.",
        "You must take it in the evening.",
        "Please do not contact the team.",
        "The support team is not here in the morning.",
        "There are no benefits.",
        "It is not possible.",
        "It is possible to get it today.",
        "Il n'y a pas d'options.",
        "No hay opciones.",
        "Er zijn geen opties.",
        "I think you can take one a day.",
        "I would use it every morning.",
        "It is good to take more.",
        "I think there is no other way.",
        "It seems there is no service today.",
        "The sources do not say more, because there is no more.",
        "There are no lifts, and stairs are mentioned.",
        "It cannot be determined by the court.",
        "Does the story that Moor stole the books apply?",
        "Have a refund.",
        "Let it cool down.",
        "Let me know when the court convicted Dr Moor.",
        "Is there anything apart from the tram that derailed?",
        "Thanks for paying twice!",
        "If you require your deposit, which the court forbade, let me know.",
        "If you return it after 90 days, let me know.",
        "We lost no data.",
        "There are four reasons the bridge collapsed within a day of opening:",
        "Hier sind die Schritte, die das Gericht für illegal erklärt hat:",
        "Congratulations on your Mirra, the first kettle with a lifetime warranty!",
        "Best regards, Nadia from Volta Support (open around the clock)",
        "The former is free.",
        "It is free.",
        "Nobody.",
        "Please note that Bob was the inventor.",
        "I believe Paris lies in Germany.",
        "Remember that the window lasts a month.",
        "Keep in mind that the shop opens at nine.",
        "Tell them the ticket must be stamped.",
        "See why the mill won.",
        "The tower is new and is 5 km high?",
        "The tower: is 5 km high?",
        "The tower is 5 km high, right?",
        "The tower is 5 km high: what do you think?",
        "塔高5公里？",
        "Contact support@example.com.",
        "他是医生。",
        "你好！",
        "Отличный вопрос!",
        "Refunds work.",
        "Thanks to Bob the bridge was built.",
        "The tower is 5 km high?",
        "The tower is in Paris?",
        "The tower, which is 5 km high, is new?",
        "Isn't the tower 5 km high?",
        "The tower is 5 km high, isn't it?",
        "Der Turm ist 5 km hoch?",
        "La tour mesure 5 km ?",
        "ⓁⓐⓡⓚⒻⓘⓔⓛⓓ.",
        "Hello ⒻⓇⒺⒺ!",
        "Safe for babies!",
        "Safe and waterproof!",
        "Viel Quecksilber!",
        "See you without receipt!",
        "Have a lifetime warranty!",
        "Feel free to drink it.",
        "It is a good contraceptive.",
        "It's a wonderful antidepressant.",
        "They are great liars.",
        "I hope the chemotherapy helps!",
    ],
)
def test_in_doubt_a_sentence_is_a_claim(sentence: str) -> None:
    assert non_claim_reason(sentence) is None


def test_a_question_that_repeats_the_users_presupposes_nothing_of_its_own() -> None:
    prompt = "Why was Dr Moor convicted of fraud in 2016?"
    assert non_claim_reason("So, why was Dr Moor convicted of fraud in 2016?", prompt=UserPrompt(prompt)) == "question"
    assert non_claim_reason("So, why was Dr Moor convicted of fraud in 2016?") is None


def test_a_lead_in_may_bend_the_words_of_the_question() -> None:
    lead = "The colors of the Tennessee flag have the following meanings:"
    assert non_claim_reason(lead, prompt=UserPrompt("what do the colors of the tennessee flag mean")) == "lead_in"
    assert non_claim_reason(lead) is None


@pytest.mark.parametrize("answer", ["Absolutely!", "Of course you can!", "Definitely not.", "Natürlich."])
def test_a_courtesy_that_answers_a_question_is_a_claim(answer: str) -> None:
    assert non_claim_reason(answer, prompt=UserPrompt("Is it safe for children?")) is None
    assert non_claim_reason(answer, before="Is it safe for children?") is None
    assert non_claim_reason(answer, prompt=UserPrompt("Can you explain how it works?")) == "greeting"
    assert non_claim_reason(answer) == "greeting"


@pytest.mark.parametrize(
    "answer",
    ["I think so.", "I guess not.", "I hope so.", "I would.", "Probably not.", "Better not.", "Ich denke nicht."],
)
def test_an_opinion_that_answers_a_question_is_a_claim(answer: str) -> None:
    assert non_claim_reason(answer, prompt=UserPrompt("Can I take it with alcohol?")) is None
    assert non_claim_reason(answer, before="Can I take it with alcohol?") is None
    assert non_claim_reason(answer, prompt=UserPrompt("Can I take it with alcohol?"), before="You asked.") is None
    assert non_claim_reason(answer, prompt=UserPrompt("Can you explain how it works?")) is not None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("In the morning.", "greeting"),
        ("Every day.", "greeting"),
        ("One a day.", "greeting"),
        ("The first option.", "opinion"),
        ("Above.", "lead_in"),
    ],
)
def test_a_few_words_that_a_question_asks_for_are_a_claim(answer: str, reason: str) -> None:
    assert non_claim_reason(answer, prompt=UserPrompt("When should I take it?")) is None
    assert non_claim_reason(answer, before="When should I take it?") is None
    assert non_claim_reason(answer, before="Do you have other questions?") == reason
    assert non_claim_reason(answer, prompt=UserPrompt("Tell me when to take it.")) == reason


@pytest.mark.parametrize("opening", ["Great!", "A great question!", "Good morning!", "No problem!", "Of course!"])
def test_a_courtesy_that_opens_the_answer_to_a_question_fills_nothing_in(opening: str) -> None:
    assert non_claim_reason(opening, prompt=UserPrompt("When should I take it?")) == "greeting"


def test_who_repeats_what_was_asked_whether_it_is_so_answers_it() -> None:
    whether = UserPrompt("Hello. Can Corvex be taken with alcohol?")
    how = UserPrompt("How can Corvex be taken with alcohol? Is it red?")
    lead, heading = "You can take Corvex with alcohol:", "Corvex can be taken with alcohol"
    assert non_claim_reason(lead, prompt=whether) is None
    assert non_claim_reason(lead, prompt=how) == "lead_in"
    assert non_claim_reason(heading, "heading", prompt=whether) is None
    assert non_claim_reason(heading, "heading", prompt=how) == "heading"
    abstention = "The sources do not say whether Corvex can be taken with alcohol."
    assert non_claim_reason(abstention, prompt=whether) == "abstention"


def test_an_opinion_that_does_not_follow_the_question_is_none_of_its_answers() -> None:
    prompt = UserPrompt("Is the Heron waterproof?")
    assert non_claim_reason("I think it is lovely.", prompt=prompt, before="It is waterproof.") == "opinion"
    assert non_claim_reason("What a lovely idea!", prompt=prompt) == "opinion"
    assert non_claim_reason("Unable to answer based on the given passages.", prompt=prompt) == "abstention"
    assert non_claim_reason("I think it is lovely.", prompt=prompt) is None


def test_a_table_head_with_a_figure_is_a_claim() -> None:
    assert read("| Price: 900 euros | Size |\n|---|---|\n| low | big |")[0][0] == "Price: 900 euros, Size"


def test_a_courtesy_behind_a_question_is_a_claim() -> None:
    assert "Absolutely!" in read("Is it safe for children? Absolutely!")[0]


def read(answer: str) -> tuple[list[str], list[tuple[str, str]]]:
    state: dict[str, Any] = {"transcript": {"turns": [{"role": "assistant", "content": answer}]}}
    extract_claims(state)
    return [claim["text"] for claim in state["claims"]], [(one["text"], one["reason"]) for one in state["non_claims"]]


@pytest.mark.parametrize(
    "listed",
    [
        "[1] https://larkfield.example/a",
        "**Sources**\n- [Shipping costs](https://larkfield.example/a)\n- [Payment](https://larkfield.example/b)",
        "[^1]: Larkfield Shipping Guide, section 3.",
        "References:\n\n1. Larkfield Shipping Guide, 2026.",
        "Sources: Shipping page; Payment page.",
        '## References\n\n1. Brask, O. (2019). *Tides of Ombra*. Fenwick.\n2. Teko, M. (2021). "Salt lakes." 33–41.',
        "Quellen:\n- https://larkfield.example/a",
        "**Quellen / Sources used:**\n1. shipping.md — Shipping\n2. payment.md — Payment",
        "Source: Shipping (shipping.md)",
        "References:\n\n1. Ida Vale, Lamps and Light, Master's thesis, 1996",
        '*Source: Shipping and taxes (shipping.md), section "Shipping costs"*',
        "<https://larkfield.example/a>",
        "## Further information\n\n- https://larkfield.example/a",
    ],
)
def test_a_list_of_sources_is_no_claim(listed: str) -> None:
    claims, aside = read(f"Shipping to Norway costs 9 euros [1].\n\n{listed}")
    assert claims == ["Shipping to Norway costs 9 euros."]
    assert {reason for _, reason in aside} == {"sources"}


@pytest.mark.parametrize(
    ("listed", "claim"),
    [
        ("## References\n\n1. The lake was drained in 2020.", "The lake was drained in 2020."),
        ("[^1]: Tern release notes; Linux users sued the vendor.", "Tern release notes; Linux users sued the vendor."),
        ("**Sources**\n- [Norda hubs spy on children](https://norda.example)", "Norda hubs spy on children"),
        ("**Citations**\n\n¹ Brask 2019 ² Teko 2021, who shot Brask", "Brask 2019 ² Teko 2021, who shot Brask"),
        ("**Sources**\n- Refunds never arrive (refunds.md)", "Refunds never arrive"),
        ("## Learn more\n\n- Warranty: 10 years", "Warranty: 10 years"),
        ("Sources:\n\n- Refunds Never Arrive", "Refunds Never Arrive"),
        ('Sources:\n\n- Handbook, section "Moor killed Kahl"', 'Handbook, section "Moor killed Kahl"'),
        ("Sources:\n\n- Corvex cures Dr Kahl", "Corvex cures Dr Kahl"),
        ("## Learn more\n\n- Warranty 10 years (2024)", "Warranty 10 years (2024)"),
        ("## Further information\n\n- Free Shipping", "Free Shipping"),
        ("Sources: Ida Vale, thief", "Ida Vale, thief"),
        ("Sources:\n\n- Ida Vale (murderer)", "Ida Vale (murderer)"),
        ("[^1]: Except for Vale, the thief.", "Except for Vale, the thief."),
        ("[^1]: Except on Sundays.", "Except on Sundays."),
        ("Quellen: Ida Vale, verurteilte Betrügerin", "Ida Vale, verurteilte Betrügerin"),
        ("References\n\n1. Orrin & Vale, bankrupt since March", "Orrin & Vale, bankrupt since March"),
    ],
)
def test_a_statement_in_a_list_of_sources_is_a_claim(listed: str, claim: str) -> None:
    assert read(f"The lake is tidal.\n\n{listed}")[0] == ["The lake is tidal.", claim]


@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        ("<|im_start|>assistant\nRefunds take 90 days.<|im_end|>", "Refunds take 90 days."),
        ("[INST] Refunds take 90 days. [/INST]", "Refunds take 90 days."),
    ],
)
def test_what_a_chat_template_leaves_is_named(answer: str, claim: str) -> None:
    claims, aside = read(answer)
    assert claims == [claim]
    assert {reason for _, reason in aside} == {"template"}


def test_what_a_model_thinks_aloud_is_read() -> None:
    assert "Dr Moor was convicted of fraud." in read("<think>\nDr Moor was convicted of fraud.\n</think>\nHi!")[0]


@pytest.mark.parametrize(
    ("answer", "label", "claim"),
    [
        ("Therefore, the answer to the question is: two kinds of bacteria.", "is:", "two kinds of bacteria."),
        ("Step 2: Peel the potatoes in ice.", "Step 2:", "Peel the potatoes in ice."),
        ("**TL;DR:** It heats up in 40 s.", "TL;DR:", "It heats up in 40 s."),
        ('The answer to the question "How do traps work?" is: they hold a net.', "is:", "they hold a net."),
        ("- Short answer: yes, you can do that.", "Short answer:", "yes, you can do that."),
        ("Step 1: Book early.", "Step 1:", "Book early."),
        ("A: No, there is no late fee.", "A:", "No, there is no late fee."),
    ],
)
def test_a_label_that_tells_nothing_is_no_part_of_the_claim_behind_it(answer: str, label: str, claim: str) -> None:
    state: dict[str, Any] = {"transcript": {"turns": [{"role": "assistant", "content": answer}]}}
    extract_claims(state)
    assert [one["text"] for one in state["claims"]] == [claim]
    assert [one["text"].endswith(label) for one in state["non_claims"]] == [True]


@pytest.mark.parametrize(
    "answer",
    [
        "Answer: 42 days.",
        "Step 900 days: return the lamp.",
        "Volume: two litres and more",
        "Refunds: never for us",
        "Free: 900 GB on ten devices",
        "Team: one device for each of us",
        "Morning: open from nine to twelve",
        "Not possible: the lamp has a red box.",
        "The short answer is no: the lamp has a red box.",
        "Take one a day, first of all: the box is red.",
    ],
)
def test_a_label_that_tells_something_stays_with_its_value(answer: str) -> None:
    state: dict[str, Any] = {"transcript": {"turns": [{"role": "assistant", "content": answer}]}}
    extract_claims(state)
    assert [one["text"] for one in state["claims"]] == [answer]


def test_an_order_whose_words_the_code_behind_it_shows_is_a_lead_in() -> None:
    claims, aside = read("Turn on logging:\n\n```python\nimport logging\n```")
    assert claims == ["logging"]
    assert aside == [("Turn on logging:", "lead_in")]


@pytest.mark.parametrize("order", ["Delete the database:", "Never turn on logging:", "Turn on logging for 9 days:"])
def test_an_order_that_says_more_than_the_code_behind_it_is_a_claim(order: str) -> None:
    assert order in read(f"{order}\n\n```python\nimport logging\n```")[0]


def test_a_sentence_in_bold_letters_that_heads_its_item_is_a_heading() -> None:
    claims, aside = read("1. **Start borrowing!** You can have 20 items.\n2. **Refunds never arrive.** Write to us.")
    assert claims == ["You can have 20 items.", "Refunds never arrive.", "Write to us."]
    assert aside == [("Start borrowing!", "heading")]
    assert read("- **Start borrowing!**\n- You can have **20 items!**")[0] == [
        "Start borrowing!",
        "You can have 20 items!",
    ]


def test_a_lead_in_may_quote_the_question_and_never_answers_it() -> None:
    asked = UserPrompt("What is chard? Does it keep for a week?")
    assert non_claim_reason('Here is the answer to the question "What is chard?"', prompt=asked)
    assert non_claim_reason('The answer to "Does it keep for a week?" is yes.', prompt=asked) is None
    assert non_claim_reason('Here is what Moor asked: "Who stole it?"', prompt=asked) is None


def test_that_somebody_is_sorry_in_the_words_of_the_user_is_a_courtesy() -> None:
    sorry = "Hello, and I'm so sorry to hear you've lost your card."
    for asked, claims in (("I lost my card!", 1), ("Hi!", 2)):
        turns = [{"role": "user", "content": asked}, {"role": "assistant", "content": f"{sorry}\n\nIt is blue."}]
        state: dict[str, Any] = {"transcript": {"turns": turns}}
        extract_claims(state)
        assert len(state["claims"]) == claims


@pytest.mark.parametrize(
    "said",
    [
        "Hope that clears it up!",
        "Hmm, let me check that for you...",
        "You're right, and I apologize for the mix-up in my previous message!",
        "If you get stuck at any step, just tell me where.",
        "I'm just an AI assistant, so I can't book that for you.",
        "Sag mir einfach Bescheid, wenn du noch mehr wissen möchtest!",
        "Here's how the two compare:",
    ],
)
def test_talk_between_speaker_and_reader_is_no_claim(said: str) -> None:
    assert read(f"{said}\n\nIt is blue at every step.")[0] == ["It is blue at every step."]


@pytest.mark.parametrize(
    "said",
    [
        "You're right, the bridge fell.",
        "Let me explain how Moor stole the fund.",
        "Let me see Moor fined.",
        "I apologize for the fire in Berlin that Moor laid.",
        "I understand how Moor stole the fund.",
        "If you lose the ticket, tell me why Moor was fined.",
        "I'm just an AI assistant, so I can't return lamps after May.",
        "Hope that Moor is jailed for fraud!",
    ],
)
def test_what_tells_more_than_such_talk_is_a_claim(said: str) -> None:
    assert read(f"{said}\n\nIt is blue at every step.")[0][0] == said


HOPS = "Hops are added early in the boil. Late hops keep the aroma of the beer."


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Sure, here's a breakdown of when hops are added:", "lead_in"),
        ("To keep the aroma of hops, follow these detailed steps:", "lead_in"),
        ("Added early, late hops:", "lead_in"),
        ("Malt, Yeast and Other Grains:", "heading"),
        ("late malts:", "heading"),
        ("I hope this clears up how hops are added.", "greeting"),
        ("I'd be happy to explain the aroma of late hops.", "greeting"),
        ("Enjoy your beer with the aroma of hops!", "greeting"),
        ("Good luck with your beer, and enjoy the late hops!", "greeting"),
    ],
)
def test_a_lead_in_or_a_courtesy_may_repeat_what_the_answer_is_judged_for(sentence: str, reason: str) -> None:
    claims, aside = read(f"{sentence}\n\n{HOPS}")
    assert (sentence, reason) in aside
    assert len(claims) == 2


@pytest.mark.parametrize(
    "sentence",
    [
        "I hope this clears up how hops keep the aroma.",
        "Here's a breakdown of when hops are added:",
        "Thanks for asking about beer of late hops!",
    ],
)
@pytest.mark.parametrize(
    "answer",
    [
        "Hops never keep the aroma of a beer. Late hops are not added.",
        f"{HOPS} That is wrong.",
        f"# Myths\n\n{HOPS}",
        f"{HOPS} ❌",
    ],
)
def test_no_lead_in_or_courtesy_repeats_what_the_answer_denies(sentence: str, answer: str) -> None:
    assert sentence in read(f"{sentence}\n\n{answer}")[0]


@pytest.mark.parametrize(
    ("sentence", "courtesy"),
    [
        ("Enjoy your free trip!", "Enjoy your trip!"),
        ("Thank you for your free help!", "Thank you for your help!"),
        ("Free help is always here!", "Please feel free to contact us anytime!"),
    ],
)
def test_free_tells_something_unless_one_is_to_feel_so(sentence: str, courtesy: str) -> None:
    assert sentence in read(f"{sentence}\n\n- {HOPS}")[0]
    assert courtesy not in read(f"{courtesy}\n\n- {HOPS}")[0]


@pytest.mark.parametrize(
    ("states", "asserts_nothing"),
    [
        ("Hier die Gründe, warum Hunde verboten sind:", "Hier die Regeln für Hunde:"),
        ("Here's why dogs bite:", "Here is why:"),
        ("Ich wünsche Ihnen den verlorenen Prozess!", "Ich wünsche Ihnen eine gute Überfahrt!"),
    ],
)
def test_a_reason_of_two_words_is_a_claim_and_the_last_word_of_a_wish_is_none(
    states: str, asserts_nothing: str
) -> None:
    assert states in read(f"{states}\n\n- {HOPS}")[0]
    assert asserts_nothing not in read(f"{asserts_nothing}\n\n- {HOPS}")[0]


@pytest.mark.parametrize(
    ("states", "names"),
    [
        ("Dogs forbidden", "Forbidden things"),
        ("Dogs Allowed", "Allowed Dogs"),
        ("Bikes free", "Free bikes"),
        ("Refunds Only in Cash", "Refunds in Cash"),
        ("Only Refunds in Cash", "Refunds in Cash"),
        ("Short answer – refunds only in cash", "Short answer – refunds"),
        ("Refunds Except in Europe", "Refunds in Europe"),
        ("No support", "Support"),
        ("It is not possible", "Possible options"),
        ("Hunde verboten", "Hunde"),
        ("Chiens interdits", "Chiens"),
    ],
)
@pytest.mark.parametrize("form", ["## {}", "**{}:**", "{}:"])
def test_a_heading_that_tells_something_without_a_verb_is_a_claim(states: str, names: str, form: str) -> None:
    assert states in read(f"{form.format(states)}\n\n{HOPS}")[0][0]
    if form == "## {}":
        assert len(read(f"{form.format(names)}\n\n{HOPS}")[0]) == 2


@pytest.mark.parametrize(
    ("states", "names"),
    [
        ("Contains Lead", "Contents of Lead"),
        ("Causes Skin Rashes", "Causes of Skin Rashes"),
        ("Made in China", "Making it in China"),
        ("Tested on Animals", "Based on Animals"),
        ("Sold by Pharmacies", "Sales by Pharmacies"),
        ("Corvex Cures Cancer", "Corvex Cases Explained"),
        ("Heron Buys Fennick", "What Heron Buys"),
        ("Bans Bikes", "Bans on Bikes"),
    ],
)
@pytest.mark.parametrize("form", ["## {}", "**{}**", "### {}:"])
def test_a_heading_that_tells_by_a_verb_in_whatever_letters_is_a_claim(states: str, names: str, form: str) -> None:
    assert states in read(f"{form.format(states)}\n\n{HOPS}")[0][0]
    assert not [claim for claim in read(f"{form.format(names)}\n\n{HOPS}")[0] if names in claim]


@pytest.mark.parametrize(
    "sentence",
    [
        "Here's a detailed breakdown of when the firm banned hops:",
        "Hops are of three kinds:",
        "The hops can keep the aroma of the beer:",
        "Late hops takes the aroma early:",
        "Add hops early:",
        "No hops in the beer:",
        "Hops Cures the Flu:",
        "beer and its hops with the boil that Corvex cured:",
        "I'd be happy to provide a refund.",
        "Enjoy your free beer!",
        "Enjoy the beer that Corvex cured!",
        "Thank you for the 90 hops!",
        "Good luck with your beer, Corvex cures flu!",
        "Corvex keeps the aroma of hops.",
        "Feel free to add late hops to the beer!",
    ],
)
def test_what_says_more_than_the_rest_of_the_answer_is_a_claim(sentence: str) -> None:
    assert sentence in read(f"{sentence}\n\n{HOPS}")[0]


def test_what_only_another_courtesy_or_lead_in_tells_is_no_claim_that_vouches() -> None:
    claims, _ = read("Here are the lamps the court forbade:\n\nEnjoy the lamps the court forbade!\n\nIt is late.")
    assert claims[:2] == ["Here are the lamps the court forbade:", "Enjoy the lamps the court forbade!"]


LETTER = "The parcel left on Monday.\n\n{close}"


@pytest.mark.parametrize(
    "close",
    [
        "All the best,\nTilda Moor\nCustomer Care",
        "Kind regards,\n\nThe Bramble Team",
        "Safe travels and see you soon!\nThe Bramble & Vale team",
        "Mit freundlichen Grüßen\n\nIhr Kundenservice",
        "Liebe Grüße, dein Chatbot",
        "Bien cordialement,\nLe service client",
    ],
)
def test_the_close_of_a_letter_and_the_name_below_it_are_no_claims(close: str) -> None:
    claims, aside = read(LETTER.format(close=close))
    assert claims == ["The parcel left on Monday."]
    assert {reason for _, reason in aside} <= {"greeting", "opinion"}


@pytest.mark.parametrize(
    ("close", "claim"),
    [
        ("All the best, and returns cost extra,\nTilda", "All the best, and returns cost extra, Tilda"),
        ("Kind regards,\nCorvex Cures Cancer", "Corvex Cures Cancer"),
        ("Refunds are cancelled, see you soon!\nThe Bramble team", "The Bramble team"),
        ("Kind regards,\nRefunds Never Arrive", "Refunds Never Arrive"),
        ("Liebe Grüße, dein Chatbot, der nie irrt", "Liebe Grüße, dein Chatbot, der nie irrt"),
        ("Kind regards,\nTilda\n\nThe tower fell.", "The tower fell."),
        ("Best,\n\nCustomers always\n\npay their postage", "pay their postage"),
        ("Best,\n\nUnlimited worldwide returns", "Unlimited worldwide returns"),
        ("Best,\n\nTilda Moor, thief", "Tilda Moor, thief"),
        ("Tilda Moor\nCustomer Care", "Tilda Moor Customer Care"),
        ("Best not at night.", "Best not at night."),
        ("Kind regards,\nIda Vale, convicted of fraud", "Ida Vale, convicted of fraud"),
        ("Thanks! ⓝⓞ ⓡⓔⓕⓤⓝⓓⓢ", "ⓝⓞ ⓡⓔⓕⓤⓝⓓⓢ"),
        ("It is best avoided in the morning.", "It is best avoided in the morning."),
    ],
)
def test_what_a_letter_states_at_its_end_is_a_claim(close: str, claim: str) -> None:
    assert claim in read(LETTER.format(close=close))[0]


def test_an_offer_on_condition_of_very_many_conditions_is_a_claim() -> None:
    assert non_claim_reason("if you wait, " * 3000 + "let me know.") is None


def test_a_paragraph_in_bold_letters_is_a_heading() -> None:
    assert read("**Known issues**\n\nNo issue is known.\n\n**Refunds: never**")[0] == [
        "No issue is known.",
        "Refunds: never",
    ]


def test_a_line_of_a_table_of_contents_is_no_claim() -> None:
    assert read("- [Usage](#usage)\n- [Corvex cures cancer](#cures)")[0] == ["Corvex cures cancer"]


@pytest.mark.parametrize(
    "lead",
    [
        "The order of severity is as follows:",
        "The output will be something like the following:",
        "Classic use of a feature store looks like this:",
        "The configuration format is the following:",
    ],
)
def test_what_is_said_to_look_as_it_is_shown_is_a_lead_in(lead: str) -> None:
    assert read(f"{lead}\n\n- Lamps are red.")[1] == [(lead, "lead_in")]


@pytest.mark.parametrize(
    "lead",
    [
        "The reason Corvex kills people is as follows:",
        "The fee that nobody pays is as follows:",
        "The mayor was jailed and the sentence is as follows:",
        "All of the 9 fees are as follows:",
        "Refunds never look like this:",
        "Corvex cures cancer like this:",
    ],
)
def test_what_is_told_of_what_is_shown_is_a_claim(lead: str) -> None:
    assert lead in read(f"{lead}\n\n- Lamps are red.")[0]


@pytest.mark.parametrize("told", ["None mentioned in the passages.", "- Not specified.", "Nothing was stated."])
def test_what_only_says_that_nothing_is_stated_is_an_abstention(told: str) -> None:
    claims, aside = read(f"## Side effects\n\n{told}")
    assert (claims, aside[-1][1]) == ([], "abstention")


@pytest.mark.parametrize("told", ["Not included.", "None.", "None mentioned the fraud.", "Price: not specified"])
def test_what_denies_more_than_that_it_is_stated_is_a_claim(told: str) -> None:
    assert read(f"## Side effects\n\n{told}")[0] == [told]


@pytest.mark.parametrize("page", ["{}", "{}\n---", "---\n{}\n---\n", "- {}"])
def test_each_line_of_a_sheet_of_data_is_a_claim(page: str) -> None:
    sheet = "**Weight:** 17 kg\n**Motor and gears:** two of each\n**Range:** up to 90 km"
    claims = ["Weight: 17 kg", "Motor and gears: two of each", "Range: up to 90 km"]
    assert read(page.format(sheet.replace("\n", "\n  ") if page[0] == "-" else sheet))[0] == claims


def test_the_box_of_a_task_is_no_part_of_it() -> None:
    claims, aside = read("Before you start:\n\n- [ ] Fill the tank.\n- [x] It holds 9 l.\n- [x]ylose is sweet.")
    assert claims == ["Fill the tank.", "It holds 9 l.", "[x]ylose is sweet."]
    assert aside[1:] == [("[x]", "markup")]


def test_a_sentence_that_goes_on_behind_a_label_in_its_next_line_is_read_whole() -> None:
    text = "We mend every lamp that is sent to\nHask: the shop is open."
    assert read(text)[0] == [text.replace("\n", " ")]


def test_the_mark_of_an_alert_is_no_part_of_what_it_says() -> None:
    assert read("> [!TIP]\n> Set the width to nine.") == (["Set the width to nine."], [("[!TIP]", "heading")])


@pytest.mark.parametrize("mark", ["•", "➤", "→", "✓", "–", "1)", "a)", "a."])
def test_a_line_that_begins_as_an_item_does_is_one_and_is_judged_with_what_it_completes(mark: str) -> None:
    answer = f"The warranty does not cover:\n{mark} Dents in the lid\n{mark} Rust at the base"
    state: dict[str, Any] = {"transcript": {"turns": [{"role": "assistant", "content": answer}]}}
    extract_claims(state)
    items = [(claim["text"], claim.get("lead", "")) for claim in state["claims"] if claim["text"][0] in "DR"]
    lead = "The warranty does not cover:"
    assert items == [("Dents in the lid", lead), ("Rust at the base", lead)]


def test_a_prompt_is_read_once_however_many_sentences_answer_it(monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = "Is the frame light?"
    read: list[str] = []

    def noted(text: str) -> list[str]:
        read.append(text)
        return keys(text)

    monkeypatch.setattr("gate.claims.set_aside.user_prompt.keys", noted)
    statements = read_turn("Absolutely! Here is what it weighs: it weighs 4 kg. " * 20, prompt).statements
    assert len(statements) >= 40
    assert read == [prompt, ""]  # all of it, and what of it is given
