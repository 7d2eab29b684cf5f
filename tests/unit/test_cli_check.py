"""`gate check` refuses what it cannot use: one clear line that says what and where, exit 2, nothing written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from gate import cli
from gate.cli.inputs import read_policy
from gate.cli.outputs import format_of, places, write
from gate.errors import InputError
from tests.entrance import Entrance

GOOD = "The sky is blue."
CORPUS = '{"id": "a", "content": "The sky is blue."}\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with a small corpus."""
    here = tmp_path / "work"
    here.mkdir()
    monkeypatch.chdir(here)
    (here / "corpus.jsonl").write_text(CORPUS)
    (here / "good.md").write_text(GOOD)
    return here


def gate(*arguments: str) -> Result:
    """Run `gate` as a user would."""
    return CliRunner().invoke(cli.group, list(arguments))


def repository(folder: Path) -> str:
    """A small repository with a command of its own."""
    (folder / "plume" / "src").mkdir(parents=True)
    (folder / "plume" / "pyproject.toml").write_text(
        '[project]\nname = "plume"\n[project.scripts]\nplume = "cli:main"\n'
    )
    calls = "".join(f'sub.add_parser("{name}")\n' for name in ("render", "serve", "check"))
    (folder / "plume" / "src" / "cli.py").write_text(f"import argparse\np = argparse.ArgumentParser()\n{calls}")
    return "plume"


def test_without_a_corpus_paths_and_names_are_checked_in_the_repository_and_statements_are_not(folder: Path) -> None:
    (folder / "answer.md").write_text("`plume serve` starts at `src/cli.py`, and not at `src/main.py`.")
    result = gate("check", "answer.md", "--repo", repository(folder), "--format", "json")
    report = json.loads(result.stdout)
    said = {claim["text"]: (claim["status"], claim["reason"]) for claim in report["claims"]}
    assert said == {
        "plume serve starts at src/cli.py, and not at src/main.py.": ("unchecked", "no_corpus"),
        "plume serve": ("supported", "entailed"),
        "src/cli.py": ("supported", "entailed"),
        "src/main.py": ("unsupported", "not_mentioned"),
    }
    assert (result.exit_code, report["outcome"], report["against"]) == (1, "block", "repository")


def test_without_a_corpus_an_answer_of_statements_alone_is_none_that_passes(folder: Path) -> None:
    result = gate("check", "good.md", "--repo", repository(folder))
    assert (result.exit_code, "there is no corpus" in result.stderr) == (3, True)
    assert "`gate check --corpus PATH`" in result.stderr


