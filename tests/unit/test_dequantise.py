"""The weights that ship, taken back out of their int8 graph, say what the graph says."""

from __future__ import annotations

import onnx
import pytest

pytest.importorskip("torch", reason="the group `training` is not installed")

from training import dequantise
from training.export_encoder import TARGET


def test_weights_taken_out_of_the_graph_give_its_logits() -> None:
    state = dequantise.dequantised(onnx.load(TARGET / "cross_encoder.onnx").graph)
    assert dequantise.apart(state) < 0.1
    spoilt = state | {"layers.5.out.weight": state["layers.5.out.weight"].T}
    assert dequantise.apart(spoilt) > 0.1
