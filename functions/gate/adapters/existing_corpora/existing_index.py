"""An OpenSearch index that is there already, by the field names of its owner. It is read, and never written."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.adapters.existing_corpora.field_names import SETTING, FieldNames, text_of, value_at
from gate.adapters.existing_corpora.long_passages import piece_for
from gate.adapters.existing_corpora.read_only import ReadOnlyEngine
from gate.adapters.opensearch.bodies import CANDIDATES, SHOWN, either
from gate.adapters.opensearch.index_settings import META_S, exists, named
from gate.adapters.opensearch.opensearch_client import Endpoint, connect, readable, translated
from gate.adapters.opensearch.whole_answers import search_whole
from gate.errors import SearchUnavailableError, SettingsError
from gate.ports import NO_FILTER, SearchFilter
from gate.retrieval.fusion import reciprocal_rank
from gate.retrieval.passages import origin, results
from gate.retrieval.query_terms import by_weight, words
from gate.retrieval.vectors import unit, unit_row

DAY = "yyyy-MM-dd"
MOST_CLAUSES = 1_000
"""Words times fields that are looked up: an engine refuses more than 1,024 clauses."""
MOST_HITS = 10_000
"""What an engine gives of one search."""
EXACT = ("keyword", "constant_keyword", "wildcard", "boolean", "long", "integer", "short", "byte", "ip")
"""Types of fields whose whole values are compared."""
DATES = ("date", "date_nanos")
READ = ("text", "match_only_text", "keyword", "wildcard", "constant_keyword", "search_as_you_type")
"""Types of fields that keyword search can read."""
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


@dataclass(frozen=True, slots=True)
class _Layout:
    """What is known of an index.

    Attributes:
        indexes: what its name stands for.
        kinds: the type of each field that is named.
        stored: by field the one that was written: of a multi-field (`title.keyword`) what it is made of.
        dimension: of its vectors; None: there are none.
    """

    indexes: tuple[str, ...]
    kinds: Mapping[str, str]
    stored: Mapping[str, str]
    dimension: int | None


class ExistingIndex(ReadOnlyEngine):
    """A `SearchEngine` over the indexes, and aliases, of somebody who keeps them in their own way.

    A document of the index is a passage. Of one that is longer than passages are, the piece is taken that shares most
    words with the query, or the first one where the query is a vector.

    Raises:
        SettingsError: no field is named that holds the text.
    """

    name = "existing-index"

    def __init__(self, endpoint: Endpoint, fields: FieldNames) -> None:
        if not fields.content:
            raise SettingsError(f"{SETTING}: says of no field that it holds the text", hint="content: body")
        self._client, self._fields = connect(endpoint), fields
        self._known: dict[str, tuple[float, _Layout]] = {}

    def search_docs(
        self, query: str, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by keywords, as the index's own analysis reads them."""
        layout, fields = self._layout(index), self._fields.searched()
        wanted = by_weight(query, MOST_CLAUSES // len(fields))
        if not wanted:
            return []
        matching = either(
            [{"multi_match": {"query": same, "fields": fields, "boost": each}} for each, same in wanted.items()]
        )
        required = [{"exists": {"field": self._fields.content}}, *self._filters(layout, where)]
        answer = self._search(index, layout, {"bool": {"must": [matching], "filter": required}}, k)
        hits = [(record, float(hit["_score"])) for hit, record in self._hits(answer, index, layout, query)]
        return results(hits, "keyword", where)

    def vector_search(
        self, vector: Sequence[float], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by cosine similarity, computed here: each engine and kind of vectors scores in its own way."""
        return self._nearest(vector, index, k, where, "")

    def hybrid_search(
        self, query: str, vector: Sequence[float] | None, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by both, fused here."""
        arms = [self.search_docs(query, index, k=CANDIDATES, where=where)]
        if vector is not None:
            arms.append(self._nearest(vector, index, CANDIDATES, where, query))
        found = {record["id"]: record for arm in arms for record in arm}
        fused = reciprocal_rank([[record["id"] for record in arm] for arm in arms])[:k]
        return results([(found[key], score) for key, score in fused], "hybrid", NO_FILTER)

    def origins(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Return the document that each of these passages was cut from."""
        layout = self._layout(index)
        named_as = {key.partition("/")[2] if len(layout.indexes) > 1 else key for key in map(_without_piece, ids)}
        most = min(max(len(named_as) * len(layout.indexes), 1), MOST_HITS)  # an id may be one of each
        answer = self._search(index, layout, {"ids": {"values": sorted(named_as)}}, most)
        found = {record["id"]: origin(record) for _, record in self._hits(answer, index, layout, "")}
        held = {_without_piece(key): document for key, document in found.items()}
        return {key: held[_without_piece(key)] for key in ids if _without_piece(key) in held}

    def exists(self, index: str) -> bool:
        """Whether there is such an index or alias."""
        return exists(self._client, index)

    def count(self, index: str) -> int:
        """How many documents the index holds that have a text."""
        body = {"query": {"exists": {"field": self._fields.content}}}
        with readable(), translated(named(index)):
            return int(self._client.count(index=index, body=body)["count"])

    def embedder_of(self, index: str) -> str | None:
        """What made the vectors, as the owner says."""
        return self._fields.embedder or None

    def describe(self, index: str) -> dict[str, Any]:
        """What the report says of the corpus; an index of somebody else's has no version."""
        self._layout(index)
        passages = self.count(index)
        return {"name": index, "version": "", "engine": self.name, "passages": passages,
                "embedder": self.embedder_of(index)}  # fmt: skip

    def analyze(self, query: str, index: str) -> list[str]:
        """Return the terms that keyword search looks up in the texts."""
        body = {"field": self._fields.content, "text": words(query)}
        with translated(named(index)):
            answer = self._client.indices.analyze(index=self._layout(index).indexes[0], body=body)
        with readable():
            return [token["token"] for token in answer["tokens"]]

    # ---------------------------------------------------------------- asking

    def _nearest(
        self, vector: Sequence[float], index: str, k: int, where: SearchFilter, query: str
    ) -> list[dict[str, Any]]:
        layout, field = self._layout(index), self._fields.vector
        wanted = unit(vector, layout.dimension, index)
        if layout.dimension is None:
            return []
        knn: dict[str, Any] = {"vector": wanted, "k": k}
        if required := self._filters(layout, where):
            knn["filter"] = {"bool": {"filter": required}}
        answer = self._search(index, layout, {"knn": {field: knn}}, k, field)
        hits = [
            (record, _cosine(wanted, value_at(hit["_source"], field), field))
            for hit, record in self._hits(answer, index, layout, query)
        ]
        return results(sorted(hits, key=lambda hit: -hit[1]), "vector", where)

    def _search(self, index: str, layout: _Layout, query: Mapping[str, Any], k: int, *more: str) -> dict[str, Any]:
        stored = [layout.stored[field] for field in self._fields.parts().values()]
        body: dict[str, Any] = {"size": k, "query": query, "_source": [*stored, *more], "track_total_hits": False}
        if layout.kinds.get(self._fields.published_date) in DATES:
            body["docvalue_fields"] = [{"field": self._fields.published_date, "format": DAY}]
        return search_whole(self._client, index, body)

    def _hits(
        self, answer: Mapping[str, Any], index: str, layout: _Layout, query: str
    ) -> Iterator[tuple[Mapping[str, Any], dict[str, Any]]]:
        """Each hit that has a text, and the passage that it stands for."""
        with readable():
            hits = [(hit, hit["_source"], str(hit["_id"]), str(hit["_index"])) for hit in answer["hits"]["hits"]]
        for hit, source, own, holder in hits:
            key = f"{holder}/{own}" if len(layout.indexes) > 1 else own  # ids are an index's own
            record: dict[str, Any] = {"id": key}
            for part, field in self._fields.parts().items():
                try:
                    record[part] = text_of(value_at(source, layout.stored[field]))
                except (ValueError, RecursionError, AttributeError, TypeError):
                    where = f"index {index!r}: `{field}` of its document {own[:SHOWN]!r}"
                    raise SettingsError(f"{where} is neither text nor number", hint=SETTING) from None
            days = (hit.get("fields") or {}).get(self._fields.published_date)
            record["published_date"] = days[0] if days else record.get("published_date")
            if (record["content"] or "").strip():
                yield hit, piece_for(query, record)

    def _filters(self, layout: _Layout, where: SearchFilter) -> list[dict[str, Any]]:
        """The clauses that a passage must meet.

        Raises:
            SettingsError: a field cannot be compared so.
        """
        clauses: list[dict[str, Any]] = []
        for part, values in self._fields.limits(where).items():
            field = getattr(self._fields, part)
            if layout.kinds[field] not in EXACT:
                hint = f"{SETTING}: name its field of whole values, such as {field}.keyword"
                raise SettingsError(f"`{field}` is of type {layout.kinds[field]}: it cannot limit a search", hint=hint)
            clauses.append({"terms": {field: values}})
        if where.published_from is not None or where.published_to is not None:
            field = self._fields.published_date
            if layout.kinds[field] not in DATES:
                raise SettingsError(f"`{field}` is of type {layout.kinds[field]}, and no date", hint=SETTING)
            bounds = {"gte": where.published_from, "lte": where.published_to}
            clauses.append({"range": {field: {how: _rounded(date) for how, date in bounds.items() if date}}})
            clauses[-1]["range"][field]["format"] = "yyyy-MM-dd||yyyy-MM||yyyy"
        return clauses

    # ---------------------------------------------------------------- the index

    def _layout(self, index: str) -> _Layout:
        """What is known of an index; remembered for a minute.

        Raises:
            SettingsError: there is none, or a field that is named is not in it, or cannot be used as it is.
        """
        known = self._known.get(index)
        if known is None or time.monotonic() - known[0] > META_S:
            with translated(named(index)):
                answer = self._client.indices.get_mapping(index=index)
            with readable():
                mappings = {name: about["mappings"].get("properties") or {} for name, about in answer.items()}
                found = {name: _described(mappings.values(), name) for name in self._named()}
            known = self._known[index] = (time.monotonic(), self._checked(index, tuple(sorted(mappings)), found))
        return known[1]

    def _named(self) -> list[str]:
        names = [*self._fields.parts().values(), *self._fields.searched(), self._fields.vector]
        return [name for name in dict.fromkeys(names) if name]

    def _checked(
        self, index: str, indexes: tuple[str, ...], found: Mapping[str, list[tuple[Mapping[str, Any], str]]]
    ) -> _Layout:
        if not indexes:
            raise SettingsError(f"there is no index {index!r}", hint="GATE_INDEX, or --corpus NAME")
        for field, uses in found.items():
            kinds = {str(about.get("type", "object")) for about, _ in uses}
            if not uses:
                raise SettingsError(f"index {index!r} has no field `{field}`", hint=SETTING)
            if len(kinds) > 1 or kinds & {"object", "nested", "alias"}:
                hint = f"{SETTING}: name a field that holds the value itself"
                raise SettingsError(f"index {index!r}: `{field}` is of type {', '.join(sorted(kinds))}", hint=hint)
        kinds_of = {field: str(uses[0][0]["type"]) for field, uses in found.items()}
        for field in self._fields.searched():
            if kinds_of[field] not in READ:
                raise SettingsError(
                    f"index {index!r}: `{field}` is of type {kinds_of[field]}, and no text", hint=SETTING
                )
        stored = {field: uses[0][1] for field, uses in found.items()}
        return _Layout(indexes, kinds_of, stored, self._dimension(index, found))

    def _dimension(self, index: str, found: Mapping[str, list[tuple[Mapping[str, Any], str]]]) -> int | None:
        if not self._fields.vector:
            return None
        sizes = {about.get("dimension") for about, _ in found[self._fields.vector]}
        size = sizes.pop()
        if sizes or not isinstance(size, int):
            raise SettingsError(f"index {index!r}: `{self._fields.vector}` holds no vectors of one size", hint=SETTING)
        return size


def _described(mappings: Iterable[Mapping[str, Any]], field: str) -> list[tuple[Mapping[str, Any], str]]:
    """What mappings say of a field, and the field that was written of it; none where they do not know it."""
    return [found for properties in mappings if (found := _in_mapping(properties, field, "")) is not None]


def _in_mapping(properties: Mapping[str, Any], field: str, above: str) -> tuple[Mapping[str, Any], str] | None:
    name, _, rest = field.partition(".")
    about = properties.get(name)
    if about is None:
        return None
    here = f"{above}{name}"
    if not rest:
        return about, here
    if inner := about.get("properties"):
        return _in_mapping(inner, rest, f"{here}.")
    return (about["fields"][rest], here) if rest in about.get("fields", {}) else None


def _rounded(date: str) -> str:
    """A date with its unit behind: the end of a span is rounded up to the last moment of it."""
    match = _DATE.match(date)
    if match is None:
        return date
    return f"{match.group()}||/{'d' if match[3] else 'M' if match[2] else 'y'}"


def _cosine(query: Sequence[float], value: Any, field: str) -> float:
    if not isinstance(value, list) or len(value) != len(query):
        hint = f"{SETTING}: leave `vector` out, or keep it in `_source`"
        raise SettingsError(f"`{field}` does not come back with a document: nobody can say how near it is", hint=hint)
    try:
        return sum(one * other for one, other in zip(query, unit_row(value), strict=True))
    except (TypeError, ValueError) as error:
        raise SearchUnavailableError(f"`{field}` holds no vector ({type(error).__name__})") from None


def _without_piece(key: str) -> str:
    """The id of the document that a passage is a piece of."""
    return re.sub(r"#\d+-\d+\Z", "", key)
