"""The deployed service under faults and load, on loopback: `python -m tests.load.deployed` (minutes).

The zips that `cdk deploy` puts into moto check answers that are uploaded together, while the model refuses a share of
its calls for rate, the embedder too, the search is cut off for some seconds, documents change, and every event comes
twice, late and out of order. In the end each answer has one run and one report, no false one has passed, and the corpus
is what lies in its bucket.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gate import wiring
from tests.opensearch_node import node
from tests.stubs import aws, converse
from tests.stubs.converse import Seen
from tests.stubs.deployed import Deployed, deployment

INDEX = "trusted_docs"
ANSWERS_AT_ONCE = 4
ENDS_S = 420
"""Seconds that a run, or all documents, may take; tries wait up to a minute each."""
CLAIMS = 3


@dataclass
class Load:
    """How much, and what goes wrong.

    Attributes:
        refused, not_embedded: shares of the model's and of the embedder's calls that are refused for rate.
        outage_s: seconds that the search is cut off, where there is a node to cut off.
    """

    answers: int = 12
    documents: int = 12
    refused: float = 0.2
    not_embedded: float = 0.02
    outage_s: float = 10.0
    seed: int = 1


@dataclass
class Found:
    """What came of it.

    Attributes:
        throttled, cut_off: calls of models, and connections to the search, that were refused.
        messages: about documents, as often as one was handed out.
        wrong: what should not be, in words.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    claims: int = 0
    unchecked: int = 0
    throttled: int = 0
    cut_off: int = 0
    messages: int = 0
    wrong: list[str] = field(default_factory=list)


def fact(number: int) -> str:
    """What the corpus says of an item that does not change."""
    return f"Item {number} weighs {number * 3} grams."


def changing(number: int, version: int) -> str:
    """What a version of a document says that does change."""
    return f"Gadget {number} costs {number * 100 + version} euros."


def endure(deployed: Deployed, load: Load) -> Found:
    """Let all of it happen at once, and look at what is left."""
    chance, found = random.Random(load.seed), Found()
    lock = threading.Lock()

    def unlucky(share: float) -> bool:
        with lock:
            is_refused = chance.random() < share
            found.throttled += is_refused
            return is_refused

    # Moto takes from the deployed queue by itself, and calls nobody with what it takes.
    queue = aws.client("sqs", deployed.url).create_queue(QueueName="load", Attributes={"VisibilityTimeout": "30"})
    deployed.workers.environment["GATE_DOCUMENTS_QUEUE"] = queue["QueueUrl"]
    items = "".join(f"{json.dumps({'id': f'i{n}', 'content': fact(n)})}\n" for n in range(load.answers * CLAIMS))
    deployed.call("ingest_corpus", deployed.upload(f"corpora/{INDEX}/items.jsonl", items))
    refusal = converse.failure(429, "ThrottlingException")
    deployed.model.on(lambda seen: _is_embedding(seen) and unlucky(load.not_embedded), refusal)
    deployed.model.on(lambda seen: not _is_embedding(seen) and unlucky(load.refused), refusal)
    with ThreadPoolExecutor(ANSWERS_AT_ONCE) as pool, ThreadPoolExecutor(1) as beside:
        documents = beside.submit(_change_documents, deployed, load, found)
        events = [
            (number, deployed.upload(f"transcripts/{number}.md", _answer(number))) for number in range(load.answers)
        ]
        twice = [*events, *events]
        chance.shuffle(twice)
        if deployed.line:
            deployed.line.cut()
            threading.Timer(load.outage_s, deployed.line.mend).start()
        started = pool.map(lambda each: (each[0], deployed.call("start_check", each[1])["run_id"]), twice)
        runs = set(started)
        if len(runs) != load.answers:
            found.wrong.append(f"{load.answers} answers began {len(runs)} runs")
        for number, run_id in sorted(runs):
            _look_at(deployed, number, run_id, found)
        current = documents.result()
    found.cut_off = deployed.line.refused if deployed.line else 0
    found.wrong += _not_as_in_the_bucket(deployed, current)
    return found


def _is_embedding(seen: Seen) -> bool:
    return "inputText" in seen.body


def _answer(number: int) -> str:
    """Three claims; every third answer has a false one."""
    first = number * CLAIMS
    last = f"Item {first + 2} weighs {first} tonnes." if number % 3 == 2 else fact(first + 2)
    return " ".join((fact(first), fact(first + 1), last))


