"""The docs detective: which paths and names documents and the answer use, and what each mention says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from gate.errors import InputError
from gate.repository import records
from gate.repository.diagrams import names
from gate.repository.document_place import place_for
from gate.repository.manifest import Repository
from gate.repository.mention_classes import PathCitation
from gate.repository.names.code_stretches import stretches
from gate.repository.names.name_citations import NameCitation, NamedRepository, name_citations
from gate.repository.names.places import Places
from gate.repository.path_citations import citations
from gate.repository.paths import printable
from gate.repository.records import Record
from gate.services.artifacts import names_in, open_document, open_repository
from gate.submission.answers import answers


def collect_docs_evidence(state: dict[str, Any]) -> None:
    """Find the paths that documents and the assistant's turns cite, and the names in code that they use.

    Reads:
        `artifacts["docs"]`: `[{"location", "text" or "base64", "answer"?}]`; `artifacts["repo"]`, to tell what a
        mention means; `transcript["turns"]`; `config`: `repo_root`, and `checked_to` as in `extract_claims`; optional.
    Writes:
        `evidences`: `{"docs": [...]}`: for each document one record with its counts and one for each path that it
        says is there, with place, kind of mention and what its absence leads to; one for each name that it says is
        there and the repository lacks; one for what could not be read.
    """
    artifacts = state.get("artifacts") or {}
    repository = _repository(state)
    documents = [*(artifacts.get("docs") or []), *_answers(state)]
    reading = Reading(repository, with_names=bool(artifacts.get("images")))
    state["evidences"] = {"docs": [entry for document in documents for entry in reading.evidence(document)]}


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

    Args:
        repository: what there is; None: nothing is looked up.
        with_names: each document's record tells the names in it, to compare images with.
    """

    def __init__(self, repository: Repository | None, *, with_names: bool) -> None:
        self._repository = repository
        self._with_names = with_names

    @cached_property
    def _places(self) -> Places:
        return Places(self._repository or Repository(()))

    @cached_property
    def _named(self) -> NamedRepository | None:
        """The names in the repository, read for the first document with code; None: nobody can say which it has not."""
        lexicon = names_in(self._repository) if self._repository else None
        return NamedRepository(lexicon, self._repository) if lexicon and self._repository else None

    def evidence(self, document: Mapping[str, Any]) -> Iterator[Record]:
        """Yield what a document says about the repository, and a record of the document itself."""
        location = printable(str(document.get("location") or "document"))
        try:
            parts = open_document(document)
        except InputError as error:
            yield records.unreadable("docs", location, error.safe_message)
            return
        counts: Counter[str] = Counter()
        answer = bool(document.get("answer"))
        for part in parts if self._repository else []:
            cited = list(citations(location, part.text, self._repository or Repository(()), answer=answer))
            for citation in cited:
                counts["found" if citation.found else citation.kind] += 1
                if citation.found or citation.tier != "ignore":
                    yield _record(location, part.page, citation)
            for place in self._places.missing(cited, location, part.text, answer=answer):
                counts["places_missing"] += 1
                yield _name_record(location, part.page, place)
            yield from self._names(location, part.text, part.page, counts, answer=answer)
        used = sorted({name for part in parts for name in names(part.text)}) if self._with_names else []
        yield records.document_record(location, dict(counts), used, read=self._repository is not None)

    def _names(self, location: str, text: str, page: int, counts: Counter[str], *, answer: bool) -> Iterator[Record]:
        """What a part says of names in code."""
        code = next(stretches(text, restructured=location.lower().endswith(".rst"), prose=answer), None)
        if not code or not self._repository or not self._repository.contents:
            return
        if not self._named:
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
