"""A verifier whose probabilities were fitted anew on labels of the corpus that it judges by."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gate.adapters.local_verifier.calibration import Calibration, Coefficient, Step
from gate.errors import InputError, SettingsError, first_misfit
from gate.model import LABELS, NONE_KNOWN, REASONS, Answer, Check, Document, Known, Label, Share
from gate.ports import Judged, Verifier
from gate.text.formats import strict_json

MAX_BYTES = 1_000_000
FEATURES = ("against", "part", "supported", "weakly_supported", "failed", "doubt")
"""Log odds of `supported`, and of `weakly_supported` where it is not; the label given; the share of checks that fail
(0, or 1 for two and more); log odds of the verifier's own doubt. What a verifier does not give is 0."""
_LEAST = 0.005
"""Chances are cut to this, and to one less this."""


class FittedStep(BaseModel):
    """One logistic step, as `Step` has it."""

    model_config = ConfigDict(extra="forbid")
    bias: Coefficient
    weights: list[Coefficient] = Field(min_length=len(FEATURES), max_length=len(FEATURES))

    def step(self) -> Step:
        """The step itself."""
        return Step(self.bias, tuple(self.weights))


class OwnLabels(BaseModel):
    """What `gate calibrate` writes and `GATE_CALIBRATION` names.

    Attributes:
        verifier: the one that it was fitted for, by name.
        labels: how many claims it was fitted on.
        cascade_low, cascade_high: thresholds for a verifier that stands before another; None: no share was sure enough.
        review_risk, block_risk: thresholds for a policy; None: there were no labels of whole answers, or too few.
    """

    model_config = ConfigDict(extra="forbid")
    format: Literal["gate-calibration/1"] = "gate-calibration/1"
    verifier: str
    labels: int
    features: list[str]
    supported: FittedStep
    weak: FittedStep
    cascade_low: float | None = None
    cascade_high: float | None = None
    review_risk: Share | None = None
    block_risk: Share | None = None

    def calibration(self) -> Calibration:
        """The two steps."""
        return Calibration(self.supported.step(), self.weak.step())


class CalibratedVerifier:
    """A `Verifier` whose scores are those of a calibration, and whose label follows from them.

    A claim is never raised to a label that the answer does not carry: `supported` needs a quoted passage and checks
    that pass, and what the verifier called unsupported becomes `weakly_supported` at the most where it names none. What
    it called contradicted stays so: policies have a rule for that, and probabilities know nothing of it.

    Args:
        sha: hash of the calibration's file; its beginning stands in `name` and in every verdict.
    """

    def __init__(self, verifier: Verifier, calibration: Calibration, sha: str) -> None:
        self._verifier, self._calibration = verifier, calibration
        self._mark = f"+calibration:{sha[:12]}"
        self.name = verifier.name + self._mark

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Judge, with probabilities and label anew."""
        judged = self._verifier.judge(claim, context, documents, known)
        return replace(calibrated(judged, self._calibration), model=judged.model + self._mark)


def with_calibration(verifiers: Sequence[Verifier], path: Path) -> list[Verifier]:
    """The same verifiers, that one calibrated for which the calibration was fitted.

    Raises:
        SettingsError: the file holds no calibration, or that of another verifier.
    """
    own, sha = read_calibration(path)
    if own.verifier not in [verifier.name for verifier in verifiers]:
        names = " and ".join(verifier.name for verifier in verifiers)
        raise SettingsError(
            f"GATE_CALIBRATION: was fitted for {own.verifier}, and claims are judged by {names}",
            hint="gate calibrate LABELS, with the settings that check",
        )
    return [
        CalibratedVerifier(verifier, own.calibration(), sha) if verifier.name == own.verifier else verifier
        for verifier in verifiers
    ]


def calibrated(judged: Judged, calibration: Calibration) -> Judged:
    """The same verdict by other probabilities; its doubt is the chance that the claim is unsupported."""
    scores = calibration.scores(features_of(judged))
    label = _label(judged, scores)
    answer = judged.answer
    fields: dict[str, Any] = {"label": label, "scores": scores}
    if label != answer.label:
        fields |= {"reason": REASONS[label][0], "justification": f"{answer.justification} {_SAID[label]}"}
    return replace(judged, answer=Answer(**{**answer.model_dump(), **fields}), doubt=scores["unsupported"])


_SAID: Mapping[Label, str] = {
    "supported": "By the labels of this corpus that is support.",
    "weakly_supported": "By the labels of this corpus that is support in part.",
    "unsupported": "By the labels of this corpus that is no support.",
}


def _label(judged: Judged, scores: Mapping[Label, float]) -> Label:
    """The likeliest label that the answer carries."""
    answer = judged.answer
    is_grounded = bool(answer.quote and answer.documents) and all(check["passed"] for check in judged.checks)
    if answer.reason == "contradicted":
        return answer.label
    allowed = [label for label in LABELS if label != "supported" or is_grounded or answer.label == "supported"]
    return max(allowed, key=lambda label: scores[label])


def features_of(judged: Judged) -> list[float]:
    """What the calibration weighs, in the order of `FEATURES`."""
    answer, scores = judged.answer, judged.answer.scores
    full, part = scores.get("supported"), scores.get("weakly_supported", 0.0)
    share = part / (1 - full) if full is not None and full < 1 else 0.5
    return [
        _odds(full),
        _odds(share if scores else None),
        float(answer.label == "supported"),
        float(answer.label == "weakly_supported"),
        min(2, _failed(judged.checks)) / 2,
        _odds(judged.doubt),
    ]


def _failed(checks: Iterable[Check]) -> int:
    return sum(not check["passed"] for check in checks)


def _odds(share: float | None) -> float:
    if share is None:
        return 0.0
    share = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(share / (1 - share))


def read_calibration(path: Path) -> tuple[OwnLabels, str]:
    """Read a calibration, and the hash of its file.

    Raises:
        SettingsError: it cannot be read, or is none.
    """
    hint = "gate calibrate LABELS -o calibration.json"
    try:
        with path.expanduser().open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        found = OwnLabels.model_validate(strict_json.load(data.decode()))
    except OSError as error:
        raise SettingsError(f"GATE_CALIBRATION: {path}: {error.strerror}", hint=hint) from None
    except UnicodeDecodeError:
        raise SettingsError(f"GATE_CALIBRATION: {path}: not UTF-8", hint=hint) from None
    except InputError as error:
        raise SettingsError(f"GATE_CALIBRATION: {path}: {error.safe_message}", hint=hint) from None
    except ValidationError as error:
        raise SettingsError(f"GATE_CALIBRATION: {path}: {first_misfit(error)}", hint=hint) from None
    if found.features != list(FEATURES):
        raise SettingsError(f"GATE_CALIBRATION: {path}: was fitted by another version", hint=hint)
    return found, hashlib.sha256(data).hexdigest()
