"""A WSGI request as API Gateway hands it to the function, and the function's answer as WSGI takes it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

from gate.serving.known_callers import Claims, context_of

Environ = Mapping[str, Any]
Answer = tuple[int, list[tuple[str, str]], bytes]
"""Status, headers and body."""

MOST_QUERY = 100
"""Parameters of a query, at most."""


def headers_of(environ: Environ) -> dict[str, str]:
    """The headers of a request, by names in small letters."""
    found = {
        name.removeprefix("HTTP_").replace("_", "-").lower(): str(value)
        for name, value in environ.items()
        if name.startswith("HTTP_")
    }
    for name in ("CONTENT_TYPE", "CONTENT_LENGTH"):
        if environ.get(name):
            found[name.replace("_", "-").lower()] = str(environ[name])
    return found


def query_of(environ: Environ) -> dict[str, list[str]]:
    """The parameters of a request's query, with all the values of each.

    Raises:
        ValueError: there are too many.
    """
    found: dict[str, list[str]] = {}
    text = str(environ.get("QUERY_STRING", ""))
    for name, value in parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_QUERY):
        found.setdefault(name, []).append(value)
    return found


def event_of(
    method: str,
    path: str,
    headers: Mapping[str, str],
    query: Mapping[str, list[str]],
    body: bytes,
    claims: Claims,
) -> dict[str, Any]:
    """A request as an event of API Gateway; `claims`: of who asks."""
    context = {"httpMethod": method, "path": path, "stage": "local", "identity": {}, "requestId": "local"}
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": dict(headers),
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": {name: values[-1] for name, values in query.items()} or None,
        "multiValueQueryStringParameters": dict(query) or None,
        "pathParameters": {"proxy": path.lstrip("/")},
        "stageVariables": None,
        "requestContext": {**context, **context_of(claims)},
        "body": b64encode(body).decode() if body else None,
        "isBase64Encoded": bool(body),
    }


def answer_of(proxied: Mapping[str, Any]) -> Answer:
    """The function's answer: status, headers and body."""
    several = proxied.get("multiValueHeaders") or {}
    headers = [(name, str(value)) for name, values in several.items() for value in values]
    headers += [(name, str(value)) for name, value in (proxied.get("headers") or {}).items() if name not in several]
    return int(proxied["statusCode"]), headers, str(proxied.get("body") or "").encode()


def status_line(status: int) -> str:
    """A status as WSGI takes it."""
    return f"{status} {HTTPStatus(status).phrase}"
