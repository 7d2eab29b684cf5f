"""Documents that hold many records: lists, and the objects that tools write around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gate.errors import InputError
from gate.submission.transcripts.datasets import row
from gate.submission.transcripts.datasets.row import ANSWER, plain_name
from gate.submission.transcripts.parts import ROLES
from gate.submission.transcripts.traces import otel
from gate.submission.transcripts.unread_parts import TEXT_WORDS, UnreadParts, below, is_prose

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
        InputError: there are two lists of them, or an answer stands beside the list.
    """
    if otel.matches(document):
        found = list(otel.traces(document))
        if len(found) < 2:
            return None
        _account(document, ("resourceSpans",), "")
        return [(f"trace {key}", one) for key, one in found]
    if isinstance(document, list):
        return list(_listed(document, "")) if _are_records(document) else None
    if not isinstance(document, dict):
        return None
    lists = {path: held for path in PATHS if isinstance(held := _at(document, path), list) and _are_records(held)}
    if len(lists) > 1:
        names = " and ".join(map(".".join, lists))
        raise InputError(f"holds two lists of records, {names}: which is meant?", hint="put each into its own file")
    for path, held in lists.items():
        _account(document, path, "")
        return list(_listed(held, ".".join(path)))
    return _columns(document)


def _listed(items: list[Any], place: str) -> Iterator[tuple[str, Any]]:
    for number, item in enumerate(items):
        at = below(place, number)
        inner = next((key for key in INNER if isinstance(item, dict) and isinstance(item.get(key), dict)), None)
        if inner:
            _account(item, (inner,), at)
        yield at, item[inner] if inner else item


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


def _account(document: dict[str, Any], path: tuple[str, ...], place: str) -> None:
    """Refuse an answer beside what a path leads to; what else a tool writes there is settings and scores."""
    for key in path:
        beside = {name: value for name, value in document.items() if name != key}
        settings = [name for name in beside if not _names_answer(name)]
        UnreadParts().rest(beside, place, known=(), unshown=settings)
        for name in settings:
            if _speaks(beside[name], said=False):
                raise InputError(
                    f"{below(place, name)}: holds text that no known format has there: it may be an answer",
                    hint="a list of records is read, and no answer beside it is passed over",
                )
        document, place = document[key], below(place, key)


def _names_answer(key: str) -> bool:
    return plain_name(key) in ANSWER or key.casefold() in TEXT_WORDS


def _speaks(value: Any, *, said: bool) -> bool:
    """Whether a value holds an answer: a row, a message of an assistant's, or a sentence where one is `said`.

    A prompt among a tool's settings is none, so what a user's or a system's message says is passed over.
    """
    if isinstance(value, str):
        return said and is_prose(value)
    if isinstance(value, list):
        return any(_speaks(one, said=said) for one in value)
    if not isinstance(value, dict):
        return False
    role = ROLES.get(str(value.get("role")))
    if role == "assistant" or row.matches(value):
        return True
    return any(_speaks(one, said=role is None and (said or _names_answer(key))) for key, one in value.items())


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
