"""Names that are not UTF-8 end a command in one line, or are none of its business; never in a traceback."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate import cli, wiring
from gate.adapters import local_files
from gate.adapters.local_files import FolderBlobStore
from tests.report_builders import a_report

ODD = os.fsdecode(b"caf\xe9")
"""A name in Latin-1, as Python sees it."""
CORPUS = '{"id": "1", "content": "The sky is blue."}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder whose own name is odd."""
    here = tmp_path / ODD
    try:
        here.mkdir()
    except OSError:
        pytest.skip("this file system takes UTF-8 alone")
    monkeypatch.chdir(here)
    (here / "answer.md").write_text("The sky is blue.")
    (here / "corpus.jsonl").write_text(CORPUS)
    return here


def gate(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, list(arguments))


def is_one_line(result: Result) -> bool:
    """Whether a command ended with a line that names what it does not take, and perhaps a hint."""
    lines = result.stderr.splitlines()
    said = len(lines) == 1 or (len(lines) == 2 and lines[1].startswith("hint: "))
    return result.exit_code == 2 and said and lines[0].startswith("gate: ") and isinstance(result.exception, SystemExit)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", f"{ODD}.md", "--corpus", "corpus.jsonl"),
        ("check", "answer.md", "--corpus", f"{ODD}.jsonl"),
        ("check", "answer.md", "--corpus", "corpus.jsonl", "-o", f"{ODD}.html"),
        ("check", "answer.md", "--corpus", "corpus.jsonl", "--repo", ODD),
        ("check", "answer.md", "--corpus", "corpus.jsonl", "--policy", f"{ODD}.yaml"),
        ("index", "add", ODD, "--corpus", "handbook"),
        ("ask", ODD, "--corpus", "corpus.jsonl"),
        ("audit-docs", ODD, "--repo", "."),
        ("evaluate", f"{ODD}.jsonl"),
        ("report", ODD),
        (ODD,),
    ],
    ids=lambda arguments: " ".join(arguments[:1]).encode("ascii", "replace").decode(),
)
def test_an_argument_that_is_not_utf_8_is_one_line(folder: Path, arguments: tuple[str, ...]) -> None:
    (folder / f"{ODD}.md").write_text("The sky is blue.")
    (folder / f"{ODD}.jsonl").write_text(CORPUS)
    (folder / ODD).mkdir()
    result = gate(*arguments)
    assert is_one_line(result), result.output + repr(result.exception)


@pytest.mark.parametrize("command", [("check", "answer.md", "--corpus", "docs", "-v"), ("index", "add", "docs", "-v")])
def test_a_document_whose_name_is_not_utf_8_is_named_and_left_out(folder: Path, command: tuple[str, ...]) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("The sky is blue.")
    (folder / "docs" / f"{ODD}.md").write_text("The sky is red.")
    result = gate(*command)
    assert result.exit_code in (cli.EXIT_PASS, cli.EXIT_POLICY), result.output + repr(result.exception)
    first, *names = result.stderr.splitlines()
    assert first == "gate: docs: 1 of 2 files (48% of the bytes) left out: 1 × the name is not UTF-8"
    assert "the name is not UTF-8" in "".join(names)


def test_a_working_folder_whose_name_is_not_utf_8_is_as_good_as_any(folder: Path) -> None:
    result = gate("check", "answer.md", "--corpus", "corpus.jsonl", "-q")
    assert result.exit_code in (cli.EXIT_PASS, cli.EXIT_POLICY), result.output + repr(result.exception)


def test_a_repository_that_lies_below_such_a_name_is_one_line_or_read(folder: Path) -> None:
    (folder / "code").mkdir()
    (folder / "code" / "a.py").write_text("")
    for repo in ("code", "."):
        result = gate("check", "answer.md", "--corpus", "corpus.jsonl", "--repo", repo, "-q")
        assert is_one_line(result) or result.exit_code in (0, 1), result.output + repr(result.exception)
    audited = gate("audit-docs", ".", "--repo", ".")
    assert is_one_line(audited) or audited.exit_code in (0, 1), audited.output + repr(audited.exception)


@pytest.mark.parametrize(
    "text",
    ["", "null", "{", "[" * 100_000, '{"outcome": "pass", "claims": [{"text": "my secret"}]}', "\x00\xff"],
)
def test_a_report_that_no_gate_wrote_is_one_line_without_its_texts(text: str) -> None:
    wiring.current().blob_store().put("reports/r1/report.json", text.encode("latin-1"))
    result = gate("report", "r1")
    assert is_one_line(result), result.output + repr(result.exception)
    assert "secret" not in result.output


def test_a_report_that_a_gate_wrote_is_shown() -> None:
    report = a_report((("The sky is blue.", "supported"),))
    wiring.current().blob_store().put("reports/r1/report.json", report.model_dump_json().encode())
    assert gate("report", "r1").exit_code == 0


def test_a_store_remembers_no_more_runs_than_it_has_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_files, "NOTED", 4)
    store = FolderBlobStore(tmp_path / "home")
    for number in range(20):
        store.put(f"runs/{number}/a", b"{}")
        assert len(store._noted) <= 4
