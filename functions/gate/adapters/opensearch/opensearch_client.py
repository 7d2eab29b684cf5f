"""The connection: who we are to OpenSearch, how long we wait, and what its errors mean to us."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from gate.errors import DependencyError, InternalError, SearchUnavailableError, SettingsError, TooSlowError

TIMEOUT_S = 10
"""Of one try, whatever its connection does."""
WAKING_S = 40
"""A sleeping Serverless collection answers its first request after 10 to 30 s."""
BULK_S = 60
"""Of one try to write a batch: beside other work a node took more than 10 s for 500 vectors (2026-11-26)."""
RETRIES = 2
CONNECTIONS = 32
_KIND = re.compile("[A-Za-z_]{1,60}")
"""The engine's name for an error; anything else may quote the query."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where OpenSearch is, and who we are to it.

    Attributes:
        url: one URL, or several nodes of one cluster with commas between.
        service: AWS service that requests are signed for: `es` (domain), `aoss` (Serverless), empty for none.
        region: of the signature; empty: the SDK's own.
        user, password: for basic authentication, instead of a signature.
    """

    url: str
    service: str = ""
    region: str = ""
    user: str = ""
    password: str = ""


def connect(endpoint: Endpoint) -> Any:
    """Return a client.

    Raises:
        SettingsError: the request cannot be signed: no region, or no credentials.
    """
    from opensearchpy import OpenSearch

    from gate.adapters.opensearch.connection import WatchedHttpConnection

    serverless = endpoint.service == "aoss"
    return OpenSearch(
        hosts=[url.strip() for url in endpoint.url.split(",")],
        http_auth=_auth(endpoint),
        connection_class=WatchedHttpConnection,
        http_compress=True,
        timeout=WAKING_S if serverless else TIMEOUT_S,
        max_retries=RETRIES,
        retry_on_timeout=True,
        retry_on_status=(429, 502, 503, 504),
        pool_maxsize=CONNECTIONS,
    )


def _auth(endpoint: Endpoint) -> Any:
    if endpoint.service not in ("", "es", "aoss"):
        raise SettingsError(f"GATE_SEARCH_SERVICE: {endpoint.service!r} is not known", hint="es, aoss, or empty")
    if endpoint.user:
        return endpoint.user, endpoint.password
    if not endpoint.service:
        return None
    import boto3
    from opensearchpy import Urllib3AWSV4SignerAuth

    session = boto3.Session(region_name=endpoint.region or None)
    credentials = session.get_credentials()
    if credentials is None:
        raise SettingsError("no AWS credentials to sign search requests with", hint="aws configure, or a role")
    if not session.region_name:
        raise SettingsError("GATE_REGION is needed to sign search requests", hint="for example eu-central-1")
    return Urllib3AWSV4SignerAuth(credentials, session.region_name, endpoint.service)


@contextmanager
def translated(index: str) -> Iterator[None]:
    """Turn whatever the client raises into an error of ours."""
    from botocore.exceptions import BotoCoreError
    from opensearchpy.exceptions import ImproperlyConfigured, OpenSearchException, TransportError
    from urllib3.exceptions import HTTPError

    try:
        yield
    except TransportError as error:
        raise meaning(error.status_code, str(error.error), index) from error
    except ImproperlyConfigured as error:
        raise SettingsError("the search client is set up wrongly", hint="GATE_SEARCH, GATE_SEARCH_SERVICE") from error
    except BotoCoreError as error:
        raise SettingsError(f"search requests cannot be signed ({type(error).__name__})") from error
    except (OpenSearchException, HTTPError) as error:
        raise SearchUnavailableError(f"the search engine gave no usable answer ({type(error).__name__})") from error


@contextmanager
def readable() -> Iterator[None]:
    """What an answer of the engine is read in: one of another form is no usable answer.

    Raises:
        SearchUnavailableError: the answer has another form.
    """
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        kind = type(error).__name__
        raise SearchUnavailableError(f"the search engine gave no usable answer ({kind})") from error


def meaning(status: Any, kind: str, index: str) -> DependencyError | SettingsError | InternalError:
    """Return our error for an HTTP status (`N/A`, `TIMEOUT`: no answer) and the engine's name for what went wrong."""
    if status == 404:
        return SettingsError(
            f"there is no index {index!r}", hint=f"gate index init, or gate index add --corpus {index}"
        )
    if status in (401, 403):
        return SettingsError(
            f"the search engine refuses us (HTTP {status})", hint="role, data access policy, user and password"
        )
    if isinstance(status, int) and 400 <= status < 500 and status not in (408, 409, 413, 429):
        why = f"HTTP {status}, {kind}" if _KIND.fullmatch(kind) else f"HTTP {status}"
        return InternalError(f"the search engine does not understand us ({why})")
    if status == "TIMEOUT":
        tries = RETRIES + 1
        return TooSlowError(f"the search engine gave no answer in its time, {tries} times", hint="GATE_SEARCH")
    said = f"HTTP {status}" if isinstance(status, int) else "no connection"
    return SearchUnavailableError(f"the search engine is not available ({said})")
