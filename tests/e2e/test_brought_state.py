"""What a checkout brings along in the gate's name is not what the gate made: it is not looked at."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.adapters.local_files import FolderBlobStore
from gate.errors import SettingsError
from gate.services.paths.path_index import index_corpus
from gate.settings import Settings
from tests.entrance import Entrance

pytestmark = pytest.mark.e2e

TRUTH = "The lamp weighs 200 grams. It comes with a warranty of two years."
LIE = "The lamp weighs 900 grams. It comes with a warranty of ten years."


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of a user who set nothing."""
    home = tmp_path / "user"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GATE_EMBEDDER", "none")
    monkeypatch.setenv("GATE_MODEL", "local:lexical")
    return home


@pytest.fixture
def checkout(tmp_path: Path, user: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, with the user in it."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    monkeypatch.chdir(folder)
    _write(folder / "corpus.jsonl", TRUTH)
    return folder


def _write(path: Path, text: str) -> None:
    path.write_text(json.dumps({"id": "lamp", "content": text}) + "\n")


def _as_found(entrance: Entrance, **more: Any) -> None:
    """Work as `gate` does that was started here."""
    entrance.use(Settings(embedder="none", model="local:lexical", **more))


def test_an_index_that_a_checkout_brings_vouches_for_nothing(
    checkout: Path, tmp_path: Path, entrance: Entrance
) -> None:
    evil = checkout / ".gate"
    _as_found(entrance, home=tmp_path / "scratch")
    expected = index_corpus("corpus.jsonl")
    _as_found(entrance, home=evil)
    _write(tmp_path / "corpus.jsonl", LIE)
    made = index_corpus(str(tmp_path / "corpus.jsonl"))
    shutil.move(evil / "indexes" / made, evil / "indexes" / expected)
    (checkout / "answer.md").write_text("The lamp weighs 900 grams.")

    _as_found(entrance)
    result = CliRunner().invoke(cli.group, ["check", "answer.md", "--corpus", "corpus.jsonl", "-q"])
    assert result.exit_code == 1, result.output
    assert "unsupported" in result.stdout or "contradicted" in result.stdout, result.stdout


def test_what_is_kept_lies_outside_of_the_working_folder_one_for_each(
    checkout: Path, user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Settings().home
    assert here.is_relative_to(user / ".local" / "state" / "llm-reliability-gate")
    assert here == Settings.from_env({}).home
    monkeypatch.chdir(tmp_path)
    assert Settings().home != here


@pytest.mark.parametrize("home", ["", ".", "elsewhere"])
def test_a_user_without_a_home_is_asked_to_name_a_folder(
    checkout: Path, entrance: Entrance, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", home)
    settings = Settings()
    if home:  # an empty one is looked up elsewhere
        with pytest.raises(SettingsError) as caught:
            FolderBlobStore(settings.home).put("runs/a/b", b"{}")
        assert "GATE_HOME" in caught.value.hint
    assert not settings.home.is_relative_to(checkout)


def test_a_working_folder_that_is_gone_is_no_traceback(
    checkout: Path, entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(checkout)
    with pytest.raises(SettingsError):
        FolderBlobStore(Settings().home).put("runs/a/b", b"{}")


def test_nobody_finds_a_second_corpus_with_the_name_of_an_index(checkout: Path, entrance: Entrance) -> None:
    _as_found(entrance, home=checkout.parent / "home")
    _, _, sha = index_corpus("corpus.jsonl").rpartition("-")
    assert len(sha) * 4 >= 160, "two corpora whose names agree in 48 bits are found in a minute"
    assert wiring.current().embedded_store().exists(f"corpus-{sha}")
