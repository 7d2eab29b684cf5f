"""`gate check` and `gate audit-docs` over repositories that would have git run something, list more, or wait."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate import cli
from tests.entrance import Entrance
from tests.fakes.model import WordVerifier
from tests.hostile import configured, trees
from tests.hostile.scene import SECRET, Scene, honest

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(60)]


@pytest.fixture
def scene(entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scene:
    entrance.give(verifier=WordVerifier())
    honest(tmp_path / "top")
    honest(tmp_path / "outside" / "victim")
    (tmp_path / "outside" / SECRET).write_text("the plan\n")
    (tmp_path / "corpus.jsonl").write_text(
        json.dumps({"id": "sky", "title": "Sky", "content": "The sky is blue."}) + "\n"
    )
    (tmp_path / "answer.md").write_text("The sky is blue. See [a](src/a.py) and [the plan](secret-plan.txt).\n")
    monkeypatch.chdir(tmp_path)
    return Scene(tmp_path)


def gate(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, arguments)


@pytest.mark.parametrize(
    "build",
    [
        configured.promisor_of_a_sparse_rule,
        configured.promisor_of_a_tree,
        configured.promisor_of_a_bare_repository,
        configured.worktree_elsewhere,
        trees.pipes,
    ],
)
def test_a_repository_runs_nothing_and_lists_nothing_else(scene: Scene, build: Callable[[Scene], None]) -> None:
    build(scene)

    checked = gate("check", "answer.md", "--corpus", "corpus.jsonl", "--repo", "top", "-f", "json")
    audited = [gate("audit-docs", "answer.md", "--repo", "top", *more) for more in ([], ["--commit", "HEAD"])]

    assert not scene.marker.exists()
    assert checked.exit_code == 1, checked.output  # the plan is not in the repository
    assert "secret-plan.txt does not exist in the repository" in audited[0].stdout
    assert all(result.exit_code in (1, 2) and "Traceback" not in result.output for result in audited)


def test_a_repository_among_the_files_that_a_transcript_names_is_refused(scene: Scene) -> None:
    configured.bare_repository_among_the_files(scene)
    turns = [{"role": "user", "content": "Is it?"}, {"role": "assistant", "content": "The sky is blue."}]
    artifacts = {"repo": {"kind": "worktree", "path": "fixtures/evil"}}
    Path("chat.json").write_text(json.dumps({"turns": turns, "artifacts": artifacts}))

    checked = gate("check", "chat.json", "--corpus", "corpus.jsonl", "--repo", "top", "-f", "json")

    assert not scene.marker.exists()
    assert checked.exit_code == 1, checked.output
    assert "the repository is nested below repo_root" in checked.stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_an_archive_that_is_a_pipe_is_refused(scene: Scene) -> None:
    os.mkfifo("code.zip")

    audited = gate("audit-docs", "answer.md", "--repo", "code.zip")

    assert (audited.exit_code, audited.stdout) == (2, "")
    assert "there is no plain file" in audited.stderr
