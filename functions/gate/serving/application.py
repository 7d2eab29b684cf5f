"""The server as a WSGI application: the deployed API, the page, and what the page asks for beside it."""

from __future__ import annotations

import json
import logging
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from time import monotonic
from typing import Any

from gate import runtime, wiring
from gate.errors import BudgetReachedError, ConflictError, DependencyError, ExpiredError, GateError, InputError
from gate.services import callers
from gate.services.budgets.ceilings import seconds_left
from gate.serving.checks_now import PATH, STREAM, ChecksNow
from gate.serving.entry_guard import Entry, Refused
from gate.serving.known_callers import Claims
from gate.serving.live_claims import LiveClaims
from gate.serving.open_streams import PATH as STREAMS
from gate.serving.open_streams import OpenStreams
from gate.serving.own_routes import NoSuchThing, OwnRoutes
from gate.serving.proxy_events import Answer, Environ, answer_of, event_of, headers_of, query_of, status_line

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
PARTS = {
    "/": (HERE / "page.html", "text/html; charset=utf-8"),
    "/palette.css": (HERE.parent / "reports" / "palette.css", "text/css; charset=utf-8"),
    "/page.css": (HERE / "page.css", "text/css; charset=utf-8"),
    "/page.js": (HERE / "page.js", "text/javascript; charset=utf-8"),
    "/page.svg": (HERE / "page.svg", "image/svg+xml"),
}
"""The page: the same for everybody."""
PUBLIC = frozenset({*PARTS, "/v1/health"})
PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
REPORT_POLICY = "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; frame-ancestors 'none'"
"""Of everything else: a report has an origin of its own, so that nothing in it could ask this server; its own policy
stands in the page."""
ALWAYS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
]
MOST_BODY = 10_000_000
"""Bytes of a request to the API, as many as API Gateway takes."""
MOST_VALUES = 1_000_000
"""Objects, lists and values of a request: of three bytes each, one takes up to 230 of memory once it is read."""
LONGEST_WAIT_S = 25
TICKET_S = 60.0
"""How long a link to a report is good for, where a token is needed: a browser sends none with a link."""

Streamed = tuple[int, list[tuple[str, str]], Iterator[bytes]]
"""An answer whose body comes bit by bit."""
StartResponse = Callable[[str, list[tuple[str, str]]], Any]


class Application:
    """Answers requests; may be called by many threads.

    Args:
        entrance: the settings and adapters to work with.
        entry: who is let in.
        routes: the page's own.
        live: the runs under way.
        now: checks in the request.
        forget: called with the id of a run that was deleted.
    """

    def __init__(
        self,
        entrance: wiring.Wiring,
        entry: Entry,
        routes: OwnRoutes,
        live: LiveClaims,
        now: ChecksNow,
        forget: Callable[[str], None],
    ) -> None:
        self._now, self._streams = now, OpenStreams(now, entrance.settings.max_turn_chars)
        self._entrance, self._entry, self._routes, self._live, self._forget = entrance, entry, routes, live, forget
        self._tickets_lock = threading.Lock()
        self._tickets: dict[str, tuple[str, float, Claims]] = {}

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """See PEP 3333."""
        method, path = str(environ["REQUEST_METHOD"]), str(environ.get("PATH_INFO") or "/").rstrip("/") or "/"
        body: bytes | Iterator[bytes]
        try:
            with wiring.entered(self._entrance):
                status, headers, body = self._answer(environ, method, path)
        except Refused as error:
            status, headers, body = _refusal(error.status, "RefusedError", error.message, after=error.retry_after)
        except BudgetReachedError as error:
            too_many = HTTPStatus.TOO_MANY_REQUESTS
            status, headers, body = _refusal(too_many, error.code, error.safe_message, error.hint, after=seconds_left())
        except GateError as error:
            status, headers, body = _refusal(_status_of(error), error.code, error.safe_message, error.hint)
        except ValueError:
            status, headers, body = _refusal(HTTPStatus.BAD_REQUEST, "InputError", "the request cannot be read")
        except Exception as error:
            log.exception("%s %s", method, path)
            status, headers, body = _refusal(HTTPStatus.INTERNAL_SERVER_ERROR, "InternalError", type(error).__name__)
        policy = PAGE_POLICY if path in PARTS else REPORT_POLICY
        headers = [*headers, *ALWAYS, ("Content-Security-Policy", policy)]
        if not isinstance(body, bytes):
            start_response(status_line(status), headers)
            return body
        start_response(status_line(status), [*headers, ("Content-Length", str(len(body)))])
        return [b"" if method == "HEAD" else body]

    def _answer(self, environ: Environ, method: str, path: str) -> Answer | Streamed:
        headers, query = headers_of(environ), query_of(environ)
        claims = self._entry.check(method, headers, is_public=path in PUBLIC, opened=self._opened(path, query))
        if path in PARTS:
            return _part(path, method)
        body = _body(environ, headers, self._most(path))
        if not _is_document(path) and sum(map(body.count, (b"{", b"[", b","))) > MOST_VALUES:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body has more than {MOST_VALUES:,} values")
        event = event_of(method, path, headers, query, body, claims)
        if path == "/app/ticket" and method == "POST":
            return _json({"ticket": self._ticket(query, claims)})
        if path.startswith("/app/"):
            last = {name: values[-1] for name, values in query.items()}
            found = self._routes.answer(method, _raw(environ, path), last, body, callers.caller_of(event))
            return _text(found) if isinstance(found, str) else _json(found)
        if method == "POST" and f"{path}/".startswith(f"{STREAMS}/"):
            status, found = self._streams.answer(path, event, body)
            return status, *_json(found)[1:]
        if path == PATH and method == "POST":
            return self._checked_now(event, headers, body)
        return self._api(method, path, headers, query, body, claims)

    def _checked_now(self, event: dict[str, Any], headers: Mapping[str, str], body: bytes) -> Answer | Streamed:
        if STREAM in headers.get("accept", ""):
            return HTTPStatus.OK, [("Content-Type", f"{STREAM}; charset=utf-8")], self._now.sentences(event, body)
        return HTTPStatus.OK, [("Content-Type", "application/json; charset=utf-8")], self._now.report(event, body)

    def _most(self, path: str) -> int:
        return self._entrance.settings.max_document_bytes if _is_document(path) else MOST_BODY

    def _ticket(self, query: Mapping[str, list[str]], claims: Claims) -> str:
        """A word that opens the report of one run for whoever asks, once and soon."""
        now, ticket = monotonic(), secrets.token_urlsafe(24)
        with self._tickets_lock:
            self._tickets = {word: kept for word, kept in self._tickets.items() if kept[1] > now}
            self._tickets[ticket] = (query.get("run", [""])[-1], now + TICKET_S, claims)
        return ticket

    def _opened(self, path: str, query: dict[str, list[str]]) -> Claims | None:
        """The claims of who got the word that the request brings, and that opens this very report; it is good once."""
        given = query.pop("ticket", [""])[-1]
        with self._tickets_lock:
            run_id, until, claims = self._tickets.pop(given, ("", 0.0, {}))
        return claims if run_id and until > monotonic() and path == f"/v1/checks/{run_id}/report" else None

    def _api(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        query: dict[str, list[str]],
        body: bytes,
        claims: Claims,
    ) -> Answer:
        """The deployed function's answer. It holds one request at a time: what waits for an outcome waits out here."""
        wait = _seconds(query)
        answer = self._resolve(event_of(method, path, headers, query, body, claims))
        if wait and answer[0] in (HTTPStatus.OK, HTTPStatus.ACCEPTED):
            run_id = str(json.loads(answer[2]).get("id", ""))
            self._live.wait(run_id, wait)
            status, _, found = self._resolve(event_of("GET", f"/v1/checks/{run_id}", headers, {}, b"", claims))
            is_over = status == HTTPStatus.OK and json.loads(found)["status"] != "RUNNING"
            answer = (status if is_over else answer[0], answer[1], found)
        if method == "DELETE" and answer[0] == HTTPStatus.OK:
            self._forget(path.rpartition("/")[2])
        return answer

    def _resolve(self, event: dict[str, Any]) -> Answer:
        return answer_of(runtime.handle("api", event))


