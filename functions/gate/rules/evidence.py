"""Records of the detectives: how they are made, merged and read. Pure functions on plain values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gate.rules.paths import short_hash, without_line

Record = dict[str, Any]

MANDATORY = ("repo", "docs")
"""Sources without which nothing can be checked."""

FILE = "FILE"
PATH_MENTION = "PATH_MENTION"
DOCUMENT_CLAIM = "DOCUMENT_CLAIM"
UNREADABLE = "UNREADABLE"
"""Class of the record that stands for something handed in that could not be read; it fails the integrity."""
IMAGE_TEXT = "IMAGE_TEXT"
DIAGRAM_PATH = "DIAGRAM_PATH"
DIAGRAM_COMPONENT = "DIAGRAM_COMPONENT"
VISION_CONFLICT = "VISION_CONFLICT"

MISSING_PATH = "Path cited in documentation does not exist in the repository manifest."
MISSING_COMPONENT = "Shown in an image; neither the repository nor the documentation has it."


def record(origin: str, kind: str, name: str, /, *, found: bool, location: str, rationale: str, **more: Any) -> Record:
    """Make one piece of evidence; its id is `{origin}_{kind}_{name}`."""
    return {
        "evidence_id": f"{origin}_{kind}_{name}",
        "evidence_class": kind,
        "found": found,
        "location": location,
        "rationale": rationale,
        **more,
    }


def file_record(path: str) -> Record:
    """A file of the repository."""
    return record("repo", FILE, path, found=True, location=path, rationale="Listed in the repository manifest.")


def unreadable(origin: str, location: str, reason: str) -> Record:
    """Something handed in that could not be read, and why: never a silent nothing."""
    name = hashlib.sha256(f"{location}\0{reason}".encode("utf-8", "backslashreplace")).hexdigest()[:16]
    return record(origin, UNREADABLE, name, found=False, location=location, rationale=reason)


def missing_path(path: str, **more: Any) -> Record:
    """A path that the documentation cites and the repository does not hold."""
    return record("docs", DOCUMENT_CLAIM, short_hash(path), found=False, location=path, rationale=MISSING_PATH, **more)


def merge(left: Mapping[str, Any] | None, right: Mapping[str, Any] | None) -> dict[str, list[Record]]:
    """Put two evidence dictionaries together, source by source; of records with one id the first stays.

    Order is kept, neither argument is changed, and the operation is associative and idempotent.
    """
    merged: dict[str, list[Record]] = {}
    for side in (left or {}, right or {}):
        for source, records in side.items():
            merged.setdefault(source, []).extend(records if isinstance(records, list) else [records])
    return {source: list(_first_of_each(records)) for source, records in merged.items()}


def _first_of_each(records: Iterable[Record]) -> Iterator[Record]:
    seen: set[str] = set()
    for entry in records:
        key = identity(entry)
        if key not in seen:
            seen.add(key)
            yield entry


def identity(entry: Any) -> str:
    """What makes two records the same: the id, or the whole value of one that has none."""
    if isinstance(entry, dict) and isinstance(entry.get("evidence_id"), str):
        return f"id:{entry['evidence_id']}"
    return "value:" + json.dumps(entry, sort_keys=True, default=repr)


def asserts(entry: Record) -> bool:
    """Whether a record of the documentation says that its path exists; one with no kind of mention does."""
    mention = entry.get("mention") or {}
    return entry.get("evidence_class") != UNREADABLE and mention.get("kind", "asserts") == "asserts"


def flagged(entry: Record) -> bool:
    """Whether an absent path of this record is to be reported: a mention of the lowest tier is not."""
    return asserts(entry) and (entry.get("mention") or {}).get("tier") != "ignore"


def manifest(repo: Iterable[Record]) -> frozenset[str]:
    """Every file the records of the repository name, and every folder above one."""
    paths = {entry["location"] for entry in repo if entry.get("found") is not False}
    folders = {"."}
    for path in paths:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return frozenset(paths | folders)


def holds(known: frozenset[str], location: str) -> bool:
    """Whether a manifest has a normalised path, with or without a place inside the file behind it."""
    return location in known or without_line(location) in known
