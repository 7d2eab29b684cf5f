"""Honest repositories of every shape: the names are those that git itself lists, though git is not asked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.adapters.repositories import open_repository
from gate.adapters.repositories.entries import repository_of
from gate.errors import InputError
from tests.hostile.scene import git, honest

SHAPES: list[Callable[[Path], list[tuple[Path, str]]]] = []
"""Each makes repositories in a folder and says which ones to read, at which commits; empty: the work tree."""


def shape(make: Callable[[Path], list[tuple[Path, str]]]) -> Callable[[Path], list[tuple[Path, str]]]:
    SHAPES.append(make)
    return make


def records(folder: Path, *arguments: str) -> list[str]:
    command = ["git", "-C", str(folder), *arguments]
    out = subprocess.run(command, check=True, capture_output=True).stdout
    return [os.fsdecode(line) for line in out.split(b"\0") if line]


def listed_by_git(folder: Path, commit: str) -> tuple[set[str], set[str], set[str]]:
    """Files, submodules and names that were left out, as git lists them."""
    if commit:
        lines = [line.partition("\t") for line in records(folder, "ls-tree", "-r", "-z", commit)]
        entries = {path: head.split(" ")[0] for head, _, path in lines}
    else:
        lines = [line.partition("\t") for line in records(folder, "ls-files", "-z", "--stage")]
        gone = set(records(folder, "ls-files", "-z", "--deleted"))
        entries = {path: head.split(" ")[0] for head, _, path in lines if path not in gone}
        entries |= dict.fromkeys(records(folder, "ls-files", "-z", "--others", "--exclude-standard"), "100644")
    checked = repository_of(entries.items())
    return set(checked.files), set(checked.submodules), {name for name, _ in checked.problems}


def change(folder: Path, message: str, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)


@shape
def plain(folder: Path) -> list[tuple[Path, str]]:
    honest(folder / "r")
    return [(folder / "r", ""), (folder / "r", "HEAD"), (folder / "r", "main")]


@shape
def changed_on_the_disk(folder: Path) -> list[tuple[Path, str]]:
    honest(folder / "r")
    (folder / "r" / "new" / "deep").mkdir(parents=True)
    for name in ("new/a", "new/deep/b", "new/c.log", "made.log", "src/n"):
        (folder / "r" / name).write_text("")
    (folder / "r" / "src" / "a.py").unlink()
    (folder / "r" / "latest").unlink()
    (folder / "r" / "latest").mkdir()
    (folder / "r" / "latest" / "x").write_text("")
    git(folder / "r", "add", "-N", "src/n")
    return [(folder / "r", ""), (folder / "r" / "src", ""), (folder / "r" / "new", ""), (folder / "r" / "src", "HEAD")]


@shape
def ignored_in_many_ways(folder: Path) -> list[tuple[Path, str]]:
    honest(folder / "r")
    for name in ("out/a", "out/keep", "out/in/b", "src/x.tmp", "src/y.tmp", "kept.log", "local", "node/m/index.js"):
        (folder / "r" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "r" / name).write_text("")
    (folder / "r" / ".gitignore").write_text("*.log\n!kept.log\nout/*\n!out/keep\nnode/\n*.tmp\n")
    (folder / "r" / "src" / ".gitignore").write_text("!x.tmp\n")
    (folder / "r" / ".git" / "info" / "exclude").write_text("local\n")
    git(folder / "r", "add", "-f", "node/m/index.js")
    (folder / "r" / "node" / "m" / "other.js").write_text("")
    return [(folder / "r", ""), (folder / "r" / "src", ""), (folder / "r" / "node", ""), (folder / "r" / "out", "")]


@shape
def history(folder: Path) -> list[tuple[Path, str]]:
    repository = folder / "r"
    honest(repository)
    for number in range(30):
        change(repository, f"c{number}", a=f"{number}\n" * 50, **{f"file{number}": "x\n" * number})
    git(repository, "tag", "-a", "v1.0", "-m", "one")
    git(repository, "tag", "light", "HEAD~3")
    git(repository, "checkout", "-qb", "feature/x", "HEAD~5")
    change(repository, "side", side="1")
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-q", "-m", "both", "feature/x")
    full = git(repository, "rev-parse", "HEAD~2")
    names = [
        "HEAD",
        "HEAD^",
        "HEAD^2",
        "HEAD~3^1~2",
        "v1.0",
        "v1.0~1",
        "light",
        "feature/x",
        "heads/main",
        "tags/light",
    ]
    names += [
        "refs/heads/main",
        full,
        full.upper(),
        full[:7],
        full[:12],
        git(repository, "describe", "HEAD"),
        "HEAD^0",
        "ORIG_HEAD",
    ]
    loose = [(repository, name) for name in names]
    packed = folder / "packed"
    shutil.copytree(repository, packed, symlinks=True)
    git(packed, "gc", "-q", "--aggressive")
    git(packed, "checkout", "-q", "--detach", "HEAD~4")
    many = folder / "many"
    shutil.copytree(repository, many, symlinks=True)
    for number in range(3):
        git(many, "repack", "-q", "-d")
        change(many, "more", **{f"more{number}": "x"})
    git(many, "multi-pack-index", "write")
    git(many, "commit-graph", "write", "--reachable")
    return [
        *loose,
        *((packed, name) for name in names if "HEAD" not in name),
        (packed, ""),
        (packed, "HEAD"),
        (many, "HEAD"),
        (many, "HEAD~2"),
    ]


@shape
def copies(folder: Path) -> list[tuple[Path, str]]:
    origin = folder / "origin"
    honest(origin)
    change(origin, "two", a="1")
    for arguments in (["--bare"], ["--mirror"], ["--no-checkout"], ["--shared"], ["--depth=1"]):
        git(
            folder,
            "clone",
            "-q",
            *arguments,
            f"file://{origin}" if "=" in arguments[0] else str(origin),
            arguments[0][2:7],
        )
    git(folder, "clone", "-q", str(origin), "plain")
    read = [(folder / name, commit) for name in ("plain", "depth") for commit in ("", "HEAD", "origin/main", "origin")]
    bare = [(folder / name, commit) for name in ("bare", "mirro") for commit in ("HEAD", "HEAD~1", "main")]
    return [*read, *bare, (folder / "no-ch", ""), (folder / "no-ch", "HEAD"), (folder / "share", "")]


@shape
def work_trees(folder: Path) -> list[tuple[Path, str]]:
    honest(folder / "r")
    git(folder / "r", "worktree", "add", "-q", "-b", "side", "../side")
    change(folder / "side", "side", side="1")
    (folder / "side" / "new.py").write_text("")
    git(folder / "r", "worktree", "add", "-q", "--detach", "inside")
    return [
        (folder / name, commit) for name in ("r", "side", "r/inside", "side/src") for commit in ("", "HEAD", "main")
    ]


@shape
def submodules(folder: Path) -> list[tuple[Path, str]]:
    honest(folder / "library")
    honest(folder / "r")
    git(
        folder / "r",
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        str(folder / "library"),
        "lib/one",
    )
    git(folder / "r", "commit", "-qm", "with a submodule")
    (folder / "r" / "lib" / "one" / "new.py").write_text("")
    git(folder, "clone", "-q", str(folder / "r"), "without")
    return [(folder / name, commit) for name in ("r", "r/lib/one", "without", "r/lib") for commit in ("", "HEAD")]


@shape
def nested(folder: Path) -> list[tuple[Path, str]]:
    honest(folder / "r")
    honest(folder / "r" / "inner")
    honest(folder / "r" / "a" / "b")
    (folder / "r" / "a" / "c.py").write_text("")
    git(folder / "r", "init", "-q", "--bare", "mirror.git")
    return [(folder / "r", ""), (folder / "r" / "inner", ""), (folder / "r" / "inner", "HEAD")]


@shape
def sparse(folder: Path) -> list[tuple[Path, str]]:
    read = []
    for name, arguments in (("cone", ["--cone"]), ("index", ["--cone", "--sparse-index"]), ("any", ["--no-cone"])):
        repository = folder / name
        honest(repository)
        for place in ("docs/a/x.md", "docs/.gitignore", "tests/one/two/t.py", "tests/u.py"):
            (repository / place).parent.mkdir(parents=True, exist_ok=True)
            (repository / place).write_text("*.tmp\n" if place.endswith("ignore") else "")
        change(repository, "more")
        git(repository, "sparse-checkout", "set", *arguments, "src" if name != "any" else "/src/a.py")
        (repository / "docs").mkdir(exist_ok=True)
        (repository / "docs" / "new.tmp").write_text("")
        (repository / "docs" / "new.md").write_text("")
        read += [(repository, ""), (repository, "HEAD"), (repository / "docs", "")]
    return read


@shape
def flags_and_versions(folder: Path) -> list[tuple[Path, str]]:
    read = []
    for version in ("2", "3", "4"):
        repository = folder / f"v{version}"
        honest(repository)
        for number in range(300):
            (repository / f"{'long' * (number % 50)}{number}").write_text("")
        git(repository, "add", "-A")
        git(repository, "update-index", "--index-version", version)
        git(repository, "update-index", "--skip-worktree", "src/a.py")
        git(repository, "update-index", "--assume-unchanged", "src/b.py")
        (repository / "src" / "a.py").unlink()
        git(repository, "update-index", "--untracked-cache")
        git(repository, "status")
        read.append((repository, ""))
    return read


@shape
def conflicts(folder: Path) -> list[tuple[Path, str]]:
    repository = folder / "r"
    honest(repository)
    git(repository, "checkout", "-qb", "side")
    change(repository, "side", a="side", b="same")
    git(repository, "checkout", "-q", "main")
    change(repository, "main", a="main")
    subprocess.run(
        ["git", "-C", str(repository), "-c", "user.name=t", "-c", "user.email=t", "merge", "-q", "side"],
        check=False,
        capture_output=True,
    )
    return [(repository, ""), (repository, "HEAD"), (repository, "MERGE_HEAD")]


@shape
def hashed_otherwise(folder: Path) -> list[tuple[Path, str]]:
    repository = folder / "r"
    repository.mkdir()
    git(repository, "init", "-q", "--object-format=sha256")
    change(repository, "one", a="1", b="2")
    change(repository, "two", a="3")
    short = git(repository, "rev-parse", "--short", "HEAD~1")
    packed = folder / "packed"
    shutil.copytree(repository, packed)
    git(packed, "gc", "-q")
    return [(place, commit) for place in (repository, packed) for commit in ("", "HEAD", "HEAD~1", short)]


@shape
def names_of_all_kinds(folder: Path) -> list[tuple[Path, str]]:
    repository = folder / "r"
    honest(repository)
    for name in (
        "README.MD",
        "ReadMe.md",
        "é",
        "e\u0301",
        "a b",
        "a\tb",
        "a\nb",
        '"q"',
        "-x",
        "caf\udce9",
        "*",
        "[a]",
        "~x",
        "C:x",
        "a\\b",
    ):
        (repository / name).write_text("")
        (repository / "src" / name).write_text("")
    git(repository, "add", "src")
    git(repository, "commit", "-qm", "names")
    return [(repository, ""), (repository, "HEAD"), (repository / "src", "")]


@shape
def links(folder: Path) -> list[tuple[Path, str]]:
    repository = folder / "r"
    honest(repository)
    for name, target in {
        "a": "src/a.py",
        "src/up": "../README.md",
        "out": "/etc",
        "above": "../x",
        "gone": "nowhere",
    }.items():
        (repository / name).symlink_to(target)
    git(repository, "add", "a", "src/up", "out", "above")
    git(repository, "commit", "-qm", "links")
    return [(repository, "HEAD")]


@shape
def empty(folder: Path) -> list[tuple[Path, str]]:
    (folder / "r").mkdir()
    git(folder / "r", "init", "-q")
    (folder / "new" / "sub").mkdir(parents=True)
    git(folder / "new", "init", "-q")
    (folder / "new" / "sub" / "a").write_text("")
    return [(folder / "r", ""), (folder / "new", ""), (folder / "new" / "sub", "")]


@pytest.mark.skipif(sys.platform == "win32", reason="names that Windows does not have")
@pytest.mark.parametrize("make", SHAPES, ids=lambda make: make.__name__)
def test_an_honest_repository_has_the_names_that_git_lists(
    make: Callable[[Path], list[tuple[Path, str]]], tmp_path: Path
) -> None:
    for folder, commit in make(tmp_path):
        repository = open_repository(
            {"kind": "worktree", "path": str(folder), **({"commit": commit} if commit else {})}
        )

        files, submodules, left_out = listed_by_git(folder, commit)
        linked_out = {name for name, reason in repository.problems if "link" in reason}
        assert set(repository.files) == files - linked_out, (folder.name, commit)
        assert set(repository.submodules) == submodules, (folder.name, commit)
        assert {name for name, _ in repository.problems} - linked_out == left_out, (folder.name, commit)
        assert repository.name == folder.name


def test_a_folder_below_the_root_is_read_of_the_roots_own_repository(tmp_path: Path) -> None:
    honest(tmp_path / "r")

    repository = open_repository({"kind": "worktree", "path": "src"}, str(tmp_path / "r"))

    assert set(repository.files) == {"a.py", "b.py"}


def test_rules_that_a_sparse_checkout_leaves_out_hold(tmp_path: Path) -> None:
    (folder, _), *_ = sparse(tmp_path)

    repository = open_repository({"kind": "worktree", "path": str(folder)})

    assert {"docs/new.md", "docs/.gitignore"} <= set(repository.files)
    assert "docs/new.tmp" not in repository.files


def test_a_commit_of_a_folder_that_is_no_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no git repository"):
        open_repository({"kind": "worktree", "path": str(tmp_path), "commit": "HEAD"})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clone", "-q", "--shared", "r", "there"], "an object is not in the repository|no such commit"),
        (["clone", "-q", "--separate-git-dir=elsewhere", "r", "there"], "points to another place"),
    ],
)
def test_what_lies_elsewhere_is_refused_in_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    honest(tmp_path / "r")
    git(tmp_path, *arguments)

    with pytest.raises(InputError, match=message):
        open_repository({"kind": "worktree", "path": str(tmp_path / "there"), "commit": "HEAD"})


def test_a_work_tree_that_was_moved_is_refused_until_git_repairs_it(tmp_path: Path) -> None:
    honest(tmp_path / "r")
    git(tmp_path / "r", "worktree", "add", "-q", "--detach", "../side")
    shutil.move(tmp_path / "side", tmp_path / "moved")
    artifact = {"kind": "worktree", "path": str(tmp_path / "moved")}

    with pytest.raises(InputError, match="points to another place"):
        open_repository(artifact)

    git(tmp_path / "moved", "worktree", "repair")
    assert "README.md" in open_repository(artifact).files


def test_a_split_index_is_refused_with_what_to_do(tmp_path: Path) -> None:
    honest(tmp_path / "r")
    git(tmp_path / "r", "update-index", "--split-index")

    with pytest.raises(InputError, match="split") as refused:
        open_repository({"kind": "worktree", "path": str(tmp_path / "r")})
    assert "--no-split-index" in refused.value.hint
