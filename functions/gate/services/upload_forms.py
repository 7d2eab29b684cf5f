"""Forms by which callers of the API upload a transcript: each is for one key, and what comes there starts one run."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from gate import wiring
from gate.errors import ConflictError, InputError
from gate.services.run import caps
from gate.submission.events import Upload
from gate.submission.uploads import CONTENT_TYPES, is_packed, kind_of, plain_name

KIND = "up"
"""How ids of such runs begin."""
RUN = re.compile(rf"{KIND}-[0-9a-f]{{32,40}}")
PLAIN = re.compile(r"[A-Za-z0-9_-]{1,63}")
OF_NO_TENANT = "of-no-tenant"
LATE_S = 3_600
"""What was begun in time may end, and be told of, so much later."""


class IssuedForm(NamedTuple):
    """What a caller sends with a transcript, and to where.

    Attributes:
        url: takes it by POST, as `multipart/form-data`.
        fields: to send before the file, each as it is.
        until: when the form ends (UTC, ISO 8601).
        max_bytes: of the file.
    """

    url: str
    fields: dict[str, str]
    until: str
    max_bytes: int


class Expected(NamedTuple):
    """The run that an upload starts, and its config, which has no policy yet."""

    run_id: str
    config: dict[str, Any]


def issue(run_id: str, config: Mapping[str, Any]) -> IssuedForm:
    """Make the form for a run; its `config["name"]` says by its ending what is uploaded.

    Raises:
        InputError: this gate takes no uploads, or not of that name.
        ConflictError: that id was given a form for something else.
    """
    now = wiring.current().settings
    if not now.upload_to:
        raise InputError("nothing is uploaded to this gate", hint="POST /v1/checks")
    name = str(config["name"])
    if kind_of(name) != "check":
        hint = "a batch goes to transcripts/ of the uploads bucket"
        raise InputError("what is uploaded by a form is one transcript", hint=hint)
    bucket, folder = _place(now.upload_to)
    key = f"{folder}{_folder_of(config['search'].get('tenant'))}/{run_id}{_ending(name)}"
    seconds = now.upload_minutes * 60
    until = int(time.time()) + seconds
    _expect(run_id, {"key": key, "config": dict(config), "until": until})
    url, fields = (
        wiring.current()
        .uploads()
        .form(
            bucket,
            key,
            {"Content-Type": CONTENT_TYPES[PurePosixPath(key).suffix]},
            encryption_key=now.upload_key,
            max_bytes=caps().max_bytes,
            seconds=seconds,
        )
    )
    return IssuedForm(url, fields, _told(until), caps().max_bytes)


def expected(upload: Upload) -> Expected | None:
    """What an upload by a form starts; None: it came by none.

    Raises:
        InputError: it lies where forms lead, and none that is known led there.
    """
    where = wiring.current().settings.upload_to
    if not where or upload.bucket != _place(where)[0] or not upload.key.startswith(_place(where)[1]):
        return None
    run_id = PurePosixPath(upload.key).name.partition(".")[0]
    found = _found(run_id) if RUN.fullmatch(run_id) else None
    if found is None or found["key"] != upload.key:
        raise InputError("no form is known for this upload", hint="POST /v1/uploads gives one")
    return Expected(run_id, found["config"])


def has_begun(run_id: str) -> bool:
    """Whether there is a run of what was uploaded: that goes on, whatever comes after it."""
    return wiring.current().runs().status(run_id) is not None


def waits(run_id: str) -> str | None:
    """What to tell of a run that no upload has begun yet; None: it waits for none."""
    found = _found(run_id) if RUN.fullmatch(run_id) else None
    return f"it waits for its upload until {_told(found['until'])}" if found else None


def came_to_nothing(run_id: str) -> bool:
    """Whether the time is over in which something could have been uploaded for a run."""
    found = _found(run_id) if RUN.fullmatch(run_id) else None
    return found is not None and found["until"] + LATE_S < time.time()


def forget(run_id: str) -> None:
    """Remove what was uploaded for a run, if it came by a form; its versions go with their time."""
    found = _found(run_id) if RUN.fullmatch(run_id) else None
    if found:
        wiring.current().uploads().remove(_place(wiring.current().settings.upload_to)[0], found["key"])


def _expect(run_id: str, form: dict[str, Any]) -> None:
    blobs, key, data = wiring.current().blob_store(), _key(run_id), json.dumps(form).encode()
    if blobs.add(key, data):
        return
    known = json.loads(blobs.get(key))
    if {**known, "until": 0} != {**form, "until": 0}:
        raise ConflictError("a form of this name was given, for something else", hint="use a new name")
    blobs.put(key, data)  # the same once more, for longer


def _found(run_id: str) -> dict[str, Any] | None:
    data = wiring.current().blob_store().find(_key(run_id))
    found: dict[str, Any] | None = json.loads(data) if data is not None else None
    return found


def _key(run_id: str) -> str:
    return f"runs/{run_id}/form.json"


def _place(url: str) -> tuple[str, str]:
    """Bucket and folder of `s3://bucket/folder`; the folder ends in a slash, or is empty."""
    bucket, _, folder = url.removeprefix("s3://").partition("/")
    return bucket, f"{folder.strip('/')}/".lstrip("/")


def _folder_of(tenant: str | None) -> str:
    """A tenant's own folder; what is no plain name, an address for example, stands in no key."""
    if tenant is None:
        return OF_NO_TENANT
    return tenant if PLAIN.fullmatch(tenant) else hashlib.sha256(tenant.encode()).hexdigest()


def _ending(name: str) -> str:
    """`.json`, `.md.gz`, …"""
    return PurePosixPath(plain_name(name).lower()).suffix + (".gz" if is_packed(name) else "")


def _told(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
