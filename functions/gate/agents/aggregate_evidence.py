"""Makes one clean evidence dictionary of what the detectives found, and flags cited paths that do not exist."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

from gate.errors import InputError
from gate.model import merge_evidences
from gate.repository import conflicts, records
from gate.repository.paths import is_url, normalise, printable
from gate.repository.records import Record

LIFECYCLE = "PROJECT_LIFECYCLE"
SHOWN_REJECTIONS = 50
"""Rejections spelled out in the metadata, which travels inside the state; the rest are counted."""

__all__ = ["EvidenceAggregator", "Findings", "aggregate_evidence", "merge_evidences"]


@dataclass
class Findings:
    """What aggregation gives: the clean dictionary, and everything that kept it from being complete."""

    evidences: dict[str, list[Record]] = field(default_factory=dict)
    rejections: list[dict[str, str]] = field(default_factory=list)
    problems: list[dict[str, str]] = field(default_factory=list)
    conflicts: list[dict[str, Any]] = field(default_factory=list)
    duplicates: int = 0

    def metadata(self) -> dict[str, Any]:
        """`pipeline_integrity` is SUCCESS when all that was handed in was looked at and nothing was left out."""
        complete = not (self.rejections or self.problems)
        counts = {source: len(entries) for source, entries in self.evidences.items()}
        facts = {
            "pipeline_integrity": "SUCCESS" if complete else "FAILED",
            "missing_paths": self._missing(records.DOCUMENT_CLAIM),
            "missing_names": self._missing(records.NAME_CLAIM),
            "rejected": len(self.rejections),
            "duplicates": self.duplicates,
        }
        return {
            **facts,
            "counts": counts,
            "problems": self.problems[:SHOWN_REJECTIONS],
            "rejections": self.rejections[:SHOWN_REJECTIONS],
            "conflicts": self.conflicts[:SHOWN_REJECTIONS],
            "events": [{"event": LIFECYCLE, "stage": "evidence_aggregated", **facts, "counts": counts}],
        }

    def _missing(self, kind: str) -> int:
        return sum(conflict["evidence_id"].startswith(f"docs_{kind}_") for conflict in self.conflicts)


class EvidenceAggregator:
    """Validates evidence against a repository root.

    Args:
        repo_root: the repository's folder; where it exists, links are resolved and one that leads out is rejected.
            None, or a folder that is not here: paths are judged by their spelling alone.
    """

    def __init__(self, repo_root: str | os.PathLike[str] | None = None) -> None:
        self._root = Path(repo_root).resolve() if repo_root and Path(repo_root).is_dir() else None
        self._folders: dict[str, bool] = {}

    def aggregate(self, evidences: Mapping[str, Any]) -> dict[str, list[Record]]:
        """Return the clean evidence dictionary; the input is left as it was. What was left out is in the log's counts.

        Missing keys stay missing: `examine` says so in its metadata.
        """
        findings = self.examine(evidences)
        _log(findings.metadata())
        return findings.evidences

    def examine(self, evidences: Mapping[str, Any]) -> Findings:
        """Return the clean dictionary with its rejections, problems and conflicts."""
        findings = Findings()
        seen: set[str] = set()
        for source, entries in merge_evidences(evidences, None).items():
            findings.evidences[source] = list(self._clean(source, entries, seen, findings))
        missing = [key for key in records.MANDATORY if not isinstance(evidences.get(key), list)]
        findings.problems += [{"problem": "missing_key", "source": key} for key in missing]
        findings.problems += [
            {"problem": "unreadable", "source": source, "evidence_id": entry["evidence_id"]}
            for source, entries in findings.evidences.items()
            for entry in entries
            if entry.get("evidence_class") == records.UNREADABLE
        ]
        if not missing and not _unreadable(findings.evidences["repo"]):
            _compare(findings, seen)
        return findings

    def _clean(self, source: str, entries: list[Any], seen: set[str], findings: Findings) -> list[Record]:
        clean = []
        for entry in entries:
            try:
                checked = self._checked(entry)
            except InputError as error:
                findings.rejections.append(_rejection(source, entry, error.safe_message))
                continue
            if checked["evidence_id"] in seen:
                findings.duplicates += 1
                continue
            seen.add(checked["evidence_id"])
            clean.append(checked)
        return clean

    def _checked(self, entry: Any) -> Record:
        """The record with its path in its one spelling, or an InputError that says why it cannot be used."""
        if not isinstance(entry, dict):
            raise InputError("the record is not an object")
        if not isinstance(entry.get("evidence_id"), str) or not entry["evidence_id"]:
            raise InputError("the record has no evidence_id")
        location = entry.get("location")
        if not isinstance(location, str):
            raise InputError("the record has no location")
        if not isinstance(entry.get("mention") or {}, dict):
            raise InputError("the record's mention is not an object")
        if is_url(location):
            return entry
        path = normalise(location)
        if self._leads_out(path) or self._climbs_out(location):
            raise InputError("the path leads out of the repository through a link")
        return entry if path == location else {**entry, "location": path}

    def _climbs_out(self, location: str) -> bool:
        """Whether a `..` behind a link leads elsewhere than its spelling says: `link/../x`."""
        posix = location.replace("\\", "/")
        return self._root is not None and ".." in posix.split("/") and not _resolves_inside(self._root, posix)

    def _leads_out(self, path: str) -> bool:
        if self._root is None:
            return False
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            self._folders[folder] = _resolves_inside(self._root, folder)
        if not self._folders[folder]:
            return True
        return not _resolves_inside(self._root, path, only_links=True)


def _resolves_inside(root: Path, path: str, *, only_links: bool = False) -> bool:
    try:
        return (only_links and not (root / path).is_symlink()) or (root / path).resolve().is_relative_to(root)
    except (OSError, RuntimeError):  # a loop of links leads nowhere; a name longer than names may be is nowhere
        return False


def _rejection(source: str, entry: Any, reason: str) -> dict[str, str]:
    known = entry if isinstance(entry, dict) else {}
    return {
        "source": source,
        "evidence_id": printable(known.get("evidence_id")),
        "location": printable(known.get("location")),
        "reason": reason,
    }


def _unreadable(repo: list[Record]) -> bool:
    """Whether the repository itself could not be read: then nothing can be said to be missing from it."""
    return any(entry.get("evidence_class") == records.UNREADABLE and entry.get("fatal") for entry in repo)


def _compare(findings: Findings, seen: set[str]) -> None:
    """Append a record for everything that the detectives disagree about."""
    repo, docs = findings.evidences["repo"], findings.evidences["docs"]
    vision = findings.evidences.get("vision", [])
    disputes = [("docs", record, count) for record, count in conflicts.missing_paths(repo, docs)]
    disputes += [("docs", record, count) for record, count in conflicts.missing_names(docs)]
    disputes += [("vision", record, 1) for record in conflicts.shown_nowhere(repo, docs, vision)]
    for source, record, count in disputes:
        others = ["docs", "repo"] if source == "docs" else ["vision", "repo", "docs"]
        findings.conflicts.append({"between": others, "evidence_id": record["evidence_id"], "mentions": count})
        if record["evidence_id"] not in seen:
            seen.add(record["evidence_id"])
            findings.evidences[source].append(record)
        elif not _stands_for(record, findings.evidences):
            findings.problems.append({"problem": "id_taken", "source": source, "evidence_id": record["evidence_id"]})


def _stands_for(flag: Record, evidences: Mapping[str, list[Record]]) -> bool:
    """Whether the record that bears a flag's id says that something is missing too; another one would hide the flag."""
    bearers = (entry for entries in evidences.values() for entry in entries)
    return next(entry for entry in bearers if entry["evidence_id"] == flag["evidence_id"]).get("found") is False


