"""An upgrade of a deployment, as far as moto shows it: `python -m tests.upgrading CHECKOUT`, by hand.

The tree in CHECKOUT is deployed and takes a document; one run ends, another waits for a person. This tree is deployed
over it with another search. What was there must be there, and the run that waits must end by its decision. A line says
what held; the first that does not ends it.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.aws_events import a_request
from tests.stubs import cdk_cli
from tests.stubs.deployed import Deployed, deployment

POLICY = {"unsupported": "review", "contradicted": "review", "failed_check": "review", "review_hours": 1}
ANN = {"sub": "ann", "cognito:groups": "reviewers"}
SEARCH = "https://other.internal"
TRUE, FALSE = "Item 1 weighs 3 grams.", "Item 1 weighs 900 tonnes."


def ask(made: Deployed, method: str, path: str, body: Any = None) -> dict[str, Any]:
    """Call the API as somebody who may review."""
    answer = made.call("api", a_request(method, path, body, claims=ANN))
    assert answer["statusCode"] < 300, answer
    said: dict[str, Any] = json.loads(answer["body"])
    return said


def before(made: Deployed) -> tuple[str, str]:
    """Use the deployment; the ids of a run that ended, and of one that waits."""
    row = json.dumps({"id": "d1", "content": TRUE}) + "\n"
    assert made.call("ingest_corpus", made.upload("corpora/trusted_docs/items.jsonl", row))["indexed"] == 1
    started = made.call("start_check", made.upload("transcripts/answer.md", TRUE))
    assert made.ended("MachineArn", started["run_id"], 600)["status"] == "SUCCEEDED"
    bucket = made.outputs["UploadsBucket"]
    made.s3.put_object(Bucket=bucket, Key="config/policy.json", Body=json.dumps(POLICY).encode())
    waits = str(ask(made, "POST", "/v1/checks", {"text": FALSE})["id"])
    until = time.monotonic() + 600
    while waits not in [one["id"] for one in ask(made, "GET", "/v1/reviews")["reviews"]]:
        assert time.monotonic() < until, "nobody is asked"
        time.sleep(0.3)
    return started["run_id"], waits


def kept(made: Deployed) -> dict[str, Any]:
    """What of a deployment outlives an upgrade: objects of the buckets, and addresses."""
    buckets = (made.outputs["UploadsBucket"], made.outputs["BlobsBucket"])
    listed = {name: made.s3.list_objects_v2(Bucket=name).get("Contents", ()) for name in buckets}
    places = {name: made.outputs[name] for name in ("MachineArn", "BatchMachineArn", "UploadsBucket", "BlobsBucket")}
    return {"objects": {name: {one["Key"] for one in found} for name, found in listed.items()}, "places": places}


def after(made: Deployed, ended: str, waits: str, was: dict[str, Any]) -> None:
    """Ask what was there of what is there now."""
    now = kept(made)
    assert now["places"] == was["places"]
    print("buckets, machines: the same")
    lost = {name: keys - now["objects"][name] for name, keys in was["objects"].items()}
    assert not any(lost.values()), lost
    print(f"objects: {sum(map(len, was['objects'].values()))}, none lost")
    assert ask(made, "GET", f"/v1/checks/{ended}")["outcome"] == "pass"
    print("the run that had ended: its outcome is told")
    told = made.functions.get_function_configuration(FunctionName=made.name("retrieve_evidence"))
    assert told["Environment"]["Variables"]["GATE_SEARCH"] == SEARCH
    # The stand-in for the search is laid over what functions are deployed with.
    stand_in = made.workers.environment.pop("GATE_SEARCH")
    made.workers.restart()
    behind = made.call("reconcile_corpus", {})["trusted_docs"]
    assert behind["behind"] == behind["documents"] == 1, behind
    made.workers.environment["GATE_SEARCH"] = stand_in
    made.workers.restart()
    assert made.call("reconcile_corpus", {})["trusted_docs"]["behind"] == 0
    print("the corpus: the new search is to be filled with its document, the former one has it still")
    decision = {"outcome": "pass", "comment": "Rounded."}
    assert ask(made, "POST", f"/v1/reviews/{waits}/decide", decision)["goes_on"] is True
    assert made.ended("MachineArn", waits, 600)["status"] == "SUCCEEDED"
    assert made.report(waits)["outcome"] == "pass"
    print("the run that waited: decided on, ended by today's functions, its report says pass")


def main(checkout: Path) -> None:
    """Deploy the tree of a checkout, and this one over it."""
    this = cdk_cli.ROOT
    cdk_cli.ROOT, os.environ["PYTHONPATH"] = checkout, str(checkout / "functions")
    with tempfile.TemporaryDirectory() as folder, deployment(Path(folder), lambda: None) as made:
        ended, waits = before(made)
        was = kept(made)
        print(f"{checkout.name} deployed; {ended} ended, {waits} waits", flush=True)
        cdk_cli.ROOT, os.environ["PYTHONPATH"] = this, str(this / "functions")
        made.settings |= {"gate:search": SEARCH, "gate:search_arn": "arn:aws:es:us-east-1:123456789012:domain/other"}
        # moto forgets the parameters that a template has by default.
        made.deploy("--no-previous-parameters")
        made.workers.restart()
        after(made, ended, waits, was)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
