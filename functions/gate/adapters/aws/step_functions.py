"""Runs as executions of a state machine on AWS."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from gate.adapters.aws.sdk_errors import code_of, translated
from gate.errors import BusyError, ConflictError
from gate.ports import RunStatus

NO_LONGER = ("InvalidToken", "TaskDoesNotExist", "TaskTimedOut")
"""What is said of a token under which nothing waits any more."""

TAKEN = ("ThrottlingException", "ExecutionLimitExceeded")
"""What is said where an account begins no more executions now: too many a second, or open at once."""


class StepFunctionsRuns:
    """A `Runs` over one state machine, or over the version of it that an alias names: runs are the machine's own."""

    def __init__(self, machine: str, *, region: str = "") -> None:
        self._machine = machine
        self._executions = ":".join(machine.replace(":stateMachine:", ":execution:", 1).split(":")[:7])
        config = Config(connect_timeout=5, read_timeout=20, retries={"mode": "standard", "total_max_attempts": 4})
        with translated("Step Functions"):
            self._client: Any = boto3.client("stepfunctions", region_name=region or None, config=config)

    def start(self, run_id: str, state: Mapping[str, Any]) -> bool:
        """See `Runs`."""
        text = json.dumps(state, sort_keys=True, separators=(",", ":"))
        with translated("the state machine"):
            try:
                self._client.start_execution(stateMachineArn=self._machine, name=run_id, input=text)
            except ClientError as error:
                if code_of(error) in TAKEN:
                    hint = "try again later; gate doctor reads the account's quotas"
                    raise BusyError(f"no check can begin now ({code_of(error)})", hint=hint) from None
                if code_of(error) != "ExecutionAlreadyExists":
                    raise
                if self._describe(run_id).get("input") != text:
                    raise ConflictError(
                        "a check of this name exists, with other content", hint="use a new name"
                    ) from None
                return False
        return True

    def status(self, run_id: str) -> RunStatus | None:
        """See `Runs`."""
        with translated("the state machine"):
            try:
                found = self._describe(run_id)
            except ClientError as error:
                if code_of(error) == "ExecutionDoesNotExist":
                    return None
                raise
        return RunStatus(found["status"], found.get("error"), found.get("cause"))

    def answer(self, token: str) -> bool:
        """See `Runs`."""
        with translated("the state machine"):
            try:
                self._client.send_task_success(taskToken=token, output="{}")
            except ClientError as error:
                if code_of(error) not in NO_LONGER:
                    raise
                return False
        return True

    def _describe(self, run_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self._client.describe_execution(executionArn=f"{self._executions}:{run_id}")
        return found
