"""Notices by HTTP, signed as the specification Standard Webhooks 1.0 has it, so that its libraries verify them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from urllib.parse import urlsplit

import urllib3

from gate import __version__
from gate.adapters.call_deadlines import CallDeadlines
from gate.adapters.model_protocol.http_pools import LOOPBACK, pool_manager
from gate.errors import DependencyError, EventsUnavailableError, SettingsError

SETTING = "GATE_REVIEW_WEBHOOK"
DEADLINE_S = 10.0
"""Of one attempt, from the connection to the status."""
LEAST, MOST = 24, 64
"""Bytes of a key, as the specification asks for."""
AGAIN = (408, 425, 429)
"""Answers below 500 after which it may be sent again."""


class Webhook:
    """One address that takes notices.

    Args:
        url: https, or http on this machine.
        key: what they are signed with; empty: they are not.

    Raises:
        SettingsError: that is no such address.
    """

    def __init__(self, url: str, key: bytes) -> None:
        parts = urlsplit(url)
        try:
            is_url = bool(parts.hostname) and parts.port != 0 and url.isascii() and url.isprintable()
        except ValueError:
            is_url = False
        is_private = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)
        if not is_url or not is_private or parts.username or parts.fragment:
            raise SettingsError(f"{SETTING}: is no address of a webhook", hint="https://…, or http:// on this machine")
        self._url, self._key = url, key
        self._manager = pool_manager(url, connections=1)
        self._deadlines = CallDeadlines("the webhook", DEADLINE_S, least_s=DEADLINE_S, hint=SETTING)

    def send(self, id: str, body: bytes) -> None:
        """Post a notice, once; a redirect is not followed, and what is answered beside the status is not read.

        Args:
            id: of the notice, the same however often it is sent.

        Raises:
            EventsUnavailableError: it was not taken; to be sent again later.
            SettingsError: it never will be.
        """
        now = int(time.time())
        headers = {
            "content-type": "application/json",
            "user-agent": f"llm-reliability-gate/{__version__}",
            "webhook-id": id,
            "webhook-timestamp": str(now),
        }
        if self._key:
            headers["webhook-signature"] = signature(self._key, id, now, body)
        try:
            with self._deadlines.call():
                status = self._posted(body, headers)
        except DependencyError as error:
            raise EventsUnavailableError(error.safe_message, hint=error.hint) from None
        except urllib3.exceptions.SSLError:
            raise SettingsError("the connection to the webhook is not trusted", hint="SSL_CERT_FILE") from None
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise EventsUnavailableError(f"the webhook could not be reached ({type(error).__name__})") from None
        if status >= 500 or status in AGAIN:
            raise EventsUnavailableError(f"the webhook did not take a notice ({status})")
        if not 200 <= status < 300:
            raise SettingsError(f"the webhook refuses notices ({status})", hint=f"{SETTING}: the address itself")

    def _posted(self, body: bytes, headers: dict[str, str]) -> int:
        answer = self._manager.request(
            "POST",
            self._url,
            body=body,
            headers=headers,
            timeout=urllib3.Timeout(total=DEADLINE_S + 5),  # the call's deadline is first
            retries=False,
            redirect=False,
            preload_content=False,
        )
        answer.close()
        return int(answer.status)


def webhook_of(url: str, secret: str, *, is_signed: bool) -> Webhook:
    """The webhook at an address; `is_signed`: what is sent there must be.

    Raises:
        SettingsError: that is no such address, or no such secret.
    """
    if is_signed and not secret:
        hint = "the secret that the receiver verifies it by"
        raise SettingsError(f"{SETTING}_KEY: nobody could tell who posts there without it", hint=hint)
    return Webhook(url, key_of(secret) if secret else b"")


def signature(key: bytes, id: str, at: int, body: bytes) -> str:
    """What `webhook-signature` holds: HMAC-SHA256 over id, time (Unix seconds) and body."""
    signed = hmac.new(key, b".".join((id.encode(), str(at).encode(), body)), hashlib.sha256)
    return f"v1,{base64.b64encode(signed.digest()).decode()}"


def key_of(secret: str) -> bytes:
    """The key that a secret stands for: base64, after `whsec_` or not.

    Raises:
        SettingsError: it is no such secret.
    """
    try:
        key = base64.b64decode(secret.strip().removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not LEAST <= len(key) <= MOST:
        hint = 'echo "whsec_$(openssl rand -base64 32)" makes one'
        raise SettingsError(f"{SETTING}_KEY: is no secret, of {LEAST} to {MOST} bytes in base64", hint=hint)
    return key
