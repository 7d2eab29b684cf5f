"""Clients of services that answer at once: what takes longer has failed, and is asked again a few times."""

from __future__ import annotations

from typing import Any

import boto3
from botocore.config import Config

from gate.adapters.aws.sdk_errors import translated


def client_of(service: str, region: str, *, called: str, tries: int = 4) -> Any:
    """Make a client.

    Args:
        region: empty for the SDK's own choice.
        called: what errors call what it is for.
        tries: of one call, the first among them.

    Raises:
        SettingsError: there is no region, or it is none.
    """
    config = Config(connect_timeout=5, read_timeout=10, retries={"mode": "standard", "total_max_attempts": tries})
    with translated(called):
        return boto3.client(service, region_name=region or None, config=config)  # type: ignore[call-overload]
