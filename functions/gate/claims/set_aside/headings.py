"""Headings and labels: whether one states something."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gate.claims.set_aside.answering import says_yes_or_no
from gate.claims.set_aside.sentence import (
    BRACKETS,
    DENIED,
    ENDS,
    FIGURE,
    NO_PAST,
    NUMBERED_NAME,
    PAST,
    PAST_AFTER,
    PRESUPPOSING,
    SIGNS,
    VERB_S,
    Sentence,
    embeds,
    names,
)
from gate.text.figures.quantities import find_quantities
from gate.text.questions import begins_asking
from gate.text.words import formulae
from gate.text.words.imperatives import IMPERATIVES, tells_to_do
from gate.text.words.predicates import tells_without_verb
from gate.text.words.untruth import says_yes
from gate.text.words.verbs import ASSERTING, AUXILIARIES, FINITE, IRREGULAR, NO_NOUNS

_NUMBERING = re.compile(
    r"(?i)^\W*(?:(?:step|chapter|section|part|phase|figure|table|appendix|rule|tip|question|day|week|version|v|schritt|"
    r"kapitel|abschnitt|étape|chapitre|paso|capítulo|passo|capitolo|stap|hoofdstuk)\s*)?"
    r"\d+(?:\.\d+)*\b[.:)]*|^\W*\d+(?= \w+ (?:you|to|that|we)\b)"
)
"""A heading's own number, and the count of "10 things you need"."""
_NAME_ED = re.compile(rf"(?<!\w)[A-Z]\w+(?<!ly) (?:\w+ )?(?!(?:{NO_PAST}|released)\b)[a-z]{{2,}}ed\b")
_MODAL = re.compile(
    r"(?<![\w’'])(?!(?i:you|we|i|they|it|he|she|one|that|which|who|what|how|to|the|a|an)\b)[^\W\d_]+\s"
    r"(?:can|could|may|might|must|shall|should)(?:not|n['’]t)?\s[a-z]"
)
"""A verb of a heading whose subject it has: "Batteries can be replaced"; not of "Things you should know"."""
_SUBJECT_FIRST = re.compile(r"(?i)^\W*+(?:we|you|they|he|she|it)\s(?!(?:and|or|vs)\b)[^\W\d_]+\s[^\W\d_]")
"""A heading that begins with a person: "We take bitcoin"."""
_YEAR = re.compile(r"(?<![\w.,-])[12]\d{3}(?:[-–/]\d\d(?:\d\d)?(?:-\d\d)?)?(?![\w%]|[.,]\d)(?!\s[a-z$€£])")
_FIGURE_ALONE = re.compile(r"\W*\d[\d.,' ]*\d\W*")
_OBJECT = re.compile(
    r"(?i)\s(?:the|an?|your|all|every|each|any|this|that|these|those|it|them|on|into|with|without|only|der|die|das|den|"
    r"le|la|les|el|los|las|il|de|het)\s"
)
"""What an order is about, where it is none of "Return policy"."""
_LINKS = r"(?:of|in|and|or|for|to|on|with|at|by|from|vs)\b"
_VERB_FIRST = re.compile(
    r"(?i)^\W*+(?P<verb>[^\W\d_]+)\s+(?!(?:of|and|or|vs)\b)"
    rf"(?:(?P<link>{_LINKS})|[^\W_])"
)
_DONE_FIRST = re.compile(
    r"(?i)^\W*+(?P<verb>[^\W\d_]+)\s(?:in|by|from|with|for|at|on|to|as|after|before|since|against|under|without)\s\w"
)
_VERB_WITHIN = re.compile(rf"(?i)(?<=[\w’'] )(?P<verb>[^\W\d_]{{2,30}}s)(?=\s(?!{_LINKS})[\w“\"'])")
"""Words that may be a verb in whatever letters: "Contains Lead", "Made in China", "Corvex Cures Cancer"."""
_NOUNS_TOO = frozenset(("causes", "costs", "measures", "needs"))
_THIRD = FINITE - AUXILIARIES - _NOUNS_TOO
_FIRST_ALONE = NO_NOUNS | _NOUNS_TOO
"""Verbs with which a heading begins, a thing right behind them: "Causes Skin Rashes", where "Causes of" has none."""
_BRIEF = 2
"""Words of a line that is a heading though it begins in a small letter: "opening hours:"."""
_SMALL = frozenset().union(*formulae.HOLDING.values())
_LONGEST_AMOUNT = 60
"""Characters of a heading in which the amount that it begins with stands."""


def is_label(one: Sentence) -> bool:
    """A word or two on a line of their own, that name what follows: "Background"; never an item of a list."""
    if (
        one.kind in ("item", "row")
        or ENDS.search(one.text)
        or one.figures
        or says_yes(one.text) is not None
        or one.text.rstrip("*_ ").endswith((",", ";"))
    ):
        return False
    if one.kind in ("alternative", "footnote"):
        return len(one.words) == 1 or (len(one.words) <= 3 and one.followed and not heading_states(one))
    return len(one.words) == 1 and one.followed


def is_heading_line(one: Sentence) -> bool:
    """Whether a line that ends in a colon is a heading in all but its marks: "Art Style and Visual Design:"."""
    if not one.alone or not one.announces or embeds(one):
        return False
    titled = all(word[:1].isupper() for word in formulae.WORD.findall(one.text) if word.casefold() not in _SMALL)
    plain = one.text[:1] + one.text[1:].lower() if titled else one.text
    return (titled or len(one.words) <= _BRIEF) and not heading_states(one) and not VERB_S.search(plain)


