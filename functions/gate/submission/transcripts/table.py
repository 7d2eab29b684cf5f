"""The formats of records, and how one is told from another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple, Protocol

from gate.errors import InputError
from gate.submission.caps import Caps
from gate.submission.transcripts import (
    anthropic_message,
    bedrock_converse,
    containers,
    openai_completion,
    openai_messages,
    own,
    plain,
)
from gate.submission.transcripts.datasets import chatgpt_export, claude_export, promptfoo, row, sharegpt
from gate.submission.transcripts.record import Record
from gate.submission.transcripts.services import (
    batch_line,
    gemini,
    invocation_log,
    model_bodies,
    ollama,
    openai_responses,
    retrieve_and_generate,
)
from gate.submission.transcripts.texts import csv_rows, event_stream, speakers
from gate.submission.transcripts.traces import agent_session, langchain_messages, langfuse, langsmith, llamaindex, otel
from gate.text.encodable import encodable
from gate.text.formats import strict_json, strict_yaml


class TranscriptFormat(Protocol):
    """A module that reads one JSON format.

    Attributes:
        NAME: what `--from` and messages call it.
    """

    NAME: str

    def matches(self, document: Any) -> bool:
        """Whether a JSON document is meant to be in this format: told by its structure alone."""

    def parse(self, document: Any) -> Record:
        """Read it; raises `InputError` naming what does not fit."""


FORMATS: tuple[TranscriptFormat, ...] = (
    own,
    openai_messages,
    openai_completion,
    openai_responses,
    batch_line,
    anthropic_message,
    bedrock_converse,
    invocation_log,
    retrieve_and_generate,
    model_bodies,
    gemini,
    ollama,
    langchain_messages,
    langsmith,
    llamaindex,
    langfuse,
    otel,
    agent_session,
    row,
    promptfoo,
    sharegpt,
    chatgpt_export,
    claude_export,
)
"""A further format is one more module and one more line. A document that two of them know is refused."""

ANSWER, JSON, YAML = "answer", "json", "yaml"
TEXTS = (ANSWER, csv_rows.NAME, event_stream.NAME, speakers.NAME, YAML)
"""Formats that are no JSON: what `--from` calls them."""
NAMES = (*TEXTS, *(format_.NAME for format_ in FORMATS))
TABLES = (".csv", ".tsv")
LINES = (".jsonl", ".ndjson")
TEXT_ENDINGS = (".txt", ".log", ".sse")
"""Endings of files in which streams and conversations of plain text are looked for; Markdown is always one answer."""
PAGES = (".html", ".htm")
ENDINGS = (".md", ".markdown", ".json", ".yaml", ".yml", *TEXT_ENDINGS, *LINES, *TABLES, *PAGES)
"""Endings of files that hold records, of which a folder is searched."""

MOST_NESTED, CHARS_OF_NESTED = 500_000, 20
"""Objects and lists of a document of JSON, those within quotes too; a long one may have one for so many characters."""


class RecordText(NamedTuple):
    """One record of a file, before it is read.

    Attributes:
        place: where it stands: `line 3`, `results.results.0`; empty where it is the whole file.
        text: the record as text: JSON, or an answer.
        name: a name with an ending that says which.
        refused: why it is no record; the others of the file go on.
    """

    place: str
    text: str
    name: str
    refused: InputError | None = None


def parse(name: str, text: str, caps: Caps, form: str = "") -> Record:
    """Read a submission of one record; the ending of its name, and its structure, tell its format.

    Args:
        form: the name of its format; empty: it is told.

    Raises:
        InputError: it is empty, over a cap, in no known format or in two, holds several records, or nobody answers.
    """
    _check_text(text, caps)
    found = list(pieces(name, text, caps, form))
    if len(found) > 1:
        raise InputError(
            f"holds {len(found)} records, and one is checked at a time", hint="`gate check FILE` reads them all"
        )
    if not found:
        raise InputError("empty: there is no record in it")
    return read_piece(found[0], caps, form)


def read_piece(piece: RecordText, caps: Caps, form: str = "") -> Record:
    """Read one record.

    Raises:
        InputError: it is none; without its place.
    """
    if piece.refused is not None:
        raise piece.refused
    _check_text(piece.text, caps)
    record = _read(piece, caps, form)
    _check(record, caps)
    return record


def pieces(name: str, text: str, caps: Caps, form: str = "") -> Iterator[RecordText]:
    """The records of a text, each still to be read; a plain answer is one.

    Raises:
        InputError: the text is in no known format, or not what its name says.
    """
    kind = kind_of(name, text, form)
    if kind == ANSWER:
        yield RecordText("", text, name if PurePosixPath(name).suffix.lower() != ".json" else "answer.txt")
    elif kind == csv_rows.NAME:
        yield from streamed(name, ((at, line) for at, line in enumerate(text.split("\n"), start=1)), caps, kind)
    elif kind == "lines":
        yield from lines(((at, line) for at, line in enumerate(text.split("\n"), start=1)), caps)
    else:
        if kind in (JSON, event_stream.NAME):
            _refuse_nested(text)
        document = _DOCUMENTS[kind](text) if kind in _DOCUMENTS else strict_json.load(text)
        yield from _pieces_of(checked_json(document, caps), text if kind == JSON else None, name, form)


def lines(numbered: Iterator[tuple[int, str | InputError]], caps: Caps) -> Iterator[RecordText]:
    """The records of lines of JSON, as they come; a stream of Ollama's is put together.

    A line that is none is a piece that says so.
    """
    stream: list[Any] = []
    at = ""
    for number, line in numbered:
        at = f"line {number}"
        if not isinstance(line, InputError) and not line.strip():
            continue
        try:
            document = _line(line, caps)
            if event_stream.is_piece(document) or stream:
                stream.append(document)
                if isinstance(document, dict) and document.get("done") is True:
                    pieces_of_stream, stream = stream, []
                    yield _piece(at, event_stream.joined(pieces_of_stream))
                continue
            found = None if _is_one(document, "") else containers.pieces(document)
        except InputError as error:
            yield RecordText(at, "", "", error)
            continue
        if found is None:
            yield RecordText(at, str(line), "record.json")
        else:
            yield from (_piece(f"{at}, {place}", one) for place, one in found)
    if stream:
        yield RecordText(at, "", "", InputError("the stream breaks off before its end"))


def _line(line: str | InputError, caps: Caps) -> Any:
    if isinstance(line, InputError):
        raise line
    if len(line) > caps.max_bytes:
        raise InputError(f"larger than {caps.max_bytes} bytes", hint="GATE_MAX_BYTES sets the cap")
    try:
        return read_json(line, caps)
    except InputError as error:  # the line of the file is told, and that within it is always the first
        raise InputError(error.safe_message.replace(" at line 1,", " at"), hint=error.hint) from None


def is_streamed(name: str, form: str = "") -> bool:
    """Whether a file is read record by record, however long it is: lines of JSON, and tables."""
    return form == csv_rows.NAME or (form not in TEXTS and PurePosixPath(name).suffix.lower() in (*LINES, *TABLES))


def streamed(
    name: str, numbered: Iterator[tuple[int, str | InputError]], caps: Caps, form: str = ""
) -> Iterator[RecordText]:
    """The records of lines of a file that is read as it comes.

    Raises:
        InputError: the file is no table; lines that are no JSON are pieces that say so.
    """
    if PurePosixPath(name).suffix.lower() in LINES and form != csv_rows.NAME:
        yield from lines(numbered, caps)
        return
    delimiter = "\t" if name.lower().endswith(".tsv") else None
    for at, one in csv_rows.rows(map(_told, numbered), delimiter):
        yield _piece(f"line {at}", one)


def _told(line: tuple[int, str | InputError]) -> str:
    if isinstance(line[1], InputError):
        raise InputError(f"line {line[0]}: {line[1].safe_message}", hint=line[1].hint)
    return line[1] + "\n"


def kind_of(name: str, text: str, form: str = "") -> str:
    """What a text is: an answer, JSON, lines of JSON, YAML, a table, a stream, or a conversation of speakers.

    Raises:
        InputError: a web page.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if form in TEXTS:
        return form
    if suffix in LINES:
        return "lines"
    if suffix in TABLES:
        return csv_rows.NAME
    if suffix in (".yaml", ".yml"):
        return YAML
    if suffix in PAGES:
        raise InputError("a page: its tags would be read as claims", hint="save it as text or Markdown")
    if form or suffix == ".json" or (not suffix and text.removeprefix("\ufeff").lstrip()[:1] in ("{", "[")):
        return event_stream.NAME if suffix == ".json" and event_stream.matches(text) else JSON
    told = (event_stream, speakers) if suffix in TEXT_ENDINGS else ()
    return next((one.NAME for one in told if one.matches(text)), ANSWER)


