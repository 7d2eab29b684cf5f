"""The gate's own JSON format: turns, and what else belongs to the submission."""

from __future__ import annotations

from typing import Any

from pydantic import Field, ValidationError

from gate.errors import InputError, first_misfit
from gate.model import Frozen, Turn
from gate.submission.transcripts.record import Record

NAME = "turns"


class Submission(Frozen):
    """One answer or conversation to check.

    It brings no policy: whoever wrote the answer has no say in how it is judged.

    `docs/schemas/submission.schema.json` is this model as JSON Schema.
    """

    id: str | None = Field(default=None, description="The caller's own name for it; shown in the report.")
    turns: tuple[Turn, ...] = Field(description="The conversation, oldest turn first; assistant turns are checked.")
    segment: dict[str, Any] | None = Field(
        default=None,
        description="A segmenter's result (use_case, funnel_stage, intent_level, reasons): asks for citations.",
    )
    artifacts: dict[str, Any] = Field(
        default_factory=dict, description="What the answer is about beside the corpus: `repo`, `docs`, `images`."
    )


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and "turns" in document


def parse(document: Any) -> Record:
    """Read a JSON document in this format; a key that it does not have is an error, so nothing is left over.

    Raises:
        InputError: naming the first place that does not fit.
    """
    try:
        read = Submission.model_validate(document)
    except ValidationError as error:
        raise InputError(str(first_misfit(error)), hint="see docs/schemas/submission.schema.json") from None
    return Record(read.turns, id=read.id, segment=read.segment, artifacts=read.artifacts)
