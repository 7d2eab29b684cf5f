"""Models opened from their optimised form: the same figures, made once, made anew where it is damaged."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from onnx import checker, load, load_model_from_string, numpy_helper, save

from gate.adapters import minilm, onnx
from gate.adapters.local_verifier.cross_encoder import weights
from gate.adapters.onnx import LARGE, int8_sums
from gate.adapters.onnx.hardware import processor
from gate.adapters.onnx.tokenizer import tokenizer

pytestmark = pytest.mark.slow
MODEL = Path(str(weights().joinpath("cross_encoder.onnx")))
TOKENS = np.arange(1_000, 1_040, dtype=np.int64)[None]
GIVEN = {"ids": TOKENS, "segments": TOKENS * 0, "attention": TOKENS * 0 + 1}


def logits(folder: Path | None, model: Path = MODEL) -> list[float]:
    return onnx.opened(model, folder).run(["logits"], GIVEN)[0][0].tolist()  # type: ignore[no-any-return]


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.form"))


def times(form: Path) -> list[int]:
    return [each.stat().st_mtime_ns for each in sorted(form.iterdir())]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    logits(folder)
    return folder


def test_the_optimised_form_gives_the_same_figures_and_is_made_once(made: Path) -> None:
    [form] = kept(made)
    before = times(form)
    assert logits(made) == logits(None)
    assert [times(each) for each in kept(made)] == [before]
    assert [each.name for each in made.iterdir()] == [form.name], "nothing else is left there"


@pytest.mark.parametrize("file", [onnx.GRAPH, onnx.WEIGHTS])
@pytest.mark.parametrize("damage", [lambda data: data[:-1_000], lambda data: b"", lambda data: data[:-1] + b"?"])
def test_a_damaged_form_is_made_anew(made: Path, tmp_path: Path, damage: object, file: str) -> None:
    [form] = kept(made)
    broken = shutil.copytree(form, tmp_path / form.name)
    (broken / file).write_bytes(damage((form / file).read_bytes()))  # type: ignore[operator]
    assert logits(tmp_path) == logits(None)
    [mended] = kept(tmp_path)
    assert onnx._sum(mended) == mended.stem.rpartition("-")[2] == form.stem.rpartition("-")[2]


def test_a_form_of_another_processor_is_not_opened(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(made, tmp_path / "models")
    monkeypatch.setattr(onnx, "processor", lambda: "another")
    logits(tmp_path / "models")
    [form] = kept(tmp_path / "models")
    assert "-another-" in form.name


def test_weights_are_packed_where_the_processor_is_known_and_there_alone(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = logits(made)
    monkeypatch.setattr(onnx, "processor", lambda: "")
    assert logits(tmp_path) == here
    [plain], [packed] = kept(tmp_path), kept(made)
    sizes = [(form / onnx.WEIGHTS).stat().st_size / MODEL.stat().st_size for form in (plain, packed)]
    assert sizes[0] == pytest.approx(1.0, abs=0.1)
    assert sizes[1] == pytest.approx(1.6 if processor() else 1.0, abs=0.1)


def test_a_form_of_the_release_before_goes(tmp_path: Path) -> None:
    before = tmp_path / f"{MODEL.stem}-0123-1.31.1-u8s8-0123.ort"
    before.touch()
    logits(tmp_path)
    assert kept(tmp_path)
    assert not before.exists()


TOLD = """processor\t: 0
model name\t: Some
cpu MHz\t\t: {mhz}
model\t\t: 207
flags\t\t: fpu {flag}

