"""How models, guardrails, and whoever is told are named."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

import aws_cdk as cdk

from gate.trail.review_notices import NoticeForm

from .error import PropertyError

if TYPE_CHECKING:
    from .gate_props import GateProps

MODEL = re.compile(r"arn:[\w-]+:bedrock:[\w-]*:\d*:[\w-]+/[\w.:-]+|[\w-]+(\.[\w:-]+)+")
"""An id of a model or of an inference profile, or the ARN of either."""
SECRET = re.compile(r"arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}")
GUARDRAIL = re.compile(r"(arn:[\w-]+:bedrock:[\w-]+:\d{12}:guardrail/)?[\w-]+:(\d+|DRAFT)")


def check_models(props: GateProps) -> None:
    """Refuse what names no model or guardrail."""
    for name in ("model", "embed_model", "image_model"):
        value = getattr(props, name)
        known = MODEL.fullmatch(value) or cdk.Token.is_unresolved(value)
        if not known and (value or name == "model"):
            example = "us.anthropic.claude-haiku-5-5 or the ARN of a profile"
            raise PropertyError(f"{name}: {value!r} is no model id, for example {example}")
    for name in ("guardrail", "grounding_guardrail"):
        value = getattr(props, name)
        if value and not (GUARDRAIL.fullmatch(value) or cdk.Token.is_unresolved(value)):
            raise PropertyError(f"{name}: {value!r} names no version, for example gr-1:3 or an ARN and :3")


def check_told(props: GateProps) -> None:
    """Refuse addresses and secrets by which nobody could be told."""
    for name in ("alarm_email", "budget_email"):
        value = getattr(props, name)
        if value and not cdk.Token.is_unresolved(value) and not re.fullmatch(r"[^@\s]+@[^@\s]+", value):
            raise PropertyError(f"{name}: {value!r} is no address")
    if bool(props.monthly_dollars) != bool(props.budget_email):
        raise PropertyError("monthly_dollars: goes with budget_email, who is told")
    if props.review_webhook and not (
        SECRET.fullmatch(props.review_webhook) or cdk.Token.is_unresolved(props.review_webhook)
    ):
        raise PropertyError("review_webhook: is no whole ARN of a secret, arn:aws:secretsmanager:…:secret:name-AbCdEf")
    if props.review_webhook_format not in get_args(NoticeForm):
        raise PropertyError(f"review_webhook_format: {props.review_webhook_format!r} is none of json, slack")
