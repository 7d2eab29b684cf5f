"""Executes a state machine's definition in this process."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from gate.local import patches

ACCOUNT = "123456789012"
REGION = "us-east-1"


@dataclass(frozen=True, slots=True)
class Execution:
    """What became of an execution.

    Attributes:
        status: SUCCEEDED, FAILED, TIMED_OUT or ABORTED.
        output: the final state; None unless it succeeded.
        error, cause: name of the error and what was said of it; None where there is none.
        events: how many events its history holds.
    """

    status: str
    output: Any
    error: str | None
    cause: str | None
    events: int


def execute(definition: str, state: Mapping[str, Any], *, run_id: str, invoke: patches.Invoke) -> Execution:
    """Run `definition` (Amazon States Language) on `state` to its end; Lambda tasks go to `invoke`.

    Raises:
        InternalError: an execution of the name `run_id` is going on in this process.
    """
    sync_execution = patches.install().SyncExecution
    machine = SimpleNamespace(
        arn=f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:gate",
        name="gate",
        definition=definition,
        sm_type="STANDARD",
        revision_id=None,
    )
    execution = sync_execution(
        name=run_id,
        sm_type="STANDARD",
        role_arn=f"arn:aws:iam::{ACCOUNT}:role/gate",
        exec_arn=f"arn:aws:states:{REGION}:{ACCOUNT}:execution:gate:{run_id}",
        account_id=ACCOUNT,
        region_name=REGION,
        state_machine=machine,
        start_date=datetime.datetime.now(datetime.UTC),
        cloud_watch_logging_session=None,
        activity_store={},
        input_data=json.dumps(state),
    )
    with patches.routed(run_id, invoke):
        execution.start()
    patches.forget_threads()
    return Execution(
        status=str(execution.exec_status.value),
        output=execution.output,
        error=execution.error,
        cause=execution.cause,
        events=patches.event_count(execution.exec_worker.env.event_manager),
    )
