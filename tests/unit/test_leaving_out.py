"""Nothing of a corpus is left out in silence."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate import cli
from gate.adapters.readers import Problem
from gate.adapters.readers.folders import (
    EMPTY,
    HIDDEN,
    LINK_OUT,
    SPARSE,
    digest_of,
    inventory,
    omissions,
    read_files,
    whole,
)
from gate.errors import InputError


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "boxes.md").write_text("# Boxes\n\nBoxes cost 2 euro.\n")
    (tmp_path / "answer.md").write_text("Boxes cost 2 euro.")
    return folder


def gate(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, list(arguments))


def reasons(folder: Path) -> dict[str, str]:
    found = inventory(folder)
    return {each.where: each.why for each in (*found.left_out, *whole(folder).unread)}


def test_every_file_that_is_left_out_has_a_reason(docs: Path) -> None:
    (docs / "sub").mkdir()
    for name in ("logo.png", "sub/data.xyz", "Vagrantfile", ".hidden.md"):
        (docs / name).write_bytes(b"x")
    (docs / ".git").mkdir()
    (docs / ".git" / "config.md").write_text("x")
    (docs / "link").symlink_to(docs / "sub")
    (docs / "empty.md").write_text("\n\n")
    (docs / "bad.txt").write_bytes(b"\xff")
    (docs / "rows.jsonl").write_text('{"content": "fine"}\n{"no": 1}\n')
    assert reasons(docs) == {
        "logo.png": ".png: a picture or a recording",
        "sub/data.xyz": ".xyz: no reader",
        "Vagrantfile": "no ending, and no name that is known",
        ".hidden.md": HIDDEN,
        ".git/": HIDDEN,
        "link": "a link to a folder",
        "empty.md": EMPTY,
        "bad.txt": "not UTF-8 at byte 0",
        "rows.jsonl, line 2": "no text in `content`",
    }


def test_a_link_that_leads_out_of_the_folder_is_not_followed(docs: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("The key is 4711.")
    (docs / ".env").write_text("KEY=4711")
    (docs / "..2026_11_26").mkdir()
    (docs / "..2026_11_26" / "mounted.md").write_text("Crates cost 5 euro.")
    for name, target in {
        "out.md": f"{tmp_path}/secret.txt",
        "up.txt": "../secret.txt",
        "process.txt": "/proc/self/cmdline",
        "hidden.txt": ".env",
        "nowhere.md": "../nothing.md",
        "again.md": "boxes.md",
        "mounted.md": "..2026_11_26/mounted.md",
    }.items():
        (docs / name).symlink_to(target)
    found = whole(docs)
    assert {each["document"] for each in found.passages} == {"boxes.md", "again.md", "mounted.md"}
    assert {name: why for name, why in reasons(docs).items() if why != HIDDEN} == {
        **dict.fromkeys(("out.md", "up.txt", "process.txt", "hidden.txt"), LINK_OUT),
        "nowhere.md": "no such file or directory",
    }


@pytest.mark.skipif(sys.platform != "linux", reason="no other system says where an open file lies")
@pytest.mark.parametrize("name", ["a.md", "rows.jsonl", "sub/a.md"])
def test_a_file_that_becomes_a_link_while_the_corpus_is_read_leads_nowhere(
    docs: Path, tmp_path: Path, name: str
) -> None:
    secrets = tmp_path / "secrets"
    for folder in (docs / "sub", secrets):
        folder.mkdir()
    for file in (docs / name, secrets / Path(name).name):
        file.write_text('{"content": "The key is 4711."}')
    seen = inventory(docs)
    swapped = docs / Path(name).parts[0]
    swapped.rename(tmp_path / "gone")
    swapped.symlink_to(secrets if "/" in name else secrets / name)
    found = list(read_files(seen, []))
    assert [each.where for each in found if isinstance(each, Problem)] == [name]
    assert "4711" not in str(found)
    assert [digest_of(file) for file in seen.files if file.location == name] == [""]


@pytest.mark.timeout(10)
def test_a_pipe_that_takes_a_files_place_holds_nobody_up(docs: Path) -> None:
    seen = inventory(docs)
    (docs / "boxes.md").unlink()
    os.mkfifo(docs / "boxes.md")
    assert list(read_files(seen, [])) == [Problem("boxes.md", "cannot be opened")]


def test_a_file_of_holes_is_not_opened(docs: Path) -> None:
    for name in ("text.txt", "rows.jsonl"):
        with (docs / name).open("wb") as file:
            file.truncate(1 << 40)
    assert reasons(docs) == dict.fromkeys(("text.txt", "rows.jsonl"), SPARSE)


def test_readmes_and_licences_need_no_ending(docs: Path) -> None:
    (docs / "README").write_text("Read me.")
    (docs / "LICENSE.MIT").write_text("As is.")
    assert [file.location for file in inventory(docs).files] == ["LICENSE.MIT", "README", "boxes.md"]


def test_one_bad_file_never_stops_a_check(docs: Path) -> None:
    (docs / "bad.txt").write_bytes(b"\xff")
    result = gate("check", "answer.md", "--corpus", "docs", "-q")
    assert result.exit_code == 0, result.output
    first = result.stderr.splitlines()[0]
    assert first.startswith("gate: docs: 1 of 2 files (3% of the bytes) left out: 1 × not UTF-8 at byte 0")


def test_a_bad_line_of_a_single_file_does(docs: Path) -> None:
    (docs / "rows.jsonl").write_text('{"content": "fine"}\n{"no": 1}\n')
    with pytest.raises(InputError, match="line 2"):
        whole(docs / "rows.jsonl")


def test_a_folder_of_which_nothing_can_be_read_is_refused_with_the_first_reason(docs: Path) -> None:
    (docs / "boxes.md").write_bytes(b"\xff")
    with pytest.raises(InputError) as raised:
        whole(docs)
    assert raised.value.hint == "boxes.md: not UTF-8 at byte 0"


def test_a_report_says_first_that_more_than_a_tenth_is_left_out(docs: Path) -> None:
    (docs / "prices.xyz").write_text("Boxes cost 3 euro.")
    result = gate("check", "answer.md", "--corpus", "docs", "-v")
    told = "1 of 2 files (39% of the bytes) left out: 1 × .xyz: no reader"
    assert result.stderr.splitlines() == [f"gate: docs: {told}", "  prices.xyz: .xyz: no reader"]
    assert result.stdout.splitlines()[0] == f"! not in the corpus: {told}"
    again = json.loads(gate("check", "answer.md", "--corpus", "docs", "-f", "json").stdout)
    assert again["corpus_gaps"]["names"] == [{"where": "prices.xyz", "why": ".xyz: no reader"}]
    page = gate("check", "answer.md", "--corpus", "docs", "-f", "html").stdout
    assert page.index(told) < page.index("What to do now")
    assert told.replace("(", "&#40;")[:8] in gate("check", "answer.md", "--corpus", "docs", "-f", "markdown").stdout


def test_of_several_answers_the_first_says_what_the_corpus_lacks(docs: Path) -> None:
    (docs / "prices.xyz").write_text("Boxes cost 3 euro.")
    Path("other.md").write_text("The box is blue.")
    assert gate("check", "answer.md", "other.md", "--corpus", "docs").stdout.count("not in the corpus:") == 1


def test_less_than_a_tenth_does_not_stand_first(docs: Path) -> None:
    for number in range(20):
        (docs / f"{number}.md").write_text(f"Box {number} is brown.")
    (docs / "prices.xyz").write_text("x")
    table = gate("check", "answer.md", "--corpus", "docs").stdout
    assert not table.startswith("!")
    assert "not in the corpus: 1 of 22 files" in table


def test_what_could_not_be_read_is_said_again_when_the_index_is_there_already(docs: Path) -> None:
    (docs / "bad.txt").write_bytes(b"\xff")
    gate("check", "answer.md", "--corpus", "docs", "-q")
    (docs / "new.xyz").write_text("x")
    assert "2 of 3 files" in gate("check", "answer.md", "--corpus", "docs", "-q").stderr


def test_hidden_and_empty_files_count_for_nothing(docs: Path) -> None:
    (docs / ".cache").mkdir()
    (docs / "empty.md").write_text("")
    told = omissions(inventory(docs), whole(docs).unread)
    assert (told["files"], told["of"], told["sentence"]) == (0, 1, "")
    assert {each["where"] for each in told["names"]} == {".cache/", "empty.md"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_listed_is_named(docs: Path) -> None:
    (docs / "locked").mkdir(mode=0)
    assert reasons(docs) == {"locked/": "permission denied"}


def test_adding_counts_what_is_left_out_and_names_it_when_asked(docs: Path) -> None:
    (docs / "prices.xyz").write_text("x")
    assert "left out: 1 × .xyz: no reader; -v names them" in gate("index", "add", "docs", "--corpus", "shop").stderr
    assert "  docs/prices.xyz: .xyz: no reader" in gate("index", "add", "docs", "--corpus", "shop", "-v").stderr


def test_a_dry_run_says_what_would_be_done_and_does_nothing(docs: Path) -> None:
    (docs / "prices.xyz").write_text("x")
    dry = gate("index", "add", "docs", "--corpus", "shop", "--dry-run")
    assert dry.stdout == "shop: 1 document, passages: 1 would be added, 0 are there, 0 would be removed\n"
    assert "left out" in dry.stderr
    assert "no corpora" in gate("index", "list").output
    gate("index", "add", "docs", "--corpus", "shop")
    (docs / "boxes.md").write_text("# Boxes\n\nBoxes cost 4 euro.\n")
    assert (
        "1 would be added, 0 are there, 1 would be removed"
        in gate("index", "add", "docs", "--corpus", "shop", "--dry-run").stdout
    )
    assert "1 added, 0 unchanged, 1 removed" in gate("index", "add", "docs", "--corpus", "shop").stdout


def test_a_packed_file_is_read_as_what_it_holds(docs: Path) -> None:
    (docs / "fees.md.gz").write_bytes(gzip.compress(b"# Fees\n\nBoxes cost 3 euro.\n"))
    (docs / "fees.md").write_text("# Fees\n\nBoxes cost 3 euro.\n")
    (docs / "rows.jsonl.gz").write_bytes(gzip.compress(b'{"content": "Lids cost 1 euro."}\n'))
    found = whole(docs)
    fees = ("Fees", "Fees\n\nBoxes cost 3 euro.")
    told = [(each["document"], each["title"], each["content"]) for each in found.passages[1:3]]
    assert told == [("fees.md", *fees), ("fees.md.gz", *fees)]
    assert found.passages[3]["content"] == "Lids cost 1 euro."
    assert [at for at, (_, sha, _) in found.lines.items() if not sha] == ["rows.jsonl.gz"]
    assert found.unread == ()


def test_a_packed_file_that_is_damaged_or_a_bomb_is_left_out_and_says_why(docs: Path) -> None:
    (docs / "bomb.txt.gz").write_bytes(gzip.compress(b"a" * 60_000_000))
    (docs / "cut.txt.gz").write_bytes(gzip.compress(b"Boxes.")[:-4])
    (docs / "no.txt.gz").write_bytes(b"Boxes.")
    (docs / "what.gz").write_bytes(gzip.compress(b"Boxes."))
    assert reasons(docs) == {
        "bomb.txt.gz": "unpacks to more than 50000000 bytes, or 100 times its size",
        "cut.txt.gz": "the gzip file is cut off",
        "no.txt.gz": "not a gzip file, or one with something else behind it",
        "what.gz": "no ending, and no name that is known",
    }
