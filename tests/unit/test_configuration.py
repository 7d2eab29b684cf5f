"""The configuration file: read where it is named, and nothing that a checkout brings along decides by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate import cli
from gate.cli.configuration import KEYS
from tests.entrance import Entrance

LENIENT = "unsupported: pass\nfailed_check: pass\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    project = tmp_path / "project"
    project.mkdir()
    (project / "corpus.jsonl").write_text('{"text": "The lamp weighs 200 g."}\n')
    (project / "lenient.yaml").write_text(LENIENT)
    (project / "gate.toml").write_text('[check]\ncorpus = "corpus.jsonl"\npolicy = "lenient.yaml"\n')
    (project / "pyproject.toml").write_text('[project]\nname = "x"\n[tool.gate.check]\ncorpus = "corpus.jsonl"\n')
    (tmp_path / "answer.md").write_text("The lamp weighs 900 g.")
    return tmp_path


def run(*arguments: str, **variables: str) -> Result:
    return CliRunner(env=variables).invoke(cli.group, list(arguments))


def test_a_file_that_is_named_says_what_a_command_does_not_and_paths_are_seen_from_it(place: Path) -> None:
    assert run("--config", "project/gate.toml", "check", "answer.md", "-q").exit_code == 0
    assert run("check", "answer.md", "-q", GATE_CONFIG="project/gate.toml").exit_code == 0
    assert run("--config", "project/pyproject.toml", "check", "answer.md", "-q").exit_code == 1
    (place / "strict.yaml").write_text("unsupported: block\n")
    over = run("--config", "project/gate.toml", "check", "answer.md", "-q", "--policy", "strict.yaml")
    assert over.exit_code == 1, "the command line comes first"


def test_a_file_in_the_working_folder_or_the_repository_is_not_read(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(place / "project")
    assert run("check", "../answer.md", "--corpus", "corpus.jsonl", "--repo", ".", "-q").exit_code == 1
    assert run("check", "../answer.md", "-q").exit_code == 2, "not even for the corpus"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[check]\nremote = 'https://x.example'", "check.remote may not stand"),
        ("[check]\nrepo = '/'", "check.repo may not stand"),
        ("[check]\noutput = 'x'", "check.output may not stand"),
        ("[settings]\nmodel = 'openai:x'", "settings may not stand"),
        ("model = 'openai:x'", "model may not stand"),
        ("[check]\nfail_on = 'block'", "did you mean fail-on?"),
        ("[check]\njobs = '3'", "check.jobs is no int"),
        ("[check]\nquiet = 1", "check.quiet is no bool"),
        ("check = 3", "check is no table"),
        ("[check", "is no TOML"),
        ("[check]\nfail-on = 'never'", "'never' is not one of"),
        ("a = " + "[" * 5_000, "is no TOML"),
    ],
)
def test_what_may_not_stand_there_is_refused_and_named(place: Path, text: str, said: str) -> None:
    (place / "gate.toml").write_text(text)
    done = run("--config", "gate.toml", "check", "answer.md", "--corpus", "project/corpus.jsonl")
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_what_holds_is_shown_with_where_it_comes_from_and_no_secret(place: Path, entrance: Entrance) -> None:
    entrance.change(model_key="hidden", language="german")
    shown = run("--config", "project/gate.toml", "config").output.splitlines()
    assert "check.policy = project/lenient.yaml  (file)" in shown
    assert "check.fail-on = review  (default)" in shown
    assert {"check.tenant =  (default)", "check.source =  (default)", "check.format =  (default)"} <= set(shown)
    assert not [line for line in shown if "hidden" in line]
    assert len([line for line in shown if line.startswith(tuple(KEYS))]) == sum(map(len, KEYS.values()))
    assert run("config").output.startswith("file: none")
