"""Documents that hold many records: lists, and the objects that tools write around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gate.errors import InputError
from gate.submission.transcripts.datasets.row import ANSWER, plain_name
from gate.submission.transcripts.traces import otel
from gate.submission.transcripts.unread_parts import TEXT_WORDS, UnreadParts, below

PATHS = (
    ("results", "results"), ("data",), ("rows",), ("samples",), ("testCases",), ("test_cases",), ("runs",), ("traces",),
    ("records",), ("examples",), ("items",), ("conversations",), ("test_results",),
)  # fmt: skip
"""Where tools keep a list of records: promptfoo, Langfuse, Hugging Face, ragas, DeepEval, LangSmith, exports."""
INNER = ("row",)
"""What stands around one record of a list: Hugging Face's rows."""


def pieces(document: Any) -> list[tuple[str, Any]] | None:
    """The records of a document, each with its place; None where it is one record itself.

    Raises:
        InputError: the list is beside text that nobody reads.
    """
    if otel.matches(document):
        found = list(otel.traces(document))
        return [(f"trace {key}", one) for key, one in found] if len(found) > 1 else None
    if isinstance(document, list):
        return list(_listed(document, "")) if _are_records(document) else None
    if not isinstance(document, dict):
        return None
    for path in PATHS:
        held = _at(document, path)
        if isinstance(held, list) and _are_records(held):
            _account(document, path)
            return list(_listed(held, ".".join(path)))
    return _columns(document)


def _listed(items: list[Any], place: str) -> Iterator[tuple[str, Any]]:
    for number, item in enumerate(items):
        inner = next((key for key in INNER if isinstance(item, dict) and isinstance(item.get(key), dict)), None)
        yield below(place, number), item[inner] if inner else item


def _are_records(items: list[Any]) -> bool:
    """Whether a list is one of records, and not of the messages of one."""
    return (
        bool(items)
        and all(isinstance(one, dict) for one in items)
        and not any("role" in one or "from" in one for one in items)
    )


def _at(document: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def _account(document: dict[str, Any], path: tuple[str, ...]) -> None:
    """Refuse a text of the conversation beside the list; what else a tool writes there is settings and scores."""
    beside = {key: value for key, value in document.items() if key != path[0]}
    settings = [key for key in beside if plain_name(key) not in ANSWER and key.casefold() not in TEXT_WORDS]
    UnreadParts().rest(beside, "", known=(), unshown=settings)


def _columns(document: dict[str, Any]) -> list[tuple[str, Any]] | None:
    """A table as columns of equal length, as data frames and data sets are written: `{"question": ["…", "…"], …}`."""
    columns = {key: list(value.values()) if _is_numbered(value) else value for key, value in document.items()}
    lengths = {len(value) for value in columns.values() if isinstance(value, list)}
    if len(columns) < 2 or len(lengths) != 1 or not all(isinstance(value, list) for value in columns.values()):
        return None
    if not {"answer", "response", "question", "user_input"} & columns.keys():
        return None
    (length,) = lengths
    if not length:
        raise InputError("the columns are empty: there is nothing to check")
    return [(str(at), {key: value[at] for key, value in columns.items()}) for at in range(length)]


def _is_numbered(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and list(value) == [str(number) for number in range(len(value))]
