"""The docs detective: which paths documents and the answer cite."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from gate.errors import InputError
from gate.rules import evidence as rules
from gate.rules.evidence import Record
from gate.rules.paths import normalise

_CODE = re.compile(r"`([^`\s]+/[^`\s]+\.\w{1,5})`")


def collect_docs_evidence(state: dict[str, Any]) -> None:
    """Find the paths that documents and the assistant's turns cite.

    Reads:
        `artifacts["docs"]`: `[{"location", "text"}]`; `transcript["turns"]`.
    Writes:
        `evidences`: `{"docs": [...]}`, a record for each citation with its document, line and kind of mention.
    """
    documents = list((state.get("artifacts") or {}).get("docs") or []) + list(_answers(state))
    state["evidences"] = {"docs": [entry for document in documents for entry in _citations(document)]}


def _answers(state: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    for index, turn in enumerate((state.get("transcript") or {}).get("turns") or []):
        if turn["role"] == "assistant":
            yield {"location": f"turn {index}", "text": turn["content"]}


def _citations(document: Mapping[str, Any]) -> Iterator[Record]:
    for number, line in enumerate(str(document.get("text", "")).splitlines(), 1):
        for match in _CODE.finditer(line):
            place = f"{document.get('location')}:{number}"
            name = hashlib.sha256(f"{place}:{match.start()}".encode("utf-8", "replace")).hexdigest()[:16]
            try:
                path = normalise(match[1])
            except InputError:
                continue
            yield rules.record(
                "docs",
                rules.PATH_MENTION,
                name,
                found=True,
                location=path,
                rationale="Cited as a file of this repository.",
                source=place,
                mention={"kind": "asserts", "tier": "warn", "document": document.get("location"), "line": number},
            )
