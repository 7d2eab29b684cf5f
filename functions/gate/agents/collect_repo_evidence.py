"""The repo detective: which files are there."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.repository import records
from gate.services.artifacts import open_repository


def collect_repo_evidence(state: dict[str, Any]) -> None:
    """List the repository.

    Reads:
        `artifacts["repo"]`: `{"kind": "worktree"|"archive"|"listing"|"files", …}`, see `gate.adapters.repositories`;
        `config["repo_root"]`, optional: the folder that a path must lie in, and the work tree where no other
        repository came along.
    Writes:
        `evidences`: `{"repo": [...]}`, a record for each file and for each entry that was left out. Without a
        repository there is no key `repo`, so that nothing is said to exist or to be missing.
    """
    try:
        repository = open_repository(state)
    except InputError as error:
        state["evidences"] = {"repo": [{**records.unreadable("repo", ".", error.safe_message), "fatal": True}]}
        return
    if repository is None:
        state["evidences"] = {}
        return
    left_out = [records.unreadable("repo", location, reason) for location, reason in repository.problems]
    folders = [records.folder_record(path) for path in repository.submodules]
    state["evidences"] = {"repo": [records.file_record(path) for path in repository.files] + folders + left_out}