def _look_at(deployed: Deployed, number: int, run_id: str, found: Found) -> None:
    status = deployed.ended("MachineArn", run_id, ENDS_S)["status"]
    if status != "SUCCEEDED":
        found.wrong.append(f"the run of answer {number} is {status}")
        return
    report = deployed.report(run_id)
    accounting = report["accounting"]
    found.outcomes[report["outcome"]] += 1
    found.claims += CLAIMS
    found.unchecked += accounting["unchecked"]
    if accounting["verdicts"] + accounting["unchecked"] != CLAIMS:
        found.wrong.append(f"answer {number}: {accounting} of {CLAIMS} claims")
    is_false, passed = number % 3 == 2, report["outcome"] == "pass"
    if passed and (is_false or accounting["unchecked"]):
        found.wrong.append(f"answer {number} passed")
    if not passed and not is_false and not accounting["unchecked"]:
        found.wrong.append(f"answer {number} is true and is {report['outcome']}")


def _change_documents(deployed: Deployed, load: Load, found: Found) -> dict[int, str | None]:
    """Change and remove documents, and deliver their events twice and in any order until each is dealt with."""
    chance = random.Random(load.seed + 1)
    current: dict[int, str | None] = {}
    events: list[dict[str, Any]] = []
    for version in range(3):
        for number in range(load.documents):
            key = f"corpora/{INDEX}/gadget{number}.jsonl"
            if version == 2 and number % 4 == 0:
                deployed.s3.delete_object(Bucket=deployed.outputs["UploadsBucket"], Key=key)
                event = json.loads(json.dumps(events[-1])) | {"detail-type": "Object Deleted"}
                event["detail"]["object"]["key"] = key
                current[number] = None
            else:
                current[number] = changing(number, version)
                event = deployed.upload(key, json.dumps({"id": f"g{number}", "content": current[number]}))
            event["detail"]["object"]["sequencer"] = f"{len(events):016X}"
            events.append(event)
    twice = [*events, *events]
    chance.shuffle(twice)
    found.messages = _deliver(deployed, twice, found)
    return current


def _deliver(deployed: Deployed, events: list[dict[str, Any]], found: Found) -> int:
    """Hand out what waits in a queue until each message is dealt with; returns how often one was handed out."""
    sqs, handed, left = aws.client("sqs", deployed.url), 0, len(events)
    queue = deployed.workers.environment["GATE_DOCUMENTS_QUEUE"]
    for event in events:
        sqs.send_message(QueueUrl=queue, MessageBody=json.dumps(event))
    until = time.monotonic() + ENDS_S
    while left and time.monotonic() < until:
        received = sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=5, AttributeNames=["All"], WaitTimeSeconds=1)
        for message in received.get("Messages", ()):
            handed += 1
            record = {name[0].lower() + name[1:]: value for name, value in message.items()}
            if not deployed.call("ingest_corpus", {"Records": [record]})["batchItemFailures"]:
                sqs.delete_message(QueueUrl=queue, ReceiptHandle=message["ReceiptHandle"])
                left -= 1
    if left:
        found.wrong.append(f"{left} messages about documents were not dealt with in {ENDS_S} s")
    return handed


def _not_as_in_the_bucket(deployed: Deployed, current: dict[int, str | None]) -> Iterator[str]:
    search = deployed.line.url if deployed.line else "embedded"
    settings = {"search": search, "search_service": "", "home": deployed.folder / "home", "embedder": "none"}
    time.sleep(1.5)  # a search shows what was written a second ago
    with wiring.entered(wiring.current().changed(**settings)):
        for number, text in current.items():
            hits = wiring.current().search_engine().search_docs(f"Gadget {number} costs", INDEX, k=50)
            said = [hit["content"] for hit in hits if hit["content"].startswith(f"Gadget {number} ")]
            if said != ([text] if text else []):
                yield f"of gadget {number} the bucket says {text} and the corpus {said}"


def main() -> None:
    """Deploy, endure, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in vars(Load()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(usual), default=usual)
    load = Load(**vars(parser.parse_args()))
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as nodes:

        def started() -> str | None:
            return None if node.missing() else nodes.enter_context(node.cluster())[0].url

        with deployment(Path(folder), started) as deployed:
            began = time.monotonic()
            found = endure(deployed, load)
    seconds = time.monotonic() - began
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(found.outcomes.items()))
    print(f"{load.answers} answers, each event twice: {told}; {found.unchecked} of {found.claims} claims unchecked")
    refused = f"{found.throttled} calls, and {found.cut_off} connections to the search"
    print(f"refused were {refused}; {found.messages} messages about documents handed out")
    print(f"{seconds:.0f} s beside the deployment")
    print("\n".join(found.wrong) or "one run and one report an answer, no false one passed, corpus and bucket agree")
    raise SystemExit(bool(found.wrong))


if __name__ == "__main__":
    main()
