"""The detectives alone: documents in, findings out, as a table, JSON, SARIF or a page."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gate.adapters.readers.documents import MAX_BYTES
from gate.agents.aggregate_evidence import aggregate_evidence
from gate.agents.collect_docs_evidence import collect_docs_evidence
from gate.agents.collect_repo_evidence import collect_repo_evidence
from gate.cli.inputs import refuse_leading_away
from gate.errors import InputError
from gate.reports.sarif import Level, SarifRule, sarif_log, sarif_place, sarif_result
from gate.reports.sarif_report import RULES as SHARED_RULES
from gate.reports.wording import plural
from gate.repository import records
from gate.text.visible import one_line, visible_values

ENDINGS = frozenset({".md", ".mdx", ".markdown", ".rst", ".html", ".htm", ".pdf"})
"""Documents that are read when a folder is given."""
SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", ".tox"})
MAX_TOTAL_BYTES = 500_000_000
"""All documents of one audit together."""
LEVELS: dict[str, Level] = {"block": "error", "warn": "warning"}
RULES = {
    **{name: SHARED_RULES[name] for name in ("missing_path", "missing_name")},
    "unread_document": SarifRule(
        "A document or a part of the repository that could not be read, or names that could not be looked up",
        "Save a document as UTF-8 text or as a PDF with text in it; of a repository, leave out what the message names.",
    ),
    "not_judged": SarifRule(
        "Citations of one form of which nearly none resolves",
        "Nothing to do where what builds the pages resolves them; else what they lead to was moved, or is elsewhere.",
    ),
}


@dataclass(frozen=True, slots=True, order=True)
class Missing:
    """A cited path, or a name in code, that is not there; of a name `path` is empty."""

    document: str
    line: int
    column: int
    target: str
    path: str
    tier: str
    rule: str
    evidence_id: str
    page: int = 0
    suggestion: str = ""

    @property
    def message(self) -> str:
        """One sentence for people."""
        hint = f" Did you mean {self.suggestion}?" if self.suggestion else ""
        return f"{self.target} does not exist in the repository.{hint}"


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found, which documents could not be read, what of the repository was left out, and which citations were
    not judged, since others like them do not resolve either."""

    findings: list[Missing]
    unread: list[dict[str, str]]
    documents: int
    files: int
    metadata: dict[str, Any] = field(default_factory=dict)
    left_out: list[dict[str, str]] = field(default_factory=list)
    not_judged: list[dict[str, Any]] = field(default_factory=list)

    def fails(self, level: str) -> bool:
        """Whether a finding of this tier or graver is there, or a document or a part of the repository was not read."""
        tiers = {"block"} if level == "block" else {"block", "warn"}
        return bool(self.unread or self.left_out) or any(finding.tier in tiers for finding in self.findings)


def collect(paths: Iterable[Path], repo: Path, *, answer: bool) -> Iterator[dict[str, Any]]:
    """Yield the documents at `paths`, named as the repository names them.

    Raises:
        InputError: a path does not exist, leads away by a link or cannot be read, or a document or all of them are too
            large.
    """
    root = repo.resolve()
    room = MAX_TOTAL_BYTES
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: there is no such file or folder")
        refuse_leading_away(path, root)
        for file in _documents(path):
            inside = file.resolve().is_relative_to(root) and root.is_dir()
            location = file.resolve().relative_to(root).as_posix() if inside else file.name
            data = _read(file)
            room -= len(data)
            if room < 0:
                raise InputError(f"the documents are larger than {MAX_TOTAL_BYTES} bytes together")
            yield {"location": location, **_content(data), "answer": answer or not inside}


def _documents(path: Path) -> Iterator[Path]:
    """The documents at a path, a folder's in the order of their names; folders may be deeper than Python can go."""
    if path.is_file():
        yield path
        return
    todo = [path]
    while todo:
        place = todo.pop()
        if place.is_file():
            yield place
            continue
        try:
            with os.scandir(place) as entries:
                found = sorted(entries, key=lambda entry: entry.name, reverse=True)
                wanted = [entry.name for entry in found if _is_wanted(entry)]
        except OSError as error:
            raise InputError(f"{place}: {error.strerror or type(error).__name__}") from None
        todo += [place / name for name in wanted]


def _is_wanted(entry: os.DirEntry[str]) -> bool:
    if entry.is_dir(follow_symlinks=False):
        return entry.name not in SKIPPED
    return entry.is_file(follow_symlinks=False) and Path(entry.name).suffix.lower() in ENDINGS


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or type(error).__name__}") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"{file}: larger than {MAX_BYTES} bytes")
    return data


def _content(data: bytes) -> dict[str, str]:
    if not data.startswith(b"%PDF"):
        try:
            return {"text": data.decode("utf-8-sig")}
        except UnicodeDecodeError:
            pass
    return {"base64": base64.b64encode(data).decode()}


def audit(documents: Iterable[dict[str, Any]], repo: Path, commit: str | None = None) -> Audit:
    """Run the detectives and the aggregator over documents.

    Raises:
        InputError: the repository is not there or cannot be read, or there is no document.
    """
    if not repo.exists():
        raise InputError(f"--repo {repo}: there is no such file or folder")
    kind = "worktree" if repo.is_dir() else "archive"
    artifact = {"kind": kind, "path": str(repo), **({"commit": commit} if commit else {})}
    given = list(documents)
    if not given:
        raise InputError("there is no document to read", hint=f"a folder is searched for {', '.join(sorted(ENDINGS))}")
    state: dict[str, Any] = {"artifacts": {"repo": artifact, "docs": given}}
    collected = []
    for detective in (collect_repo_evidence, collect_docs_evidence):
        detective(state)
        evidences = state.pop("evidences")
        if fatal := next((entry for entry in evidences.get("repo", ()) if entry.get("fatal")), None):
            raise InputError(f"--repo: {fatal['rationale']}")
        collected.append({"detective": detective.__name__, "evidences": evidences, "error": None})
    state = {"collected": collected}
    aggregate_evidence(state)
    return _result(state, len(given))


