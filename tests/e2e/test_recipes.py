"""The recipes of docs/models.md, run as they stand there; addresses lead to stand-ins, and nothing else is changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stubs.converse import ConverseStub, running
from tests.stubs.openai import ChatStub

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
RECIPE = re.compile(r"^### (.+?)\n.*?```sh\n(.*?)```", re.DOTALL | re.MULTILINE)
PAGE = (ROOT / "docs/models.md").read_text(encoding="utf-8")
RECIPES = dict(RECIPE.findall(PAGE.partition("\n## Three recipes\n")[2]))


@pytest.fixture
def chat() -> Iterator[ConverseStub]:
    with running(ChatStub()) as stub:
        yield stub


def cook(script: str, home: Path, **variables: str) -> str:
    """Run a recipe in a shell of its own; a decision of the policy (1) is no failure. Returns what it printed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "AWS_"))}
    environment |= {"HOME": str(home), "GATE_EMBEDDER": "none", "PYTHONPATH": str(ROOT / "functions"), **variables}
    gate = f'gate() {{ "{sys.executable}" -m gate "$@" || [ $? = 1 ]; }}\nset -e\n'
    found = subprocess.run(
        ["bash", "-c", gate + script], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def test_there_are_three_recipes() -> None:
    assert list(RECIPES) == ["Ollama", "Azure OpenAI", "Bedrock with a cascade"]


def test_ollama(chat: ConverseStub, tmp_path: Path) -> None:
    said = cook(RECIPES["Ollama"].replace("http://localhost:11434", chat.url), tmp_path)
    assert "openai:llama3.1 answers, at 127.0.0.1" in said
    assert all(seen.body["sent"]["model"] == "llama3.1" for seen in chat.seen)
    assert "claims in =" in said


def test_azure_openai(chat: ConverseStub, tmp_path: Path) -> None:
    (tmp_path / ".azure-openai-key").write_text("key-1\n")
    said = cook(RECIPES["Azure OpenAI"].replace("https://team.openai.azure.com", chat.url), tmp_path)
    assert "claims in =" in said
    assert {seen.path for seen in chat.seen} == {"/openai/v1/chat/completions"}
    assert all("key-1" in seen.headers["authorization"] for seen in chat.seen)
    assert "key-1" not in said


def test_bedrock_with_a_cascade(tmp_path: Path) -> None:
    with running() as bedrock:
        said = cook(
            RECIPES["Bedrock with a cascade"],
            tmp_path,
            GATE_MODEL_ENDPOINT=bedrock.url,
            AWS_ACCESS_KEY_ID="stub",
            AWS_SECRET_ACCESS_KEY="stub",
        )
    assert "judged by the first verifier" in said
    assert f"{len(bedrock.seen)} by the second" in said
    assert "1,000 claims, prices of" in said
