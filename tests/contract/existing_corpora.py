"""Corpora as their owners made them, for the engines that only read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gate.adapters.existing_corpora.field_names import FieldNames

FIELDS = FieldNames(
    content="body.text",
    title="headline",
    section="part",
    url="link",
    published_date="day",
    source="origin.keyword",
    tenant="owner.name",
    classification="level",
    document="file",
    vector="embedding",
    embedder="axes/1",
)
"""Nested names, a field within another, and nothing that the gate would have called so."""


def owners_record(passage: Mapping[str, Any], vector: Sequence[float] | None = None) -> dict[str, Any]:
    """A passage as `FIELDS` says that it is written."""
    record: dict[str, Any] = {}
    for part, field in FIELDS.parts().items():
        if part not in passage:
            continue
        *above, name = field.removesuffix(".keyword").split(".")
        inner = record
        for one in above:
            inner = inner.setdefault(one, {})
        inner[name] = passage[part]
    return record if vector is None else {**record, "embedding": [float(value) for value in vector]}


def make_index(client: Any, name: str, passages: Sequence[Mapping[str, Any]], vectors: Any = None) -> None:
    """Make an index in a way of its own, and fill it."""
    text, keyword = {"type": "text", "analyzer": "english"}, {"type": "keyword"}
    properties: dict[str, Any] = {
        "body": {"properties": {"text": text}},
        "headline": text,
        "part": text,
        "link": keyword,
        "day": {"type": "date", "format": "strict_date_optional_time||yyyy", "ignore_malformed": True},
        "origin": {"type": "text", "fields": {"keyword": keyword}},
        "owner": {"properties": {"name": keyword}},
        "level": keyword,
        "file": keyword,
    }
    if vectors is not None:
        method = {"name": "hnsw", "engine": "lucene", "space_type": "l2"}
        properties["embedding"] = {"type": "knn_vector", "dimension": len(vectors[0]), "method": method}
    settings = {"index.knn": vectors is not None, "number_of_shards": 1, "number_of_replicas": 0}
    client.indices.create(index=name, body={"settings": settings, "mappings": {"properties": properties}})
    for at, passage in enumerate(passages):
        vector = vectors[at] if vectors is not None else None
        client.index(index=name, id=passage["id"], body=owners_record(passage, vector))
    client.indices.refresh(index=name)
