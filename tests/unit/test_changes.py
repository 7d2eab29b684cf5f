"""What changed between two reports, why, and what a CI is told of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import cli
from gate.reports.model import Failed, Report
from gate.reports.overviews.changes import Changes, changes, paired
from gate.reports.overviews.changes_shown import as_html, as_json, as_markdown, as_table
from tests.hostile_text import FORBIDDEN, NASTY
from tests.report_builders import PASSAGE, a_report

SKY, BOATS = ("The sky is blue.", "supported"), ("Boats leave at nine.", "supported")


def with_claim(report: Report, number: int, **fields: Any) -> Report:
    claims = list(report.claims)
    claims[number] = claims[number].model_copy(update=fields)
    return report.model_copy(update={"claims": tuple(claims)})


def why(found: Changes) -> str:
    return " ".join(found.claims[0].why)


def test_the_same_report_has_no_changes() -> None:
    found = changes(a_report([SKY, BOATS]), a_report([SKY, BOATS]))
    assert (found.any, found.worse, found.same, found.claims, found.causes) == (False, False, 2, (), ())


def test_claims_that_came_went_changed_and_were_reworded_are_told_apart() -> None:
    before = a_report([SKY, ("Boats leave the harbour at nine.", "supported"), ("Fish swim.", "supported"), BOATS])
    now = a_report(
        [("The sky is blue.", "unsupported"), ("Boats leave the harbour at ten.", "unsupported"), BOATS,
         ("Gulls eat bread.", "unsupported")]
    )  # fmt: skip
    found = changes(before, now)
    assert [(one.kind, one.claim.text) for one in found.claims] == [
        ("changed", "The sky is blue."),
        ("reworded", "Boats leave the harbour at ten."),
        ("new", "Gulls eat bread."),
        ("gone", "Fish swim."),
    ]
    assert [one.worse for one in found.claims] == [True, True, True, False]
    assert found.claims[1].before is not None
    assert found.claims[1].before.text == "Boats leave the harbour at nine."
    assert found.same == 1


def test_a_claim_elsewhere_in_the_answer_is_no_rewording() -> None:
    one, other = ("Boats leave at nine today.", "supported"), ("Boats leave at ten today.", "supported")
    found = changes(a_report([one, SKY]), a_report([SKY, other]))
    assert sorted(each.kind for each in found.claims) == ["gone", "new"]


def test_a_passage_that_says_something_else_is_why() -> None:
    found = changes(
        a_report([BOATS]), a_report([("Boats leave at nine.", "unsupported")], passage="Boats leave at ten.")
    )
    assert "the passage “Harbour guide › Weather” says something else than before" in why(found)


def test_a_passage_that_is_found_now_or_no_longer_is_why() -> None:
    worse = a_report([("Boats leave at nine.", "unsupported")])
    lost = with_claim(worse, 0, passages=(), deciding=(), quote="", quoted=None)
    assert "“Harbour guide › Weather” is not found any more" in why(changes(a_report([BOATS]), lost))
    assert "“Harbour guide › Weather” was not found before" in why(changes(lost, a_report([BOATS])))


def test_another_verifier_is_why_and_the_same_one_on_the_same_evidence_is_said_to_have_changed_its_mind() -> None:
    before, now = a_report([BOATS]), a_report([("Boats leave at nine.", "unsupported")])
    assert "on the same evidence" in why(changes(before, now))
    other = with_claim(now, 0, checked_by="model:other")
    assert "judged by model:other" in why(changes(before, other))


def test_a_check_that_fails_is_worse_though_the_label_stays() -> None:
    check = {"name": "dates", "passed": False, "detail": "not in the evidence: May"}
    before = a_report([BOATS])
    after = with_claim(before, 0, checks=(check,))
    found = changes(before, after)
    assert found.worse
    assert "dates differ: not in the evidence: May" in why(found)
    back = changes(after, before)
    assert not back.worse
    assert "no longer: dates differ" in why(back)


def test_an_unchecked_claim_is_worse_than_a_supported_one() -> None:
    found = changes(a_report([BOATS]), a_report([("Boats leave at nine.", "unchecked")]))
    assert found.worse
    assert "could not be checked" in why(found)


def test_corpus_policy_and_verifier_that_are_others_are_named() -> None:
    before = a_report([BOATS])
    corpus = {**before.corpus, "version": "2"}
    policy = {"name": "strict", "version": "7", "combine": "strict"}
    after = before.model_copy(update={"corpus": corpus, "decision": {**(before.decision or {}), "policy": policy}})
    one, other = with_claim(before, 0, checked_by="model:one"), with_claim(after, 0, checked_by="model:other")
    causes = changes(one, other).causes
    assert [cause.partition(":")[0] for cause in causes] == ["corpus", "policy", "verifiers"]


def test_a_finding_in_a_repository_comes_and_goes() -> None:
    found = {"evidence_id": "d1", "evidence_class": "DOCUMENT_CLAIM", "found": False, "location": "x.py",
             "rationale": "Missing.", "mention": {"document": "turn 1", "line": 1}}  # fmt: skip
    reason = {"rule": "missing_path", "outcome": "block", "message": "", "claims": [], "evidence": ["d1"]}
    clean = a_report([BOATS])
    bad = a_report([BOATS], evidences={"docs": [found]})
    bad = bad.model_copy(update={"decision": {**(bad.decision or {}), "reasons": [reason]}, "outcome": "block"})
    came, went = changes(clean, bad), changes(bad, clean)
    assert [one.about for one in came.found] == ["x.py"]
    assert [one.about for one in went.settled] == ["x.py"]
    assert (came.worse, went.worse) == (True, False)


def test_a_finding_that_weighs_more_than_before_is_worse_though_the_decision_stays() -> None:
    found = {"evidence_class": "DOCUMENT_CLAIM", "found": False, "location": "x.py", "rationale": "Missing.",
             "mention": {"document": "turn 1", "line": 1}}  # fmt: skip

    def weighing(*outcomes: str) -> Report:
        ids = [f"d{number}" for number in range(len(outcomes))]
        report = a_report([BOATS], evidences={"docs": [{**found, "evidence_id": one} for one in ids]})
        reasons = [
            {"rule": f"rule{one}", "outcome": outcome, "message": "", "claims": [], "evidence": [one]}
            for one, outcome in zip(ids, outcomes, strict=True)
        ]
        decision = {**(report.decision or {}), "reasons": reasons}
        return report.model_copy(update={"decision": decision, "outcome": "block"})

    assert changes(weighing("review"), weighing("block")).worse
    assert changes(weighing("review"), weighing("block", "review")).worse
    assert not changes(weighing("block", "review"), weighing("block")).worse


def test_another_check_or_source_that_fails_is_worse_though_as_many_or_more_failed_before() -> None:
    checks = [
        {"name": name, "passed": False, "detail": "not in the evidence"} for name in ("dates", "numbers", "names")
    ]
    before = with_claim(a_report([BOATS]), 0, checks=tuple(checks[:2]))
    assert changes(before, with_claim(before, 0, checks=tuple(checks[2:]))).worse
    assert not changes(before, with_claim(before, 0, checks=tuple(checks[:1]))).worse


def test_a_reason_about_the_whole_answer_is_worse_though_the_decision_stays() -> None:
    before = a_report([BOATS])
    unread = {"rule": "unread", "outcome": "review", "message": "A part was not read.", "claims": [], "evidence": []}
    now = before.model_copy(update={"decision": {**(before.decision or {}), "reasons": [unread]}})
    found = changes(before, now)
    assert (found.worse, found.any) == (True, True)
    assert "A part was not read." in as_table([found])
    back = changes(now, before)
    assert (back.worse, back.any) == (False, True)
    harmless = before.model_copy(
        update={"decision": {**(before.decision or {}), "reasons": [{**unread, "outcome": "pass"}]}}
    )
    assert not changes(before, harmless).worse


def test_a_claim_in_other_letters_is_the_same_and_one_of_other_words_is_no_rewording() -> None:
    assert changes(a_report([BOATS]), a_report([("Boats LEAVE at nine.", "supported")])).same == 1
    found = changes(a_report([SKY, BOATS]), a_report([SKY, ("Gulls eat bread at sea.", "supported")]))
    assert sorted(each.kind for each in found.claims) == ["gone", "new"]


def test_a_graver_decision_comes_before_a_worse_claim_and_that_before_another_change() -> None:
    def named(name: str, label: str, outcome: str = "pass") -> Report:
        return a_report([("Boats leave at nine.", label)]).model_copy(update={"name": name, "outcome": outcome})

    before = [named("other", "unsupported"), named("worse", "supported"), named("graver", "supported")]
    now = [named("other", "supported"), named("worse", "unsupported"), named("graver", "supported", "block")]
    assert [one.name for one in paired(before, now)] == ["graver", "worse", "other"]


def test_reports_are_paired_by_the_names_of_their_answers_and_the_worst_come_first() -> None:
    def named(name: str, label: str) -> Report:
        return a_report([("Boats leave at nine.", label)]).model_copy(update={"name": name})

    before = [named("same.md", "supported"), named("worse.md", "supported"), named("gone.md", "supported")]
    now = [named("worse.md", "unsupported"), named("same.md", "supported"), named("new.md", "supported")]
    found = paired(before, now)
    assert found[0].name == "worse.md"
    assert {one.name: one.outcomes for one in found}["gone.md"] == ("pass", "")
    assert {one.name: one.outcomes for one in found}["new.md"] == ("", "pass")
    assert [one.name for one in found if one.worse] == ["worse.md"]


def test_two_folders_of_answers_are_paired_by_the_names_within_them() -> None:
    def called(*names: str) -> list[Report]:
        return [a_report([("Boats leave.", "supported")]).model_copy(update={"name": name}) for name in names]

    def pairs(before: list[Report], now: list[Report]) -> list[tuple[str, str]]:
        found = paired(before, now)
        return sorted((one.before.name if one.before else "", one.now.name if one.now else "") for one in found)

    assert pairs(called("v1/a.md", "v1/s/a.md"), called("v2/a.md", "v2/s/a.md")) == [
        ("v1/a.md", "v2/a.md"),
        ("v1/s/a.md", "v2/s/a.md"),
    ]
    assert pairs(called("old/a.md", "old/b.md"), called("a.md")) == [("old/a.md", "a.md"), ("old/b.md", "")]
    same = called("x/a.md", "x/gone.md"), called("x/a.md", "y/gone.md")
    assert pairs(*same) == [("", "y/gone.md"), ("x/a.md", "x/a.md"), ("x/gone.md", "")]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("old.json").write_text(a_report([SKY, BOATS]).model_dump_json())
    Path("new.json").write_text(a_report([SKY, ("Boats leave at nine.", "unsupported")]).model_dump_json())
    return tmp_path


def diff(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["diff", *arguments])


def test_the_exit_code_says_whether_something_is_worse(place: Path) -> None:
    assert diff("old.json", "new.json").exit_code == 1
    assert diff("new.json", "old.json").exit_code == 0
    assert diff("new.json", "old.json", "--fail-on", "change").exit_code == 1
    assert diff("old.json", "old.json", "--fail-on", "change").exit_code == 0
    assert diff("old.json", "new.json", "--fail-on", "decision").exit_code == 1
    still = a_report([SKY, ("Boats leave at nine.", "unsupported")])
    still = still.model_copy(update={"outcome": "pass", "decision": {**(still.decision or {}), "outcome": "pass"}})
    Path("still.json").write_text(still.model_dump_json())
    assert diff("old.json", "still.json").exit_code == 1
    assert diff("old.json", "still.json", "--fail-on", "decision").exit_code == 0


def test_a_failed_run_is_no_improvement(place: Path) -> None:
    failed = a_report([BOATS]).model_copy(
        update={"outcome": "error", "decision": None, "failure": Failed(error="ModelUnavailableError"), "claims": ()}
    )
    Path("failed.json").write_text(failed.model_dump_json())
    assert diff("old.json", "failed.json").exit_code == 3
    assert diff("failed.json", "old.json").exit_code == 0


def test_an_answer_without_a_report_any_more_is_no_improvement(place: Path) -> None:
    for folder, names in (("before", ("a.md", "b.md")), ("after", ("a.md",))):
        Path(folder).mkdir()
        for name in names:
            report = a_report([BOATS]).model_copy(update={"name": name})
            Path(folder, f"{name}.json").write_text(report.model_dump_json())
    assert diff("before", "after").exit_code == 3
    assert diff("after", "before").exit_code == 0


def test_the_ending_names_the_format_and_the_table_is_shown_beside_it(place: Path) -> None:
    result = diff("old.json", "new.json", "-o", "changes.html")
    assert "supported → unsupported c0002" in result.output
    assert "<h1>1 of 1 answer changed, 1 for the worse</h1>" in Path("changes.html").read_text()
    assert diff("old.json", "new.json", "-q", "-o", "changes.md").output == ""
    assert "supported → unsupported" in Path("changes.md").read_text()
    assert json.loads(diff("old.json", "new.json", "-f", "json").output)["answers"][0]["changed"][0]["worse"] is True
    assert diff("old.json", "new.json", "-o", "changes.pdf").exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("old.json", "none.json"), "no such file"),
        (("old.json", "empty"), "holds no report"),
        (("old.json", "text.json"), "is no report"),
        (("old.json", "new.json", "-o", "new.json"), "would be replaced"),
    ],
)
def test_what_cannot_be_compared_is_one_line(place: Path, arguments: tuple[str, ...], said: str) -> None:
    Path("empty").mkdir()
    Path("text.json").write_text('{"a": 1}')
    result = diff(*arguments)
    assert (result.exit_code, result.stderr.count("gate:")) == (2, 1)
    assert said in result.stderr


def test_no_text_of_an_answer_steers_whoever_reads_what_changed() -> None:
    before = a_report([(f"Boats leave {NASTY} <b>at</b> nine.", "supported")])
    now = a_report([(f"Boats leave {NASTY} <b>at</b> nine.", "unsupported")], passage=f"{PASSAGE} {NASTY}")
    now = with_claim(now, 0, justification=f"{NASTY} <script>x</script>").model_copy(update={"name": f"a {NASTY}"})
    for each in (as_table, as_markdown, as_html, as_json):
        text = each([changes(before, now)])
        assert "Boats leave" in text
        assert not FORBIDDEN.search(text.replace("\n", " "))
    page = as_html([changes(before, now)])
    assert "<b>" not in page
    assert "<script" not in page


def test_a_comment_of_many_changes_is_short_enough() -> None:
    before = [a_report([(f"Boats leave at nine {'x' * 500}.", "supported")])] * 200
    now = [a_report([(f"Boats leave at nine {'x' * 500}.", "unsupported")])] * 200
    text = as_markdown(paired(before, now))
    assert len(text) < 65_536
    assert "More changed" in text
