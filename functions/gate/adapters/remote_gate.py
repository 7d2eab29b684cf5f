"""A deployed gate, through its REST API: requests are signed for IAM, or carry a bearer token."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import botocore.session
import urllib3
from botocore import exceptions as sdk
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.httpsession import URLLib3Session
from botocore.utils import get_environ_proxies

from gate import __version__
from gate.adapters.aws.connections import cuttable
from gate.adapters.aws.sdk_errors import code_of, translated
from gate.adapters.call_deadlines import CallDeadlines
from gate.errors import ConflictError, DependencyError, ExpiredError, GateError, InputError, SettingsError, TooSlowError

WAIT_S = 25
"""Seconds that the API waits for an outcome at most."""
TIMEOUTS_S: Any = (5, WAIT_S + 10)
"""Seconds to connect, and to wait for an answer."""
ANSWER_S = 120.0
"""Seconds that one answer may take as a whole, however its bytes come."""
TRIES = 5
RETRIED = frozenset({429, 500, 502, 503, 504})
ANSWERED = (HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.ACCEPTED, HTTPStatus.NO_CONTENT, HTTPStatus.SEE_OTHER)
JSON = "application/json"
REGION = re.compile(r"\bexecute-api(?:-fips)?\.([a-z]{2}[a-z0-9-]+)\.")
STACK = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,127}")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
RUN_ID = re.compile(r"[A-Za-z0-9_-]{1,120}")
"""What the ids of runs are, those of a batch's lines too: they become parts of addresses and of commands to copy."""
MAX_ANSWER_BYTES = 100_000_000


@dataclass(frozen=True, slots=True)
class _Answered:
    status_code: int
    headers: Mapping[str, str]
    content: bytes


