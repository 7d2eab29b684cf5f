"""`GATE_MODEL=onnx:<folder>`: an exported cross-encoder judges, and a folder that is none is refused in one line."""

from __future__ import annotations

import gzip
import json
import math
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from onnx import TensorProto, helper, load, numpy_helper

from gate import cli, wiring
from gate.adapters import onnx
from gate.adapters.local_verifier import cross_encoder, joined, joined_in, local_verifier, onnx_verifier
from gate.adapters.local_verifier.cross_encoder import CrossEncoder, margins, weights
from gate.adapters.local_verifier.description import EncoderDescription, read_description
from gate.errors import AnswerRefusedError, SettingsError
from gate.model import Document
from gate.settings import Settings
from tests.entrance import Entrance
from tests.exported_encoder import DESCRIPTION, exported

DOCUMENTS: list[Document] = [{"content": "The lighthouse was built in 1871. Tickets cost four euros at the gate."}]
TRUE, OTHER = "The lighthouse was built in 1871.", "The lighthouse fell into the sea during a storm."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(tmp_path_factory.mktemp("encoder"))


def changed(folder: Path, place: Path, **changes: Any) -> Path:
    """A copy with another description."""
    shutil.copytree(folder, place)
    (place / "verifier.json").write_text(json.dumps({**DESCRIPTION, **changes}), encoding="utf-8")
    return place


def test_an_exported_encoder_judges_with_quotes_and_checks(folder: Path, entrance: Entrance, tmp_path: Path) -> None:
    entrance.use(Settings(model=f"onnx:{folder}", models=tmp_path, pseudonyms=False))
    verifier = wiring.current().verifier()
    judged = verifier.judge(TRUE, "", DOCUMENTS)
    assert judged.answer.label == "supported"
    assert judged.answer.quote == "The lighthouse was built in 1871."
    assert judged.model.startswith("onnx:counting-tokens/uncalibrated:")
    assert judged.doubt is None
    assert verifier.judge(OTHER, "", DOCUMENTS).answer.label == "unsupported"
    wrong = verifier.judge("The lighthouse was built in 1872.", "", DOCUMENTS)
    assert (wrong.answer.label, all(check["passed"] for check in wrong.checks)) == ("unsupported", False)


def test_the_same_folder_judges_the_same_and_another_model_has_another_name(folder: Path, tmp_path: Path) -> None:
    again = changed(folder, tmp_path / "again")
    names = [onnx_verifier(each, "passage", tmp_path / "kept").name for each in (folder, again)]
    assert names[0] == names[1]
    other = changed(folder, tmp_path / "other", window={"words": 60, "tokens": 256, "claim_tokens": 64})
    assert onnx_verifier(other, "passage", tmp_path / "kept").name != names[0]


def test_what_a_calibration_tells_to_be_refuted_is_contradicted_by_the_sentence_that_is_quoted(
    folder: Path, tmp_path: Path
) -> None:
    steps = {
        "supported": {"bias": -1, "weights": [1]},
        "weak": {"bias": -9, "weights": [0]},
        "refuted": {"bias": 0, "weights": [-1]},
    }
    layer = {"features": ["window_support"], "kinds": {"passage": steps}}
    verifier = onnx_verifier(changed(folder, tmp_path / "m", calibration=layer), "passage", tmp_path / "kept")
    said = "The lighthouse was built of wood, it stood there in 1765, and then it burnt down."
    answer = verifier.judge(said, "", DOCUMENTS).answer
    assert (answer.label, answer.reason, answer.quote) == ("unsupported", "contradicted", TRUE)
    nowhere = verifier.judge("Bananas ripen in paper bags.", "", DOCUMENTS).answer
    assert (nowhere.quote, nowhere.reason) == ("", "not_mentioned")
    assert verifier.judge(TRUE, "", DOCUMENTS).answer.reason == "entailed"
    del steps["refuted"]
    silent = onnx_verifier(changed(folder, tmp_path / "n", calibration=layer), "passage", tmp_path / "kept")
    assert silent.judge(said, "", DOCUMENTS).answer.reason == "not_mentioned"


def test_a_calibration_may_weigh_how_much_evidence_there_is(folder: Path, tmp_path: Path) -> None:
    steps = {"supported": {"bias": 1, "weights": [-2]}, "weak": {"bias": -9, "weights": [0]}}
    layer = {"features": ["extent"], "kinds": {"passage": steps}}
    verifier = onnx_verifier(changed(folder, tmp_path / "m", calibration=layer), "passage", tmp_path / "kept")
    little, much = (verifier.judge(TRUE, "", [{"content": TRUE * times}]).answer.scores for times in (1, 40))
    assert little["supported"] > 0.5 > much["supported"] == pytest.approx(1 / (1 + math.e), abs=1e-4)


