"""A verifier that needs no model service: it counts, asks a small encoder, and a calibrated layer weighs both.

Measurements: docs/verification.md; what it was fitted on: docs/model-cards/.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gate.adapters.local_verifier.calibration import Calibration
from gate.adapters.local_verifier.cross_encoder import (
    CrossEncoder,
    encoded,
    missing,
    shipped_encoder,
    weights,
    weights_beside,
)
from gate.adapters.local_verifier.description import WEIGHED, DescribedLayer, read_description, read_layer
from gate.adapters.local_verifier.doubt import features as doubted
from gate.adapters.local_verifier.doubt import layer
from gate.adapters.local_verifier.explanation import explain, held_to_quote, likeliest
from gate.adapters.local_verifier.guards import objections, stopped
from gate.adapters.local_verifier.lexical import Reading, read
from gate.decision.checks import run_checks
from gate.errors import SettingsError, UnmeasuredLanguageError
from gate.model import NONE_KNOWN, Answer, Check, Document, Known
from gate.ports import Judged
from gate.prompts.injection import NO_CLAIM, before_instructions, encodes
from gate.text.languages import ENGLISH, NAMES, language_of

DEFAULT_KIND = "passage"
DIGEST = 16
"""Hexadecimal digits of a folder's name."""


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
    packed = weights().joinpath("lexical.json.gz").read_bytes()
    return Lexicon(json.loads(gzip.decompress(packed)))


@dataclass(frozen=True, slots=True)
class Joined:
    """Stage two: the cross-encoder, and the layer that weighs its margins together with the counts.

    Attributes:
        name: of the verifier.
        places: which of the counts and margins the layer weighs, in its order.
        doubts: whether it is what the layer `doubt` was fitted on.
    """

    encoder: CrossEncoder
    name: str
    kinds: dict[str, Calibration]
    places: tuple[int, ...]
    doubts: bool

    def features(self, reading: Reading) -> list[float]:
        """What the layer weighs."""
        margins = encoded(self.encoder, reading, self.encoder.told.window.words)
        found = (*reading.features, *margins, reading.extent)
        return [found[place] for place in self.places]


@cache
def joined(models: Path | None = None) -> Joined:
    """The encoder and layer that ship with the package."""
    encoder, folder = shipped_encoder(models), weights()
    layer = read_layer(folder, encoder.told)
    return _joined(f"{encoder.told.name}/{layer.version}", encoder, layer, doubts=True)


@cache
def joined_in(folder: Path, models: Path) -> Joined:
    """The encoder and layer in a folder, tried on a few sentences.

    Args:
        models: see `local_verifier`; what the folder holds has a place of its own there.

    Raises:
        SettingsError: the folder does not hold what it says.
    """
    if not folder.is_dir():
        raise SettingsError("there is no such folder")
    kept = models / "onnx" / hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:DIGEST]
    beside = weights_beside(folder, read_description(folder).model)
    encoder = CrossEncoder(folder, kept, beside).tried()
    layer = read_layer(folder, encoder.told)
    name = f"onnx:{encoder.told.name}{f'/{layer.version}' if layer.version else ''}"
    return _joined(f"{name}:{_digest(folder, encoder, layer, beside)}", encoder, layer, doubts=False)


def _joined(name: str, encoder: CrossEncoder, layer: DescribedLayer, *, doubts: bool) -> Joined:
    kinds = {kind: steps.calibration() for kind, steps in layer.kinds.items()}
    return Joined(encoder, name, kinds, tuple(map(WEIGHED.index, layer.features)), doubts)


def _digest(folder: Path, encoder: CrossEncoder, layer: DescribedLayer, beside: Sequence[Path]) -> str:
    """Of everything that shapes what the folder's encoder says."""
    found = hashlib.sha256((encoder.told.model_dump_json() + layer.model_dump_json()).encode())
    for path in (folder / encoder.told.model, folder / encoder.told.tokenizer, *beside):
        with path.open("rb") as file:
            found.update(hashlib.file_digest(file, "sha256").digest())
    return found.hexdigest()[:12]


if hasattr(os, "register_at_fork"):  # its encoder's threads are the parent's
    os.register_at_fork(after_in_child=joined.cache_clear)
    os.register_at_fork(after_in_child=joined_in.cache_clear)


class LocalVerifier:
    """A `Verifier`: the lexical stage, and stage two where there is one.

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
        self._weighs_doubt = self._guarded and second is not None and second.doubts
        stage = second.name if second else f"local-lexical/{self._lexicon.version}"
        self.name = f"{stage} ({source_kind}{f'; {note}' if note else ''})"

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Judge a claim by its words alone: the context is not looked at.

        What speaks to its judge is no evidence, and what stands after it is not trusted. What has no letter or digit is
        no claim: where there is little evidence, it would be as likely as the calibration holds any claim for.

        Raises:
            UnmeasuredLanguageError: the claim is plainly in another language than English.
            AnswerRefusedError: stage two gave no numbers.
        """
        if (language := language_of(claim)) not in ("", ENGLISH):
            raise UnmeasuredLanguageError(NAMES[language], self.name)
        texts = [before_instructions(document["content"]) for document in documents]
        checks = tuple(run_checks(claim, texts, known))
        if before_instructions(claim) != claim or encodes(claim) or not any(map(str.isalnum, claim)):
            return Judged(NO_CLAIM, self.name, checks=checks, doubt=1.0 if self._weighs_doubt else None)
        reading = self._lexicon.read(claim, texts)
        features = self._second.features(reading) if self._second else reading.features
        scores = self._calibration.scores(features)
        doubtful = self._guarded and likeliest(scores) != "unsupported"
        stop = stopped(claim, texts, reading, checks) if doubtful else None
        answer = explain(reading, scores, stop, known, refuted=self._calibration.refutes(features))
        if self._second and not self._second.doubts:
            answer = held_to_quote(answer)
        doubt = self._doubt(reading, answer, checks)
        return Judged(answer, self.name, checks=(*checks, *objections(stop)), doubt=doubt)

    def _doubt(self, reading: Reading, answer: Answer, checks: Sequence[Check]) -> float | None:
        if not self._weighs_doubt:
            return None
        return round(layer().chance(doubted(reading, answer.label, answer.scores, checks)), 4)


def local_verifier(source_kind: str = DEFAULT_KIND, models: Path | None = None) -> LocalVerifier:
    """The best verifier that this installation can run; its name says what it had to do without.

    Args:
        source_kind: see `LocalVerifier`.
        models: the folder of models converted on this machine, where the encoder's optimised form is kept.
    """
    lacking = missing()
    if lacking:
        return LocalVerifier(source_kind, note=f"without the cross-encoder: {lacking} not installed")
    return LocalVerifier(source_kind, joined(models))


def onnx_verifier(folder: Path, source_kind: str, models: Path) -> LocalVerifier:
    """The verifier of a folder with an exported cross-encoder.

    Raises:
        SettingsError: the folder does not hold one that can be used, or a package that runs it is not installed.
    """
    try:
        return LocalVerifier(source_kind, joined_in(folder.expanduser(), models))
    except SettingsError as error:
        hint = error.hint or "docs/models.md says what the folder holds"
        raise SettingsError(f"GATE_MODEL: onnx:{folder}: {error.safe_message}", hint=hint) from None
