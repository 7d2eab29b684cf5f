"""Reads a git work tree: as it lies on the disk, or at a commit. Nothing is checked out, and nothing is run.

No git takes part and no configuration is read, for both do what an attacker writes into them: docs/security.md has each
thing that a repository can hold, and what it does here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gate.adapters.repositories.commits import Commits
from gate.adapters.repositories.disk import read_disk, read_folder
from gate.adapters.repositories.entries import LINK_MODE, MAX_TEXT_BYTES, SUBMODULE_MODE, is_wanted
from gate.adapters.repositories.entries_found import EntriesFound
from gate.adapters.repositories.git_folder import GitFolder, git_folder_of
from gate.adapters.repositories.objects import Objects
from gate.adapters.repositories.plain_files import PlainFiles, place_of
from gate.adapters.repositories.unpacking import MAX_OBJECT_BYTES
from gate.errors import InputError
from gate.repository.manifest import Contents, Repository


def read_worktree(artifact: Mapping[str, Any], root: str | None) -> Repository:
    """Read `artifact["path"]` (below `root`), at `artifact["commit"]` where there is one; a plain folder is walked.

    Raises:
        InputError: no such folder or commit, a repository that is nested, elsewhere or damaged, or too much of it.
    """
    folder = place_of(artifact, root)
    if not folder.is_dir():
        raise InputError("the repository's folder does not exist")
    git = git_folder_of(folder, Path(root).resolve() if root else folder)
    commit = artifact.get("commit")
    if commit and git is None:
        raise InputError("the folder is in no git repository, so that it has no commit")
    if git is None:
        return _with_contents(read_folder(folder), folder)
    if commit or git.top is None:
        return _read_commit(git, str(commit or "HEAD"), folder.name)
    return _with_contents(read_disk(git, git.top, folder.name), folder)


def _with_contents(repository: Repository, folder: Path) -> Repository:
    """The repository with what its files hold on the disk; a file that a sparse checkout leaves out cannot be read.

    A repository of its own within it, which is one name, holds nothing.
    """

    def contents(wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes | None]]:
        files = PlainFiles(folder)
        for path in repository.files:
            if path not in repository.links and wanted(path):
                try:
                    data = files.read(path, MAX_TEXT_BYTES)
                except InputError:  # too large
                    continue
                if data is not None or not files.is_folder(path):
                    yield path, data

    return replace(repository, contents=contents, stays=True)


def _read_commit(git: GitFolder, commit: str, name: str) -> Repository:
    commits = Commits(git)
    found = EntriesFound()
    ids = {}
    for path, mode, id_ in commits.files(commits.find(commit), git.inside):
        if mode not in (LINK_MODE, SUBMODULE_MODE):
            ids[path] = id_
        if found.add(path, mode) and (mode == LINK_MODE or is_wanted(path)):
            try:
                found.keep(path, mode, commits.objects.read(id_, MAX_TEXT_BYTES)[1])
            except InputError as error:
                found.leave_out(path, error.safe_message)
    return replace(found.repository(name), contents=_of_commit(commits.objects, ids), stays=True)


def _of_commit(objects: Objects, ids: Mapping[str, str]) -> Contents:
    def contents(wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes | None]]:
        for path, id_ in ids.items():
            if wanted(path):
                try:
                    yield path, objects.read(id_, MAX_OBJECT_BYTES)[1]
                except InputError:
                    yield path, None

    return contents
