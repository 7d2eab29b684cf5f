"""Signs that a claim says something else than evidence in the same words: they keep `supported` from being said.

A small model is lenient with a changed number or a lost "not". Each guard is a plain comparison that can be pointed
at, and only ever makes a verdict stricter; the probabilities stay the calibrated layer's. What the guards cost and
what they stop is measured by `training.measure_guards` and recorded in docs/model-cards/method.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import pairwise

from gate.adapters.local_verifier.antonyms import antonym, leaves_out_others, more_general, prefixed
from gate.adapters.local_verifier.hedges import affirms, clause_about, leaves_open, supposes
from gate.adapters.local_verifier.lexical import Reading
from gate.adapters.local_verifier.semantic_roles import exchanged, swapped
from gate.adapters.local_verifier.windows import Sentence, split
from gate.model import Check, Label
from gate.text.clauses import clauses
from gate.text.questions import QUESTION, asks_whether
from gate.text.tokens import Token, keys, tokens
from gate.text.words.bygone import is_present, names_the_past, speaks_of_before, tells_of_the_past
from gate.text.words.untruth import denies, framed, takes_back

_PLACED = re.compile(
    r"(?i:and |while |but )?(?P<with>(?i:in|for|from|at|on|to|by|with|under))\s(?:the\s)?[^\W\d_a-z]\w+"
)
_STAND_IN = re.compile(r"(?<![A-Za-z0-9])[A-Z]+-9[0-9]{3}(?![0-9])")
_HEADING = re.compile(r"(?P<level>#{1,6})[ \t]+(?P<title>[^\n]+)$")
_REPORTS_A_QUESTION = re.compile(r"(?i)\b(?:ask|wonder|enquir|inquir|question|whether)")

VALUES = ("amount", "names", "pseudonym")
"""Guards that look up a value or a name that goes with another; the rest compare words."""


@dataclass(frozen=True, slots=True)
class Stop:
    """What a guard says: the label that takes the place of a milder one, and why."""

    guard: str
    label: Label
    why: str


Guard = Callable[[str, Sequence[str], Reading], Stop | None]


def _of_a_sentence(guard: Callable[[str, str, str], Stop | None]) -> Guard:
    """Ask of the best sentence, and of each that holds all the claim's words it holds: one that says it is enough.

    The guard gets the claim, the sentence, and the sentence after that.
    """

    @wraps(guard)
    def everywhere(claim: str, documents: Sequence[str], reading: Reading) -> Stop | None:
        stops = [guard(claim, one.text, _next(one, documents)) for one in _telling(claim, reading)]
        return stops[0] if stops and all(stops) else None

    return everywhere


def amount_differs(checks: Iterable[Check]) -> Stop | None:
    """A number, date, amount or unit of the claim that the evidence does not have."""
    failed = [check for check in checks if not check["passed"] and check["name"] != "quotes"]
    if not failed:
        return None
    label: Label = (
        "unsupported" if any("; the evidence has" in check["detail"] for check in failed) else "weakly_supported"
    )
    return Stop("amount", label, f"{failed[0]['name']} differ: {failed[0]['detail']}")


def names_crossed(claim: str, documents: Sequence[str], reading: Reading) -> Stop | None:
    """Two names that the claim joins stand in different members of a list: "in A it is B, in C D" joins no A and D."""
    members = _parallel(reading.best.text) if reading.best else []
    own = frozenset(word.key for word in tokens(claim))
    for first, second in _joined(claim):
        holders = [
            {at for at, names in enumerate(members) if name in names and names - own} for name in (first, second)
        ]
        if all(holders) and not holders[0] & holders[1]:
            return Stop("names", "unsupported", "the evidence joins each of these names with another one")
    return None


def stand_in_differs(claim: str, documents: Sequence[str], reading: Reading) -> Stop | None:
    """A pseudonym (`PHONE-9001`) of the claim that the evidence does not have: another value of that kind."""
    missing = [token for token in _STAND_IN.findall(claim) if not any(token in text for text in documents)]
    return Stop("pseudonym", "unsupported", f"it has no {missing[0]}") if missing else None


@_of_a_sentence
def only_asked(claim: str, sentence: str, following: str) -> Stop | None:
    """The evidence asks whether what the claim states is so, and does not go on to say yes; "how did they" knows it."""
    if (
        not QUESTION.search(sentence)
        or not asks_whether(sentence)
        or QUESTION.search(claim)
        or affirms(following)
        or _REPORTS_A_QUESTION.search(claim)
    ):
        return None
    return Stop("question", "unsupported", "it asks this and does not say it")


@_of_a_sentence
def called_untrue(claim: str, sentence: str, following: str) -> Stop | None:
    """One of the two calls untrue what the other states: "it is a myth that", "falsely", "refused to"."""
    clause = clause_about(sentence, keys(claim))
    if framed(claim) == framed(clause) or denies(claim) == denies(clause):
        return None
    return Stop("untrue", "unsupported", "one of the two calls untrue what the other states")


@_of_a_sentence
def only_supposed(claim: str, sentence: str, following: str) -> Stop | None:
    """The evidence alleges, plans or supposes what the claim states plainly."""
    how = "" if leaves_open(claim) else supposes(sentence, frozenset(keys(claim)))
    return Stop("supposed", "weakly_supported", f'it says so with "{how}"') if how else None


@_of_a_sentence
def taken_back(claim: str, sentence: str, following: str) -> Stop | None:
    """The sentence after the evidence's says that it does not hold, or holds no more."""
    if not takes_back(following) or denies(claim):
        return None
    return Stop("taken back", "unsupported", "its next sentence takes this back")