def heading_states(one: Sentence) -> bool:
    """Whether a heading, or a cell of one, asserts: it has a verb and something beside it, or figures in brackets.

    So do a yes or no and a figure alone; "1." and "2024" number what follows.
    """
    cells = one.text.split(", ") if one.kind == "head" else [one.text]
    if one.kind == "heading" and (_is_figure(one.text) or says_yes(one.text) is not None):
        return True
    return any(_begins_with_amount(cell) or _cell_states(one, _NUMBERING.sub("", cell)) for cell in cells)


def _is_figure(text: str) -> bool:
    return bool(_FIGURE_ALONE.fullmatch(text)) and not _YEAR.search(text)


def _begins_with_amount(cell: str) -> bool:
    """Whether what looks like a heading's number has a unit: "900 days to return"."""
    return (
        bool(re.match(r"\W*\d[\d.,]*(?:\s?[%€£$]|\s[^\W\d_])", cell))
        and any(found.measures for found in find_quantities(cell[:_LONGEST_AMOUNT]))
        and not re.match(r"\W*\d+(?:\.\d+)*[.:)]\s", cell)
    )


def _cell_states(one: Sentence, cell: str) -> bool:
    words = one.new(cell)
    if one.kind == "head" and SIGNS.search(cell) and not formulae.words_of(cell):
        return True
    if words and _SUBJECT_FIRST.match(cell):
        return True
    inner = [found["inside"] for found in BRACKETS.finditer(cell)]
    if any(PAST.search(inside) or ASSERTING.search(inside) for inside in inner) or (inner and ":" in cell):
        return True
    if one.kind != "head" and words and not begins_asking(cell) and tells_without_verb(cell):
        return True
    if one.kind != "head" and words and tells_by_a_verb(cell) and not begins_asking(cell):
        return True
    if _answers_itself(cell) or (words and one.kind == "heading" and _MODAL.search(cell) and not begins_asking(cell)):
        return True
    if begins_asking(cell):
        presupposes = len(words) > 2 and (names(one) or one.figures)
        return bool(PRESUPPOSING.match(cell) and (presupposes or (len(words) > 1 and DENIED.search(cell))))
    if _holds_a_figure(cell) or _tells_a_value(one, cell) or _denies(one, cell) or _tells(words, cell):
        return True
    if len(words) < 2 and not (FIGURE.search(cell) and ASSERTING.search(cell)):
        return False
    return bool(ASSERTING.search(cell) or VERB_S.search(cell) or (_NAME_ED.search(cell) and not cell.istitle()))


def tells_by_a_verb(cell: str) -> bool:
    """Whether a verb, in capitals too, has a thing beside it: "Contains Lead", "Made in China", "Heron Buys Moor"."""
    first, done = _VERB_FIRST.match(cell), _DONE_FIRST.match(cell)
    if first and (first["verb"].lower() in _THIRD or (first["verb"].lower() in _FIRST_ALONE and not first["link"])):
        return True
    if done and _is_participle(done["verb"].lower()):
        return True
    return any(found["verb"].lower() in NO_NOUNS for found in _VERB_WITHIN.finditer(cell))


def _is_participle(word: str) -> bool:
    if word in NO_PAST.split("|"):
        return False
    return (len(word) > 4 and word.endswith("ed") and word not in IMPERATIVES) or word in IRREGULAR - IMPERATIVES


def _holds_a_figure(cell: str) -> bool:
    """Whether a figure is left without years and numbered names such as "Heron 2"."""
    cell = _YEAR.sub(" ", cell)
    return any(found.measures for found in find_quantities(cell)) or bool(
        re.search(r"(?<![^\W_])\d", NUMBERED_NAME.sub(" ", cell))
    )


def _tells_a_value(one: Sentence, cell: str) -> bool:
    """Whether something new follows a colon: "Refunds: never"."""
    label, colon, value = cell.replace("：", ":").partition(":")
    told = one.new(value) or DENIED.search(value) or says_yes_or_no(value)
    return bool(colon and formulae.words_of(label) and told)


def _answers_itself(cell: str) -> bool:
    """Whether a yes or no stands behind the question of a heading: "Is it waterproof? Of course"."""
    question, mark, rest = cell.partition("?")
    return bool(mark and formulae.words_of(question)) and says_yes_or_no(rest)


def _denies(one: Sentence, cell: str) -> bool:
    """Whether it denies what the user has not asked for, in words of courtesy too: "No support"."""
    told = (word for word in formulae.words_of(cell) if word not in _SMALL and not one.asked(word))
    return bool(DENIED.search(cell)) and any(told)


def _tells(words: Sequence[str], cell: str) -> bool:
    """Whether it orders, or tells what somebody did; "Return policy" and "Known issues" do not."""
    if len(words) < 2:
        return False
    named = not cell.istitle() and re.search(r"\s[A-ZÀ-Þ]", cell)
    if tells_to_do(cell) and (len(words) > 2 or named or _OBJECT.search(cell)):
        return True
    done = PAST_AFTER.search(cell)
    return bool(done) or not IRREGULAR.isdisjoint(formulae.words_of(cell)[1:])
