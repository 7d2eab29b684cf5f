"""A small cross-encoder on onnxruntime: does this evidence support the claim, refute it, or neither?

Fine-tuned bge-small-en-v1.5, int8; made by training/, described in docs/model-cards/cross-encoder.md. It never decides
a label alone: its margins are four more features of the calibrated layer.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import resources
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from gate.adapters.local_verifier.lexical import Reading

NEEDS = ("numpy", "onnxruntime", "tokenizers")
MAX_TOKENS, MAX_CLAIM = 320, 96
FURTHEST = 8.0
"""Margins are cut to ± this: beyond it a probability says no more."""
VIEWS = ("window", "sentence")
"""What is read beside the claim: the sentences of all documents that cover it best, and the best sentence alone."""
FEATURES = tuple(f"{view}_{side}" for view in VIEWS for side in ("support", "refute"))
CLS, SEP = 101, 102


class CrossEncoder:
    """Scores (claim, evidence) pairs.

    Args:
        folder: holds cross_encoder.onnx and tokenizer.json.
        models: the folder of models converted on this machine, where its optimised form is kept; None: nothing is kept.
    """

    def __init__(self, folder: Traversable, models: Path | None = None) -> None:
        from tokenizers import Tokenizer

        from gate.adapters import onnx

        # By their paths: what is read into this process first is held once more, 30 MB of it.
        with resources.as_file(folder.joinpath("cross_encoder.onnx")) as path:
            self._session = onnx.opened(path, models)
        with resources.as_file(folder.joinpath("tokenizer.json")) as path:
            self._tokenizer = Tokenizer.from_file(str(path))
        # Threads of its own: more at once than there are cores is no faster, and each thread that ever ran it would
        # keep some 20 MB.
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="encoder")

    def margins(self, claim: str, evidence: str) -> tuple[float, float]:
        """Log odds that the evidence supports the claim, and that it refutes it, each against the rest."""
        import numpy as np

        ids, segments = self._encode(claim, evidence)
        inputs = {"ids": [ids], "segments": [segments], "attention": [[1] * len(ids)]}
        given = {name: np.array(value, dtype=np.int64) for name, value in inputs.items()}
        return margins(self._pool.submit(self._session.run, ["logits"], given).result()[0][0].tolist())

    def _encode(self, claim: str, evidence: str) -> tuple[list[int], list[int]]:
        """[CLS] claim [SEP] evidence [SEP], and which of the two each token belongs to."""
        first = self._tokenizer.encode(claim, add_special_tokens=False).ids[:MAX_CLAIM]
        second = self._tokenizer.encode(evidence, add_special_tokens=False).ids[: MAX_TOKENS - len(first) - 3]
        return [CLS, *first, SEP, *second, SEP], [0] * (len(first) + 2) + [1] * (len(second) + 1)


def encoded(encoder: CrossEncoder, claim: str, reading: Reading) -> tuple[float, ...]:
    """The margins of every view, in the order of `FEATURES`; views that read the same are scored once."""
    views = (reading.wide, (reading.best,) if reading.best else ())
    texts = [" ".join(sentence.text for sentence in view) for view in views]
    scored = {text: encoder.margins(claim, text) for text in dict.fromkeys(texts)}
    return tuple(margin for text in texts for margin in scored[text])


def margins(logits: Sequence[float]) -> tuple[float, float]:
    """Log odds of support and of refutation from logits over neither, support, refute."""
    neither, support, refute = logits
    return _cut(support - _log_sum(neither, refute)), _cut(refute - _log_sum(neither, support))


def _log_sum(one: float, other: float) -> float:
    high = max(one, other)
    return high + math.log(math.exp(one - high) + math.exp(other - high))


def _cut(margin: float) -> float:
    return max(-FURTHEST, min(FURTHEST, margin))


def missing() -> str:
    """Name what is lacking here, a package or the weights; empty when the encoder can run."""
    if not weights().joinpath("joined.json.gz").is_file():
        return "weights"
    return next((name for name in NEEDS if find_spec(name) is None), "")


def weights() -> Traversable:
    """The folder of weights that ships with the package."""
    return resources.files("gate.adapters.local_verifier").joinpath("weights")


@cache
def shipped_encoder(models: Path | None = None) -> CrossEncoder:
    """The encoder that ships with the package."""
    return CrossEncoder(weights(), models)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=shipped_encoder.cache_clear)  # its threads are the parent's
