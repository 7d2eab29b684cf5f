"""Bedrock's `Retrieve` on loopback: knowledge bases that hold these passages, and refuse what the service refuses."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.fakes.search import MemorySearch

METADATA = ("title", "section", "url", "published_date", "source", "tenant", "classification")


class Refused(Exception):
    """Status and the service's word."""


class KnowledgeBaseStub:
    """The service: `bases` are its knowledge bases by id; `asked` is what was asked, in order."""

    def __init__(self) -> None:
        self.bases: dict[str, list[dict[str, Any]]] = {}
        self.asked: list[dict[str, Any]] = []
        self.failing: Refused | None = None

    def fill(self, base: str, passages: Sequence[Mapping[str, Any]]) -> None:
        """Make a base of passages."""
        self.bases[base] = [dict(each) for each in passages]

    def retrieve(self, base: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one request."""
        self.asked.append(dict(body))
        if self.failing:
            raise self.failing
        how, text = body["retrievalConfiguration"]["vectorSearchConfiguration"], body["retrievalQuery"]["text"]
        if base not in self.bases:
            raise Refused(404, "ResourceNotFoundException")
        if not 0 < how["numberOfResults"] <= 100 or not text.strip() or len(text) > 20_000:
            raise Refused(400, "ValidationException")
        held = [each for each in self.bases[base] if lets_through(how.get("filter"), each)]
        by_id = {each["id"]: each for each in held}
        memory = MemorySearch()
        memory.index_documents(held, "held")
        ranked = [one["id"] for one in memory.search_docs(text, "held", k=100)]
        ranked += [key for key in by_id if key not in ranked]  # the nearest are found, however far they are
        return {"retrievalResults": [result(by_id[key], 1 / (2 + at)) for at, key in enumerate(ranked)][
            : how["numberOfResults"]]}  # fmt: skip


def result(passage: Mapping[str, Any], score: float) -> dict[str, Any]:
    """A result in the service's form."""
    metadata = {name: passage[name] for name in METADATA if name in passage}
    return {
        "content": {"type": "TEXT", "text": passage["content"]},
        "location": {"type": "CUSTOM", "customDocumentLocation": {"id": passage.get("document") or passage["id"]}},
        "score": score,
        "metadata": {**metadata, "x-amz-bedrock-kb-chunk-id": passage["id"]},
    }


def lets_through(asked: Mapping[str, Any] | None, passage: Mapping[str, Any]) -> bool:
    """Whether a filter of the service lets a passage through."""
    if asked is None:
        return True
    ((kind, about),) = asked.items()
    if kind == "andAll":
        if len(about) < 2:
            raise Refused(400, "ValidationException")
        return all(lets_through(each, passage) for each in about)
    if kind == "in":
        return passage.get(about["key"]) in about["value"]
    raise Refused(400, "ValidationException")


@contextmanager
def serving() -> Iterator[KnowledgeBaseStub]:
    """Serve, where a client of the SDK that is made inside asks."""
    stub = KnowledgeBaseStub()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                status, answer, kind = 200, stub.retrieve(self.path.split("/")[2], body), ""
            except Refused as refused:
                (status, kind), answer = refused.args, {"message": "secret"}
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("x-amzn-ErrorType", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME", f"http://127.0.0.1:{server.server_port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "testing")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
        try:
            yield stub
        finally:
            server.shutdown()
            server.server_close()
