"""`gate serve` inside a test: a real port on loopback, the lexical judge, a folder of its own."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from gate import wiring
from gate.services import corpora, submissions
from gate.serving.entry_guard import Entry
from gate.serving.known_callers import Claims
from gate.serving.local_entrance import LocalEntrance
from gate.serving.serve_command import built, listening

DOCUMENT = b"# Parcels\n\nStandard parcels to Norway take 4 to 7 days. Returns are free for 30 days.\n"
ANSWER = "Standard parcels to Norway take 4 to 7 days. Returns are free for 90 days."


def eventually(found: Callable[[], Any], seconds: float = 20) -> Any:
    """What there is at last."""
    until = time.monotonic() + seconds
    while not (value := found()):
        assert time.monotonic() < until, "it does not come"
        time.sleep(0.02)
    return value


@dataclass(frozen=True)
class Served:
    """A server that works."""

    entrance: LocalEntrance
    port: int

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers by small names, and body; a body that is no bytes goes as JSON."""
        kind = {"Content-Type": "application/octet-stream" if isinstance(body, bytes) else "application/json"}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            link.request(method, path, sent, {**(kind if body is not None else {}), **given})
            answer = link.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            link.close()

    def value(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status, and the body's JSON."""
        status, _, data = self.ask(method, path, body, **headers)
        return status, json.loads(data)

    def checked(self, text: str = ANSWER, name: str = "answer.md") -> str:
        """The id of a run that has ended."""
        status, found = self.value(
            "POST", "/v1/checks?wait=25", {"text": text, "name": name, "search": {"index": "docs"}}
        )
        assert (status, found["status"]) == (200, "SUCCEEDED"), found
        return str(found["id"])

    def cut_off(self, run_id: str = "api-cut", *, begun: bool = True) -> str:
        """The id of a run that was under way when its server was killed, or waited for its turn."""
        config = {"name": "answer.md", "elasticsearch": {"index": "docs"}}
        with wiring.entered(self.entrance):
            state = submissions.store(run_id, {"name": "answer.md", "text": ANSWER}, config)
            submissions.store_input(run_id, state)
            if begun:
                wiring.current().blob_store().put(f"runs/{run_id}/begun.json", b"{}")
        from gate.adapters.reviews.run_table import RunTable

        table = RunTable(self.entrance.folder / "runs.sqlite")
        table.begin(run_id, "answer.md", "docs", json.dumps(state, sort_keys=True), "2026-01-01T00:00:00.000+00:00")
        table.close()
        return run_id


@contextmanager
def serving(
    token: str = "",
    documents: Sequence[bytes] = (DOCUMENT,),
    policy: Mapping[str, Any] | None = None,
    callers: Mapping[str, Claims] | None = None,
    **settings: Any,
) -> Iterator[Served]:
    """Serve the home of the test's entrance, with a corpus `docs`."""
    now = wiring.current().settings.model_copy(update={"model": "local:lexical", **settings})
    entrance = LocalEntrance(now, policy)
    with wiring.entered(entrance):
        for number, document in enumerate(documents):
            corpora.replace_document(document, f"document-{number}.md", "docs")
    server, (_, port) = listening(
        built(entrance, Entry(token=token, callers=callers or {}), 4), "127.0.0.1", 0, now.max_document_bytes
    )

    entrance.listen_at(f"http://127.0.0.1:{port}/")

    def run() -> None:
        with suppress(OSError):  # its socket is closed below
            server.run()

    threading.Thread(target=run, daemon=True).start()
    try:
        yield Served(entrance, port)
    finally:
        server.close()
        server.task_dispatcher.shutdown(timeout=1)
