"""A service that speaks OpenAI's protocol over HTTP: where it is, who asks, and what its failures mean."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep
from typing import Any, Literal, NoReturn
from urllib.parse import SplitResult, urlsplit, urlunsplit

import urllib3

from gate import __version__
from gate.adapters.model_protocol.http_pools import LOOPBACK, pool_manager
from gate.adapters.model_protocol.strict_bodies import MAX_REPLY_BYTES, UNKNOWN_USAGE, KeyTwice, json_object
from gate.adapters.model_protocol.transport import TRIES, Transport
from gate.errors import (
    AnswerError,
    AnswerRefusedError,
    DependencyError,
    GateError,
    ModelThrottledError,
    ModelUnavailableError,
    RequestRefusedError,
    SettingsError,
)

CONNECTIONS = 64
"""Kept open to the service; more are made where more calls are under way."""
CONNECT_S = 5
MAX_KEY_BYTES = 10_000
LONGEST_PAUSE_S = 20.0
"""Between two attempts; a service that asks for more (`Retry-After`) is not waited for longer."""
AZURE = (".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com")
"""Hosts that take the key of a resource in a header of its own."""
EXAMPLE = "the base URL, such as http://localhost:11434/v1"

_NO_ENTRY = {
    401: "the key is not accepted: GATE_MODEL_KEY, or GATE_MODEL_KEY_FILE",
    402: "the account has no credit",
    403: "the key may not use this model, or this network may not reach it",
    404: "is the endpoint the base URL (…/v1), and is the model there (`ollama pull`, or the name of a deployment)?",
}
_TOO_LONG = frozenset({"context_length_exceeded", "string_above_max_length"})


@dataclass(frozen=True, slots=True)
class ServiceOptions:
    """How to reach a service and how to ask; the settings of the same names (`GATE_MODEL_…`) say what each means."""

    endpoint: str
    key: str = field(default="", repr=False)
    answers: Literal["auto", "schema", "tool", "text"] = "auto"
    attempts: int = 1
    timeout_s: float = 60
    hedge: bool = True
    setting: str = "GATE_MODEL_ENDPOINT"
    """That `endpoint` comes from, in messages."""


@dataclass(frozen=True, slots=True)
class ServiceReply:
    """What a service answered: a JSON object, and how many tries it took."""

    document: dict[str, Any]
    tries: int


@dataclass(slots=True)
class _Response:
    status_code: int
    headers: dict[str, str]
    content: bytes


@dataclass(frozen=True, slots=True)
class _Request:
    url: str
    body: bytes


class Service:
    """One service, for one model; safe for threads.

    Args:
        name: of the model, in messages (`openai:…`).

    Raises:
        SettingsError: the endpoint is no address, or a key would travel in clear text.
    """

    def __init__(self, name: str, options: ServiceOptions) -> None:
        self.name = name
        self._base = _address(options)
        self._headers = {
            "content-type": "application/json",
            "accept": "application/json",
            "user-agent": f"llm-reliability-gate/{__version__}",
            **_credentials(options.key, self._base.hostname or ""),
        }
        self._attempts = options.attempts
        self._timeout = urllib3.Timeout(connect=CONNECT_S, read=options.timeout_s + 5)  # the call's deadline is first
        self._manager = pool_manager(urlunsplit(self._base), CONNECTIONS)
        where = urlunsplit((self._base.scheme, self._base.netloc, "", "", ""))
        hint = f"{options.setting}, the network, or GATE_MODEL_TIMEOUT_S"
        self._transport = Transport(self, where, timeout_s=options.timeout_s, hedge=options.hedge, hint=hint)

    def post(self, path: str, body: Mapping[str, Any]) -> ServiceReply:
        """Send JSON and read the JSON that is answered; what is worth another attempt gets as many as are set.

        Raises:
            ModelThrottledError, ModelUnavailableError, TooSlowError, UnreachableError: try again later.
            SettingsError: the key, the model or the request is refused.
            AnswerRefusedError: the request is too long, or was filtered.
            AnswerError: the reply names a key twice.
        """
        parts = self._base
        url = urlunsplit((parts.scheme, parts.netloc, f"{parts.path.rstrip('/')}/{path}", parts.query, ""))
        request = _Request(url, json.dumps(body).encode())
        for attempt in range(1, self._attempts + 1):
            response = self._sent(request)
            if response.status_code == 200:
                break
            error = self._failure(response)
            if attempt == self._attempts or not isinstance(error, DependencyError):
                raise error
            sleep(_pause_s(attempt, response.headers.get("retry-after", "")))
        return ServiceReply(self._read(response.content), int(response.headers.get(TRIES, 1)))

    def send(self, request: _Request) -> _Response:
        """Send a request once, for `Transport`; a redirect is not followed, because a key would follow it."""
        answer = self._manager.request(
            "POST",
            request.url,
            body=request.body,
            headers=self._headers,
            timeout=self._timeout,
            retries=False,
            redirect=False,
            preload_content=False,
        )
        try:
            content = answer.read(MAX_REPLY_BYTES + 1)
            if len(content) > MAX_REPLY_BYTES:
                answer.close()
        finally:
            answer.release_conn()
        pause = answer.headers.get("retry-after")
        return _Response(answer.status, {"retry-after": pause} if pause else {}, content)

    def _sent(self, request: _Request) -> _Response:
        try:
            response: _Response = self._transport.send(request)
        except urllib3.exceptions.SSLError:
            raise SettingsError(f"the connection to {self.name} is not trusted", hint="SSL_CERT_FILE") from None
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise ModelUnavailableError(f"{self.name} could not be reached ({type(error).__name__})") from None
        return response

    def _read(self, content: bytes) -> dict[str, Any]:
        if len(content) > MAX_REPLY_BYTES:
            raise ModelUnavailableError(f"{self.name} answered with more than {MAX_REPLY_BYTES:,} bytes")
        try:
            return json_object(content)
        except KeyTwice:
            raise AnswerError("an object names the same key twice", model=self.name, usage=UNKNOWN_USAGE) from None
        except (ValueError, RecursionError):
            raise ModelUnavailableError(f"{self.name} answered with something that is no JSON object") from None

    def _failure(self, response: _Response) -> GateError:
        """What a status and the error's code mean; its message is not read, and is not repeated."""
        status, code = response.status_code, _code(response.content)
        said = f"{status}, {code}" if code else str(status)
        if code in _TOO_LONG or status == 413:
            return AnswerRefusedError("claim and evidence are too long for the model", model=self.name)
        if code == "content_filter":
            return AnswerRefusedError("the question was filtered", model=self.name)
        if code == "insufficient_quota":
            return SettingsError(f"{self.name} may not be used ({said})", hint=_NO_ENTRY[402])
        if status == 429:
            return ModelThrottledError(f"{self.name} is throttled ({said})")
        if status in _NO_ENTRY:
            return SettingsError(f"{self.name} may not be used ({said})", hint=_NO_ENTRY[status])
        if 300 <= status < 400:
            return SettingsError(f"{self.name} is elsewhere ({said})", hint="GATE_MODEL_ENDPOINT: the address itself")
        if status in (400, 422):
            hint = "GATE_MODEL names no such model, or GATE_MODEL_ANSWERS asks for what it cannot do"
            return RequestRefusedError(f"{self.name} refused the request ({said})", hint=hint)
        return ModelUnavailableError(f"{self.name} failed ({said})")


