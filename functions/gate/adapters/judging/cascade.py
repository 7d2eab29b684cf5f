"""Two verifiers in a row: the first judges every claim, the second those that the first is not sure of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gate.errors import AnswerError, SettingsError, UnmeasuredLanguageError
from gate.model import NONE_KNOWN, Document, Known, Label
from gate.ports import Judged, Verifier

SAVED = "saved"
"""In the usage of a verdict: calls of the second verifier that the first one saved."""


class Cascade:
    """A `Verifier` that asks `second` only where `first` is in doubt.

    The first one's word stands where the probability that it gives to `supported` is `low` or less and it does not call
    the claim supported, or `high` or more, it does, and no check objects. A verdict without probabilities goes on, and
    so do an answer of the first that cannot be read, and a claim in a language that it was not measured in. What goes
    wrong with the second is not made good by the first: the claim is unchecked.

    Raises:
        SettingsError: `low` is above `high`.
    """

    def __init__(self, first: Verifier, second: Verifier, low: float, high: float) -> None:
        if low > high:
            raise SettingsError("GATE_CASCADE_LOW: is above GATE_CASCADE_HIGH", hint="for example 0.2 and 0.9")
        self._first, self._second = first, second
        self._low, self._high = low, high
        self.name = f"{first.name}>{second.name} ({low:g} to {high:g})"

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Judge; `before` says what the first verifier thought of a claim that went to the second."""
        before: Label | None = None
        spent: Mapping[str, int] = {}
        try:
            judged = self._first.judge(claim, context, documents, known)
        except AnswerError as error:
            spent = error.usage
        except UnmeasuredLanguageError:
            pass
        else:
            if stands(judged, self._low, self._high):
                return replace(judged, usage={**judged.usage, SAVED: 1})
            before, spent = judged.answer.label, judged.usage
        try:
            found = self._second.judge(claim, context, documents, known)
        except AnswerError as error:
            error.usage = _added(spent, error.usage)
            raise
        return replace(found, before=before, usage=_added(spent, found.usage))


def stands(judged: Judged, low: float, high: float) -> bool:
    """Whether a verdict is sure enough to need no second opinion."""
    share = judged.answer.scores.get("supported")
    if share is None:
        return False
    if judged.answer.label == "supported":
        return share >= high and all(check["passed"] for check in judged.checks)
    return share <= low


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}
