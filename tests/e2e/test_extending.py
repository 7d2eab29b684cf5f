"""docs/extending.md, followed to the letter in a copy of the tree: what it names is written, nothing else touched."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
ANSWER = json.dumps({"ticket": "What is it?", "said": "The lamp weighs 200 g."})
COMPARING = [
    "tests/unit/test_catalogue.py",
    "tests/unit/test_detectives.py",
    "tests/unit/test_docs.py",
    "tests/unit/test_formats.py::test_every_format_has_a_name_and_is_told_by_its_structure",
    "tests/unit/test_judge.py::test_findings_of_any_detective_reach_the_decision_as_the_policy_says",
    "tests/unit/test_pipeline_definition.py",
    "tests/integration/test_handlers.py::test_catalogue_folders_and_agent_modules_agree",
    "tests/unit/test_local_run.py::test_a_detective_that_fails_is_named_and_the_others_are_collected",
]
"""Tests that hold lists against each other, or run over them."""

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def section(title: str) -> str:
    """What stands under a heading of the page."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def module(title: str) -> str:
    """The example under a heading, as far as it is the module: what tries it out stands at its end."""
    (code,) = re.findall(r"```python\n(.*?)```", section(title), re.DOTALL)
    return re.split(r"^(?:assert|\w+: \w+ = )", code, flags=re.MULTILINE)[0].rstrip() + "\n"


def line(title: str, beginning: str) -> str:
    """The line of code under a heading that begins so."""
    prose = re.sub(r"```.*?```", "", section(title), flags=re.DOTALL)
    (found,) = [code for code in re.findall(r"`([^`]+)`", prose) if code.startswith(beginning)]
    return " ".join(found.split())


class Copy:
    """A copy of the tree, and commands in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        for name in filter(None, listed.stdout.split("\0")):
            if (ROOT / name).is_file():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, root / name)

    def write(self, name: str, text: str) -> None:
        """Write a new file."""
        assert not (self.root / name).exists()
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def register(self, name: str, before: str, text: str) -> None:
        """Put a line before the one place where `before` stands."""
        old = (self.root / name).read_text(encoding="utf-8")
        assert old.count(before) == 1, f"{name}: {before!r}"
        (self.root / name).write_text(old.replace(before, text + before), encoding="utf-8")

    def run(self, *command: str, **settings: str) -> tuple[int, str]:
        """Run a module of Python here; its exit code and what it printed."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "PYTEST_", "COV_"))}
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.root, capture_output=True, text=True, check=False,
            env={**kept, "PYTHONPATH": str(self.root / "functions"), "GATE_HOME": str(self.root / ".gate"), **settings},
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A tree with everything that the page adds, written anew as it says."""
    copy = Copy(tmp_path_factory.mktemp("tree"))
    copy.write("functions/gate/agents/collect_license_evidence.py", module("A detective"))
    copy.write("functions/collect_license_evidence/__init__.py", "")
    handler = (
        'from gate.runtime import lambda_handler_for\n\nhandler = lambda_handler_for("collect_license_evidence")\n'
    )
    copy.write("functions/collect_license_evidence/handler.py", handler)
    end_of_agents = ')\n"""The agents of the state machine'
    copy.register("functions/gate/catalogue.py", end_of_agents, f"    {line('A detective', 'Agent(')},\n")

    copy.write("functions/gate/reports/tsv_report.py", module("A report format"))
    end_of_formats = '}\n"""One line here, one module, and the format'
    form = line("A report format", '"tsv"')
    copy.register("functions/gate/reports/__init__.py", end_of_formats, f"    {form},\n")

    copy.write("functions/gate/submission/transcripts/ticket.py", module("A transcript format"))
    table = "functions/gate/submission/transcripts/table.py"
    copy.register(table, "    plain,\n)", "    ticket,\n")
    copy.register(table, '    claude_export,\n)\n"""A further', "    ticket,\n")

    copy.write("functions/gate/adapters/echo_verifier.py", module("A verifier"))
    branch = line("A verifier", "if kind ==").replace(
        ": return", ":\n            from gate.adapters.echo_verifier import EchoVerifier\n\n            return"
    )
    copy.register("functions/gate/wiring.py", "        return self._model_verifier(model)\n", f"        {branch}\n")

    rule = module("A policy rule").partition("\n\n\n")[2]
    copy.register("functions/gate/decision/policy.py", "JUDGES: tuple", f"{rule}\n\n")
    copy.register("functions/gate/decision/policy.py", "    *map(findings_of", "    too_many_claims,\n")

    for made in ("infra.asl", "tests.documents"):  # `make synth` and `make documents`
        code, said = copy.run(made)
        assert code == 0, said
    return copy


def test_the_check_that_follows_shows_all_of_it(copy: Copy, tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"id": "p1", "text": "The lamp weighs 200 g."}\n')
    (tmp_path / "answer.json").write_text(ANSWER)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("")
    (tmp_path / "policy.yaml").write_text("findings: {license: block}\n")
    command = ["gate", "check", str(tmp_path / "answer.json"), "--corpus", str(tmp_path / "corpus.jsonl")]
    command += ["--repo", str(tmp_path / "src"), "--policy", str(tmp_path / "policy.yaml")]
    code, said = copy.run(*command, "-f", "tsv", GATE_MODEL="echo")
    assert (code, "c0001\tsupported\tThe lamp weighs 200 g." in said.splitlines()) == (1, True), said
    code, said = copy.run(*command, "-o", str(tmp_path / "r.json"), GATE_MODEL="echo")
    assert code == 1, said
    report = json.loads((tmp_path / "r.json").read_text())
    assert [one["evidence_id"] for one in report["evidences"]["license"]] == ["license_TERMS_root"]
    (reason,) = report["decision"]["reasons"]
    assert (reason["rule"], reason["outcome"]) == ("findings.license", "block")


def test_what_compares_lists_is_content(copy: Copy) -> None:
    code, said = copy.run("pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", "0", *COMPARING)
    assert code == 0, said[-3_000:]
