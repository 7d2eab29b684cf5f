"""The few kinds of state that the pipeline is made of, each in one place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

import aws_cdk as cdk
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from aws_cdk import aws_stepfunctions_tasks as tasks
from constructs import Construct

from gate.catalogue import BY_NAME, MAX_CONCURRENCY
from gate.errors import RETRYABLE, TELLING, WAITED_FOR, EventsUnavailableError

ERROR = "$.error.Error"
"""What a Catch keeps: the class name. The Cause holds messages and stacks, and 400 of them pass the state limit."""
WHY = "$.told.cause.errorMessage"
"""What an error of ours says, which is short and holds no text of anybody's; empty for any other."""

WAITS = 150
"""Tries of a task that waits for a quota: at a minute each, as the jitter has it, more than two hours."""
START_UP_S = 15
"""A task may take this much longer than its function: a cold start does not count towards the function's timeout."""


class States:
    """Makes states in one scope, with the functions that its tasks call.

    Args:
        scope: construct that the states belong to.
        functions: Lambda function by agent name.
        run_id: path of the run's id in the state or in the context object.
        max_concurrency: iterations of a Map at once.
    """

    def __init__(
        self,
        scope: Construct,
        functions: Mapping[str, lambda_.IFunction],
        *,
        run_id: str = "$$.Execution.Name",
        max_concurrency: int = MAX_CONCURRENCY,
    ) -> None:
        self.scope = scope
        self._functions = functions
        self._run_id = run_id
        self._max_concurrency = max_concurrency

    def task(
        self, agent: str, *, otherwise: sfn.IChainable | None = None, told: sfn.IChainable | None = None
    ) -> tasks.LambdaInvoke:
        """A task returns the whole state of its branch; any error leads to `otherwise`, one of ours to `told`, where
        there are such."""
        task = tasks.LambdaInvoke(
            self.scope,
            BY_NAME[agent].state_name,
            lambda_function=self._functions[agent],
            payload=sfn.TaskInput.from_object({"run_id.$": self._run_id, "state.$": "$"}),
            output_path="$.Payload",
            retry_on_service_exceptions=False,
            task_timeout=sfn.Timeout.duration(cdk.Duration.seconds(BY_NAME[agent].timeout_s + START_UP_S)),
        )
        self._tried_again(task)
        if told is not None:
            task.add_catch(told, errors=list(TELLING), result_path="$.error")
        if otherwise is not None:
            task.add_catch(otherwise, errors=["States.ALL"], result_path="$.error")
        return task

    @staticmethod
    def _tried_again(task: tasks.LambdaInvoke) -> tasks.LambdaInvoke:
        """What a service's fault, or a quota, does not end."""
        task.add_retry(
            errors=list(RETRYABLE),
            interval=cdk.Duration.seconds(5),
            max_attempts=7,
            backoff_rate=2,
            max_delay=cdk.Duration.seconds(60),
            jitter_strategy=sfn.JitterType.FULL,
        )
        task.add_retry(
            errors=list(WAITED_FOR),
            interval=cdk.Duration.seconds(10),
            max_attempts=WAITS,
            backoff_rate=1.5,
            max_delay=cdk.Duration.seconds(120),
            jitter_strategy=sfn.JitterType.FULL,
        )
        return task

    def ask(self, agent: str, *, limit_s: str) -> tasks.LambdaInvoke:
        """A task that waits, for as many seconds as `limit_s` (a path) says, until a person has answered, and leaves
        the state as it was."""
        task = tasks.LambdaInvoke(
            self.scope,
            BY_NAME[agent].state_name,
            lambda_function=self._functions[agent],
            integration_pattern=sfn.IntegrationPattern.WAIT_FOR_TASK_TOKEN,
            payload=sfn.TaskInput.from_object(
                {"run_id.$": self._run_id, "state.$": "$", "task_token": sfn.JsonPath.task_token}
            ),
            result_path=sfn.JsonPath.DISCARD,
            retry_on_service_exceptions=False,
            task_timeout=sfn.Timeout.at(limit_s),
        )
        return self._tried_again(task)

    def last(self, agent: str) -> tasks.LambdaInvoke:
        """The task that publishes and announces: what is published stays, though nobody could be told of it."""
        task = self.task(agent)
        unannounced = sfn.Pass(self.scope, f"{BY_NAME[agent].state_name}Unannounced")
        task.add_catch(unannounced, errors=[EventsUnavailableError.__name__], result_path=sfn.JsonPath.DISCARD)
        return task

    def leave(self, name: str, *keys: str, **values: object) -> sfn.Pass:
        """The way out of a branch: exactly `keys` of the state, and `values` (a string is a path, None is null)."""
        parameters: dict[str, object] = {f"{key}.$": f"$.{key}" for key in keys}
        for key, value in values.items():
            is_path = isinstance(value, str) and value.startswith("$")
            parameters[f"{key}.$" if is_path else key] = cdk.JsonNull.INSTANCE if value is None else value
        return sfn.Pass(self.scope, name, parameters=parameters)

    def telling(self, failed: sfn.IChainable, part: str = "") -> tuple[sfn.Pass, sfn.Pass]:
        """Two ways to `failed`, where `WHY` can be looked up: for errors that do not tell why, and for ours; `part`:
        what their names begin with."""
        untold: dict[str, object] = {"cause": {"errorMessage": ""}}
        told: dict[str, object] = {"cause.$": "States.StringToJson($.error.Cause)"}
        ways = {f"{part}Untold": untold, f"{part}Told": told}
        first, second = (
            sfn.Pass(self.scope, name, parameters=cause, result_path="$.told") for name, cause in ways.items()
        )
        first.next(failed)
        second.next(failed)
        return first, second

    def choose(
        self, name: str, condition: sfn.Condition, then: sfn.IChainable, otherwise: sfn.IChainable
    ) -> sfn.Choice:
        """One question, two ways."""
        return sfn.Choice(self.scope, name).when(condition, then).otherwise(otherwise)

    def each(self, name: str, do: sfn.IChainable, *, of: str, into: str, **item: str) -> sfn.Map:
        """Run `do` for each element of `of`, `max_concurrency` at once, on the paths in `item`."""
        if self._run_id.startswith("$."):
            item["run_id"] = self._run_id
        selector = {f"{key}.$": path for key, path in item.items()}
        map_ = sfn.Map(
            self.scope,
            name,
            items_path=of,
            item_selector=selector,
            result_path=into,
            max_concurrency=self._max_concurrency,
        )
        return map_.item_processor(do)

    def side_by_side(self, name: str, *branches: sfn.IChainable, into: str) -> sfn.Parallel:
        """Run `branches` at once and leave the list of what they return under `into`."""
        return sfn.Parallel(self.scope, name, result_path=into).branch(*branches)

    def gather(self, name: str, *branches: sfn.IChainable) -> sfn.Parallel:
        """Run `branches` at once and merge what they return, key by key, into one flat state.

        The merge is shallow and the last branch wins: apart from the first, branches must return disjoint keys.
        """
        merged = reduce(lambda left, n: f"States.JsonMerge({left}, $[{n}], false)", range(1, len(branches)), "$[0]")
        parallel = sfn.Parallel(self.scope, name, result_selector={"state.$": merged}, output_path="$.state")
        return parallel.branch(*branches)
