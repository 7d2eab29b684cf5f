"""The REST API in front of the functions that answer it: authorised, throttled, logged without payloads."""

from __future__ import annotations

from collections.abc import Collection

import aws_cdk as cdk
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from constructs import Construct

from gate.catalogue import Event

from ..functions import Functions
from ..props import GateProps
from ..storage import Storage
from .api_access import make_plans, own_domain, protect

ROUTES: dict[str, tuple[str, ...]] = {
    "v1/checks": ("POST",),
    "v1/checks:now": ("POST",),
    "v1/checks/{run_id}": ("GET", "DELETE"),
    "v1/checks/{run_id}/rerun": ("POST",),
    "v1/checks/{run_id}/report": ("GET",),
    "v1/reviews": ("GET",),
    "v1/reviews/{run_id}": ("GET",),
    "v1/reviews/{run_id}/assign": ("POST",),
    "v1/reviews/{run_id}/decide": ("POST",),
    "v1/outcomes/{run_id}": ("GET",),
    "v1/uploads": ("POST",),
    "v1/citations": ("POST",),
    "v1/health": ("GET",),
    "openapi.json": ("GET",),
}
"""What the functions answer; a test compares it with their own OpenAPI document."""
ASKED_FOR = ("Accept", "Authorization", "Content-Type", "Idempotency-Key", "X-Api-Key")
"""Headers that a page may send."""
NOW = "v1/checks:now"
"""The route whose answer is the report, of a function of its own."""
CHECK, REPORT, OUTCOME = "v1/checks/{run_id}", "v1/checks/{run_id}/report", "v1/outcomes/{run_id}"
REVIEWS = "v1/reviews"
"""Of reviewers alone."""

STAGE = "gate"
LOGGING = [
    f"logs:{verb}"
    for verb in (
        "CreateLogGroup",
        "CreateLogStream",
        "DescribeLogGroups",
        "DescribeLogStreams",
        "PutLogEvents",
        "GetLogEvents",
        "FilterLogEvents",
    )
]