def bygone(claim: str, documents: Sequence[str], reading: Reading) -> Stop | None:
    """One of the two says it of the past, the other of the present: "used to", "formerly", under "# Old policy"."""
    telling = _telling(claim, reading)
    if not telling or not all(_is_bygone(claim, one.text, documents[one.document]) for one in telling):
        return None
    return Stop("past", "weakly_supported", "one of the two says it of the past alone")


@_of_a_sentence
def roles_swapped(claim: str, sentence: str, following: str) -> Stop | None:
    """Who does it and whom it befalls stand the other way round."""
    verb = swapped(claim, sentence)
    return Stop("roles", "unsupported", f'the two sides of "{verb}" stand the other way round') if verb else None


@_of_a_sentence
def amounts_exchanged(claim: str, sentence: str, following: str) -> Stop | None:
    """An amount of the claim belongs to another member of the sentence's list."""
    amount = exchanged(claim, sentence)
    return Stop("exchanged", "unsupported", f"it says {amount} of something else") if amount else None


@_of_a_sentence
def contrary_said(claim: str, sentence: str, following: str) -> Stop | None:
    """A word of the claim stands against its contrary: "increase" and "decrease", "legal" and "illegal"."""
    if denies(claim) != denies(sentence):
        return None
    ours, theirs = keys(claim), keys(sentence)
    pair = antonym(ours, theirs) or prefixed(ours, theirs)
    return Stop("contrary", "unsupported", f'it has "{pair[1]}" for "{pair[0]}"') if pair else None


@_of_a_sentence
def said_of_all(claim: str, sentence: str, following: str) -> Stop | None:
    """The claim says it of all, the evidence of some, with an exception, or of no others."""
    others = leaves_out_others(claim, following)
    if others:
        return Stop("all", "unsupported", f'it denies "{others}" what the claim says of all')
    pair = more_general(claim, sentence)
    return Stop("all", "weakly_supported", f'it has "{pair[1]}", not "{pair[0]}"') if pair else None


GUARDS: tuple[Guard, ...] = (
    names_crossed,
    stand_in_differs,
    only_asked,
    called_untrue,
    taken_back,
    roles_swapped,
    amounts_exchanged,
    contrary_said,
    only_supposed,
    bygone,
    said_of_all,
)
"""Those that say `unsupported` before those that may say less; all of them after `amount_differs`."""


def stopped(claim: str, documents: Sequence[str], reading: Reading, checks: Iterable[Check]) -> Stop | None:
    """What the first guard that objects to `supported` says; None where none does.

    Args:
        checks: of the claim against these documents.
    """
    stops = (guard(claim, documents, reading) for guard in GUARDS)
    return amount_differs(checks) or next(filter(None, stops), None)


def objections(stop: Stop | None) -> tuple[Check, ...]:
    """What a guard says as a check that fails: labels alone do not decide, and it is not to be lost.

    An amount has a check of its own.
    """
    if stop is None or stop.guard == "amount":
        return ()
    return (Check(name="terms", passed=False, detail=stop.why),)


def _telling(claim: str, reading: Reading) -> list[Sentence]:
    """The best sentence, and each of its window that holds all words of the claim that it holds."""
    if reading.best is None:
        return []
    held = reading.best.terms.intersection(keys(claim))
    return [sentence for sentence in reading.window if held <= sentence.terms]


def _next(sentence: Sentence, documents: Sequence[str]) -> str:
    """The sentence after this one in its document; empty after the last."""
    texts = [text for text, _, _ in split(documents[sentence.document])]
    return next((after for text, after in pairwise(texts) if text == sentence.text), "")


def _is_bygone(claim: str, sentence: str, document: str) -> bool:
    clause = clause_about(sentence, keys(claim))
    ours, theirs = tells_of_the_past(claim), tells_of_the_past(clause) or _stands_under_the_past(sentence, document)
    if ours == theirs or not is_present(clause if ours else claim):
        return False
    return not (ours and speaks_of_before(sentence))


def _stands_under_the_past(sentence: str, document: str) -> bool:
    """Whether a line of Markdown such as "# Old policy" stands over each place of the sentence in its document."""
    titles: dict[int, str] = {}
    found = []
    for text, _, _ in split(document):
        if heading := _HEADING.match(text):
            level = len(heading["level"])
            titles = {depth: title for depth, title in titles.items() if depth < level}
            titles[level] = heading["title"]
        elif text == sentence:
            found.append(any(map(names_the_past, titles.values())))
    return bool(found) and all(found)


def _parallel(sentence: str) -> list[frozenset[str]]:
    """Names in the members of a list whose members all begin alike, with a preposition and a name; else nothing."""
    found: dict[str, list[frozenset[str]]] = {}
    for clause in clauses(sentence):
        opening = _PLACED.match(clause.strip())
        if opening:
            words = tokens(clause)
            names = frozenset(word.key for at, word in enumerate(words) if _is_name(word, at, clause))
            found.setdefault(opening["with"].lower(), []).append(names)
    return next((members for members in found.values() if len(members) > 1), [])


def _is_name(word: Token, at: int, text: str) -> bool:
    starts = at == 0 and text.lstrip()[:1].isupper() and len(word.text) < 4
    return word.capital and not word.number and not starts


def _joined(claim: str) -> list[tuple[str, str]]:
    """Pairs of neighbouring names that words stand between: a list ("Visa, Mastercard or PayPal") joins nothing."""
    words = tokens(claim)
    places = [at for at, word in enumerate(words) if _is_name(word, at, claim)]
    pairs = []
    for left, right in pairwise(places):
        between = [word.key for word in words[left + 1 : right]]
        if [key for key in between if key not in {"and", "or", "the", "of", "de"}]:
            pairs.append((words[left].key, words[right].key))
    return pairs
