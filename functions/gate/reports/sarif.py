"""SARIF 2.1.0, which code scanning reads: its log, its results and their places; what is found is the callers' part."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple
from urllib.parse import quote

from gate import __version__
from gate.text.visible import visible_values

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

Level = Literal["note", "warning", "error"]


FINGERPRINT = "primaryLocationLineHash"
"""Where code scanning looks for what a result is known again by."""


class SarifRule(NamedTuple):
    """What a rule finds, and what to do about it."""

    text: str
    help: str


def sarif_log(rules: Mapping[str, SarifRule], results: Sequence[Mapping[str, Any]], **run: Any) -> str:
    """Return the log of one run.

    Args:
        rules: by their ids.
        results: as `sarif_result` makes them.
        run: further properties of the run.
    """
    driver = {
        "name": "LLM Reliability Gate",
        "version": __version__,
        "rules": [
            {"id": name, "shortDescription": {"text": rule.text}, "help": {"text": rule.help, "markdown": rule.help}}
            for name, rule in rules.items()
        ],
    }
    one = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", **run, "results": [*_numbered(results)]}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [one]}
    return json.dumps(visible_values(log), indent=2, ensure_ascii=False) + "\n"


def sarif_result(
    rule: str,
    level: Level,
    text: str,
    *,
    locations: Sequence[Mapping[str, Any]] = (),
    known_by: Sequence[str] = (),
    related: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return a result.

    Args:
        known_by: what it is known again by after an edit elsewhere: no line and no number.
        related: places that a reader is led to, as `sarif_place` makes them.
    """
    result: dict[str, Any] = {"ruleId": rule, "level": level, "message": sarif_message(text)}
    if locations:
        result["locations"] = list(locations)
    if related:
        result["relatedLocations"] = [{"id": number, **each} for number, each in enumerate(related, start=1)]
    if known_by:
        digest = hashlib.sha256("\0".join((rule, *known_by)).encode()).hexdigest()
        result["partialFingerprints"] = {FINGERPRINT: digest[:16]}
    return result


def _numbered(results: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The results; those that are known by the same words are told apart by their order."""
    seen: Counter[str] = Counter()
    for result in results:
        known = result.get("partialFingerprints", {}).get(FINGERPRINT)
        if not known:
            yield result
            continue
        seen[known] += 1
        yield {**result, "partialFingerprints": {FINGERPRINT: f"{known}:{seen[known]}"}}


def sarif_message(text: str) -> dict[str, str]:
    """Return a message with no link in it, `[text](target)`: it may come from a text that was checked, or evidence."""
    return {"text": text.replace("](", "] (")}


def sarif_place(path: str, region: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Return the physical location in a file: lines and columns from 1, columns in code points."""
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(path)}}
    return {"physicalLocation": place | ({"region": dict(region)} if region else {})}
