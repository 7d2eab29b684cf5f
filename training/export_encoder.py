"""Export the encoder to ONNX and quantise its weights to int8, per channel.

    PYTHONPATH=functions:. python -m training.export_encoder build/encoder.pt

Writes cross_encoder.onnx (23 MB with six layers, 34 MB with twelve) and tokenizer.json into
functions/gate/adapters/local_verifier/weights.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.shape_inference import quant_pre_process

from training import bert

TARGET = Path("functions/gate/adapters/local_verifier/weights")
INPUTS = ("ids", "segments", "attention")
LARGEST = 40_000_000


def main() -> None:
    TARGET.mkdir(exist_ok=True)
    path = export(bert.loaded(Path(sys.argv[1])), Path(sys.argv[2]) if len(sys.argv) > 2 else TARGET)
    size = path.stat().st_size
    print(f"{path}: {size / 1e6:.1f} MB")
    if size > LARGEST:
        raise SystemExit(f"over {LARGEST / 1e6:.0f} MB")


def export(model: bert.CrossEncoder, folder: Path) -> Path:
    """Write the int8 model and the tokenizer; return the model's path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "cross_encoder.onnx"
    with tempfile.TemporaryDirectory() as scratch:
        plain, ready = Path(scratch) / "plain.onnx", Path(scratch) / "ready.onnx"
        ids = torch.ones(2, 16, dtype=torch.long)
        shape = {0: "rows", 1: "length"}
        torch.onnx.export(
            model,
            (ids, torch.zeros_like(ids), torch.ones_like(ids)),
            str(plain),
            input_names=list(INPUTS),
            output_names=["logits"],
            dynamic_axes=dict.fromkeys(INPUTS, shape) | {"logits": {0: "rows"}},
            opset_version=17,
            dynamo=False,
        )
        quant_pre_process(str(plain), str(ready), skip_symbolic_shape=True)
        quantize_dynamic(str(ready), str(target), per_channel=True, weight_type=QuantType.QInt8)
    _write_tokenizer(folder / "tokenizer.json")
    if folder != TARGET:
        shutil.copy(TARGET / "verifier.json", folder)
    return target


def _write_tokenizer(path: Path) -> None:
    """The package's tokenizer without its padding and truncation, on one line."""
    given = json.loads(bert.package_file("tokenizer.json").read_text(encoding="utf-8"))
    given |= {"truncation": None, "padding": None}
    path.write_text(json.dumps(given, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
