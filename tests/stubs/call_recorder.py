"""Notes every call of the AWS SDK in a process: what is called, on which of the deployment's own things.

A line is an operation and what it is about, with nothing of one deployment in it: `s3:PutObject blobs/runs/*`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import boto3

WHOLE = "config/policy.json"
BY_FORM = "transcripts/by-form/"
NAMED = {
    "stateMachineArn": {"GATE_MACHINE": "gate", "GATE_BATCH_MACHINE": "batch"},
    "TableName": {"GATE_BUDGET_TABLE": "budgets", "GATE_DOCUMENTS_TABLE": "documents", "GATE_REVIEWS_TABLE": "reviews"},
    "QueueUrl": {"GATE_DOCUMENTS_QUEUE": "documents"},
    "SecretId": {"GATE_REVIEW_WEBHOOK": "webhook"},
    "modelId": {"GATE_MODEL": "model", "GATE_EMBEDDER": "embedder", "GATE_IMAGES": "images"},
}
"""Parameters that name a thing, and the settings that say which thing it is."""


def record(agent: str, file: Path) -> None:
    """Write a line `agent operation thing` for every call of this process from now on."""
    boto3.setup_default_session()
    session: Any = boto3.DEFAULT_SESSION

    def note(params: Mapping[str, Any], model: Any, **_: Any) -> None:
        if model.name == "CreateBucket":  # as which botocore signs a form; nothing is asked
            return
        with file.open("a") as lines:
            for thing in things(params, os.environ):
                lines.write(f"{agent} {model.service_model.service_name}:{model.name} {thing}\n")

    session._session.register("provide-client-params", note)


def things(params: Mapping[str, Any], environment: Mapping[str, str]) -> Iterator[str]:
    """What a call is about."""
    if "Bucket" in params:
        bucket = "blobs" if environment.get("GATE_BLOBS") == f"s3://{params['Bucket']}" else "uploads"
        keys = [one["Key"] for one in params.get("Delete", {}).get("Objects", ())]
        marks = "".join(f" {mark}" for mark in ("VersionId", "IfNoneMatch") if params.get(mark))
        for folder in sorted({folder_of(key) for key in keys or [params.get("Key") or params["Prefix"]]}):
            yield f"{bucket}/{folder}{marks}"
        return
    named = dict(params)
    named |= {"TableName": next(iter(params["RequestItems"]))} if "RequestItems" in params else {}
    if "executionArn" in params:
        named["stateMachineArn"] = params["executionArn"].replace(":execution:", ":stateMachine:").rpartition(":")[0]
    if "taskToken" in named:  # it names no machine, and runs of no other wait
        yield "gate"
        return
    for parameter, settings in NAMED.items():
        if parameter in named:
            told = {environment.get(setting, "").removeprefix("bedrock:"): thing for setting, thing in settings.items()}
            index = f" {named['IndexName']}" if "IndexName" in named else ""
            yield told.get(named[parameter], "?") + index
            return
    yield "*"


def folder_of(key: str) -> str:
    """The folder that a policy names a key by."""
    if key.startswith(BY_FORM):
        return f"{BY_FORM}*"
    return key if key == WHOLE else f"{key.partition('/')[0]}/*"
