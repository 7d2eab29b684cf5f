"""How likely a claim of a whole answer is unsupported, weighed from what the verifier found about it.

The probabilities of the labels were fitted on single claims of many sources; this layer of five coefficients makes
them mean what they say in answers that stand beside their own sources. Fitted by `training.fit_risk`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cache

from gate.adapters.local_verifier.calibration import Step
from gate.adapters.local_verifier.cross_encoder import weights
from gate.adapters.local_verifier.explanation import likeliest
from gate.adapters.local_verifier.lexical import FEATURES as COUNTED
from gate.adapters.local_verifier.lexical import Reading
from gate.decision.checks import NAMES
from gate.model import Check, Label

FEATURES = ("unsupported", "missing", "amount", "guard")
"""Log odds against `supported`; the share of telling words that no passage has; whether an amount, date or unit
differs; whether another guard objects. More of any of them never lowers the doubt."""
_LEAST = 0.01
"""Chances are cut to this and one less this: beyond, the verifier's probabilities say no more."""
_AMOUNTS = {"dates", *(name for name, _ in NAMES)}
"""Checks of an amount, date or unit."""
_MISSING = COUNTED.index("missing_share")


def features(reading: Reading, label: Label, scores: Mapping[Label, float], checks: Iterable[Check]) -> list[float]:
    """What the layer weighs, in the order of `FEATURES`."""
    against = min(max(1 - scores["supported"], _LEAST), 1 - _LEAST)
    amount = any(not check["passed"] and check["name"] in _AMOUNTS for check in checks)
    guard = not amount and label != likeliest(scores)
    return [math.log(against / (1 - against)), reading.features[_MISSING], float(amount), float(guard)]


@cache
def layer() -> Step:
    """The coefficients that ship with the package."""
    return Step.of(json.loads(weights().joinpath("doubt.json").read_text(encoding="utf-8")))
