"""Reads what was submitted, and sets up the run."""

from __future__ import annotations

from typing import Any

from gate import wiring
from gate.decision.policy_document import policy_of
from gate.errors import InputError, SettingsError
from gate.model import Policy
from gate.services.run import caps
from gate.submission.transcripts.record import counted
from gate.submission.transcripts.table import parse


def load_transcript(state: dict[str, Any]) -> None:
    """Turn a submission into a transcript, its companions and the run's config.

    Reads:
        `submission`: `{"name": str, "text": str}`, and a `segment` for a text that brings none; `config`: what the
        operator asks for, all optional. Its `policy` moves to a key of its own.
    Writes:
        `transcript`, `segment`, `artifacts`, `policy`, `config`, and `has`: which parts of the pipeline have work, and
        whether a part of the answer could not be read.

    Raises:
        InputError: the submission cannot be used; the message says where.
    """
    record = parse(state["submission"]["name"], state["submission"]["text"], caps())
    turns = [turn.model_dump(exclude_defaults=True) for turn in record.turns]
    state["transcript"] = {"id": record.id, "turns": turns, "not_read": counted(record.not_read)}
    beside = state["submission"].get("segment")
    state["segment"] = beside if record.segment is None else record.segment
    config = dict(state.get("config") or {})
    state["artifacts"] = _artifacts(dict(record.artifacts), config)
    has_artifacts = bool(state["artifacts"] or config.get("repo_root"))
    unread = any(left.shown for left in record.not_read)
    state["has"] = {"artifacts": has_artifacts, "segment": state["segment"] is not None, "unread": unread}
    state["policy"] = _policy(config.pop("policy", None) or {}).model_dump()
    config["elasticsearch"] = {"index": wiring.current().settings.index, **config.get("elasticsearch", {})}
    state["config"] = config


def _artifacts(artifacts: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """What the submission brings along; it may name a path of this machine only below the operator's `repo_root`."""
    repo = artifacts.get("repo")
    if isinstance(repo, dict) and "path" in repo and not config.get("repo_root"):
        raise InputError("artifacts.repo.path: a submission may not name files here", hint="config.repo_root allows it")
    return artifacts


def _policy(document: Any) -> Policy:
    try:
        return policy_of(document)
    except InputError as error:
        raise SettingsError(f"policy: {error.safe_message}", hint="docs/policy.md lists the keys") from None
