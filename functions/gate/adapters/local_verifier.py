"""A verifier that needs no model service: it counts, and a calibrated layer says what the counts are worth.

It reads the fenced prompt that every model gets and answers in the same format. Measurements: docs/verification.md;
what it was fitted on: docs/model-cards/lexical.md.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from importlib import resources
from typing import Any

from gate.errors import SettingsError
from gate.ports import Reply
from gate.rules.calibrated import Calibration
from gate.rules.explanation import explain
from gate.rules.fencing import unfence
from gate.rules.lexical import Reading, read
from gate.rules.verdict_parsing import render_answer

DEFAULT_KIND = "passage"


class Lexicon:
    """The fitted data of the lexical stage: IDF table, and the layer of each kind of source."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.version: str = data["version"]
        self.kinds = {kind: Calibration.of(steps) for kind, steps in data["kinds"].items()}
        self._idf: dict[str, float] = data["idf"]
        self._unknown: float = self._idf[""]

    def weight(self, key: str) -> float:
        """IDF of a token's key."""
        return self._idf.get(key, self._unknown)

    def read(self, claim: str, documents: list[str]) -> Reading:
        """Compare a claim with the texts of its documents."""
        return read(claim, documents, self.weight)


@cache
def lexicon() -> Lexicon:
    """The data that ships with the package."""
    packed = resources.files("gate.adapters").joinpath("lexical.json.gz").read_bytes()
    return Lexicon(json.loads(gzip.decompress(packed)))


class LocalVerifier:
    """The lexical stage as a language model.

    Args:
        source_kind: what the evidence is: `passage` (the default: passages of a corpus), `article` (whole web
            pages) or `snippet` (search results of the open web); each has its own calibration.

    Raises:
        SettingsError: no such kind.
    """

    def __init__(self, source_kind: str = DEFAULT_KIND) -> None:
        self._lexicon = lexicon()
        if source_kind not in self._lexicon.kinds:
            raise SettingsError(
                f"verifier.source_kind: {source_kind!r} is not known", hint=f"one of {', '.join(self._lexicon.kinds)}"
            )
        self._calibration = self._lexicon.kinds[source_kind]
        self.name = f"local-lexical/{self._lexicon.version} ({source_kind})"

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Judge the claim of a fenced prompt; `system` is for models that need telling.

        Raises:
            AnswerError: the prompt is not a fenced one.
        """
        asked = unfence(prompt)
        reading = self._lexicon.read(asked.claim, [text for _, text in asked.documents])
        answer = explain(reading, self._calibration.scores(reading.features), [handle for handle, _ in asked.documents])
        return Reply(render_answer(answer), model=self.name)