def test_a_name_that_the_documents_lack_and_the_repository_has_is_supported(folder: Path) -> None:
    (folder / "answer.md").write_text("`plume serve` `plume polish`")
    result = gate("check", "answer.md", "--corpus", "corpus.jsonl", "--repo", repository(folder), "--format", "json")
    said = {claim["text"]: claim["status"] for claim in json.loads(result.stdout)["claims"]}
    assert (said["plume serve"], said["plume polish"]) == ("supported", "unsupported")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.md", b"", "empty.md: empty: there is nothing to check"),
        ("blank.md", b" \n\t\n", "blank.md: empty: there is nothing to check"),
        ("broken.json", b'{"turns": [', "broken.json: not JSON: Expecting value at line 1, column 12"),
        ("latin.md", "Größe".encode("latin-1"), "latin.md: not UTF-8 at byte 2"),
        ("asked.json", b'{"turns": [{"role": "user", "content": "Why?"}]}', "asked.json: no assistant turn"),
        ("other.json", b'{"answers": []}', "other.json: JSON in no known format"),
        ("deep.json", b"[" * 50_000, "deep.json: "),
        ("missing.md", None, "missing.md: no such file or directory"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line_and_exit_2(
    folder: Path, name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (folder / name).write_bytes(content)
    result = gate("check", name, "--corpus", "corpus.jsonl", "-o", "report.html")
    assert result.exit_code == 2
    lines = result.stderr.splitlines()
    assert lines[0].startswith(f"gate: {said}")
    assert all(line.startswith("hint: ") for line in lines[1:])
    assert result.stdout == ""
    assert not (folder / "report.html").exists()


def test_a_folder_stands_for_the_answers_below_it(folder: Path) -> None:
    (folder / "answers" / "more").mkdir(parents=True)
    (folder / "good.md").rename(folder / "answers" / "more" / "good.md")
    (folder / "answers" / ".hidden.md").write_text("Boats fly.")
    (folder / "answers" / "picture.png").write_bytes(b"\x89PNG")
    (folder / "answers" / "link.md").symlink_to(folder / "corpus.jsonl")
    result = gate("check", "answers", "--corpus", "corpus.jsonl", "-f", "json")
    assert json.loads(result.stdout)["name"] == "answers/more/good.md"
    again = gate("check", "answers/*/g*.md", "answers", "--corpus", "corpus.jsonl", "-f", "json")
    assert json.loads(again.stdout)["name"] == "answers/more/good.md"


@pytest.mark.parametrize(("name", "said"), [("empty", "holds no file to check"), ("none/*.md", "meets no file")])
def test_a_folder_or_pattern_without_an_answer_is_one_line(folder: Path, name: str, said: str) -> None:
    (folder / "empty").mkdir()
    result = gate("check", name, "--corpus", "corpus.jsonl")
    assert (result.exit_code, result.stderr.splitlines()[0]) == (2, f"gate: {name}: {said}")


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(folder: Path) -> None:
    (folder / "good.md").rename(folder / "good[1].md")
    result = gate("check", "good[1].md", "--corpus", "corpus.jsonl", "-f", "json")
    assert json.loads(result.stdout)["name"] == "good[1].md"


LEAKING = ("answers/leak.md", "answers/l*.md", "answers/**/l*.md", "answers/sub/*.txt", "answers/*/s*.txt", "away")
"""How an answer may be given, of which a link in a checkout makes something else."""


@pytest.mark.parametrize("given", [*LEAKING, *(f"{{here}}/{each}" for each in LEAKING)])
@pytest.mark.parametrize("target", [".git/secret.txt", "../elsewhere/secret.txt"])
def test_an_answer_that_is_a_link_to_what_is_hidden_or_elsewhere_is_refused(
    folder: Path, given: str, target: str
) -> None:
    (folder / "answers").mkdir()
    secret = folder / target
    secret.parent.mkdir()
    secret.write_text("token=1234")
    (folder / "answers" / "leak.md").symlink_to(secret)
    for link in ("answers/sub", "away"):
        (folder / link).symlink_to(secret.parent)
    result = gate("check", given.format(here=folder), "--corpus", "corpus.jsonl")
    assert (result.exit_code, "1234" in result.output, "leads out of" in result.stderr) == (2, False, True)


def test_a_link_to_what_lies_in_the_working_folder_is_an_answer(folder: Path) -> None:
    (folder / "answers").mkdir()
    (folder / "answers" / "latest.md").symlink_to("../good.md")
    for given in ("answers/latest.md", "answers/*.md", "**/l*.md"):
        assert gate("check", given, "--corpus", "corpus.jsonl").exit_code == 0, given


def test_an_answer_elsewhere_may_be_named_and_be_a_link_within_its_own_folder(folder: Path) -> None:
    there = folder.parent / "elsewhere"
    there.mkdir()
    (there / "answer.md").write_text(GOOD)
    (there / "latest.md").symlink_to("answer.md")
    (there / "leak.md").symlink_to(folder / "good.md")
    (folder.parent / "link").symlink_to("elsewhere")
    for given in (f"{there}/answer.md", f"{there}/latest.md", "../elsewhere/answer.md", "../link/latest.md"):
        assert gate("check", given, "--corpus", "corpus.jsonl").exit_code == 0, given
    assert gate("check", "../elsewhere/leak.md", "--corpus", "corpus.jsonl").exit_code == 2


def test_in_the_root_of_the_machine_a_link_is_held_to_its_own_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "answers").mkdir()
    (folder / "answers" / "leak.md").symlink_to(folder / "good.md")
    monkeypatch.chdir("/")
    result = gate("check", f"{folder}/answers/*.md", "--corpus", f"{folder}/corpus.jsonl")
    assert (result.exit_code, "leads out of its own" in result.stderr) == (2, True)


@pytest.mark.skipif(sys.platform != "linux", reason="a shell's <(…) is a link of /proc")
@pytest.mark.parametrize("given", ["<(cat good.md)", "/dev/stdin < good.md", "/dev/fd/3 3< good.md"])
def test_what_a_shell_hands_over_is_an_answer(folder: Path, given: str) -> None:
    command = f'"{sys.executable}" -m gate check --corpus corpus.jsonl -f json {given}'
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, timeout=60)
    assert (done.returncode, b"The sky is blue." in done.stdout) == (0, True), done.stderr


