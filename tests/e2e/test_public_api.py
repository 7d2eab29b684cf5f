"""What `import gate` offers: an answer checked in this process, by the machine that is deployed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import gate
from gate.errors import InputError, SettingsError
from tests.documents import ROOT, python_example

pytestmark = pytest.mark.e2e
SENTENCE = "The lamp weighs 200 g."


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "p1", "text": "The lamp weighs 200 g."}\n', encoding="utf-8")
    return path


def test_an_answer_is_checked_against_a_corpus_and_nothing_of_its_text_stays(corpus: Path, tmp_path: Path) -> None:
    report = gate.check(SENTENCE, corpus, model="local:lexical", home=tmp_path / "home")
    assert isinstance(report, gate.Report)
    assert (report.outcome, [claim.status for claim in report.claims]) == ("pass", ["supported"])
    assert not list((tmp_path / "home" / "runs").glob("*"))
    assert list((tmp_path / "home" / "reports").glob(f"{report.run_id}/report.json"))


def test_a_gate_decides_by_its_policy_and_two_stand_side_by_side(corpus: Path, tmp_path: Path) -> None:
    home, policy = tmp_path / "home", gate.Policy(unsupported="pass", failed_check="pass")
    strict = gate.Gate(corpus, model="local:lexical", home=home)
    lenient = gate.Gate(corpus, policy=policy, model="local:lexical", home=home)
    wrong = "The lamp weighs 900 g."
    assert [strict.check(wrong).outcome, lenient.check(wrong).outcome] == ["block", "pass"]
    assert strict.check(SENTENCE, name="lamp").name == "lamp"


def test_paths_are_looked_up_in_the_repository_that_is_given(corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "a.py").write_text("")
    checked = gate.Gate(corpus, model="local:lexical", home=tmp_path / "home")
    report = checked.check("See [the code](src/missing.py). " + SENTENCE, repo=tmp_path / "repo")
    assert report.decision is not None
    assert "missing_path" in {reason["rule"] for reason in report.decision["reasons"]}


def test_what_cannot_be_used_is_said_before_anything_runs(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="modle"):
        gate.Gate(corpus, modle="local")
    with pytest.raises(InputError, match="unsuported"):
        gate.Gate(corpus, policy={"unsuported": "pass"})
    with pytest.raises(InputError, match="a policy is a mapping of keys to values"):
        gate.Gate(corpus, policy="strict.yaml")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="empty"):
        gate.check("  ", corpus, home=tmp_path / "home")
    with pytest.raises(InputError, match="neither a file nor a folder nor a corpus"):
        gate.check(SENTENCE, "nowhere", home=tmp_path / "home")


def test_importing_the_gate_loads_none_of_its_modules_and_it_offers_four_names() -> None:
    probe = "import sys; before = set(sys.modules); import gate; print(*set(sys.modules) - before); print(*dir(gate))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["gate", "Gate Policy Report __version__ check"]
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        getattr(gate, "Nothing")  # noqa: B009


def test_the_example_of_the_readme_prints_what_it_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GATE_HOME", str(tmp_path / "home"))
    assert python_example() in (ROOT / "README.md").read_text(encoding="utf-8")
