"""Blobs and uploads in S3."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from functools import cached_property
from typing import Any, Literal

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from gate.adapters.aws.sdk_errors import DENIED, code_of, translated
from gate.errors import InputError, SettingsError, missing_blob

CONNECTIONS = 50
MISSING = frozenset({"NoSuchKey", "NoSuchVersion", "404", "NotFound"})
CHUNK_BYTES = 1_048_576
EARLIER = 10
"""Versions of a policy that are looked back at."""
LINK_S = 300
AWS_HOSTS = (".amazonaws.com", ".amazonaws.com.cn")


def s3_client(region: str = "") -> Any:
    """A client of S3 that may be used from many threads."""
    config = Config(
        connect_timeout=5,
        read_timeout=60,
        max_pool_connections=CONNECTIONS,
        retries={"mode": "standard", "total_max_attempts": 4},
    )
    with translated("S3"):
        return boto3.client("s3", region_name=region or None, config=config)


def signer(client: Any) -> Any:
    """A client for what is signed here and sent by others, of the same region.

    S3 refuses to decrypt for the older signature, which the SDK still makes in some regions, and redirects from the
    address that names no region, where the signature is no longer true. What is not AWS's own may have no name for each
    bucket.
    """
    style: Literal["virtual", "path"] = "virtual" if client.meta.endpoint_url.endswith(AWS_HOSTS) else "path"
    with translated("S3"):
        config = Config(signature_version="s3v4", s3={"addressing_style": style})
        return boto3.client("s3", region_name=client.meta.region_name, config=config)


def bucket_and_prefix(url: str, setting: str) -> tuple[str, str]:
    """What `s3://bucket/prefix` names; the prefix ends in a slash, or is empty.

    Raises:
        SettingsError: it names no bucket; the message names the setting.
    """
    bucket, _, prefix = url.removeprefix("s3://").partition("/")
    if not bucket:
        raise SettingsError(f"{setting}: {url!r} names no bucket", hint="s3://bucket/prefix")
    prefix = prefix.strip("/")
    return bucket, f"{prefix}/" if prefix else ""


class S3BlobStore:
    """A `BlobStore` under `s3://bucket/prefix`."""

    def __init__(self, url: str, *, region: str = "") -> None:
        self._bucket, self._prefix = bucket_and_prefix(url, "GATE_BLOBS")
        self._client = s3_client(region)

    @cached_property
    def _signer(self) -> Any:
        return signer(self._client)

    def put(self, key: str, data: bytes, *, content_type: str = "application/json") -> None:
        """Store `data`; S3 shows an object whole or not at all."""
        with translated(self._bucket):
            self._client.put_object(Bucket=self._bucket, Key=self._prefix + key, Body=data, ContentType=content_type)

    def add(self, key: str, data: bytes) -> bool:
        """See `BlobStore`; needs no permission to read."""
        where = {"Bucket": self._bucket, "Key": self._prefix + key}
        with translated(self._bucket):
            try:
                self._client.put_object(**where, Body=data, ContentType="application/json", IfNoneMatch="*")
            except ClientError as error:
                if code_of(error) != "PreconditionFailed":
                    raise
                return False
        return True

    def get(self, key: str) -> bytes:
        """Return what is stored under `key`."""
        found = self.find(key)
        if found is None:
            raise missing_blob(key)
        return found

    def find(self, key: str) -> bytes | None:
        """See `BlobStore`; one request, where asking first whether it is there would take two."""
        with translated(self._bucket):
            try:
                found = self._client.get_object(Bucket=self._bucket, Key=self._prefix + key)
                with closing(found["Body"]) as body:
                    return bytes(body.read())
            except ClientError as error:
                if self._is_missing(key, error):
                    return None
                raise

    def pieces(self, key: str) -> Generator[bytes]:
        """See `BlobStore`."""
        with translated(self._bucket):
            try:
                found = self._client.get_object(Bucket=self._bucket, Key=self._prefix + key)
                with closing(found["Body"]) as body:
                    yield from body.iter_chunks(CHUNK_BYTES)
            except ClientError as error:
                if self._is_missing(key, error):
                    raise missing_blob(key) from None
                raise

    def exists(self, key: str) -> bool:
        """Whether `key` is there."""
        with translated(self._bucket):
            try:
                self._client.head_object(Bucket=self._bucket, Key=self._prefix + key)
            except ClientError as error:
                if self._is_missing(key, error):
                    return False
                raise
        return True

    def _is_missing(self, key: str, error: ClientError) -> bool:
        return is_missing(self._client, self._bucket, self._prefix + key, error)

    def keys(self, prefix: str) -> list[str]:
        """See `BlobStore`."""
        with translated(self._bucket):
            return [key.removeprefix(self._prefix) for page in self._pages(prefix) for key in page]

    def _pages(self, prefix: str) -> Iterator[list[str]]:
        folder = self._prefix + prefix.strip("/") + "/"
        for page in self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=folder):
            yield [item["Key"] for item in page.get("Contents", ())]

    def delete_prefix(self, prefix: str) -> int:
        """Remove every key of the folder `prefix`; returns how many there were.

        Raises:
            SettingsError, StorageUnavailableError: one of them is still there.
        """
        count = 0
        with translated(self._bucket):
            for page in self._pages(prefix):
                keys = [{"Key": key} for key in page]
                if keys:
                    answer = self._client.delete_objects(Bucket=self._bucket, Delete={"Objects": keys, "Quiet": True})
                    for refused in answer.get("Errors", ()):  # an answer with status 200 has them
                        raise ClientError({"Error": {"Code": str(refused.get("Code"))}}, "DeleteObjects")
                count += len(keys)
        return count

    def link(self, key: str) -> str:
        """A presigned URL."""
        where = {"Bucket": self._bucket, "Key": self._prefix + key}
        with translated(self._bucket):
            return str(self._signer.generate_presigned_url("get_object", Params=where, ExpiresIn=LINK_S))


class S3Uploads:
    """What people put into the upload bucket: the very version that an event named, or the newest."""

    def __init__(self, *, region: str = "") -> None:
        self._client = s3_client(region)

    @cached_property
    def _signer(self) -> Any:
        return signer(self._client)

    def put(self, bucket: str, key: str, data: bytes) -> str:
        """Upload an object; returns its version, or its ETag in quotes where the bucket keeps none."""
        with translated(bucket):
            stored = self._client.put_object(Bucket=bucket, Key=key, Body=data)
        return str(stored.get("VersionId") or stored["ETag"])

    def form(
        self, bucket: str, key: str, fields: dict[str, str], *, encryption_key: str, max_bytes: int, seconds: int
    ) -> tuple[str, dict[str, str]]:
        """A form that lets its holder upload one object, with no more rights than whoever makes it has.

        Args:
            fields: of the object, each to be sent as it is.
            encryption_key: ARN of the KMS key that it is encrypted with; empty: as the bucket has it.
        Returns:
            where to POST it to, and every field to send before the file.
        """
        by = {"x-amz-server-side-encryption": "aws:kms", "x-amz-server-side-encryption-aws-kms-key-id": encryption_key}
        fixed = {**fields, **(by if encryption_key else {})}
        conditions = [*({name: value} for name, value in fixed.items()), ["content-length-range", 1, max_bytes]]
        with translated(bucket):
            made = self._signer.generate_presigned_post(
                bucket, key, Fields=dict(fixed), Conditions=conditions, ExpiresIn=seconds
            )
        return str(made["url"]), {str(name): str(value) for name, value in made["fields"].items()}

    def remove(self, bucket: str, key: str) -> None:
        """Remove an object; a bucket of versions keeps those before."""
        with translated(bucket):
            self._client.delete_object(Bucket=bucket, Key=key)

    def current(self, url: str) -> tuple[bytes, str] | None:
        """What lies at `s3://bucket/key` now, and its version; None: nothing."""
        bucket, _, key = url.removeprefix("s3://").partition("/")
        with translated(bucket):
            try:
                found = self._client.get_object(Bucket=bucket, Key=key)
                return bytes(found["Body"].read()), str(found.get("VersionId") or found["ETag"].strip('"'))
            except ClientError as error:
                if is_missing(self._client, bucket, key, error):
                    return None
                raise

    def earlier(self, url: str) -> Iterator[tuple[bytes, str]]:
        """What lay at `s3://bucket/key` before what lies there now, and its version, the newest first.

        What was removed on purpose is not come back to; neither is what is further back than a few versions.
        """
        bucket, _, key = url.removeprefix("s3://").partition("/")
        with translated(bucket):
            listed = self._client.list_object_versions(Bucket=bucket, Prefix=key, MaxKeys=100)
            removed = [one["LastModified"] for one in listed.get("DeleteMarkers", ()) if one["Key"] == key]
            before = [
                one
                for one in listed.get("Versions", ())
                if one["Key"] == key and not one["IsLatest"] and all(one["LastModified"] >= at for at in removed)
            ]
            for one in before[:EARLIER]:
                found = self._client.get_object(Bucket=bucket, Key=key, VersionId=one["VersionId"])
                yield bytes(found["Body"].read()), str(one["VersionId"])

    def version(self, bucket: str, key: str) -> str | None:
        """Version (the ETag) of what lies under a key now; None: nothing.

        The bucket is asked for its list: of an object that is not there S3 says "forbidden" to those who may list a
        folder alone.
        """
        with translated(bucket):
            return listed_version(self._client, bucket, key)

    def newest(self, bucket: str, key: str) -> tuple[str, Iterator[bytes]] | None:
        """What lies under a key now: its version (the ETag), and its bytes piece by piece; None: nothing."""
        if self.version(bucket, key) is None:
            return None
        return self.fetch(bucket, key)

    def fetch(self, bucket: str, key: str) -> tuple[str, Iterator[bytes]]:
        """Version (the ETag) and bytes, piece by piece, of what lies under a key.

        Raises:
            InputError: it is gone, or cannot be had without being restored.
        """
        with translated(bucket):
            try:
                found = self._client.get_object(Bucket=bucket, Key=key)
            except ClientError as error:
                raise _uploader_s(error) from None
        return str(found["ETag"]), _pieces(found["Body"], bucket)

    def listed(self, bucket: str, prefix: str) -> Iterator[tuple[str, str, float, int]]:
        """Key, version (the ETag), time (seconds since 1970) and bytes of every object under a prefix."""
        with translated(bucket):
            for page in self._client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
                for item in page.get("Contents", ()):
                    yield item["Key"], item["ETag"], item["LastModified"].timestamp(), item.get("Size", 0)

    def chunks(self, bucket: str, key: str, version: str | None) -> Iterator[bytes]:
        """Yield an object piece by piece; `version`: as `put` tells it.

        Raises:
            InputError: that version is gone, or cannot be had without being restored.
        """
        name = "IfMatch" if version and version.startswith('"') else "VersionId"
        which = {name: version} if version else {}
        with translated(bucket):
            try:
                body = self._client.get_object(Bucket=bucket, Key=key, **which)["Body"]
                yield from body.iter_chunks(CHUNK_BYTES)
            except ClientError as error:
                raise _uploader_s(error) from None


def _uploader_s(error: ClientError) -> InputError | ClientError:
    """The same error, in words of ours where it is a matter of who uploaded the object."""
    if code_of(error) in {*MISSING, "PreconditionFailed"}:
        return InputError("the object is gone")
    return InputError("the object is archived") if code_of(error) == "InvalidObjectState" else error


def is_missing(client: Any, bucket: str, key: str, error: ClientError) -> bool:
    """Whether an object that could not be had is not there.

    Of one that is not there S3 may say "forbidden" to those who may list a folder alone: then its list is asked.
    """
    code = code_of(error)
    return code in MISSING or (code in DENIED and listed_version(client, bucket, key) is None)


def listed_version(client: Any, bucket: str, key: str) -> str | None:
    """The ETag of what a bucket lists under a key; None: nothing."""
    found = client.list_objects_v2(Bucket=bucket, Prefix=key, MaxKeys=1).get("Contents", ())
    return next((str(item["ETag"]) for item in found if item["Key"] == key), None)


def _pieces(body: Any, bucket: str) -> Iterator[bytes]:
    with translated(bucket):
        yield from body.iter_chunks(CHUNK_BYTES)
