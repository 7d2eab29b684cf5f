"""Cold start and size of the deployed functions.

Import of a handler and its first call against stand-ins on loopback, in a fresh process with the settings and the
packages it is deployed with; in CPU time, as a ratio to bare boto3 clients of Bedrock and S3 with Powertools' Logger
and Metrics that make one call each. Median of rounds in which each handler follows a bare process. Bytecode is there,
as boto3's is on Lambda. A layer is built for the functions' own platform and measured unpacked.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gate.catalogue import BY_NAME
from tests.benchmarks.table import Row
from tests.first_calls import OBJECTS, environment_of, first_call, run
from tests.infra.templates import WHOLE, functions
from tests.stubs import services

ROUNDS = 9
MOST, MOST_RETRIEVAL, MOST_LAYER_MB = 1.35, 1.7, 20
BARE = """
import json, sys, time
import boto3
from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
logger, metrics = Logger(service="bare"), Metrics(namespace="Bare", service="bare")
bedrock, s3 = boto3.client("bedrock-runtime"), boto3.client("s3")
bedrock.converse(modelId="m", messages=[{"role": "user", "content": [{"text": "Yes or no?"}]}])
s3.put_object(Bucket="blobs", Key="bare", Body=b"{}")
metrics.add_metric(name="Handled", unit=MetricUnit.Count, value=1)
metrics.flush_metrics()
logger.info("handled")
print(json.dumps({"seconds": time.process_time()}), file=sys.stderr)
"""


def measure() -> list[Row]:
    """Time first calls, weigh layers."""
    from infra.app import synthesize

    deployed = functions(synthesize(dict(WHOLE)).stateless)
    ratios: dict[str, list[float]] = {name: [] for name in BY_NAME}
    with services.running(OBJECTS) as url:
        for _ in range(ROUNDS):
            for name, found in ratios.items():
                bare = run(BARE, environment_of(deployed[name], url))
                found.append(first_call(name, deployed[name], url)["seconds"] / bare["seconds"])
    return [*(_row(name, statistics.median(found)) for name, found in ratios.items()), *layers()]


def _row(name: str, ratio: float) -> Row:
    most = MOST_RETRIEVAL if {"search", "index"} & set(BY_NAME[name].uses) else MOST
    return Row(f"`{name}`, first call to bare clients", f"{ratio:.2f}", f"≤ {most}", ratio <= most)


def layers() -> Iterator[Row]:
    """Unpacked sizes of the layers."""
    from infra.layer import LOCK, Wheels, wanted

    for what, readers in (("dependencies", False), ("readers of documents", True)):
        with tempfile.TemporaryDirectory() as folder:
            Wheels(wanted(LOCK.read_text(), readers=readers)).try_bundle(folder)
            megabytes = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / 1e6
        goal = f"≤ {MOST_LAYER_MB} MB"
        yield Row(f"Layer of {what}, unpacked", f"{megabytes:.1f} MB", goal, megabytes <= MOST_LAYER_MB)
