"""Reads what was submitted, and sets up the run."""

from __future__ import annotations

from typing import Any

from gate import services
from gate.model import Policy
from gate.rules.transcripts.table import parse


def load_transcript(state: dict[str, Any]) -> None:
    """Turn a submission into a transcript, its companions and the run's config.

    Reads:
        `submission`: `{"name": str, "text": str}`; `config`: what the caller asks for, all optional.
    Writes:
        `transcript`, `segment`, `artifacts`, `policy`, `config`, and `has`: which parts of the pipeline have work.

    Raises:
        InputError: the submission cannot be used; the message says where.
    """
    submission = parse(state["submission"]["name"], state["submission"]["text"], services.caps())
    state["transcript"] = {"id": submission.id, "turns": [turn.model_dump() for turn in submission.turns]}
    state["segment"] = submission.segment
    state["artifacts"] = submission.artifacts
    policy = submission.policy or Policy.model_validate(state.get("policy") or {})
    state["policy"] = policy.model_dump()
    state["has"] = {"artifacts": bool(submission.artifacts), "segment": submission.segment is not None}
    config = dict(state.get("config") or {})
    config["elasticsearch"] = {"index": services.default_index(), **config.get("elasticsearch", {})}
    state["config"] = config
