"""What runs worked with: that each changed byte of it is found and named, and that decisions can be made again."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.adapters.local_verifier import lexicon
from gate.services.trail import proofs
from gate.services.trail.acts import write_down
from gate.services.trail.kept_runs import kept_run
from gate.services.trail.proofs import verified
from gate.trail.trail_entries import Act
from tests.entrance import Entrance
from tests.ledger_writing import publish

CORPUS = '{"id": "rules", "text": "The shop opens at nine. Returns are accepted within 14 days."}\n'
ANSWER = "The shop opens at nine. Returns are accepted within 30 days."


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.group, arguments, prog_name="gate")
    return result.exit_code, result.output


@pytest.fixture(autouse=True)
def ledger(entrance: Entrance) -> None:
    entrance.change(ledger="local", keep_runs=True, model="local:lexical")


@pytest.fixture
def checked(tmp_path: Path) -> str:
    """A run that was blocked; its id."""
    (tmp_path / "corpus.jsonl").write_text(CORPUS)
    (tmp_path / "answer.md").write_text(ANSWER)
    run("check", str(tmp_path / "answer.md"), "--corpus", str(tmp_path / "corpus.jsonl"), "-q")
    (found,) = verified().latest
    return found


def blobs(run_id: str) -> list[Path]:
    return sorted((wiring.current().settings.home / "runs" / run_id).iterdir())


def of_latest(run_id: str) -> str:
    return kept_run(verified().latest[run_id]).how


def test_a_changed_report_of_gate_serve_is_not_hidden_by_something_in_the_gate_s_own_folder(checked: str) -> None:
    home = wiring.current().settings.home
    (home / "serve").mkdir()
    for folder in ("reports", "runs"):
        shutil.move(home / folder, home / "serve" / folder)
    report = home / "serve" / "reports" / checked / "report.json"
    report.write_bytes(report.read_bytes() + b" ")
    decoy = home / "runs" / checked / "decoy"
    decoy.parent.mkdir(parents=True)
    decoy.write_text("")
    code, said = run("ledger", "verify", "--blobs")
    assert (code, f"run {checked}: its report is changed" in said) == (1, True)


def test_what_can_be_no_run_among_the_reports_does_not_end_the_proof(checked: str) -> None:
    reports = wiring.current().settings.home / "reports"
    (reports / "README.md").write_text("by hand")
    (reports / "a\\b").mkdir()
    (reports / "a\\b" / "salt.json").write_text("{}")
    code, said = run("ledger", "verify", "--blobs")
    assert (code, "reports: 1 as decided, 2 unproved" in said) == (0, True), said


@pytest.mark.parametrize("id", ["../../x", "..", "a\\b", "\ud800", "x" * 200])
def test_an_entry_of_what_can_be_no_run_does_not_end_the_proof(checked: str, id: str) -> None:
    """Whoever may write to the ledger's place makes entries that follow; a key they have not."""
    write_down(Act("decision", run=id, facts={"outcome": "pass"}))
    code, said = run("ledger", "verify", "--blobs")
    assert (code, "reports: 1 as decided, 1 unproved" in said) == (0, True), said


def test_a_run_behind_a_link_is_not_removed_and_the_ledger_does_not_hold(checked: str, tmp_path: Path) -> None:
    folder = wiring.current().settings.home / "runs" / checked
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    code, said = run("ledger", "delete", checked, "--reason", "erasure")
    assert (code, "a link stands where the gate keeps a run" in said) == (2, True), said
    assert list((tmp_path / "elsewhere").iterdir())
    assert run("ledger", "verify", "--blobs")[0] == 1


def test_blobs_that_are_as_decided_hold(checked: str) -> None:
    code, said = run("ledger", "verify", "--blobs")
    assert (code, "blobs of runs: 1 as decided" in said, said.splitlines()[-1]) == (0, True, "the ledger holds")


def test_runs_of_gate_serve_are_proved_made_again_and_deleted_where_they_lie(checked: str) -> None:
    home = wiring.current().settings.home
    (home / "serve").mkdir()
    for folder in ("reports", "runs"):
        shutil.move(home / folder, home / "serve" / folder)
    assert "blobs of runs: 1 as decided" in run("ledger", "verify", "--blobs")[1]
    assert run("ledger", "show", checked)[1].count("its report: as decided") == 1
    assert run("ledger", "replay", checked)[0] == 0
    report = home / "serve" / "reports" / checked / "report.json"
    report.write_bytes(report.read_bytes() + b" ")
    assert run("ledger", "verify")[0] == 1
    assert run("ledger", "delete", checked, "--reason", "erasure")[0] == 0
    assert not list((home / "serve").rglob("*.json"))
    assert verified().reports == {"deleted": 1}


