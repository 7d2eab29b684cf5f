"""The trail of decisions in S3: an object a line, written once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from botocore.exceptions import ClientError

from gate.adapters.aws.s3 import CONNECTIONS, MISSING, bucket_and_prefix, s3_client
from gate.adapters.aws.sdk_errors import DENIED, code_of, translated

MOST = 10**12
"""Lines of a name at most. Keys count down from it: S3 lists in the order of keys, and so the last line comes first."""
MOST_BYTES = 4_000_000
"""Of a line that is read: an entry has a few thousand. A longer object is no entry, whatever it holds."""
UNREADABLE = frozenset({*DENIED, "InvalidObjectState"})
"""Codes of an object that is there and cannot be read: under somebody else's key, or in an archive."""
TAKEN = frozenset({"PreconditionFailed", "ConditionalRequestConflict"})
"""Codes of a write that somebody else was faster with."""


class S3Trail:
    """A `Trail` under `s3://bucket/prefix`: `<prefix>/<name>/<10**12 - number>.json`.

    One number has one object (`If-None-Match`); what keeps it from being replaced or removed later is the bucket's
    Object Lock.
    """

    def __init__(self, url: str, *, region: str = "") -> None:
        self._bucket, self._prefix = bucket_and_prefix(url, "GATE_LEDGER")
        self._client = s3_client(region)

    def last(self, name: str) -> bytes | None:
        """See `Trail`."""
        with translated(self._bucket):
            asked = {"Bucket": self._bucket, "Prefix": self._key(name)}
            found = self._client.list_objects_v2(**asked, MaxKeys=1).get("Contents", ())
        return self._get(found[0]["Key"]) if found else None

    def line(self, name: str, number: int) -> bytes | None:
        """See `Trail`."""
        return self._get(self._key(name, number))

    def add(self, name: str, number: int, line: bytes) -> bool:
        """See `Trail`. A write whose answer was lost, and that was tried again, is one's own."""
        key = self._key(name, number)
        with translated(self._bucket):
            try:
                where = {"Bucket": self._bucket, "Key": key}
                self._client.put_object(**where, Body=line, ContentType="application/json", IfNoneMatch="*")
            except ClientError as error:
                if code_of(error) not in TAKEN:
                    raise
                return self._get(key) == line
        return True

    def lines(self, name: str, start: int = 1) -> Iterator[tuple[int, bytes]]:
        """See `Trail`."""
        keys = list(self._keys(name, start))[::-1]
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            for (number, _), line in zip(keys, pool.map(self._listed, [key for _, key in keys]), strict=True):
                yield number, line

    def names(self) -> list[str]:
        """See `Trail`."""
        found: list[str] = []
        with translated(self._bucket):
            asked = {"Bucket": self._bucket, "Prefix": self._prefix, "Delimiter": "/"}
            for page in self._client.get_paginator("list_objects_v2").paginate(**asked):
                found += [each["Prefix"][len(self._prefix) : -1] for each in page.get("CommonPrefixes", ())]
        return sorted(found)

    def _keys(self, name: str, start: int) -> Iterator[tuple[int, str]]:
        """Numbers and keys, the highest number first, down to `start`; what bears no number is number 0."""
        folder = self._key(name)
        with translated(self._bucket):
            pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=folder)
            for page in pages:
                for item in page.get("Contents", ()):
                    stem = item["Key"][len(folder) :].removesuffix(".json")
                    number = MOST - int(stem) if stem.isascii() and stem.isdigit() else 0
                    if 0 < number < start:
                        return
                    yield number, item["Key"]

    def _listed(self, key: str) -> bytes:
        """An object that was listed; empty where it cannot be read: one among many must not hide the others."""
        return self._get(key, {*MISSING, *UNREADABLE}) or b""

    def _get(self, key: str, none: Collection[str] = MISSING) -> bytes | None:
        """The beginning of an object; None where the service answers with one of these codes."""
        with translated(self._bucket):
            try:
                with closing(self._client.get_object(Bucket=self._bucket, Key=key)["Body"]) as body:
                    return bytes(body.read(MOST_BYTES))
            except ClientError as error:
                if code_of(error) in none:
                    return None
                raise

    def _key(self, name: str, number: int | None = None) -> str:
        return f"{self._prefix}{name}/" + ("" if number is None else f"{MOST - number:012d}.json")
