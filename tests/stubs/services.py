"""Every service that a function calls, on loopback and at once: S3, Bedrock, Step Functions, DynamoDB and OpenSearch.

It answers what a first call needs and checks nothing: for measuring, where a stand-in must cost as little as it can.
"""

from __future__ import annotations

import gzip
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

DIMENSION = 1024
EXECUTION = "arn:aws:states:us-east-1:123456789012:execution:gate:x"
FAILED = b"api-5e1d"
"""The execution that `events/execution_failed.json` tells of."""
PASSAGE = {
    "id": "d1", "document": "d1", "content": "The lamp weighs 200 g.", "title": "Lamp", "section": None, "url": None,
    "published_date": None, "source": "corpus", "tenant": None, "classification": None, "chunk_sha": "0", "start": 0,
}  # fmt: skip
META = {"embedder": f"amazon.titan-embed-text-v2:0-{DIMENSION}", "language": "english", "version": "1"}
MAPPINGS = {"_meta": META, "properties": {"vector": {"type": "knn_vector", "dimension": DIMENSION}}}
HITS = {
    "timed_out": False,
    "_shards": {"failed": 0},
    "hits": {"hits": [{"_id": "1", "_score": 1.5, "_source": PASSAGE}]},
}
VERDICT = {
    "documents": ["D1"], "quote": "The lamp weighs 200 g.", "label": "supported", "reason": "entailed",
    "justification": "It says so.",
}  # fmt: skip
CONVERSED = {
    "output": {"message": {"role": "assistant", "content": [{"text": json.dumps(VERDICT)}]}},
    "stopReason": "end_turn",
    "usage": {"inputTokens": 100, "outputTokens": 20, "totalTokens": 120},
    "metrics": {"latencyMs": 1},
}


WRITTEN: list[dict[str, Any]] = []
"""Passages of the last request that wrote any."""
Answer = Callable[[str, str, bytes], tuple[int, Any] | None]


def answer_of(method: str, path: str, body: bytes) -> tuple[int, Any] | None:
    """Status and JSON of a service that is not S3; None: it is S3's."""
    if path.endswith("/converse"):
        return 200, CONVERSED
    if path.endswith("/invoke"):
        return 200, {"embedding": [1.0] + [0.0] * (DIMENSION - 1)}
    if path == "/" and b"executionArn" in body:
        status = "FAILED" if FAILED in body else "RUNNING"
        return 200, {"executionArn": EXECUTION, "stateMachineArn": "x", "status": status, "startDate": 0}
    if path == "/" and b"stateMachineArn" in body:
        return 200, {"executionArn": EXECUTION, "startDate": 0}
    if path == "/" and b"UpdateExpression" in body:
        return 200, {"Attributes": {"spent": {"N": "0"}}}
    if path == "/" and b"RequestItems" in body:
        return 200, {"Responses": {}, "UnprocessedKeys": {}}
    if path == "/" and b"KeyConditionExpression" in body:
        return 200, {"Items": [], "Count": 0}
    if path == "/" and b"TableName" in body:
        return 200, {}
    if path == "/" and method == "GET":
        return 200, {"version": {"distribution": "opensearch", "number": "3.3.0"}}
    if path.startswith("/trusted_docs"):
        return _searched(method, path.partition("?")[0], body)
    return None


def _searched(method: str, path: str, body: bytes) -> tuple[int, Any]:
    if path.endswith("/_search") and b'"terms":{"document"' in body.replace(b" ", b""):
        found = [{"_id": "1", "_source": each} for each in WRITTEN]
        return 200, {**HITS, "hits": {"hits": found}}
    if path.endswith("/_search"):
        return 200, HITS if b'"knn"' in body or b'"match"' in body else {**HITS, "hits": {"hits": []}}
    if path.endswith("/_mapping"):
        return 200, {"acknowledged": True} if method == "PUT" else {"trusted_docs--titan": {"mappings": MAPPINGS}}
    if path.endswith("/_count"):
        return 200, {"count": 1}
    if path.endswith("/_bulk"):
        lines = body.splitlines()
        WRITTEN[:] = [each for line in lines if "chunk_sha" in (each := json.loads(line))] or WRITTEN
        return 200, {"errors": False, "items": [{"index": {"_id": "1", "status": 201}}] * (len(lines) // 2)}
    return 200, {}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else a body waits up to 40 ms until the other side has acknowledged its head
    objects: dict[str, bytes]
    first: Answer

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        body = gzip.decompress(body) if self.headers.get("content-encoding") == "gzip" else body
        known = self.first(self.command, self.path, body) or answer_of(self.command, self.path, body)
        if known is not None:
            status, value = known
            return self._send(status, json.dumps(value).encode(), "application/json")
        key = self.path.partition("?")[0]
        if self.command == "PUT":
            self.objects[key] = body
            return self._send(200, b"", "application/xml")
        if self.command == "POST" and self.path.endswith("?delete"):
            for gone in re.findall(rb"<Key>(.*?)</Key>", body):
                self.objects.pop(f"{key.rstrip('/')}/{gone.decode()}", None)
            return self._send(200, b"<DeleteResult/>", "application/xml")
        if "list-type=2" in self.path:
            return self._send(200, self._listed(), "application/xml")
        if key in self.objects:
            return self._send(200, self.objects[key], "application/octet-stream")
        missing = b"<Error><Code>NoSuchKey</Code><Message>no</Message></Error>"
        return self._send(404, missing, "application/xml")

    def _listed(self) -> bytes:
        """The objects of a bucket, under a prefix."""
        bucket, _, query = self.path.partition("?")
        prefix = f"{bucket}/{parse_qs(query).get('prefix', [''])[0]}"
        found = [key.removeprefix(f"{bucket}/") for key in sorted(self.objects) if key.startswith(prefix)]
        entries = "".join(
            f"<Contents><Key>{key}</Key><ETag>&quot;0&quot;</ETag><LastModified>2026-11-20T00:00:00Z</LastModified></Contents>"
            for key in found
        )
        return f"<ListBucketResult><KeyCount>{len(found)}</KeyCount>{entries}</ListBucketResult>".encode()

    def __getattr__(self, name: str) -> Any:
        """The same answer for every method."""
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def _send(self, status: int, data: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("etag", '"0"')
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *arguments: Any) -> None:
        """Say nothing."""


@contextmanager
def running(objects: dict[str, bytes] | None = None, answer: Answer = lambda *_: None) -> Iterator[str]:
    """Serve in a thread, with these objects (`/bucket/key` → bytes) in S3; `answer` is asked first. Yields the URL."""
    how = {"objects": dict(objects or {}), "first": staticmethod(answer)}
    handler: Callable[..., BaseHTTPRequestHandler] = type("Handler", (_Handler,), how)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
