"""The repo detective: which files are there."""

from __future__ import annotations

from typing import Any

from gate import services
from gate.errors import InputError
from gate.rules import evidence as rules
from gate.rules.evidence import repo_of


def collect_repo_evidence(state: dict[str, Any]) -> None:
    """List the repository.

    Reads:
        `artifacts["repo"]`: `{"kind": "worktree"|"archive"|"listing"|"files", …}`, see `services.open_repository`;
        `config["repo_root"]`, optional: the folder that a path must lie in, and the work tree where no other
        repository came along.
    Writes:
        `evidences`: `{"repo": [...]}`, a record for each file and for each entry that was left out. Without a
        repository there is no key `repo`, so that nothing is said to exist or to be missing.
    """
    artifact, root = repo_of(state)
    if artifact is None:
        state["evidences"] = {}
        return
    try:
        repository = services.open_repository(artifact, root)
    except InputError as error:
        state["evidences"] = {"repo": [{**rules.unreadable("repo", ".", error.safe_message), "fatal": True}]}
        return
    left_out = [rules.unreadable("repo", location, reason) for location, reason in repository.problems]
    folders = [rules.folder_record(path) for path in repository.submodules]
    state["evidences"] = {"repo": [rules.file_record(path) for path in repository.files] + folders + left_out}
