"""Keyword search: tantivy's index of a generation. It holds no text, only where passages are found."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tantivy
from tantivy import Occur, Query

from gate.adapters.embedded.analysis import analyzer, query_terms
from gate.cleanup import note
from gate.ports import SearchFilter
from gate.repository.names.corpus_names import name_keys, names_in
from gate.retrieval.passages import day, last_day, passage_text
from gate.retrieval.query_terms import paired, plain, weight
from gate.text.languages import NAMES

VERSION: str = tantivy.__version__.split(",")[0].strip()
HEAP_BYTES = 64_000_000
_NO_LATER_DAY = 99_999_999
_LOCKS = (".tantivy-writer.lock", ".tantivy-meta.lock")


def schema() -> Any:
    """One analysed field over title, section and content; exact fields for ids and filters, for the passage's names and
    for what they share with names that are close; the row number."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="passage", index_option="freq")
    for name in ("id", "document", "tenant", "source", "classification", "name", "name_key", "language"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("row", fast=True)
    builder.add_unsigned_field("published", fast=True, indexed=True)
    return builder.build()


def link(old: Path, new: Path) -> None:
    """Start a generation from the one before; files are shared on the disk where it can, tantivy never changes one."""
    for path in old.iterdir():
        if path.name not in _LOCKS:
            share(path, new / path.name)


def share(old: Path, new: Path) -> None:
    """Have a file that nobody changes under another name too, of its own where the disk cannot share it."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)


class DamagedTextError(Exception):
    """The text index cannot be read."""


@contextmanager
def _tantivy(failure: Exception) -> Iterator[None]:
    """Turn what tantivy raises into `failure`: ValueError for everything that it expects, a panic for the rest."""
    try:
        yield
    except BaseException as error:
        # The class of a panic cannot be imported, and is no `Exception`.
        if not isinstance(error, ValueError) and type(error).__name__ != "PanicException":
            raise
        raise failure from None


def _writing() -> AbstractContextManager[None]:
    return _tantivy(OSError(errno.EIO, "the text index could not be written"))


def _reading() -> AbstractContextManager[None]:
    return _tantivy(DamagedTextError())


class TextWriter:
    """Adds to one generation's index; `commit` makes it complete and quiet.

    Raises:
        OSError: the index cannot be written; tantivy does not say more.
    """

    def __init__(self, folder: Path, language: str) -> None:
        terms = analyzer(language)
        with _writing():
            self._index = tantivy.Index(schema(), path=str(folder))
            self._index.register_tokenizer("passage", terms)
            self._writer = self._index.writer(heap_size=HEAP_BYTES, num_threads=1)

    def add(self, passage: Mapping[str, Any], row: int, language: str = "") -> None:
        """Index one passage; `language`: that of its document, as `gate.text.languages` names it."""
        document = tantivy.Document()
        document.add_text("text", paired(plain(passage_text(passage))))
        for name in ("id", "document", "tenant", "source", "classification"):
            if passage.get(name):
                document.add_text(name, passage[name])
        names = names_in(passage)
        for name in names:
            document.add_text("name", name)
        for key in name_keys(names):
            document.add_text("name_key", key)
        if language:
            document.add_text("language", language)
        document.add_unsigned("row", row)
        document.add_unsigned("published", day(passage.get("published_date")))
        with _writing():
            self._writer.add_document(document)

    def delete(self, identifier: str) -> None:
        """Remove the passage of that id, if it was added before."""
        with _writing():
            self._writer.delete_documents_by_term("id", identifier)

    def commit(self) -> None:
        """Write everything, and wait until no merge runs: the files do not change any more."""
        with _writing():
            self._writer.commit()
            self._writer.wait_merging_threads()

    def abandon(self) -> None:
        """Stop tantivy's threads, which would write on into a folder that is being removed."""
        del self._writer


class TextReader:
    """Searches one generation's index; answers with row numbers.

    Raises:
        DamagedTextError: it cannot be read.
    """

    def __init__(self, folder: Path, language: str) -> None:
        terms = analyzer(language)
        if not os.access(folder, os.W_OK):
            self._links = TemporaryDirectory(prefix="gate-")  # tantivy makes a lock file even to read
            note(Path(self._links.name))
            for path in folder.iterdir():
                if path.name not in _LOCKS:
                    (Path(self._links.name) / path.name).symlink_to(path.resolve())
            folder = Path(self._links.name)
        with _reading():
            index = tantivy.Index.open(str(folder))
            index.register_tokenizer("passage", terms)
            index.config_reader("manual")
            self._language = language
            self._schema = index.schema
            self._searcher = index.searcher()

    @property
    def documents(self) -> int:
        """How many passages are indexed."""
        return int(self._searcher.num_docs)

    def search(self, query: str, k: int, where: SearchFilter) -> list[tuple[int, float]]:
        """Return (row, BM25 score), best first."""
        terms = query_terms(query, self._language)
        if not terms or not self.documents:
            return []
        wanted = [
            (Occur.Should, Query.boost_query(self._term("text", term), weight(times))) for term, times in terms.items()
        ]
        required = [(Occur.Must, Query.boolean_query(wanted)), *self._filters(where)]
        return self._rows(Query.boolean_query(required), k)

    def naming(self, names: Collection[str], k: int, where: SearchFilter) -> list[tuple[int, float]]:
        """Return (row, score) where each of these stands as a name."""
        wanted = [(Occur.Must, self._term("name", name)) for name in names]
        return self._rows(Query.boolean_query([*wanted, *self._filters(where)]), k) if names and self.documents else []

    def like(self, names: Collection[str], k: int, where: SearchFilter) -> list[int]:
        """Return the rows whose names share most with these."""
        wanted = [(Occur.Should, self._term("name_key", key)) for key in name_keys(names)]
        if not wanted or not self.documents:
            return []
        query = Query.boolean_query([(Occur.Must, Query.boolean_query(wanted)), *self._filters(where)])
        return [row for row, _ in self._rows(query, k)]

    def languages(self) -> dict[str, int]:
        """How many passages are of documents in each language that there are any of, most first."""
        with _reading():
            asked = {name: self._searcher.search(self._term("language", name), limit=1) for name in NAMES}
        held = {name: int(found.count or 0) for name, found in asked.items()}
        return dict(sorted(((name, count) for name, count in held.items() if count), key=lambda each: -each[1]))

    def rows(self, field: str, values: Sequence[str]) -> list[int]:
        """Return the rows whose `field` (`id`, `document`) is one of `values`."""
        if not values or not self.documents:
            return []
        return [row for row, _ in self._rows(Query.term_set_query(self._schema, field, list(values)), self.documents)]

    def _rows(self, query: Any, limit: int) -> list[tuple[int, float]]:
        with _reading():
            hits = self._searcher.search(query, limit=limit, count=False).hits
            rows = self._searcher.fast_field_values("row", [address for _, address in hits])
        if None in rows:
            raise DamagedTextError
        return [(int(row), float(score)) for row, (score, _) in zip(rows, hits, strict=True)]

    def _term(self, field: str, value: str) -> Any:
        return Query.term_query(self._schema, field, value, index_option="freq" if field == "text" else "basic")

    def _filters(self, where: SearchFilter) -> Iterable[tuple[Any, Any]]:
        exact = (
            ("tenant", [where.tenant] if where.tenant is not None else []),
            ("source", where.sources),
            ("classification", where.classifications),
        )
        for field, values in exact:
            if values:
                either = Query.boolean_query([(Occur.Should, self._term(field, value)) for value in values])
                yield Occur.Must, Query.const_score_query(either, 0.0)
        if where.published_from is not None or where.published_to is not None:
            first = max(1, day(where.published_from)) if where.published_from is not None else 1
            last = last_day(where.published_to) if where.published_to is not None else _NO_LATER_DAY
            span = Query.range_query(self._schema, "published", tantivy.FieldType.Unsigned, first, last)
            yield Occur.Must, Query.const_score_query(span, 0.0)