def test_a_command_runs_by_it_and_a_calibration_of_ones_own_fits_it(
    folder: Path, entrance: Entrance, tmp_path: Path
) -> None:
    entrance.use(Settings(model=f"onnx:{folder}", models=tmp_path, home=tmp_path))
    rows = [
        {"claim": f"Shop {n} opens at {n % 12 + n % 2}.", "evidence": f"Shop {n} opens at {n % 12}.", "label": label}
        for n in range(1, 121)
        for label in ["supported" if n % 2 == 0 else "unsupported"]
    ]
    (tmp_path / "l.jsonl").write_text("\n".join(map(json.dumps, rows)))
    output = tmp_path / "c.json"
    found = CliRunner().invoke(cli.group, ["calibrate", str(tmp_path / "l.jsonl"), "-o", str(output), "-q"])
    assert found.exit_code == 0, found.output
    entrance.change(calibration=output)
    judged = wiring.current().verifier().judge("Shop 4 opens at 4.", "", [{"content": "Shop 4 opens at 4."}])
    assert "+calibration:" in judged.model
    assert judged.doubt is not None


def test_the_encoder_that_ships_is_described_by_such_a_file_and_tells_what_it_means() -> None:
    told = read_description(weights())
    assert (told.logits, told.window.tokens) == (["neither", "support", "refute"], 320)
    assert CrossEncoder(weights()).tried().told == told
    assert len(joined().places) == 25
    assert local_verifier().name.startswith("local-joined/")


def test_the_shipped_folder_given_as_a_folder_judges_as_the_local_verifier_does(tmp_path: Path) -> None:
    own, given = local_verifier(), onnx_verifier(Path(str(weights())), "passage", tmp_path)
    for claim in (TRUE, OTHER, "Tickets cost five euros.", "One pays to get in."):
        one, other = own.judge(claim, "", DOCUMENTS), given.judge(claim, "", DOCUMENTS)
        assert one.answer.scores == other.answer.scores
        assert other.doubt is None


def test_an_evidence_first_template_without_segments_and_narrow_whole_numbers_are_served(tmp_path: Path) -> None:
    encoder = CrossEncoder(exported(tmp_path / "e", inputs="INT32", template="[CLS]{evidence}[SEP]{claim}[SEP]"))
    ids, segments = encoder._encode("two words", "three more words")
    assert (ids[0], ids.count(102), segments) == (101, 2, [0] * 5 + [1] * 3)
    assert len(encoder._encode("word " * 900, "text " * 900)[0]) == DESCRIPTION["window"]["tokens"]


def test_margins_are_those_of_any_order_of_logits() -> None:
    assert margins([2.0], ["support"]) == (2.0, 0.0)
    assert margins([1.0, 3.0], ["neither", "support"]) == (2.0, 0.0)
    assert margins([3.0, 1.0, 0.5], ["support", "refute", "neither"]) == margins([0.5, 3.0, 1.0])


@pytest.mark.parametrize("figures", [[0.0, float("nan")], [float("nan"), 0.0], [0.0, float("inf")]])
def test_a_figure_that_is_no_number_is_no_support(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, figures: list[float]
) -> None:
    verifier = onnx_verifier(folder, "passage", tmp_path)
    monkeypatch.setattr(CrossEncoder, "_logits", lambda *_: [figures])
    with pytest.raises(AnswerRefusedError, match="no number"):
        verifier.judge(TRUE, "", DOCUMENTS)
    with pytest.raises(SettingsError, match=r"model\.onnx: .* no number"):
        CrossEncoder(folder).tried()


