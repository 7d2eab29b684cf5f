"""`gate check` on the committed state machine: decisions, exit codes, where the reports go."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate import cli, runtime, wiring
from gate.adapters.local_files import FolderBlobStore
from gate.errors import AnswerRefusedError, InternalError
from gate.model import NONE_KNOWN, Document, Known
from gate.ports import Judged
from gate.reports.model import Report
from tests.entrance import Entrance
from tests.fakes.model import WordVerifier
from tests.stubs.converse import ConverseStub, failure, running

pytestmark = pytest.mark.e2e

FUNCTIONS = Path(cli.__file__).parents[2]
CORPUS = [
    {"id": "sky", "title": "Almanac", "content": "The sky over the harbour is blue. Clouds are white."},
    {"id": "boats", "title": "Timetable", "content": "Boats leave at nine. The crossing takes two hours."},
]


@pytest.fixture
def folder(entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a corpus and answers of every outcome, and a model that counts words."""
    here = tmp_path / "work"
    here.mkdir()
    monkeypatch.chdir(here)
    entrance.give(verifier=WordVerifier())
    (here / "corpus.jsonl").write_text("".join(json.dumps(one) + "\n" for one in CORPUS))
    (here / "pass.md").write_text("The sky is blue. Boats leave at nine.")
    (here / "review.md").write_text("The sky is blue. Boats leave at nine from pier seven.")
    (here / "block.md").write_text("The sky is blue. Boats sink because whales attack every second morning.")
    (here / "talk.md").write_text("Hello! How can I help you today?")
    return here


def gate(*arguments: str, **more: object) -> Result:
    """Run `gate check` on the corpus, as a user would."""
    return CliRunner().invoke(cli.group, ["check", *arguments, "--corpus", "corpus.jsonl"], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "fail_on", "code"),
    [
        ("pass", "review", 0),
        ("review", "review", 1),
        ("review", "block", 0),
        ("block", "block", 1),
        ("talk", "review", 1),
    ],
)
def test_the_exit_code_is_the_decision(folder: Path, name: str, fail_on: str, code: int) -> None:
    result = gate(f"{name}.md", "--fail-on", fail_on)
    assert result.exit_code == code, result.output
    outcome = "review" if name == "talk" else name
    assert f" {name}.md: {outcome}:" in result.stdout


def test_credentials_that_have_expired_end_the_command_with_one_line(
    tmp_path: Path, entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text("".join(json.dumps(one) + "\n" for one in CORPUS))
    Path("pass.md").write_text("The sky is blue. Boats leave at nine.")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    with running(ConverseStub().on("", failure(403, "ExpiredTokenException"))) as stub:
        entrance.change(model="bedrock:m", model_endpoint=stub.url, region="us-east-1")
        result = gate("pass.md")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "gate: pass.md: SettingsError: no claim could be checked: bedrock:m may not be used (ExpiredTokenException); "
        "the credentials have expired\n"
        "hint: Change the setting that the message names, then run the check again: `gate doctor` tries each of them.\n"
    )


def test_a_text_without_claims_is_said_and_never_a_pass(folder: Path) -> None:
    result = gate("talk.md")
    assert "the text holds no claims to check" in result.stdout
    assert result.exit_code == 1


def test_several_files_are_all_checked_the_bad_one_is_named_and_the_worst_code_wins(folder: Path) -> None:
    (folder / "empty.md").write_text("")
    result = gate("pass.md", "empty.md", "block.md", "-o", "out")
    assert result.exit_code == 2
    assert result.stderr.startswith("gate: empty.md: empty")
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["block.html", "pass.html"]


def test_json_on_the_standard_output_is_the_report_and_nothing_else(folder: Path) -> None:
    result = gate("review.md", "--format", "json")
    report = Report.model_validate_json(result.stdout)
    assert report.outcome == "review"
    assert report.name == "review.md"
    assert [claim.status for claim in report.claims] == ["supported", "weakly_supported"]
    assert report.corpus["passages"] == 2


def test_a_report_in_a_file_leaves_the_table_on_the_screen(folder: Path) -> None:
    result = gate("pass.md", "-o", "deep/report.html")
    assert (folder / "deep" / "report.html").read_text().startswith("<!doctype html>")
    assert ": pass: 2 claims, 2 supported" in result.stdout
    assert gate("pass.md", "-q", "-o", "quiet.json").stdout == ""


def test_an_answer_may_come_from_the_standard_input(folder: Path) -> None:
    result = gate("-", "--format", "json", input="The sky is blue.")
    assert result.exit_code == 0
    assert Report.model_validate_json(result.stdout).name == "stdin"


def test_a_corpus_may_be_kept_and_named_and_searched_in_part(folder: Path) -> None:
    for source in ("almanac", "timetable"):
        row = next(one for one in CORPUS if one["title"].lower() == source)
        (folder / f"{source}.jsonl").write_text(json.dumps(row))
        added = CliRunner().invoke(
            cli.group, ["index", "add", f"{source}.jsonl", "--corpus", "kept", "--source", source]
        )
        assert added.exit_code == 0, added.output
    whole = CliRunner().invoke(cli.group, ["check", "pass.md", "--corpus", "kept"])
    part = CliRunner().invoke(cli.group, ["check", "pass.md", "--corpus", "kept", "--source", "almanac"])
    assert whole.exit_code == 0, whole.output
    assert part.exit_code == 1, part.output
    assert "1 unsupported, 1 supported" in part.stdout


def test_a_policy_from_a_file_decides(folder: Path) -> None:
    (folder / "strict.yaml").write_text("name: strict\nweakly_supported: block\n")
    result = gate("review.md", "--policy", "strict.yaml", "--format", "json")
    report = Report.model_validate_json(result.stdout)
    assert report.outcome == "block"
    assert report.decision is not None
    assert report.decision["policy"]["name"] == "strict"


