"""Findings that somebody answers for: only new ones fail, and what could not be told is never accepted."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import cli
from gate.errors import InputError
from gate.local.accepted_findings import (
    MOST_DAYS,
    Baseline,
    Objection,
    dump,
    findings,
    load,
    read,
    today,
    updated,
    weigh,
)
from gate.reports import render
from gate.reports.model import Report
from tests.report_builders import Sentence, a_report

TODAY = date(2026, 3, 1)
BLUE: Sentence = ("The sky is blue.", "supported")
GREEN: Sentence = ("The sky is  green.", "unsupported")
RED: Sentence = ("The sky is red.", "unsupported")


def accepting(*reports: Report, baseline: Baseline | None = None, days: int = 30, today: date = TODAY) -> Baseline:
    known = baseline or Baseline()
    return updated(known, reports, reason="ticket 12", owner="jane", days=days, today=today).baseline


def test_what_is_accepted_passes_and_what_is_new_fails() -> None:
    accepted = accepting(a_report([BLUE, GREEN]))
    assert weigh(a_report([BLUE, GREEN]), accepted, TODAY).outcome == "pass"
    found = weigh(a_report([BLUE, GREEN, RED]), accepted, TODAY)
    assert (found.outcome, found.new) == ("block", (Objection("answer.md", "unsupported", "The sky is red."),))
    assert [each.about for each in found.accepted] == ["The sky is green."]


def test_a_finding_is_another_one_in_another_answer_or_when_something_else_is_found() -> None:
    accepted = accepting(a_report([BLUE, GREEN]))
    elsewhere = a_report([BLUE, GREEN]).model_copy(update={"name": "other.md"})
    assert weigh(elsewhere, accepted, TODAY).outcome == "block"
    weak = accepting(a_report([BLUE, (GREEN[0], "weakly_supported")]))
    assert weigh(a_report([BLUE, GREEN]), weak, TODAY).outcome == "block"


def test_a_finding_is_accepted_to_the_end_of_its_day() -> None:
    accepted = accepting(a_report([BLUE, GREEN]), days=30)
    assert weigh(a_report([BLUE, GREEN]), accepted, date(2026, 3, 31)).outcome == "pass"
    late = weigh(a_report([BLUE, GREEN]), accepted, date(2026, 4, 1))
    assert (late.outcome, len(late.new), len(late.expired)) == ("block", 1, 1)


def test_what_could_not_be_checked_or_concerns_the_whole_answer_is_never_accepted() -> None:
    unchecked = a_report([BLUE, ("The sky is wide.", "unchecked")])
    assert not findings(unchecked)
    forged = {"answer": "answer.md", "found": "unchecked", "about": "The sky is wide.", "reason": "r", "owner": "o"}
    held = Baseline.model_validate({"accepted": [{**forged, "expires": TODAY}]})
    assert weigh(unchecked, held, TODAY).outcome == "review"
    whole: dict[str, Any] = {"rule": "grounding", "outcome": "review", "message": "", "claims": [], "evidence": []}
    report = a_report([BLUE, GREEN])
    assert report.decision is not None
    decision = {**report.decision, "reasons": [*report.decision["reasons"], whole]}
    accepted = accepting(report)
    assert weigh(report.model_copy(update={"decision": decision}), accepted, TODAY).outcome == "review"
    failed = report.model_copy(update={"outcome": "error", "decision": None})
    assert weigh(failed, accepted, TODAY).outcome == "error"


def test_a_baseline_never_makes_an_outcome_graver() -> None:
    report = a_report([BLUE, GREEN])
    milder = report.model_copy(update={"outcome": "review"})
    assert weigh(milder, Baseline(), TODAY).outcome == "review"


def test_an_update_keeps_what_was_said_renews_what_is_over_and_drops_what_is_mended() -> None:
    first = accepting(a_report([BLUE, GREEN, RED]))
    other = accepting(a_report([GREEN]).model_copy(update={"name": "other.md"}), baseline=first)
    later = updated(other, [a_report([BLUE, RED])], reason="still open", owner="joe", days=10, today=date(2026, 3, 20))
    assert [(each.answer, each.about) for each in later.gone] == [("answer.md", "The sky is green.")]
    assert {each.answer: each.owner for each in later.baseline.accepted} == {"answer.md": "jane", "other.md": "jane"}
    over = updated(other, [a_report([BLUE, RED])], reason="again", owner="joe", days=10, today=date(2026, 5, 1))
    assert [(each.about, each.owner, each.expires) for each in over.renewed] == [
        ("The sky is red.", "joe", date(2026, 5, 11))
    ]


def test_a_baseline_is_read_as_it_was_written_whatever_a_claim_says() -> None:
    odd: Sentence = ('The key "a": is \\ #1 \u2028 {x}.', "unsupported")
    accepted = accepting(a_report([BLUE, odd]))
    assert load(dump(accepted)) == accepted
    assert load(dump(Baseline())) == Baseline()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("accepted: 3", "accepted"),
        ("accepted: [{answer: a}]", "accepted.0"),
        (dump(accepting(a_report([GREEN]))).replace('owner: "jane"', 'owner: " "'), "owner"),
        (dump(accepting(a_report([GREEN]))).replace('"2026-03-31"', '"never"'), "expires"),
        ("- a", "dict"),
    ],
)
def test_what_is_no_baseline_is_refused_and_says_where(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        load(text)


def test_a_baseline_accepts_for_a_year_at_most_whoever_wrote_it(tmp_path: Path) -> None:
    file = tmp_path / "baseline.yaml"
    file.write_text(dump(accepting(a_report([GREEN, RED]), days=MOST_DAYS, today=today())), "utf-8")
    assert len(read(file).accepted) == 2
    file.write_text(dump(accepting(a_report([GREEN, RED]), days=MOST_DAYS + 1, today=today())), "utf-8")
    with pytest.raises(InputError, match=r"baseline\.yaml: accepted\.0\.expires: .* a year at most"):
        read(file)


def test_no_baseline_is_made_of_a_report_whose_reasons_name_claims_that_it_does_not_hold(tmp_path: Path) -> None:
    report = a_report([BLUE, GREEN])
    cut = report.model_copy(update={"claims": report.claims[:1]})
    (tmp_path / "report.json").write_bytes(render(cut, "json").data)
    found = run(
        "baseline", "update", str(tmp_path / "report.json"), "--baseline", str(tmp_path / "b.yaml"),
        "--owner", "a", "--reason", "b",
    )  # fmt: skip
    assert (found.exit_code, "report.json: is no report" in found.stderr) == (2, True)
    assert not (tmp_path / "b.yaml").exists()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, list(arguments))


def test_a_baseline_is_not_written_through_a_link_that_nobody_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout, outside = tmp_path / "checkout", tmp_path / "new" / "evil.yaml"
    checkout.mkdir()
    monkeypatch.chdir(checkout)
    (checkout / "report.json").write_bytes(render(a_report([GREEN]), "json").data)
    (checkout / "gate-baseline.yaml").symlink_to(outside)
    update = ("baseline", "update", "report.json", "--owner", "jane", "--reason", "ticket 12")
    found = run(*update)
    assert (found.exit_code, outside.parent.exists()) == (2, False)
    assert found.stderr.splitlines() == [
        "gate: gate-baseline.yaml: is no plain file",
        "hint: --baseline gate-baseline.yaml writes to where it leads",
    ]
    assert run(*update, "--baseline", "gate-baseline.yaml").exit_code == 0
    assert outside.is_file()


def test_the_command_accepts_shows_and_checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.jsonl").write_text('{"text": "The lamp weighs 200 g."}\n', encoding="utf-8")
    (tmp_path / "answer.md").write_text("The lamp weighs 900 g.", encoding="utf-8")
    check = ("check", "answer.md", "--corpus", "corpus.jsonl", "-q")
    assert run(*check, "-o", "report.json").exit_code == 1
    done = run("baseline", "update", "report.json", "--owner", "jane", "--reason", "ticket 12")
    assert done.output.startswith("+ answer.md: unsupported: The lamp weighs 900 g.\n")
    held = run(*check, "--baseline", "gate-baseline.yaml")
    assert held.exit_code == 0
    assert "answer.md: baseline: pass: 1 accepted, 0 new" in held.stderr
    (tmp_path / "answer.md").write_text("The lamp weighs 900 g. It is made of oak.", encoding="utf-8")
    more = run(*check, "--baseline", "gate-baseline.yaml")
    assert (more.exit_code, "It is made of oak." in more.stderr.partition("new: ")[2]) == (1, True)
    assert "jane  answer.md: unsupported: The lamp weighs 900 g." in run("baseline", "show").output


def test_a_baseline_lying_about_is_not_read_and_one_that_is_missing_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.jsonl").write_text('{"text": "The lamp weighs 200 g."}\n', encoding="utf-8")
    (tmp_path / "answer.md").write_text("The lamp weighs 900 g.", encoding="utf-8")
    check = ("check", "answer.md", "--corpus", "corpus.jsonl", "-q")
    run(*check, "-o", "report.json")
    run("baseline", "update", "report.json", "--owner", "jane", "--reason", "ticket 12")
    assert run(*check).exit_code == 1
    missing = run(*check, "--baseline", "other.yaml")
    assert (missing.exit_code, "other.yaml: no such file" in missing.stderr) == (2, True)
    over = run(*check, "-o", "gate-baseline.yaml", "-f", "json", "--baseline", "gate-baseline.yaml")
    assert (over.exit_code, "would be replaced" in over.stderr) == (2, True)
    (tmp_path / "r.json").write_bytes(render(a_report(), "table").data)
    bad = run("baseline", "update", "r.json", "--owner", "jane", "--reason", "r")
    assert (bad.exit_code, "r.json: is no report" in bad.stderr) == (2, True)
