"""Measures what pseudonyms cost the verifier: `python -m tests.quality.pseudonyms [FILE.jsonl …]`.

Each file holds pairs of a claim and its evidence with a label (`label3`); without files it is the set in this folder.
Only pairs that hold personal data count. Each is judged as it stands, with pseudonyms, and with plain redaction.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gate import wiring
from gate.adapters.pseudonymous import PseudonymousVerifier
from gate.adapters.redactors import redactor_named
from gate.model import NONE_KNOWN, Document, Known
from gate.ports import Judged, Verifier

PAIRS = Path(__file__).with_name("pairs.jsonl")
REDACTOR = redactor_named("patterns")


class RedactedVerifier:
    """Sees plain tokens: two different numbers look the same to it."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier
        self.name = verifier.name

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        redacted: list[Document] = [{"content": REDACTOR.redact(document["content"]).text} for document in documents]
        return self._verifier.judge(REDACTOR.redact(claim).text, context, redacted)


WAYS: dict[str, Callable[[Verifier], Verifier]] = {
    "as it stands": lambda verifier: verifier,
    "pseudonyms": lambda verifier: PseudonymousVerifier(verifier, REDACTOR),
    "plain redaction": RedactedVerifier,
}


class Score(NamedTuple):
    pairs: int
    right: int
    """Pairs whose verdict is `supported` exactly where the label is."""
    wrongly_supported: int


def pairs(path: Path) -> Iterator[dict[str, Any]]:
    """Read the pairs that hold personal data."""
    for line in path.read_text().splitlines():
        pair = json.loads(line)
        if any(REDACTOR.redact(text).redactions for text in (pair["claim"], *pair["evidence"])):
            yield pair


def score(path: Path, verifier: Verifier) -> Score:
    """Judge the pairs of a file with a verifier."""
    found = [(pair["label3"] == "supported", _supported(pair, verifier)) for pair in pairs(path)]
    return Score(len(found), sum(label == said for label, said in found), sum(said > label for label, said in found))


def _supported(pair: dict[str, Any], verifier: Verifier) -> bool:
    documents: list[Document] = [{"content": text} for text in pair["evidence"]]
    return verifier.judge(pair["claim"], "", documents).answer.label == "supported"


def main() -> None:
    """Print a table: for each file and way, how many pairs were judged rightly."""
    verifier = wiring.current().changed(pseudonyms=False).verifier()
    print(f"{verifier.name}\n")
    print("| set | the verifier sees | pairs | right | wrongly supported |\n|---|---|---|---|---|")
    for path in [Path(name) for name in sys.argv[1:]] or [PAIRS]:
        for way, wrap in WAYS.items():
            found = score(path, wrap(verifier))
            print(f"| {path.stem} | {way} | {found.pairs} | {found.right} | {found.wrongly_supported} |")


if __name__ == "__main__":
    main()
