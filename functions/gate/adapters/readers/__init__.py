"""Readers of documents: bytes and where they came from in, passages out; one line each in `READERS`."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any

from gate.adapters.readers.layout import DocumentTooLargeError, Read, parsed_json
from gate.repository.names.corpus_names import code_within
from gate.retrieval.chunking import Section, chunks
from gate.retrieval.passages import passage
from gate.submission.uploads import plain_name


@dataclass(frozen=True, slots=True)
class Problem:
    """A document, or a line of one, that could not be read: `where` it is, and why."""

    where: str
    why: str


Found = dict[str, Any] | Problem
Reader = Callable[[bytes, str], Iterator[Found]]


LONGEST_PREFIX = 120
"""Characters of a passage's id that say where it lies."""
LONGEST_LINE = 8_000
"""Characters of a passage given as such; a longer one is a document. Beyond 1,200 the embedder reads only the start,
and what is judged for a claim is all of it: 3 MB on one line took 7 s of CPU a claim."""


def read_jsonl(data: bytes, location: str) -> Iterator[Found]:
    """One passage a line; a line that holds a whole document is cut like one."""
    yield from read_rows(data.splitlines(), location)


def read_rows(lines: Iterable[bytes], location: str) -> Iterator[Found]:
    """Like `read_jsonl`, of lines that are read one after the other."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                record = parsed_json(line)
                if not isinstance(record, dict):
                    raise ValueError("not a JSON object")
                found = passage({"document": location, **record})
                yield from [found] if len(found["content"]) <= LONGEST_LINE else _shorter(found)
            except (ValueError, RecursionError) as error:
                yield Problem(f"{location}, line {number}", reason(error))


def _shorter(record: dict[str, Any]) -> Iterator[Found]:
    for chunk in chunks(record["content"]):
        sha = hashlib.sha256(chunk.text.encode("utf-8", "replace")).hexdigest()[:12]
        about = {"id": f"{record['id'][-120:]}#{sha}", "content": chunk.text, "start": chunk.start, "end": chunk.end}
        yield passage({**record, **about})


def read_text(data: bytes, location: str) -> Iterator[Found]:
    """Plain text, cut at paragraphs."""
    yield from cut(decode(data), [], location)


def read_markdown(data: bytes, location: str) -> Iterator[Found]:
    """Markdown as its page shows it, cut at headings."""
    from gate.adapters.readers.markdown_document import text_of

    page = text_of(decode(data))
    yield from cut(page.text, page.sections, location, page.title, page.code)


def read_html(data: bytes, location: str) -> Iterator[Found]:
    """A web page without what surrounds its content, cut at headings."""
    from gate.adapters.readers.html import text_of

    page = text_of(data)
    yield from cut(page.text, page.sections, location, page.title, page.code)


def _formatted(module: str, function: str = "text_of", *, as_text: bool = True, **how: Any) -> Reader:
    """The reader of a format that `readers.<module>` lays out; the module is imported when it is needed."""

    def read(data: bytes, location: str) -> Iterator[Found]:
        lay_out = getattr(import_module(f"gate.adapters.readers.{module}"), function)
        laid_out: Read = lay_out(decode(data) if as_text else data, **how)
        yield from cut(laid_out.text, laid_out.sections, location, laid_out.title, laid_out.code)
        yield from (Problem(location, what) for what in laid_out.left_out)

    return read


def _as_markdown(module: str) -> Reader:
    """The reader of a format that `readers.<module>` writes as Markdown."""

    def read(data: bytes, location: str) -> Iterator[Found]:
        write = import_module(f"gate.adapters.readers.{module}").markdown_of
        yield from read_markdown(write(decode(data)).encode("utf-8", "replace"), location)

    return read


def read_code(data: bytes, location: str) -> Iterator[Found]:
    """Comments of source code, each with the line that it is about."""
    from gate.adapters.readers.source_code import text_of_code

    read = text_of_code(decode(data), PurePosixPath(plain_name(location)).suffix.lower())
    yield from cut(read.text, read.sections, location, read.title or PurePosixPath(location).name, read.code)


def read_python(data: bytes, location: str) -> Iterator[Found]:
    """Docstrings and comments of Python."""
    from gate.adapters.readers.source_code import text_of_python

    read = text_of_python(decode(data))
    yield from cut(read.text, read.sections, location, PurePosixPath(location).name, read.code)


_CODE = """.js .mjs .cjs .ts .tsx .jsx .java .kt .go .rs .c .h .cc .cpp .hpp .cs .swift .scala .proto .dart .php .sh
.bash .rb .pl .r .tf .ps1 .mk .ex .exs .nim .sql .lua .hs .elm"""

READERS: dict[str, Reader] = {
    ".jsonl": read_jsonl,
    ".ndjson": read_jsonl,
    ".txt": read_text,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".pdf": _formatted("pdf", as_text=False),
    ".rst": _formatted("restructured"),
    ".mdx": _as_markdown("mdx"),
    ".adoc": _formatted("asciidoc"),
    ".asciidoc": _formatted("asciidoc"),
    ".docx": _formatted("zipped.word", as_text=False),
    ".odt": _formatted("zipped.open_document", as_text=False),
    ".epub": _formatted("zipped.epub", as_text=False),
    ".csv": _formatted("tabular.sheets", "text_of_csv"),
    ".tsv": _formatted("tabular.sheets", "text_of_csv", delimiter="\t"),
    ".xlsx": _formatted("tabular.workbook", as_text=False),
    ".ipynb": _as_markdown("notebook"),
    ".json": _formatted("statements", "text_of_json"),
    ".yaml": _formatted("statements", "text_of_yaml"),
    ".yml": _formatted("statements", "text_of_yaml"),
    ".toml": _formatted("statements", "text_of_toml"),
    ".eml": _formatted("mail", as_text=False),
    ".py": read_python,
    ".pyi": read_python,
    **dict.fromkeys(_CODE.split(), read_code),
}


_NAMES = """readme license licence copying copyright notice changelog changes news history authors contributing install
todo faq thanks usage"""
UNNAMED: dict[str, Reader] = dict.fromkeys(_NAMES.split(), read_text)
"""Readers of files without an ending that is known, by the name before the first dot, in small letters."""


def cut(
    text: str, sections: Sequence[Section], location: str, title: str | None = None, code: Collection[str] = ()
) -> Iterator[Found]:
    """Turn a text into passages; their ids hold a hash of the text, so that they survive changes elsewhere in it, and
    the location, or a hash of it: no other file's passages bear them.

    Args:
        code: the words of the text that stand in code.
    """
    sha = hashlib.sha256(location.encode("utf-8", "replace")).hexdigest()[:12]
    prefix = location if len(location) <= LONGEST_PREFIX else f"{sha}/{location[13 - LONGEST_PREFIX :]}"
    for chunk in chunks(text, sections):
        sha = hashlib.sha256(chunk.text.encode("utf-8", "replace")).hexdigest()[:12]
        yield passage(
            {
                "id": f"{prefix}#{sha}",
                "document": location,
                "title": title or PurePosixPath(location).stem,
                "section": chunk.section,
                "content": chunk.text,
                "start": chunk.start,
                "end": chunk.end,
                "code_words": code_within(chunk.text, code) or None,
            }
        )


def decode(data: bytes) -> str:
    """Read text: UTF-8, or UTF-16 with its mark.

    Raises:
        ValueError: it is neither.
    """
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    text = data.decode(encoding)
    if "\x00" in text:
        raise ValueError("holds zero bytes: not a text")
    return text


def reason(error: Exception) -> str:
    """Say why something could not be read, without quoting it."""
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON ({error.msg} at column {error.colno})"
    if isinstance(error, UnicodeDecodeError):
        return f"not {error.encoding.upper()} at byte {error.start}"
    if isinstance(error, tomllib.TOMLDecodeError):
        return "not TOML"
    is_ours = isinstance(error, DocumentTooLargeError) or type(error) is ValueError
    return str(error) if is_ours else "nested too deep"
