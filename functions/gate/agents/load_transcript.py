"""Reads what was submitted, and sets up the run."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from gate import services
from gate.errors import InputError, SettingsError
from gate.model import Policy
from gate.rules.transcripts.table import parse


def load_transcript(state: dict[str, Any]) -> None:
    """Turn a submission into a transcript, its companions and the run's config.

    Reads:
        `submission`: `{"name": str, "text": str}`, and a `segment` for a text that brings none; `config`: what the
        operator asks for, all optional. Its `policy` moves to a key of its own.
    Writes:
        `transcript`, `segment`, `artifacts`, `policy`, `config`, and `has`: which parts of the pipeline have work.

    Raises:
        InputError: the submission cannot be used; the message says where.
    """
    submission = parse(state["submission"]["name"], state["submission"]["text"], services.caps())
    state["transcript"] = {"id": submission.id, "turns": [turn.model_dump() for turn in submission.turns]}
    beside = state["submission"].get("segment")
    state["segment"] = beside if submission.segment is None else submission.segment
    config = dict(state.get("config") or {})
    state["artifacts"] = _artifacts(submission.artifacts, config)
    has_artifacts = bool(state["artifacts"] or config.get("repo_root"))
    state["has"] = {"artifacts": has_artifacts, "segment": state["segment"] is not None}
    state["policy"] = _policy(config.pop("policy", None) or {}).model_dump()
    config["elasticsearch"] = {"index": services.default_index(), **config.get("elasticsearch", {})}
    state["config"] = config


def _artifacts(artifacts: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """What the submission brings along; it may name a path of this machine only below the operator's `repo_root`."""
    repo = artifacts.get("repo")
    if isinstance(repo, dict) and "path" in repo and not config.get("repo_root"):
        raise InputError("artifacts.repo.path: a submission may not name files here", hint="config.repo_root allows it")
    return artifacts


def _policy(document: dict[str, Any]) -> Policy:
    try:
        return Policy.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "document"
        raise SettingsError(f"policy: {place}: {first['msg']}", hint="docs/policy.md lists the keys") from None
