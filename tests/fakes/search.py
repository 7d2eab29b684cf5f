"""A search engine in memory, for tests of whatever stands on one; it joins the engines' contract suite."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gate.errors import InputError, SettingsError
from gate.ports import NO_FILTER, IndexOutcome, SearchFilter
from gate.repository.names.corpus_names import name_keys, names_in
from gate.retrieval.fusion import reciprocal_rank
from gate.retrieval.passages import allowed, origin, passage_text, readable, result, whose
from gate.retrieval.query_terms import counted, paired, plain, weight, words
from gate.retrieval.vectors import check_vectors, dimension_of, unit, unit_row

STOP = frozenset({"a", "an", "and", "are", "be", "by", "for", "in", "is", "it", "of", "on", "or", "the", "to", "was"})


@dataclass
class Index:
    """Passages and vectors by id."""

    embedder: str | None = None
    dimension: int | None = None
    passages: dict[str, dict[str, Any]] = field(default_factory=dict)
    vectors: dict[str, Any] = field(default_factory=dict)


def stems(text: str) -> list[str]:
    """Words in lower case without stop words, plurals cut; Han in pairs."""
    found = re.findall(r"[\u3040-\u309f\u3400-\u9fff]+|[^\W\u3040-\u309f\u3400-\u9fff]+", paired(plain(text)).lower())
    return [re.sub(r"(?<=\w{3})(es|s|ing|ed)$", "", word) for word in found if word not in STOP]


class MemorySearch:
    """A `SearchEngine` that forgets everything at the end of the process."""

    name = "memory"

    def __init__(self) -> None:
        self._indexes: dict[str, Index] = {}

    def _index(self, name: str) -> Index:
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,127}", name):
            raise InputError(f"{name!r} cannot name an index")
        if name not in self._indexes:
            raise SettingsError(f"there is no index {name!r}")
        return self._indexes[name]

    def search_docs(
        self, query: str, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        held = self._index(index).passages
        bags = {key: Counter(stems(passage_text(each))) for key, each in held.items()}
        mean = sum(sum(bag.values()) for bag in bags.values()) / (len(bags) or 1)
        asked = Counter(stems(" ".join(counted(query).elements())))
        scores = {}
        for key, bag in bags.items():
            norm = 1.2 * (0.25 + 0.75 * sum(bag.values()) / mean)
            scores[key] = sum(
                weight(times) * self._idf(term, bags) * bag[term] * 2.2 / (bag[term] + norm)
                for term, times in asked.items()
                if bag[term]
            )
        found = [key for key in held if scores[key] > 0 and allowed(held[key], where)]
        ranked = sorted(found, key=lambda key: -scores[key])[:k]
        return [
            result(held[key], score=scores[key], rank=rank, retriever="keyword") for rank, key in enumerate(ranked, 1)
        ]

    @staticmethod
    def _idf(term: str, bags: Mapping[str, Counter[str]]) -> float:
        holding = sum(term in bag for bag in bags.values())
        return math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))

    def vector_search(
        self, vector: Sequence[float], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        held = self._index(index)
        query = np.array(unit(vector, held.dimension, index))
        scores = {key: float(row @ query) for key, row in held.vectors.items() if allowed(held.passages[key], where)}
        ranked = sorted(scores, key=lambda key: -scores[key])[:k]
        return [
            result(held.passages[key], score=scores[key], rank=rank, retriever="vector")
            for rank, key in enumerate(ranked, 1)
        ]

    def hybrid_search(
        self, query: str, vector: Sequence[float] | None, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        arms = [self.search_docs(query, index, k=100, where=where)]
        if vector is not None:
            arms.append(self.vector_search(vector, index, k=100, where=where))
        fused = reciprocal_rank([[each["id"] for each in arm] for arm in arms])[:k]
        held = self._index(index).passages
        return [
            result(held[key], score=score, rank=rank, retriever="hybrid") for rank, (key, score) in enumerate(fused, 1)
        ]

    def naming(
        self, names: Collection[str], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]] | None:
        held = self._index(index).passages.values()
        found = [each for each in held if allowed(each, where) and names and set(names) <= set(names_in(each))]
        return [result(each, score=1.0, rank=rank, retriever="keyword") for rank, each in enumerate(found[:k], 1)]

    def names_like(self, names: Collection[str], index: str, *, where: SearchFilter = NO_FILTER) -> list[str]:
        held = [names_in(each) for each in self._index(index).passages.values() if allowed(each, where)]
        wanted = set(name_keys(names))
        return list(dict.fromkeys(name for found in held if wanted & set(name_keys(found)) for name in found))

    def ensure_index(self, index: str, *, embedder: str | None = None, dimension: int | None = None) -> None:
        if index not in self._indexes:
            self._indexes[index] = Index(embedder, dimension)

    def index_documents(
        self,
        documents: Iterable[Mapping[str, Any]],
        index: str,
        *,
        vectors: Any = None,
        embedder: str | None = None,
        replace: bool = False,
    ) -> IndexOutcome:
        made = Index(embedder if vectors is not None else None, dimension_of(vectors))
        held = made if replace else self._indexes.setdefault(index, made)
        check_vectors(vectors, held.dimension, index)
        rows = np.array([unit_row(row) for row in vectors]) if vectors is not None else None
        records, failed = readable(list(documents), 0, rows)
        unchanged = stored = 0
        for at, record in records:
            before = held.passages.get(record["id"], record)
            if origin(before) != origin(record):
                failed[record["id"]] = whose(origin(before))
                continue
            stored += 1
            unchanged += held.passages.get(record["id"]) == record
            held.passages[record["id"]] = record
            if rows is not None:
                held.vectors[record["id"]] = np.copy(rows[at])
        self._indexes[index] = held
        return IndexOutcome(stored - unchanged, unchanged, failed)

    def delete_documents(self, ids: Sequence[str], index: str, *, of: Collection[str] | None = None) -> int:
        held = self._index(index)
        gone = [
            key
            for key, each in held.passages.items()
            if (key in ids and (of is None or origin(each) in of)) or (of is None and each.get("document") in ids)
        ]
        for key in gone:
            del held.passages[key]
            held.vectors.pop(key, None)
        return len(gone)

    def chunk_shas(self, ids: Sequence[str], index: str) -> dict[str, str]:
        held = self._index(index).passages
        return {key: held[key]["chunk_sha"] for key in ids if key in held}

    def ids(self, index: str, *, documents: Sequence[str] | None = None) -> Iterator[str]:
        held = self._index(index).passages.items()
        return iter([key for key, each in held if documents is None or each.get("document") in documents])

    def origins(self, ids: Sequence[str], index: str) -> dict[str, str]:
        held = self._index(index).passages
        return {key: held[key].get("document") or key for key in ids if key in held}

    def exists(self, index: str) -> bool:
        return index in self._indexes

    def count(self, index: str) -> int:
        return len(self._index(index).passages)

    def embedder_of(self, index: str) -> str | None:
        return self._index(index).embedder

    def analyze(self, query: str, index: str) -> list[str]:
        return stems(words(query))

    def describe(self, index: str) -> dict[str, Any]:
        held = self._index(index)
        shas = "".join(each["chunk_sha"] for each in held.passages.values())
        return {
            "name": index,
            "version": hashlib.sha256(shas.encode()).hexdigest()[:12],
            "engine": self.name,
            "passages": len(held.passages),
            "embedder": held.embedder,
        }
