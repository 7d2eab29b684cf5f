"""Where detectives disagree: documents cite what the repository lacks, images show what neither has. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gate.repository import records
from gate.repository.diagrams import key
from gate.repository.paths import is_url, without_line
from gate.repository.records import Record

MOST_MENTIONS = 50
_KEPT = ("source", "confidence", "excerpt", "mention")


def missing_paths(repo: Iterable[Record], docs: Iterable[Record]) -> Iterator[tuple[Record, int]]:
    """Yield a record, with the number of mentions, for every path that documents assert and the repository lacks."""
    known = records.manifest(repo)
    absent: dict[str, list[Record]] = {}
    for entry in docs:
        if records.flagged(entry) and not is_url(entry["location"]) and not records.holds(known, entry["location"]):
            absent.setdefault(without_line(entry["location"]), []).append(entry)
    for path, entries in absent.items():
        yield records.missing_path(path, **_details(entries)), len(entries)


def missing_names(docs: Iterable[Record]) -> Iterator[tuple[Record, int]]:
    """Yield a record, with the number of mentions, for every name that documents assert and the repository lacks."""
    absent: dict[str, list[Record]] = {}
    for entry in docs:
        told = entry.get("mention") or {}
        absent_name = entry.get("evidence_class") == records.NAME_MENTION and not entry.get("found")
        if absent_name and told.get("tier") != "ignore":
            absent.setdefault(str(entry.get("component")), []).append(entry)
    for name, entries in absent.items():
        yield records.missing_name(name, entries[0]["location"], **_details(entries)), len(entries)


def _details(entries: list[Record]) -> dict[str, Any]:
    """What the judges get beside the fields of the specification, from the strongest mention, where mentions say it."""
    told = [entry for entry in entries if entry.get("mention")]
    if not told:
        return {}
    strongest = min(told, key=lambda entry: entry["mention"].get("tier") != "block")
    kept: Record = {field: strongest[field] for field in _KEPT if field in strongest}
    return {**kept, "mentioned_by": [entry["evidence_id"] for entry in entries][:MOST_MENTIONS]}


def shown_nowhere(repo: Iterable[Record], docs: Iterable[Record], vision: Iterable[Record]) -> Iterator[Record]:
    """Yield a record for every path and component that an image shows and neither repository nor documents have."""
    seen = [
        entry for entry in vision if entry.get("evidence_class") in (records.DIAGRAM_PATH, records.DIAGRAM_COMPONENT)
    ]
    if not seen:
        return
    repo, docs = list(repo), list(docs)
    known = records.manifest(repo)
    cited = {entry["location"] for entry in docs}
    names = {key(part) for path in known for part in (*path.split("/"), path.rpartition("/")[2].partition(".")[0])}
    names.update(name for entry in docs for name in (entry.get("mention") or {}).get("names", ()))
    for entry in seen:
        if entry["evidence_class"] == records.DIAGRAM_PATH:
            there = records.holds(known, entry["location"]) or entry["location"] in cited
        else:
            there = key(str(entry.get("component"))) in names
        if not there:
            yield records.conflict_record(entry)
