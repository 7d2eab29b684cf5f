"""Models opened from their optimised form: the same figures, made once, made anew where it is damaged."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from onnx import checker, load, load_model_from_string, numpy_helper, save

from gate.adapters import onnx
from gate.adapters.local_verifier.cross_encoder import weights
from gate.adapters.onnx import int8_sums

pytestmark = pytest.mark.slow
MODEL = Path(str(weights().joinpath("cross_encoder.onnx")))
TOKENS = np.arange(1_000, 1_040, dtype=np.int64)[None]
GIVEN = {"ids": TOKENS, "segments": TOKENS * 0, "attention": TOKENS * 0 + 1}


def logits(folder: Path | None, model: Path = MODEL) -> list[float]:
    return onnx.opened(model, folder).run(["logits"], GIVEN)[0][0].tolist()  # type: ignore[no-any-return]


def kept(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.is_file())


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    logits(folder)
    return folder


def test_the_optimised_form_gives_the_same_figures_and_is_made_once(made: Path) -> None:
    [form] = kept(made)
    before = form.stat().st_mtime_ns
    assert logits(made) == logits(None)
    assert [each.stat().st_mtime_ns for each in kept(made)] == [before]


@pytest.mark.parametrize("damage", [lambda data: data[:-1_000], lambda data: b"", lambda data: data[:-1] + b"?"])
def test_a_damaged_form_is_made_anew(made: Path, tmp_path: Path, damage: object) -> None:
    [form] = kept(made)
    broken = tmp_path / form.name
    broken.write_bytes(damage(form.read_bytes()))  # type: ignore[operator]
    assert logits(tmp_path) == logits(None)
    [mended] = kept(tmp_path)
    assert sha256(mended.read_bytes()).hexdigest().startswith(mended.stem.rpartition("-")[2])


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
