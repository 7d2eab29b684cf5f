"""OpenSearch as search engine: a managed domain, a Serverless collection, or any endpoint that speaks its language.

A corpus is an alias; behind it stands one index per model and dimension. Replacing a corpus fills a new index and
turns the alias over in one step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any

from gate.adapters.opensearch import bodies
from gate.adapters.opensearch.index_settings import Indexes, named
from gate.adapters.opensearch.opensearch_client import BULK_S, Endpoint, connect, readable, translated
from gate.adapters.opensearch.whole_answers import search_whole
from gate.ports import NO_FILTER, IndexOutcome, SearchFilter
from gate.repository.names.corpus_names import VERSION as NAMES_VERSION
from gate.repository.names.corpus_names import names_in
from gate.retrieval.fusion import reciprocal_rank
from gate.retrieval.passages import allowed, origin, results, whose
from gate.retrieval.passages import readable as readable_records
from gate.retrieval.query_terms import words
from gate.retrieval.vectors import check_vectors, dimension_of, unit, unit_row

BATCH = 500
BATCH_BYTES = 5_000_000
CONFLICT = "version_conflict"
"""How the engine calls it that a passage is to be made and there is one of its id."""
PAGE = 1_000


class OpenSearchEngine:
    """A `SearchEngine` over OpenSearch."""

    name = "opensearch"

    def __init__(self, endpoint: Endpoint, *, language: str = "english") -> None:
        self._client = connect(endpoint)
        self._serverless = endpoint.service == "aoss"
        self._indexes = Indexes(self._client, language, serverless=self._serverless)

    # ---------------------------------------------------------------- reading

    def search_docs(
        self, query: str, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by keywords (BM25)."""
        answer = self._search(index, bodies.keyword_body(query, k, where))
        return results(_hits(answer, index), "keyword", where)

    def vector_search(
        self, vector: Sequence[float], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by cosine similarity; an index without vectors has none to find."""
        made = self._indexes.made(index)
        query = unit(vector, made.dimension, index)
        if made.dimension is None:
            return []
        answer = self._search(index, bodies.vector_body(query, k, where, ef_search=self._indexes.at_least(2, 16)))
        hits = [(record, bodies.cosine(score, serverless=self._serverless)) for record, score in _hits(answer, index)]
        return results(hits, "vector", where)

    def hybrid_search(
        self, query: str, vector: Sequence[float] | None, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by both: fused by the engine in one request where it can, else by us from two."""
        if vector is not None and self._indexes.at_least(2, 19) and self._indexes.made(index).dimension is not None:
            ready = unit(vector, self._indexes.made(index).dimension, index)
            answer = self._search(index, bodies.hybrid_body(query, ready, k, where))
            return results(_hits(answer, index), "hybrid", where)
        arms = [self.search_docs(query, index, k=bodies.CANDIDATES, where=where)]
        if vector is not None:
            arms.append(self.vector_search(vector, index, k=bodies.CANDIDATES, where=where))
        found = {record["id"]: record for arm in arms for record in arm}
        fused = reciprocal_rank([[record["id"] for record in arm] for arm in arms])[:k]
        return results([(found[key], score) for key, score in fused], "hybrid", NO_FILTER)

    def naming(
        self, names: Collection[str], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]] | None:
        """Find passages in which each of these stands as a name; None where the index does not keep them."""
        if self._indexes.made(index).names != NAMES_VERSION:
            return None
        if not names:
            return []
        answer = self._search(index, bodies.naming_body(names, k, where))
        return results(_hits(answer, index), "keyword", where)

    def names_like(self, names: Collection[str], index: str, *, where: SearchFilter = NO_FILTER) -> list[str]:
        """Return the names of passages whose names share most words with these."""
        if not names or self._indexes.made(index).names != NAMES_VERSION:
            return []
        hits = _hits(self._search(index, bodies.like_body(names, where)), index)
        found = (name for record, _ in hits if allowed(record, where) for name in names_in(record))
        return list(dict.fromkeys(found))

    def chunk_shas(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Return the `chunk_sha` of those ids that the index holds."""
        return {key: sha for key, (_, sha, _) in self._stored(index, "id", ids).items()}

    def ids(self, index: str, *, documents: Sequence[str] | None = None) -> Iterator[str]:
        """Return the id of every passage, or of those cut from these documents."""
        if documents is not None:
            return iter(self._stored(index, "document", documents))
        return (record["id"] for _, record in self._pages(index, {"match_all": {}}, ["id"]))

    def origins(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Return the document that each of these passages was cut from."""
        return {key: document for key, (_, _, document) in self._stored(index, "id", ids).items()}

    def exists(self, index: str) -> bool:
        """Whether there is such an index."""
        return self._indexes.exists(index)

    def count(self, index: str) -> int:
        """How many passages the index holds."""
        with readable(), translated(named(index)):
            return int(self._client.count(index=index)["count"])

    def embedder_of(self, index: str) -> str | None:
        """Name of the embedder whose vectors the index holds; remembered for a minute."""
        return self._indexes.made(index).embedder

    def describe(self, index: str) -> dict[str, Any]:
        """What the report says of the corpus."""
        with ThreadPoolExecutor(1) as beside:
            passages = beside.submit(self.count, index)
            made = self._indexes.made(index, fresh=True)
        return {
            "name": index,
            "version": made.version,
            "engine": self.name,
            "passages": passages.result(),
            "embedder": made.embedder,
        }

    def analyze(self, query: str, index: str) -> list[str]:
        """Return the terms that keyword search looks up."""
        body = {"analyzer": "passage", "text": words(query)}
        with translated(named(index)):
            answer = self._client.indices.analyze(index=self._indexes.made(index).index, body=body)
        with readable():
            return [token["token"] for token in answer["tokens"]]

    # ---------------------------------------------------------------- writing

    def ensure_index(self, index: str, *, embedder: str | None = None, dimension: int | None = None) -> None:
        """Make an empty index behind the alias `index`, unless there is one."""
        if not self.exists(index):
            self._indexes.create(index, embedder, dimension)

    def index_documents(
        self,
        documents: Iterable[Mapping[str, Any]],
        index: str,
        *,
        vectors: Any = None,
        embedder: str | None = None,
        replace: bool = False,
    ) -> IndexOutcome:
        """Add or replace documents by `id`; with `replace`, fill a new index and turn the alias over to it."""
        dimension = dimension_of(vectors)
        if not replace:
            self.ensure_index(index, embedder=embedder if vectors is not None else None, dimension=dimension)
            self._indexes.wait_until_searchable(index)
            made = self._indexes.made(index, fresh=True)
            check_vectors(vectors, made.dimension, index)
            return self._fill(made.index, index, documents, vectors)
        target = self._indexes.create_beside(index, embedder if vectors is not None else None, dimension)
        try:
            outcome = self._fill(target, target, documents, vectors)
            self._indexes.turn_over(index, target)
        except BaseException:
            self._indexes.drop(target)
            raise
        return outcome

    def delete_documents(self, ids: Sequence[str], index: str, *, of: Collection[str] | None = None) -> int:
        """Remove passages by id, or by the id of the document they were cut from; returns how many there were.

        Args:
            of: remove by the ids of passages alone, and only such as were cut from these documents.
        """
        fields = ("id", "document") if of is None else ("id",)
        hits = [hit for field in fields for hit in self._hits_of(index, field, ids)]
        found = {key for key, record in hits if of is None or origin(record) in of}
        failed = self._bulk(index, [{"_op_type": "delete", "_id": key} for key in found])
        self._indexes.publish(index, [key for key in sorted(found) if key not in failed])
        return len(found) - len(failed)

    def _fill(self, target: str, name: str, documents: Iterable[Mapping[str, Any]], vectors: Any) -> IndexOutcome:
        """Write in batches; what the engine refuses is named, and the rest is kept."""
        stream, start, total, shas = iter(documents), 0, IndexOutcome(0), list[str]()
        with_names = self._indexes.made(target).names == NAMES_VERSION
        while batch := list(islice(stream, BATCH)):
            block = [unit_row(row) for row in vectors[start : start + len(batch)]] if vectors is not None else None
            records, wrong = readable_records(batch, start, block)
            stored = self._stored(name, "id", [record["id"] for _, record in records])
            owners = {key: document for key, (_, _, document) in stored.items()}
            own, foreign = _own(records, owners)
            changed = {
                record["id"]: (record, block[at] if block else None)
                for at, record in own
                if stored.get(record["id"], ("", ""))[1] != record["chunk_sha"]
            }
            writes = [
                self._write(bodies.document(record, vector, with_names=with_names), is_new=key not in stored)
                for key, (record, vector) in changed.items()
            ]
            refused = self._bulk(target, writes)
            for key in self._there(target, [key for key, why in refused.items() if CONFLICT in why], changed):
                del refused[key]
            self._remove(target, [stored[key][0] for key in changed if key in stored and key not in refused])
            written = [record for _, record in own if record["id"] in changed and record["id"] not in refused]
            shas += [record["chunk_sha"] for record in written]
            unchanged = sum(record["id"] not in changed for _, record in own)
            wrong |= foreign | refused
            total = IndexOutcome(total.indexed + len(written), total.unchanged + unchanged, {**total.failed, **wrong})
            start += len(batch)
        self._indexes.publish(name, shas)
        return total

    def _write(self, source: Mapping[str, Any], *, is_new: bool) -> dict[str, Any]:
        """Serverless collections for vectors choose ids of their own; elsewhere a passage's id is its document's, and
        one that another worker has stored since we looked is refused."""
        if self._serverless:
            return {"_op_type": "index", "_source": source}
        return {"_id": source["id"], "_op_type": "create" if is_new else "index", "_source": source}

    def _there(
        self, index: str, keys: Sequence[str], changed: Mapping[str, tuple[Mapping[str, Any], Any]]
    ) -> list[str]:
        """Of passages that were refused because there is one of their id, those that are there as we would have them:
        a batch whose answer did not arrive is sent again, and finds what it wrote itself."""
        if not keys:
            return []
        with translated(index), readable():
            found = self._client.mget(
                index=index, body={"ids": list(keys)}, _source_includes=["id", "chunk_sha", "document"]
            )["docs"]
            there = {hit["_id"]: hit["_source"] for hit in found if hit.get("found")}
            kept = {key: (record.get("chunk_sha"), origin(record)) for key, record in there.items()}
        return [key for key in keys if kept.get(key) == (changed[key][0]["chunk_sha"], origin(changed[key][0]))]

    def _remove(self, index: str, keys: Sequence[str]) -> None:
        """Where a written passage did not take the place of the old one, remove the old one."""
        if self._serverless:
            self._bulk(index, [{"_op_type": "delete", "_id": key} for key in keys])

    def _bulk(self, index: str, actions: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """Send actions; returns the id of each one refused, and the engine's word for why."""
        from opensearchpy.helpers import streaming_bulk

        failed: dict[str, str] = {}
        with translated(index):
            outcomes = streaming_bulk(
                self._client, (dict(action) for action in actions), index=index, chunk_size=BATCH,
                max_chunk_bytes=BATCH_BYTES, raise_on_error=False, max_retries=3, initial_backoff=1,
                request_timeout=BULK_S,
            )  # fmt: skip
            for action, (accepted, item) in zip(actions, outcomes, strict=True):
                if not accepted:
                    key = action["_source"]["id"] if "_source" in action else action["_id"]
                    failed[key] = _why(next(iter(item.values())))
        return failed

    # ---------------------------------------------------------------- asking

    def _search(self, index: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return search_whole(self._client, index, body)

    def _stored(self, index: str, field: str, values: Sequence[str]) -> dict[str, tuple[str, str, str]]:
        """Return by passage id: the engine's own id, the `chunk_sha`, and the document it was cut from."""
        return {
            record["id"]: (key, record["chunk_sha"], origin(record))
            for key, record in self._hits_of(index, field, values, "chunk_sha")
        }

    def _hits_of(
        self, index: str, field: str, values: Sequence[str], *needed: str
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        for start in range(0, len(values), PAGE):
            wanted = {"terms": {field: list(values[start : start + PAGE])}}
            yield from self._pages(index, wanted, ["id", "chunk_sha", "document"], *needed)

    def _pages(
        self, index: str, query: Mapping[str, Any], fields: list[str], *needed: str
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every hit: the engine's own id, and the fields of the passage, of which `needed` are text."""
        body = {"size": PAGE, "query": query, "_source": fields, "sort": [{"id": "asc"}], "track_total_hits": False}
        while True:
            with readable():
                hits = self._search(index, body)["hits"]["hits"]
                page = [(hit["_id"], bodies.stored(hit, index, "id", *needed)) for hit in hits]
                after = hits[-1]["sort"] if len(hits) >= PAGE else None
            yield from page
            if after is None:
                return
            body["search_after"] = after


def _own(
    records: Sequence[tuple[int, dict[str, Any]]], owners: dict[str, str]
) -> tuple[list[tuple[int, dict[str, Any]]], dict[str, str]]:
    """Split records into those whose id is free or their document's, and the reason by the id of the others."""
    own, foreign = list[tuple[int, dict[str, Any]]](), dict[str, str]()
    for at, record in records:
        holder = owners.setdefault(record["id"], origin(record))
        if holder == origin(record):
            own.append((at, record))
        else:
            foreign[record["id"]] = whose(holder)
    return own, foreign


def _hits(answer: Mapping[str, Any], index: str) -> list[tuple[dict[str, Any], float]]:
    with readable():
        hits = answer["hits"]["hits"]
        return [(bodies.stored(hit, index, "id", "content"), float(hit["_score"])) for hit in hits]


def _why(item: Mapping[str, Any]) -> str:
    """Name an item's error by its types; its text may quote the passage."""
    error = item.get("error")
    if not isinstance(error, Mapping):
        return f"HTTP {item.get('status')}"
    cause = error.get("caused_by") or {}
    return ", ".join(str(kind) for kind in (error.get("type"), cause.get("type")) if kind)