def test_without_the_setting_nothing_of_a_run_but_its_report_stays(entrance: Entrance, tmp_path: Path) -> None:
    entrance.change(keep_runs=False)
    (tmp_path / "corpus.jsonl").write_text(CORPUS)
    (tmp_path / "answer.md").write_text(ANSWER)
    run("check", str(tmp_path / "answer.md"), "--corpus", str(tmp_path / "corpus.jsonl"), "-q")
    (run_id,) = verified().latest
    assert not (wiring.current().settings.home / "runs" / run_id).exists()
    assert "1 gone" in run("ledger", "verify", "--blobs")[1]
    code, said = run("ledger", "replay", run_id)
    assert (code, "what it was decided on is gone" in said, "GATE_KEEP_RUNS" in said) == (2, True, True)


def test_every_changed_byte_of_every_blob_is_found_and_the_blob_named(checked: str) -> None:
    entry = verified().latest[checked]
    for path in blobs(checked):
        written = path.read_bytes()
        for at in {0, len(written) // 2, len(written) - 1}:
            path.write_bytes(written[:at] + bytes([written[at] ^ 1]) + written[at + 1 :])
            found = kept_run(entry)
            assert found.how == "changed"
            assert [key for _, key in found.places] == [f"runs/{checked}/{path.name}"]
        path.write_bytes(written)
    assert kept_run(entry).how == "as decided"


def test_a_blob_that_is_too_large_is_named_and_not_read_to_its_end(
    checked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = next(iter(blobs(checked)))
    os.truncate(large, 40_000)
    monkeypatch.setattr(proofs, "MOST_BYTES", 30_000)
    found = kept_run(verified().latest[checked])
    assert (found.how, found.holds, found.places) == ("too large", False, (("", f"runs/{checked}/{large.name}"),))


def test_the_command_names_what_leads_to_a_changed_blob(checked: str) -> None:
    changed = next(path for path in blobs(checked) if b"14 days" in path.read_bytes())
    changed.write_bytes(changed.read_bytes().replace(b"14 days", b"30 days"))
    code, said = run("ledger", "verify", "--blobs")
    assert code == 1
    assert f"changed: runs/{checked}/{changed.name} (entry 1 of main)" in said
    assert said.splitlines()[-1] == "the ledger does NOT hold"
    document = json.loads(run("ledger", "verify", "--blobs", "-f", "json")[1])
    assert (document["holds"], document["blobs"][0]["state"]) == (False, "changed")
    assert document["blobs"][0]["places"][0]["key"] == f"runs/{checked}/{changed.name}"
    assert run("ledger", "verify")[0] == 0


def test_a_state_in_the_place_of_the_one_that_was_decided_on_is_found(checked: str, tmp_path: Path) -> None:
    """A blob whose name fits its bytes, and a note that leads there: the entry says another one."""
    store = wiring.current().blob_store()
    note = json.loads(store.get(f"reports/{checked}/salt.json"))
    other = next(path.name for path in blobs(checked) if path.name != note["state"])
    for state in (other, "", None, "../../x", "ü" * 64):
        store.put(f"reports/{checked}/salt.json", json.dumps({**note, "state": state}).encode())
        assert of_latest(checked) == "changed"


def test_what_is_gone_is_counted_and_told_apart_from_what_was_deleted(checked: str) -> None:
    folder = wiring.current().settings.home / "runs" / checked
    note = json.loads(wiring.current().blob_store().get(f"reports/{checked}/salt.json"))
    (missing, *_) = [path for path in blobs(checked) if path.name != note["state"]]
    missing.unlink()
    found = kept_run(verified().latest[checked])
    if found.how != "as decided":  # a blob that only an earlier stage had is of no consequence
        assert (found.how, found.places[0][1]) == ("partly gone", f"runs/{checked}/{missing.name}")
    (folder / note["state"]).unlink()
    assert of_latest(checked) == "gone"
    assert run("ledger", "delete", checked, "--reason", "erasure")[0] == 0
    assert of_latest(checked) == "deleted"


def test_what_stands_there_after_its_deletion_is_named(checked: str, tmp_path: Path) -> None:
    folder = wiring.current().settings.home / "runs" / checked
    shutil.copytree(folder, tmp_path / "copy")
    run("ledger", "delete", checked, "--reason", "erasure")
    assert not folder.exists()
    shutil.copytree(tmp_path / "copy", folder)
    code, said = run("ledger", "verify", "--blobs")
    assert (code, f"run {checked}: there after its deletion: runs/{checked}/" in said) == (1, True)


def test_an_entry_from_before_the_ledger_committed_to_blobs_proves_none() -> None:
    publish("run1")
    assert of_latest("run1") == "gone"
    wiring.current().blob_store().put(f"runs/run1/{'0' * 64}", b"whatever")
    assert of_latest("run1") == "changed"


@pytest.mark.parametrize("with_note", [True, False])
def test_a_report_under_an_id_that_no_entry_speaks_of_is_found(with_note: bool) -> None:
    publish("run1")
    store = wiring.current().blob_store()
    for name in ("report.json", *(["salt.json"] if with_note else [])):
        store.put(f"reports/run2/{name}", store.get(f"reports/run1/{name}"))
    assert run("report", "run2")[0] == 3
    code, said = run("ledger", "verify", "--blobs")
    if with_note:
        assert (code, "run run2: its report is of another run (entry 1 of main)" in said) == (1, True)
    else:  # as one from before the ledger
        assert (code, "1 as decided, 1 unproved" in said) == (0, True)


def test_a_decision_that_is_made_again_is_the_same(checked: str) -> None:
    code, said = run("ledger", "replay", checked)
    assert code == 0
    assert f"{checked}: decided block (entry 1 of main)" in said
    assert "made again from what was kept: the same" in said
    assert "since then" not in said


def test_another_verdict_of_the_judge_is_named(checked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.decision.policy.JUDGES", ())
    code, said = run("ledger", "replay", checked)
    assert code == 1
    assert "differs: outcome: block then, pass now" in said
    assert "made again from what was kept: pass, NOT the same" in said


def test_checks_and_risk_that_come_out_otherwise_are_named(checked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def all_hold(*_: object) -> list[dict[str, object]]:
        return [{"name": "units", "passed": True, "detail": ""}]

    monkeypatch.setattr("gate.local.replay.run_checks", all_hold)
    monkeypatch.setattr("gate.local.replay.risk_of", lambda verdicts: 0.5)
    found = json.loads(run("ledger", "replay", checked, "-f", "json")[1])
    assert (found["same"], [one["what"] for one in found["differs"]]) == (False, ["risk", "checks of c0002"])
    assert found["differs"][1]["then"] == "units fails"


def test_a_decision_on_a_figure_that_needs_no_evidence_is_made_again_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"id": "d1", "text": "A ticket costs 18 euros, for 3 days."}\n')
    (tmp_path / "answer.md").write_text("A ticket costs 18 euros, for 3 days 3 × 18 euros = 54 euros.")
    run("check", str(tmp_path / "answer.md"), "--corpus", str(tmp_path / "corpus.jsonl"), "-q")
    (found,) = verified().latest
    report = json.loads(
        (wiring.current().settings.home / "reports" / found / "report.json").read_text(encoding="utf-8")
    )
    assert report["claims"][0]["known"] == {"54 euros": "3 × 18 euros"}
    assert run("ledger", "replay", found)[0] == 0


def test_what_a_check_of_today_would_have_otherwise_is_named(
    checked: str, entrance: Entrance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entrance.change(model="scripted:nobody")
    assert f"since then: model: local-lexical/{lexicon().version} (passage) then" in run("ledger", "replay", checked)[1]
    entrance.change(model="local:lexical")
    monkeypatch.setattr("gate.local.replay.__version__", "9.9")
    corpus = kept_run(verified().latest[checked]).state
    assert corpus is not None
    (tmp_path / "more.jsonl").write_text('{"id": "more", "text": "The shop closes at six."}\n')
    run("index", "add", str(tmp_path / "more.jsonl"), "--corpus", corpus["config"]["elasticsearch"]["index"])
    code, said = run("ledger", "replay", checked)
    assert code == 0
    assert "since then: program version: " in said
    assert "since then: corpus version: " in said


@pytest.mark.parametrize("what", ["nothing", "a deletion", "a changed report", "a failed run"])
def test_what_cannot_be_made_again_is_said_in_a_line(checked: str, what: str) -> None:
    run_id = checked
    if what == "nothing":
        run_id = "run9"
    if what == "a deletion":
        run("ledger", "delete", checked, "--reason", "retention")
    if what == "a changed report":
        store, key = wiring.current().blob_store(), f"reports/{checked}/report.json"
        store.put(key, store.get(key) + b" ")
    if what == "a failed run":
        publish("run2")
        run_id = "run2"
    code, said = run("ledger", "replay", run_id)
    assert code == 2
    assert said.startswith(f"gate: {run_id}: ")


def test_a_deletion_says_by_whom_and_why_and_leaves_no_text(checked: str) -> None:
    home = wiring.current().settings.home
    assert run("ledger", "delete", checked, "--reason", "erasure")[0] == 0
    code, said = run("ledger", "show", checked)
    assert code == 0
    assert "deleted (erasure) by " in said
    assert "its report: deleted" in said
    left = [path for folder in ("runs", "reports") for path in (home / folder).rglob("*") if path.is_file()]
    assert not [path for path in left if b"30 days" in path.read_bytes()]
    assert verified().holds


def test_a_reason_is_one_of_a_closed_list_and_something_is_there_to_delete(checked: str) -> None:
    assert run("ledger", "delete", checked, "--reason", "Jane Doe asked")[0] == 2
    assert run("ledger", "delete", checked)[0] == 2
    code, said = run("ledger", "delete", "run9", "--reason", "mistake")
    assert (code, "run9: nothing of that run is stored here" in said) == (2, True)
    assert verified().holds
    assert len(verified().latest) == 1
