"""A client of bedrock-runtime, and what it is set up with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import boto3
from botocore.config import Config

from gate import __version__
from gate.adapters.aws.bedrock.bedrock_errors import translated
from gate.adapters.aws.bedrock.replies import read_strictly
from gate.adapters.aws.connections import ShortReplies, cuttable
from gate.adapters.model_protocol.strict_bodies import MAX_REPLY_BYTES
from gate.adapters.model_protocol.transport import Transport
from gate.errors import SettingsError

CONNECTIONS = 64
"""Calls in flight from one process at most; the SDK's own limit of 10 would queue the rest unseen."""


@dataclass(frozen=True, slots=True)
class BedrockOptions:
    """How to reach Bedrock and how to ask; the settings of the same names (`GATE_MODEL_…`) say what each means."""

    region: str = ""
    endpoint: str = ""
    answers: Literal["auto", "schema", "tool", "text"] = "auto"
    attempts: int = 1
    timeout_s: float = 60
    hedge: bool = True
    guardrail: str = ""


def runtime_client(options: BedrockOptions) -> Any:
    """Make a client; it may be used from many threads."""
    config = Config(
        connect_timeout=5,
        read_timeout=options.timeout_s + 5,  # the deadline of the whole call comes first
        max_pool_connections=CONNECTIONS,
        retries={"mode": "standard", "total_max_attempts": options.attempts},
        tcp_keepalive=True,
        # Who calls is worth knowing in CloudTrail; the SDK's own name is put together anew for every request.
        user_agent=f"llm-reliability-gate/{__version__}",
        # The service checks what it is sent, and says so with a 400.
        parameter_validation=False,
    )
    with translated("bedrock"):
        client: Any = boto3.client(  # of the one default session: a further session reads the SDK's data again, 40 ms
            "bedrock-runtime",
            region_name=options.region or None,
            endpoint_url=options.endpoint or None,
            config=config,
        )
    read_strictly(client)
    session = client._endpoint.http_session
    cuttable(session)
    hint = "GATE_MODEL_ENDPOINT, GATE_REGION, the network, or GATE_MODEL_TIMEOUT_S"
    url = client.meta.endpoint_url
    replies = ShortReplies(session, "bedrock", MAX_REPLY_BYTES)
    transport = Transport(replies, url, timeout_s=options.timeout_s, hedge=options.hedge, hint=hint)
    client.meta.events.register("before-send.bedrock-runtime", lambda request, **_: transport.send(request))
    return client


def guardrail_parts(value: str, setting: str) -> tuple[str, str]:
    """Split `<id>:<version>`; an ARN has colons of its own, so the last one counts.

    Raises:
        SettingsError: there is no version.
    """
    name, _, version = value.rpartition(":")
    if not name or not (version.isdigit() or version == "DRAFT"):
        raise SettingsError(f"{setting}: {value!r} names no version", hint="<guardrail id>:<version>, e.g. gr1abc:3")
    return name, version
