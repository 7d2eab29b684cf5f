"""Lambda event ⇄ state: references, errors, logs and metrics, in one place. Agents never know.

An event is `{"run_id": …, "state": {…}}`. Values too large or too private for the state machine are stored
content-addressed under `runs/<run_id>/` and `{"$blob": <sha256>, "items": n}` takes their place.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import json
import re
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import PurePath
from typing import Any
from weakref import WeakKeyDictionary

from gate import wiring
from gate.catalogue import BY_NAME, BY_REFERENCE, INLINE, STATE_SCHEMA, Agent, Use
from gate.errors import GateError, InternalError, StateTooLargeError
from gate.ports import BlobStore
from gate.services.audit_log import LOGGED, Fact, recording
from gate.services.run import using
from gate.submission.events import failed_run

State = dict[str, Any]

SPILL_BYTES = 1_024
"""A value larger than this travels by reference."""
SHARED_TEXT_CHARS = 4_096
"""A text at least this long inside a value is stored once and referred to: every claim repeats its response."""
STATE_LIMIT_BYTES = 200 * 1_024
"""Step Functions ends a run beyond 256 KiB and nothing can catch it, so the runtime stops well before."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


class RunBlobs:
    """The values of one run: each call resolves and stores through one of these."""

    def __init__(self, store: BlobStore, run_id: str) -> None:
        self._store = store
        self._run_id = run_id
        self._loaded: dict[str, Any] = {}
        self._shared: dict[str, dict[str, Any]] = {}

    def put(self, value: Any, encoded: bytes | None = None) -> dict[str, Any]:
        """Store a JSON value and return its reference; it is never written out with its long texts repeated.

        Args:
            encoded: the value, where it has been encoded.
        """
        items = len(value) if isinstance(value, (list, dict, str)) else 1
        if not isinstance(value, str) and _has_long_text(value):
            value, encoded = self._share_texts(value), None
        data = _encode(value) if encoded is None else encoded
        sha = hashlib.sha256(data).hexdigest()
        key = f"runs/{self._run_id}/{sha}"
        if key not in _stored(self._store):
            self._store.put(key, data)
            _stored(self._store).add(key)
        return {"$blob": sha, "items": items}

    def resolve(self, value: Any) -> Any:
        """Replace every reference in `value`, at any depth, by what it stands for."""
        if isinstance(value, list):
            return [self.resolve(element) for element in value]
        if not isinstance(value, dict):
            return value
        if "$blob" in value:
            return self._get(value["$blob"])
        return {key: self.resolve(element) for key, element in value.items()}

    def _get(self, sha: object) -> Any:
        if not isinstance(sha, str) or not _SHA256.fullmatch(sha):
            raise InternalError("a blob reference is malformed")
        if sha not in self._loaded:
            data = self._store.get(f"runs/{self._run_id}/{sha}")
            if hashlib.sha256(data).hexdigest() != sha:
                raise InternalError(f"blob {sha[:12]} is not what was stored: it is damaged")
            value = json.loads(data)
            self._loaded[sha] = self.resolve(value) if b'"$blob"' in data else value
        return self._loaded[sha]

    def _share(self, text: str) -> dict[str, Any]:
        if text not in self._shared:
            self._shared[text] = self.put(text)
        return self._shared[text]

    def _share_texts(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._share(value) if len(value) >= SHARED_TEXT_CHARS else value
        if isinstance(value, list):
            return [self._share_texts(element) for element in value]
        if isinstance(value, dict):
            return {key: self._share_texts(element) for key, element in value.items()}
        return value


def _has_long_text(value: Any) -> bool:
    """Whether a text that is stored once is in a value; most have none, and are not taken apart."""
    inside = [value]
    for each in inside:
        if isinstance(each, str):
            if len(each) >= SHARED_TEXT_CHARS:
                return True
        elif isinstance(each, dict):
            inside.extend(each.values())
        elif isinstance(each, list):
            inside.extend(each)
    return False


_STORED: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()


def _stored(store: BlobStore) -> set[str]:
    """Keys this process has stored lately, so that a response repeated in every claim is stored once."""
    keys = _STORED.setdefault(store, set())
    if len(keys) > 4_096:
        keys.clear()
    return keys


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _encode(value: Any) -> bytes:
    return _ENCODER.encode(value).encode()


def _spill(blobs: RunBlobs, key: str, value: Any) -> Any:
    if key == "branches":
        return [element if "$blob" in element else blobs.put(element) for element in value]
    if key in INLINE or value in (None, [], {}):
        return value
    if key in BY_REFERENCE:
        return blobs.put(value)
    encoded = _encode(value)
    return blobs.put(value, encoded) if len(encoded) > SPILL_BYTES else value


@lru_cache
def agent_function(name: str) -> Callable[[State], Any]:
    """The function that does an agent's work."""
    agent = BY_NAME[name]
    function: Callable[[State], Any] = getattr(importlib.import_module(agent.module), agent.function)
    return function


def handle(name: str, event: Mapping[str, Any]) -> State:
    """Run one agent on an event and return the state it leaves, values by reference; an entrance, its answer.

    Raises:
        GateError: of the class the agent raised, its safe message alone; whatever else went wrong is an
            InternalError that names the class and the place, never the text.
    """
    try:
        agent = BY_NAME[name]
        if agent.entrance:
            answer: State = agent_function(name)(dict(event))
            return answer
        return _handle(agent, failed_run(event) or event)
    except GateError as error:
        raise error.with_traceback(None) from None
    except Exception as error:  # noqa: BLE001 - the one place that meets what nobody expected
        raise InternalError(f"{type(error).__name__} in {name}{_place(error)}") from None


def _handle(agent: Agent, event: Mapping[str, Any]) -> State:
    run_id, state = event["run_id"], event["state"]
    _refuse_newer(state)
    blobs = RunBlobs(wiring.current().blob_store(), run_id)
    working = {**state, "run_id": run_id, "task_token": event.get("task_token", "")}
    if Use.TRAIL in agent.uses:
        working["by_reference"] = state  # what the trail commits to: hashes, of which each stands for a blob
    working.update({key: blobs.resolve(state[key]) for key in agent.reads if key in state})
    with using({**(state.get("config") or {}), "run_id": run_id}):
        agent_function(agent.name)(working)
    written = {key: _spill(blobs, key, working[key]) for key in agent.writes if key in working}
    returned = {**state, **written}
    size = len(_encode(returned))
    if size > STATE_LIMIT_BYTES:
        raise StateTooLargeError(f"{agent.name} would return {size} bytes of state; {STATE_LIMIT_BYTES} fit")
    return returned


def _refuse_newer(state: Mapping[str, Any]) -> None:
    """A state of a later form may mean what this code does not know: the run fails, and is redriven by that release."""
    form = (state.get("config") or {}).get("schema", 0)
    if form > STATE_SCHEMA:
        raise InternalError(
            f"the run was begun by a later release: its state has form {form}, and this one reads {STATE_SCHEMA}",
            hint="deploy that release again, and redrive the run",
        )


def _place(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""


@contextmanager
def _nothing_is_garbage() -> Iterator[None]:
    """Make what stays for the life of the process: the collector looks for garbage neither meanwhile nor in it later.

    Of a cold start's CPU it took a sixth.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def lambda_handler_for(name: str) -> Callable[[Mapping[str, Any], Any], State]:
    """Make the Lambda handler of an agent; what the agent will need is loaded here, during INIT."""
    agent = BY_NAME[name]
    with _nothing_is_garbage():
        from aws_lambda_powertools import Logger, Metrics
        from aws_lambda_powertools.metrics import MetricUnit, single_metric

        agent_function(name)
        entrance = wiring.current()
        entrance.preload(agent.uses)
    logger = Logger(service=name, level=entrance.settings.log_level)
    namespace = entrance.settings.metrics
    metrics = Metrics(namespace=namespace, service=name)

    def report(figure: Fact) -> None:
        """Emit what an agent recorded, its labels as dimensions; what has a hint stands in the log too."""
        dimensions = {key: value for key, value in figure.labels.items() if key not in LOGGED | {"unit"}}
        unit = MetricUnit.Milliseconds if figure.labels.get("unit") == "ms" else MetricUnit.Count
        with single_metric(name=figure.name, unit=unit, value=figure.value, namespace=namespace) as metric:
            for key, value in {"service": name, **dimensions}.items():
                metric.add_dimension(key, value)
        if "hint" in figure.labels:
            logger.warning(figure.name, extra=dict(figure.labels))

    def handler(event: Mapping[str, Any], context: Any) -> State:
        began = time.perf_counter()
        logger.append_keys(run_id=event.get("run_id"), request_id=getattr(context, "aws_request_id", None))
        try:
            with wiring.entered(entrance), recording() as figures:
                state = handle(name, event)
        except GateError as error:
            logger.error("failed", extra={"code": error.code, "reason": error.safe_message})
            for metric in ("Errors", error.code):
                metrics.add_metric(name=metric, unit=MetricUnit.Count, value=1)
            raise
        else:
            for fact in facts(state, agent):
                logger.info(fact.pop("event"), extra=fact)
            for figure in figures:
                report(figure)
            metrics.add_metric(name="Handled", unit=MetricUnit.Count, value=1)
            return state
        finally:
            duration_ms = round((time.perf_counter() - began) * 1_000)
            metrics.add_metric(name="Duration", unit=MetricUnit.Milliseconds, value=duration_ms)
            logger.info("handled", extra={"duration_ms": duration_ms})
            metrics.flush_metrics()

    return handler


def facts(state: State, agent: Agent) -> list[dict[str, Any]]:
    """What to log of a state: sizes of what the agent wrote, and the events it reported. Never text."""
    counts = {
        key: value["items"] if isinstance(value, dict) and "$blob" in value else len(value)
        for key in agent.writes
        if isinstance(value := state.get(key), (dict, list))
    }
    events = (state.get("metadata") or {}).get("events", []) if "metadata" in agent.writes else []
    return [{"event": "counts", "counts": counts}, *({**event, "event": event["event"]} for event in events)]
