"""What starts functions by itself: uploads, executions that failed, and the clock. What cannot be delivered goes to a
queue; documents wait in one of their own, so that a thousand of them are no thousand functions at once."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from gate.catalogue import Event, Use

from .functions import Functions
from .props import GateProps
from .storage import CORPUS, TRANSCRIPTS, Storage

DAYS_KEPT = 14
DOCUMENTS_AT_ONCE = 5
"""Of one call of the function that takes them in."""
TRIES = 12
"""Of a document, over about two hours, until it lies in the dead-letter queue."""


class Triggers(Construct):
    """Attributes:
    undelivered: queue of events that no function took.
    documents: queue of documents to look at.
    documents_lost: those that could not be taken in, try after try.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        functions: Functions,
        machines: tuple[sfn.IStateMachine, ...],
        storage: Storage,
        props: GateProps,
    ) -> None:
        super().__init__(scope, id)
        self._functions = functions
        self._storage, self._props = storage, props
        self.undelivered = self._queue("Undelivered")
        self.documents_lost = self._queue("DocumentsLost")
        self.documents = self._queue(
            "DocumentsWaiting",
            dead_letter_queue=sqs.DeadLetterQueue(queue=self.documents_lost, max_receive_count=TRIES),
            visibility_timeout=cdk.Duration.seconds(960),
        )
        self._on("Transcripts", object_events(storage.uploads, TRANSCRIPTS, "Object Created"), Event.TRANSCRIPT)
        self._take_in_documents()
        self._on("Failures", failed(machines), Event.FAILURE)
        self._on("Reconciliation", None, Event.SCHEDULE)

    def _queue(self, id: str, **more: Any) -> sqs.Queue:
        return sqs.Queue(
            self,
            id,
            encryption=sqs.QueueEncryption.KMS,
            encryption_master_key=self._storage.key,
            enforce_ssl=True,
            retention_period=cdk.Duration.days(DAYS_KEPT),
            **more,
        )

    def _take_in_documents(self) -> None:
        """Events of documents wait in the queue; so many functions at once take from it, and say which failed."""
        corpus = object_events(self._storage.uploads, CORPUS, "Object Created", "Object Deleted")
        target = targets.SqsQueue(self.documents, dead_letter_queue=self.undelivered)
        events.Rule(self, "Corpus", event_pattern=corpus, targets=[target])
        for agent in self._functions.agents:
            if Use.QUEUE in agent.uses:
                function = self._functions.by_name[agent.name]
                function.add_environment("GATE_DOCUMENTS_QUEUE", self.documents.queue_url)
                if agent.on != Event.DOCUMENT:
                    self.documents.grant_send_messages(function)
        self._functions.called_on(Event.DOCUMENT).add_event_source(
            sources.SqsEventSource(
                self.documents,
                batch_size=DOCUMENTS_AT_ONCE,
                max_concurrency=self._props.ingest_concurrency,
                report_batch_item_failures=True,
            )
        )

    def _on(self, id: str, pattern: events.EventPattern | None, event: Event) -> None:
        """One rule, of the clock where there is no pattern. A function that fails on an event is tried twice more; then
        the event is kept."""
        target = target_of(self._functions.called_on(event), self.undelivered, again=2)
        every = None if pattern else events.Schedule.rate(cdk.Duration.minutes(self._props.reconcile_minutes))
        events.Rule(self, id, event_pattern=pattern, schedule=every, targets=[target])


def target_of(function: lambda_.IFunction, undelivered: sqs.IQueue, *, again: int) -> targets.LambdaFunction:
    """A function as the target of a rule; one that fails on an event is tried `again` so often, and then the event is
    kept."""
    function.configure_async_invoke(
        on_failure=cdk.aws_lambda_destinations.SqsDestination(undelivered),
        max_event_age=cdk.Duration.hours(6),
        retry_attempts=again,
    )
    return targets.LambdaFunction(
        function, dead_letter_queue=undelivered, max_event_age=cdk.Duration.hours(6), retry_attempts=10
    )


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
