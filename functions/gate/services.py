"""The functions that agents call. What a run asks of them (filters, k, thresholds) is set around the agent's call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from gate import wiring
from gate.ports import Redacted, SearchFilter
from gate.rules.repository import Repository
from gate.rules.transcripts.table import Caps

_config: ContextVar[Mapping[str, Any]] = ContextVar("config")


@contextmanager
def using(config: Mapping[str, Any]) -> Iterator[None]:
    """Apply a run's `config` to the calls made inside (in this context; copy it into threads)."""
    token = _config.set(config)
    try:
        yield
    finally:
        _config.reset(token)


def search_options() -> Mapping[str, Any]:
    """The `search` part of the run's config; empty outside a run."""
    options: Mapping[str, Any] = _config.get({}).get("search") or {}
    return options


def search_filter() -> SearchFilter:
    """What the run may see of the corpus."""
    options = search_options()
    return SearchFilter(
        tenant=options.get("tenant"),
        sources=tuple(options.get("sources", ())),
        classifications=tuple(options.get("classifications", ())),
        published_from=options.get("published_from"),
        published_to=options.get("published_to"),
    )


def caps() -> Caps:
    """What a submission may measure."""
    settings = wiring.settings()
    return Caps(settings.max_bytes, settings.max_turns, settings.max_turn_chars, settings.max_depth)


def default_index() -> str:
    """The index to search when a submission names none."""
    return wiring.settings().index


def call_llm(prompt: str, system: str = "") -> str:
    """Answer `prompt` under `system` with the configured model."""
    return wiring.language_model().complete(prompt, system)


def search_docs(query: str, index: str = "trusted_docs") -> list[dict[str, Any]]:
    """Find passages by keywords, best first."""
    options = search_options()
    found = wiring.search_engine().search_docs(query, index, k=options.get("top_k", 5), where=search_filter())
    return [document for document in found if document["score"] >= options.get("min_score", 0.0)]


def vector_search(text: str, index: str = "trusted_docs", k: int = 5) -> list[dict[str, Any]]:
    """Find passages by meaning, best first; without an embedder there are none."""
    embedder = wiring.embedder()
    if embedder is None:
        return []
    options = search_options()
    vector = embedder.embed([text])[0]
    found = wiring.search_engine().vector_search(vector, index, k=options.get("top_k", k), where=search_filter())
    return [document for document in found if document["score"] >= options.get("min_similarity", 0.0)]


def open_repository(artifact: Mapping[str, Any], root: str | None = None) -> Repository:
    """Read the names in a repository that a submission brings along; see `gate.adapters.repositories`."""
    from gate.adapters import repositories

    return repositories.open_repository(artifact, root)


def redact(text: str) -> Redacted:
    """Hide personal data in `text` with the configured redactor."""
    return wiring.redactor().redact(text)
