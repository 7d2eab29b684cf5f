"""Events on an EventBridge bus: that something is done, for whoever subscribes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import boto3
from botocore.config import Config

from gate.adapters.aws.sdk_errors import translated
from gate.catalogue import EVENT_SOURCE
from gate.errors import DependencyError, EventsUnavailableError, SettingsError


class EventBus:
    """One bus.

    Args:
        bus: its name, or its ARN where it belongs to another account.
    """

    def __init__(self, bus: str, *, region: str = "") -> None:
        self._bus = bus
        # Short, so that every attempt fits into the time that a publishing function has.
        config = Config(connect_timeout=2, read_timeout=5, retries={"mode": "standard", "total_max_attempts": 3})
        with translated("EventBridge"):
            self._client: Any = boto3.client("events", region_name=region or None, config=config)

    def send(self, kind: str, detail: Mapping[str, Any]) -> None:
        """Send one event.

        Raises:
            EventsUnavailableError: the bus did not take it, for whatever reason; a run has its report all the same.
        """
        entry = {"EventBusName": self._bus, "Source": EVENT_SOURCE, "DetailType": kind, "Detail": json.dumps(detail)}
        try:
            with translated("the event bus"):
                answer = self._client.put_events(Entries=[entry])
        except (DependencyError, SettingsError) as error:
            raise EventsUnavailableError(error.safe_message, hint=error.hint) from None
        if answer["FailedEntryCount"]:
            code = answer["Entries"][0].get("ErrorCode", "unknown")
            raise EventsUnavailableError(f"the event bus did not take an event ({code})")