def test_a_model_that_cannot_be_run_on_some_texts_leaves_their_claims_unread_and_names_the_reason(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verifier = onnx_verifier(folder, "passage", tmp_path)

    def fails(*_: object) -> list[list[float]]:
        raise RuntimeError("[ONNXRuntimeError] : 2 : INVALID_ARGUMENT : the text of somebody")

    monkeypatch.setattr(CrossEncoder, "_logits", fails)
    with pytest.raises(AnswerRefusedError) as raised:
        verifier.judge(TRUE, "", DOCUMENTS)
    assert raised.value.safe_message == "the encoder could not be run on it (RuntimeError)"
    for odd in ([[0.0, 9.0], [0.0, 9.0]], [[9.0]], []):
        monkeypatch.setattr(CrossEncoder, "_logits", lambda *_, odd=odd: odd)
        with pytest.raises(AnswerRefusedError, match="other figures"):
            verifier.judge(TRUE, "", DOCUMENTS)


def kept_apart(folder: Path, place: Path, location: str, middle: float) -> Path:
    """A copy of the model whose threshold of support stands in a file of its own."""
    shutil.copytree(folder, place)
    model = load(str(place / "model.onnx"))
    [one] = [each for each in model.graph.initializer if each.name == "middle_share"]
    one.ClearField("raw_data")
    one.data_location = TensorProto.EXTERNAL
    one.external_data.add(key="location", value=location)
    (place / "model.onnx").write_bytes(model.SerializeToString())
    (place / location).resolve().write_bytes(np.float32(middle).tobytes())
    return place


def test_weights_in_a_file_of_their_own_are_a_part_of_the_name_and_of_what_is_kept(
    folder: Path, tmp_path: Path
) -> None:
    place, names, shares = kept_apart(folder, tmp_path / "m", "weights.bin", 0.7), set(), []
    for middle in (0.7, 0.2):
        (place / "weights.bin").write_bytes(np.float32(middle).tobytes())
        joined_in.cache_clear()
        verifier = onnx_verifier(place, "passage", tmp_path / "kept")
        names.add(verifier.name)
        shares.append(verifier.judge("The lighthouse was red and tall.", "", DOCUMENTS).answer.scores["supported"])
    assert len(names) == 2
    assert shares[0] < shares[1]


@pytest.mark.parametrize("location", ["../outside.bin", "inside.bin"])
def test_no_weights_are_read_outside_of_the_folder(folder: Path, tmp_path: Path, location: str) -> None:
    place = tmp_path / "m"
    if location == "inside.bin":
        kept_apart(folder, place, location, 0.7)
        (place / location).rename(tmp_path / "outside.bin")
        (place / location).symlink_to(tmp_path / "outside.bin")
    else:
        kept_apart(folder, place, location, 0.7)
    with pytest.raises(SettingsError, match="is no ONNX model"):
        onnx_verifier(place, "passage", tmp_path / "kept")


def test_the_example_of_the_documentation_is_one_that_can_be_read() -> None:
    page = (Path(__file__).parents[2] / "docs/models.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    told = EncoderDescription.model_validate_json(example)
    assert (told.logits[0], told.inputs.segments) == ("support", "token_type_ids")


def without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def writing(name: str, data: bytes) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).write_bytes(data)

    return write


def saying(**changes: Any) -> Callable[[Path], None]:
    return writing("verifier.json", json.dumps({**DESCRIPTION, **changes}).encode())


def pipe(name: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        os.mkfifo(folder / name)

    return make


def sparse(name: str, size: int) -> Callable[[Path], None]:
    return lambda folder: os.truncate(folder / name, size)


def link(name: str, to: str) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / name).unlink()
        (folder / name).symlink_to(to)

    return make


LAYER = {"features": ["window_support"], "kinds": {"passage": {"supported": {"bias": 0, "weights": [1]}}}}
STEP = {"bias": 0, "weights": [1]}


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (without("verifier.json"), "verifier.json: no such file"),
        (without("model.onnx"), "model.onnx: no such file"),
        (without("tokenizer.json"), "tokenizer.json: no such file"),
        (pipe("verifier.json"), "verifier.json: no such file"),
        (pipe("model.onnx"), "model.onnx: no such file"),
        (link("tokenizer.json", "/dev/zero"), "tokenizer.json: no such file"),
        (sparse("model.onnx", 2**37), "model.onnx: larger than"),
        (sparse("tokenizer.json", 2**37), "tokenizer.json: larger than"),
        (writing("verifier.json", b"[" * 9_000_000), "verifier.json: nested far too deep"),
        (writing("verifier.json", b"{"), "verifier.json: not JSON"),
        (writing("verifier.json", b"\xff"), "verifier.json: not UTF-8"),
        (writing("verifier.json", b"[]"), "verifier.json: the document"),
        (writing("verifier.json", b'{"name": "x", "name": "y"}'), "verifier.json: .*the same key twice"),
        (writing("model.onnx", b"no model"), "model.onnx: is no ONNX model"),
        (writing("tokenizer.json", b"{}"), "tokenizer.json: is no tokenizer"),
        (saying(format="gate-verifier/2"), "verifier.json: format"),
        (saying(logit=["support"]), "verifier.json: logit: Extra"),
        (saying(logits=["entailment", "other"]), "verifier.json: logits.0"),
        (saying(logits=["neither", "refute"]), "one of them is support"),
        (saying(logits=["neither", "support", "refute"]), "gives 2 logits for a pair, and verifier.json names 3"),
        (saying(logits=["support", "neither"]), "by this order of logits a sentence supports itself less"),
        (saying(template="{claim}"), "template: holds"),
        (saying(window={"tokens": 64, "claim_tokens": 64}), "leaves no room for evidence"),
        (saying(inputs={"ids": "ids"}), "its inputs are attention_mask, input_ids, token_type_ids, and"),
        (saying(output="scores"), "has no output 'scores'"),
        (saying(model="../model.onnx"), "verifier.json: model"),
        (saying(calibration="layer.json"), "layer.json: no such file"),
        (
            saying(
                calibration={
                    "features": ["window_support"],
                    "kinds": {"passage": {"supported": {"bias": 1e308, "weights": [1]}, "weak": STEP}},
                }
            ),
            "verifier.json: calibration.layer.kinds.passage.supported.bias",
        ),
        (saying(calibration=LAYER), "verifier.json: calibration.layer.kinds.passage.weak"),
        (
            saying(calibration={"features": ["x"], "kinds": {"passage": {"supported": STEP, "weak": STEP}}}),
            "the feature 'x' is not known",
        ),
        (
            saying(
                calibration={"features": ["window_refute"], "kinds": {"passage": {"supported": STEP, "weak": STEP}}}
            ),
            "weighs what refutes",
        ),
        (
            saying(calibration={"features": ["window_support"], "kinds": {"mail": {"supported": STEP, "weak": STEP}}}),
            "'passage' is not known",
        ),
    ],
)
def test_a_folder_that_does_not_hold_what_it_says_is_refused_in_one_line(
    folder: Path, tmp_path: Path, entrance: Entrance, damage: Callable[[Path], None], said: str
) -> None:
    place = changed(folder, tmp_path / "given")
    damage(place)
    entrance.use(Settings(model=f"onnx:{place}", models=tmp_path / "kept"))
    with pytest.raises(SettingsError, match=said) as raised:
        wiring.current().verifier()
    assert "\n" not in raised.value.safe_message
    assert raised.value.safe_message.startswith("GATE_MODEL: onnx:")
    assert raised.value.hint