def key_in(file: Path | None, setting: str = "GATE_MODEL_KEY_FILE") -> str:
    """The key that a file holds, blanks around it aside; empty: there is no file.

    Raises:
        SettingsError: it cannot be read, or holds no key.
    """
    if file is None:
        return ""
    try:
        with file.expanduser().open("rb") as opened:
            key = opened.read(MAX_KEY_BYTES + 1).decode("ascii").strip()
    except OSError as error:
        raise SettingsError(f"{setting}: {error.strerror}") from None
    except UnicodeDecodeError:
        key = ""
    if not key:
        _no_key(setting)
    return key


def _no_key(setting: str) -> NoReturn:
    raise SettingsError(f"{setting}: holds no key", hint="one line of letters, digits and signs")


def _address(options: ServiceOptions) -> SplitResult:
    parts = urlsplit(options.endpoint)
    try:
        is_url = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_url = False
    if not is_url or parts.username or parts.fragment:
        told = "is not set" if not options.endpoint else "is no address of a service"
        raise SettingsError(f"{options.setting}: {told}", hint=EXAMPLE)
    if options.key and parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise SettingsError(f"{options.setting}: a key would travel unencrypted", hint="https://, or no key")
    return parts


def _credentials(key: str, host: str) -> dict[str, str]:
    if not key:
        return {}
    if not (key.isascii() and key.isprintable() and len(key) <= MAX_KEY_BYTES):  # it goes into a header
        _no_key("GATE_MODEL_KEY")
    return {"api-key": key} if host.endswith(AZURE) else {"authorization": f"Bearer {key}"}


def _code(content: bytes) -> str:
    """The code of an error, where it is a word: `context_length_exceeded`."""
    try:
        error = json_object(content)["error"]
        code = error["code"] or error["type"]
    except (ValueError, RecursionError, KeyTwice, KeyError, TypeError):
        return ""
    return code if isinstance(code, str) and len(code) <= 60 and code.isascii() and code.isidentifier() else ""


def _pause_s(attempt: int, asked: str) -> float:
    """Seconds to the next attempt: what the service asks for, else twice as long each time, by chance."""
    wanted = float(asked) if asked.isascii() and asked.isdigit() and len(asked) <= 6 else 2 ** (attempt - 1)
    return min(LONGEST_PAUSE_S, wanted) * (1 if asked else random.random())
