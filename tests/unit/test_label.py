"""`gate label`: people say of claims whether their verdicts are right, and nothing that they said is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import cli
from gate.cli.labelled_rows import read_rows
from gate.cli.labelling import LabelFile, most_informative
from gate.errors import InputError
from gate.reports import render
from gate.reports.model import Report, ReportReview
from gate.settings import Settings
from gate.trail.review_items import PersonDecision
from tests.entrance import Entrance
from tests.report_builders import PASSAGE, a_report

SENTENCES = [
    ("The sky is blue.", "supported"),
    ("Boats leave at ten.", "unsupported"),
    ("The harbour is old.", "unchecked"),
]
THRESHOLDS = (0.2, 0.5, 0.9)


def report(shares: dict[str, float | None] | None = None, **fields: Any) -> Report:
    """A report of three claims; `shares`: probability of `supported`, by claim."""
    made = a_report(SENTENCES)
    given = shares or {}
    claims = [
        one.model_copy(update={"scores": {} if (share := given.get(one.claim_id)) is None else {"supported": share}})
        for one in made.claims
    ]
    return made.model_copy(update={"claims": tuple(claims), **fields})


def written(made: Report, path: Path) -> Path:
    path.write_bytes(render(made, "json").data)
    return path


@pytest.fixture
def path(tmp_path: Path, entrance: Entrance) -> Path:
    entrance.use(Settings(model="local:lexical"))
    return written(report({"c0001": 0.99, "c0002": 0.48, "c0003": 0.7}), tmp_path / "report.json")


def run(keys: str, *arguments: object) -> Result:
    return CliRunner().invoke(cli.group, ["label", *map(str, arguments)], input=keys)


def test_labels_are_not_kept_in_a_report(path: Path, tmp_path: Path) -> None:
    kept = written(report(marks={"c0001": "supported"}), tmp_path / "labels.json")
    result = run("q", path, "-o", kept)
    assert (result.exit_code, result.output.count("\n")) == (2, 1)
    assert "name a file in .jsonl" in result.output


def labels(path: Path) -> dict[str, str]:
    return {row["claim_id"]: row["label"] for row in map(json.loads, path.read_text().splitlines())}


def test_each_key_gives_a_label_and_the_rows_are_those_that_evaluate_reads(path: Path, tmp_path: Path) -> None:
    output = tmp_path / "labels.jsonl"
    found = run("r2w3", path, "-o", output)
    assert found.exit_code == 0, found.output
    assert labels(output) == {"c0002": "unsupported", "c0001": "weakly_supported", "c0003": "unsupported"}
    rows = read_rows(output, output.read_text(), None, 0)
    assert {(row.run, row.of, row.documents) for row in rows} == {("a-run", 3, (PASSAGE,))}
    assert "3 labels given" in found.output


def test_the_claims_whose_label_teaches_most_come_first() -> None:
    made = report({"c0001": 0.99, "c0002": 0.35, "c0003": 0.52})
    assert [one.claim.claim_id for one in most_informative([made], THRESHOLDS)] == ["c0003", "c0001", "c0002"]
    objected = [
        one.model_copy(update={"checks": ({"name": "numbers", "passed": one.claim_id != "c0002", "detail": ""},)})
        for one in made.claims
    ]
    found = most_informative([made.model_copy(update={"claims": tuple(objected)})], THRESHOLDS)
    assert [one.claim.claim_id for one in found] == ["c0002", "c0003", "c0001"]


def test_a_claim_without_a_passage_comes_last_and_one_without_a_probability_before_it() -> None:
    made = report({"c0001": 0.99, "c0002": 0.48})
    bare = [one.model_copy(update={"passages": ()}) if one.claim_id == "c0002" else one for one in made.claims]
    found = most_informative([made.model_copy(update={"claims": tuple(bare)})], THRESHOLDS)
    assert [one.claim.claim_id for one in found] == ["c0001", "c0003", "c0002"]


@pytest.mark.parametrize("ends", ["q", "", "x?"])
def test_whoever_quits_loses_nothing_and_goes_on_where_the_labels_end(path: Path, tmp_path: Path, ends: str) -> None:
    output = tmp_path / "labels.jsonl"
    assert run(f"1{ends}", path, "-o", output).exit_code == 0
    assert labels(output) == {"c0002": "supported"}
    again = run("11", path, "-o", output)
    assert "2 claims to label, 1 labelled before" in again.output
    assert len(labels(output)) == 3


def test_back_changes_the_label_that_was_given(path: Path, tmp_path: Path) -> None:
    output = tmp_path / "labels.jsonl"
    found = run("1b3q", path, "-o", output)
    assert "you said supported" in found.output
    assert labels(output) == {"c0002": "unsupported"}


def test_a_claim_that_is_skipped_gets_no_label(path: Path, tmp_path: Path) -> None:
    output = tmp_path / "labels.jsonl"
    run("s1sq", path, "-o", output)
    assert labels(output) == {"c0001": "supported"} or labels(output) == {"c0003": "supported"}


def test_a_claim_without_a_verdict_cannot_be_called_right(tmp_path: Path, entrance: Entrance) -> None:
    entrance.use(Settings())
    made = written(report({"c0003": 0.5}), tmp_path / "r.json")
    found = run("r3q", made, "-o", tmp_path / "l.jsonl")
    assert "it has no verdict that could be right" in found.output
    assert labels(tmp_path / "l.jsonl") == {"c0003": "unsupported"}


def test_what_else_stands_in_the_file_stays(path: Path, tmp_path: Path) -> None:
    output = tmp_path / "labels.jsonl"
    other = {"claim": "Ünder \u2028 way.", "evidence": ["x"], "label": "supported"}
    output.write_text(json.dumps(other, ensure_ascii=False) + "\n", encoding="utf-8")
    run("1q", path, "-o", output)
    lines = [json.loads(line) for line in output.read_text(encoding="utf-8").split("\n") if line]
    assert lines[0] == other
    assert lines[1]["label"] == "supported"


def test_marks_in_a_report_become_nobody_else_s_labels(path: Path, tmp_path: Path) -> None:
    """Three reviewers who each run the command are no three votes for what one of them said."""
    file = tmp_path / "labels.jsonl"
    run("1q", path, "-o", file, "--mark", "--reviewer", "mallory")
    for reviewer in ("ann", "ben"):
        shown = run("q", path, "-o", file, "--reviewer", reviewer)
        assert "3 claims to label, 0 labelled before" in shown.output, "each without the others' labels"
    assert [json.loads(line)["reviewer"] for line in file.read_text().splitlines()] == ["mallory"]


def test_claims_that_a_review_has_marked_are_asked_for(path: Path, tmp_path: Path) -> None:
    """gate review labels has those marks, and whose they are."""
    said = PersonDecision(reviewer="mallory", outcome="pass", comment="", overrules=True, at="2026-11-23T09:00")
    asked = ReportReview(
        gate="review", state="decided", since="", until="", four_eyes=False, outcome="pass", decisions=(said,)
    )
    written(report({"c0002": 0.48}, review=asked, marks={"c0001": "unsupported"}), path)
    shown = run("q", path, "-o", tmp_path / "labels.jsonl", "--reviewer", "ann")
    assert "3 claims to label, 0 labelled before" in shown.output
    assert not (tmp_path / "labels.jsonl").exists()


def test_a_marked_report_is_a_set_of_labels_and_its_labels_count_as_given(path: Path, tmp_path: Path) -> None:
    run("12q", path, "-o", tmp_path / "labels.jsonl", "--mark")
    marked = Report.model_validate_json(path.read_bytes())
    assert set(marked.marks.values()) == {"supported", "weakly_supported"}
    assert [row.run for row in read_rows(path, path.read_text(), None, 0)] == ["a-run", "a-run"]
    again = run("q", path, "-o", tmp_path / "others.jsonl")
    assert "1 claim to label, 2 labelled before" in again.output
    assert labels(tmp_path / "others.jsonl") == marked.marks
    rows = [json.loads(line) for line in (tmp_path / "others.jsonl").read_text().splitlines()]
    assert {row["reviewer"] for row in rows} == {""}, "nobody who runs the command has said that"
    evaluated = CliRunner().invoke(cli.group, ["evaluate", str(path), "-q", "-f", "json"])
    assert json.loads(evaluated.output)["evaluations"][0]["claims"] == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is no report"),
        ("[]", "is no report"),
        (render(report(), "json").data.decode(), "nobody has marked this report"),
    ],
)
def test_json_that_is_no_marked_report_is_no_set_of_labels(content: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_rows(Path("r.json"), content, None, 0)


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "line 1: not JSON"), ('{"claim": "x"}', "line 1 lacks"), ("\ufeff[]", "line 1: is no JSON object")],
)
def test_a_file_that_holds_something_else_is_not_written_to(
    path: Path, tmp_path: Path, content: str, said: str
) -> None:
    output = tmp_path / "labels.jsonl"
    output.write_text(content, encoding="utf-8")
    found = run("1", path, "-o", output)
    assert (found.exit_code, said in found.output) == (2, True)
    assert output.read_text(encoding="utf-8") == content


def test_a_label_file_that_becomes_something_else_meanwhile_is_refused_in_one_line(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "labels.jsonl"
    kept = LabelFile.put

    def put(file: LabelFile, *given: Any) -> None:
        output.write_text("[1]", encoding="utf-8")
        kept(file, *given)

    monkeypatch.setattr(LabelFile, "put", put)
    found = run("1", path, "-o", output)
    assert (found.exit_code, "line 1: is no JSON object" in found.output) == (2, True)
    assert output.read_text(encoding="utf-8") == "[1]"


def test_labels_do_not_replace_the_report_that_they_are_of(path: Path) -> None:
    before = path.read_bytes()
    found = run("1", path, "-o", path)
    assert found.exit_code == 2
    assert path.read_bytes() == before


def test_what_a_claim_says_does_not_steer_the_terminal(tmp_path: Path, entrance: Entrance) -> None:
    entrance.use(Settings())
    made = report()
    hostile = made.claims[0].model_copy(update={"text": "\x1b[2Jgone\nnext"})
    found = run(
        "q",
        written(made.model_copy(update={"claims": (hostile, *made.claims[1:])}), tmp_path / "r.json"),
        "-o",
        tmp_path / "l",
    )
    assert "\x1b" not in found.output
    assert "gone next" in found.output


def test_labels_are_not_written_through_a_link_that_nobody_named(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout, outside = tmp_path / "checkout", tmp_path / "outside"
    checkout.mkdir()
    (checkout / "labels.jsonl").symlink_to(outside)
    monkeypatch.chdir(checkout)
    found = run("r", path)
    assert found.exit_code == 2, found.output
    assert "labels.jsonl: is no plain file" in found.output
    assert not outside.exists()
    assert run("rq", path, "-o", "labels.jsonl").exit_code == 0
    assert labels(outside)
