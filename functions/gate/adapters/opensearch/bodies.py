"""What is sent to OpenSearch: mappings and queries, as plain values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from gate.errors import DamagedIndexError
from gate.ports import SearchFilter
from gate.repository.names.corpus_names import LIKE, VERSION, name_keys, names_in
from gate.retrieval.fusion import RANK_CONSTANT
from gate.retrieval.passages import FIELDS, TEXT_FIELDS, day, last_day
from gate.retrieval.query_terms import BY_SIGNS, by_weight, known_language

CANDIDATES = 100
"""Passages of each arm that a hybrid search fuses."""
EF_SEARCH = 100
"""Graph nodes an approximate search keeps in view, at least: recall@10 1.0 where the default gave 0.87."""

SHOWN = 80
"""Characters of a document's id that are told."""
_NO_LATER_DAY = 99_999_999
_RRF = {
    "phase_results_processors": [
        {"score-ranker-processor": {"combination": {"technique": "rrf", "rank_constant": RANK_CONSTANT}}}
    ]
}


def index_body(language: str, embedder: str | None, dimension: int | None, *, serverless: bool) -> dict[str, Any]:
    """Return settings and mapping of an index; what it was made with stands in `_meta`."""
    text = {"type": "text", "analyzer": "passage"}
    keyword = {"type": "keyword", "ignore_above": 1024}
    name = {"type": "keyword", "ignore_above": 256, "doc_values": False}
    properties: dict[str, Any] = {
        **dict.fromkeys(("id", "document", "source", "tenant", "classification", "chunk_sha"), keyword),
        **dict.fromkeys(("names", "name_keys"), name),
        "code_words": {"type": "keyword", "index": False, "doc_values": False},
        **{name: {"type": "text", "index": False, "copy_to": "text"} for name in TEXT_FIELDS},
        "text": text,
        "url": {"type": "keyword", "index": False, "doc_values": False},
        "published_date": {"type": "keyword", "index": False, "doc_values": False},
        "published": {"type": "integer"},
        "start": {"type": "integer", "index": False},
        "end": {"type": "integer", "index": False},
    }
    if dimension:
        properties["vector"] = {"type": "knn_vector", "dimension": dimension, "method": _method(serverless)}
    settings: dict[str, Any] = {"analysis": _analysis(language), "index.knn": bool(dimension)}
    if not serverless:
        settings |= {"number_of_shards": 1, "auto_expand_replicas": "0-1"}
    meta = {"embedder": embedder, "dimension": dimension, "language": language, "version": "", "names": VERSION}
    return {"settings": settings, "mappings": {"dynamic": "strict", "_meta": meta, "properties": properties}}


def _method(serverless: bool) -> dict[str, Any]:
    engine = ("faiss", "innerproduct") if serverless else ("lucene", "cosinesimil")
    return {"name": "hnsw", "engine": engine[0], "space_type": engine[1],
            "parameters": {"m": 16, "ef_construction": 128}}  # fmt: skip


def _analysis(language: str) -> dict[str, Any]:
    stemmer = "porter2" if language == "english" else language
    of_language = {
        "stop_words": {"type": "stop", "stopwords": f"_{language}_"},
        "stems": {"type": "stemmer", "language": stemmer},
    }
    is_plain = known_language(language) in BY_SIGNS
    # Pairs of Han and Hiragana (`query_terms.paired`); words of the other two scripts stay whole.
    pairs = {"pairs": {"type": "cjk_bigram", "ignored_scripts": ["hangul", "katakana"]}}
    return {
        "char_filter": {"apostrophes": {"type": "mapping", "mappings": ["\u2019=>'", "\u2018=>'", "\u02bc=>'"]}},
        "filter": pairs if is_plain else pairs | of_language,
        "analyzer": {
            "passage": {
                "type": "custom",
                "char_filter": ["apostrophes"],
                "tokenizer": "standard",
                "filter": ["lowercase", "pairs", "asciifolding"]
                if is_plain
                else ["lowercase", "pairs", "stop_words", "asciifolding", "stems"],
            }
        },
    }


def document(passage: Mapping[str, Any], vector: Sequence[float] | None, *, with_names: bool) -> dict[str, Any]:
    """Return a passage as it is stored; an index that was made before names were kept takes none."""
    body = {**passage, "published": day(passage.get("published_date"))}
    if with_names:
        names = names_in(passage)
        body |= {"names": names, "name_keys": name_keys(names)}
    else:
        body.pop("code_words", None)
    return body if vector is None else {**body, "vector": vector}


def keyword_body(query: str, k: int, where: SearchFilter) -> dict[str, Any]:
    """Search by keywords. The words of a query are all that is sent of it: no syntax, no other field."""
    return _body(k, keyword_query(query, where))