def test_links_that_lead_to_their_own_folder_make_no_path_without_end(folder: Path) -> None:
    for name in ("one", "two"):
        (folder / name).symlink_to(".")
    result = gate("check", "**/g*.md", "--corpus", "corpus.jsonl", "-f", "json")
    assert json.loads(result.stdout)["name"] == "good.md"


def test_a_file_that_a_pattern_meets_twice_is_checked_once(folder: Path) -> None:
    (folder / "answers" / "more").mkdir(parents=True)
    (folder / "good.md").rename(folder / "answers" / "more" / "good.md")
    for given in ("answers/**", "answers/**/*", "**/*.md"):
        result = gate("check", given, "--corpus", "corpus.jsonl", "-f", "json")
        assert json.loads(result.stdout)["name"] == "answers/more/good.md", given


def test_what_is_piped_in_is_checked_and_nothing_at_all_is_refused(folder: Path) -> None:
    answer = (folder / "good.md").read_bytes()
    piped = CliRunner().invoke(cli.group, ["check", "--corpus", "corpus.jsonl", "-f", "json"], input=answer)
    assert json.loads(piped.stdout)["name"] == "stdin"
    nothing = gate("check", "--corpus", "corpus.jsonl")
    assert (nothing.exit_code, "nothing to check" in nothing.stderr) == (2, True)


def test_on_a_terminal_without_a_file_the_argument_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from gate.cli.given_files import given_files

    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(click.UsageError, match="Missing argument"):
        given_files([], (".md",))


def test_over_a_cap_says_which_setting_holds_it(entrance: Entrance, folder: Path) -> None:
    entrance.change(max_bytes=10)
    result = gate("check", "good.md", "--corpus", "corpus.jsonl")
    assert result.exit_code == 2
    assert result.stderr == "gate: good.md: larger than 10 bytes\nhint: GATE_MAX_BYTES sets the cap\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "nowhere.jsonl"), ("", "nowhere.jsonl"), ("not json\n", "nowhere.jsonl")],
)
def test_a_corpus_that_is_missing_empty_or_broken_is_named(folder: Path, content: str | None, said: str) -> None:
    if content is not None:
        (folder / "nowhere.jsonl").write_text(content)
    result = gate("check", "good.md", "--corpus", "nowhere.jsonl")
    assert result.exit_code == 2
    assert len([line for line in result.stderr.splitlines() if not line.startswith("hint: ")]) == 1
    assert said in result.stderr


def test_a_folder_never_stands_in_for_the_corpus_of_its_name(folder: Path) -> None:
    (folder / "true.jsonl").write_text('{"content": "Refunds take five days."}')
    assert gate("index", "add", "true.jsonl", "--corpus", "handbook").exit_code == 0
    planted = folder / "handbook"
    planted.mkdir()
    (planted / "a.md").write_text("Refunds take 900 days.")
    (folder / "false.md").write_text("Refunds take 900 days.")
    for asked in (["check", "false.md"], ["ask", "How long do refunds take?"]):
        result = gate(*asked, "--corpus", "handbook")
        assert result.exit_code == 2
        assert result.stderr.startswith("gate: handbook: names a path here, and a corpus that is kept")
    assert gate("check", "false.md", "--corpus", "./handbook").exit_code == 0


@pytest.mark.parametrize("name", ["handbook", "no/such/folder", "Not An Index!"])
def test_a_corpus_that_is_neither_there_nor_kept_is_named(folder: Path, name: str) -> None:
    result = gate("check", "good.md", "--corpus", name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"gate: {name}: neither a file nor a folder nor a corpus")


@pytest.mark.parametrize("corpus", [".", "good.md"])
def test_an_answer_that_lies_in_the_corpus_does_not_vouch_for_itself(folder: Path, corpus: str) -> None:
    result = gate("check", str(folder / "good.md"), "--corpus", corpus)
    assert result.exit_code == 2
    assert "good.md: lies in the corpus and would vouch for itself\n" in result.stderr


