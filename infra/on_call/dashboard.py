"""What a person who was woken looks at: from what callers see down to the parts that it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from gate.catalogue import Use
from gate.errors import ModelThrottledError, ModelUnavailableError, SearchUnavailableError

from ..api.rest_api import RestApi
from ..functions import Functions
from ..machines.machine import Machines
from ..props import GateProps
from ..triggers import Triggers
from .own_metrics import FIVE_MINUTES, OwnMetrics

FIRST = "Every alarm has its section in `docs/runbook.md`. No answer passes because of one."
OUTCOMES = {
    "pass": cloudwatch.Color.GREEN,
    "review": cloudwatch.Color.ORANGE,
    "block": cloudwatch.Color.RED,
    "error": cloudwatch.Color.GREY,
}


def make_dashboard(
    scope: Construct,
    alarms: Mapping[str, cloudwatch.Alarm],
    *,
    functions: Functions,
    machines: Machines,
    rest_api: RestApi,
    triggers: Triggers,
    own: OwnMetrics,
    props: GateProps,
) -> None:
    """Alarms first; then outcomes, runs and the API, which callers see; then what they depend on, and the functions."""
    page = cloudwatch.Dashboard(scope, "Dashboard", default_interval=cdk.Duration.hours(3))
    page.add_widgets(
        cloudwatch.TextWidget(
            markdown="Every alarm has its section in `docs/runbook.md`. No answer passes because of one.",
            width=24,
            height=1,
        ),
        cloudwatch.AlarmStatusWidget(title="Alarms", alarms=list(alarms.values()), width=24),
    )
    outcomes = [own.figure("Outcomes", outcome=name) for name in OUTCOMES]
    page.add_widgets(
        _graph("Outcomes", [_coloured(one, name) for one, name in zip(outcomes, OUTCOMES, strict=True)], stacked=True),
        _graph("Claims unchecked, per cent", [_unchecked(own)]),
    )
    runs = [
        metric(period=FIVE_MINUTES)
        for machine in (machines.gate, machines.batch)
        for metric in (machine.metric_failed, machine.metric_timed_out, machine.metric_throttled)
    ]
    times = [machines.gate.metric_time(period=FIVE_MINUTES, statistic=one, label=one) for one in ("p50", "p90", "max")]
    page.add_widgets(_graph("Runs that failed", runs), _graph("Time of runs (ms, with the wait for people)", times))
    latency = [rest_api.api.metric_latency(period=FIVE_MINUTES, statistic=one, label=one) for one in ("p50", "p90")]
    refused = [
        rest_api.api.metric_client_error(period=FIVE_MINUTES, statistic="Sum"),
        rest_api.api.metric_server_error(period=FIVE_MINUTES, statistic="Sum"),
    ]
    page.add_widgets(_graph("Answers of the API: 4xx, 5xx", refused), _graph("Time of the API (ms)", latency))
    down = [
        own.errors(ModelThrottledError, Use.MODEL),
        own.errors(ModelUnavailableError, Use.MODEL, Use.EMBEDDER),
        own.errors(SearchUnavailableError, Use.SEARCH, Use.INDEX),
    ]
    page.add_widgets(_graph("Model and search: errors", down), _spending(own, props))
    age = triggers.documents.metric_approximate_age_of_oldest_message(period=FIVE_MINUTES, statistic="Maximum")
    lag = own.figure("CorpusLag")
    assert isinstance(lag, cloudwatch.Metric)
    dead = [
        queue.metric_approximate_number_of_messages_visible(period=FIVE_MINUTES, statistic="Maximum", label=label)
        for label, queue in (("Undelivered", triggers.undelivered), ("DocumentsLost", triggers.documents_lost))
    ]
    page.add_widgets(
        _graph("Corpus behind its bucket, oldest document that waits (s)", [lag.with_(statistic="Maximum"), age]),
        _graph("Dead letters", dead),
    )
    each = functions.by_name.items()
    durations = [one.metric_duration(period=FIVE_MINUTES, label=name) for name, one in each]
    page.add_widgets(
        _graph("Errors of functions", [one.metric_errors(period=FIVE_MINUTES, label=name) for name, one in each]),
        _graph("Throttles of functions", [one.metric_throttles(period=FIVE_MINUTES, label=name) for name, one in each]),
        _graph("Duration of functions (ms)", durations),
    )


def _graph(title: str, metrics: Sequence[cloudwatch.IMetric], *, stacked: bool = False) -> cloudwatch.GraphWidget:
    axis = cloudwatch.YAxisProps(min=0, show_units=False)
    return cloudwatch.GraphWidget(title=title, left=list(metrics), left_y_axis=axis, stacked=stacked, width=12)


def _spending(own: OwnMetrics, props: GateProps) -> cloudwatch.GraphWidget:
    """Bedrock counts for the whole account, embeddings too: what the ceilings count is at most that."""
    day = cdk.Duration.days(1)
    tokens = [
        cloudwatch.Metric(namespace="AWS/Bedrock", metric_name=name, statistic="Sum", period=day)
        for name in ("InputTokenCount", "OutputTokenCount")
    ]
    lines = {"everybody's day": props.budget_day, "a tenant's day": props.budget_tenant_day}
    return cloudwatch.GraphWidget(
        title="Tokens of the account's Bedrock a day; ceilings, and how often one was reached",
        left=tokens,
        left_annotations=[
            cloudwatch.HorizontalAnnotation(value=most, label=name) for name, most in lines.items() if most
        ],
        right=[own.figure("CeilingReached")] if props.counts_spending else [],
        stacked=True,
        width=12,
    )


def _coloured(metric: cloudwatch.IMetric, outcome: str) -> cloudwatch.IMetric:
    assert isinstance(metric, (cloudwatch.Metric, cloudwatch.MathExpression))
    return metric.with_(label=outcome, color=OUTCOMES[outcome])


def _unchecked(own: OwnMetrics) -> cloudwatch.MathExpression:
    return cloudwatch.MathExpression(
        expression="IF(claims > 0, 100 * unchecked / claims, 0)",
        label="unchecked",
        period=FIVE_MINUTES,
        using_metrics={"claims": own.figure("Claims"), "unchecked": own.figure("UncheckedClaims")},
    )