def aggregate_evidence(state: dict[str, Any]) -> None:
    """Clean the detectives' evidence.

    Reads:
        `evidences`, and `collected` (`[{"detective", "evidences", "error", "why"}]`, what the detectives left);
        `config["repo_root"]`, optional.
    Writes:
        `evidences`: the clean dictionary; `metadata`: `pipeline_integrity`, `rejections`, `problems`, `conflicts`,
        counts, and under `events` the PROJECT_LIFECYCLE event for the log.
    """
    collected = state.get("collected") or []
    merged = reduce(merge_evidences, (entry.get("evidences") for entry in collected), state.get("evidences") or {})
    findings = EvidenceAggregator((state.get("config") or {}).get("repo_root")).examine(merged)
    failed = [_failed(entry) for entry in collected if entry.get("error")]
    findings.problems = failed + findings.problems
    state["evidences"] = findings.evidences
    metadata = findings.metadata()
    _log(metadata)
    state["metadata"] = {**(state.get("metadata") or {}), **metadata}


def _failed(entry: Mapping[str, Any]) -> dict[str, str]:
    """The problem that a detective's failure is; `why`: what an error of ours says, one line without anybody's text."""
    failed = {"problem": records.DETECTIVE_FAILED, "source": str(entry.get("detective")), "error": str(entry["error"])}
    return {**failed, "why": str(entry["why"])} if entry.get("why") else failed


def _log(metadata: Mapping[str, Any]) -> None:
    for event in metadata["events"]:
        logging.getLogger("gate").info(LIFECYCLE, extra={"lifecycle": event})
