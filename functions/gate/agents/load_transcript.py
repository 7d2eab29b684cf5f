"""Reads what was submitted, and sets up the run."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from gate import services
from gate.errors import SettingsError
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
    state["artifacts"] = submission.artifacts
    state["has"] = {"artifacts": bool(submission.artifacts), "segment": state["segment"] is not None}
    config = dict(state.get("config") or {})
    state["policy"] = _policy(config.pop("policy", None) or {}).model_dump()
    config["elasticsearch"] = {"index": services.default_index(), **config.get("elasticsearch", {})}
    state["config"] = config


def _policy(document: dict[str, Any]) -> Policy:
    try:
        return Policy.model_validate(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "document"
        raise SettingsError(f"policy: {place}: {first['msg']}", hint="docs/policy.md lists the keys") from None
