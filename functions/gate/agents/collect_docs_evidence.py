"""The docs detective: which paths documents and the answer cite, and what each mention says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from gate.errors import InputError
from gate.repository import records
from gate.repository.diagrams import names
from gate.repository.manifest import Repository
from gate.repository.mention_classes import PathCitation
from gate.repository.path_citations import citations
from gate.repository.paths import printable
from gate.repository.records import Record
from gate.services.artifacts import open_document, open_repository


def collect_docs_evidence(state: dict[str, Any]) -> None:
    """Find the paths that documents and the assistant's turns cite.

    Reads:
        `artifacts["docs"]`: `[{"location", "text" or "base64", "answer"?}]`; `artifacts["repo"]`, to tell what a
        mention means; `transcript["turns"]`; `config["repo_root"]`, optional.
    Writes:
        `evidences`: `{"docs": [...]}`: for each document one record with its counts and one for each path that it
        says is there, with place, kind of mention and what its absence leads to; one for what could not be read.
    """
    artifacts = state.get("artifacts") or {}
    repository = _repository(state)
    documents = [*(artifacts.get("docs") or []), *_answers(state)]
    compare = bool(artifacts.get("images"))
    evidence = [entry for document in documents for entry in _evidence(document, repository, with_names=compare)]
    state["evidences"] = {"docs": evidence}


def _repository(state: Mapping[str, Any]) -> Repository | None:
    """What there is; None: nothing, or it could not be read, which the repo detective says."""
    try:
        return open_repository(state)
    except InputError:
        return None


def _answers(state: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for index, turn in enumerate((state.get("transcript") or {}).get("turns") or []):
        if turn["role"] == "assistant":
            yield {"location": f"turn {index}", "text": turn["content"], "answer": True}


def _evidence(document: Mapping[str, Any], repository: Repository | None, *, with_names: bool) -> Iterator[Record]:
    location = printable(str(document.get("location") or "document"))
    try:
        parts = open_document(document)
    except InputError as error:
        yield records.unreadable("docs", location, error.safe_message)
        return
    counts: Counter[str] = Counter()
    for part in parts if repository else []:
        for citation in citations(
            location, part.text, repository or Repository(()), answer=bool(document.get("answer"))
        ):
            counts["found" if citation.found else citation.kind] += 1
            if citation.found or citation.tier != "ignore":
                yield _record(location, part.page, citation)
    used = sorted({name for part in parts for name in names(part.text)}) if with_names else []
    yield records.document_record(location, dict(counts), used, read=repository is not None)


def _record(location: str, page: int, citation: PathCitation) -> Record:
    mention = citation.mention
    place = f"{location}, page {page}, line {mention.line}" if page else f"{location}:{mention.line}"
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
