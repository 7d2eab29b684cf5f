"""The piece of a long document that a query is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from gate.model import Document
from gate.retrieval.chunking import chunks
from gate.retrieval.given_passages import nearest

LONGEST = 8_000
"""Characters that are judged as they are; a longer document is cut."""


def piece_for(query: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """A passage as it is; of a long one the piece that shares most words with the query, the first without a query.

    A piece has `start` and `end`, characters of the document, and says them in its id (`id#start-end`).
    """
    if len(record["content"]) <= LONGEST:
        return dict(record)
    document = record.get("document") or record["id"]
    pieces = [
        {**record, "id": f"{record['id']}#{one.start}-{one.end}", "document": document, "content": one.text,
         "start": one.start, "end": one.end}
        for one in chunks(record["content"])
    ]  # fmt: skip
    best = nearest(query, cast(list[Document], pieces), most=1) if query else pieces
    return {key: value for key, value in best[0].items() if key not in ("score", "rank")}
