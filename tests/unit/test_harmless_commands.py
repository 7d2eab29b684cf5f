"""Whatever a corpus, a repository, a file's name or a service says, no command hands it to the terminal as it is."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gate import cli
from gate.errors import ModelUnavailableError
from tests.hostile_text import FORBIDDEN, NASTY, strings

PLAIN_NASTY = NASTY.replace("\r\n", " ").replace("\n", " ").replace("\x00", "").replace("/", " ")
"""As the name of a file, a title or an id."""
COMMANDS = sorted(Path("functions/gate/cli").glob("*.py"))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    passage = {"id": f"p1 {PLAIN_NASTY}", "title": f"Boats {PLAIN_NASTY}", "section": PLAIN_NASTY,
               "source": PLAIN_NASTY, "url": f"https://x.example/{PLAIN_NASTY}",
               "text": f"Boats leave the harbour at nine. {NASTY}"}  # fmt: skip
    Path("corpus.jsonl").write_text(json.dumps(passage) + "\n")
    Path("segment.json").write_text(json.dumps({"use_case_label": f"Boats {NASTY}", "reasons": ["harbour"]}))
    return tmp_path


def run(*arguments: str) -> tuple[str, str]:
    """Standard output and standard error of a command."""
    result = CliRunner().invoke(cli.group, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.stdout, result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "boats harbour", "--corpus", "corpus.jsonl", "--explain"),
        ("ask", f"boats harbour {NASTY}", "--corpus", "corpus.jsonl"),
        ("cite", "--segment", "segment.json", "--corpus", "corpus.jsonl"),
        ("index", "add", "corpus.jsonl", "--corpus", "kept"),
    ],
)
def test_what_a_corpus_says_is_shown_and_not_obeyed(place: Path, arguments: tuple[str, ...]) -> None:
    out, err = run(*arguments)
    assert "harbour" in out + err or "kept" in out
    assert not FORBIDDEN.search(out + err)


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "boats harbour", "--corpus", "corpus.jsonl", "--json"),
        ("cite", "--segment", "segment.json", "--corpus", "corpus.jsonl", "--json"),
    ],
)
def test_json_holds_no_character_that_steers_whoever_prints_it(place: Path, arguments: tuple[str, ...]) -> None:
    out, err = run(*arguments)
    assert "harbour" in out
    assert not FORBIDDEN.search(out + err)
    assert not [text for text in strings(json.loads(out)) if FORBIDDEN.search(text)]


@pytest.mark.parametrize("form", ["table", "json", "sarif"])
def test_an_audit_shows_paths_as_text(place: Path, form: str) -> None:
    repo = place / "repo"
    repo.mkdir()
    name = f"a {PLAIN_NASTY[:100]}.md"
    (repo / name).write_text(f"[x](<src/\x1b[31m{chr(0x202E)}\x9b.py>) and [y](docs/missing.md)")
    out, err = run("audit-docs", str(repo / name), "--repo", str(repo), "-f", form)
    assert "missing.md" in out
    assert not FORBIDDEN.search(out + err)
    if form != "table":
        assert not [text for text in strings(json.loads(out)) if FORBIDDEN.search(text)]


@pytest.mark.parametrize("form", ["table", "json", "html"])
def test_an_evaluation_shows_the_name_of_its_set_as_text(place: Path, form: str) -> None:
    row = {"claim": "Boats leave at nine.", "evidence": ["Boats leave at nine."], "label": "supported"}
    name = f"set {PLAIN_NASTY[:100]}.jsonl"
    Path(name).write_text(json.dumps(row) + "\n")
    out, err = run("evaluate", name, "--flips", "0", "-q", "-f", form)
    assert "set" in out
    assert not FORBIDDEN.search(out + err)
    if form == "json":
        assert not [text for text in strings(json.loads(out)) if FORBIDDEN.search(text)]
    if form == "table":
        assert len({line.count("|") for line in out.splitlines() if line.startswith("|")}) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", PLAIN_NASTY, "--corpus", "corpus.jsonl"),
        ("check", "corpus.jsonl", "--corpus", PLAIN_NASTY),
        ("check", "corpus.jsonl", f"--{PLAIN_NASTY}"),
        ("check", "corpus.jsonl", "--fail-on", PLAIN_NASTY),
        ("report", PLAIN_NASTY),
        (PLAIN_NASTY,),
        ("index", "delete", PLAIN_NASTY),
        ("index", PLAIN_NASTY),
    ],
)
def test_an_error_is_said_without_obeying_what_it_is_about(place: Path, arguments: tuple[str, ...]) -> None:
    out, err = run(*arguments)
    assert err
    assert not FORBIDDEN.search(out + err)


def test_a_failure_is_one_line_and_a_hint() -> None:
    error = ModelUnavailableError(f"asleep {NASTY}", hint=f"wake it {NASTY}")
    result = CliRunner().invoke(cli.group, ["ask", "x", "--corpus", "nowhere"])
    assert result.exit_code == 2
    failure = cli.failure_of(error)
    shown = CliRunner().invoke(_raising(failure), [])
    assert [line.partition(":")[0] for line in shown.stderr.splitlines()] == ["gate", "hint"]
    assert not FORBIDDEN.search(shown.stderr)


def _raising(failure: Exception) -> click.Command:
    @click.command()
    def command() -> None:
        raise failure

    return command


@pytest.mark.parametrize("module", COMMANDS, ids=lambda path: path.stem)
def test_commands_print_through_one_door(module: Path) -> None:
    """`click.echo` and `print` hand a text over as it is; `printing` is the one place that calls them."""
    calls = [node.func for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Call)]
    named = {ast.unparse(call) for call in calls}
    allowed = {"click.echo"} if module.stem == "printing" else set()
    assert named & {"click.echo", "click.secho", "print", "sys.stdout.write", "sys.stderr.write"} <= allowed
