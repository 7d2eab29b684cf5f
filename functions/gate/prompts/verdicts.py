"""The prompt that has one claim judged: what is asked, and how the answer is read: strictly, and never evaluated.

    LABEL: weakly_supported
    JUSTIFICATION: The evidence names the museum, not the year.
    REASON: partial
    QUOTE: The museum was opened by the mayor
    DOCUMENTS: d417, d419
    SCORES: supported=0.21 weakly_supported=0.64 unsupported=0.15

The first two lines are the format of the specification; the others are optional. A model that can be held to a form
answers with the same fields in one JSON object. What it says is compared with the evidence in `gate.decision.quotes`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from gate.errors import AnswerError
from gate.model import LABELS, REASONS, Answer, Frozen, Label, Share
from gate.ports import Form, Question
from gate.prompts import Prompt, load
from gate.prompts.fencing import Fenced
from gate.prompts.schemas import object_in, sendable
from gate.text.refusals import refuses

VERDICT_TOKENS = 400
UNPARSED: tuple[Label, str] = ("unsupported", "Could not parse verification response.")
"""What an answer that cannot be read counts as; its reason is `unreadable_answer`, so it counts as unchecked."""

_LINE = re.compile(
    r"[ \t>#*_`-]*+(CLAIM|LABEL|JUSTIFICATION|REASON|QUOTE|DOCUMENTS|SCORES)[*_`]*[ \t]*:(.*)", re.ASCII | re.IGNORECASE
)
_DECORATION = " \t\r*_`"
LONGEST_JUSTIFICATION = 600
"""Characters; what is longer is cut."""
_OBJECT = re.compile(r"\{\s*\"(?:label|documents|quote|reason|justification)\"")
_FIELDS = ("documents", "quote", "label", "reason", "justification")
"""Of the schema, in the order in which a model should think: evidence first, then what follows from it."""


def _one_line(text: Any) -> Any:
    return " ".join(text.split()) if isinstance(text, str) else text


def _justification(text: Any) -> Any:
    line = _one_line(text)
    cut = isinstance(line, str) and len(line) > LONGEST_JUSTIFICATION
    return line[: LONGEST_JUSTIFICATION - 1].rstrip() + "…" if cut else line


def _quote(value: Any) -> Any:
    """A quote without the quotation marks around it; words for "there is none" are none."""
    if not isinstance(value, str):
        return value
    value = _one_line(value)
    for opening, closing in ('""', "''", "“”", "«»"):
        if len(value) >= 2 and value.startswith(opening) and value.endswith(closing):
            return value[1:-1].strip()
    return "" if value.strip(".").lower() in ("none", "n/a", "-") else value


def _documents(value: Any) -> Any:
    """Handles, each once, given as a list or in one line; words for "there is none" are none."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or not all(isinstance(name, str) for name in parts):
        return value
    names = [name.strip("[]()\"'" + _DECORATION) for name in parts]
    return [name for name in dict.fromkeys(names) if name and name.lower() not in ("none", "n/a")]


class VerdictReply(Frozen):
    """A verdict as a model writes it: like `Answer`, with the handles of documents."""

    label: Label
    justification: Annotated[str, BeforeValidator(_justification), Field(min_length=1)]
    reason: Literal["entailed", "partial", "not_mentioned", "contradicted"]
    quote: Annotated[str, BeforeValidator(_quote)] = ""
    documents: Annotated[list[str], BeforeValidator(_documents)] = []
    scores: dict[Label, Share] = {}

    @model_validator(mode="after")
    def _scores_agree(self) -> VerdictReply:
        if self.scores and self.scores.get(self.label, 0.0) < max(self.scores.values()):
            raise ValueError("the scores say another label")
        return self


def verdict_prompt() -> Prompt:
    """The system prompt."""
    return load("verify_claims")


def verdict_question(asked: Fenced) -> Question:
    """Ask whether documents support a claim."""
    prompt = verdict_prompt().in_context() if asked.context else verdict_prompt()
    form = Form("verdict", _schema(), prompt.by_schema)
    return Question(asked.text, prompt.in_words, form, VERDICT_TOKENS)


