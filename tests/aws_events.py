"""Events as AWS sends them, from `events/`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gate.errors import ConflictError, InputError
from gate.ports import RunStatus

FOLDER = Path(__file__).parents[1] / "events"


def an_event(name: str) -> dict[str, Any]:
    """The event of that name."""
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def an_upload(key: str, *, size: int = 10, version: str = "v1") -> dict[str, Any]:
    """An "Object Created" event for `key` in the bucket `uploads`."""
    event = an_event("s3_transcript_uploaded")
    event["detail"]["bucket"]["name"] = "uploads"
    event["detail"]["object"] |= {"key": key, "size": size, "version-id": version}
    return event


def a_request(
    method: str, path: str, body: Any = None, *, claims: dict[str, str] | None = None, **headers: str
) -> dict[str, Any]:
    """A request as API Gateway hands it to the function; `?` in the path begins the query."""
    event = an_event("api_request")
    path, _, query = path.partition("?")
    pairs = dict(pair.split("=", 1) for pair in query.split("&") if pair)
    event |= {"path": path, "httpMethod": method, "body": body if isinstance(body, str) else json.dumps(body)}
    event["queryStringParameters"] = pairs or None
    event["multiValueQueryStringParameters"] = {key: [value] for key, value in pairs.items()} or None
    for name, value in headers.items():
        event["headers"][name.replace("_", "-")] = value
        event["multiValueHeaders"][name.replace("_", "-")] = [value]
    if claims is not None:
        event["requestContext"]["authorizer"] = {"claims": claims}
    return event


class FakeRuns:
    """`Runs` in memory; `statuses` says how each stands."""

    def __init__(self) -> None:
        self.started: dict[str, dict[str, Any]] = {}
        self.statuses: dict[str, RunStatus] = {}
        self.answered: list[str] = []

    def answer(self, token: str) -> bool:
        self.answered.append(token)
        return True

    def start(self, run_id: str, state: Any) -> bool:
        if run_id in self.started:
            if self.started[run_id] != state:
                raise ConflictError("a check of this name exists, with other content")
            return False
        self.started[run_id] = state
        self.statuses[run_id] = RunStatus("RUNNING")
        return True

    def status(self, run_id: str) -> RunStatus | None:
        return self.statuses.get(run_id)


class FakeUploads:
    """Uploads in memory, by key and version; `put` and `remove` keep a bucket as S3 does."""

    def __init__(self) -> None:
        self.objects: dict[tuple[str, str | None], bytes] = {}
        self.latest: dict[str, tuple[bytes, str]] = {}
        self.before: list[tuple[bytes, str]] = []
        self.bucket: dict[str, tuple[bytes, str]] = {}
        self.changes = 0

    def put(self, key: str, data: bytes) -> dict[str, Any]:
        """Store an object, and return the event that S3 would send."""
        self.changes += 1
        self.bucket[key] = (data, f'"{self.changes}"')
        return self._event("Object Created", key)

    def remove(self, key: str) -> dict[str, Any]:
        """Remove an object, and return the event that S3 would send."""
        self.changes += 1
        self.bucket.pop(key, None)
        return self._event("Object Deleted", key)

    def _event(self, kind: str, key: str) -> dict[str, Any]:
        item = {"key": key, "sequencer": f"{self.changes:016X}"}
        return {"detail-type": kind, "detail": {"bucket": {"name": "uploads"}, "object": item}}

    def version(self, bucket: str, key: str) -> str | None:
        return self.bucket[key][1] if key in self.bucket else None

    def newest(self, bucket: str, key: str) -> tuple[str, Any] | None:
        if key not in self.bucket:
            return None
        data, version = self.bucket[key]
        return version, (data[start : start + 7] for start in range(0, len(data), 7))

    def listed(self, bucket: str, prefix: str) -> Any:
        return [
            (key, version, 0.0, len(data))
            for key, (data, version) in sorted(self.bucket.items())
            if key.startswith(prefix)
        ]

    def current(self, url: str) -> tuple[bytes, str] | None:
        return self.latest.get(url)

    def earlier(self, url: str) -> Any:
        return iter(self.before)

    def chunks(self, bucket: str, key: str, version: str | None) -> Any:
        if (key, version) not in self.objects:
            raise InputError("the object is gone")
        data = self.objects[key, version]
        return (data[start : start + 7] for start in range(0, len(data), 7))
