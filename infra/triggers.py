"""What starts functions by itself: uploads, and executions that failed. What cannot be delivered goes to a queue."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from gate.catalogue import Event

from .functions import Functions
from .storage import CORPUS, TRANSCRIPTS, Storage

DAYS_KEPT = 14


class Triggers(Construct):
    """Attributes:
    undelivered: queue of events that no function took.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        functions: Functions,
        machines: tuple[sfn.IStateMachine, ...],
        storage: Storage,
    ) -> None:
        super().__init__(scope, id)
        self._functions = functions
        self.undelivered = sqs.Queue(
            self,
            "Undelivered",
            encryption=sqs.QueueEncryption.KMS,
            encryption_master_key=storage.key,
            enforce_ssl=True,
            retention_period=cdk.Duration.days(DAYS_KEPT),
        )
        self._on("Transcripts", object_events(storage.uploads, TRANSCRIPTS, "Object Created"), Event.TRANSCRIPT)
        corpus = object_events(storage.uploads, CORPUS, "Object Created", "Object Deleted")
        self._on("Corpus", corpus, Event.DOCUMENT)
        self._on("Failures", failed(machines), Event.FAILURE)

    def _on(self, id: str, pattern: events.EventPattern, event: Event) -> None:
        """One rule. A function that fails on an event is tried twice more; then the event is kept."""
        function = self._functions.called_on(event)
        function.configure_async_invoke(
            on_failure=cdk.aws_lambda_destinations.SqsDestination(self.undelivered),
            max_event_age=cdk.Duration.hours(6),
            retry_attempts=2,
        )
        target = targets.LambdaFunction(
            function, dead_letter_queue=self.undelivered, max_event_age=cdk.Duration.hours(6), retry_attempts=10
        )
        events.Rule(self, id, event_pattern=pattern, targets=[target])


def object_events(bucket: s3.IBucket, prefix: str, *kinds: str) -> events.EventPattern:
    """Something happened to an object under `prefix`."""
    detail = {"bucket": {"name": [bucket.bucket_name]}, "object": {"key": [{"prefix": prefix}]}}
    return events.EventPattern(source=["aws.s3"], detail_type=list(kinds), detail=detail)


def failed(machines: tuple[sfn.IStateMachine, ...]) -> events.EventPattern:
    """An execution ended without success."""
    detail = {
        "stateMachineArn": [machine.state_machine_arn for machine in machines],
        "status": ["FAILED", "TIMED_OUT", "ABORTED"],
    }
    return events.EventPattern(
        source=["aws.states"], detail_type=["Step Functions Execution Status Change"], detail=detail
    )
