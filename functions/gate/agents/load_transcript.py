"""Reads what was submitted, and sets up the run."""

from __future__ import annotations

from typing import Any

from gate import wiring
from gate.catalogue import STATE_SCHEMA
from gate.decision.policy_document import policy_of
from gate.errors import InputError, SettingsError
from gate.model import Basis, Policy
from gate.retrieval.given_passages import passages_of
from gate.services.run import caps
from gate.submission.transcripts.record import counted
from gate.submission.transcripts.table import parse


def load_transcript(state: dict[str, Any]) -> None:
    """Turn a submission into a transcript, its companions and the run's config.

    Reads:
        `submission`: `{"name": str, "text": str}`, its `format` where somebody names it, and a `segment` for a text
        that brings none; `config`: what the
        operator asks for, all optional; `against`: `contexts`, `corpus`, `both`, or `auto`, which is the contexts where
        there are any. Without it the contexts decide nothing that the corpus does not say: whoever submits an answer
        has no say in what it is judged by. Its `policy` moves to a key of its own.
    Writes:
        `transcript`, `contexts`: the passages that the model was given, `segment`, `artifacts`, `policy`, `config`,
        and `has`: which parts of the pipeline have work, whether a part of the answer could not be read, and whether
        the repository is the operator's own.

    Raises:
        InputError: the submission cannot be used; the message says where.
    """
    submission = state["submission"]
    record = parse(submission["name"], submission["text"], caps(), submission.get("format") or "")
    turns = [turn.model_dump(exclude_defaults=True) for turn in record.turns]
    state["transcript"] = {"id": record.id, "turns": turns, "not_read": counted(record.not_read)}
    if record.metadata.get("writer"):
        state["transcript"]["writer"] = record.metadata["writer"]
    beside = state["submission"].get("segment")
    state["segment"] = beside if record.segment is None else record.segment
    config = dict(state.get("config") or {})
    state["artifacts"] = _artifacts(dict(record.artifacts), config)
    has_artifacts = bool(state["artifacts"] or config.get("repo_root"))
    unread = any(left.shown for left in record.not_read)
    state["has"] = {
        "artifacts": has_artifacts,
        "segment": state["segment"] is not None,
        "unread": unread,
        "own_repository": bool(config.get("repo_root")) and _is_own(state["artifacts"].get("repo")),
    }
    state["policy"] = _policy(config.pop("policy", None) or {}).model_dump()
    config["elasticsearch"] = {"index": wiring.current().settings.index, **config.get("elasticsearch", {})}
    state["contexts"] = passages_of(record.contexts)
    config["against"] = _against(config, any_given=bool(record.contexts))
    state["config"] = {**config, "schema": STATE_SCHEMA}


def _against(config: dict[str, Any], *, any_given: bool) -> Basis:
    """What the answer is judged against.

    Raises:
        InputError: there is nothing of it.
    """
    asked: Any = config.get("against") or "both"
    if asked == "contexts" and not any_given:
        raise InputError("holds no contexts to check against", hint="--against corpus")
    wanted: Basis = "contexts" if asked == "auto" else asked
    against: Basis = wanted if any_given else "corpus"
    if against != "contexts" and not config["elasticsearch"]["index"]:
        if against == "corpus" and config.get("repo_root") and asked == "auto":
            return "repository"
        raise InputError("holds no contexts, and there is no corpus", hint="give --corpus PATH")
    return against


def _artifacts(artifacts: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
    """What the submission brings along; it may name a path of this machine only below the operator's `repo_root`."""
    repo = artifacts.get("repo")
    if isinstance(repo, dict) and "path" in repo and not config.get("repo_root"):
        raise InputError("artifacts.repo.path: a submission may not name files here", hint="config.repo_root allows it")
    return artifacts


def _is_own(repo: Any) -> bool:
    """Whether the repository is the operator's, and none that the submission brings along."""
    return repo is None or (isinstance(repo, dict) and "path" in repo)


def _policy(document: Any) -> Policy:
    try:
        return policy_of(document)
    except InputError as error:
        raise SettingsError(f"policy: {error.safe_message}", hint="docs/policy.md lists the keys") from None
