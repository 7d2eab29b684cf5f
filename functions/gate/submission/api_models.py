"""What the API takes and gives; its OpenAPI document is made from these."""

from __future__ import annotations

import json
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from gate.model import Against, Frozen, Label

Text = Annotated[str, Field(min_length=1, max_length=5_500_000)]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[\w .()\-]+$")]
Word = Annotated[str, Field(min_length=1, max_length=200)]


def _in_the_calendar(value: str) -> str:
    date.fromisoformat(value)
    return value


Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$"), AfterValidator(_in_the_calendar)]


class SearchOptions(Frozen):
    """What of the corpus a check may see, and how much of it."""

    index: Word | None = None
    tenant: Word | None = None
    sources: Annotated[tuple[Word, ...], Field(max_length=50)] = ()
    classifications: Annotated[tuple[Word, ...], Field(max_length=50)] = ()
    published_from: Day | None = None
    published_to: Day | None = None
    top_k: Annotated[int, Field(ge=1, le=50)] | None = None
    min_score: Annotated[float, Field(ge=0, le=1_000)] | None = None
    min_similarity: Annotated[float, Field(ge=0, le=1)] | None = None


class CheckRequest(Frozen):
    """A check: one answer as `text`, or a `transcript` in the gate's own or OpenAI's format.

    `against`: what a transcript with contexts is judged against; without it both, of which the corpus decides.
    `segment`, of the conversation, asks for citations where the transcript brings none of its own.
    """

    name: Name = "submission"
    text: Text | None = None
    transcript: dict[str, Any] | None = None
    segment: dict[str, Any] | None = None
    search: SearchOptions = SearchOptions()
    against: Against | None = None

    @model_validator(mode="after")
    def one_of_two(self) -> CheckRequest:
        """Exactly one of the two is there."""
        if (self.text is None) == (self.transcript is None):
            raise ValueError("give either text or transcript")
        try:
            self.document().encode()
            json.dumps(self.segment, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("half of a surrogate pair stands alone in it") from None
        return self

    def config(self) -> dict[str, Any]:
        """What of it belongs into the config of its run."""
        return {"name": self.name, **({"against": self.against} if self.against is not None else {})}

    def document(self) -> str:
        """The submission as text."""
        return self.text if self.text is not None else json.dumps(self.transcript, ensure_ascii=False)

    def file_name(self) -> str:
        """The submission's name, with an ending that tells its format."""
        if self.transcript is not None:
            return f"{self.name}.json"
        return self.name if self.name.endswith((".md", ".txt")) else f"{self.name}.txt"


class UploadRequest(Frozen):
    """A transcript that is uploaded next; how its `name` ends tells its format, as of any upload."""

    name: Name = "submission.json"
    search: SearchOptions = SearchOptions()
    against: Against | None = None

    def config(self) -> dict[str, Any]:
        """What of it belongs into the config of its run."""
        return {"name": self.name, **({"against": self.against} if self.against is not None else {})}


class UploadForm(Frozen):
    """How to upload it: by POST to `url` as `multipart/form-data`, `fields` first and each as it is, then the file as
    `file`.

    `until`: when the form ends. `check`: where its run tells how it stands. `report`: where its report will be.
    """

    id: str
    url: str
    fields: dict[str, str]
    until: str
    max_bytes: int
    check: str
    report: str


class CheckStatus(Frozen):
    """How a check stands; `outcome` (pass, review, block or error) once it is done, `review` while it waits for a
    person, `queued` (how many begin before it) while it waits for its turn and its place is known."""

    id: str
    status: str
    outcome: str | None = None
    error: str | None = None
    message: str | None = None
    counts: dict[str, int] | None = None
    report: str | None = None
    review: str | None = None
    queued: int | None = None


class ReviewRequest(Frozen):
    """What a person decides of a run that waits.

    `comment`: needed where the gate is overruled. `marks`: a label by claim, or `right`. `reviewer`: who decides, where
    callers are not verified (`gate serve`).
    """

    outcome: Literal["pass", "block"]
    comment: Annotated[str, Field(max_length=2_000)] = ""
    marks: Annotated[dict[str, Label | Literal["right"]], Field(max_length=10_000)] = {}
    reviewer: Annotated[str, Field(max_length=256)] = ""


class AssignRequest(Frozen):
    """Who is to look at a review; empty: anybody. `reviewer`: who says so, where callers are not verified."""

    assignee: Annotated[str, Field(max_length=256)]
    reviewer: Annotated[str, Field(max_length=256)] = ""


class ReviewStatus(Frozen):
    """A review: why it was asked for, until when, and what has been decided.

    `goes_on`: after a decision that settles it, whether the run waited for that; else the decision is kept, and counts
    where the run is redriven.
    """

    id: str
    since: str
    until: str
    reasons: list[dict[str, str]]
    assignee: str
    four_eyes: bool
    fallback: str
    state: str
    outcome: str | None
    decisions: list[dict[str, Any]]
    marks: list[dict[str, str]]
    report: str
    goes_on: bool | None = None


class ReviewsWaiting(Frozen):
    """Runs that wait for a person, the one whose time is over first in front."""

    reviews: list[ReviewStatus]


class CitationsRequest(Frozen):
    """A segment of a conversation that wants grounding."""

    segment: dict[str, Any]
    top_k: Annotated[int, Field(ge=1, le=50)] = 5
    details: bool = False
    max_chars: Annotated[int, Field(ge=0)] = 0
    search: SearchOptions = SearchOptions()


class Citations(Frozen):
    """Passages to ground an answer on, personal data replaced."""

    citations: list[dict[str, Any]]


class Health(Frozen):
    """That the service answers."""

    status: str
    version: str


class Deleted(Frozen):
    """How many blobs and reports of a run were removed."""

    id: str
    removed: int
