"""Converts the embedder's weights into the model that is run: `python -m gate.adapters.minilm FOLDER`."""

from __future__ import annotations

import sys
from pathlib import Path

from gate.adapters.minilm import MiniLMEmbedder

if __name__ == "__main__":
    MiniLMEmbedder(Path(sys.argv[1]))
