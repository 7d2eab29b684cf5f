"""A reading and its probabilities in plain words: label, what is missing, the sentence that decides."""

from __future__ import annotations

from collections.abc import Mapping

from gate.adapters.local_verifier.guards import VALUES, Stop
from gate.adapters.local_verifier.lexical import Reading
from gate.model import LABELS, NONE_KNOWN, REASONS, Answer, Known, Label
from gate.text.tokens import words as words_of
from gate.text.words.function_words import FUNCTION_WORDS

NAMED = 4
"""Missing words that are named; more are counted."""
QUOTED_OVERLAP = 0.25
"""Below this share of the claim in its best sentence there is no sentence worth quoting."""
LONGEST_QUOTE = 600
SURE = 0.5
"""From this probability of support on, a guard that compares words leaves `weakly_supported`. Chosen while most of what
such guards stopped was a "not" in one of the two, which stops nothing now (docs/model-cards/method.md)."""


def likeliest(scores: Mapping[Label, float]) -> Label:
    """The label of the highest probability; at a tie the stricter one."""
    return max(reversed(list(scores)), key=lambda name: scores[name])


def explain(
    reading: Reading,
    scores: Mapping[Label, float],
    stop: Stop | None = None,
    known: Known = NONE_KNOWN,
    *,
    refuted: bool = False,
) -> Answer:
    """Turn a reading into an answer; the likeliest label wins, unless a guard knows better.

    Args:
        reading: what counting found.
        scores: probability of each label.
        stop: what a guard says against `supported`, if one does.
        known: figures that need no evidence, and are not named as missing.
        refuted: the evidence says otherwise: what is unsupported is then `contradicted` by the sentence that is quoted,
            or `not_mentioned` where none can be.
    """
    label = likeliest(scores)
    justification = _justification(label, reading, _gap(reading, known))
    if stop and scores["supported"] >= SURE and stop.guard not in VALUES:
        label, justification = "weakly_supported", f"The evidence has the claim's words, but {stop.why}."
    elif stop and LABELS.index(stop.label) > LABELS.index(label):
        label, justification = stop.label, f"The evidence does not support the claim: {stop.why}."
    quote = _quote(reading)
    contradicted = refuted and label == "unsupported" and bool(quote)
    if contradicted and not stop:
        justification = "The evidence says otherwise."
    documents = (reading.best.document,) if reading.best and (quote or label != "unsupported") else ()
    return Answer(
        label=label,
        justification=justification,
        reason="contradicted" if contradicted else REASONS[label][0],
        quote=quote,
        documents=documents,
        scores={name: round(value, 4) for name, value in scores.items()},
    )


def held_to_quote(answer: Answer) -> Answer:
    """The answer, with support that nothing can be quoted for called partial."""
    if answer.label != "supported" or answer.quote:
        return answer
    said = "The verifier finds support for the claim, but no sentence of the evidence that shares its words."
    changed = {"label": "weakly_supported", "reason": REASONS["weakly_supported"][0], "justification": said}
    return Answer(**{**answer.model_dump(), **changed})


def _quote(reading: Reading) -> str:
    best = reading.best
    if best is None or reading.share_in_best < QUOTED_OVERLAP:
        return ""
    return best.text[:LONGEST_QUOTE].rstrip()


def _justification(label: Label, reading: Reading, gap: str) -> str:
    if label == "supported":
        return "The evidence covers the claim."
    if label == "weakly_supported":
        return f"The evidence covers a part of the claim; {_what_lacks(gap, reading)}."
    return (
        f"The evidence does not mention {gap}."
        if gap
        else f"The evidence does not support the claim: {_apart(reading)}."
    )


def _what_lacks(gap: str, reading: Reading) -> str:
    return f"it does not mention {gap}" if gap else _apart(reading)


def _apart(reading: Reading) -> str:
    if reading.negation_differs:
        return "one of the two denies something that the other does not"
    return "its words occur, but the evidence does not put them together in this way"


def _gap(reading: Reading, known: Known) -> str:
    """Name what is missing: numbers as they are, words in quotation marks, the telling ones first."""
    numbers, names = reading.missing_numbers, reading.missing_names
    named_already = {*numbers, *names}
    others = [word for word in reading.missing if word not in named_already and word.lower() not in FUNCTION_WORDS]
    needless = words_of(" ".join(known))
    words = [*(number for number in numbers if number not in needless), *(f"'{word}'" for word in (*names, *others))]
    named, rest = words[:NAMED], len(words) - NAMED
    if rest > 0:
        return f"{', '.join(named)} and {rest} more of its words"
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
