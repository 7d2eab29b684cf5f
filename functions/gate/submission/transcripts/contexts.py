"""The passages that a record says the model was given, in the shapes in which logs keep them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gate.errors import InputError
from gate.model import Document
from gate.submission.transcripts.unread_parts import UnreadParts, below

TEXT_KEYS = (
    "content", "text", "page_content", "pageContent", "passage", "chunk", "body", "document", "document.content",
    "pageText", "value",
)  # fmt: skip
"""Keys under which a passage's text stands, the surest first."""
_TITLES = ("title", "file_name", "filename", "fileName", "source", "name", "displayName")
_ADDRESSES = ("url", "uri", "link", "source")
_IDS = ("id", "id_", "chunk_id", "document_id", "doc_id", "_id")
_INNER = ("node", "document", "chunk", "metadata", "payload", "location", "retrievedContext", "web", "extra_info")
"""Objects of a passage that say more of it, and may hold its text."""
MOST = 1_000
"""Passages of one record."""


def contexts_of(value: Any, place: str, reading: UnreadParts) -> tuple[Document, ...]:
    """Read passages: a text, an object around one, or a list of these; an empty one is passed over.

    Raises:
        InputError: one holds no text, or there are more than `MOST`.
    """
    found = list[Document]()
    for item, at in _items(value, place):
        if isinstance(item, str):
            document = Document(content=item)
        elif isinstance(item, dict):
            document = _document(item, at)
        else:
            raise InputError(f"{at}: should be a passage: a text, or an object with one")
        if document["content"].strip():
            found.append(document)
        if len(found) > MOST:
            raise InputError(f"{place}: more than {MOST} passages")
    return tuple(found)


def joined(*groups: Iterable[Document]) -> tuple[Document, ...]:
    """Passages of several places, each text once."""
    unique: dict[str, Document] = {}
    for group in groups:
        for one in group:
            unique.setdefault(one["content"], one)
    return tuple(unique.values())


def _items(value: Any, place: str) -> Iterator[tuple[Any, str]]:
    """The passages of a list, of lists in it (one a query), or the one that is given."""
    if value is None:
        return
    if isinstance(value, dict) and isinstance(value.get("documents"), list):
        value, place = value["documents"], below(place, "documents")
    if not isinstance(value, list):
        yield value, place
        return
    for number, item in enumerate(value):
        at = below(place, number)
        if isinstance(item, list):
            yield from ((one, below(at, inner)) for inner, one in enumerate(item))
        else:
            yield item, at


def _document(item: Mapping[str, Any], place: str) -> Document:
    holders = [item, *(item[key] for key in _INNER if isinstance(item.get(key), dict))]
    holders += [holder["metadata"] for holder in holders[1:] if isinstance(holder.get("metadata"), dict)]
    text = next((text for holder in holders for text in _texts(holder)), None)
    if text is None:
        raise InputError(f"{place}: a passage without a text")
    document = Document(content=text)
    for field, keys in (("title", _TITLES), ("url", _ADDRESSES), ("id", _IDS)):
        named = (holder.get(key) for holder in holders for key in keys)
        value = next((one for one in named if isinstance(one, str) and one and _fits(field, one)), None)
        if value is not None:
            document[field] = value[:500]  # type: ignore[literal-required]
    if "url" not in document and (address := _address(item.get("location"))):
        document["url"] = address
    return document


def _texts(holder: Mapping[str, Any]) -> Iterator[str]:
    for key in TEXT_KEYS:
        value = holder.get(key)
        if isinstance(value, dict):
            value = value.get("text")
        if isinstance(value, list) and value and all(isinstance(one, dict) and "text" in one for one in value):
            value = "\n".join(str(one["text"]) for one in value)
        if isinstance(value, str):
            yield value


def _fits(field: str, value: str) -> bool:
    return "://" in value if field == "url" else len(value) <= 500


def _address(location: Any) -> str:
    """Where Bedrock says that a passage lies: `{"type": "S3", "s3Location": {"uri": …}}` and the like."""
    inner = location.values() if isinstance(location, dict) else ()
    places = (one.get(key) for one in inner if isinstance(one, dict) for key in ("uri", "url"))
    return next((one[:500] for one in places if isinstance(one, str)), "")
