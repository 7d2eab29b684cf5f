"""Who is told that a run waits for a person: whoever subscribes to a topic, by e-mail for example, and a webhook."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from gate.catalogue import EVENT_SOURCE, Event
from gate.trail.review_notices import RUN

from .functions import Functions
from .props import GateProps
from .storage import Storage
from .triggers import target_of


class Notices(Construct):
    """Attributes:
    topic: told of every run that begins to wait: its id, until when, and where it is decided.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        event_bus: events.IEventBus,
        page: str,
        functions: Functions,
        undelivered: sqs.IQueue,
        storage: Storage,
        props: GateProps,
    ) -> None:
        super().__init__(scope, id)
        self.topic = props.review_topic or sns.Topic(self, "Reviews", master_key=storage.key, enforce_ssl=True)
        if is_elsewhere(event_bus, cdk.Stack.of(self)):
            text = "event_bus: stands in another account or region, where a rule must send ReviewRequested to people"
            cdk.Annotations.of(self).add_warning_v2("gate:reviews", text)
            return
        told = events.EventField
        run = told.from_path("$.detail.run_id")
        message = events.RuleTargetInput.from_multiline_text(
            f"An answer waits for a person until {told.from_path('$.detail.until')}.\n"
            f"Run: {run}\n"
            f"Read and decide: {page.replace(RUN, run)}"
        )
        told_by: list[events.IRuleTarget] = [
            targets.SnsTopic(self.topic, message=message, dead_letter_queue=undelivered)
        ]
        if props.review_webhook:
            functions.made_for(Event.REVIEW).add_environment("GATE_REVIEW_PAGE", page)
            webhook = functions.called_on(Event.REVIEW)
            told_by.append(target_of(webhook, undelivered, again=0))  # it tries again by itself, while the run waits
        pattern = events.EventPattern(source=[EVENT_SOURCE], detail_type=["ReviewRequested"])
        events.Rule(self, "Requested", event_bus=event_bus, event_pattern=pattern, targets=told_by)


def is_elsewhere(bus: events.IEventBus, stack: cdk.Stack) -> bool:
    """Whether a bus is known to stand in another account or region: rules are made in their own."""
    places = ((bus.env.account, stack.account), (bus.env.region, stack.region))
    return any(one != own and not cdk.Token.is_unresolved(one + own) for one, own in places)
