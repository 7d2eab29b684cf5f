"""Between what numbers may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aws_cdk as cdk

from gate.catalogue import MAX_CONCURRENCY

from .error import PropertyError

if TYPE_CHECKING:
    from .gate_props import GateProps

LIMITS = (
    ("max_concurrency", 1, MAX_CONCURRENCY),
    ("budget_tokens", 0, 10**9),
    ("budget_tenant_day", 0, 10**12),
    ("budget_day", 0, 10**12),
    ("model_requests", 0, 10**7),
    ("model_tokens", 0, 10**10),
    ("monthly_dollars", 0, 10**7),
    ("batch_concurrency", 1, 1_000),
    ("ingest_concurrency", 2, 1_000),
    ("reconcile_minutes", 2, 1_440),
    ("runs_expire_days", 15, 3_650),
    ("reports_expire_days", 0, 3_650),
    ("ledger_days", 0, 36_500),
    ("drift_percent", 0, 100),
    ("now_concurrency", 0, 1_000),
    ("web_acl_rate", 10, 2_000_000_000),
    ("canary_percent", 0, 99),
    ("canary_minutes", 1, 1_440),
    ("throttle_rate", 1, 10_000),
    ("throttle_burst", 1, 5_000),
)
"""Property, least and most."""


def check_limits(props: GateProps) -> None:
    """Refuse a number outside of its limits."""
    for name, least, most in LIMITS:
        value = getattr(props, name)
        if value is not None and not cdk.Token.is_unresolved(value) and not least <= value <= most:
            raise PropertyError(f"{name}: {value} is not within {least} and {most}")
