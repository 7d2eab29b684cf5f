"""Records of the detectives: how they are made and read. Pure functions on plain values."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from gate.repository.paths import short_hash, spellings

Record = dict[str, Any]

MANDATORY = ("repo", "docs")
"""Sources without which nothing can be checked."""

FILE = "FILE"
PATH_MENTION = "PATH_MENTION"
DOCUMENT_CLAIM = "DOCUMENT_CLAIM"
NAME_MENTION = "NAME_MENTION"
NAME_CLAIM = "NAME_CLAIM"
UNREADABLE = "UNREADABLE"
"""Class of the record that stands for something handed in that could not be read; it fails the integrity."""
UNJUDGED = "UNJUDGED"
"""Class of the record that stands for citations of one form which nearly never resolves: nothing is said of them."""
IMAGE_TEXT = "IMAGE_TEXT"
SUBMODULE = "SUBMODULE"
DOCUMENT = "DOCUMENT"
DIAGRAM_PATH = "DIAGRAM_PATH"
DIAGRAM_COMPONENT = "DIAGRAM_COMPONENT"
VISION_CONFLICT = "VISION_CONFLICT"

CONFIDENCE = {"block": 0.95, "warn": 0.85, "ignore": 1.0}
"""How sure a mention of a tier is what it is taken for, as measured (docs/evidence.md); what is there is there."""

MISSING_PATH = "Path cited in documentation does not exist in the repository manifest."
MISSING_NAME = "Used in documentation as a name of this repository, which does not have it."
FOUND_NAME = "Used as a name of this repository, which has it."
MISSING_COMPONENT = "Shown in an image; neither the repository nor the documentation has it."


DETECTIVE_FAILED = "detective_failed"
"""Problem of a detective that left nothing."""


def failed_detectives(state: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The aggregator's problems that are detectives that failed: `source`, `error`, and `why` where it was told."""
    problems = (state.get("metadata") or {}).get("problems") or []
    return [one for one in problems if one["problem"] == DETECTIVE_FAILED]


def repo_of(state: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, str | None]:
    """The repository that a run is about, and the folder it must lie in; without one, the folder's own work tree."""
    root = (state.get("config") or {}).get("repo_root")
    artifact = (state.get("artifacts") or {}).get("repo")
    return artifact or ({"kind": "worktree", "path": "."} if root else None), root


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


def folder_record(path: str) -> Record:
    """A submodule: a folder whose files belong to another repository."""
    return record("repo", SUBMODULE, path, found=True, location=path, rationale="A submodule of the repository.")


def mention_record(path: str, place: str, mention: Record, *, found: bool) -> Record:
    """A path that a document says is there; `found` tells whether the detective saw it in the repository."""
    name = digest(place, str(mention.get("column")), str(mention.get("target")))
    return record(
        "docs",
        PATH_MENTION,
        name,
        found=found,
        location=path,
        rationale="Cited, and there." if found else "Cited as a path of this repository, and not there.",
        source=place,
        confidence=CONFIDENCE[str(mention.get("tier"))],
        mention=mention,
    )


def name_record(place: str, mention: Record, *, found: bool = False) -> Record:
    """A name that a document says is here; `found` tells whether it is. Its location is the document."""
    return record(
        "docs",
        NAME_MENTION,
        digest(place, str(mention.get("column")), str(mention.get("target"))),
        found=found,
        location=str(mention.get("document")),
        rationale=FOUND_NAME if found else MISSING_NAME,
        source=place,
        component=mention.get("target"),
        confidence=CONFIDENCE[str(mention.get("tier"))],
        mention=mention,
    )


def missing_name(name: str, location: str, **more: Any) -> Record:
    """A name that the documentation uses and the repository does not have."""
    near = (more.get("mention") or {}).get("suggestion")
    return record(
        "docs",
        NAME_CLAIM,
        short_hash(name),
        found=False,
        location=location,
        rationale=f"{MISSING_NAME} Perhaps {near} was meant." if near else MISSING_NAME,
        component=name,
        **more,
    )


