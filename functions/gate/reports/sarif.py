"""SARIF 2.1.0, which code scanning reads: its log, its results and their places; what is found is the callers' part."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote

from gate import __version__
from gate.text.visible import visible_values

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

Level = Literal["note", "warning", "error"]


def sarif_log(rules: Mapping[str, str], results: Sequence[Mapping[str, Any]], **run: Any) -> str:
    """Return the log of one run.

    Args:
        rules: what each rule finds, by its id.
        results: as `sarif_result` makes them.
        run: further properties of the run.
    """
    driver = {
        "name": "LLM Reliability Gate",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": text}} for rule, text in rules.items()],
    }
    one = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", **run, "results": list(results)}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [one]}
    return json.dumps(visible_values(log), indent=2, ensure_ascii=False) + "\n"


def sarif_result(
    rule: str,
    level: Level,
    text: str,
    *,
    locations: Sequence[Mapping[str, Any]] = (),
    fingerprints: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return a result. Its message may hold links, `[text](target)`, and so comes from no text that was checked."""
    result: dict[str, Any] = {"ruleId": rule, "level": level, "message": {"text": text.replace("](", "] (")}}
    if locations:
        result["locations"] = list(locations)
    if fingerprints:
        result["partialFingerprints"] = dict(fingerprints)
    return result


def sarif_place(path: str, region: Mapping[str, int] | None = None) -> dict[str, Any]:
    """Return the physical location in a file: lines and columns from 1, columns in code points."""
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(path)}}
    return {"physicalLocation": place | ({"region": dict(region)} if region else {})}
