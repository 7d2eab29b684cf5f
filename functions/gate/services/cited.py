"""Finds the passages of the very documents that a claim cites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from gate import wiring
from gate.model import MOST_SOURCES, CitedEvidence, Document, NamedSource
from gate.retrieval.cited_documents import is_told, matching, names_something, query_of
from gate.services import run
from gate.services.search import CANDIDATES, TOP_K


def cited_evidence(claim: dict[str, Any], documents: Sequence[Document], index: str | None) -> list[CitedEvidence]:
    """The sources that a claim cites, each with its passages that are nearest to the claim.

    Evidence that is of the source is taken as it is; only where there is none is the corpus searched once more, for the
    claim and the source's name, under the run's filter; not where `index` is None.
    """
    sources = claim.get("sources") or []
    return [
        CitedEvidence(source=source, documents=[], found="unchecked")
        if number >= MOST_SOURCES or source.get("beyond")
        else _evidence(source, source.get("part") or claim["text"], documents, index)
        for number, source in enumerate(sources)
    ]


def _evidence(source: NamedSource, text: str, documents: Sequence[Document], index: str | None) -> CitedEvidence:
    own = matching(source, documents)
    if index is not None and not own and (source["url"] or source["title"]):
        query = f"{query_of(source)} {text}"
        engine = wiring.current().search_engine()
        found = engine.search_docs(query, index, k=CANDIDATES, where=run.search_filter())
        documents = [*documents, *(cast(Document, one) for one in found)]
        own = matching(source, documents)[:TOP_K]
    if own:
        return CitedEvidence(source=source, documents=own, found="document")
    unknown = source.get("missing") or (names_something(source) and is_told(source, documents))
    return CitedEvidence(source=source, documents=[], found="unknown_source" if unknown else "unresolved")
