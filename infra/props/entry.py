"""What stands between callers and the API."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import aws_cdk as cdk

from .error import PropertyError

if TYPE_CHECKING:
    from .gate_props import GateProps

MANAGED = "managed"
"""A web ACL that is made here, of rules that AWS keeps."""
ORIGIN = re.compile(r"https?://[\w.-]+(:\d{1,5})?")
"""What a browser says of the page that asks: no path, no wildcard."""
DOMAIN_NAME = re.compile(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}")


@dataclass(frozen=True)
class UsagePlan:
    """What the callers who bring one key may ask for.

    Attributes:
        rate, burst: requests a second.
        day: requests a day; 0: no limit.
    """

    rate: int
    burst: int
    day: int = 0


def check_entry(props: GateProps) -> None:
    """Refuse pages, names and firewalls that cannot stand before the API."""
    known = props.web_acl in ("", MANAGED) or props.web_acl.startswith("arn:") or cdk.Token.is_unresolved(props.web_acl)
    if not known:
        raise PropertyError(f"web_acl: {props.web_acl!r} is neither {MANAGED} nor the ARN of a web ACL")
    for origin in props.cors_origins:
        if not ORIGIN.fullmatch(origin):
            raise PropertyError(f"cors_origins: {origin!r} is no origin, for example https://app.example")
    if props.cors_origins and props.user_pool is None:
        raise PropertyError("cors_origins: needs user_pool, since a browser signs no requests with IAM")
    if bool(props.domain_name) != bool(props.certificate):
        raise PropertyError("domain_name: goes with certificate, the ARN of its certificate in this region")
    if props.domain_name and not DOMAIN_NAME.fullmatch(props.domain_name):
        raise PropertyError(f"domain_name: {props.domain_name!r} is no name, for example gate.example.com")
    if props.hosted_zone and not props.domain_name:
        raise PropertyError("hosted_zone: needs domain_name")


def check_callers(props: GateProps) -> None:
    """Refuse plans of no requests, and tenants that nothing would name."""
    for name, plan in props.usage_plans.items():
        if not re.fullmatch(r"[A-Za-z0-9]{1,40}", name):
            raise PropertyError(f"usage_plans: {name!r} is no name: letters and digits")
        if plan.rate < 1 or plan.burst < 1 or plan.day < 0:
            raise PropertyError(f"usage_plans.{name}: rate and burst are 1 at least, day is 0 or more")
    if props.tenant_claim and props.user_pool is None:
        raise PropertyError("tenant_claim: needs user_pool, since IAM callers carry no claims")
    if props.tenant_claim and props.tenant_field:
        raise PropertyError("tenant_field: callers' tokens name the tenant already (tenant_claim)")