def _result(state: dict[str, Any], documents: int) -> Audit:
    repo, docs = state["evidences"]["repo"], state["evidences"]["docs"]
    missing = {entry["location"] for entry in docs if entry["evidence_class"] == records.DOCUMENT_CLAIM}
    findings = sorted(
        _finding(entry)
        for entry in docs
        if (entry["evidence_class"] == records.NAME_MENTION and not entry["found"])
        or (entry["evidence_class"] == records.PATH_MENTION and records.flagged(entry) and entry["location"] in missing)
    )
    files = sum(entry["evidence_class"] == records.FILE for entry in repo)
    return Audit(findings, _unreadable(docs), documents, files, state["metadata"], _unreadable(repo), _unjudged(docs))


def _unjudged(docs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"location": entry["location"], "count": entry["mention"]["count"], "reason": entry["rationale"]}
        for entry in docs
        if entry["evidence_class"] == records.UNJUDGED
    ]


def _unreadable(entries: Iterable[dict[str, Any]]) -> list[dict[str, str]]:
    return [
        {"location": entry["location"], "reason": entry["rationale"]}
        for entry in entries
        if entry["evidence_class"] == records.UNREADABLE
    ]


def _finding(entry: dict[str, Any]) -> Missing:
    mention = entry["mention"]
    return Missing(
        document=mention["document"],
        line=mention["line"],
        column=mention["column"],
        target=mention["target"],
        path=entry["location"] if entry["evidence_class"] == records.PATH_MENTION else "",
        tier=mention["tier"],
        rule=mention["rule"],
        evidence_id=entry["evidence_id"],
        page=mention.get("page", 0),
        suggestion=mention.get("suggestion", ""),
    )


def as_table(result: Audit) -> str:
    """Return one line for each finding, as compilers write them, and a summary."""
    lines = [f"{_place(finding)}: {finding.tier}: {finding.message} [{finding.rule}]" for finding in result.findings]
    lines += [f"{entry['location']}: unread: {entry['reason']}" for entry in result.unread]
    lines += [f"{entry['location']}: left out: {entry['reason']}" for entry in _not_looked_at(result)]
    lines += [f"{entry['location']}: not judged: {entry['reason']}" for entry in result.not_judged]
    return "\n".join([*map(one_line, lines), summed_up(result)]) + "\n"


def _not_looked_at(result: Audit) -> list[dict[str, str]]:
    """What of the repository was left out, by its readers and by who puts together what they found."""
    return [*result.left_out, *result.metadata["rejections"]]


def summed_up(result: Audit) -> str:
    """Return how many findings there are, on one line."""
    tiers = [finding.tier for finding in result.findings]
    left_out = f", {len(result.left_out)} left out of the repository" if result.left_out else ""
    unjudged = sum(entry["count"] for entry in result.not_judged)
    not_judged = f", {unjudged} not judged" if unjudged else ""
    return (
        f"{result.documents} {plural(result.documents, 'document')} against {result.files} "
        f"{plural(result.files, 'file')}: "
        f"{tiers.count('block')} block, {tiers.count('warn')} warn, {len(result.unread)} unread{left_out}{not_judged}"
    )


def _place(finding: Missing) -> str:
    page = f"page {finding.page}:" if finding.page else ""
    return f"{finding.document}:{page}{finding.line}:{finding.column}"


def as_json(result: Audit) -> str:
    """Return everything as one JSON object."""
    whole = {
        "documents": result.documents,
        "files": result.files,
        "findings": [{**asdict(finding), "message": finding.message} for finding in result.findings],
        "unread": result.unread,
        "left_out": result.left_out,
        "not_judged": result.not_judged,
        "metadata": {key: value for key, value in result.metadata.items() if key != "events"},
    }
    return json.dumps(visible_values(whole), indent=2, ensure_ascii=False) + "\n"


def as_sarif(result: Audit) -> str:
    """Return SARIF 2.1.0 for code scanning."""
    found = [_sarif_result(finding) for finding in result.findings]
    unread = [
        sarif_result("unread_document", "error", entry["reason"], locations=[sarif_place(entry["location"])])
        for entry in [*result.unread, *result.left_out]
    ]
    unjudged = [
        sarif_result("not_judged", "note", entry["reason"], locations=[sarif_place(entry["location"])])
        for entry in result.not_judged
    ]
    return sarif_log(RULES, found + unread + unjudged)


def _sarif_result(finding: Missing) -> dict[str, Any]:
    region = {} if finding.page else {"startLine": finding.line, "startColumn": finding.column}
    return sarif_result(
        "missing_path" if finding.path else "missing_name",
        LEVELS[finding.tier],
        finding.message,
        locations=[sarif_place(finding.document, region)],
        known_by=(finding.document, finding.target),
    )


def as_html(result: Audit) -> str:
    """Return one page: the findings by document, in the order of their lines."""
    from gate.reports.overviews.page import page

    return page(
        "audit.html.j2",
        documents=result.documents,
        files=result.files,
        findings=result.findings,
        unread=result.unread,
        left_out=result.left_out,
        not_judged=result.not_judged,
    )


FORMATS: dict[str, Callable[[Audit], str]] = {
    "table": as_table,
    "json": as_json,
    "sarif": as_sarif,
    "html": as_html,
}
ENDINGS_OF = {"table": ".txt", "json": ".json", "sarif": ".sarif", "html": ".html"}
"""The ending that names each format."""