def keyword_query(query: str, where: SearchFilter) -> dict[str, Any]:
    """The keyword arm, with the weight of what the query repeats. The engine adds up the forms of a stem."""
    matching = [{"match": {"text": {"query": same, "boost": each}}} for each, same in by_weight(query).items()]
    return {"bool": {"must": [either(matching)], "filter": filters(where)}}


def either(clauses: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One of these at least, their scores added up; of none of them nothing, where OpenSearch would find everything."""
    return {"bool": {"should": list(clauses), "minimum_should_match": 1}} if clauses else {"match_none": {}}


def naming_body(names: Collection[str], k: int, where: SearchFilter) -> dict[str, Any]:
    """Search for passages in which each of these stands as a name."""
    return _body(k, {"bool": {"filter": [*({"term": {"names": name}} for name in sorted(names)), *filters(where)]}})


def like_body(names: Collection[str], where: SearchFilter) -> dict[str, Any]:
    """Search for passages whose names share most with these."""
    wanted = [{"term": {"name_keys": key}} for key in name_keys(names)]
    return _body(LIKE, {"bool": {"should": wanted, "minimum_should_match": 1, "filter": filters(where)}})


def vector_body(vector: Sequence[float], k: int, where: SearchFilter, *, ef_search: bool) -> dict[str, Any]:
    """Search by vector."""
    return _body(k, vector_query(vector, k, where, ef_search=ef_search))


def vector_query(vector: Sequence[float], k: int, where: SearchFilter, *, ef_search: bool) -> dict[str, Any]:
    """The vector arm; the filter is applied inside the graph search."""
    knn: dict[str, Any] = {"vector": [float(value) for value in vector], "k": k}
    if required := filters(where):
        knn["filter"] = {"bool": {"filter": required}}
    if ef_search:
        knn["method_parameters"] = {"ef_search": max(k, EF_SEARCH)}
    return {"knn": {"vector": knn}}


def hybrid_body(query: str, vector: Sequence[float], k: int, where: SearchFilter) -> dict[str, Any]:
    """Search by both in one request, fused by reciprocal rank in a search pipeline that travels with it."""
    arms = [keyword_query(query, where), vector_query(vector, CANDIDATES, where, ef_search=True)]
    return {**_body(k, {"hybrid": {"queries": arms, "pagination_depth": CANDIDATES}}), "search_pipeline": _RRF}


def _body(k: int, query: Mapping[str, Any]) -> dict[str, Any]:
    return {"size": k, "query": dict(query), "_source": list(FIELDS), "track_total_hits": False}


def filters(where: SearchFilter) -> list[dict[str, Any]]:
    """Return the clauses that a passage must meet."""
    clauses: list[dict[str, Any]] = []
    if where.tenant is not None:
        clauses.append({"term": {"tenant": where.tenant}})
    if where.sources:
        clauses.append({"terms": {"source": list(where.sources)}})
    if where.classifications:
        clauses.append({"terms": {"classification": list(where.classifications)}})
    if where.published_from is not None or where.published_to is not None:
        first = max(1, day(where.published_from)) if where.published_from is not None else 1
        last = last_day(where.published_to) if where.published_to is not None else _NO_LATER_DAY
        clauses.append({"range": {"published": {"gte": first, "lte": last}}})
    return clauses


def cosine(score: float, *, serverless: bool) -> float:
    """Return the cosine behind a k-NN score, which is never negative: each engine maps it in its own way."""
    if serverless:
        return score - 1.0 if score >= 1.0 else 1.0 - 1.0 / score
    return 2.0 * score - 1.0


def stored(hit: Mapping[str, Any], index: str, *needed: str) -> dict[str, Any]:
    """The passage that a hit stands for, of which these fields are text.

    Raises:
        DamagedIndexError: it is none of ours: whoever may write to an index may put anything there.
    """
    source = hit.get("_source")
    wrong = "no fields" if not isinstance(source, dict) else _misfit(source, needed)
    if wrong or not isinstance(source, dict):
        raise DamagedIndexError(index, f"its document {str(hit.get('_id'))[:SHOWN]!r} has {wrong}")
    return source


def _misfit(source: Mapping[str, Any], needed: Iterable[str]) -> str:
    """What a passage lacks, or has in place of a text or a number; empty where it is as it should be."""
    lacking = [name for name in needed if not isinstance(source.get(name), str)]
    odd = [name for name in FIELDS if not isinstance(source.get(name), str | int | float | None)]
    return f"no text in `{lacking[0]}`" if lacking else f"neither text nor number in `{odd[0]}`" if odd else ""
