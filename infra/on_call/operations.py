"""What tells people that something is wrong: alarms on what matters."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_budgets as budgets
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from ..api.rest_api import RestApi
from ..functions import Functions
from ..machines.machine import Machines
from ..props import GateProps
from ..storage import Storage
from ..triggers import Triggers
from .alarms import WatchedMetric, watched_metrics
from .dashboard import make_dashboard
from .own_metrics import FIVE_MINUTES, OwnMetrics, added_up

MOST_WATCHED = 10
"""Metrics of one alarm."""


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
        own = OwnMetrics(self, functions.agents)
        self.topic = props.alarm_topic or self._make_topic(storage)
        if props.alarm_email:
            to, email = props.alarm_email, sns.SubscriptionProtocol.EMAIL
            sns.Subscription(self, "AlarmSubscription", topic=self.topic, protocol=email, endpoint=to)
        self.alarms: dict[str, cloudwatch.Alarm] = {}
        for one in watched_metrics(own, machines, rest_api, triggers, props):
            self._alarm(one)
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
                    WatchedMetric(
                        f"FunctionsFail{1 + first // at_once}",
                        added_up("Errors and throttles", metrics),
                        f"Errors and throttles of {', '.join(group)}",
                        threshold=50,
                    ),
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

    def _alarm(self, what: WatchedMetric, *, section: str = "", tells: bool = True) -> cloudwatch.Alarm:
        """An alarm whose description names its section of the runbook: by default the one of its name."""
        alarm = cloudwatch.Alarm(
            self,
            what.name,
            alarm_description=f"{what.description}; docs/runbook.md#{section or what.name.lower()}",
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            evaluation_periods=what.periods,
            metric=what.metric,
            threshold=what.threshold,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        if tells:
            alarm.add_alarm_action(actions.SnsAction(self.topic))
        self.alarms[what.name] = alarm
        return alarm
