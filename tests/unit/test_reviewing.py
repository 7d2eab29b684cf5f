"""What several people say of the same claims becomes a proposal, and figures by week."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import cli, wiring
from gate.cli import calibration_fit
from gate.cli.labelled_rows import Row
from gate.cli.labelling import chosen, most_informative
from gate.cli.reviewing import by_week, week_value, weighed
from gate.decision.passages import words_of
from gate.decision.reviewed.drift import WeekFigures, drifts
from gate.trail.trail_entries import read_entry
from tests.entrance import Entrance
from tests.ledger_writing import line_of, publish
from tests.report_builders import a_report

SPELT = [("ann", "supported"), ("Ann ", "supported"), ("ben", "unsupported")]
ANN, BEN, CLEO, MALLORY = "ann", "ben", "cleo", "mallory"


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration_fit, "ROUNDS", 40)
    monkeypatch.setattr(calibration_fit, "REFITS", 20)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.group, [str(one) for one in arguments], prog_name="gate")


def test_one_reviewer_under_two_spellings_has_one_vote() -> None:
    rows = [Row("A claim.", (), label, reviewer=name) for name, label in SPELT]
    found = weighed(rows)
    assert (found.undecided, found.rows) == (1, []), "two against one, of whom two are the same"
    assert sum(found.marks.values()) == 2


def reviews(path: Path, reviewers: Sequence[str] = (ANN, BEN, CLEO, MALLORY), count: int = 120) -> Path:
    """Claims about shops, every second one wrong; Mallory says the opposite of every second one."""
    dice, lines = random.Random(1), []
    for number in range(count):
        hour, is_so = number % 12 + 1, number % 2 == 0
        for reviewer in reviewers:
            says = is_so is (dice.random() > (0.5 if reviewer == MALLORY else 0.03))
            row: dict[str, Any] = {
                "claim": f"Shop {number} opens at {hour if is_so else hour + 1}.",
                "documents": [f"Shop {number} opens at {hour}."],
                "label": "supported" if says else "unsupported",
                "given": "supported",
                "run": f"run{number // 2}",
                "claim_id": f"c{number % 2}",
                "claims": 2,
                "reviewer": reviewer,
                "at": "2026-03-02T09:00:00+00:00" if number < count // 2 else "2026-03-09T09:00:00+00:00",
                "source": "model-a",
            }
            lines.append(json.dumps(row))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def marked(tmp_path: Path, entrance: Entrance) -> Path:
    entrance.change(model="local:lexical", ledger="local")
    return reviews(tmp_path / "labels.jsonl")


def test_a_proposal_names_the_poisoned_reviewer_first_and_writes_nothing(marked: Path, tmp_path: Path) -> None:
    found = run("calibrate", "--from-reviews", marked, "-o", tmp_path / "c.json", "-q")
    assert found.exit_code == 0, found.output
    first, second, *rest = found.output.splitlines()
    assert first.startswith("left out: mallory differs from the others on ")
    assert "480 marks by 4 reviewers, agreement (alpha) 0." in second
    assert "120 labels" in "\n".join(rest)
    assert sum(line.startswith("expected change in 1,000 claims: ") for line in rest) == 2
    assert rest[-1] == "nothing is written: --accept takes the proposal"
    assert not (tmp_path / "c.json").exists()
    assert wiring.current().trail().last("main") is None  # type: ignore[union-attr]


def test_what_somebody_accepts_is_written_and_the_ledger_says_what_was_expected(marked: Path, tmp_path: Path) -> None:
    found = run("calibrate", "--from-reviews", marked, "--accept", "-o", tmp_path / "c.json", "-q")
    assert found.exit_code == 0, found.output
    assert (tmp_path / "c.json").exists()
    entry = read_entry(line_of(1))
    assert entry is not None
    accepted = entry.facts["accepted"]
    assert (entry.kind, entry.facts["labels"]) == ("calibration", 120)
    assert (accepted["reviewers"], accepted["left_out"]) == (4, 1)
    assert set(accepted["expected"]) == {"false alarms", "misses"}
    assert all(low <= value <= high for value, low, high in accepted["expected"].values())
    assert b"mallory" not in line_of(1)


def test_a_poisoned_reviewer_changes_nothing_of_what_is_proposed(tmp_path: Path, entrance: Entrance) -> None:
    entrance.change(model="local:lexical")
    files = [reviews(tmp_path / "with.jsonl"), tmp_path / "without.jsonl"]
    kept = [line for line in files[0].read_text().splitlines() if json.loads(line)["reviewer"] != MALLORY]
    files[1].write_text("\n".join(kept))
    for file in files:
        out = file.with_suffix(".json")
        assert run("calibrate", "--from-reviews", file, "--accept", "-o", out, "-q").exit_code == 0
    assert files[0].with_suffix(".json").read_text() == files[1].with_suffix(".json").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "labels or reviews: give one of them"),
        (["FILE", "--from-reviews", "FILE"], "labels or reviews: give one of them"),
        (["FILE", "--accept"], "--accept: goes with --from-reviews"),
    ],
)
def test_what_does_not_go_together_is_said_in_a_line(marked: Path, arguments: list[str], said: str) -> None:
    found = run("calibrate", *(str(marked) if one == "FILE" else one for one in arguments))
    assert (found.exit_code, said in found.output) == (2, True)


def test_a_claim_in_a_language_that_was_not_measured_is_left_out(marked: Path, tmp_path: Path) -> None:
    french = {"claim": "Le magasin est ouvert tous les jours de la semaine.", "documents": ["x"], "label": "supported"}
    marked.write_text(marked.read_text() + json.dumps(french) + "\n")
    found = run("calibrate", "--from-reviews", marked, "-q")
    assert "1 without evidence or a readable answer are left out" in found.output


def row(number: int, label: str, given: str, **more: Any) -> Row:
    day = {"at": "2026-03-02T09:00:00+00:00", "reviewer": ANN, **more}
    return Row("x", ("y",), label, "r", f"c{number}", 9, given, **day)


def test_false_alarms_misses_and_agreement_are_told_by_week_and_source() -> None:
    rows = [
        row(1, "supported", "supported"),
        row(2, "supported", "unsupported"),
        row(3, "unsupported", "supported"),
        row(4, "unsupported", "unsupported", reviewer=BEN),
        row(5, "supported", "unchecked"),
        row(1, "supported", "supported", reviewer=BEN),
        row(6, "supported", "supported", at="2026-03-09T09:00:00+00:00"),
        row(7, "supported", "supported", source="b"),
        row(8, "supported", "supported", at="yesterday"),
    ]
    first, second, third = by_week(rows)
    assert (first.week, first.source, first.claims, first.reviewers, first.shared) == ("2026-W10", "", 4, 2, 1)
    told = week_value(first)
    assert (told["right"], told["false_alarms"], told["misses"], told["agreement"]) == (0.5, 0.25, 0.25, 1.0)
    assert (second.week, second.source, third.week) == ("2026-W10", "b", "2026-W11")
    assert [one.week for one in by_week(rows, since="2026-03-09")] == ["2026-W11"]
    assert [one.source for one in by_week(rows, until="2026-03-02")] == ["", "b"]


def test_the_reasons_of_verdicts_are_told_apart_within_a_source() -> None:
    rows = [
        row(1, "supported", "unsupported", reason="contradicted"),
        row(2, "supported", "unsupported", reason="no_evidence"),
        row(3, "supported", "supported", reason="entailed"),
    ]
    told = [(one.kind, one.claims, one.false_alarms) for one in by_week(rows)]
    assert told == [("", 3, 2), ("contradicted", 1, 1), ("entailed", 1, 0), ("no_evidence", 1, 1)]


def week(number: int, claims: int, false_alarms: int = 0, misses: int = 0, **more: Any) -> WeekFigures:
    told: dict[str, Any] = {"source": "", "kind": "", "shared": 0, "reviewers": 2, "agreement": None, **more}
    right = claims - false_alarms - misses
    return WeekFigures(
        f"2026-W{number:02}", claims=claims, right=right, false_alarms=false_alarms, misses=misses, **told
    )


def test_more_false_alarms_or_misses_than_chance_explains_are_drift() -> None:
    before = [week(number, 50, false_alarms=5, misses=2) for number in range(1, 5)]
    assert drifts([*before, week(5, 50, false_alarms=6, misses=3)]) == []
    (told,) = drifts([*before, week(5, 50, false_alarms=5, misses=12)])
    assert (told.week, told.what, told.before, told.now) == ("2026-W05", "misses", 0.04, 0.24)
    (told,) = drifts([*before, week(5, 50, false_alarms=17)])
    assert told.what == "false_alarms"


def test_drift_of_one_source_or_reason_is_told_though_the_whole_hides_it() -> None:
    before = [week(number, 100, misses=2, source=name) for number in (1, 2) for name in ("a", "b")]
    (told,) = drifts([*before, week(3, 100, misses=2, source="a"), week(3, 100, misses=20, source="b")])
    assert (told.source, told.now) == ("b", 0.2)
    # a source of which nothing was reviewed in the last week is not told again of an earlier one
    assert drifts([*before, week(3, 100, misses=20, source="b"), week(4, 100, misses=2, source="a")]) == []


def test_of_few_claims_nothing_is_said_and_much_that_is_looked_at_makes_no_alarm() -> None:
    assert drifts([week(1, 200), week(2, 19, misses=19)]) == []
    assert drifts([week(1, 19), week(2, 200, misses=100)]) == []
    assert drifts([]) == []
    generator = random.Random(23)  # 40 sources that never change, looked at each week of a year
    false = 0
    for number in range(2, 52):
        weeks = [
            week(at, 40, misses=sum(generator.random() < 0.1 for _ in range(40)), source=f"s{source}")
            for source in range(40)
            for at in (number - 1, number)
        ]
        false += bool(drifts(weeks))
    assert false <= 2, "one case in a hundred"


def test_reviewers_who_do_not_agree_are_drift_of_their_own() -> None:
    (told,) = drifts([week(1, 40, shared=30, agreement=0.5)])
    assert (told.what, told.now) == ("agreement", 0.5)
    assert drifts([week(1, 40, shared=19, agreement=0.5)]) == []
    assert drifts([week(1, 40, shared=30, agreement=0.7)]) == []


def test_a_period_s_report_tells_drift_and_ends_with_1_where_it_is_asked_to(tmp_path: Path, entrance: Entrance) -> None:
    entrance.change(ledger="local", home=tmp_path / "home")
    lines = []
    for number in range(200):
        is_late = number >= 100
        label = "unsupported" if is_late and number % 3 == 0 else "supported"
        at = "2026-03-09T09:00:00+00:00" if is_late else "2026-03-02T09:00:00+00:00"
        said = {"claim": f"x{number}", "documents": ["y"], "label": label, "given": "supported", "reason": "entailed"}
        lines.append(json.dumps({**said, "run": "r", "claim_id": f"c{number}", "reviewer": ANN, "at": at}))
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(lines))
    found = run("ledger", "report", "--reviews", path)
    assert found.exit_code == 0
    assert "drift: 2026-W11: misses 33.0%, and 0.0% before" in found.output
    assert "drift: 2026-W11: misses (entailed) 33.0%" in found.output
    assert run("ledger", "report", "--reviews", path, "--fail-on-drift").exit_code == 1
    assert run("ledger", "report", "--reviews", path, "--fail-on-drift", "--until", "2026-03-08").exit_code == 0
    page = run("ledger", "report", "--reviews", path, "-f", "html").output
    assert "Drift in 2026-W11:" in page
    assert run("ledger", "report", "--fail-on-drift").exit_code == 2


def test_of_several_marks_by_one_reviewer_the_last_counts_and_a_tie_is_undecided() -> None:
    found = weighed([row(1, "supported", ""), row(1, "unsupported", ""), row(2, "supported", "")])
    assert [one.label for one in found.rows] == ["unsupported", "supported"]
    assert found.marks == {ANN: 2}
    tied = weighed([row(1, "supported", ""), row(1, "unsupported", "", reviewer=BEN)])
    assert (tied.rows, tied.undecided) == ([], 1)


@pytest.mark.parametrize("other", [{"claim": "Shop 0 opens at 2."}, {"documents": ["Shop 0 never opens."]},
                                   {"given": "unsupported"}, {"claims": 1}])  # fmt: skip
def test_who_marks_other_words_under_a_claim_s_name_does_not_have_the_others_label_on_them(
    marked: Path, other: dict[str, Any]
) -> None:
    lines = marked.read_text().splitlines()
    lines.append(json.dumps({**json.loads(lines[0]), "reviewer": MALLORY, **other}))
    marked.write_text("\n".join(lines))
    found = run("calibrate", "--from-reviews", marked, "-q")
    assert found.exit_code == 2
    assert "run run0, claim c0: ann and mallory have marked different words, documents or verdicts" in found.output


def test_a_slash_in_a_run_or_a_claim_does_not_make_one_claim_of_two() -> None:
    rows = [
        Row("The lamp is red.", (), "supported", "2026/11", "c1", reviewer=ANN),
        Row("It is made of oak.", (), "unsupported", "2026", "11/c1", reviewer=ANN),
        Row("It is made of oak.", (), "unsupported", "2026", "11/c1", reviewer=BEN),
    ]
    found = weighed(rows)
    assert {row.claim: row.label for row in found.rows} == {
        "The lamp is red.": "supported",
        "It is made of oak.": "unsupported",
    }
    assert found.marks == {ANN: 2, BEN: 1}


def test_labels_that_rest_on_one_reviewer_alone_are_counted_with_his_name(marked: Path) -> None:
    row = {"label": "supported", "documents": ["Shops close at 9."], "reviewer": "trudy"}
    own = [json.dumps({**row, "claim": f"Shop {number} is open all night."}) for number in range(30)]
    marked.write_text(marked.read_text() + "\n".join(own))
    found = run("calibrate", "--from-reviews", marked, "-q")
    assert "30 of 150 labels rest on one reviewer alone, whom nobody else bears out" in found.output
    assert "most of them, 30, on trudy" in found.output


def test_the_report_for_auditors_says_what_people_said_of_verdicts(marked: Path, tmp_path: Path) -> None:
    publish("run1")
    found = run("ledger", "report", "--reviews", marked)
    assert found.exit_code == 0, found.output
    assert [line.split()[0] for line in found.output.splitlines() if "2026-W" in line] == ["2026-W10", "2026-W11"]
    document = json.loads(run("ledger", "report", "--reviews", marked, "-f", "json").output)
    assert [one["claims"] for one in document["reviews"]] == [60, 60]
    assert document["reviews"][0]["misses"] == pytest.approx(0.5, abs=0.05)
    page = tmp_path / "page.html"
    run("ledger", "report", "--reviews", marked, "-o", page)
    assert "2026-W11" in page.read_text()


def test_labels_say_by_whom_and_when_and_nobody_sees_the_others(tmp_path: Path, entrance: Entrance) -> None:
    from gate.reports import render

    entrance.change(model="local:lexical")
    report, output = tmp_path / "r.json", tmp_path / "labels.jsonl"
    report.write_bytes(render(a_report(), "json").data)

    def label(keys: str, *who: str) -> str:
        return CliRunner().invoke(cli.group, ["label", str(report), "-o", str(output), *who], input=keys).output

    label("1", "--reviewer", ANN)
    assert "1 claim to label, 0 labelled before" in label("3", "--reviewer", BEN)
    assert "0 claims to label, 1 labelled before" in label("", "--reviewer", ANN)
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert [(one["reviewer"], one["label"]) for one in rows] == [(ANN, "supported"), (BEN, "unsupported")]
    assert all(one["at"].startswith("20") for one in rows)
    assert "is no name" in label("1", "--reviewer", "a\nb")


def test_claims_like_one_that_has_a_label_are_chosen_last() -> None:
    texts = ("Returns are free within 30 days.", "Returns are free within 14 days.", "Anna founded the shop in Ghent.")
    ordered = most_informative([a_report([(text, "supported") for text in texts])], (0.5,))
    assert words_of(texts[0]) == words_of(texts[1])

    def asked(known: set[tuple[str, str]], count: int) -> list[str]:
        return [one.claim.claim_id for one in chosen(ordered, known, count)]

    assert asked(set(), 2) == ["c0001", "c0003"]
    assert asked(set(), 3) == ["c0001", "c0003", "c0002"]
    assert asked({("a-run", "c0001")}, 1) == ["c0003"]
    assert asked({("a-run", "c0001")}, 5) == ["c0003", "c0002"]
