"""From what a search found to citations: their shape, what may be shown, and how much of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Protocol

from pydantic import Field

from gate.model import Citation, Frozen
from gate.ports import Redacted
from gate.retrieval.segment_query import Signals

Redact = Callable[[str], Redacted]


class Found(Protocol):
    """A passage as retrievers know it: its text, and everything else about it."""

    @property
    def page_content(self) -> str: ...

    @property
    def metadata(self) -> dict[str, Any]: ...


class CitationOptions(Frozen):
    """What a run may ask of its citations (`config.citations`).

    Attributes:
        details: whether citations carry `score`, `similarity`, `redactions` and `policy` beside the usual keys.
        max_chars: characters of `redacted_text` at most; 0: all of it.
        signals: synonyms and product ids, in place of the deployment's.
    """

    details: bool = False
    max_chars: Annotated[int, Field(ge=0)] = 0
    signals: Signals | None = None


def citation(document: Found, redact: Redact, options: CitationOptions) -> Citation:
    """Return the citation of a passage."""
    text, metadata = document.page_content or "", document.metadata or {}
    result = redact(text)
    plain: Citation = {
        "id": metadata.get("id"),
        "title": metadata.get("title"),
        "section": metadata.get("section"),
        "text": text,
        "redacted_text": shortened(result, options.max_chars),
        "url": metadata.get("url"),
        "published_date": metadata.get("published_date"),
        "source": metadata.get("source") or "corpus",
    }
    return {**plain, **_details(metadata, result)} if options.details else plain  # type: ignore[typeddict-item]


def _details(metadata: Mapping[str, Any], result: Redacted) -> dict[str, Any]:
    return {
        "score": metadata.get("score"),
        "similarity": metadata.get("similarity"),
        "redactions": [
            {"kind": one.kind, "rule": one.rule, "start": one.start, "end": one.end} for one in result.redactions
        ],
        "policy": result.policy,
    }


def shortened(result: Redacted, max_chars: int) -> str:
    """Return the redacted text cut to `max_chars`: between words, and never within a token."""
    text = result.text
    if not max_chars or len(text) <= max_chars:
        return text
    end = next((one.start for one in result.redactions if one.start < max_chars - 1 < one.end), max_chars - 1)
    blank = text.rfind(" ", 0, end + 1)
    return f"{text[: blank if blank > end // 2 else end].rstrip()}…"
