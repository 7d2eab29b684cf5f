"""Claims that a model read out of sentences: what is asked, how the answer is read, and what of it may stand.

The answer under examination is an attacker's text, so the model may rephrase and split, but not make anything up and
not make anything disappear: a claim must follow from its sentence word by word, together the claims of a sentence must
cover it, and whatever is not so is replaced by the sentence itself.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from gate.errors import AnswerError
from gate.model import Frozen
from gate.rules.fencing import fence_parts, unfence_parts
from gate.rules.quantities import find_dates, find_quantities

SetAside = Literal["greeting", "question", "instruction", "opinion", "abstention"]
SENTENCES_A_CALL = 20
MOST_CLAIMS = 12
"""Claims of one sentence; one that is said to make more stands as it is."""
CONTEXT_CHARS = 3_000
"""Text before the sentences that the model may look at to know what a word stands for."""

_LINE = re.compile(r"[ \t*-]*(s\d+)[ \t]*:[ \t]*(?:NONE[ \t]+([a-z]+)\.?[ \t]*$|(.+))", re.ASCII)
_WORD = re.compile(r"[^\W\d_]+|\d+")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
_NEGATING = """
not no never none nothing nobody neither nor without cannot nicht kein keine keinen nie ohne pas jamais aucun sans
non nunca sin ningún ninguna mai senza não nunca sem не нет ни без
"""
_FUNCTION_WORDS = """
the a an of in on at to for from by with and or as is are was were be been being has have had it its this that
these those he she they his her their him them who which what when where there here also both
der die das den dem des ein eine einer und oder ist sind war waren hat haben er sie es
le la les un une des et ou est sont était el los las una y o es son il lo gli e è
"""
_NEGATIONS = frozenset(_NEGATING.split())
_EMPTY = frozenset(_FUNCTION_WORDS.split())
_ASSERTING = re.compile(
    r"(?i)\b(is|are|was|were|has|have|had|do|does|did|will|would|can|could|may|must|should|costs?|contains?|includes?|"
    r"means?|works?|gives?|makes?|takes?|comes?|goes|gets?|\w+ed|ist|sind|war|waren|hat|haben|wird|kann|muss|est|sont|"
    r"était|ont|peut|doit|es|son|está|fue|puede|è|sono|ha|può|é|são|tem)\b|['’](s|re|ve|ll|d)\b"
)
"""A verb, or what may be one, that makes a sentence an assertion."""


class SentenceReading(Frozen):
    """What the model makes of one sentence: its claims, or why it makes none."""

    sentence: str
    claims: list[Annotated[str, Field(min_length=1)]]
    set_aside: SetAside | Literal[""] = ""


class Reading(Frozen):
    """What the model makes of a group of sentences."""

    sentences: list[SentenceReading]


def claim_prompt(context: str, sentences: Sequence[str]) -> str:
    """Write the user prompt: the text before, and the sentences to read, fenced."""
    named = [(f"s{number}", text) for number, text in enumerate(sentences, 1)]
    return fence_parts([("CONTEXT", context[-CONTEXT_CHARS:]), *named])


def parse_reading(response: str) -> Reading:
    """Read an answer; lines that are no part of it are passed over, and sentences without a line are not in it."""
    found: dict[str, SentenceReading] = {}
    for line in response.split("\n"):
        match = _LINE.match(line)
        if match is None:
            continue
        name, reason, claim = match[1], match[2], " ".join((match[3] or "").split())
        before = found.get(name, SentenceReading(sentence=name, claims=[]))
        try:
            found[name] = SentenceReading(
                sentence=name,
                claims=[*before.claims, *([claim] if claim else [])],
                set_aside=reason or before.set_aside,
            )
        except ValidationError:
            continue
    return Reading(sentences=list(found.values()))


def render_reading(reading: Reading) -> str:
    """Write what `parse_reading` reads."""
    lines = []
    for one in reading.sentences:
        lines += [f"{one.sentence}: {' '.join(claim.split())}" for claim in one.claims]
        lines += [f"{one.sentence}: NONE {one.set_aside}"] if one.set_aside else []
    return "\n".join(lines)


def reading_from_json(value: object) -> str:
    """Turn an answer in JSON into lines.

    Raises:
        AnswerError: it does not fit the schema.
    """
    try:
        return render_reading(Reading.model_validate(json.loads(value) if isinstance(value, str) else value))
    except (ValidationError, ValueError, RecursionError):
        raise AnswerError("the answer does not fit its schema") from None


def reading_problem(prompt: str, text: str) -> str:
    """Say what makes an answer unusable; empty where nothing does."""
    asked = {name for name, _ in unfence_parts(prompt)[1:]}
    named = {one.sentence for one in parse_reading(text).sentences}
    if not named:
        return "it is not in the required format"
    return "" if named <= asked else "it names sentences that are not there"


def settled(
    sentences: Sequence[str], context: str, reading: Mapping[str, SentenceReading]
) -> list[list[str] | SetAside]:
    """Decide for each sentence: the claims that stand for it, or why it makes none.

    A sentence is set aside only where nothing in it could be wrong by itself, and only if at most half of the sentences
    are: an answer that talks the model into setting everything aside gains nothing.
    """
    found: list[list[str] | SetAside] = []
    before = context
    for number, sentence in enumerate(sentences, 1):
        one = reading.get(f"s{number}")
        found.append(_settle(sentence, before, one))
        before = f"{before}\n{sentence}"
    if sum(isinstance(one, str) for one in found) * 2 > len(found):
        return [[sentence] if isinstance(one, str) else one for sentence, one in zip(sentences, found, strict=True)]
    return found


def _settle(sentence: str, context: str, one: SentenceReading | None) -> list[str] | SetAside:
    if one is None:
        return [sentence]
    if one.set_aside and not one.claims:
        return one.set_aside if harmless(sentence) else [sentence]
    standing = [claim for claim in dict.fromkeys(one.claims) if follows(claim, sentence, context)]
    return standing if 0 < len(standing) <= MOST_CLAIMS and covers(standing, sentence) else [sentence]


def follows(claim: str, sentence: str, context: str) -> bool:
    """Whether a claim says only what its sentence says, with names from the context for words that point there."""
    words, own = content_words(claim), content_words(sentence)
    known = own | content_words(context)
    if not words or not words <= known or 2 * len(words & own) < len(words):
        return False
    return _numbers(claim) <= _numbers(sentence) and _negations(claim) <= _negations(sentence)


def covers(claims: Iterable[str], sentence: str) -> bool:
    """Whether claims together say what a sentence says: every number and negation, and nearly every other word."""
    together = " \n".join(claims)
    own = content_words(sentence)
    if not (_numbers(sentence) <= _numbers(together) and _negations(sentence) <= _negations(together)):
        return False
    return len(own & content_words(together)) >= 0.8 * len(own)


def harmless(sentence: str) -> bool:
    """Whether nothing in a sentence could be wrong by itself: no verb that asserts, no amount, no date, no name, and a
    script that has capital letters to tell names by."""
    if _WIDE.search(sentence) or not re.search("[a-zà-ÿ]", sentence):
        return False
    if _ASSERTING.search(sentence) or re.search(r"\w\W+(?!I\b)[A-ZÀ-Þ]\w", sentence):
        return False
    return not find_quantities(sentence) and not find_dates(sentence) and not _negations(sentence)


def content_words(text: str) -> frozenset[str]:
    """The words that carry a text's meaning, cut to their stems as far as that is safe in any language."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = {word for word in _WORD.findall(folded) if word not in _EMPTY}
    # Hiragana are endings and particles: they change when a sentence is split.
    wide = {sign for word in words if _WIDE.search(word) for sign in word if not "\u3040" <= sign <= "\u309f"}
    return frozenset(wide | {word if word.isdigit() else word[:6] for word in words if not _WIDE.search(word)})


def _numbers(text: str) -> frozenset[float]:
    dates = {float(part) for date in find_dates(text) for part in (date.year, date.month, date.day) if part}
    amounts = {value for found in find_quantities(text) if not found.vague for value in found.values}
    return frozenset(dates | amounts)


def _negations(text: str) -> frozenset[str]:
    """Empty, or one sign that there is a negation: "not" and "n't" are the same."""
    folded = text.casefold().replace("’", "'")
    negated = "n't" in folded or any(word in _NEGATIONS for word in _WORD.findall(folded))
    return frozenset({"not"} if negated else ())
