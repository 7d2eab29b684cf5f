"""Measures what pseudonyms cost the verifier: `python -m tests.quality.pseudonyms [FILE.jsonl …]`.

Each file holds pairs of a claim and its evidence with a label (`label3`); without files it is the set in this folder.
Only pairs that hold personal data count. Each is judged as it stands, with pseudonyms, and with plain redaction.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from gate import wiring
from gate.adapters.pseudonymous import PseudonymousModel
from gate.adapters.redactors import redactor_named
from gate.ports import LanguageModel, Reply
from gate.prompts import load
from gate.rules.fencing import fence, fence_parts, unfence_parts
from gate.rules.verdict_parsing import parse_verdict

PAIRS = Path(__file__).with_name("pairs.jsonl")
REDACTOR = redactor_named("patterns")


class RedactedModel:
    """Sees plain tokens: two different numbers look the same to it."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.name = model.name

    def complete(self, prompt: str, system: str = "") -> Reply:
        parts = [(name, REDACTOR.redact(text).text) for name, text in unfence_parts(prompt)]
        return self._model.complete(fence_parts(parts), system)


WAYS: dict[str, Callable[[LanguageModel], LanguageModel]] = {
    "as it stands": lambda model: model,
    "pseudonyms": lambda model: PseudonymousModel(model, REDACTOR),
    "plain redaction": RedactedModel,
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


def score(path: Path, model: LanguageModel) -> Score:
    """Judge the pairs of a file with a model."""
    found = [(pair["label3"] == "supported", _supported(pair, model)) for pair in pairs(path)]
    return Score(len(found), sum(label == said for label, said in found), sum(said > label for label, said in found))


def _supported(pair: dict[str, Any], model: LanguageModel) -> bool:
    prompt = fence(pair["claim"], [{"content": text} for text in pair["evidence"]])
    return parse_verdict(model.complete(prompt, load("verify_claims")))[0] == "supported"


def main() -> None:
    """Print a table: for each file and way, how many pairs were judged rightly."""
    wiring.configure(wiring.settings().model_copy(update={"pseudonyms": False}))
    model = wiring.language_model()
    print(f"{model.name}\n")
    print("| set | the verifier sees | pairs | right | wrongly supported |\n|---|---|---|---|---|")
    for path in [Path(name) for name in sys.argv[1:]] or [PAIRS]:
        for way, wrap in WAYS.items():
            found = score(path, wrap(model))
            print(f"| {path.stem} | {way} | {found.pairs} | {found.right} | {found.wrongly_supported} |")


if __name__ == "__main__":
    main()
