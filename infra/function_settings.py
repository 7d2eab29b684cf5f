"""What the functions are told: what the deployment itself says, and the settings that a team adds to it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from gate.catalogue import BY_NAME, NAMESPACE, ROLES
from gate.errors import SettingsError
from gate.settings import PREFIX, Settings
from gate.text.nearest import nearest

from .bytecode import RUNTIME
from .props import ExistingSearch, GateProps, KnowledgeBaseSearch, PropertyError
from .search import Reach
from .storage import BY_FORM, CORPUS, POLICY_KEY, Storage

FILES = ("calibration", "signals")
"""Settings that name a file: it lies on the machine that deploys, and travels in a layer."""
IN_LAYER = "gate"
"""Folder of the layer that holds such files; Lambda lays it out under /opt."""
ELSEWHERE = frozenset(
    {
        "administer_role",
        "cascade_high",
        "cascade_low",
        "embedder_endpoint",
        "embedder_key",
        "embedder_key_file",
        "model_key",
        "model_key_file",
        "models",
        "review_webhook_key",
    }
)
"""Settings of what is never deployed: models outside of Bedrock, `gate serve`, a file with a webhook's key."""
SAID_HERE = frozenset(
    {
        "audit",
        "batch_machine",
        "blobs",
        "budget_day",
        "budget_stop",
        "budget_table",
        "budget_tenant_day",
        "budget_tokens",
        "cors_origins",
        "documents",
        "documents_queue",
        "documents_table",
        "embedder",
        "event_bus",
        "grounding_guardrail",
        "guardrail",
        "home",
        "images",
        "index",
        "indexes",
        "keep_runs",
        "ledger",
        "ledger_key",
        "machine",
        "metrics",
        "model",
        "model_requests",
        "model_tokens",
        "policy",
        "redactor",
        "region",
        "review_page",
        "review_webhook",
        "review_webhook_format",
        "reviews_table",
        "search",
        "search_fields",
        "search_password",
        "search_secret",
        "search_service",
        "search_user",
        "store_page",
        "tenant_claim",
        "tenant_field",
        "upload_key",
        "upload_to",
    }
) | ({*ROLES.values()} - ELSEWHERE)
"""Settings that follow from what is deployed, or that a property says."""
ADDED = tuple(sorted(frozenset().union(*(agent.all_settings for agent in BY_NAME.values())) - SAID_HERE - ELSEWHERE))
"""Settings that a team may add: what a deployed function reads, and nothing here says."""


def told(
    scope: Construct, props: GateProps, *, storage: Storage, search: Reach, event_bus: events.IEventBus
) -> dict[str, str]:
    """What the functions are told, by field of `gate.settings`, where it is not the default."""
    said = {
        **added(props.settings),
        "home": "/tmp/gate",  # noqa: S108 - the one place where a function may write
        "blobs": f"s3://{storage.blobs.bucket_name}",
        "budget_day": _number(props.budget_day),
        "budget_tenant_day": _number(props.budget_tenant_day),
        "budget_stop": "" if props.budget_stop else "false",
        "budget_table": storage.budgets.table_name if storage.budgets else "",
        "budget_tokens": _number(props.budget_tokens),
        "cors_origins": ",".join(props.cors_origins),
        "documents": f"s3://{storage.uploads.bucket_name}/{CORPUS}",
        "documents_table": storage.documents.table_name,
        "embedder": f"bedrock:{props.embedding}" if props.embedding else "none",
        "event_bus": event_bus.event_bus_arn,
        "grounding_guardrail": props.grounding_guardrail,
        "guardrail": props.guardrail,
        "images": f"bedrock:{props.image_model}" if props.image_model else "none",
        "index": props.corpus,
        "indexes": ",".join(props.indexes),
        "metrics": "" if (own := namespace_of(cdk.Stack.of(scope))) == NAMESPACE else own,
        "ledger": f"s3://{storage.ledger.bucket_name}" if storage.ledger else "",
        "ledger_key": storage.ledger_key.key_arn if storage.ledger_key else "",
        "model": f"bedrock:{props.model}",
        "model_requests": _number(props.model_requests),
        "model_tokens": _number(props.model_tokens),
        "policy": f"s3://{storage.uploads.bucket_name}/{POLICY_KEY}",
        "redactor": props.redactor,
        "review_webhook": props.review_webhook,
        "review_webhook_format": props.review_webhook_format if props.review_webhook_format != "json" else "",
        "reviews_table": storage.reviews.table_name,
        "search": search.endpoint,
        "search_fields": props.search.fields if isinstance(props.search, ExistingSearch | KnowledgeBaseSearch) else "",
        "search_secret": search.secret_arn,
        "search_service": search.service,
        "tenant_claim": props.tenant_claim,
        "tenant_field": "true" if props.tenant_field else "",
        "store_page": "true",
        "upload_key": storage.key.key_arn,
        "upload_to": f"s3://{storage.uploads.bucket_name}/{BY_FORM}",
    }
    asked = SAID_HERE & {*ROLES.values()}
    roles = {name: getattr(props, name) for name in asked if getattr(props, name) != getattr(GateProps, name)}
    return {name: value for name, value in said.items() if value} | roles  # of a role empty is: nobody


def namespace_of(stack: cdk.Stack) -> str:
    """Namespace of the metrics of a stack's gate: two gates of one account and region do not count together."""
    return NAMESPACE if stack.stack_name == NAMESPACE else f"{NAMESPACE}/{stack.stack_name}"


def _number(value: int | None) -> str:
    return cdk.Tokenization.stringify_number(value) if value else ""


def added(settings: Mapping[str, str]) -> dict[str, str]:
    """The settings that a team adds, as the functions read them.

    Raises:
        PropertyError: one that there is not, that another property says, or whose value does not fit.
    """
    for name in settings:
        if name not in ADDED:
            raise PropertyError(f"settings: {_why_not(name)}")
    try:
        Settings.from_env({f"{PREFIX}{name.upper()}": value for name, value in settings.items()})
    except SettingsError as error:
        raise PropertyError(f"settings: {error}") from None
    for name in FILES:
        if name in settings and not Path(settings[name]).is_file():
            raise PropertyError(f"settings: {name}: there is no file {settings[name]} on this machine")
    laid_out = {name: f"/opt/{IN_LAYER}/{_kept_as(name, settings[name])}" for name in FILES if name in settings}
    return {**settings, **laid_out}


def _why_not(name: str) -> str:
    if name in SAID_HERE:
        return f"{name} follows from what is deployed, or is a property of its own"
    if name in Settings.model_fields:
        return f"{name}: no deployed function reads it"
    return f"there is no setting {name}; {nearest(name, ADDED)}"


def _kept_as(name: str, value: str) -> str:
    return f"{name}{Path(value).suffix}"


def layer_of_files(scope: Construct, settings: Mapping[str, str]) -> lambda_.LayerVersion | None:
    """The files that settings name, in a layer; None where they name none."""
    files = {name: Path(settings[name]) for name in FILES if name in settings}
    if not files:
        return None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / IN_LAYER).mkdir()
        for name, path in files.items():
            shutil.copy(path, Path(folder) / IN_LAYER / _kept_as(name, str(path)))
        # The asset is staged when it is bound to the layer, before the folder goes.
        return lambda_.LayerVersion(
            scope,
            "Files",
            code=lambda_.Code.from_asset(folder),
            compatible_runtimes=[RUNTIME],
            description="LLM Reliability Gate: files that settings name",
        )