def document_record(location: str, counts: dict[str, int], names: list[str], *, read: bool) -> Record:
    """A document that was read, its mentions counted by kind, with names it uses; it asserts nothing itself."""
    rationale = "Read." if read else "There was no repository to look its paths up in."
    mention = {"kind": "document", "counts": counts, **({"names": names} if names else {})}
    return record("docs", DOCUMENT, location, found=True, location=location, rationale=rationale, mention=mention)


def image_record(location: str, text: str, reader: str) -> Record:
    """The text of an image."""
    return record(
        "vision", IMAGE_TEXT, location, found=True, location=location, rationale=f"Read by {reader}.", excerpt=text
    )


def seen_record(kind: str, name: str, image: str) -> Record:
    """A path or a component that an image shows."""
    place = name if kind == DIAGRAM_PATH else image
    return record(
        "vision", kind, digest(image, name), found=True, location=place, rationale="Seen.", source=image, component=name
    )


def conflict_record(seen: Record) -> Record:
    """Something that an image shows and neither the repository nor the documentation has."""
    name = digest(str(seen.get("source")), str(seen.get("component")))
    kept = {field: seen[field] for field in ("source", "component") if field in seen}
    return record(
        "vision", VISION_CONFLICT, name, found=False, location=seen["location"], rationale=MISSING_COMPONENT, **kept
    )


_COUNTED = (FILE, PATH_MENTION)


def summarised(evidences: Mapping[str, list[Record]]) -> dict[str, list[Record]]:
    """The evidence as a reader needs it: files counted and not listed, what is there left out, names left out."""
    shown = {}
    for source, entries in evidences.items():
        files = [entry for entry in entries if entry.get("evidence_class") == FILE]
        rest = [
            entry
            for entry in entries
            if not (entry.get("found") and entry.get("evidence_class") in (FILE, PATH_MENTION, NAME_MENTION))
        ]
        count = record(source, "MANIFEST", str(len(files)), found=True, location=".", rationale=f"{len(files)} files.")
        shown[source] = ([count] if files else []) + [_without_names(entry) for entry in rest]
    return shown


def _without_names(entry: Record) -> Record:
    mention = entry.get("mention")
    if not isinstance(mention, dict) or "names" not in mention:
        return entry
    return {**entry, "mention": {key: value for key, value in mention.items() if key != "names"}}


def digest(*parts: str) -> str:
    """Sixteen hex digits that stand for several texts."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def unreadable(origin: str, location: str, reason: str) -> Record:
    """Something handed in that could not be read, and why: never a silent nothing."""
    return record(origin, UNREADABLE, digest(location, reason), found=False, location=location, rationale=reason)


def unjudged(document: str, form: str, count: int) -> Record:
    """Citations of one form of which nearly none resolves; the first stands in `document`."""
    why = f"{form}: {count} absent, nearly none there; what resolves them is not in the repository, or all are broken"
    mention = {"kind": "layout", "count": count}
    return record("docs", UNJUDGED, digest(form), found=True, location=document, rationale=why, mention=mention)


def missing_path(path: str, **more: Any) -> Record:
    """A path that the documentation cites and the repository does not hold."""
    return record("docs", DOCUMENT_CLAIM, short_hash(path), found=False, location=path, rationale=MISSING_PATH, **more)


def asserts(entry: Record) -> bool:
    """Whether a record of the documentation says that its path exists; one with no kind of mention does."""
    mention = entry.get("mention") or {}
    return entry.get("evidence_class") != UNREADABLE and mention.get("kind", "asserts") == "asserts"


def flagged(entry: Record) -> bool:
    """Whether an absent path of this record is to be reported: a mention of the lowest tier is not."""
    return asserts(entry) and (entry.get("mention") or {}).get("tier") != "ignore"


def manifest(repo: Iterable[Record]) -> frozenset[str]:
    """Every file the records of the repository name, and every folder above one."""
    paths = {entry["location"] for entry in repo if entry.get("found", True) is True}
    folders = {"."}
    for path in paths:
        while (path := path.rpartition("/")[0]) and path not in folders:
            folders.add(path)
    return frozenset(form for path in paths | folders for form in (path, unicodedata.normalize("NFC", path)))


def holds(known: frozenset[str], location: str) -> bool:
    """Whether a manifest has a normalised path, in one of the ways to write it."""
    return any(path in known for path in spellings(location))
