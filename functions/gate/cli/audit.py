"""The detectives alone: documents in, findings out, as a table, JSON or SARIF."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gate import __version__
from gate.agents.aggregate_evidence import aggregate_evidence
from gate.agents.collect_docs_evidence import collect_docs_evidence
from gate.agents.collect_repo_evidence import collect_repo_evidence
from gate.errors import InputError
from gate.reports.wording import plural
from gate.rules import evidence as rules

ENDINGS = frozenset({".md", ".mdx", ".markdown", ".rst", ".html", ".htm", ".pdf"})
"""Documents that are read when a folder is given."""
SKIPPED = frozenset({".git", "node_modules", ".venv", "venv", "__pycache__", ".tox"})
SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"block": "error", "warn": "warning"}


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A cited path that is not there."""

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
    """What was found, and what could not be read."""

    findings: list[Finding]
    unread: list[dict[str, str]]
    documents: int
    files: int
    metadata: dict[str, Any] = field(default_factory=dict)

    def fails(self, level: str) -> bool:
        """Whether a finding of this tier or graver is there, or a document was not read."""
        tiers = {"block"} if level == "block" else {"block", "warn"}
        return bool(self.unread) or any(finding.tier in tiers for finding in self.findings)


def collect(paths: Iterable[Path], repo: Path, *, answer: bool) -> Iterator[dict[str, Any]]:
    """Yield the documents at `paths`, named as the repository names them.

    Raises:
        InputError: a path does not exist.
    """
    root = repo.resolve()
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: there is no such file or folder")
        for file in _documents(path):
            inside = file.resolve().is_relative_to(root) and root.is_dir()
            location = file.resolve().relative_to(root).as_posix() if inside else file.name
            yield {"location": location, **_content(file), "answer": answer or not inside}


def _documents(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    for child in sorted(path.iterdir()):
        if child.is_dir() and not child.is_symlink() and child.name not in SKIPPED:
            yield from _documents(child)
        elif child.is_file() and not child.is_symlink() and child.suffix.lower() in ENDINGS:
            yield child


def _content(file: Path) -> dict[str, str]:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or type(error).__name__}") from None
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
        collected.append({"detective": detective.__name__, "evidences": state.pop("evidences"), "error": None})
    state = {"collected": collected}
    aggregate_evidence(state)
    return _result(state, len(given))


def _result(state: dict[str, Any], documents: int) -> Audit:
    repo, docs = state["evidences"]["repo"], state["evidences"]["docs"]
    fatal = next((entry for entry in repo if entry.get("fatal")), None)
    if fatal:
        raise InputError(f"--repo: {fatal['rationale']}")
    missing = {entry["location"] for entry in docs if entry["evidence_class"] == rules.DOCUMENT_CLAIM}
    findings = sorted(
        _finding(entry)
        for entry in docs
        if entry["evidence_class"] == rules.PATH_MENTION and rules.flagged(entry) and entry["location"] in missing
    )
    unread = [
        {"location": entry["location"], "reason": entry["rationale"]}
        for entry in docs
        if entry["evidence_class"] == rules.UNREADABLE
    ]
    files = sum(entry["evidence_class"] == rules.FILE for entry in repo)
    return Audit(findings, unread, documents, files, state["metadata"])


def _finding(entry: dict[str, Any]) -> Finding:
    mention = entry["mention"]
    return Finding(
        document=mention["document"],
        line=mention["line"],
        column=mention["column"],
        target=mention["target"],
        path=entry["location"],
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
    lines += [f"{entry['location']}: left out: {entry['reason']}" for entry in result.metadata["rejections"]]
    tiers = [finding.tier for finding in result.findings]
    lines.append(
        f"{result.documents} {plural(result.documents, 'document')} against {result.files} "
        f"{plural(result.files, 'file')}: "
        f"{tiers.count('block')} block, {tiers.count('warn')} warn, {len(result.unread)} unread"
    )
    return "\n".join(map(_harmless, lines)) + "\n"


def _harmless(line: str) -> str:
    """What a document says must not steer the terminal."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in line)


def _place(finding: Finding) -> str:
    page = f"page {finding.page}:" if finding.page else ""
    return f"{finding.document}:{page}{finding.line}:{finding.column}"


def as_json(result: Audit) -> str:
    """Return everything as one JSON object."""
    whole = {
        "documents": result.documents,
        "files": result.files,
        "findings": [{**asdict(finding), "message": finding.message} for finding in result.findings],
        "unread": result.unread,
        "metadata": {key: value for key, value in result.metadata.items() if key != "events"},
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def as_sarif(result: Audit) -> str:
    """Return SARIF 2.1.0 for code scanning."""
    driver = {
        "name": "LLM Reliability Gate",
        "version": __version__,
        "rules": [
            {"id": "missing_path", "shortDescription": {"text": "A cited path that does not exist in the repository"}},
            {"id": "unread_document", "shortDescription": {"text": "A document that could not be read"}},
        ],
    }
    results = [_sarif_result(finding) for finding in result.findings]
    results += [
        {
            "ruleId": "unread_document",
            "level": "error",
            "message": {"text": entry["reason"]},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": entry["location"]}}}],
        }
        for entry in result.unread
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SARIF, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False) + "\n"


def _sarif_result(finding: Finding) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": finding.document}}
    if not finding.page:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column}
    return {
        "ruleId": "missing_path",
        "level": LEVELS[finding.tier],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"citation/v1": finding.evidence_id},
    }


FORMATS: dict[str, Callable[[Audit], str]] = {"table": as_table, "json": as_json, "sarif": as_sarif}


def format_of(output: Path | None) -> str:
    """Return the format that the ending of a file's name asks for; the table where it asks for none."""
    ending = output.suffix.lower().removeprefix(".") if output else ""
    return ending if ending in FORMATS else "table"
