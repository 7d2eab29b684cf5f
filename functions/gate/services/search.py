"""A hybrid search with thresholds, and why it may find nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gate import wiring
from gate.errors import InputError, SettingsError
from gate.ports import NO_FILTER, SearchEngine, SearchFilter
from gate.services import run
from gate.services.indexes import index_embedder

DEFAULT_JSONL_PATH = "corpus.jsonl"
"""The corpus that is searched where none is named and no index is configured."""

TOP_K = 5
CANDIDATES = 100
"""Passages looked at for thresholds: what is not among them counts as below."""


@dataclass(frozen=True, slots=True)
class Search:
    """A query, embedded or not, where it is asked, and what may be seen."""

    engine: SearchEngine
    index: str
    query: str
    vector: Sequence[float] | None
    where: SearchFilter = NO_FILTER

    def hybrid(self, k: int) -> list[dict[str, Any]]:
        """Find passages by keywords and meaning."""
        return self.engine.hybrid_search(self.query, self.vector, self.index, k=k, where=self.where)

    def cosines(self) -> dict[str, float]:
        """Similarity of the nearest passages, by id."""
        if self.vector is None:
            return {}
        return _scores(self.engine.vector_search(self.vector, self.index, k=CANDIDATES, where=self.where))

    def keyword_scores(self) -> dict[str, float]:
        """BM25 of the best matches, by id."""
        return _scores(self.engine.search_docs(self.query, self.index, k=CANDIDATES, where=self.where))


def above_thresholds(
    search: Search, k: int, *, similarity: float | None, score: float | None, details: bool
) -> list[dict[str, Any]]:
    """Find passages that are near enough by meaning or by keywords; one of the thresholds that are set is enough.

    With a threshold or `details` each passage has its `similarity`, None where it is not among the nearest.
    """
    found = search.hybrid(k)
    if similarity is None and score is None and not details:
        return found
    cosines = search.cosines()
    found = [{**document, "similarity": cosines.get(document["id"])} for document in found]
    if similarity is None and score is None:
        return found
    near = {key for key, value in cosines.items() if similarity is not None and value >= similarity}
    if score is not None:
        near |= {key for key, value in search.keyword_scores().items() if value >= score}
    return [document for document in found if document["id"] in near]


def is_elsewhere() -> bool:
    """Whether a search waits for a service."""
    return wiring.current().settings.search != "embedded"


def new_search(query: str, jsonl_path: str | None) -> Search:
    """A search under the run's filter: of the corpus at a path, or of the index that the run or the settings name."""
    engine, index = _corpus(jsonl_path)
    return Search(engine, index, query, query_vector(query, engine, index), run.search_filter())


def _corpus(path: str | None) -> tuple[SearchEngine, str]:
    gate = wiring.current()
    if path is None and (named := run.index()):
        return gate.search_engine(), named
    if path is None and (gate.search_engine().exists(gate.settings.index) or not Path(DEFAULT_JSONL_PATH).is_file()):
        return gate.search_engine(), gate.settings.index
    from gate.services.paths.path_index import index_corpus  # with every reader of documents

    return gate.embedded_store(), index_corpus(path or DEFAULT_JSONL_PATH)


def query_vector(text: str, engine: SearchEngine, index: str) -> Sequence[float] | None:
    """Embed a query for an index; None where the entrance or the index has no embedder.

    Raises:
        SettingsError: the index was made with another embedder.
    """
    if wiring.current().embedder() is None:
        return None
    embedder = index_embedder(index, engine)
    return embedder.embed([text])[0] if embedder else None


def why_nothing(query: str, jsonl_path: str | None) -> tuple[str, str]:
    """Say why a search found nothing, in a word, and what to do about it, in a line without the query.

    Returns:
        `not_indexed`, `empty`, `threshold`, `filter` or `no_match`, and the line.
    """
    try:
        return _why_nothing(new_search(query, jsonl_path))
    except (InputError, SettingsError) as error:
        return "not_indexed", f"{error.safe_message}: {error.hint}" if error.hint else error.safe_message


def _why_nothing(search: Search) -> tuple[str, str]:
    if search.engine.count(search.index) == 0:
        return "empty", f"the corpus {search.index} holds no passages: gate index add"
    if search.hybrid(1):
        return "threshold", "no passage is above min_similarity or min_score: lower them, or raise top_k"
    if replace(search, where=NO_FILTER).hybrid(1):
        return "filter", "tenant, sources, classifications or dates leave nothing of what is found: widen them"
    return "no_match", "no passage shares a word with the query: look at the query, or use an embedder"


def _scores(found: list[dict[str, Any]]) -> dict[str, float]:
    return {document["id"]: document["score"] for document in found}
