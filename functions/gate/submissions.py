"""What runs are started with; kept beside their blobs, so that a run can be started again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from gate import services, wiring
from gate.errors import ExpiredError, InputError, InternalError
from gate.rules.personal_data import hidden

State = Mapping[str, Any]


def store(run_id: str, submission: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    """Store a submission among a run's blobs; returns the state that the run starts with.

    The run's name stays in the state and in the history of its execution: personal data in it is hidden.
    """
    named = {"name": hidden(config["name"])} if config.get("name") else {}
    return {"submission": services.store_value(run_id, submission), "config": {**config, **named}}


def start(run_id: str, submission: Mapping[str, Any], config: Mapping[str, Any]) -> bool:
    """Start a run of a submission; False where this very run has ended already.

    Raises:
        ConflictError: a run of that id was started with something else.
    """
    state = store(run_id, submission, config)
    started = wiring.runs().start(run_id, state)
    keep(run_id, state)  # after the start: a conflict must not change what is kept
    return started


def keep(run_id: str, state: State) -> None:
    """Keep what a run was started with, text by reference; it goes with the run's blobs."""
    wiring.blob_store().put(_key(run_id), json.dumps(dict(state)).encode())


def kept(run_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The submission and the config that a run was started with.

    Raises:
        ExpiredError: they are not there any more.
        InternalError: the submission is not the one that was stored.
    """
    blobs = wiring.blob_store()
    if blobs.exists(_key(run_id)):
        state = json.loads(blobs.get(_key(run_id)))
        sha = state["submission"]["$blob"]
        if blobs.exists(f"runs/{run_id}/{sha}"):
            data = blobs.get(f"runs/{run_id}/{sha}")
            if hashlib.sha256(data).hexdigest() != sha:
                raise InternalError(f"blob {sha[:12]} is not what was stored: it is damaged")
            return json.loads(data), state["config"]
    if wiring.batch_runs().status(run_id) is not None:
        raise InputError("a batch is not run again as a whole", hint="run its lines again, or upload it again")
    raise ExpiredError("nothing is kept that could be run again", hint="submit it again")


def _key(run_id: str) -> str:
    return f"runs/{run_id}/input.json"
