"""What we change in moto's state machine interpreter. Private API: moto is pinned, and each change has a test.

Everything is installed once, for the whole process; what belongs to a run is found by the `run_id` in its payloads.
"""

from __future__ import annotations

import copy
import json
import logging
import marshal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

from gate.errors import GateError, InternalError

Invoke = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""Calls an agent by name with an event `{"run_id": …, "state": …}`, and returns the state."""

ASL = "moto.stepfunctions.parser.asl"
COPYING = (
    "component.common.path.result_path",
    "component.common.string.string_expression",
    "component.intrinsic.function.statesfunction.json_manipulation.json_merge",
    "component.state.exec.execute_state",
    "component.state.exec.state_map.state_map",
    "component.state.exec.state_parallel.state_parallel",
    "component.state.exec.state_task.service.state_task_service",
    "eval.states",
)
"""Modules that copy the state at every step: half of a run's own time."""

_running: dict[str, Invoke] = {}
_starting = threading.Lock()


@contextmanager
def routed(run_id: str, invoke: Invoke) -> Iterator[None]:
    """Send the Lambda tasks of run `run_id` to `invoke`.

    Raises:
        InternalError: a run of that id is going on in this process.
    """
    with _starting:
        if run_id in _running:
            raise InternalError(f"run {run_id} is going on already")
        _running[run_id] = invoke
    try:
        yield
    finally:
        del _running[run_id]


def invoke_function(parameters: Mapping[str, Any], region: str, state_credentials: object) -> dict[str, Any]:
    """Stand in for the Lambda service: JSON in, JSON out, an exception as FunctionError.

    Everything else (Retry, Catch, the history) stays the interpreter's. `parameters` are those of Lambda's Invoke.
    """
    del region, state_credentials
    event = json.loads(parameters["Payload"])
    reply: dict[str, Any] = {"StatusCode": 200, "ExecutedVersion": "$LATEST"}
    try:
        state = _running[event["run_id"]](parameters["FunctionName"], event)
        return reply | {"Payload": json.loads(json.dumps(state))}
    except GateError as error:
        payload = {"errorType": error.code, "errorMessage": error.safe_message}
    except Exception as error:  # noqa: BLE001 - as the Lambda service does: whatever escapes a handler is its answer
        payload = {"errorType": type(error).__name__, "errorMessage": "an error outside of the agent's own tree"}
    return reply | {"FunctionError": "Unhandled", "Payload": payload}


@contextmanager
def without_batch() -> Iterator[None]:
    """Keep `moto.batch` out of an import: it loads the whole of EC2 (1 s, 100 MB) for one enumeration."""
    names = ("moto.batch", "moto.batch.utils")
    if any(name in sys.modules for name in names):
        yield
        return
    package, utils = (ModuleType(name) for name in names)
    package.__path__ = []
    utils.__dict__["JobStatus"] = SimpleNamespace(SUCCEEDED="SUCCEEDED", FAILED="FAILED")
    sys.modules.update(zip(names, (package, utils), strict=True))
    try:
        yield
    finally:
        for name in names:
            del sys.modules[name]


def copied(value: Any) -> Any:
    """Copy a JSON value, up to seven times as fast as `copy.deepcopy`; anything else is left to it."""
    try:
        return marshal.loads(marshal.dumps(value))  # noqa: S302 - what was dumped in this moment
    except ValueError:
        return copy.deepcopy(value)


def is_late_sibling(args: threading.ExceptHookArgs) -> bool:
    """Whether a thread died because its run had ended: a Parallel's branch still under way when another one failed."""
    frame = args.exc_traceback
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = frame.tb_frame.f_globals.get("__name__") if frame is not None else None
    return args.exc_type is RuntimeError and where == "moto.stepfunctions.parser.asl.eval.environment"


def hush_late_siblings() -> None:
    """Let the threads of an ended run die in silence; every other exception goes where it went before."""
    before = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        if not is_late_sibling(args):
            before(args)

    threading.excepthook = hook


@cache
def install() -> ModuleType:
    """Load the interpreter and change it; returns the module that holds `SyncExecution`."""
    with without_batch():
        from moto.stepfunctions.parser.backend import execution
    from moto.stepfunctions.parser.asl.component.common.path import result_path
    from moto.stepfunctions.parser.asl.component.component import Component
    from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
    from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser
    from moto.stepfunctions.parser.asl.utils import json_path

    lambda_eval_utils._invoke_lambda_function = invoke_function
    # A path is parsed each time it is met, and a definition (0.1 s) for each run; neither holds anything of a run.
    json_path.parse = lru_cache(maxsize=1_024)(json_path.parse)
    result_path.parse = lru_cache(maxsize=1_024)(result_path.parse)
    AmazonStateLanguageParser.parse = staticmethod(lru_cache(maxsize=8)(AmazonStateLanguageParser.parse))
    for name in COPYING:
        import_module(f"{ASL}.{name}").__dict__["copy"] = SimpleNamespace(deepcopy=copied)
    # It names threads by the whole program in words, and logs components and inputs, which can hold what a state does.
    Component.__str__ = lambda self: type(self).__name__
    logging.getLogger("moto.stepfunctions").setLevel(logging.CRITICAL + 1)
    hush_late_siblings()
    module: ModuleType = execution
    return module


def event_count(manager: Any) -> int:
    """How many events a history holds; `get_event_history` copies every one of them, a tenth of a run's own time."""
    return len(manager._history_event_list)


def forget_threads() -> None:
    """Drop ended threads from the interpreter's list of all it ever started, which nothing else empties."""
    from moto.stepfunctions.parser.utils import TMP_THREADS

    TMP_THREADS[:] = [thread for thread in TMP_THREADS if thread.is_alive()]
