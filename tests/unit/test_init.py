"""`gate init` writes what it finds a use for, replaces nothing, and each file is read by what it is for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from click.testing import CliRunner, Result

from gate.cli import group
from gate.cli.configuration import read
from gate.cli.init import installed_from
from gate.cli.inputs import read_policy
from tests.documents import ROOT

REF = f"someone/gate@{'a' * 40}"
WORKFLOW = Path(".github/workflows/gate.yml")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with documents and answers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gate.cli.init.installed_from", lambda: "")
    subprocess.run(["git", "init", "-q"], check=True)
    for name, text in {"docs/guide.md": "Boats leave at nine.\n", "answers/a.md": "Boats leave at nine.\n"}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    (tmp_path / "README.md").write_text("See `docs/guide.md`.\n")
    return tmp_path


def init(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["init", *arguments], catch_exceptions=False)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and ".git/" not in path.as_posix())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_repository_with_documents_and_answers_gets_all_four(project: Path) -> None:
    assert init("--action", REF).exit_code == 0
    assert read(Path("gate.toml")) == {
        "check": {"corpus": "docs", "policy": "gate-policy.yaml"},
        "audit-docs": {"fail_on": "block"},
    }
    assert read_policy(Path("gate-policy.yaml"), max_bytes=10_000)["name"] == "ours"
    steps = yaml.safe_load(WORKFLOW.read_text())["jobs"]["gate"]["steps"]
    assert steps[1]["uses"] == REF
    assert steps[1]["with"] == {"files": "answers/**/*.md", "corpus": "docs/", "audit-docs": "README.md\ndocs\n"}
    assert steps[1]["with"].keys() <= yaml.safe_load((ROOT / "action.yml").read_text())["inputs"].keys()
    pinned = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    assert steps[0]["uses"] in {step.get("uses") for job in pinned["jobs"].values() for step in job["steps"]}


def test_the_policy_decides_as_no_policy_does(project: Path) -> None:
    from gate.model import BLOCK_RISK, REVIEW_RISK, Policy

    init()
    written = Path("gate-policy.yaml")
    assert read_policy(written, max_bytes=10_000) == {**Policy().model_dump(), "name": "ours"}
    shown = written.read_text()
    written.write_text(shown.replace("# review_risk", "review_risk").replace("# block_risk", "block_risk"))
    taken = read_policy(written, max_bytes=10_000)
    assert (taken["review_risk"], taken["block_risk"]) == (REVIEW_RISK, BLOCK_RISK)


@pytest.mark.e2e
def test_the_written_configuration_and_hooks_run_as_they_are(project: Path) -> None:
    init()
    checked = CliRunner().invoke(group, ["--config", "gate.toml", "check", "answers/a.md", "-q"])
    assert checked.exit_code == 0, checked.output
    programs = project / "bin"
    programs.mkdir()
    (programs / "gate").write_text(f'#!/bin/sh\nGATE_EMBEDDER=none exec "{sys.executable}" -m gate "$@"\n')
    (programs / "gate").chmod(0o755)
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(project / "home")}
    subprocess.run(["git", "add", "README.md", "docs", "answers"], check=True)
    hooks = [str(Path(sys.executable).parent / "pre-commit"), "run", "--all-files"]
    done = subprocess.run(hooks, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Passed") == 2
    (project / "README.md").write_text("See [the guide](docs/giude.md).\n")
    done = subprocess.run(hooks, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "Did you mean docs/guide.md?" in done.stdout


def test_options_go_to_the_end_of_a_pyproject_and_change_nothing_in_it(project: Path) -> None:
    before = '[project]\r\nname = "boats"\r\n\r\n[tool.ruff]\r\nline-length = 99'
    Path("pyproject.toml").write_bytes(before.encode())
    init()
    after = Path("pyproject.toml").read_bytes().decode()
    assert after.startswith(before)
    assert after.count("\n") == after.count("\r\n")
    assert tomllib.loads(after)["tool"]["ruff"] == {"line-length": 99}
    assert read(Path("pyproject.toml"))["check"] == {"corpus": "docs", "policy": "gate-policy.yaml"}
    assert not Path("gate.toml").exists()
    init()
    assert Path("pyproject.toml").read_bytes().decode() == after, "a second time changes nothing"


def test_what_is_there_stays_as_it_is(project: Path) -> None:
    for name in ("gate.toml", "gate-policy.yaml", ".pre-commit-config.yaml", str(WORKFLOW)):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("mine")
    before = contents(project)
    assert init("--action", REF).exit_code == 0
    assert contents(project) == before


@pytest.mark.parametrize("name", [".gitlab-ci.yml", "Jenkinsfile"])
def test_where_another_service_builds_no_workflow_of_github_is_written(project: Path, name: str) -> None:
    (project / name).touch()
    assert f"no workflow: {name} is there; docs/ci.md" in init("--action", REF).output
    assert not WORKFLOW.exists()
    Path(".github").mkdir()
    init("--action", REF)
    assert WORKFLOW.exists()


def test_a_dry_run_shows_every_file_and_writes_none(project: Path) -> None:
    before = contents(project)
    shown = init("--dry-run", "--action", REF).output
    assert contents(project) == before
    init("--action", REF)
    for name, text in contents(project).items():
        if name not in before:
            assert f"# {name}: " in shown
            assert text.decode() in shown


def test_no_link_leads_out_of_the_folder(project: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (project / ".github").symlink_to(elsewhere)
    (project / "gate-policy.yaml").symlink_to(elsewhere / "policy")
    found = init("--action", REF)
    assert found.exit_code == 2
    assert not [path for path in elsewhere.rglob("*") if path.is_file()]


def test_an_empty_folder_gets_what_can_be_said_without_a_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = init()
    assert set(contents(tmp_path)) == {"gate.toml", "gate-policy.yaml"}
    assert read(Path("gate.toml"))["check"] == {"policy": "gate-policy.yaml"}
    assert "no git repository" in found.output
    assert init("--action", "someone/gate@main").exit_code == 2
    assert init("nowhere").exit_code == 2


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({"url": "https://github.com/someone/gate.git", "vcs_info": {"commit_id": "a" * 40}}, REF),
        ({"url": "https://github.com/someone/gate", "vcs_info": {"commit_id": "a" * 40}}, REF),
        ({"url": "file:///srv/gate", "dir_info": {}}, ""),
        ({"url": "https://github.com/someone/gate\n      run: x", "vcs_info": {"commit_id": "a" * 40}}, ""),
        ({}, ""),
    ],
)
def test_a_workflow_takes_the_gate_from_the_commit_that_was_installed(
    told: dict[str, object], found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = SimpleNamespace(read_text=lambda name: json.dumps(told))
    monkeypatch.setattr("gate.cli.init.metadata.distribution", lambda name: given)
    assert installed_from() == found
