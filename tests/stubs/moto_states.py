"""moto's interpreter of state machines, the oracle of ours: private API, so moto is pinned in the development group."""

from __future__ import annotations

import datetime
import json
import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import pytest

from gate.errors import GateError
from gate.local.branches import Invoke
from gate.local.states import Execution

ACCOUNT, REGION = "123456789012", "us-east-1"


class Moto:
    """Executes machines; only in `oracle()`.

    Attributes:
        histories: of the executions, each a list of events.
        waits: seconds between two tries, which are not waited for.
    """

    def __init__(self) -> None:
        self.histories: list[list[dict[str, Any]]] = []
        self.waits: list[float] = []
        self._invokes: dict[str, Invoke] = {}
        """By the `run_id` in the payloads; kept, since threads of a run that has failed go on for a while."""

    def execute(self, definition: str, state: Mapping[str, Any], *, run_id: str, invoke: Invoke) -> Execution:
        """As `gate.local.states.execute`."""
        from moto.stepfunctions.parser.backend.execution import SyncExecution

        self._invokes[state.get("run_id", run_id)] = invoke
        arn = f"arn:aws:states:{REGION}:{ACCOUNT}"
        machine = SimpleNamespace(
            arn=f"{arn}:stateMachine:gate", name="gate", definition=definition, sm_type="STANDARD", revision_id=None
        )
        execution = SyncExecution(
            name=run_id,
            sm_type="STANDARD",
            role_arn=f"arn:aws:iam::{ACCOUNT}:role/gate",
            exec_arn=f"{arn}:execution:gate:{run_id}",
            account_id=ACCOUNT,
            region_name=REGION,
            state_machine=machine,
            start_date=datetime.datetime.now(datetime.UTC),
            cloud_watch_logging_session=None,
            activity_store={},
            input_data=json.dumps(state),
        )
        execution.start()
        self.histories.append(execution.exec_worker.env.event_manager.get_event_history())
        return Execution(str(execution.exec_status.value), execution.output, execution.error, execution.cause)

    def answer(self, parameters: Mapping[str, Any], region: str, state_credentials: object) -> dict[str, Any]:
        """Stand in for the Lambda service: JSON in, JSON out, an exception as FunctionError."""
        event = json.loads(parameters["Payload"])
        reply: dict[str, Any] = {"StatusCode": 200, "ExecutedVersion": "$LATEST"}
        try:
            state = self._invokes[event["run_id"]](parameters["FunctionName"], event)
            return reply | {"Payload": json.loads(json.dumps(state))}
        except GateError as error:
            said = {"errorType": error.code, "errorMessage": str(error)}
        except Exception as error:
            said = {"errorType": type(error).__name__, "errorMessage": "an error outside of the agent's own tree"}
        return reply | {"FunctionError": "Unhandled", "Payload": said}


@contextmanager
def oracle() -> Iterator[Moto]:
    """Let moto call agents, wait for nothing between two tries, and log nothing."""
    from moto.stepfunctions.parser.asl.component.common.retry import retrier_decl
    from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils
    from moto.stepfunctions.parser.asl.parse.asl_parser import AmazonStateLanguageParser

    moto, parse = Moto(), lru_cache(AmazonStateLanguageParser.parse)  # 0.1 s each, and nothing of a run is in it
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lambda_eval_utils, "_invoke_lambda_function", moto.answer)
        patch.setattr(retrier_decl, "time", SimpleNamespace(sleep=moto.waits.append))
        patch.setattr(AmazonStateLanguageParser, "parse", staticmethod(parse))
        patch.setattr(threading, "excepthook", lambda args: None)  # branches of a run that has failed
        logger = logging.getLogger("moto.stepfunctions")
        level = logger.level
        logger.setLevel(logging.CRITICAL + 1)  # it logs what a state does, with its input
        try:
            yield moto
        finally:
            logger.setLevel(level)
