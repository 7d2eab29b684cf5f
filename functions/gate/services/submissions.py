"""What runs are started with; kept beside their blobs, so that a run can be started again."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from gate import wiring
from gate.decision.policy_document import policy_of
from gate.errors import ExpiredError, InputError, InternalError, SettingsError
from gate.model import Policy
from gate.privacy.patterns import hidden
from gate.services.callers import is_of_one_request
from gate.text.formats import strict_json

State = Mapping[str, Any]


class PolicyInForce(NamedTuple):
    """What a deployment decides by.

    Attributes:
        document: the policy, whose own `version` says which version of the object it is.
        version: names the version of the object.
        problem: what is wrong with what lies there now, where an earlier version goes on in its place.
    """

    document: dict[str, Any]
    version: str
    problem: str = ""


def team_policy() -> PolicyInForce:
    """The policy that this deployment decides by; without one the default policy.

    Where what lies at GATE_POLICY is no policy, the newest earlier version that is one goes on.

    Raises:
        SettingsError: what lies there is no policy, and no version before it was.
    """
    url, uploads = wiring.current().settings.policy, wiring.current().uploads
    found = uploads().current(url) if url else None
    if found is None:
        return PolicyInForce(Policy().model_dump(), "default")
    try:
        return _policy_in(found, url)
    except SettingsError as error:
        for earlier in uploads().earlier(url):
            with suppress(SettingsError):
                document, version, _ = _policy_in(earlier, url)
                named = {"version": f"{document['version']}: a newer one cannot be read"}
                return PolicyInForce(document | named, version, error.safe_message)
        raise


def _policy_in(found: tuple[bytes, str], url: str) -> PolicyInForce:
    data, version = found
    try:
        policy = policy_of(strict_json.load(data.decode("utf-8-sig")))
    except InputError as error:
        raise SettingsError(f"GATE_POLICY: {error.safe_message}", hint=url) from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"GATE_POLICY: not UTF-8 at byte {error.start}", hint=url) from None
    return PolicyInForce(policy.model_dump() | {"version": f"{policy.version} ({version})"}, version)


def store(run_id: str, submission: Mapping[str, Any], config: Mapping[str, Any]) -> dict[str, Any]:
    """Store a submission among a run's blobs; returns the state that the run starts with.

    The run's name stays in the state and in the history of its execution: personal data in it is hidden.
    """
    named = {"name": hidden(config["name"])} if config.get("name") else {}
    return {"submission": _store_value(run_id, submission), "config": {**config, **named}}


def start(run_id: str, submission: Mapping[str, Any], config: Mapping[str, Any]) -> bool:
    """Start a run of a submission; False where this very run has ended already.

    One that was started before goes on by the policy that it was started with.

    Raises:
        ConflictError: a run of that id was started with something else.
    """
    state = _as_before(run_id, store(run_id, submission, config))
    started = wiring.current().runs().start(run_id, state)
    store_input(run_id, state)  # after the start: a conflict must not change what is kept
    return started


def _as_before(run_id: str, state: dict[str, Any]) -> dict[str, Any]:
    """What a run of that id was started with, where that differs by the policy alone: a request or an event that comes
    again is no other one because the policy has changed meanwhile."""
    data = None if is_of_one_request(run_id) else wiring.current().blob_store().find(_key(run_id))
    if data is None:
        return state
    kept: dict[str, Any] = json.loads(data)
    return kept if _but_for_policy(kept) == _but_for_policy(state) else state


def _but_for_policy(state: State) -> dict[str, Any]:
    return {**state, "config": {name: value for name, value in state["config"].items() if name != "policy"}}


def store_input(run_id: str, state: State) -> None:
    """Keep what a run was started with, text by reference; it goes with the run's blobs."""
    wiring.current().blob_store().put(_key(run_id), json.dumps(dict(state)).encode())


def begun_key(run_id: str) -> str:
    """Where a run that goes its whole path in a request has written down what it was begun with, and until when it
    has time."""
    return f"runs/{run_id}/begun.json"


def came_to_nothing(run_id: str) -> bool:
    """Whether a run in a request has had its time; one that ended in it has left a report."""
    data = wiring.current().blob_store().find(begun_key(run_id))
    return data is not None and float(json.loads(data)["until"]) < time.time()


def stored_input(run_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The submission and the config that a run was started with.

    Raises:
        ExpiredError: they are not there any more.
        InternalError: the submission is not the one that was stored.
    """
    blobs = wiring.current().blob_store()
    if (begun := blobs.find(_key(run_id))) is not None:
        state = json.loads(begun)
        sha = state["submission"]["$blob"]
        if (data := blobs.find(f"runs/{run_id}/{sha}")) is not None:
            if hashlib.sha256(data).hexdigest() != sha:
                raise InternalError(f"blob {sha[:12]} is not what was stored: it is damaged")
            return json.loads(data), state["config"]
    if wiring.current().batch_runs().status(run_id) is not None:
        raise InputError("a batch is not run again as a whole", hint="run its lines again, or upload it again")
    raise ExpiredError("nothing is kept that could be run again", hint="submit it again")


def _store_value(run_id: str, value: Any) -> dict[str, Any]:
    """Store a JSON value among a run's blobs, as the runtime does, and return its reference."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    sha = hashlib.sha256(data).hexdigest()
    wiring.current().blob_store().put(f"runs/{run_id}/{sha}", data)
    return {"$blob": sha, "items": len(value)}


def _key(run_id: str) -> str:
    return f"runs/{run_id}/input.json"