@pytest.mark.parametrize(
    "place", [("-o", "docs/report.html"), ("-o", "docs/reports"), ("--summary", "docs/../docs/all.csv")]
)
def test_no_report_is_written_into_the_corpus_to_vouch_for_the_answer(folder: Path, place: tuple[str, str]) -> None:
    (folder / "docs").mkdir()
    (folder / "docs" / "lamp.md").write_text("The lamp is made of oak.")
    (folder / "false.md").write_text("The lamp is made of steel.")
    result = gate("check", "false.md", "--corpus", "docs", *place)
    assert result.exit_code == 2
    assert "lies in the corpus, and would vouch for the answer from then on\n" in result.stderr
    assert [file.name for file in (folder / "docs").iterdir()] == ["lamp.md"]
    assert gate("check", "false.md", "--corpus", "docs", "-o", "docs/.reports/report.html").exit_code == 1


def test_without_any_corpus_the_hint_says_how_to_give_one(folder: Path) -> None:
    result = gate("check", "good.md")
    assert result.exit_code == 2
    assert result.stderr.startswith("gate: good.md: holds no contexts, and there is no corpus")
    assert "--corpus" in result.stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("p.yaml", "unsuported: block\n", "p.yaml: unsuported: is no key of a policy"),
        ("p.yaml", "unchecked: pass\n", "p.yaml: unchecked: Input should be"),
        ("p.yaml", "- a\n", "p.yaml: a policy is a mapping"),
        ("p.yaml", "a: [", "p.yaml: not YAML at line 1, column 5"),
        ("p.json", "{", "p.json: not JSON"),
        ("p.yaml", "", "p.yaml: a policy is a mapping"),
    ],
)
def test_a_policy_that_does_not_fit_names_the_key(folder: Path, name: str, content: str, said: str) -> None:
    (folder / name).write_text(content)
    result = gate("check", "good.md", "--corpus", "corpus.jsonl", "--policy", name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"gate: {said}")
    assert ("hint: did you mean unsupported?" in result.stderr) is ("unsuported" in said)


def test_a_policy_may_be_yaml_or_json(folder: Path) -> None:
    (folder / "p.yaml").write_text("name: mild\nunsupported: review\n")
    (folder / "p.json").write_text(json.dumps({"name": "mild", "unsupported": "review"}))
    read = [read_policy(folder / name, max_bytes=1_000) for name in ("p.yaml", "p.json")]
    assert read[0] == read[1]
    assert read[0]["unsupported"] == "review"


@pytest.mark.parametrize(
    ("content", "said"),
    [("[]", "a segment is a JSON object"), ("{", "not JSON"), ('{"a": {"$blob": "x"}}', 'the key "$blob" is reserved')],
)
def test_a_segment_that_does_not_fit_is_refused(folder: Path, content: str, said: str) -> None:
    (folder / "segment.json").write_text(content)
    result = gate("check", "good.md", "--corpus", "corpus.jsonl", "--segment", "segment.json")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"gate: segment.json: {said}")


@pytest.mark.parametrize(
    ("output", "form"),
    [("r.html", "html"), ("r.json", "json"), ("r.txt", "table"), ("reports", "html"), (None, "table")],
)
def test_the_ending_of_the_output_says_the_format(output: str | None, form: str) -> None:
    assert format_of(None, Path(output) if output else None) == form


def test_an_ending_that_says_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"r\.docx: the ending names no format"):
        format_of(None, Path("r.docx"))


def test_several_reports_go_to_a_folder_and_none_overwrites_another() -> None:
    files = [Path("a/x.md"), Path("b/x.md"), Path("-")]
    assert places(files, Path("out"), "html") == [Path("out/x.html"), Path("out/x-2.html"), Path("out/stdin.html")]


def test_records_of_files_of_one_name_have_a_report_each(folder: Path) -> None:
    answers = {"a/x.jsonl": "Refunds take 14 days.", "b/x.jsonl": "Pigs fly.", "c/x-000001.md": "Cats bark."}
    for name, answer in answers.items():
        (folder / name).parent.mkdir()
        (folder / name).write_text(answer if name.endswith(".md") else json.dumps({"question": "?", "answer": answer}))
    gate("check", *answers, "--corpus", "corpus.jsonl", "-f", "json", "-o", "out/")
    found = {json.loads(path.read_text())["claims"][0]["text"] for path in (folder / "out").iterdir()}
    assert found == set(answers.values())