class RestApi(Construct):
    """Attributes:
    api: the REST API.
    url: where it answers.
    target: what a record of its own domain points to; empty where it has none.
    """

    def __init__(self, scope: Construct, id: str, *, functions: Functions, storage: Storage, props: GateProps) -> None:
        super().__init__(scope, id)
        self._props = props
        self._routes = {path: methods for path, methods in ROUTES.items() if props.checks_now or path != NOW}
        access_logs = logs.LogGroup(
            self,
            "AccessLogs",
            retention=props.log_retention,
            encryption_key=storage.key,
            removal_policy=cdk.RemovalPolicy.DESTROY,
        )
        self.api = apigateway.RestApi(
            self,
            "Api",
            cloud_watch_role=False,
            default_method_options=self._method_options(),
            deploy_options=self._stage(access_logs),
            description="LLM Reliability Gate",
            endpoint_types=[apigateway.EndpointType.REGIONAL],
            # Its metrics are found by it.
            rest_api_name=cdk.Stack.of(self).stack_name,
        )
        validator = self.api.add_request_validator("Validator", validate_request_parameters=True)
        for path, methods in self._routes.items():
            function = functions.called_on(Event.REQUEST_NOW if path == NOW else Event.REQUEST)
            integration = apigateway.LambdaIntegration(function, allow_test_invoke=False)
            resource = self.api.root.resource_for_path(path)
            for method in methods:
                resource.add_method(method, integration, request_validator=validator)
            if props.cors_origins:
                resource.add_cors_preflight(
                    allow_origins=list(props.cors_origins),
                    allow_methods=list(methods),
                    allow_headers=list(ASKED_FOR),
                    expose_headers=["Location", "Retry-After"],
                    max_age=cdk.Duration.hours(1),
                )
        stack = cdk.Stack.of(self)  # CDK's own address waits for the stage, and so would the function that tells it
        self.url = f"https://{self.api.rest_api_id}.execute-api.{stack.region}.{stack.url_suffix}/{STAGE}/"
        if props.cors_origins:
            self._let_browsers_read_refusals(props.cors_origins)
        if props.web_acl:
            protect(self, self.api, props)
        self.target = ""
        if props.domain_name:
            self.url, self.target = (
                f"https://{props.domain_name}/",
                own_domain(self, self.api, props).domain_name_alias_domain_name,
            )
        make_plans(self, self.api, props.usage_plans)
        if props.api_log_role:
            self.api.deployment_stage.node.add_dependency(make_log_role(self, props))

    def _let_browsers_read_refusals(self, origins: tuple[str, ...]) -> None:
        """What API Gateway itself refuses, a token or a rate, says why to the page too; it holds nothing of a check."""
        allowed = origins[0] if len(origins) == 1 else "*"
        for name, kind in (
            ("Refused", apigateway.ResponseType.DEFAULT_4_XX),
            ("Failed", apigateway.ResponseType.DEFAULT_5_XX),
        ):
            headers = {"Access-Control-Allow-Origin": f"'{allowed}'"}
            self.api.add_gateway_response(name, type=kind, response_headers=headers)

    def _method_options(self) -> apigateway.MethodOptions:
        keyed = bool(self._props.usage_plans)
        if self._props.user_pool is None:
            return apigateway.MethodOptions(
                authorization_type=apigateway.AuthorizationType.IAM, api_key_required=keyed or None
            )
        authorizer = apigateway.CognitoUserPoolsAuthorizer(self, "Callers", cognito_user_pools=[self._props.user_pool])
        return apigateway.MethodOptions(
            authorization_type=apigateway.AuthorizationType.COGNITO,
            authorizer=authorizer,
            api_key_required=keyed or None,
        )

    def _stage(self, access_logs: logs.ILogGroup) -> apigateway.StageOptions:
        fields = {
            "requestId": "$context.requestId",
            "requestTime": "$context.requestTime",
            "httpMethod": "$context.httpMethod",
            "resourcePath": "$context.resourcePath",
            "status": "$context.status",
            "responseLength": "$context.responseLength",
            "latency": "$context.responseLatency",
            "caller": "$context.identity.userArn",
        }
        text = "{" + ",".join(f'"{name}":"{value}"' for name, value in fields.items()) + "}"
        return apigateway.StageOptions(
            access_log_destination=apigateway.LogGroupLogDestination(access_logs),
            access_log_format=apigateway.AccessLogFormat.custom(text),
            logging_level=apigateway.MethodLoggingLevel.ERROR,
            data_trace_enabled=False,
            stage_name=STAGE,
            throttling_burst_limit=self._props.throttle_burst,
            throttling_rate_limit=self._props.throttle_rate,
            tracing_enabled=True,
        )

    def grant_invoke(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let an IAM principal call every route but those of reviewers."""
        return self._grant(grantee, [path for path in self._routes if not path.startswith(REVIEWS)])

    def grant_submit(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let an IAM principal start checks, see how they stand, and search for citations; `v1/checks:now`, which
        answers with text, is a grant of its own (`grant_now`)."""
        starting = ("v1/checks", "v1/checks/{run_id}/rerun", "v1/uploads", "v1/citations")
        return self._grant(grantee, [*starting, OUTCOME])

    def grant_outcomes(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let an IAM principal see how checks stand, and no text."""
        return self._grant(grantee, [OUTCOME])

    def grant_read(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let an IAM principal see how checks stand, and read reports: text of answers and evidence."""
        return self._grant(grantee, [CHECK, REPORT], methods=("GET",))

    def grant_now(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let an IAM principal check in the request, where that is deployed: it submits, and reads what is answered."""
        return self._grant(grantee, [path for path in self._routes if path == NOW])

    def grant_review(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let an IAM principal decide what waits for a person, and read the reports that they decide on."""
        return self._grant(grantee, [path for path in self._routes if path.startswith(REVIEWS) or path == REPORT])

    def grant_delete(self, grantee: iam.IGrantable) -> iam.Grant:
        """Let an IAM principal delete checks."""
        return self._grant(grantee, [CHECK], methods=("DELETE",))

    def _grant(
        self, grantee: iam.IGrantable, paths: list[str], *, methods: Collection[str] = ("GET", "POST", "DELETE")
    ) -> iam.Grant:
        arns = [  # in a policy `*` goes beyond a slash: who may get a check may get its report
            self.api.arn_for_execute_api(method, f"/{path.replace('{run_id}', '*')}")
            for path in paths
            for method in self._routes[path]
            if method in methods
        ]
        return iam.Grant.add_to_principal(grantee=grantee, actions=["execute-api:Invoke"], resource_arns=arns)


def make_log_role(scope: Construct, props: GateProps) -> apigateway.CfnAccount:
    """The one role by which every API of the account and region writes logs; without it no stage can be made.

    It stays when this stack goes: other APIs may write by it.
    """
    role = iam.Role(
        scope,
        "LogRole",
        assumed_by=iam.ServicePrincipal("apigateway.amazonaws.com"),
        permissions_boundary=props.permissions_boundary,
    )
    role.apply_removal_policy(cdk.RemovalPolicy.RETAIN)
    # API Gateway refuses a role that may do less, whichever log groups there are.
    policy = iam.Policy(
        scope, "LogPolicy", roles=[role], statements=[iam.PolicyStatement(actions=LOGGING, resources=["*"])]
    )
    policy.apply_removal_policy(cdk.RemovalPolicy.RETAIN)
    account = apigateway.CfnAccount(scope, "Account", cloud_watch_role_arn=role.role_arn)
    account.apply_removal_policy(cdk.RemovalPolicy.RETAIN)
    account.node.add_dependency(policy)
    return account
