"""Ignore rules: read as git reads them, in a time that no rule can stretch."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest

from gate.errors import InputError
from gate.repository.ignoring import Ignores
from gate.repository.manifest import Repository

NAMES = ("a", "b", "ab", "abc", "a.b", "build", "x y", "[a]", "a*", "é", "-", "!a", "#a", "a b ", "b]", "\\a", "Ab9")
PIECES = (
    *("a", "b", "ab", "*", "*", "**", "?", "[ab]", "[!a]", "[a-c]", "[^b-]", "[]a]", "[[:alpha:]]", "[[:foo:]]"),
    *("/", "/", "/", "**/", "/**", "\\*", "\\[", "[", "]", "!", "#", " ", "\\ ", ".", "é", "build", "[\\]]", "\r"),
)


def rules(text: bytes, folder: bytes = b"") -> Ignores:
    ignores = Ignores()
    ignores.add(folder, text)
    return ignores


@pytest.mark.slow
def test_rules_leave_out_what_git_leaves_out(tmp_path: Path) -> None:
    chance = random.Random(20261122)
    for _ in range(120):
        place = tmp_path.joinpath(*(chance.choice(NAMES) for _ in range(chance.randint(1, 4))))
        if not any(parent.is_file() for parent in place.parents) and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
    everything = [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()]
    folders = ["", *(name for name in ("a", "ab", "build") if (tmp_path / name).is_dir())]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    for _ in range(250):
        ignores = Ignores()
        for folder in folders:
            lines = ["".join(chance.choices(PIECES, k=chance.randint(1, 6))) for _ in range(chance.randint(1, 4))]
            text = "\n".join(chance.choice((["*"], ["/*"], [])) + lines).replace("**\\", "**").encode()
            (tmp_path / folder / ".gitignore").write_bytes(text)
            ignores.add(folder.encode(), text)
        command = ["git", "-C", str(tmp_path), "ls-files", "-oz", "--exclude-standard", ":!*.gitignore"]
        listed = subprocess.run(command, check=True, capture_output=True).stdout.decode().split("\0")[:-1]

        assert {path for path in everything if not ignores.covers(path.encode())} == set(listed), ignores


@pytest.mark.parametrize(
    ("text", "path", "left_out"),
    [
        (b"*.log\n!keep.log", b"a/keep.log", False),
        (b"build/\n!build/keep", b"build/keep", True),
        (b"a/**/b", b"a/b", True),
        (b"foo**/bar", b"foo/x/bar", True),
        (b"\xef\xbb\xbf*.log", b"a.log", True),
        (b"*.log\0", b"a.log", False),
        (b"[z-a]", b"b", False),
        (b"[a", b"[a", False),
        (b"\\", b"\\", False),
        (b"a" * 5000, b"a" * 5000, False),
    ],
)
def test_a_rule_is_read_as_git_reads_it(text: bytes, path: bytes, left_out: bool) -> None:
    assert rules(text).covers(path) is left_out


def test_a_deeper_file_and_then_the_exclude_file_are_asked_first() -> None:
    ignores = rules(b"!*.log", b"a")
    ignores.add(b"", b"*.log")
    ignores.add_everywhere(b"!b.log\n*.tmp")

    assert [ignores.covers(path) for path in (b"a/x.log", b"b.log", b"b.tmp")] == [False, True, True]


def test_a_rule_of_many_stars_does_not_hold_an_audit_up() -> None:
    repository = Repository(("a.py",), texts={".gitignore": "*a" * 100 + "*[b]"})
    began = time.process_time()

    assert not repository.ignored("a" * 250)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        (b"*a", b"a"),
        (b"*a?", b"a"),
        (b"*?", b"a"),
        (b"*[a-z]", b"a"),
        (b"**/a/", b"a/"),
        (b"a/**/", b"a/"),
        (b"**/*a/", b"a/"),
        (b"[[:", b"["),
        (b"\\a", b"a"),
        (b"a", b"a"),
    ],
)
def test_a_long_rule_costs_a_long_path_little(rule: bytes, path: bytes) -> None:
    text = rule * (4000 // len(rule)) + b"[b]"
    began = time.process_time()

    try:
        assert not rules(text).covers(path * (4000 // len(path)))
    except InputError as error:
        assert "too much work" in error.safe_message  # noqa: PT017
    assert time.process_time() - began < 2


@pytest.mark.slow
@pytest.mark.parametrize("line", [b"*x%d*a", b"*" + b"a" * 2000 + b"[b]*%d[c]"])
def test_rules_without_number_end_in_one_line(line: bytes) -> None:
    text = b"\n".join(line.replace(b"%d", b"%d" % number) for number in range(1_000_000 // len(line)))
    ignores = rules(text)
    began = time.process_time()

    with pytest.raises(InputError, match="take too much work"):
        [ignores.covers(b"a" * 200 + b"%d/a" % number) for number in range(1_000_000)]
    assert time.process_time() - began < 20
