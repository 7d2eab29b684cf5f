"""What a passage is: the fields that are stored, how a raw record becomes one, and which filter lets it through."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from gate.ports import SearchFilter

TEXT_FIELDS = ("title", "section", "content")
"""Fields that keyword search reads, as one text."""

RESULT_FIELDS = ("content", "id", "title", "section", "url", "published_date", "source")
FIELDS = (*RESULT_FIELDS, "tenant", "classification", "document", "start", "end", "code_words")
"""`document` names what the passage was cut from; `start`, `end` are character offsets into it; `code_words`: those
of `content` that stand in code (`repository.names.corpus_names`)."""

MAX_ID_BYTES = 512
_ALIASES = {
    "content": ("content", "text", "page_content", "body"),
    "id": ("id", "_id", "doc_id"),
    "published_date": ("published_date", "date"),
}
_QUALIFIED = re.compile(r"~[0-9a-f]{16}\Z")
_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?(?:$|[T ])")


def passage(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Turn a raw record into a passage: known fields alone, strings, `chunk_sha` over all of them but the id.

    Raises:
        ValueError: why the record cannot be a passage; holds none of its text.
    """
    nested = raw.get("metadata")
    record = {**nested, **raw} if isinstance(nested, Mapping) else dict(raw)
    fields = {name: _first(record, _ALIASES.get(name, (name,))) for name in FIELDS}
    content = fields["content"]
    if not isinstance(content, str) or not content.strip():
        raise ValueError("no text in `content`")
    cleaned = {name: _clean(name, value) for name, value in fields.items() if value is not None}
    unnamed = {name: value for name, value in cleaned.items() if name != "id"}
    sha = hashlib.sha256(canonical(unnamed)).hexdigest()
    identifier = cleaned.setdefault("id", sha[:16])
    if not 0 < len(identifier.encode()) <= MAX_ID_BYTES:
        raise ValueError(f"`id` must have 1 to {MAX_ID_BYTES} bytes")
    return {**cleaned, "chunk_sha": sha}


def readable(
    batch: Sequence[Mapping[str, Any]], start: int, vectors: Any = None
) -> tuple[list[tuple[int, dict[str, Any]]], dict[str, str]]:
    """Split a batch into (place in it, passage) and, for what cannot be stored, id (or number from `start`) and reason.

    Args:
        vectors: rows at length one in the same order, NaN where a vector has no direction.
    """
    good: list[tuple[int, dict[str, Any]]] = []
    failed: dict[str, str] = {}
    for at, raw in enumerate(batch):
        try:
            record = passage(raw)
            if vectors is not None and vectors[at][0] != vectors[at][0]:
                raise ValueError("its vector is zero or not finite")
            good.append((at, record))
        except ValueError as error:
            failed[str(raw.get("id") or f"#{start + at + 1}")] = str(error)
    return good, failed


def _first(record: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _clean(name: str, value: Any) -> Any:
    if name in ("start", "end"):
        if not isinstance(value, int):
            raise ValueError(f"`{name}` must be an integer")
        return value
    if not isinstance(value, str | int | float):
        raise ValueError(f"`{name}` must be text")
    return str(value).encode("utf-8", "replace").decode()


def origin(record: Mapping[str, Any]) -> str:
    """Return the document that a passage was cut from; a passage without one is its own."""
    return str(record.get("document") or record["id"])


def whose(holder: str) -> str:
    """Why a passage is not stored whose id one of another document bears."""
    return f"its id is that of a passage of {holder}"


def files_named(key: str) -> set[str]:
    """Names of files that an id may be taken for, in small letters: what it is, or has before a `#`."""
    parts = (key, key.partition("#")[0], key.rpartition("#")[0])
    return {PurePosixPath(part).name.casefold() for part in parts if part}


def with_own_ids(
    records: Iterable[tuple[str, Mapping[str, Any]]], held: Mapping[str, str], files: Collection[str] = ()
) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Give each record whose id another document's passage bears, or that names another file, an id that only its
    document can give.

    Nobody can choose such an id: a record that brings one of that form is given another.

    Args:
        records: each behind the document that brings it.
        held: by id the document whose passage bears it; of records of one id the first document's keeps it.
        files: where the files of the corpus lie, as far as that is known.

    Returns:
        all records in order, and of those that bear another id now the document and a sentence about it.
    """
    owners, all_of_them, renamed = dict(held), list[dict[str, Any]](), list[tuple[str, str]]()
    there = {name: place for place in files for name in files_named(place)}
    for document, each in records:
        key, record = each["id"], dict(each)
        holder = owners.setdefault(key, document)
        named = next((there[name] for name in files_named(key) - files_named(document) if name in there), "")
        if holder != document or named or _QUALIFIED.search(key):
            sha = hashlib.sha256(f"{document}\x00{key}".encode("utf-8", "replace")).hexdigest()[:16]
            # What stands before a `#` is where a passage lies, for whoever reads its id.
            said = f"{document}#" if named or "#" in key else key
            record["id"] = f"{said.encode('utf-8', 'replace')[: MAX_ID_BYTES - 17].decode(errors='ignore')}~{sha}"
            reason = f"that of a passage of {holder}" if holder != document else "of a form that the gate gives"
            reason = f"one of {named}" if named and holder == document else reason
            renamed.append((document, f"the id {key!r} is {reason}: stored as {record['id']!r}"))
        all_of_them.append(record)
    return all_of_them, renamed


def passage_text(record: Mapping[str, Any]) -> str:
    """Return what is searched of a passage: title, section and content as one text."""
    return "\n".join(record[name] for name in TEXT_FIELDS if record.get(name))


def canonical(record: Mapping[str, Any]) -> bytes:
    """Return the record as one JSON line without its end, the same bytes for the same record."""
    return json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def day(date: str | None) -> int:
    """Read an ISO date as yyyymmdd; a missing month or day is the first; 0 where it is no date."""
    match = _DATE.match(date or "")
    if not match:
        return 0
    year, month, day_of_month = (int(part) if part else 1 for part in match.groups())
    return year * 10_000 + month * 100 + day_of_month


def last_day(date: str | None) -> int:
    """Like `day`, for the end of a span: a missing month or day is the last."""
    match = _DATE.match(date or "")
    if not match:
        return 0
    year, month, day_of_month = (int(part) if part else 99 for part in match.groups())
    return year * 10_000 + month * 100 + day_of_month


def allowed(record: Mapping[str, Any], where: SearchFilter) -> bool:
    """Whether the filter lets a passage through."""
    published = day(record.get("published_date"))
    return (
        (where.tenant is None or record.get("tenant") == where.tenant)
        and (not where.sources or record.get("source") in where.sources)
        and (not where.classifications or record.get("classification") in where.classifications)
        and (where.published_from is None or published >= max(1, day(where.published_from)))
        and (where.published_to is None or 0 < published <= last_day(where.published_to))
    )


def result(record: Mapping[str, Any], *, score: float, rank: int, retriever: str) -> dict[str, Any]:
    """Return a stored passage as a search result."""
    return {
        **{name: record.get(name) for name in RESULT_FIELDS},
        "score": score,
        "rank": rank,
        "retriever": retriever,
    }


def results(
    hits: Iterable[tuple[Mapping[str, Any], float]], retriever: str, where: SearchFilter
) -> list[dict[str, Any]]:
    """Return stored passages and their scores, best first, as search results.

    What the filter does not allow is dropped, also where an engine was asked to leave it out.
    """
    kept = [(record, score) for record, score in hits if allowed(record, where)]
    return [
        result(record, score=score, rank=rank, retriever=retriever)
        for rank, (record, score) in enumerate(kept, start=1)
    ]
