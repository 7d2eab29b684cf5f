"""What alarms watch, and from when they ring, as a list; docs/runbook.md has a section for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn

from gate.catalogue import Use
from gate.decision.reviewed.drift import LEAST
from gate.errors import (
    EventsUnavailableError,
    ModelThrottledError,
    ModelUnavailableError,
    SearchUnavailableError,
)

from ..api.rest_api import RestApi
from ..machines.machine import Machines
from ..props import GateProps
from ..triggers import Triggers
from .own_metrics import FIVE_MINUTES, OwnMetrics

WEEK = cdk.Duration.days(7)
"""As long as an alarm can look back."""
SLOW_RUN = cdk.Duration.minutes(15)
LONG_WAIT = cdk.Duration.hours(1)
"""Of a document that is to be taken in."""
NEAR_THE_END = cdk.Duration.seconds(27)
"""Of a request: API Gateway waits for 29 seconds, and a caller may ask for 25 of waiting."""


class WatchedMetric(NamedTuple):
    """What one alarm watches; it rings at the threshold, that many periods in a row."""

    name: str
    metric: cloudwatch.IMetric
    description: str
    threshold: float = 1
    periods: int = 1


def watched_metrics(
    own: OwnMetrics, machines: Machines, rest_api: RestApi, triggers: Triggers, props: GateProps
) -> list[WatchedMetric]:
    """Everything that an alarm of its own watches, functions aside."""
    return [
        *_ends_of_runs(machines),
        WatchedMetric(
            "UncheckedClaims",
            own.figure("UncheckedClaims"),
            "Claims that could not be checked: is the model or the search throttled or down?",
            threshold=10,
        ),
        *_spending(own, props),
        WatchedMetric(
            "Undelivered",
            _waiting(triggers.undelivered),
            "Events that no function took: uploads that were not checked, failures that were not published",
        ),
        WatchedMetric(
            "DocumentsLost",
            _waiting(triggers.documents_lost),
            "Documents that could not be taken into the corpus, try after try: read the log, then redrive",
        ),
        WatchedMetric(
            "DocumentsWait",
            triggers.documents.metric_approximate_age_of_oldest_message(period=FIVE_MINUTES, statistic="Maximum"),
            "A document has waited for an hour to be taken into the corpus",
            threshold=LONG_WAIT.to_seconds(),
        ),
        WatchedMetric(
            "CorpusBehind",
            _behind(own, props.reconcile_minutes),
            "The corpus does not hold what its bucket does, at two comparisons: answers are judged by what is outdated",
            periods=2,
        ),
        *_verdicts(own, props.drift_percent),
        WatchedMetric(
            "GateRunsSlow",
            _middle_time(machines.gate),
            "Of five or more runs that ended in a quarter of an hour, half took "
            f"{SLOW_RUN.to_minutes():.0f} minutes or more",
            threshold=SLOW_RUN.to_milliseconds(),
        ),
        WatchedMetric(
            "ApiSlow",
            rest_api.api.metric_latency(period=FIVE_MINUTES, statistic="p90"),
            f"One answer of the API in ten takes {NEAR_THE_END.to_seconds():.0f} seconds or more, "
            "of 29 that it may take",
            threshold=NEAR_THE_END.to_milliseconds(),
            periods=3,
        ),
        WatchedMetric(
            "ModelThrottled",
            own.errors(ModelThrottledError, Use.MODEL),
            "Bedrock refuses for rate",
            threshold=50,
        ),
        WatchedMetric(
            "ModelUnavailable",
            own.errors(ModelUnavailableError, Use.MODEL, Use.EMBEDDER),
            "Bedrock fails or does not answer, for ten minutes",
            threshold=20,
            periods=2,
        ),
        WatchedMetric(
            "SearchUnavailable",
            own.errors(SearchUnavailableError, Use.SEARCH, Use.INDEX),
            "The search fails or does not answer, for ten minutes: longer than it takes to wake up",
            threshold=20,
            periods=2,
        ),
        WatchedMetric(
            "EventsNotSent",
            own.errors(EventsUnavailableError, Use.EVENTS),
            "Checks that were done and not announced at once: may the functions put events on the bus?",
        ),
        WatchedMetric(
            "ReviewUnannounced",
            own.figure("ReviewUnannounced"),
            "A run waits for a person and nobody could be told: who reviews has to look into the queue",
        ),
        WatchedMetric(
            "ApiFailed",
            rest_api.api.metric_server_error(period=FIVE_MINUTES, statistic="Sum"),
            "The API answers 500 or 503: its bodies say why",
            threshold=5,
        ),
        WatchedMetric(
            "PolicyUnreadable",
            own.figure("PolicyUnreadable"),
            "config/policy.json is no policy: an earlier version goes on; the log of the function says what is wrong",
        ),
    ]


def _ends_of_runs(machines: Machines) -> Iterator[WatchedMetric]:
    for name, machine in (("Gate", machines.gate), ("Batch", machines.batch)):
        for kind, metric in (
            ("Failed", machine.metric_failed),
            ("TimedOut", machine.metric_timed_out),
            ("Throttled", machine.metric_throttled),
        ):
            about = f"Runs of the {name.lower()} machine: {kind}"
            yield WatchedMetric(f"{name}Runs{kind}", metric(period=FIVE_MINUTES), about)


def _spending(own: OwnMetrics, props: GateProps) -> Iterator[WatchedMetric]:
    if props.counts_spending:
        yield WatchedMetric(
            "CeilingReached",
            own.figure("CeilingReached"),
            "A run, a tenant or everybody has spent its tokens: claims stay unchecked, checks are refused",
        )


def _verdicts(own: OwnMetrics, percent: int) -> Iterator[WatchedMetric]:
    """What reviewers say of verdicts, over a week: how many are wrong, and whether two of them say the same."""
    if not percent:
        return
    yield WatchedMetric(
        "VerdictsDrift",
        _share_of_week(own, "VerdictsDrift", ("FalseAlarms", "Misses"), of="VerdictsMarked"),
        "Of the verdicts that people marked in a week, so many per cent are wrong in their eyes",
        threshold=percent,
    )
    yield WatchedMetric(
        "ReviewersDiffer",
        _share_of_week(own, "ReviewersDiffer", ("ReviewersDiffer",), of="VerdictsMarkedTwice"),
        "Of the verdicts that two people marked in a week, so many per cent have two labels",
        threshold=percent,
    )


def _waiting(queue: sqs.IQueue) -> cloudwatch.Metric:
    return queue.metric_approximate_number_of_messages_visible(period=FIVE_MINUTES, statistic="Maximum")


def _behind(own: OwnMetrics, reconcile_minutes: int) -> cloudwatch.Metric:
    """A corpus may be behind its bucket while documents are taken in; one that stays behind is wrong."""
    documents = own.figure("CorpusBehind")
    assert isinstance(documents, cloudwatch.Metric)
    period = cdk.Duration.minutes(max(5, -(-reconcile_minutes // 5) * 5))
    return documents.with_(period=period, statistic="Maximum")


def _middle_time(machine: sfn.StateMachine) -> cloudwatch.MathExpression:
    """Of a few runs one that waits for a person says nothing: it takes most of five to make the middle one slow."""
    period = cdk.Duration.minutes(15)
    middle = machine.metric_time(period=period, statistic="p50", label="median")
    ended = machine.metric_time(period=period, statistic="SampleCount", label="ended")
    return cloudwatch.MathExpression(
        expression="IF(FILL(ended, 0) >= 5, FILL(middle, 0), 0)",
        label="GateRunsSlow",
        period=period,
        using_metrics={"middle": middle, "ended": ended},
    )


def _share_of_week(own: OwnMetrics, name: str, figures: Sequence[str], *, of: str) -> cloudwatch.MathExpression:
    """A share of what people marked; of few marks it is none."""
    (service,) = (agent.name for agent in own.agents if of in agent.figures and Use.REVIEWS in agent.uses)
    metrics = {f"m{place}": own.of(service, figure).with_(period=WEEK) for place, figure in enumerate(figures)}
    some = " + ".join(f"FILL({id}, 0)" for id in metrics)
    return cloudwatch.MathExpression(
        expression=f"IF(FILL(whole, 0) >= {LEAST}, 100 * ({some}) / whole, 0)",
        label=name,
        period=WEEK,
        using_metrics={**metrics, "whole": own.of(service, of).with_(period=WEEK)},
    )