@cache
def _schema() -> Mapping[str, Any]:
    return sendable(VerdictReply, _FIELDS)


def read_verdict(reply: str, asked: Fenced) -> Answer:
    """Read a model's answer to a question.

    Raises:
        AnswerError: any part of it cannot be used; the message says what is wrong, in our words.
    """
    fields = _fields(reply)
    in_lines = "LABEL" in fields
    try:
        if in_lines and _OBJECT.search(reply):
            raise ValueError("two verdicts")
        said = VerdictReply.model_validate(_from_lines(fields) if in_lines else object_in(reply))
        answer = Answer(**{**said.model_dump(), "documents": ()})
    except ValueError:
        raise AnswerError("it is not in the required format, or its values do not fit together") from None
    if any(_quote(claim) != _one_line(asked.claim) for claim in fields.get("CLAIM", [])):
        raise AnswerError("it is about another claim")
    if refuses(_beside(reply, in_lines)) or (answer.label == "supported" and refuses(answer.justification)):
        raise AnswerError("it gives a verdict and refuses to give one")
    if not set(said.documents) <= set(asked.handles):
        raise AnswerError("it names documents that are not there")
    return answer.model_copy(update={"documents": tuple(asked.handles.index(name) for name in said.documents)})


def _beside(reply: str, in_lines: bool) -> str:
    """What stands beside the verdict in a reply."""
    if in_lines:
        return "\n".join(line for line in reply.split("\n") if not _LINE.match(line))
    return f"{reply[: reply.find('{')]}\n{reply[reply.rfind('}') + 1 :]}"


def write_verdict(answer: Answer, handles: Sequence[str]) -> str:
    """Write an answer in the lines that `read_verdict` reads."""
    lines = [f"LABEL: {answer.label}", f"JUSTIFICATION: {_one_line(answer.justification)}", f"REASON: {answer.reason}"]
    if answer.quote:
        lines.append(f"QUOTE: {_one_line(answer.quote)}")
    if answer.documents:
        lines.append(f"DOCUMENTS: {', '.join(handles[place] for place in answer.documents)}")
    if answer.scores:
        lines.append("SCORES: " + " ".join(f"{label}={answer.scores[label]:.4f}" for label in LABELS))
    return "\n".join(lines)


def parse_verdict(response: str) -> tuple[str, str]:
    """Read label and justification from lines; what cannot be read is `UNPARSED`. Never raises."""
    fields = _fields(response)
    label = _label(fields.get("LABEL", []))
    justification = _justification(next(iter(fields.get("JUSTIFICATION", [])), ""))
    if label is None or not justification:
        return UNPARSED
    return label, justification


def _fields(response: str) -> dict[str, list[str]]:
    """Collect the values of each line that names a field, in order of appearance."""
    fields: dict[str, list[str]] = {}
    for line in (response if isinstance(response, str) else "").split("\n"):
        match = _LINE.match(line)
        if match is not None:
            fields.setdefault(match[1].upper(), []).append(_one_line(match[2]).removeprefix("**").strip())
    return fields


def _from_lines(fields: Mapping[str, list[str]]) -> dict[str, Any]:
    """The fields of a reply in lines; one that is said twice and differently spoils it."""
    label = _label(fields["LABEL"])
    if label is None or any(len(set(values)) > 1 for values in fields.values()):
        raise ValueError("not one verdict")
    one: dict[str, Any] = {name.lower(): values[0] for name, values in fields.items() if name != "CLAIM"}
    reason = one.get("reason", "").strip(_DECORATION + ".").lower() or REASONS[label][0]
    return {**one, "label": label, "reason": reason, "scores": _scores(one.get("scores", ""))}


def _label(values: list[str]) -> Label | None:
    """One label, named once or the same each time: an answer that names two has said nothing."""
    named = {value.strip(_DECORATION + ".\"'").lower() for value in values}
    return next((label for label in LABELS if named == {label}), None)


def _scores(value: str) -> dict[str, float]:
    pairs = [pair.split("=", 1) for pair in value.split()]
    return {name.lower(): float(number) for name, number in pairs}
