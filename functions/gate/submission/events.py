"""What EventBridge sends, as values."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gate.errors import InputError

STATUS_CHANGE = "Step Functions Execution Status Change"


@dataclass(frozen=True, slots=True)
class Upload:
    """One version of one object; in a bucket without versions its ETag stands in quotes, as S3 writes it."""

    bucket: str
    key: str
    version: str | None
    size: int

    def run_id(self, config_version: str) -> str:
        """The name of the run for this upload under this config: the same event again names the same run."""
        parts = "\0".join((self.bucket, self.key, self.version or "", config_version))
        return f"s3-{hashlib.sha256(parts.encode('utf-8', 'surrogatepass')).hexdigest()[:60]}"


def uploaded(event: Mapping[str, Any]) -> Upload:
    """Read an S3 "Object Created" event.

    Raises:
        InputError: it is none.
    """
    try:
        detail = event["detail"]
        item = detail["object"]
        name, key = detail["bucket"]["name"], item["key"]
        etag = item.get("etag")
        version = item.get("version-id") or (f'"{etag}"' if isinstance(etag, str) else etag)
        size = int(item["size"])
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise InputError('not an S3 "Object Created" event') from None
    if (
        not all(isinstance(text, str) and text for text in (name, key))
        or not isinstance(version, str | None)
        or size < 0
    ):
        raise InputError('not an S3 "Object Created" event')
    return Upload(name, key, version, size)


def changed_document(event: Mapping[str, Any]) -> tuple[str, str, str]:
    """Bucket, key and sequencer (empty: it tells none) of an event about an object, whatever became of that.

    Raises:
        InputError: it is none.
    """
    try:
        item = event["detail"]["object"]
        name, key, sequencer = event["detail"]["bucket"]["name"], item["key"], item.get("sequencer") or ""
    except (KeyError, TypeError, AttributeError):
        raise InputError("not an event of S3 about an object") from None
    if not all(isinstance(text, str) for text in (name, key, sequencer)) or not name or not key:
        raise InputError("not an event of S3 about an object")
    is_number = len(sequencer) <= 64 and all(char in "0123456789abcdefABCDEF" for char in sequencer)
    return name, key, sequencer if is_number else ""


def failed_run(event: Mapping[str, Any]) -> dict[str, Any] | None:
    """What `publish_failure` is called with, out of a status change of an execution; None: the event is none."""
    if event.get("detail-type") != STATUS_CHANGE:
        return None
    detail = event["detail"]
    failure = {key: detail.get(key) for key in ("status", "error", "cause")}
    failure["execution"] = detail.get("executionArn")
    return {"run_id": detail["name"], "state": {"failure": failure}}
