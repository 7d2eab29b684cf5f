"""The gate's own JSON format: turns, and what else belongs to the submission."""

from __future__ import annotations

from typing import Annotated, Any, cast

from pydantic import Field, ValidationError

from gate.errors import InputError, first_misfit
from gate.model import Document, Frozen, Turn
from gate.submission.transcripts.record import Record

NAME = "gate"


class Passage(Frozen):
    """A passage that the model was given, and where it comes from."""

    content: str
    id: str | None = None
    title: str | None = None
    section: str | None = None
    url: str | None = None
    source: str | None = None


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
    contexts: tuple[Passage, ...] = Field(default=(), description="The passages that the model was given.")
    reference: str = Field(default="", description="The answer that is held for right; shown, and no evidence.")
    metadata: dict[str, Annotated[str, Field(max_length=200)]] = Field(
        default_factory=dict, description="Short names; `writer`: the model or person that wrote the answer."
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
    return Record(
        read.turns,
        id=read.id,
        segment=read.segment,
        artifacts=read.artifacts,
        contexts=tuple(cast(Document, one.model_dump(exclude_none=True)) for one in read.contexts),
        reference=read.reference,
        metadata=read.metadata,
    )
