"""`gate evaluate` on small labelled sets."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate.cli import group
from gate.cli.labelled_rows import Prices, Row, read_rows, reordered
from gate.decision.metrics import Prediction
from gate.errors import InputError
from gate.reports.overviews.evaluation import Evaluation, as_html, as_table
from gate.settings import Settings
from tests.entrance import Entrance

BRIDGE = "The Hollow Bridge spans the Rhine near Basel and was opened by the mayor in 1901."
ROWS: list[dict[str, Any]] = [
    {"claim": "The Hollow Bridge spans the Rhine near Basel.", "evidence": [BRIDGE], "label3": "supported"},
    {"claim": "The Hollow Bridge was opened in 1901.", "evidence": BRIDGE, "label": "supported"},
    {"claim": "The harbour of Busan closed.", "documents": [{"content": BRIDGE}, "It rained."], "label": "unsupported"},
    {"claim": "Nobody wrote about this.", "documents": [], "label": "unsupported"},
]


@pytest.fixture
def lexical(entrance: Entrance) -> None:
    entrance.use(Settings(model="local:lexical"))


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(group, ["evaluate", *map(str, arguments)])


@pytest.mark.usefixtures("lexical")
def test_every_claim_is_judged_and_every_figure_has_an_interval(tmp_path: Path) -> None:
    result = run(write(tmp_path / "set.jsonl", ROWS), "-f", "json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.output)["evaluations"][0]
    assert found["claims"] == 4
    assert sum(sum(row.values()) for row in found["confusion"].values()) == 4
    assert found["model"].startswith("local-lexical/")
    for figure in found["figures"].values():
        assert figure["low"] <= figure["value"] <= figure["high"]


@pytest.mark.usefixtures("lexical")
def test_asking_a_deterministic_verifier_again_flips_nothing(tmp_path: Path) -> None:
    result = run(write(tmp_path / "set.jsonl", ROWS), "-f", "json")
    flips = json.loads(result.output)["evaluations"][0]["flips"]
    assert flips["repeated"] == {"share": 0.0, "claims": 4}
    assert "reordered" in flips


@pytest.mark.usefixtures("lexical")
def test_the_page_is_written_and_needs_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    result = run(write(tmp_path / "set.jsonl", ROWS), "-o", page)
    assert result.exit_code == 0, result.output
    text = page.read_text(encoding="utf-8")
    assert "AUROC" in result.output
    assert text.count("<svg") == 3
    assert "src=" not in text
    assert "http://" not in text.replace("http://www.w3.org", "")


@pytest.mark.usefixtures("lexical")
def test_a_kind_of_source_reaches_the_verifier(tmp_path: Path) -> None:
    result = run(write(tmp_path / "set.jsonl", ROWS), "-f", "json", "--source-kind", "article")
    assert "(article" in json.loads(result.output)["evaluations"][0]["model"]
    assert run(write(tmp_path / "set.jsonl", ROWS), "--source-kind", "blog").exit_code == 2


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 1: not JSON"),
        ("[" * 100_000, "line 1: nested far too deep"),
        (
            '{"claim": "half \\ud800", "label": "supported", "evidence": ["x"]}',
            "line 1: claim: holds half of a surrogate",
        ),
        ('{"claim": "x", "label": "supported", "evidence": ["x"], "label": "unsupported"}', "the same key twice"),
        ("[]", "line 1: is no JSON object"),
        ('{"claim": "x", "label": "supported"}', "line 1 lacks"),
        ('{"claim": "x", "evidence": [], "label": "SUPPORTS"}', "none of the three"),
        ('{"claim": " ", "evidence": [], "label": "supported"}', "empty"),
        ("", "no labelled claims"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(line: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_rows(Path("set.jsonl"), line, None, 1)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"documents": "xyz"}, "documents"),
        ({"documents": {"a": "b"}}, "documents"),
        ({"documents": ["fine", 1]}, "documents.1"),
        ({"documents": ["fine", ["a", "b"]]}, "documents.1"),
        ({"documents": [{"content": 5}]}, "documents.0"),
        ({"documents": [{"text": "a"}]}, "documents.0"),
        ({"evidence": {"a": "b"}}, "evidence"),
        ({"evidence": [1]}, "evidence.0"),
        ({"claim": 5}, "claim"),
        ({"label": ["supported"]}, "label"),
        ({"label3": 1}, "label3"),
        ({"claims": "3"}, "claims"),
        ({"claims": True}, "claims"),
        ({"claims": -1}, "claims"),
        *(({name: 5}, name) for name in ("run", "claim_id", "given", "reviewer", "at", "source", "reason")),
    ],
)
def test_a_field_of_another_type_is_named_with_its_line(wrong: dict[str, Any], field: str) -> None:
    row = {"claim": "The lamp is red.", "label": "supported", "evidence": ["It is red."], **wrong}
    with pytest.raises(InputError, match=rf"^set\.jsonl: line 2: {re.escape(field)}: "):
        read_rows(Path("set.jsonl"), f"\n{json.dumps(row)}", None, 1)


def test_a_field_that_is_null_is_not_there() -> None:
    row = {"claim": "c", "label3": None, "label": "supported", "documents": None, "evidence": "e", "run": None}
    assert read_rows(Path("s"), json.dumps(row), None, 1) == [Row("c", ("e",), "supported")]


def test_a_missing_file_is_bad_input(tmp_path: Path) -> None:
    assert run(tmp_path / "nowhere.jsonl").exit_code == 2


def test_reordering_keeps_the_texts() -> None:
    assert reordered(Row("c", ("a", "b"), "supported")).documents == ("b", "a")
    assert reordered(Row("c", ("One is. Two is.",), "supported")).documents == ("Two is.\nOne is.",)


def test_a_draw_is_the_same_each_time() -> None:
    text = "\n".join(json.dumps({**ROWS[0], "claim": f"Claim {number}."}) for number in range(50))
    assert read_rows(Path("s"), text, 10, 7) == read_rows(Path("s"), text, 10, 7)


def test_cost_is_known_only_with_a_price() -> None:
    tokens = {"input": 2_000_000, "output": 500_000}
    assert Prices(3, 15).of(tokens) == pytest.approx(13.5)
    assert Prices().of(tokens) is None


def test_unchecked_claims_are_counted_and_names_are_escaped() -> None:
    judged = [Prediction("supported", "unsupported", {})]
    one = Evaluation("<set>", "m", judged, unchecked=1, cpu_ms=1, wall_ms=1, tokens={"input": 0, "output": 0})
    assert as_table([one]).splitlines()[2].rstrip(" |").endswith("1")
    assert "<set>" not in as_html([one])


def test_a_table_in_a_terminal_names_the_verifier_as_it_is_called() -> None:
    judged = [Prediction("supported", "supported", {})]
    tokens = {"input": 0, "output": 0}
    one = Evaluation("set_1 (a).jsonl", "reader/3 (passage)", judged, unchecked=0, cpu_ms=1, wall_ms=1, tokens=tokens)
    table = as_table([one])
    assert "judged by reader/3 (passage); in" in table
    assert "| set_1 (a).jsonl |" in table


@pytest.mark.parametrize(("claims", "says"), [(1, "1 claim tells nothing yet"), (99, "99 claims tell"), (100, "")])
def test_too_few_claims_are_said_to_tell_nothing(claims: int, says: str) -> None:
    judged = [Prediction("supported", "supported", {"supported": 0.9})] * claims
    one = Evaluation("set.jsonl", "m", judged, 0, 1.0, 1.0, {"input": 0, "output": 0})
    for shown in (as_table([one]), as_html([one])):
        assert ("nothing yet" in shown) == bool(says)
        assert says in shown


@pytest.mark.usefixtures("lexical")
def test_two_verifiers_are_compared_on_the_same_claims_in_pairs(tmp_path: Path) -> None:
    file = write(tmp_path / "set.jsonl", ROWS)
    result = run(file, "--compare", "local:lexical", "local:lexical", "-f", "json", "-q")
    assert result.exit_code == 0, result.output
    [found] = json.loads(result.output)["comparisons"]
    assert (found["claims"], [one["given"] for one in found["verifiers"]]) == (4, ["local:lexical"] * 2)
    for figures in found["figures"].values():
        assert figures["first"] == figures["second"]
        assert (figures["difference"]["low"], figures["difference"]["high"]) == (0.0, 0.0)
    table = run(file, "--compare", "local:lexical", "local", "-q").output
    assert "accuracy" in table
    assert "for each claim" in table


@pytest.mark.usefixtures("lexical")
def test_a_comparison_with_what_is_no_verifier_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "set.jsonl", ROWS)
    for other, said in (("magic:x", "'magic:x' is not known"), (str(tmp_path / "none.json"), "GATE_CALIBRATION")):
        result = run(file, "--compare", "local:lexical", other, "-q")
        assert (result.exit_code, said in result.output.replace("\n", "")) == (2, True)
    page = run(file, "--compare", "local:lexical", "local", "-f", "html", "-q")
    assert (page.exit_code, "has no page" in page.output) == (2, True)