def _is_document(path: str) -> bool:
    """Whether a request brings a document for a corpus, whose reader counts what is in it."""
    return path.startswith("/app/corpora/")


def _seconds(query: dict[str, list[str]]) -> int:
    """How long a request waits for an outcome, taken out of its query: where it stayed, all requests would wait.

    Raises:
        Refused: it is no such number, as everybody writes it.
    """
    given = query.pop("wait", ["0"])[-1]
    if given.isascii() and given.isdigit() and len(given) < 3 and int(given) <= LONGEST_WAIT_S:
        return int(given)
    raise Refused(HTTPStatus.UNPROCESSABLE_ENTITY, f"wait: a whole number from 0 to {LONGEST_WAIT_S}")


def _body(environ: Environ, headers: Mapping[str, str], most: int) -> bytes:
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > most:
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body has more than {most} bytes")
    data: bytes = environ["wsgi.input"].read(int(length))
    return data


def _raw(environ: Environ, path: str) -> str:
    """The path as it was sent: a document's name may hold what would part it."""
    sent = str(environ.get("REQUEST_URI") or path).partition("?")[0]
    return sent if sent.startswith("/app/") else path


def _part(path: str, method: str) -> Answer:
    if method not in ("GET", "HEAD"):
        raise Refused(HTTPStatus.METHOD_NOT_ALLOWED, "this is only read")
    file, kind = PARTS[path]
    return HTTPStatus.OK, [("Content-Type", kind)], file.read_bytes()


def _json(value: Any) -> Answer:
    data = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return HTTPStatus.OK, [("Content-Type", "application/json; charset=utf-8")], data


def _text(text: str) -> Answer:
    headers = [("Content-Type", "application/jsonl; charset=utf-8")]
    return HTTPStatus.OK, [*headers, ("Content-Disposition", 'attachment; filename="labels.jsonl"')], text.encode()


def _refusal(status: HTTPStatus, code: str, message: str, hint: str = "", after: int = 0) -> Answer:
    body = json.dumps({"code": code, "message": message, "hint": hint}).encode()
    headers = [("Retry-After", str(after))] if after else []
    return status, [("Content-Type", "application/json; charset=utf-8"), *headers], body


def _status_of(error: GateError) -> HTTPStatus:
    kinds: tuple[tuple[type[GateError], HTTPStatus], ...] = (
        (NoSuchThing, HTTPStatus.NOT_FOUND),
        (callers.MayNotError, HTTPStatus.FORBIDDEN),
        (ConflictError, HTTPStatus.CONFLICT),
        (ExpiredError, HTTPStatus.GONE),
        (InputError, HTTPStatus.BAD_REQUEST),
        (DependencyError, HTTPStatus.SERVICE_UNAVAILABLE),
    )
    return next((status for kind, status in kinds if isinstance(error, kind)), HTTPStatus.INTERNAL_SERVER_ERROR)