processor\t: 1
flags\t\t: {second}
"""


def test_a_processor_is_known_by_what_it_can_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def of(told: str) -> str:
        (tmp_path / "cpuinfo").write_text(told)
        monkeypatch.setattr("gate.adapters.onnx.hardware.CPU_INFO", tmp_path / "cpuinfo")
        return processor.__wrapped__()

    one = of(TOLD.format(mhz=2100, flag="amx_int8", second=""))
    assert one == of(TOLD.format(mhz=800, flag="amx_int8", second="avx"))
    assert one != of(TOLD.format(mhz=2100, flag="avx_vnni", second=""))
    assert of("processor\t: 0\nFeatures\t: asimd\nCPU part\t: 0xd0c\n") not in ("", one)
    assert of("processor\t: 0\nmodel name\t: Some\n") == ""
    monkeypatch.setattr("gate.adapters.onnx.hardware.CPU_INFO", tmp_path / "nowhere")
    assert processor.__wrapped__() == ""


def test_the_tokenizers_of_embedder_and_encoder_are_one(tmp_path: Path) -> None:
    place = minilm.weights()
    assert place is not None
    theirs, ours = tokenizer(place / "tokenizer.json"), tokenizer(Path(str(weights().joinpath("tokenizer.json"))))
    assert theirs is ours
    assert len(ours.encode("word " * 1_000, add_special_tokens=False).ids) == 1_000
    other = tmp_path / "tokenizer.json"
    text = (place / "tokenizer.json").read_text(encoding="utf-8")
    other.write_text(text.replace('"lowercase":true', '"lowercase":false'), encoding="utf-8")
    assert tokenizer(other) is not ours
    assert tokenizer(other).encode("Word").ids != ours.encode("Word").ids


@pytest.mark.parametrize("text", ["", "{", '{"added_tokens": []}', '[1,"added_tokens"', '"version" "added_tokens"'])
def test_what_is_no_tokenizer_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "tokenizer.json").write_text(text)
    with pytest.raises(ValueError, match="is no tokenizer"):
        tokenizer(tmp_path / "tokenizer.json")


def test_a_form_of_other_weights_is_not_opened(made: Path, tmp_path: Path) -> None:
    changed = load(MODEL)
    bias = next(each for each in changed.graph.initializer if list(each.dims) == [3])
    bias.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(bias) + 1, bias.name))
    other = tmp_path / MODEL.name
    save(changed, str(other))
    folder = tmp_path / "models"
    shutil.copytree(made, folder)
    assert logits(folder, other) == logits(None, other) != logits(None)
    assert kept(folder) != kept(made)


def test_where_nothing_can_be_written_the_model_itself_is_run(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file where a folder should be")
    assert logits(tmp_path / "models") == logits(None)


def test_products_that_are_slower_and_never_cut_give_the_same_figures(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = logits(made)
    monkeypatch.setattr(onnx, "sums_are_cut", lambda: not int8_sums.sums_are_cut())
    folder = tmp_path / "models"
    shutil.copytree(made, folder)
    elsewhere = logits(folder)
    assert kept(folder) != kept(made), "a form of other products is opened"
    assert int8_sums.sums_are_cut() or elsewhere == here


def test_the_multiplication_that_is_tried_is_one_of_uint8_and_int8() -> None:
    model = load_model_from_string(int8_sums.MULTIPLICATION)
    checker.check_model(model)
    [node] = model.graph.node
    assert (node.op_type, [each.type.tensor_type.elem_type for each in model.graph.input]) == ("MatMulInteger", [2, 3])


@pytest.mark.parametrize(
    ("sums", "are_cut"), [((2_072_640, 2_072_640), False), ((2_072_640, 1_048_544), True), ((), True)]
)
def test_sums_are_known_to_be_cut_by_what_a_multiplication_gives(
    sums: tuple[int, ...], are_cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Session:
        def __init__(self, *_: object, **__: object) -> None:
            self._left = list(sums)

        def run(self, _: object, given: dict[str, np.ndarray]) -> list[np.ndarray]:
            if not self._left:
                raise RuntimeError("cannot be run")
            return [np.full((len(given["a"]), len(given["b"][0])), self._left.pop(0))]

    monkeypatch.setattr("onnxruntime.InferenceSession", Session)
    assert int8_sums.sums_are_cut.__wrapped__() is are_cut


LARGE_BLOCK = f"""
import ctypes
from gate.adapters.onnx import _give_large_blocks_back
_give_large_blocks_back()
c = ctypes.CDLL(None)
c.malloc.restype, c.malloc.argtypes, c.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]
c.free(c.malloc({28 * LARGE}))  # what glibc takes for a reason to keep smaller ones
block = c.malloc({24 * LARGE})
print(ctypes.c_size_t.from_address(block - ctypes.sizeof(ctypes.c_size_t)).value & 2)
"""
"""In a process of its own: one that has freed much has room for such a block."""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library gives back by rules of its own")
def test_large_blocks_of_memory_are_given_back_to_the_system() -> None:
    done = subprocess.run([sys.executable, "-c", LARGE_BLOCK], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "2", "it came from the heap"
