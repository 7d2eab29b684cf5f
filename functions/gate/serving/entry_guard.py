"""Who may ask: the right host, the same origin, the token where there is one. Pure functions on headers.

A page of somebody else's cannot use the server through a reader's browser: it may not name another host (a name that
was made to point here), no answer allows another origin, a request that changes something is never a plain form's, and
nothing rests on cookies.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from gate.serving.known_callers import Claims, claims_of

SAFE = frozenset({"GET", "HEAD"})
NEEDS_PREFLIGHT = frozenset({"application/json", "application/octet-stream"})
"""Kinds of body that no form of another page can send without being asked about first."""
LEAST_TOKEN = 16
_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]+))(?::[0-9]{0,5})?", re.ASCII)
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
        token: of everybody; empty: whoever reaches the port, or who has a token of their own.
        callers: the claims of those who have one, by its hash; empty: nobody has.
    """

    hosts: frozenset[str] = LOOPBACK_NAMES
    token: str = ""
    callers: Mapping[str, Claims] = field(default_factory=dict)

    def check(
        self, method: str, headers: Mapping[str, str], *, is_public: bool, opened: Claims | None = None
    ) -> Claims:
        """Let a request in.

        Args:
            headers: by names in small letters.
            is_public: it is for a part of the page, which holds nothing of anybody's.
            opened: claims of who was let in before, and brings a ticket of theirs in place of the token.

        Returns:
            the claims of who asks; empty: nobody knows.

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
        claims = {} if is_public or not self.takes_token else self._claims(headers) if opened is None else opened
        if claims is None:
            raise Refused(HTTPStatus.UNAUTHORIZED, "a token is needed: Authorization: Bearer …")
        return claims

    @property
    def takes_token(self) -> bool:
        """Whether nobody is let in without one."""
        return bool(self.token or self.callers)

    def _knows(self, host: str) -> bool:
        name = host_name(host)
        if name in self.hosts:
            return True
        return self.takes_token and _is_address(name)

    def _check_change(self, headers: Mapping[str, str], host: str) -> None:
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise Refused(HTTPStatus.FORBIDDEN, "another site may not change anything here")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind and kind not in NEEDS_PREFLIGHT:
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body is JSON: Content-Type: application/json")
        if not kind and (headers.get("content-length") or "0") != "0":
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "the body has no Content-Type")

    def _claims(self, headers: Mapping[str, str]) -> Claims | None:
        """Of who has the token that a request brings; None: it brings none that is known."""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        if self.callers:
            return claims_of(given.strip(), self.callers)
        return {} if hmac.compare_digest(given.strip().encode(), self.token.encode()) else None


def host_name(host: str) -> str:
    """The name in a `Host` header, without its port; empty: it holds more than that, or nothing."""
    found = _HOST.fullmatch(host)
    return (found["address"] or found["name"]).lower() if found else ""


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