def test_a_run_that_fails_exits_3_and_says_why(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(state: dict[str, object]) -> None:
        raise ZeroDivisionError("text of the transcript")

    monkeypatch.setattr("gate.agents.judge.judge", broken)
    runtime.agent_function.cache_clear()
    try:
        result = gate("pass.md", "-o", "report.html")
    finally:
        runtime.agent_function.cache_clear()
    assert result.exit_code == 3
    assert result.stderr.startswith("gate: pass.md: InternalError: ZeroDivisionError in judge")
    assert "text of the transcript" not in result.output
    assert "Traceback" not in result.output


def test_nothing_of_a_run_stays_behind_but_its_report(folder: Path) -> None:
    gate("pass.md")
    home = wiring.current().settings.home
    assert not [path for path in (home / "runs").rglob("*") if path.is_file()]
    assert len(list((home / "reports").rglob("report.json"))) == 1


def test_a_claim_that_could_not_be_checked_never_passes(entrance: Entrance, folder: Path) -> None:
    class Mute(WordVerifier):
        def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
            raise AnswerRefusedError("the model refused to answer")

    entrance.give(verifier=Mute())
    result = gate("pass.md")
    assert result.exit_code == 3
    assert "pass.md: review: 2 claims, 2 unchecked" in result.stdout
    assert "→ 2 claims could not be checked. Ask another model" in result.stdout
    assert result.stderr.startswith("gate: pass.md: nothing could be checked: ")


def test_a_segment_adds_citations_to_an_answer(folder: Path) -> None:
    (folder / "segment.json").write_text(json.dumps({"use_case": "boats", "reasons": ["when do boats leave"]}))
    report = Report.model_validate_json(gate("pass.md", "--segment", "segment.json", "-f", "json").stdout)
    assert {stage.name: stage.status for stage in report.stages}["citations"] == "ran"
    assert report.citations


def test_an_interrupted_check_exits_130_and_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object, **more: object) -> None:
        (wiring.current().settings.home / "runs" / str(more["run_id"])).mkdir(parents=True)
        (wiring.current().settings.home / "runs" / str(more["run_id"]) / "a").write_text("text of the answer")
        raise KeyboardInterrupt

    monkeypatch.setattr("gate.local.run.run_locally", interrupted)
    result = gate("pass.md", "-o", "report.html")
    assert result.exit_code == 130
    assert result.stderr == "gate: interrupted\n"
    assert not (folder / "report.html").exists()
    assert not [path for path in (wiring.current().settings.home / "runs").rglob("*") if path.is_file()]


def test_threads_of_an_interrupted_run_write_nothing_while_its_texts_are_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []

    def interrupted(*arguments: object, **more: object) -> None:
        raise KeyboardInterrupt

    def remove(self: FolderBlobStore, prefix: str) -> int:
        with suppress(InternalError):
            self.put(f"{prefix}late", b"text of the answer")
        closed.append(not self.exists(f"{prefix}late"))
        return 0

    monkeypatch.setattr("gate.local.run.run_locally", interrupted)
    monkeypatch.setattr(FolderBlobStore, "delete_prefix", remove)
    assert gate("pass.md").exit_code == 130
    assert closed
    assert all(closed)


@pytest.mark.parametrize("names", [["long0.md"], ["long0.md", "long1.md"]])
def test_a_terminated_check_says_so_exits_143_and_leaves_no_text_behind(folder: Path, names: list[str]) -> None:
    for name in names:
        (folder / name).write_text(" ".join(f"The boat of pier {n} leaves at nine." for n in range(1500)))
    home = folder / "home"
    command = [sys.executable, "-m", "gate", "check", *names, "--corpus", "corpus.jsonl", "-q"]
    environment = {**os.environ, "GATE_HOME": str(home), "GATE_MODEL": "local:lexical", "PYTHONPATH": str(FUNCTIONS)}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and files_of(home / "runs") < len(names):
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (143, "gate: terminated\n")
    assert files_of(home / "runs") == 0


def files_of(folder: Path) -> int:
    return sum(len(files) for _, _, files in os.walk(folder))


def test_a_check_removes_what_a_killed_one_left_more_than_a_day_ago(folder: Path) -> None:
    runs = wiring.current().settings.home / "runs"
    killed, under_way, foreign = "0" * 32, "1" * 32, "experiments"
    for name, days in ((killed, 2), (under_way, 0), (foreign, 9)):
        (runs / name).mkdir(parents=True)
        (runs / name / "a").write_text("text of the answer")
        os.utime(runs / name, (time.time() - days * 86_400,) * 2)
    assert gate("pass.md").exit_code == 0
    assert sorted(run.name for run in runs.iterdir()) == [under_way, foreign]


@pytest.mark.parametrize(("cited", "code"), [("src/sky.py", 0), ("src/skyline.py", 1)])
def test_a_path_that_the_repository_does_not_hold_blocks_an_answer_that_is_otherwise_sound(
    folder: Path, cited: str, code: int
) -> None:
    (folder / "repo" / "src").mkdir(parents=True)
    (folder / "repo" / "src" / "sky.py").write_text("")
    (folder / "cites.md").write_text(f"The sky is blue. Boats leave at nine. See [the code]({cited}).")
    result = gate("cites.md", "--repo", "repo", "--fail-on", "block", "-f", "json")
    report = json.loads(result.stdout)
    rules = {reason["rule"] for reason in report["decision"]["reasons"] if reason["outcome"] == "block"}
    assert ("missing_path" in rules) == bool(code), result.stdout
    assert report["pipeline_integrity"] == "SUCCESS"
    shown = {entry["evidence_class"] for entry in report["evidences"]["repo"]}
    assert shown == {"MANIFEST"}
