"""What a verdict quotes must stand in its evidence, word for word, and must be enough to support a claim."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from gate.errors import AnswerError
from gate.model import Answer
from gate.prompts.fencing import neutralise
from gate.text.scripts import UNSPACED
from gate.text.sentences import lines_of_sentences
from gate.text.tokens import keys

LEAST_WORDS = 5
"""Of a quote that supports a claim, unless it is a whole sentence or line of its document."""
_UNSPACED = re.compile(f"[{UNSPACED}]")
_PART = re.compile(r"(?:(?![:;：；]\s)[^|])+")
"""What stands between colons, semicolons and the edges of a table's cells."""
_AROUND = " \t\n\"'“”„«»「」()*_-•.!?:;。！？：；।"
"""What may stand at the ends of a clause."""


def find_quote(quote: str, texts: Sequence[str]) -> str | None:
    """Find a quote in the evidence and return it as it stands there; None where it does not occur.

    White space may differ (answers are one line, passages are not), and the signs that fencing replaces; nothing else.
    A quote does not begin or end within a word.
    """
    return next((text[start:end] for text in texts for start, end in _places(quote, text)), None)


def deciding(answer: Answer, texts: Sequence[str]) -> list[str]:
    """The documents that hold the answer's quote, of those that it names; without a quote those that it names.

    An answer that names none may have it from any.
    """
    named = [texts[place] for place in answer.documents] or list(texts)
    return [text for text in named if find_quote(answer.quote, [text]) is not None]


def with_quote(answer: Answer, texts: Sequence[str]) -> Answer:
    """The answer with its quote as the evidence has it.

    Args:
        texts: of all the documents that the verifier was given, in order.

    Raises:
        AnswerError: it is in none of the documents that the answer names.
    """
    found = find_quote(answer.quote, deciding(answer, texts))
    if found is None:
        raise AnswerError("its quote is not in the document that it names, word for word")
    return answer.model_copy(update={"quote": found})


def with_evidence(answer: Answer, texts: Sequence[str]) -> Answer:
    """The same; an answer that supports the claim has to name its document and to quote a clause of it.

    Raises:
        AnswerError: it does not.
    """
    answer, supports = with_quote(answer, texts), answer.label == "supported"
    if supports and not answer.documents:
        raise AnswerError("it supports the claim and names no document")
    if supports and not any(_clause(answer.quote, text) for text in deciding(answer, texts)):
        raise AnswerError("it supports the claim and quotes no clause: five words, or a whole sentence")
    return answer


def _places(quote: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a quote stands in a text; in linear time, whatever the two hold."""
    wanted, squeezed = _squeezed(quote), _squeezed(text)
    if not wanted:
        yield 0, 0
        return
    visible: list[int] = []
    done = first = 0
    at = squeezed.find(wanted)
    while at >= 0:
        first += at - done - squeezed.count(" ", done, at)
        done = at
        is_part = _joined(squeezed, at) or _joined(squeezed, at + len(wanted))
        if not is_part and len(squeezed) == len(text):  # nothing was squeezed: every place is the same
            yield at, at + len(wanted)
        elif not is_part:
            visible = visible or [place for place, sign in enumerate(text) if not sign.isspace()]
            yield visible[first], visible[first + len(wanted) - wanted.count(" ") - 1] + 1
        at = squeezed.find(wanted, at + len(wanted))


@lru_cache(maxsize=64)
def _squeezed(text: str) -> str:
    """A text as quotes are compared; of one claim each passage is asked for four times."""
    return " ".join(neutralise(text).split())


def _joined(text: str, at: int) -> bool:
    """Whether the characters before and after a place are of one word."""
    pair = text[max(0, at - 1) : at + 1]
    return 0 < at < len(text) and pair.isalnum() and not _UNSPACED.search(pair)


def _clause(quote: str, text: str) -> bool:
    """Whether a quote is long enough to say something, or holds all that a sentence, a line or a cell says."""
    if len(keys(quote)) >= LEAST_WORDS:
        return True
    clauses = _clauses(text)
    for first, last in _places(quote, text):
        at = bisect_left(clauses, (first, first))
        if at < len(clauses) and clauses[at][1] <= last:
            return True
    return False


@lru_cache(maxsize=256)
def _clauses(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of every clause that stands by itself, in order."""
    found = []
    for first, last in lines_of_sentences(text):
        for part in _PART.finditer(text, first, last):
            inner = part[0].strip(_AROUND)
            if inner:
                start = part.start() + part[0].index(inner)
                found.append((start, start + len(inner)))
    return tuple(found)