def test_a_link_or_pipe_among_the_reports_of_a_folder_is_replaced_and_leads_nowhere(folder: Path) -> None:
    (folder / "reports").mkdir()
    (folder / "secret.txt").write_text("mine")
    (folder / "reports" / "a.html").symlink_to(folder / "secret.txt")
    (folder / "reports" / "b.html").symlink_to(folder / "new.txt")
    os.mkfifo(folder / "reports" / "c.html")
    for name in ("a.md", "b.md", "c.md"):
        (folder / name).write_text("Pigs fly.")
    gate("check", "a.md", "b.md", "c.md", "--corpus", "corpus.jsonl", "-o", "reports/")
    assert (folder / "secret.txt").read_text() == "mine"
    assert not (folder / "new.txt").exists()
    assert all(path.is_file() and not path.is_symlink() for path in (folder / "reports").iterdir())


def test_several_reports_do_not_fit_one_file() -> None:
    with pytest.raises(InputError, match="several reports need a folder"):
        places([Path("a.md"), Path("b.md")], Path("out.html"), "html")


@pytest.mark.parametrize("over", ["good.md", "corpus.jsonl", "policy.json", "segment.json", "link.json"])
def test_a_report_never_replaces_what_it_is_made_from(folder: Path, over: str) -> None:
    (folder / "policy.json").write_text("{}")
    (folder / "segment.json").write_text("{}")
    (folder / "link.json").symlink_to("good.md")
    before = (folder / over).read_bytes()
    options = ["--corpus", "corpus.jsonl", "--policy", "policy.json", "--segment", "segment.json", "-f", "json"]
    result = gate("check", "good.md", *options, "-o", over)
    assert result.exit_code == 2
    said = f"gate: {over}: is read by this check and would be replaced"
    assert result.stderr == f"{said}\nhint: give -o another place\n"
    assert (folder / over).read_bytes() == before


def test_a_report_is_written_through_a_link_that_stays_one(folder: Path) -> None:
    (folder / "there").mkdir()
    (folder / "there" / "report.html").write_text("old")
    for name in ("report.html", "new.html"):
        (folder / name).symlink_to(f"there/{name}")
        write(b"new", folder / name)
        assert (folder / name).is_symlink()
        assert (folder / "there" / name).read_bytes() == b"new"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
@pytest.mark.parametrize("given", ["answers", "answers/*.md", "answers/**"])
def test_a_pipe_or_a_device_among_answers_that_nobody_named_is_refused_and_not_waited_for(
    folder: Path, given: str
) -> None:
    (folder / "answers").mkdir()
    os.mkfifo(folder / "answers" / "a.md")
    result = CliRunner().invoke(cli.group, ["check", given, "--corpus", "corpus.jsonl"])
    assert result.exit_code == 2
    assert result.stderr.startswith("gate: answers/a.md: is no plain file")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
@pytest.mark.parametrize("command", [["summary", "old"], ["diff", "old", "old"]])
def test_a_pipe_among_reports_is_refused_and_not_waited_for(folder: Path, command: list[str]) -> None:
    (folder / "old").mkdir()
    os.mkfifo(folder / "old" / "a.json")
    result = CliRunner().invoke(cli.group, command)
    assert (result.exit_code, "old/a.json: is no plain file" in result.stderr) == (2, True)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
def test_a_report_goes_through_a_pipe_that_stays_one(folder: Path) -> None:
    pipe = folder / "report.html"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write(b"report", pipe)
    reader.join(10)
    assert read == [b"report"]
    assert pipe.is_fifo()


def test_no_file_at_all_is_a_usage_error() -> None:
    assert gate("check").exit_code == 2


def test_a_slash_at_the_end_says_that_the_report_goes_into_a_folder(folder: Path) -> None:
    gate("check", "good.md", "--corpus", "corpus.jsonl", "-f", "json", "-q", "-o", "reports/new/")
    assert [path.name for path in (folder / "reports" / "new").iterdir()] == ["good.json"]
    refused = gate("check", "good.md", "--corpus", "corpus.jsonl", "-o", "good.md/")
    assert (refused.exit_code, "good.md/: file exists" in refused.stderr) == (2, True)


def test_a_folder_that_nobody_may_read_is_refused_and_not_passed_over(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "answers" / "locked").mkdir(parents=True)
    (folder / "answers" / "a.md").write_text("The sky is blue.")
    listed = os.scandir

    def refused(place: Any = ".") -> Any:
        if str(place).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(place))
        return listed(place)

    monkeypatch.setattr(os, "scandir", refused)
    result = gate("check", "answers", "--corpus", "corpus.jsonl")
    assert result.exit_code == 2
    assert "answers/locked: permission denied" in result.stderr
