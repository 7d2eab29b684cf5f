"""The steps of the composite action, as a runner takes them, in a fresh clone of a pull request."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.documents import ROOT

pytestmark = pytest.mark.e2e

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
CORPUS = '{"title": "Data sheet", "text": "The lamp weighs 200 g."}\n'
ATTACK = "The lamp weighs 900 g.\n\n::error file=x::made up, %0A and so on.\n\n<img src=x> @everyone\n"
GH = """#!/bin/sh
printf '%s\\n' "$@" >> "$GH_LOG"
case "$*" in *paginate*) cat "$GH_COMMENTS";; esac
"""


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Jane", "-c", "user.email=jane@example.com", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


class Runner:
    """A machine that takes the action's steps in a clone."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.work = folder, folder / "clone"
        self.origin = folder / "origin"
        self.origin.mkdir()
        git(self.origin, "init", "-q")
        self.commit({"docs/lamp.jsonl": CORPUS, "answers/good.md": "The lamp weighs 200 g.\n"})
        programs = folder / "temp" / "llm-reliability-gate" / "venv" / "bin"
        programs.mkdir(parents=True)
        self.program(programs / "gate", f'#!/bin/sh\nexec "{sys.executable}" -m gate "$@"\n')
        (folder / "bin").mkdir()
        self.program(folder / "bin" / "gh", GH)
        for name in ("summary", "output", "gh.log", "comments"):
            (folder / name).touch()

    def program(self, path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def commit(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.origin / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        git(self.origin, "add", "-A")
        git(self.origin, "commit", "-qm", "a change")

    def pull_request(self, files: dict[str, str]) -> None:
        git(self.origin, "checkout", "-qb", "request")
        self.commit(files)
        git(self.folder, "clone", "-q", "--branch", "request", f"file://{self.origin}", str(self.work))

    def steps(self, **inputs: str) -> tuple[int, str]:
        """Take every step; returns the worst exit code and what was printed."""
        known = {name: str(one.get("default", "")) for name, one in ACTION["inputs"].items()} | inputs
        codes, output = [0], ""
        for step in ACTION["runs"]["steps"]:
            done = subprocess.run(
                ["bash", "-c", step["run"]], cwd=self.work, env=self.environment(step, known),
                capture_output=True, text=True, timeout=120,
            )  # fmt: skip
            codes.append(done.returncode)
            output += done.stdout + done.stderr
        return max(codes), output

    def environment(self, step: dict[str, Any], inputs: dict[str, str]) -> dict[str, str]:
        given = {
            name: re.sub(r"\$\{\{ (.*?) \}\}", _filled(inputs), text) for name, text in step.get("env", {}).items()
        }
        return given | {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "RUNNER_TEMP": str(self.folder / "temp"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "PYTHONPATH": str(ROOT / "functions"),  # as `install` has it
            "GITHUB_BASE_REF": "main",
            "GITHUB_REPOSITORY": "jane/lamps",
            "GITHUB_SHA": "0" * 40,
            "GITHUB_REF": "refs/pull/7/merge",
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GH_LOG": str(self.folder / "gh.log"),
            "GH_COMMENTS": str(self.folder / "comments"),
            "GATE_MODEL": "local:lexical",
            "GATE_EMBEDDER": "none",
        }

    def read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


def _filled(inputs: dict[str, str]) -> Callable[[re.Match[str]], str]:
    context = {"github.event.pull_request.number": "7", "github.token": "secret"}
    return lambda found: context.get(found[1]) or inputs[found[1].removeprefix("inputs.")]


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


def test_a_pull_request_with_a_false_answer_is_red_and_says_where(runner: Runner) -> None:
    runner.pull_request(
        {"answers/new/bad.md": f"# Lamps\n\n{ATTACK}", "docs/guide.md": "See [the code](src/missing.py).\n"}
    )
    (runner.folder / "comments").write_text("41\n42\n")
    given = {"files": "answers/**/*.md", "corpus": "docs/lamp.jsonl", "audit-docs": "docs/guide.md"}
    code, output = runner.steps(**given, comment="true")
    assert code == 1, output
    said = output.partition("::stop-commands::")[2]
    token = said.splitlines()[0]
    commands = [line for line in said.rpartition(f"::{token}::")[2].splitlines() if line.startswith("::")]
    assert any(line.startswith("::error file=answers/new/bad.md,line=3,") for line in commands), output
    assert any("src/missing.py does not exist" in line and "file=docs/guide.md,line=1" in line for line in commands)
    assert not [line for line in commands if line.startswith("::error file=x::")]
    summary = runner.read("summary")
    assert summary.index("bad.md") < summary.index("good.md"), "the worst first"
    assert "<img" not in summary
    assert "@everyone" not in summary
    log = json.loads(Path(dict(line.split("=", 1) for line in runner.read("output").splitlines())["sarif"]).read_text())
    assert len(log["runs"]) == 3
    assert sorted(path.name for path in (runner.folder / "temp").rglob("reports/*.html")) == ["bad.html", "good.html"]
    asked = runner.read("gh.log").splitlines()
    assert "repos/jane/lamps/issues/comments/41" in asked
    assert "PATCH" in asked


@pytest.mark.parametrize("pattern", ["answers/*.md", "answers/*/s*.md"])
def test_an_answer_that_a_pull_request_makes_a_link_to_a_secret_is_not_read(runner: Runner, pattern: str) -> None:
    (runner.folder / "secret.md").write_text("token=1234", encoding="utf-8")
    (runner.origin / "answers" / "leak.md").symlink_to(runner.folder / "secret.md")
    (runner.origin / "answers" / "sub").symlink_to(runner.folder)
    runner.pull_request({})
    code, output = runner.steps(files=pattern, corpus="docs/lamp.jsonl")
    assert (code, "leads out of" in output) == (2, True)
    written = [path for path in (runner.folder / "temp").rglob("out/**/*") if path.is_file()]
    said = [output, runner.read("summary"), *(path.read_text("utf-8") for path in written)]
    assert not [one for one in said if "1234" in one]


def test_a_pull_request_cannot_loosen_what_it_is_measured_by(runner: Runner) -> None:
    lenient = "unsupported: pass\nfailed_check: pass\n"
    runner.commit({"gate/policy.yaml": "unsupported: block\n"})
    accepted = (
        "version: 1\naccepted:\n- {answer: answers/bad.md, found: unsupported, about: The lamp weighs 900 g., "
        f"reason: r, owner: o, expires: {datetime.now(UTC).date() + timedelta(days=30)}}}\n"
    )
    runner.pull_request(
        {"answers/bad.md": "The lamp weighs 900 g.", "gate/policy.yaml": lenient, "gate/baseline.yaml": accepted}
    )
    given = {"files": "answers/*.md", "corpus": "docs/lamp.jsonl", "policy": "gate/policy.yaml"}
    code, output = runner.steps(**given, baseline="gate/baseline.yaml")
    assert (code, "block" in output) == (1, True)
    git(runner.origin, "checkout", "-q", "main")
    runner.commit({"gate/baseline.yaml": accepted})
    assert runner.steps(**given, baseline="gate/baseline.yaml")[0] == 0, "the base branch may accept it"


def test_nothing_to_check_and_no_such_policy_are_failures_and_not_passes(runner: Runner) -> None:
    runner.pull_request({"gate/policy.yaml": "unsupported: pass\n"})
    code, output = runner.steps(files="answer/*.md", corpus="docs/lamp.jsonl")
    assert (code, "matches nothing" in output) == (2, True)
    code, output = runner.steps(files="answers/*.md", corpus="docs/lamp.jsonl", policy="gate/policy.yaml")
    assert (code, "no such policy" in output) == (2, True)
    assert runner.steps()[0] == 2


def test_the_action_uses_no_other_and_gives_its_inputs_to_no_shell_as_text() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "uses" not in step
        assert "${{" not in step["run"]
    script = (ROOT / ".ci" / "action").read_text("utf-8")
    installs = [line for line in script.replace("\\\n", "").splitlines() if "pip install" in line]
    assert len(installs) == 2
    assert all("--require-hashes -r" in line or "--require-hashes --no-deps" in line for line in installs)


def test_the_hooks_run_on_files_as_pre_commit_gives_them(runner: Runner) -> None:
    cites = "The code is in `answers/missing.py`.\n"
    runner.pull_request({"answers/bad.md": "The lamp weighs 900 g.", "README.md": cites})
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    environment = {**os.environ, "GATE_HOME": str(runner.folder / "home"), "GATE_MODEL": "local:lexical"}

    def run(hook: str, *arguments: str) -> int:
        program, *rest = hooks[hook]["entry"].split()
        command = [str(Path(sys.executable).parent / program), *rest, *arguments]
        return subprocess.run(command, cwd=runner.work, env=environment, capture_output=True, timeout=60).returncode

    warn = ("--fail-on", "warn")
    assert [run("gate-audit-docs", *warn, "README.md"), run("gate-audit-docs", *warn, "answers/good.md")] == [1, 0]
    corpus = ("--corpus", "docs/lamp.jsonl")
    assert [run("gate-check", *corpus, "answers/good.md"), run("gate-check", *corpus, "answers/bad.md")] == [0, 1]
    check = [str(Path(sys.executable).parent / "pre-commit"), "validate-manifest", str(ROOT / ".pre-commit-hooks.yaml")]
    subprocess.run(check, check=True, capture_output=True, env=environment)
