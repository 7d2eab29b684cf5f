"""The docs detective: which paths and names documents and the answer use, and what each mention says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from gate.errors import InputError
from gate.repository import records
from gate.repository.diagrams import names
from gate.repository.document_place import place_for
from gate.repository.manifest import Repository
from gate.repository.mention_classes import PathCitation
from gate.repository.names.code_stretches import stretches
from gate.repository.names.lexicon import UnreadNamesError
from gate.repository.names.name_citations import NameCitation, NamedRepository, name_citations
from gate.repository.names.places import Places
from gate.repository.path_citations import Layouts, citations
from gate.repository.paths import printable
from gate.repository.records import Record
from gate.services.artifacts import names_in, open_document, open_repository
from gate.submission.answers import answers
from gate.watched import MAX_CPU_S, SharedTime, TooMuchError

CHARACTERS_A_SECOND = 50_000
"""Of documents and answers; honest ones take a third of the time, or less."""


def collect_docs_evidence(state: dict[str, Any]) -> None:
    """Find the paths that documents and the assistant's turns cite, and the names in code that they use.

    Reads:
        `artifacts["docs"]`: `[{"location", "text" or "base64", "answer"?}]`; `artifacts["repo"]`, to tell what a
        mention means; `transcript["turns"]`; `config`: `repo_root`, and `checked_to` as in `extract_claims`; optional.
    Writes:
        `evidences`: `{"docs": [...]}`: for each document one record with its counts and one for each path that it
        says is there, with place, kind of mention and what its absence leads to; one for each name that it says is
        there and the repository lacks; one for what could not be read, names that were not looked up among it.
    """
    artifacts = state.get("artifacts") or {}
    repository = _repository(state)
    documents = [*(artifacts.get("docs") or []), *_answers(state)]
    size = sum(len(str(document.get("text") or document.get("base64") or "")) for document in documents)
    reading = Reading(repository, MAX_CPU_S + size / CHARACTERS_A_SECOND, with_names=bool(artifacts.get("images")))
    found = [entry for document in documents for entry in reading.evidence(document)]
    state["evidences"] = {"docs": reading.judged(found) + reading.unread}


def _repository(state: Mapping[str, Any]) -> Repository | None:
    """What there is; None: nothing, or it could not be read, which the repo detective says."""
    try:
        return open_repository(state)
    except InputError:
        return None


def _answers(state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for number, text, offset in answers(state):
        text = "\n" * text.count("\n", 0, offset) + text[offset:]  # lines are counted as before
        yield {"location": f"turn {number}", "text": text, "answer": True}


class Reading:
    """Reads documents against one repository.

    What may have been meant by a path is looked for among all that there are, so that documents full of paths that are
    nearly there, and the files for it, take any time: one that has had a minute, or the rest of what all have, is left
    out by name. The names of the repository's files are read once, and not counted.

    Args:
        repository: what there is; None: nothing is looked up.
        seconds: of CPU that all documents together may take.
        with_names: each document's record tells the names in it, to compare images with.

    Attributes:
        unread: says why names in code were not looked up, once any document had some.
    """

    def __init__(self, repository: Repository | None, seconds: float, *, with_names: bool) -> None:
        self._repository, self._time = repository, SharedTime(seconds, MAX_CPU_S)
        self._with_names = with_names
        self.unread: list[Record] = []
        self._cited: list[tuple[str, PathCitation, str]] = []

    @cached_property
    def _places(self) -> Places:
        return Places(self._repository or Repository(()))

    @cached_property
    def _named(self) -> NamedRepository | None:
        """The names in the repository, read for the first document with code; None: nobody can say which it has not."""
        try:
            lexicon = names_in(self._repository) if self._repository else None
        except UnreadNamesError as error:
            why = f"names in code were not looked up: {error}"
            self.unread.append(records.unreadable("docs", printable(error.path), why))
            return None
        return NamedRepository(lexicon, self._repository) if lexicon and self._repository else None

    def evidence(self, document: Mapping[str, Any]) -> list[Record]:
        """What a document says about the repository, and a record of the document itself."""
        location, answer = printable(str(document.get("location") or "document")), bool(document.get("answer"))
        try:
            read = open_document(document)
            parts = [(part.text, part.page, self._has_code(location, part.text, answer=answer)) for part in read]
            if any(coded for _, _, coded in parts):
                _ = self._named
            return self._time.watched(lambda: list(self._evidence(location, parts, answer=answer)))
        except InputError as error:
            return [records.unreadable("docs", location, error.safe_message)]
        except TooMuchError as error:
            return [records.unreadable("docs", location, f"the document {error}")]

    def judged(self, found: Iterable[Record]) -> list[Record]:
        """The evidence without citations whose form shows an unknown layout, which are told together."""
        layouts = Layouts(((place, each) for place, each, _ in self._cited), self._repository or Repository(()))
        unknown = {key: (form, place) for place, each, key in self._cited if (form := layouts.unknown(place, each))}
        first = dict(reversed(unknown.values()))
        counts = Counter(form for form, _ in unknown.values())
        told = [records.unjudged(first[form], printable(form), count) for form, count in sorted(counts.items())]
        return [entry for entry in found if entry["evidence_id"] not in unknown] + told

    def _evidence(self, location: str, parts: Sequence[tuple[str, int, bool]], *, answer: bool) -> Iterator[Record]:
        counts: Counter[str] = Counter()
        for text, page, coded in parts if self._repository else []:
            cited = list(citations(location, text, self._repository or Repository(()), answer=answer))
            for citation in cited:
                counts["found" if citation.found else citation.kind] += 1
                if citation.found or citation.tier != "ignore":
                    entry = _record(location, page, citation)
                    if not answer:
                        self._cited.append((location, citation, entry["evidence_id"]))
                    yield entry
            for place in self._places.missing(cited, location, text, answer=answer):
                counts["places_missing"] += 1
                yield _name_record(location, page, place)
            if coded:
                yield from self._names(location, text, page, counts, answer=answer)
        used = sorted({name for text, _, _ in parts for name in names(text)}) if self._with_names else []
        yield records.document_record(location, dict(counts), used, read=self._repository is not None)

    def _has_code(self, location: str, text: str, *, answer: bool) -> bool:
        """Whether there is code to look up, and files to look it up in."""
        if not self._repository or not self._repository.contents:
            return False
        return next(stretches(text, restructured=location.lower().endswith(".rst"), prose=answer), None) is not None

    def _names(self, location: str, text: str, page: int, counts: Counter[str], *, answer: bool) -> Iterator[Record]:
        """What a part with code says of names in it."""
        if not self._repository or not self._named:
            counts["names_unread"] += 1
            return
        place = place_for(location, self._repository, answer=answer)
        for citation in name_citations(text, place, self._named):
            if citation.found:
                counts["names_found"] += 1
                if answer:
                    yield _name_record(location, page, citation)
            elif citation.tier != "ignore":
                counts["names_missing"] += 1
                yield _name_record(location, page, citation)


def _name_record(location: str, page: int, citation: NameCitation) -> Record:
    mention = citation.mention
    told = {
        "kind": "name",
        "name_kind": mention.kind,
        "tier": citation.tier,
        "rule": citation.rule,
        "document": location,
        "line": mention.line,
        "column": mention.column,
        "target": printable(mention.shown),
        **({"page": page} if page else {}),
        **({"suggestion": citation.suggestion} if citation.suggestion else {}),
    }
    return records.name_record(_place(location, page, mention.line), told, found=bool(citation.found))


def _place(location: str, page: int, line: int) -> str:
    return f"{location}, page {page}, line {line}" if page else f"{location}:{line}"


def _record(location: str, page: int, citation: PathCitation) -> Record:
    mention = citation.mention
    place = _place(location, page, mention.line)
    told = {
        "kind": citation.kind,
        "tier": citation.tier,
        "rule": citation.rule,
        "document": location,
        "line": mention.line,
        "column": mention.column,
        "surface": mention.surface,
        "target": printable(mention.target),
        **({"page": page} if page else {}),
        **({"suggestion": citation.suggestion} if citation.suggestion else {}),
    }
    return records.mention_record(citation.path, place, told, found=citation.found)
