"""The work tree: files, links, folders and rules as they lie on the disk."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from tests.hostile.scene import Scene, git, honest
from tests.hostile.table import case

TREE, RULES = "the work tree", "`.gitignore`, `.gitmodules`"


@case(TREE, "pipes, sockets and devices, also named `.gitignore`, `.gitmodules` or `README.md`", "never opened")
def pipes(scene: Scene) -> None:
    for name in ("pipe", "new.md", "src/.gitignore", ".gitmodules"):
        os.mkfifo(scene.top / name)
    (scene.top / "README.md").unlink()
    os.mkfifo(scene.top / "README.md")
    here = Path.cwd()
    os.chdir(scene.top)  # a socket's address is short
    socket.socket(socket.AF_UNIX).bind("socket")
    os.chdir(here)


@case(TREE, "links out, to devices, to each other in a ring, to pipes", "left out, by name; not followed")
def links_out(scene: Scene) -> None:
    targets: dict[str, str | Path] = {
        "plan.txt": scene.outside / "secret-plan.txt", "folder": scene.outside, "zero": "/dev/zero", "ring": "ring",
        "pipe": scene.outside / "pipe", "above": "../outside", "root": "/", "src/.gitignore": scene.outside / "pipe",
    }  # fmt: skip
    for name, target in targets.items():
        (scene.top / name).symlink_to(target)


@case(TREE, "a tracked `.gitignore` that has become a link to a file elsewhere", "not followed")
def rules_are_a_link(scene: Scene) -> None:
    (scene.outside / "rules").write_text("*\n")
    (scene.top / ".gitignore").unlink()
    (scene.top / ".gitignore").symlink_to(scene.outside / "rules")


@case(TREE, "nested repositories with configurations of their own", "one name each; not entered")
def nested(scene: Scene) -> None:
    honest(scene.top / "nested")
    with (scene.top / "nested" / ".git" / "config").open("a") as file:
        file.write(f'[core]\nfsmonitor = "{scene.command}"\nworktree = {scene.outside}\n')
    (scene.top / "pointing").mkdir()
    (scene.top / "pointing" / ".git").write_text(f"gitdir: {scene.outside}/victim/.git\n")


@case(TREE, "submodules whose `.git` points elsewhere", "a folder each; not entered")
def submodule(scene: Scene) -> None:
    git(scene.top, "update-index", "--add", "--cacheinfo", f"160000,{'c' * 40},module")
    (scene.top / "module").mkdir()
    (scene.top / "module" / ".git").write_text(f"gitdir: {scene.outside}/victim/.git\n")
    (scene.top / "module" / "secret-plan.txt").symlink_to(scene.outside / "secret-plan.txt")


@case(
    TREE,
    "names like options, in control or bidirectional characters, with line ends, not in UTF-8, of 255 bytes",
    "names; those not in UTF-8 are left out by name",
)
def names_on_the_disk(scene: Scene) -> None:
    for name in (
        "--upload-pack=touch marker",
        "-c",
        "a\nb",
        "\x1b[31mred",
        "x\u202etxt.exe",
        "caf\udce9",
        "n" * 255,
        " ",
    ):
        (scene.top / name).write_text("")
    (scene.top / "README.MD").write_text("")


@case(TREE, "folders two thousand deep, deeper than a path can be long", "those that a path reaches; the rest is named")
def deep_folders(scene: Scene) -> None:
    handle = os.open(scene.top, os.O_RDONLY)
    for _ in range(2100):
        os.mkdir("d", dir_fd=handle)
        deeper = os.open("d", os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = deeper
    os.close(handle)


@case(TREE, "a folder that may not be read", "named as not read")
def unreadable(scene: Scene) -> None:
    (scene.top / "closed").mkdir()
    (scene.top / "closed" / "x").write_text("")
    (scene.top / "closed").chmod(0)


@case(TREE, "sparse files of a terabyte", "names; not opened")
def sparse_files(scene: Scene) -> None:
    for name in ("huge.md", "src/.gitignore", ".gitmodules"):
        with (scene.top / name).open("wb") as file:
            file.truncate(1 << 40)


@case(RULES, "rules that a pattern matcher would try for ever", "linear time")
def rules_of_many_stars(scene: Scene) -> None:
    (scene.top / ("a" * 250)).write_text("")
    (scene.top / "src" / ".gitignore").write_text("*a" * 100 + "*[b]\n" + "**/" * 500 + "x[!a]\n")
    (scene.top / ".git" / "info" / "exclude").write_text("*a" * 100 + "*[b]\n")


@case(RULES, "a hundred thousand rules against a thousand names", "refused", disk="ignore rules take too much work")
def rules_without_end(scene: Scene) -> None:
    for number in range(1000):
        (scene.top / "src" / f"new{number}").write_text("")
    (scene.top / "src" / ".gitignore").write_text("\n".join(f"*x{n}*w?" for n in range(80_000)))


@case(RULES, "`.gitmodules` of nothing but line ends", "linear time")
def modules_of_line_ends(scene: Scene) -> None:
    (scene.top / ".gitmodules").write_text("\n" * 999_000)


@case(
    RULES,
    "`.gitmodules` with commands, helpers as addresses, and folders outside",
    "only the names of folders are read",
)
def modules_with_commands(scene: Scene) -> None:
    (scene.top / ".gitmodules").write_text(
        '[submodule "../../x"]\n\tpath = ../outside\n'
        f'\turl = ext::sh -c "{scene.command}"\n\tupdate = !{scene.command}\n'
        '[submodule "y"]\n\tpath = /etc\n\turl = --upload-pack=x\n\tfetchRecurseSubmodules = true\n'
    )


@case(RULES, "`info/exclude` that is a pipe, `info/sparse-checkout` with any patterns", "never opened")
def exclude_is_a_pipe(scene: Scene) -> None:
    (scene.top / ".git" / "info" / "exclude").unlink()
    os.mkfifo(scene.top / ".git" / "info" / "exclude")
    os.mkfifo(scene.top / ".git" / "info" / "sparse-checkout")