def read_json(text: str, caps: Caps) -> Any:
    """Read a JSON document from outside.

    Raises:
        InputError: it is no JSON that all readers agree on, holds very many objects, is nested too deep, or holds a key
            that is ours.
    """
    _refuse_nested(text)
    return checked_json(strict_json.load(text), caps)


def _refuse_nested(text: str) -> None:
    """Count before JSON is read: millions of objects of three characters take long, and much memory, several times.

    Raises:
        InputError: it holds very many.
    """
    most = max(MOST_NESTED, len(text) // CHARS_OF_NESTED)
    if text.count("{") + text.count("[") > most:
        raise InputError(f"more than {most:,} objects and lists: data, and no record")


def checked_json(document: Any, caps: Caps) -> Any:
    """Return a JSON document from outside as it is.

    Raises:
        InputError: it is nested too deep, or holds a key that is ours.
    """
    if _depth(document, caps.max_depth) > caps.max_depth:
        raise InputError(f"nested deeper than {caps.max_depth} levels", hint="GATE_MAX_DEPTH sets the cap")
    return document


_DOCUMENTS: dict[str, Callable[[str], Any]] = {
    event_stream.NAME: event_stream.document,
    speakers.NAME: speakers.document,
    YAML: strict_yaml.load,
}


def _pieces_of(document: Any, text: str | None, name: str, form: str) -> Iterator[RecordText]:
    """The records of a document; `text`: it, where it is JSON and can go on as it is."""
    if _is_one(document, form):
        yield RecordText("", text if text is not None else json.dumps(document, ensure_ascii=False), _json_name(name))
        return
    found = containers.pieces(document)
    if found is None:
        raise InputError(_unknown(document), hint="docs/records.md lists them; --from names one")
    yield from (_piece(place, one) for place, one in found)


def _is_one(document: Any, form: str) -> bool:
    """Whether a document is one record; one that several formats know is refused when it is read."""
    several = isinstance(document, dict) and otel.matches(document) and containers.pieces(document) is not None
    return not several and any(format_.matches(document) for format_ in FORMATS if form in ("", format_.NAME))


def _json_name(name: str) -> str:
    path = PurePosixPath(name)
    return name if path.suffix.lower() in (".json", "") else f"{path.stem}.json"


def _piece(place: str, document: Any) -> RecordText:
    return RecordText(place, json.dumps(document, ensure_ascii=False), "record.json")


def _read(piece: RecordText, caps: Caps, form: str) -> Record:
    if form == ANSWER or (not piece.name.lower().endswith(".json") and kind_of(piece.name, piece.text) != JSON):
        return plain.parse(piece.text)
    return _parse_json(read_json(piece.text, caps), form)


def _parse_json(document: Any, form: str) -> Record:
    found = [format_ for format_ in FORMATS if form in ("", *TEXTS, format_.NAME) and format_.matches(document)]
    if not found:
        raise InputError(_unknown(document), hint="docs/records.md lists them; --from names one")
    if len(found) > 1:
        names = ", ".join(format_.NAME for format_ in found)
        raise InputError(
            f"in two formats at once ({names}): of two answers, which was given?",
            hint="give the answer alone, or as the last of the messages; or name the format with --from",
        )
    return found[0].parse(document)


def _unknown(document: Any) -> str:
    """What was looked for in a document that is in no known format, and what stands there."""
    keys = list(document)[:6] if isinstance(document, dict) else []
    plain = ", ".join(key for key in map(str, keys) if key.isidentifier() and len(key) <= 40)
    there = f"an object with {plain}" if plain else f"a {type(document).__name__}"
    return f"JSON in no known format: {there}; looked for messages, choices, output, question and answer, traces"


def _depth(value: Any, limit: int) -> int:
    """Nesting of `value`, counted no further than one past `limit`; a reference in it is refused."""
    level, depth = [value], 0
    while level and depth <= limit:
        containers_ = [element for element in level if isinstance(element, (dict, list))]
        if any("$blob" in element for element in containers_ if isinstance(element, dict)):
            raise InputError('the key "$blob" is reserved')
        depth += bool(containers_)
        level = [
            inner for element in containers_ for inner in (element.values() if isinstance(element, dict) else element)
        ]
        if not containers_:
            break
    return depth


def _check_text(text: str, caps: Caps) -> None:
    if len(text.encode(errors="replace")) > caps.max_bytes:
        raise InputError(f"larger than {caps.max_bytes} bytes", hint="GATE_MAX_BYTES sets the cap")
    if not text.strip():
        raise InputError("empty: there is nothing to check")


def _check(record: Record, caps: Caps) -> None:
    if len(record.turns) > caps.max_turns:
        raise InputError(f"more than {caps.max_turns} turns", hint="GATE_MAX_TURNS sets the cap")
    texts = [
        *((f"turn {number}", turn.content) for number, turn in enumerate(record.turns)),
        *((f"context {number}", context["content"]) for number, context in enumerate(record.contexts)),
    ]
    for place, text in texts:
        if len(text) > caps.max_turn_chars:
            raise InputError(
                f"{place}: longer than {caps.max_turn_chars} characters", hint="GATE_MAX_TURN_CHARS sets the cap"
            )
        if not encodable(text):
            raise InputError(f"{place}: holds half of a surrogate pair, which is no text")
    answers = [turn for turn in record.turns if turn.role == "assistant"]
    if not any(turn.content.strip() for turn in answers):
        raise InputError("no assistant turn: there is no answer to check")
