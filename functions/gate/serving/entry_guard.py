"""Who may ask: the right host, the same origin, the token where there is one. Pure functions on headers.

A page of somebody else's cannot use the server through a reader's browser: it may not name another host (a name that
was made to point here), no answer allows another origin, a request that changes something is never a plain form's, and
nothing rests on cookies.
"""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

SAFE = frozenset({"GET", "HEAD"})
NEEDS_PREFLIGHT = frozenset({"application/json", "application/octet-stream"})
"""Kinds of body that no form of another page can send without being asked about first."""
LEAST_TOKEN = 16
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class Refused(Exception):
    """Why a request is not let in; says so to whoever asked, and after how many seconds it may be."""

    def __init__(self, status: HTTPStatus, message: str, retry_after: int = 0) -> None:
        super().__init__(message)
        self.status, self.message, self.retry_after = status, message, retry_after


@dataclass(frozen=True, slots=True)
class Entry:
    """Who is let in.

    Attributes:
        hosts: names under which the server is reached; addresses are let through with a token alone.
        token: empty: whoever reaches the port.
    """

    hosts: frozenset[str] = LOOPBACK_NAMES
    token: str = ""

    def check(self, method: str, headers: Mapping[str, str], *, is_public: bool) -> None:
        """Let a request in.

        Args:
            headers: by names in small letters.
            is_public: it is for a part of the page, which holds nothing of anybody's.

        Raises:
            Refused: says why.
        """
        host = headers.get("host", "")
        if not self._knows(host):
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "this server is not reached under that name")
        if method not in SAFE:
            self._check_change(headers, host)
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not is_public:
            raise Refused(HTTPStatus.FORBIDDEN, "another site may not ask for this")
        if self.token and not is_public and not self._has_token(headers):
            raise Refused(HTTPStatus.UNAUTHORIZED, "a token is needed: Authorization: Bearer …")

    def _knows(self, host: str) -> bool:
        name = host_name(host)
        if name in self.hosts:
            return True
        return bool(self.token) and _is_address(name)

    def _check_change(self, headers: Mapping[str, str], host: str) -> None:
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            raise Refused(HTTPStatus.FORBIDDEN, "another site may not change anything here")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind and kind not in NEEDS_PREFLIGHT:
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body is JSON: Content-Type: application/json")
        if not kind and (headers.get("content-length") or "0") != "0":
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body has no Content-Type")

    def _has_token(self, headers: Mapping[str, str]) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self.token.encode())


def host_name(host: str) -> str:
    """The name in a `Host` header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach a server that listens there."""
    if host == "localhost":
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
