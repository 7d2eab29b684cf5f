"""The recipes of docs/ci.md for GitLab and Jenkins: their commands run as they stand, and leave what is collected."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/ci.md").read_text(encoding="utf-8")


def recipe(title: str) -> str:
    (code,) = re.findall(r"```\w+\n(.*?)```", PAGE.partition(f"\n### {title}\n")[2].partition("\n##")[0], re.DOTALL)
    return str(code)


def commands_and_collected(title: str) -> tuple[list[str], list[str]]:
    """What a recipe runs, and the patterns of the files that it collects."""
    code = recipe(title)
    if title == "Jenkins":
        return re.findall(r"sh '(.*)'", code), re.findall(r"(?:junit|archiveArtifacts) '(.*)'", code)
    job = yaml.safe_load(code)["answers"]
    collected = [job["artifacts"]["reports"]["junit"], *(f"{path}*.html" for path in job["artifacts"]["paths"])]
    return [*job["before_script"], *job["script"]], collected


@pytest.mark.parametrize("title", ["GitLab", "Jenkins"])
def test_a_recipe_fails_the_job_and_leaves_a_test_report_for_each_answer(title: str, tmp_path: Path) -> None:
    commands, collected = commands_and_collected(title)
    installing = [command for command in commands if command.startswith("pip install")]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, extra = re.findall(r"(llm-[a-z-]+)\[(\w+)\] @ git", installing[0])[0]
    assert name == project["name"]
    assert extra in project["optional-dependencies"]
    weights = installing[1].split()[-1]
    assert (ROOT / "locks/weights.lock").read_text(encoding="utf-8").startswith(weights)

    for path, text in {"docs/h.md": "at nine", "answers/good.md": "at nine", "answers/bad.md": "at eleven"}.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(f"Boats leave {text}.\n", encoding="utf-8")
    own = {"GATE_HOME": str(tmp_path / "home"), "GATE_MODEL": "local:lexical", "GATE_EMBEDDER": "none"}
    gate = f'gate() {{ "{sys.executable}" -m gate "$@"; }}\nset -e\n'
    script = gate + "\n".join(command for command in commands if command not in installing)
    environment = {**os.environ, **own, "PYTHONPATH": str(ROOT / "functions")}
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    tests, pages = (sorted(tmp_path.glob(pattern)) for pattern in collected)
    assert [path.name for path in tests] == ["bad.xml", "good.xml"]
    failures = [len(ElementTree.parse(path).findall(".//failure")) for path in tests]
    assert failures[0] >= 1
    assert failures[1] == 0
    assert [path.name for path in pages] == ["answers.html"]
