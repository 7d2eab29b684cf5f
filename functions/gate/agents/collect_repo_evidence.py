"""The repo detective: which files are there."""

from __future__ import annotations

from typing import Any

from gate import services
from gate.errors import InputError
from gate.rules import evidence as rules


def collect_repo_evidence(state: dict[str, Any]) -> None:
    """List the repository.

    Reads:
        `artifacts["repo"]`: `{"kind", "path"?, "files"?, "commit"?}`; `config["repo_root"]`, optional.
    Writes:
        `evidences`: `{"repo": [...]}`, a record for each file and for each entry that was left out. Without a
        repository there is no key `repo`, and nothing will be said to exist or to be missing.
    """
    artifact = (state.get("artifacts") or {}).get("repo")
    if artifact is None:
        state["evidences"] = {}
        return
    try:
        repository = services.open_repository(artifact, (state.get("config") or {}).get("repo_root"))
    except InputError as error:
        state["evidences"] = {"repo": [{**rules.unreadable("repo", ".", error.safe_message), "fatal": True}]}
        return
    left_out = [rules.unreadable("repo", location, reason) for location, reason in repository.problems]
    state["evidences"] = {"repo": [rules.file_record(path) for path in repository.files] + left_out}
