"""A verifier that needs no model service: it counts, asks a small encoder, and a calibrated layer weighs both.

It reads the fenced prompt that every model gets and answers in the same format. Measurements: docs/verification.md;
what it was fitted on: docs/model-cards/.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from gate.adapters.cross_encoder import CrossEncoder, cross_encoder, encoded, missing, weights
from gate.errors import SettingsError
from gate.ports import Reply
from gate.rules.calibrated import Calibration
from gate.rules.explanation import explain, likeliest
from gate.rules.fencing import unfence
from gate.rules.guards import stopped
from gate.rules.instructions import before_instructions
from gate.rules.lexical import Reading, read
from gate.rules.verdict_parsing import Answer, render_answer

DEFAULT_KIND = "passage"
NO_CLAIM = Answer(
    label="unsupported",
    reason="not_mentioned",
    justification="The claim speaks to its judge, so it is no statement to check.",
)


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


@dataclass(frozen=True, slots=True)
class Joined:
    """Stage two: the cross-encoder, and the layer that weighs its margins together with the counts."""

    encoder: CrossEncoder
    version: str
    kinds: dict[str, Calibration]


@cache
def joined() -> Joined:
    """The encoder and layer that ship with the package."""
    packed = weights().joinpath("joined.json.gz").read_bytes()
    data = json.loads(gzip.decompress(packed))
    kinds = {kind: Calibration.of(steps) for kind, steps in data["kinds"].items()}
    return Joined(cross_encoder(), data["version"], kinds)


class LocalVerifier:
    """The lexical stage, and stage two where there is one, as a language model.

    Args:
        source_kind: what the evidence is: `passage` (the default: passages of a corpus), `article` (whole web
            pages) or `snippet` (search results of the open web); each has its own calibration.
        second: stage two; None leaves the lexical stage alone.
        note: said in the name, for instance why there is no stage two.

    Raises:
        SettingsError: no such kind.
    """

    def __init__(self, source_kind: str = DEFAULT_KIND, second: Joined | None = None, note: str = "") -> None:
        self._lexicon, self._second = lexicon(), second
        kinds = second.kinds if second else self._lexicon.kinds
        if source_kind not in kinds:
            raise SettingsError(
                f"verifier.source_kind: {source_kind!r} is not known", hint=f"one of {', '.join(kinds)}"
            )
        self._calibration = kinds[source_kind]
        self._guarded = source_kind == DEFAULT_KIND
        stage = f"local-joined/{second.version}" if second else f"local-lexical/{self._lexicon.version}"
        self.name = f"{stage} ({source_kind}{f'; {note}' if note else ''})"

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Judge the claim of a fenced prompt; `system` is for models that need telling.

        Raises:
            AnswerError: the prompt is not a fenced one.
        """
        asked = unfence(prompt)
        if before_instructions(asked.claim) != asked.claim:
            return Reply(render_answer(NO_CLAIM), model=self.name)
        texts = [before_instructions(text) for _, text in asked.documents]
        reading = self._lexicon.read(asked.claim, texts)
        features = reading.features
        if self._second:
            features += encoded(self._second.encoder, asked.claim, reading)
        scores = self._calibration.scores(features)
        doubtful = self._guarded and likeliest(scores) != "unsupported"
        stop = stopped(asked.claim, texts, reading) if doubtful else None
        answer = explain(reading, scores, [handle for handle, _ in asked.documents], stop)
        return Reply(render_answer(answer), model=self.name)


def local_verifier(source_kind: str = DEFAULT_KIND) -> LocalVerifier:
    """The best verifier that this installation can run; its name says what it had to do without."""
    lacking = missing()
    if lacking:
        return LocalVerifier(source_kind, note=f"without the cross-encoder: {lacking} not installed")
    return LocalVerifier(source_kind, joined())
