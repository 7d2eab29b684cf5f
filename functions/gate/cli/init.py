"""`gate init`: the files that a project begins with, from what is found in it."""

from __future__ import annotations

import json
import os
import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate.cli.options import A_FILE
from gate.cli.printing import say
from gate.errors import InputError

if TYPE_CHECKING:
    from gate.cli.starting_files import Project, StartingFile

ACTION = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}@[0-9a-f]{40}")
GITHUB = re.compile(r"https://github\.com/([A-Za-z0-9-]{1,39}/[A-Za-z0-9._-]{1,100}?)(?:\.git)?/?")
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


@click.command(short_help="Write a configuration, a policy, a workflow and a hook, from what is found.")
@click.argument("folder", type=A_FILE, default=Path(), required=False)
@click.option("--dry-run", is_flag=True, help="Show the files; write nothing.")
@click.option("--action", metavar="OWNER/REPOSITORY@COMMIT", help="Where the workflow takes the gate from.")
def init(folder: Path, dry_run: bool, action: str | None) -> None:
    """Write what a project needs to be checked: options, a policy, a workflow for pull requests, a hook.

    FOLDER (default: here) is looked at: documents, answers, a repository, pyproject.toml. A file that is there stays as
    it is; options go to the end of a pyproject.toml that has none of the gate's.

    \b
    gate init --dry-run
    gate init ../project
    """
    from gate.cli.starting_files import found_in, starting_files

    if not folder.is_dir():
        raise InputError(f"{folder}: there is no such folder")
    if action is not None and not ACTION.fullmatch(action):
        raise InputError("--action: is no OWNER/REPOSITORY@COMMIT", hint="a commit has 40 hexadecimal digits")
    project, source = found_in(folder), action or installed_from()
    files = list(starting_files(project, source))
    for each in files:
        if dry_run:
            _show(folder, each)
        else:
            _write(folder, each)
    _go_on(project, source, {each.name for each in files})


def installed_from() -> str:
    """`OWNER/REPOSITORY@COMMIT` of the gate where it was installed from GitHub at a commit; empty otherwise."""
    try:
        told = metadata.distribution("llm-reliability-gate").read_text("direct_url.json")
        about: dict[str, Any] = json.loads(told or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return ""
    where = GITHUB.fullmatch(str(about.get("url", "")))
    found = f"{where[1]}@{(about.get('vcs_info') or {}).get('commit_id', '')}" if where else ""
    return found if ACTION.fullmatch(found) else ""


def _show(folder: Path, file: StartingFile) -> None:
    if not file.added and _is_there(folder / file.name):
        say(f"# {file.name}: is there, and stays as it is")
        return
    say(f"# {file.name}{', at its end' if file.added else ''}: {file.why}")
    say(file.text)


def _write(folder: Path, file: StartingFile) -> None:
    """Write a file that is not there.

    Raises:
        InputError: a link leads out of the folder, or it cannot be written.
    """
    path = folder / file.name
    try:
        if file.added:
            _add(path, file.text)
        elif _is_there(path):
            say(f"{file.name}: is there, and stays as it is")
            return
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.parent.resolve().is_relative_to(folder.resolve()):
                raise InputError(f"{file.name}: a link leads out of the folder")
            with os.fdopen(os.open(path, NEW, 0o644), "w", encoding="utf-8") as opened:
                opened.write(file.text)
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or type(error).__name__).lower()}") from None
    say(f"{file.name}: {'added to' if file.added else 'written'} ({file.why})")


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _add(path: Path, text: str) -> None:
    """Add tables to the end of a TOML file, where it says the same as before and them.

    Raises:
        InputError: it is a link, or cannot be added to.
    """
    from gate.adapters.local_files import write_atomically

    if path.is_symlink():
        raise InputError(f"{path}: is a link")
    before = path.read_bytes().decode("utf-8")
    line_end = "\r\n" if "\r\n" in before else "\n"
    after = before + ("" if before.endswith("\n") or not before else line_end) + text.replace("\n", line_end)
    old, new = tomllib.loads(before), tomllib.loads(after)
    new.get("tool", {}).pop("gate", None)
    if {**old, "tool": old.get("tool", {})} != {**new, "tool": new.get("tool", {})}:
        raise InputError(f"{path}: cannot be added to", hint="write a gate.toml")
    write_atomically(path, after.encode())


def _go_on(project: Project, source: str, names: set[str]) -> None:
    """Say what was not written, and what to do now."""
    from gate.cli.starting_files import WORKFLOW

    if project.other_service:
        say(f"no workflow: {project.other_service} is there; docs/ci.md of the gate has the job to add to it", err=True)
    elif project.is_repository and WORKFLOW not in names and not source:
        say(
            "no workflow: this gate was not installed from a commit; --action OWNER/REPOSITORY@COMMIT names one",
            err=True,
        )
    if not project.is_repository:
        say("no workflow and no hook: this is no git repository", err=True)
    if not project.corpus:
        say("no folder of documents was found: name one as corpus", err=True)
    config = "pyproject.toml" if "pyproject.toml" in names else "gate.toml"
    say(f"next: gate --config {config} check {project.answers or 'answers'}/*.md", err=True)
