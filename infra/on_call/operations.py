"""What tells people that something is wrong: alarms on what matters."""

from __future__ import annotations

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_budgets as budgets
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from gate.catalogue import Use
from gate.decision.reviewed.drift import LEAST
from gate.errors import (
    EventsUnavailableError,
    ModelThrottledError,
    ModelUnavailableError,
    SearchUnavailableError,
)

from ..api.rest_api import RestApi
from ..functions import Functions
from ..machines.machine import Machines
from ..props import GateProps
from ..storage import Storage
from ..triggers import Triggers
from .dashboard import make_dashboard
from .own_metrics import FIVE_MINUTES, OwnMetrics, added_up

WEEK = cdk.Duration.days(7)
"""As long as an alarm can look back."""
MOST_WATCHED = 10
"""Metrics of one alarm."""
SLOW_RUN = cdk.Duration.minutes(15)
LONG_WAIT = cdk.Duration.hours(1)
"""Of a document that is to be taken in."""
NEAR_THE_END = cdk.Duration.seconds(27)
"""Of a request: API Gateway waits for 29 seconds, and a caller may ask for 25 of waiting."""


class Operations(Construct):
    """Attributes:
    topic: told of every alarm.
    alarms: by name.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        functions: Functions,
        machines: Machines,
        rest_api: RestApi,
        triggers: Triggers,
        storage: Storage,
        props: GateProps,
    ) -> None:
        super().__init__(scope, id)
        self._own = own = OwnMetrics(self, functions.agents)
        self.topic = props.alarm_topic or self._make_topic(storage)
        if props.alarm_email:
            to, email = props.alarm_email, sns.SubscriptionProtocol.EMAIL
            sns.Subscription(self, "AlarmSubscription", topic=self.topic, protocol=email, endpoint=to)
        self.alarms: dict[str, cloudwatch.Alarm] = {}
        for name, machine in (("Gate", machines.gate), ("Batch", machines.batch)):
            for kind in ("Failed", "TimedOut", "Throttled"):
                metric = getattr(machine, f"metric_{_snake(kind)}")(period=FIVE_MINUTES)
                self._alarm(f"{name}Runs{kind}", metric, f"Runs of the {name.lower()} machine: {kind}")
        self._alarm(
            "UncheckedClaims",
            self._own.figure("UncheckedClaims"),
            "Claims that could not be checked: is the model or the search throttled or down?",
            threshold=10,
        )
        if props.counts_spending:
            self._alarm(
                "CeilingReached",
                self._own.figure("CeilingReached"),
                "A run, a tenant or everybody has spent its tokens: claims stay unchecked, checks are refused",
            )
        self._alarm(
            "Undelivered",
            triggers.undelivered.metric_approximate_number_of_messages_visible(
                period=FIVE_MINUTES, statistic="Maximum"
            ),
            "Events that no function took: uploads that were not checked, failures that were not published",
        )
        self._watch_corpus(triggers, props)
        self._watch_verdicts(props)
        self._watch_time(machines.gate, rest_api)
        self._alarm(
            "ModelThrottled",
            self._own.errors(ModelThrottledError, Use.MODEL),
            "Bedrock refuses for rate",
            threshold=50,
        )
        self._alarm(
            "ModelUnavailable",
            self._own.errors(ModelUnavailableError, Use.MODEL, Use.EMBEDDER),
            "Bedrock fails or does not answer, for ten minutes",
            threshold=20,
            periods=2,
        )
        self._alarm(
            "SearchUnavailable",
            self._own.errors(SearchUnavailableError, Use.SEARCH, Use.INDEX),
            "The search fails or does not answer, for ten minutes: longer than it takes to wake up",
            threshold=20,
            periods=2,
        )
        self._alarm(
            "EventsNotSent",
            self._own.errors(EventsUnavailableError, Use.EVENTS),
            "Checks that were done and not announced at once: may the functions put events on the bus?",
        )
        self._alarm(
            "ReviewUnannounced",
            self._own.figure("ReviewUnannounced"),
            "A run waits for a person and nobody could be told: who reviews has to look into the queue",
        )
        self._alarm(
            "ApiFailed",
            rest_api.api.metric_server_error(period=FIVE_MINUTES, statistic="Sum"),
            "The API answers 500 or 503: its bodies say why",
            threshold=5,
        )
        self._alarm(
            "PolicyUnreadable",
            self._own.figure("PolicyUnreadable"),
            "config/policy.json is no policy: an earlier version goes on; the log of the function says what is wrong",
        )
        self._watch_functions(functions)
        self._tell_of_models(triggers.undelivered)
        if props.monthly_dollars:
            self._watch_bill(props)
        make_dashboard(
            self,
            self.alarms,
            functions=functions,
            machines=machines,
            rest_api=rest_api,
            triggers=triggers,
            own=own,
            props=props,
        )

    def _watch_time(self, machine: sfn.StateMachine, rest_api: RestApi) -> None:
        """Of a few runs one that waits for a person says nothing: it takes most of five to make the middle one slow."""
        period = cdk.Duration.minutes(15)
        middle = machine.metric_time(period=period, statistic="p50", label="median")
        ended = machine.metric_time(period=period, statistic="SampleCount", label="ended")
        time = cloudwatch.MathExpression(
            expression="IF(FILL(ended, 0) >= 5, FILL(middle, 0), 0)",
            label="GateRunsSlow",
            period=period,
            using_metrics={"middle": middle, "ended": ended},
        )
        minutes = SLOW_RUN.to_minutes()
        text = f"Of five or more runs that ended in a quarter of an hour, half took {minutes:.0f} minutes or more"
        self._alarm("GateRunsSlow", time, text, threshold=SLOW_RUN.to_milliseconds())
        slowest = rest_api.api.metric_latency(period=FIVE_MINUTES, statistic="p90")
        seconds = NEAR_THE_END.to_seconds()
        text = f"One answer of the API in ten takes {seconds:.0f} seconds or more, of 29 that it may take"
        self._alarm("ApiSlow", slowest, text, threshold=NEAR_THE_END.to_milliseconds(), periods=3)

    def _watch_functions(self, functions: Functions) -> None:
        """One alarm tells of all functions. It looks at others, which tell nobody: each watches as many as it can."""
        parts, names, at_once = [], list(functions.by_name), MOST_WATCHED // 2
        for first in range(0, len(names), at_once):
            group = names[first : first + at_once]
            metrics: dict[str, cloudwatch.IMetric] = {}
            for name in group:
                function = functions.by_name[name]
                metrics[f"{name}_errors"] = function.metric_errors(period=FIVE_MINUTES)
                metrics[f"{name}_throttles"] = function.metric_throttles(period=FIVE_MINUTES)
            parts.append(
                self._alarm(
                    f"FunctionsFail{1 + first // at_once}",
                    added_up("Errors and throttles", metrics),
                    f"Errors and throttles of {', '.join(group)}",
                    threshold=50,
                    section="functionsfail",
                    tells=False,
                )
            )
        whole = cloudwatch.CompositeAlarm(
            self,
            "FunctionsFail",
            alarm_description="Functions fail, or are throttled by their concurrency; docs/runbook.md#functionsfail",
            alarm_rule=cloudwatch.AlarmRule.any_of(*parts),
        )
        whole.add_alarm_action(actions.SnsAction(self.topic))

    def _watch_bill(self, props: GateProps) -> None:
        """AWS Budgets looks at the account's bill of Bedrock, a few times a day; the ceilings act at once."""
        told = [budgets.CfnBudget.SubscriberProperty(subscription_type="EMAIL", address=props.budget_email)]
        budgets.CfnBudget(
            self,
            "Bill",
            budget=budgets.CfnBudget.BudgetDataProperty(
                budget_type="COST",
                time_unit="MONTHLY",
                budget_limit=budgets.CfnBudget.SpendProperty(amount=props.monthly_dollars, unit="USD"),
                cost_filters={"Service": ["Amazon Bedrock"]},
            ),
            notifications_with_subscribers=[
                budgets.CfnBudget.NotificationWithSubscribersProperty(
                    notification=budgets.CfnBudget.NotificationProperty(
                        comparison_operator="GREATER_THAN", notification_type="ACTUAL", threshold=percent
                    ),
                    subscribers=told,
                )
                for percent in (80, 100)
            ],
        )

    def _watch_corpus(self, triggers: Triggers, props: GateProps) -> None:
        """A corpus may be behind its bucket while documents are taken in; one that stays behind is wrong."""
        self._alarm(
            "DocumentsLost",
            triggers.documents_lost.metric_approximate_number_of_messages_visible(
                period=FIVE_MINUTES, statistic="Maximum"
            ),
            "Documents that could not be taken into the corpus, try after try: read the log, then redrive",
        )
        self._alarm(
            "DocumentsWait",
            triggers.documents.metric_approximate_age_of_oldest_message(period=FIVE_MINUTES, statistic="Maximum"),
            "A document has waited for an hour to be taken into the corpus",
            threshold=LONG_WAIT.to_seconds(),
        )
        documents = self._own.figure("CorpusBehind")
        assert isinstance(documents, cloudwatch.Metric)
        behind = documents.with_(
            period=cdk.Duration.minutes(max(5, -(-props.reconcile_minutes // 5) * 5)), statistic="Maximum"
        )
        text = (
            "The corpus does not hold what its bucket does, at two comparisons: answers are judged by what is outdated"
        )
        self._alarm("CorpusBehind", behind, text, periods=2)

    def _watch_verdicts(self, props: GateProps) -> None:
        """What reviewers say of verdicts, over a week: how many are wrong, and whether two of them say the same."""
        if not props.drift_percent:
            return
        self._share_of_week(
            "VerdictsDrift",
            ("FalseAlarms", "Misses"),
            of="VerdictsMarked",
            percent=props.drift_percent,
            description="Of the verdicts that people marked in a week, so many per cent are wrong in their eyes",
        )
        self._share_of_week(
            "ReviewersDiffer",
            ("ReviewersDiffer",),
            of="VerdictsMarkedTwice",
            percent=props.drift_percent,
            description="Of the verdicts that two people marked in a week, so many per cent have two labels",
        )

    def _share_of_week(self, name: str, figures: Sequence[str], *, of: str, percent: int, description: str) -> None:
        """An alarm on a share of what people marked; of few marks it says nothing."""
        (service,) = (agent.name for agent in self._own.agents if of in agent.figures and Use.REVIEWS in agent.uses)
        metrics = {
            f"m{place}": self._own.of(service, figure).with_(period=WEEK) for place, figure in enumerate(figures)
        }
        some = " + ".join(f"FILL({id}, 0)" for id in metrics)
        share = cloudwatch.MathExpression(
            expression=f"IF(FILL(whole, 0) >= {LEAST}, 100 * ({some}) / whole, 0)",
            label=name,
            period=WEEK,
            using_metrics={**metrics, "whole": self._own.of(service, of).with_(period=WEEK)},
        )
        self._alarm(name, share, description, threshold=percent)

    def _tell_of_models(self, undelivered: sqs.IQueue) -> None:
        """AWS Health announces when a model of Bedrock becomes legacy, and when it ends."""
        detail = {"service": ["BEDROCK"], "eventTypeCategory": ["scheduledChange", "accountNotification"]}
        target = targets.SnsTopic(self.topic, dead_letter_queue=undelivered)
        pattern = events.EventPattern(source=["aws.health"], detail_type=["AWS Health Event"], detail=detail)
        events.Rule(self, "ModelLifecycle", event_pattern=pattern, targets=[target])

    def _make_topic(self, storage: Storage) -> sns.Topic:
        """A topic that alarms reach: CDK's policy for it replaces the one by which an account's own may publish.

        EventBridge, which CDK lets in, brings no conditions to a topic, so that none can be asked of it.
        """
        topic = sns.Topic(self, "Alarms", master_key=storage.key, enforce_ssl=True)
        stack = cdk.Stack.of(self)
        any_alarm = stack.format_arn(
            service="cloudwatch", resource="alarm", resource_name="*", arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME
        )
        ours = {"StringEquals": {"aws:SourceAccount": stack.account}, "ArnLike": {"aws:SourceArn": any_alarm}}
        alarms = iam.ServicePrincipal("cloudwatch.amazonaws.com", conditions=ours)
        topic.add_to_resource_policy(
            iam.PolicyStatement(actions=["sns:Publish"], principals=[alarms], resources=[topic.topic_arn])
        )
        return topic

    def _alarm(
        self,
        name: str,
        metric: cloudwatch.IMetric,
        description: str,
        *,
        threshold: float = 1,
        periods: int = 1,
        section: str = "",
        tells: bool = True,
    ) -> cloudwatch.Alarm:
        """An alarm whose description names its section of the runbook: by default the one of its name."""
        alarm = cloudwatch.Alarm(
            self,
            name,
            alarm_description=f"{description}; docs/runbook.md#{section or name.lower()}",
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            evaluation_periods=periods,
            metric=metric,
            threshold=threshold,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        if tells:
            alarm.add_alarm_action(actions.SnsAction(self.topic))
        self.alarms[name] = alarm
        return alarm


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")