def endless(path: Path) -> None:
    """Have the model run a loop that nothing ends before it gives its figures."""
    model = load(str(path))
    go, on = (helper.make_tensor_value_info(name, TensorProto.BOOL, []) for name in ("go", "on"))
    was, now = (helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("was", "now"))
    steps = [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Identity", ["was"], ["now"])]
    at = helper.make_tensor_value_info("at", TensorProto.INT64, [])
    body = helper.make_graph(steps, "for_ever", [at, go, was], [on, now])
    model.graph.node[-1].output[0] = "figures"
    model.graph.initializer.append(numpy_helper.from_array(np.array(True), "yes"))
    model.graph.node.append(helper.make_node("Loop", ["", "yes", "figures"], ["logits"], body=body))
    path.write_bytes(model.SerializeToString())


def test_a_model_that_loops_for_ever_is_told_to_stop_and_refused(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = changed(folder, tmp_path / "given")
    endless(place / "model.onnx")
    monkeypatch.setattr(cross_encoder, "LONGEST_S", 0.3)
    with pytest.raises(SettingsError, match=r"model\.onnx: the encoder took longer than 0.3 s"):
        onnx_verifier(place, "passage", tmp_path / "kept")
    encoder = cross_encoder.CrossEncoder(place)
    with pytest.raises(AnswerRefusedError, match="took longer"):
        encoder.margins("A claim.", "Evidence.")
    encoder._pool.shutdown(wait=True)  # it does end


def test_a_packed_calibration_that_unpacks_without_end_is_refused(folder: Path, tmp_path: Path) -> None:
    place = changed(folder, tmp_path / "given", calibration="layer.json.gz")
    (place / "layer.json.gz").write_bytes(gzip.compress(b" " * 20_000_000))
    with pytest.raises(SettingsError, match=r"layer.json.gz: larger than"):
        onnx_verifier(place, "passage", tmp_path / "kept")


def test_an_optimised_form_that_the_runtime_refuses_is_made_anew(folder: Path, tmp_path: Path) -> None:
    model = folder / "model.onnx"
    onnx.opened(model, tmp_path)
    [form] = tmp_path.glob("*.form")
    (form / onnx.GRAPH).write_bytes(b"another runtime's")
    refused = form.rename(form.with_name(f"{form.stem.rpartition('-')[0]}-{onnx._sum(form)}.form"))
    assert [one.name for one in onnx.opened(model, tmp_path).get_outputs()] == ["logits"]
    assert not refused.exists()
    assert len([*tmp_path.glob("*.form")]) == 1


def test_a_place_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="there is no such folder"):
        onnx_verifier(tmp_path / "nowhere", "passage", tmp_path)