class RemoteGate:
    """One deployment.

    Args:
        where: the URL of its API, or the name of its stack, which publishes the URL as an SSM parameter.
        region: of the stack; empty: that of the URL, or the SDK's own.
        token: sent as a bearer token; empty: requests are signed with the AWS credentials at hand.
        api_key: of a usage plan; empty: none is sent.
        seconds: from now on, for everything that is asked of it.

    Raises:
        InputError: `where` is neither.
        SettingsError: no stack of that name publishes a URL, or there are no credentials.
    """

    def __init__(
        self, where: str, *, region: str = "", token: str = "", api_key: str = "", seconds: float = 900
    ) -> None:
        self._until = time.monotonic() + seconds
        self._session = botocore.session.get_session()
        self._region, self._token, self._key = region, token, api_key
        self.url = (where if "://" in where else self.published(where, "ApiUrl")).rstrip("/")
        if not _is_private(self.url):
            raise InputError(f"{where}: neither the https:// URL of a gate nor the name of its stack")
        verify = self._session.get_config_variable("ca_bundle") or True
        self._http = URLLib3Session(verify=verify, proxies=get_environ_proxies(self.url), timeout=TIMEOUTS_S)
        cuttable(self._http)

    def check(self, request: Mapping[str, Any], *, key: str) -> dict[str, Any]:
        """Start a check; the same `key` starts one run however often it is sent. Returns how the check stands."""
        return self._answer("POST", "/v1/checks", json.dumps(request).encode(), key)

    def upload(self, request: Mapping[str, Any], document: bytes, *, key: str) -> dict[str, Any]:
        """Upload a transcript that is too long for a request; says where its run tells how it stands (`id`).

        Args:
            request: what `POST /v1/uploads` takes.
        Raises:
            InputError: the gate takes none, or no such one.
        """
        answer = self._send("POST", f"{self.url}/v1/uploads", json.dumps(request).encode(), key)
        form = _object(answer.content)
        fields, url, id = form.get("fields"), form.get("url"), form.get("id")
        if not isinstance(fields, dict) or not isinstance(id, str) or not RUN_ID.fullmatch(id):
            raise self._no_gate()
        if not isinstance(url, str) or not _is_private(url):
            raise self._no_gate()
        parts = [*fields.items(), ("file", ("file", document))]
        body, kind = urllib3.encode_multipart_formdata(parts)
        self._send("POST", url, body, signed=False, kind=kind)
        return form

    def check_now(self, request: Mapping[str, Any], *, key: str) -> bytes:
        """Check, and have the report as JSON; the same `key` is checked once."""
        return self._linked(self._send("POST", f"{self.url}/v1/checks:now", json.dumps(request).encode(), key))

    def rerun(self, run_id: str, *, key: str) -> dict[str, Any]:
        """Start a check again, under a new id; the same `key` starts one run."""
        return self._answer("POST", f"/v1/checks/{run_id}/rerun", b"{}", key)

    def status(self, run_id: str, *, wait: int) -> dict[str, Any]:
        """How a check stands, after `wait` seconds at most."""
        return self._answer("GET", f"/v1/checks/{run_id}?wait={wait}")

    def report(self, run_id: str) -> bytes:
        """The report of a check, as JSON."""
        return self._linked(self._send("GET", f"{self.url}/v1/checks/{run_id}/report"))

    def _linked(self, answer: Any) -> bytes:
        """A report that is answered, or that a link leads to."""
        if answer.status_code == HTTPStatus.SEE_OTHER:  # too large for the API: a link that needs no signature
            link = answer.headers.get("Location")
            if not link or not _is_private(str(link)):
                raise self._no_gate()
            answer = self._send("GET", str(link), signed=False)
        return bytes(answer.content)

    def cite(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Passages for a segment, as the API answers them."""
        found = _object(self._send("POST", f"{self.url}/v1/citations", json.dumps(request).encode()).content)
        if not isinstance(found.get("citations"), list):
            raise self._no_gate()
        return list(found["citations"])

    def forget(self, run_id: str) -> None:
        """Remove what a run has stored, its report too."""
        self._send("DELETE", f"{self.url}/v1/checks/{run_id}")

    def _answer(self, method: str, path: str, body: bytes = b"", key: str = "") -> dict[str, Any]:
        answer = _object(self._send(method, self.url + path, body, key).content)
        known = isinstance(answer.get("id"), str) and RUN_ID.fullmatch(answer["id"])
        if not known or not isinstance(answer.get("status"), str):
            raise self._no_gate()
        return answer

    def _send(
        self, method: str, url: str, body: bytes = b"", key: str = "", *, signed: bool = True, kind: str = JSON
    ) -> _Answered:
        """Send a request until it is answered; whatever is worth another try is tried again, later and later.

        Raises:
            InputError, SettingsError: the gate refuses the request, or who sends it.
            DependencyError: it cannot be reached, or fails.
        """
        for tried in range(1, TRIES + 1):
            request, allowed_s = self._request(method, url, body, key, signed, kind), self._allowed_s()
            try:
                with CallDeadlines(self.url, allowed_s, least_s=allowed_s, hint="--timeout").call():
                    answer = self._received(request)
            except TooSlowError as slow:
                problem: GateError = slow
                pause = 0.0
            except sdk.SSLError:
                raise SettingsError(f"{self.url}: the connection is not trusted", hint="AWS_CA_BUNDLE") from None
            except (sdk.HTTPClientError, sdk.ConnectionError, urllib3.exceptions.HTTPError, OSError) as error:
                problem = DependencyError(f"{self.url} could not be reached ({type(error).__name__})")
                pause = 0.0
            else:
                if answer.status_code in ANSWERED:
                    return answer
                problem = self._refusal(answer.status_code, _object(answer.content))
                if answer.status_code not in RETRIED or isinstance(problem, SettingsError):
                    raise problem
                pause = _seconds(answer.headers.get("Retry-After"))
            pause = pause or random.uniform(0.5, 1) * 2 ** (tried - 1)
            if tried == TRIES or time.monotonic() + pause >= self._until:
                break
            time.sleep(pause)
        raise problem

    def _received(self, request: Any) -> _Answered:
        """Send a request once, and read what is answered as far as it is taken.

        Raises:
            DependencyError: it is larger than anything that a gate answers.
        """
        request.stream_output = True
        answer = self._http.send(request)
        try:
            content = answer.raw.read(MAX_ANSWER_BYTES + 1)
        finally:
            answer.raw.close()
        if len(content) > MAX_ANSWER_BYTES:
            raise DependencyError(f"{self.url} answered with more than {MAX_ANSWER_BYTES:,} bytes")
        return _Answered(answer.status_code, answer.headers, content)

    def _allowed_s(self) -> float:
        """Seconds that one answer may take; one more is always asked for where the time is over."""
        return max(1.0, min(ANSWER_S, self._until - time.monotonic()))

    def _request(self, method: str, url: str, body: bytes, key: str, signed: bool, kind: str = JSON) -> Any:
        headers = {"Accept": "application/json", "User-Agent": f"llm-reliability-gate/{__version__}"}
        headers |= {"Content-Type": kind} if body else {}
        headers |= {"Idempotency-Key": key} if key else {}
        headers |= {"X-Api-Key": self._key} if self._key and signed else {}
        headers |= {"Authorization": f"Bearer {self._token}"} if self._token and signed else {}
        request = AWSRequest(method=method, url=url, data=body, headers=headers)
        if signed and not self._token:
            with translated(self.url):
                self._sign(request)
        return request.prepare()

    def _sign(self, request: AWSRequest) -> None:
        credentials = self._session.get_credentials()
        if credentials is None:
            raise sdk.NoCredentialsError
        found = REGION.search(self.url)
        region = found[1] if found else self._region or self._session.get_config_variable("region")
        if not region:
            raise sdk.NoRegionError
        SigV4Auth(credentials.get_frozen_credentials(), "execute-api", region).add_auth(request)

    def _refusal(self, status: int, body: Mapping[str, Any]) -> GateError:
        message, hint = _message(body), str(body.get("hint") or "")
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            hint = hint or "execute-api:Invoke for AWS credentials, or GATE_REMOTE_TOKEN"
            return SettingsError(f"{self.url} does not let you in ({status}{message and f': {message}'})", hint=hint)
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE and body.get("code"):
            return InputError(message, hint="leave --now out")
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            return InputError("too large for the API", hint="upload it to transcripts/ in the gate's uploads bucket")
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            return DependencyError(f"{self.url} takes no more requests for now (429)", hint="throttle_rate")
        if 400 <= status < 500:
            kinds: dict[int, type[InputError]] = {HTTPStatus.CONFLICT: ConflictError, HTTPStatus.GONE: ExpiredError}
            return kinds.get(status, InputError)(message or f"{self.url} answers {status}", hint=hint)
        if status < 400:
            return self._no_gate()
        if body.get("code") == SettingsError.__name__:
            return SettingsError(f"the gate is set up wrongly: {message}", hint=hint)
        return DependencyError(f"the gate failed ({status}{message and f': {message}'})", hint=hint)

    def _no_gate(self) -> SettingsError:
        return SettingsError(f"{self.url} answers, but not as a gate does", hint="is it the URL of its API?")

    def published(self, stack: str, what: str) -> str:
        """What a stack publishes: `ApiUrl`, `UploadsBucket`, ….

        Raises:
            InputError: that is no name of a stack.
            SettingsError: none of that name publishes a gate in this account and region.
            TooSlowError: nobody says so in the time for everything that is asked.
        """
        if not STACK.fullmatch(stack):
            raise InputError(f"{stack}: neither the https:// URL of a gate nor the name of its stack")
        name, allowed_s = f"/reliability-gate/{stack}/{what}", self._allowed_s()
        config = Config(connect_timeout=5, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 2})
        with translated(f"the parameter {name}"):
            client: Any = self._session.create_client("ssm", region_name=self._region or None, config=config)
            cuttable(client._endpoint.http_session)
            try:
                with CallDeadlines(f"the parameter {name}", allowed_s, least_s=allowed_s, hint="--timeout").call():
                    return str(client.get_parameter(Name=name)["Parameter"]["Value"])
            except sdk.ClientError as error:
                if code_of(error) != "ParameterNotFound":
                    raise
        where = client.meta.region_name
        raise SettingsError(f"no stack {stack} publishes a gate in {where}", hint="AWS_PROFILE, GATE_REGION")


def _is_private(url: str) -> bool:
    """Whether nobody on the way reads or changes what an address answers."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def _object(content: bytes) -> dict[str, Any]:
    """The JSON object in an answer; empty where there is none."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _message(body: Mapping[str, Any]) -> str:
    """What the gate, the API in front of it, or the validation of a request says; one line."""
    message = body.get("message") or body.get("Message") or ""
    detail = body.get("detail")
    if not message and isinstance(detail, list) and detail and isinstance(detail[0], dict):
        place = detail[0].get("loc")
        where = ".".join(str(part) for part in place[1:]) if isinstance(place, list) else ""
        why = str(detail[0].get("msg") or detail[0].get("type") or "")
        message = ": ".join(filter(None, (where, why)))
    return " ".join(str(message).split())[:300]


def _seconds(header: str | None) -> float:
    """What `Retry-After` asks for, at most half a minute; 0: nothing."""
    return min(float(header), 30.0) if header and header.isascii() and header.isdigit() else 0.0
