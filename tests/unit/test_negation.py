"""A negation is recognised as it is written, in every form, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from gate.adapters.local_verifier import local_verifier
from gate.text.words.negation import negated, plainly

GUESTS = "None of the guests paid the bill."
INVOICES = "None of the invoices of 2019 was paid on time."
SHOP = "The shop is hardly open on Sundays in winter."
VACCINES = "None of the vaccines changed the rate of infection."


def label_of(claim: str, *evidence: str) -> str:
    answer = local_verifier().judge(claim, "", [{"content": text} for text in evidence]).answer
    assert answer is not None
    return answer.label


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The guests paid the bill.", GUESTS),
        ("The shop is open on Sundays in winter.", SHOP),
        ("The vaccines changed the rate of infection.", VACCINES),
        (GUESTS, "The guests paid the bill."),
        (SHOP, "The shop is open on Sundays in winter."),
        (VACCINES, "The vaccines changed the rate of infection."),
    ],
)
def test_a_sentence_that_denies_a_claim_does_not_support_it(claim: str, evidence: str) -> None:
    assert label_of(claim, evidence) != "supported"
    assert label_of(claim, "The town hall was built in 1901.", evidence) != "supported"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Note that refunds are paid within 14 days.", "Refunds are paid within 14 days."),
        ("Note that refunds are paid within 14 days.", "Note that refunds are paid within 14 days."),
        ("Refunds are paid within 14 days.", "The clerk noted that refunds are paid within 14 days."),
        (INVOICES, INVOICES),
        (INVOICES, "At the end none of the invoices of 2019 was paid on time."),
    ],
)
def test_a_note_is_no_denial_and_two_denials_agree(claim: str, evidence: str) -> None:
    assert label_of(claim, evidence) == "supported"


ENGLISH = """not no never none neither nor without cannot nobody nothing nowhere hardly fail fails failed failing unable
false scarcely barely can't don't doesn't isn't won't CANNOT None Hardly"""
GERMAN = """nicht kein keine keinen keinem keiner keines keinerlei nie niemals ohne nichts niemand niemandem niemanden
nirgends nirgendwo weder Kein Niemals"""
FRENCH = "pas jamais aucun aucune sans rien ni non n'est n’a qu'aucun guère"
SPANISH = "no nunca jamás ningún ninguno ninguna ningunos ningunas sin nada nadie ni tampoco"
ITALIAN = "non mai senza nessun nessuno nessuna niente nulla né neanche"
PORTUGUESE = "não nunca sem nenhum nenhuma ninguém nada nem jamais"
DUTCH = "geen niet nooit zonder niets niemand nergens"
NORDIC = "inte aldrig ingen inget inga utan ikke aldri intet ingenting uden"
RUSSIAN = "не нет ни никогда без нельзя никто ничего никакой никаких"
OTHERS = "δεν μην χωρίς لا ليس لم لن بدون नहीं बिना לא אין"


@pytest.mark.parametrize(
    "word",
    " ".join((ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, NORDIC, RUSSIAN, OTHERS)).split(),
)
def test_every_negation_and_its_inflections_are_recognised(word: str) -> None:
    assert negated(word)
    assert negated(f"{word}.")


@pytest.mark.parametrize(
    "sentence",
    [
        "Das Geschäft ist sonntags niemals geöffnet.",
        "Keiner der Gäste hat bezahlt.",
        "La tienda abre los domingos sin cita.",
        "Il negozio non è mai aperto.",
        "O museu não está aberto.",
        "De winkel is niet open op zondag.",
        "Butiken är inte öppen på söndag.",
        "Butikken er aldri åpen.",
        "Le musée n’est plus ouvert.",
        "Le musée est ouvert sans réservation.",
        "Музей никогда не открыт.",
        "他不是医生。",
        "店は開いていません。",
        "그는 의사가 아니다.",
        "ร้านไม่เปิด",
        "The charger fails to charge.",
        "There is no other way.",
    ],
)
def test_a_sentence_that_denies_is_recognised_in_every_language_of_the_table(sentence: str) -> None:
    assert negated(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Note that refunds are paid.",
        "She notes it, noted it and is noting it.",
        "A notable knot at noon.",
        "Nowadays nonetheless another nose is known.",
        "Fine.",
        "Failure rates are high.",
        "Envy is one of the sins, and pride is a sin.",
        "Der Laden öffnet am 3. Mai um neun.",
        "Helvetica is a sans serif face.",
        "O museu fica no Brasil e abre de manhã.",
        "He scored a sin of 0.5 on the SEM scale of the test.",
        "See No. 5 of the series and Nos. 6 and 7.",
        "The museum is not only a school but a church.",
        "It is nothing but a church.",
        "There is no doubt that it is a church.",
        "La maison est à deux minutes de la gare.",
        "他非常高。",
        "The vote on non-fiction and non-EU books is on Monday.",
    ],
)
def test_what_only_looks_like_a_negation_is_none(sentence: str) -> None:
    assert not negated(sentence)


LOOK_ALIKES = [
    *("n\u200bot", "n\u2060ot", "n\u00adot", "n\u043et", "n\u03bft", "n\u034fot", "n\u3164ot", "n\u2800ot", "n\u00f2t"),
    *("n o t", "n.o.t", "n-o-t", "n|ot", "n\\ot", "n0t", "\uff4e\uff4f\uff54", "\U0001d427\U0001d428\U0001d42d"),
    *("\u0274\u1d0f\u1d1b", "\u24dd\u24de\u24e3", "n\u0435ver", "\u2260", "!=", "\u00ac", "$\\neg$"),
]


@pytest.mark.parametrize("word", LOOK_ALIKES)
def test_a_negation_is_one_in_letters_that_look_like_it_and_as_a_sign(word: str) -> None:
    assert negated(f"Refunds do {word} take 14 days.")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "U.S.A. refunds take 14 days.",
            "C++, A/B tests and/or n/a",
            "\u041f\u043e\u0442 \u0438 \u043d\u043e\u0442\u044b.",
            "10 \u03bcm of \u03b2caroten",
        ),
        *(
            "Nota bene: knots of Notre Dame.",
            "a b c d",
            "What is this!",
            "1st, 3rd and 10x at $140",
            "n\u00f3 l\u00e0",
            "\u00a1Vuelva!",
        ),
    ],
)
def test_what_only_resembles_a_negation_is_none(text: str) -> None:
    assert not negated(text)


@pytest.mark.parametrize("word", LOOK_ALIKES[:-4])
def test_who_judges_reads_such_a_negation_as_its_reader_does(word: str) -> None:
    plain = plainly(f"Refunds do {word} take 14 days.")
    assert plain == f"Refunds do {'never' if 'ver' in word else 'not'} take 14 days."
    assert plainly("Refunds ≠ 14 days.") == "Refunds is not 14 days."


def test_nothing_else_of_a_claim_is_changed_for_who_judges_it() -> None:
    for text in (
        "Refunds take 14 days, not 30.",
        "Пот и ноты: βcarotene, 10 μm at n/a.",
        "Der „Ton“ ist nicht laut. n0w",
    ):
        assert plainly(text) == text
