"""What EventBridge would tell the deployed functions, which moto does not: of objects in S3, and of failed runs."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.aws_events import an_upload

LOOK_S = 0.2
CALLED = {"transcripts/": "start_check", "corpora/": "ingest_corpus"}


@contextmanager
def telling(s3: Any, states: Any, outputs: dict[str, str], call: Callable[[str, Any], Any]) -> Iterator[None]:
    """Tell of what happens from now on, by looking again and again."""
    told: set[str] = set()
    for what, _ in happened(s3, states, outputs):
        told.add(what)
    stop = threading.Event()

    def look() -> None:
        while not stop.wait(LOOK_S):
            for what, (agent, event) in happened(s3, states, outputs):
                if what not in told:
                    told.add(what)
                    # Later events of one object have later sequencers.
                    event["detail"].get("object", {})["sequencer"] = f"{len(told):016X}"
                    call(agent, event)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def happened(s3: Any, states: Any, outputs: dict[str, str]) -> Iterator[tuple[str, tuple[str, Any]]]:
    """Every version and removal of an object and every failed run, by a name for it, with whom it is told to."""
    bucket = outputs["UploadsBucket"]
    listed = s3.list_object_versions(Bucket=bucket)
    for one in (*listed.get("Versions", ()), *listed.get("DeleteMarkers", ())):
        agent = next((agent for folder, agent in CALLED.items() if one["Key"].startswith(folder)), "")
        if agent and ("Size" in one or agent == "ingest_corpus"):
            event = an_upload(one["Key"], size=one.get("Size", 0), version=one["VersionId"])
            event["detail"]["bucket"]["name"] = bucket
            event["detail-type"] = "Object Created" if "Size" in one else "Object Deleted"
            yield one["VersionId"], (agent, event)
    for run in states.list_executions(stateMachineArn=outputs["MachineArn"], statusFilter="FAILED")["executions"]:
        ended = states.describe_execution(executionArn=run["executionArn"])
        detail = {"name": run["name"], "status": "FAILED", "error": ended["error"], "cause": ended["cause"]}
        change = {"detail-type": "Step Functions Execution Status Change", "source": "aws.states", "detail": detail}
        yield run["name"], ("publish_failure", json.loads(json.dumps(change)))
