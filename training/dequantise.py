"""Take the weights of an exported encoder back out of its int8 graph, to train on from them.

    PYTHONPATH=functions:. python -m training.dequantise build/start.safetensors

The inverse of `export_encoder`: an integer times its channel's scale. What rounding took stays lost, save in the word
embeddings, which no training moves: theirs come from where the encoder began.
"""

from __future__ import annotations

import sys
from typing import Any

import onnx
import onnxruntime
import torch
from onnx import numpy_helper
from safetensors.torch import save_file
from torch import Tensor

from gate.adapters.local_verifier.cross_encoder import ALIKE
from training import bert, bge
from training.export_encoder import INPUTS, TARGET
from training.train_encoder import Encoding, tensors

EMBEDDINGS = ("word", "position", "segment")


def main() -> None:
    state = dequantised(onnx.load(TARGET / "cross_encoder.onnx").graph)
    state["word.weight"] = bge.pretrained()["word.weight"]
    save_file({name: value.contiguous() for name, value in state.items()}, sys.argv[1])
    print(f"{sys.argv[1]}: logits differ from the graph's by {apart(state):.3f} in the mean")


def apart(state: dict[str, Tensor]) -> float:
    """How far logits by these weights lie from those of the graph that ships, which also rounds what it computes with.

    In the mean, on sentences beside themselves and beside others.
    """
    model, encode = bert.CrossEncoder(dropout=0.0, layers=bge.LAYERS).eval(), Encoding()
    model.load_state_dict(state)
    rows = tensors([encode(claim, text) for one in ALIKE for claim in one for text in one])
    given = dict(zip(INPUTS, (part.numpy() for part in rows), strict=True))
    session = onnxruntime.InferenceSession(TARGET / "cross_encoder.onnx", providers=["CPUExecutionProvider"])
    with torch.no_grad():
        found = model(*rows) - torch.from_numpy(session.run(None, given)[0])
    return float(found.abs().mean())


def dequantised(graph: Any) -> dict[str, Tensor]:
    """The weights of an int8 graph under the names of `bert.CrossEncoder`, as floats.

    Biases and norms stand in the graph by name; a layer's integers are those of the product its bias is added to.
    """
    held = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    maker = {name: node for node in graph.node for name in node.output}

    def scaled(name: str) -> Tensor:
        stem = name.removesuffix("_quantized")
        return (held[name].float() - held[f"{stem}_zero_point"].float()) * held[f"{stem}_scale"]

    def product(bias: str) -> str:
        node = next(node for node in graph.node if node.op_type == "Add" and bias in node.input)
        while node.op_type != "MatMulInteger":
            node = next(maker[name] for name in node.input if name in maker)
        return str(node.input[1])

    found = {name: value for name, value in held.items() if name.endswith((".bias", ".weight"))}
    for bias in [name for name in found if name.endswith(".bias") and f"{name[:-5]}.weight" not in found]:
        found[f"{bias[:-5]}.weight"] = scaled(product(bias)).T
    return found | {f"{name}.weight": scaled(f"{name}.weight_quantized") for name in EMBEDDINGS}


if __name__ == "__main__":
    main()
