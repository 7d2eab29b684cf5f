"""Starts a run for an upload: the same event any number of times starts one run."""

from __future__ import annotations

from typing import Any

from gate import wiring
from gate.agents.publish_failure import publish_failure
from gate.errors import ConflictError, InputError
from gate.services import run, submissions, upload_forms
from gate.services.audit_log import record
from gate.submission.events import Upload, uploaded
from gate.submission.uploads import kind_of, plain_name, text_of


def start_check(event: dict[str, Any]) -> dict[str, Any]:
    """Answer an S3 "Object Created" event.

    An upload that cannot be checked gets a failure report under its run id, and the event counts as handled.

    Returns:
        `run_id`, and either `kind` (`check` or `batch`) and whether it was `started` (false: it has ended), or the
        code it was `rejected` for.
    """
    upload = uploaded(event)
    policy, policy_version, problem = submissions.team_policy()
    if problem:
        record("PolicyUnreadable", hint=problem)
    run_id, config = upload.run_id(policy_version), {"name": plain_name(upload.key)}
    try:
        if expected := upload_forms.expected(upload):
            run_id, config = expected
            if upload_forms.has_begun(run_id):
                return {"run_id": run_id, "kind": "check", "started": False}
        kind = kind_of(upload.key)
        start = _start_one if kind == "check" else _start_batch
        return {"run_id": run_id, "kind": kind, "started": start(run_id, upload, {**config, "policy": policy})}
    except InputError as error:
        # What another upload by the same form has begun goes on, and so does what this very event began before.
        if isinstance(error, ConflictError) or upload_forms.has_begun(run_id):
            return {"run_id": run_id, "rejected": error.code}
        failure = {"status": "REJECTED", "error": error.code, "cause": error.safe_message}
        publish_failure({"run_id": run_id, "failure": failure, "config": config})
        return {"run_id": run_id, "rejected": error.code}


def _start_one(run_id: str, upload: Upload, config: dict[str, Any]) -> bool:
    caps = run.caps()
    if upload.size > caps.max_bytes:
        raise InputError(f"larger than {caps.max_bytes} bytes", hint="GATE_MAX_BYTES sets the cap")
    chunks = wiring.current().uploads().chunks(upload.bucket, upload.key, upload.version)
    text = text_of(chunks, upload.key, max_bytes=caps.max_bytes)
    return submissions.start(run_id, {"name": plain_name(config["name"]), "text": text}, config)


def _start_batch(run_id: str, upload: Upload, config: dict[str, Any]) -> bool:
    source = {"bucket": upload.bucket, "key": upload.key, "version": upload.version}
    return wiring.current().batch_runs().start(run_id, {"upload": source, "config": {"policy": config["policy"]}})
