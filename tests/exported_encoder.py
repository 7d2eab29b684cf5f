"""A tiny cross-encoder as people export them: it counts which of the claim's tokens the evidence has."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

from gate.adapters.local_verifier.cross_encoder import weights

DESCRIPTION: dict[str, Any] = {
    "format": "gate-verifier/1",
    "name": "counting-tokens",
    "inputs": {"ids": "input_ids", "attention": "attention_mask", "segments": "token_type_ids"},
    "logits": ["neither", "support"],
    "template": "[CLS]{claim}[SEP]{evidence}[SEP]",
    "window": {"words": 120, "tokens": 256, "claim_tokens": 64},
}


def exported(folder: Path, *, inputs: str = "INT64", **changes: Any) -> Path:
    """Make the folder; `changes` are those of its description.

    The figure of support grows from -14 where no token of the claim is in the evidence to 6 where all are; the other
    one is 0.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _model(folder / "model.onnx", getattr(TensorProto, inputs))
    shutil.copy(str(weights().joinpath("tokenizer.json")), folder / "tokenizer.json")
    (folder / "verifier.json").write_text(json.dumps({**DESCRIPTION, **changes}), encoding="utf-8")
    return folder


def _model(path: Path, type_: int) -> None:
    def constant(name: str, value: Any) -> Any:
        return numpy_helper.from_array(np.array(value), name)

    def node(kind: str, inputs: list[str], output: str, **attributes: Any) -> Any:
        return helper.make_node(kind, inputs, [output], **attributes)

    nodes = [
        node("Unsqueeze", ["input_ids", "last"], "rows"),
        node("Unsqueeze", ["input_ids", "middle"], "columns"),
        node("Equal", ["rows", "columns"], "same"),
        node("Cast", ["same"], "alike", to=TensorProto.FLOAT),
        node("Cast", ["token_type_ids"], "evidence", to=TensorProto.FLOAT),
        node("Cast", ["attention_mask"], "read", to=TensorProto.FLOAT),
        node("Unsqueeze", ["evidence", "middle"], "of_evidence"),
        node("Mul", ["alike", "of_evidence"], "found"),
        node("ReduceMax", ["found"], "held", axes=[2], keepdims=0),
        node("Sub", ["read", "evidence"], "claim"),
        node("Mul", ["held", "claim"], "covered"),
        node("ReduceSum", ["covered", "columns_axis"], "count", keepdims=1),
        node("ReduceSum", ["claim", "columns_axis"], "all", keepdims=1),
        node("Div", ["count", "all"], "share"),
        node("Sub", ["share", "middle_share"], "beyond"),
        node("Mul", ["beyond", "steepness"], "support"),
        node("Mul", ["share", "nothing"], "neither"),
        node("Concat", ["neither", "support"], "logits", axis=1),
    ]
    given = [
        helper.make_tensor_value_info(name, type_, [1, "tokens"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    constants = [
        constant("last", np.array([2])),
        constant("middle", np.array([1])),
        constant("columns_axis", np.array([1])),
        constant("middle_share", np.float32(0.7)),
        constant("steepness", np.float32(20)),
        constant("nothing", np.float32(0)),
    ]
    told = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, 2])]
    graph = helper.make_graph(nodes, "counting", given, told, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    checker.check_model(model)
    save(model, str(path))
