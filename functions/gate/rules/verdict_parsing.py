"""Reading a verifier's answer: strict, and never evaluated.

    LABEL: weakly_supported
    JUSTIFICATION: The evidence names the museum, not the year.
    REASON: partial
    QUOTE: The museum was opened by the mayor
    DOCUMENTS: d1, d3
    SCORES: supported=0.21 weakly_supported=0.64 unsupported=0.15

The first two lines are the format of the specification; the others are optional.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field, ValidationError, model_validator

from gate.model import LABELS, Frozen, Label, Reason
from gate.rules.fencing import neutralise

UNPARSED: tuple[Label, str] = ("unsupported", "Could not parse verification response.")
"""What an answer that cannot be read counts as; its reason is `unreadable_answer`, so it counts as unchecked."""

REASONS: Mapping[Label, tuple[Reason, ...]] = {
    "supported": ("entailed",),
    "weakly_supported": ("partial",),
    "unsupported": ("not_mentioned", "contradicted"),
}
"""Reasons that fit a label; the first is meant where none is given."""

Share = Annotated[float, Field(ge=0, le=1)]
_LINE = re.compile(
    r"[ \t>#*_`-]*(LABEL|JUSTIFICATION|REASON|QUOTE|DOCUMENTS|SCORES)[*_`]*[ \t]*:(.*)", re.ASCII | re.IGNORECASE
)
_DECORATION = " \t\r*_`"


class Answer(Frozen):
    """A verifier's answer to one claim.

    Attributes:
        label, justification: as in the specification; the justification is one line and not empty.
        reason: why, in one word; fits the label.
        quote: the stretch of evidence that decides, verbatim; may be empty.
        documents: handles (`d1`, …) of the passages that decide.
        scores: probability of each label; empty, or all three.
    """

    label: Label
    justification: Annotated[str, Field(min_length=1)]
    reason: Reason
    quote: str = ""
    documents: list[str] = []
    scores: dict[Label, Share] = {}

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Answer:
        if self.reason not in REASONS[self.label]:
            raise ValueError("the reason does not fit the label")
        if self.scores and (set(self.scores) != set(LABELS) or abs(sum(self.scores.values()) - 1) > 0.02):
            raise ValueError("the scores are not one distribution over the labels")
        return self


def parse_verdict(response: str) -> tuple[str, str]:
    """Read label and justification; what cannot be read is `UNPARSED`. Never raises."""
    fields = _fields(response)
    label = _label(fields.get("LABEL", []))
    justification = next(iter(fields.get("JUSTIFICATION", [])), "")
    if label is None or not justification:
        return UNPARSED
    return label, justification


def parse_answer(response: str) -> Answer | None:
    """Read the whole answer; None where any line of it cannot be used."""
    fields = _fields(response)
    label = _label(fields.get("LABEL", []))
    if label is None or any(len(set(values)) > 1 for values in fields.values()):
        return None
    one = {name: values[0] for name, values in fields.items()}
    try:
        return Answer(
            label=label,
            justification=one.get("JUSTIFICATION", ""),
            reason=one.get("REASON", "").strip(_DECORATION + ".").lower() or REASONS[label][0],
            quote=_quote(one.get("QUOTE", "")),
            documents=_documents(one.get("DOCUMENTS", "")),
            scores=_scores(one.get("SCORES", "")),
        )
    except (ValidationError, ValueError):
        return None


def render_answer(answer: Answer) -> str:
    """Write an answer in the format that `parse_answer` reads."""
    lines = [f"LABEL: {answer.label}", f"JUSTIFICATION: {_one_line(answer.justification)}", f"REASON: {answer.reason}"]
    if answer.quote:
        lines.append(f"QUOTE: {_one_line(answer.quote)}")
    if answer.documents:
        lines.append(f"DOCUMENTS: {', '.join(answer.documents)}")
    if answer.scores:
        lines.append("SCORES: " + " ".join(f"{label}={answer.scores[label]:.4f}" for label in LABELS))
    return "\n".join(lines)


def find_quote(quote: str, texts: Iterable[str]) -> str | None:
    """Find a quote in the evidence and return it as it stands there; None where it does not occur.

    White space may differ (answers are one line, passages are not), and the signs that fencing replaces; nothing else.
    """
    pattern = re.compile(r"\s+".join(re.escape(word) for word in neutralise(quote).split()))
    for text in texts:
        found = pattern.search(neutralise(text))
        if found is not None:
            return text[found.start() : found.end()]
    return None


def problem_with(answer: Answer | None, documents: Mapping[str, str]) -> str:
    """Say what makes an answer unusable, given the texts by handle; empty where nothing does."""
    if answer is None:
        return "it is not in the required format, or its values do not fit together"
    if not documents.keys() >= set(answer.documents):
        return "it names documents that are not there"
    if find_quote(answer.quote, documents.values()) is None:
        return "its quote is not in the documents word for word"
    return ""


def _fields(response: str) -> dict[str, list[str]]:
    """Collect the values of each line that names a field, in order of appearance."""
    fields: dict[str, list[str]] = {}
    for line in (response if isinstance(response, str) else "").split("\n"):
        match = _LINE.match(line)
        if match is not None:
            fields.setdefault(match[1].upper(), []).append(_one_line(match[2]).removeprefix("**").strip())
    return fields


def _label(values: list[str]) -> Label | None:
    """One label, named once or the same each time: an answer that names two has said nothing."""
    named = {value.strip(_DECORATION + ".\"'").lower() for value in values}
    return next((label for label in LABELS if named == {label}), None)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _quote(value: str) -> str:
    for opening, closing in ('""', "''", "“”", "«»"):
        if len(value) >= 2 and value.startswith(opening) and value.endswith(closing):
            return value[1:-1].strip()
    return "" if value.strip(".").lower() in ("none", "n/a", "-") else value


def _documents(value: str) -> list[str]:
    names = [name.strip("[]()\"'" + _DECORATION) for name in value.split(",")]
    return [name for name in dict.fromkeys(names) if name and name.lower() not in ("none", "n/a")]


def _scores(value: str) -> dict[Label, float]:
    pairs = [pair.split("=", 1) for pair in value.split()]
    return {name.lower(): float(number) for name, number in pairs}  # type: ignore[misc]
