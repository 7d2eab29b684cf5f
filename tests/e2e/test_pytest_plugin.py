"""Answers as assertions, in a session of pytest as a user starts it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

OTHERS = ("-p", "no:schemathesis", "-p", "no:hypothesispytest")
"""Plugins of these tests' own environment, which take seconds to load."""
TESTS = """
import pytest

CONTEXTS = ["The lamp weighs 200 g.", {"title": "Data sheet", "text": "It is 30 cm tall."}]

def test_true(grounded):
    assert grounded("The lamp weighs 200 g.").passed

def test_false(grounded):
    grounded("The lamp weighs 900 g.")

@pytest.mark.grounded(contexts=CONTEXTS)
def test_contexts(grounded):
    grounded({"messages": [{"role": "assistant", "content": "It is 30 cm tall."}]})
    grounded("It is 90 cm tall.")

@pytest.mark.grounded(corpora="docs/")
def test_misspelt(grounded):
    grounded("The lamp weighs 200 g.")

def test_lenient(grounded):
    grounded("The lamp weighs 900 g.", policy={"unsupported": "pass", "failed_check": "pass"})
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "corpus.jsonl").write_text('{"text": "The lamp weighs 200 g."}\n', encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\ngate_corpus = corpus.jsonl\n", encoding="utf-8")
    (folder / "test_bot.py").write_text(TESTS, encoding="utf-8")
    return folder


def session(project: Path, *arguments: str) -> tuple[int, str]:
    environment = {"PATH": "/usr/bin:/bin", "GATE_HOME": str(project.parent / "home"), "GATE_MODEL": "local:lexical"}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *OTHERS, *arguments]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def test_an_answer_that_is_not_grounded_fails_with_each_claim_beside_what_the_evidence_says(project: Path) -> None:
    code, output = session(project, "--gate-report", "reports")
    assert code == 1
    assert "3 failed, 2 passed" in output or "2 failed, 2 passed, 1 error" in output
    assert "      - The lamp weighs 900 g.\n" in output.replace("E   ", "")
    assert "      + The lamp weighs 200 g." in output
    assert "__tracebackhide__" not in output, "the trace ends in the test"
    assert "the marker `grounded` takes no corpora" in output
    assert "block  test_bot.py::test_contexts (2)  reports/test_bot.py-test_contexts-2-.html" in output
    assert "answers checked: 5 (2 block, 3 pass); 5 claims" in output
    pages = sorted(path.name for path in (project / "reports").glob("*.html"))
    assert pages[0] == "test_bot.py-test_contexts-2-.html"
    assert len(pages) == 5


def test_a_link_among_the_reports_is_replaced_and_leads_nowhere(project: Path) -> None:
    (project / "reports").mkdir()
    for ending in ("html", "json"):
        (project / "reports" / f"test_bot.py-test_true.{ending}").symlink_to(project.parent / "outside.txt")
    assert session(project, "--gate-report", "reports", "-k", "true")[0] == 0
    assert not (project.parent / "outside.txt").exists()
    assert len(list((project / "reports").iterdir())) == 2


def test_findings_that_are_accepted_do_not_fail_and_workers_report_together(project: Path) -> None:
    session(project, "--gate-report", "reports", "-k", "false or contexts")
    gate = [sys.executable, "-m", "gate", "baseline", "update", "--owner", "jane", "--reason", "ticket 12"]
    reports = sorted(str(path.relative_to(project)) for path in (project / "reports").glob("*.json"))
    assert json.loads((project / reports[0]).read_text(encoding="utf-8"))["name"].startswith("test_bot.py::")
    subprocess.run([*gate, *reports], cwd=project, check=True, capture_output=True)
    code, output = session(project, "-n", "1", "-k", "not misspelt", "--gate-baseline", "gate-baseline.yaml")
    assert (code, "answers checked: 5 (5 pass); 5 claims; 2 findings accepted" in output) == (0, True), output
    (project / "pytest.ini").write_text("[pytest]\ngate_corpus = corpus.jsonl\ngate_baseline = gate-baseline.yaml\n")
    code, output = session(project, "-k", "false")
    assert (code, "answers checked: 1 (1 pass); 1 claim; 1 finding accepted" in output) == (0, True), output


def test_a_session_without_answers_says_nothing_and_loads_nothing(project: Path) -> None:
    (project / "test_bot.py").write_text(
        "import sys\n\ndef test_light():\n    assert not [m for m in sys.modules if m.startswith('gate.local')]\n"
    )
    code, output = session(project)
    assert (code, "answers checked" in output) == (0, False)
