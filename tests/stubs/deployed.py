"""The gate as a real `cdk bootstrap` and `cdk deploy` make it in AWS on loopback: its code is the deployed zips."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.aws_events import an_upload
from tests.stubs import aws, converse
from tests.stubs.cdk_cli import cdk, cdk_in
from tests.stubs.line import Line, line_to
from tests.stubs.receiver import Receiver, receiving

SETTINGS = {
    "gate:retain": "false",
    "gate:model": "amazon.nova-lite-v1:0",
    "gate:search": "https://search.internal",
    "gate:search_arn": "arn:aws:es:us-east-1:123456789012:domain/corpus",
}
BOOTSTRAP = ("bootstrap", "aws://123456789012/us-east-1")
DEPLOY = ("deploy", "--all", "--method=direct", "--require-approval", "never")


class Deployed:
    """The deployment, and how the world acts on it."""

    def __init__(self, url: str, workers: aws.Workers, folder: Path, model: converse.ConverseStub) -> None:
        self.url, self.workers, self.folder, self.model = url, workers, folder, model
        self.s3, self.states = aws.client("s3", url), aws.client("stepfunctions", url)
        self.functions = aws.client("lambda", url)
        self.outputs: dict[str, str] = {}
        self.settings = dict(SETTINGS)
        self.receiver: Receiver
        """Of notices that runs wait for a person."""
        self.line: Line | None = None
        """To the OpenSearch node, where there is one."""

    @property
    def context(self) -> list[str]:
        """The properties, as the CLI takes them."""
        return [part for name, value in self.settings.items() for part in ("-c", f"{name}={value}")]

    def deploy(self, *options: str) -> None:
        cdk(*DEPLOY, *self.context, *options, url=self.url, outdir=self.folder / f"out{time.monotonic_ns()}")
        self.look()

    def look(self) -> None:
        """Read where things are: by the outputs of stacks, and by the parameters of the gate's own."""
        for stack in aws.client("cloudformation", self.url).describe_stacks()["Stacks"]:
            self.outputs |= {one["OutputKey"]: one["OutputValue"] for one in stack.get("Outputs", ())}
        every = aws.client("ssm", self.url).get_paginator("get_parameters_by_path")
        for page in every.paginate(Path="/reliability-gate/ReliabilityGate"):
            self.outputs |= {one["Name"].rpartition("/")[2]: one["Value"] for one in page["Parameters"]}
        # moto leaves versioning out when a template makes a bucket; that ours asks for it is a template test.
        versioned = {"Status": "Enabled"}
        self.s3.put_bucket_versioning(Bucket=self.outputs["UploadsBucket"], VersioningConfiguration=versioned)

    def name(self, agent: str) -> str:
        """The name of an agent's function."""
        every = self.functions.list_functions()["Functions"]
        return str(next(one["FunctionName"] for one in every if one["Handler"].startswith(f"{agent}.")))

    def call(self, agent: str, event: Any) -> Any:
        """Invoke a function as its trigger would."""
        answer = self.functions.invoke(FunctionName=self.name(agent), Payload=json.dumps(event))
        payload = json.loads(answer["Payload"].read())
        assert "FunctionError" not in answer, payload
        return payload

    def upload(self, key: str, text: str) -> dict[str, Any]:
        """Put an object and make the event that S3 would send (moto sends none to a function)."""
        bucket = self.outputs["UploadsBucket"]
        version = self.s3.put_object(Bucket=bucket, Key=key, Body=text.encode())["VersionId"]
        event = an_upload(key, size=len(text.encode()), version=version)
        event["detail"]["bucket"]["name"] = bucket
        return event

    def ended(self, machine: str, run_id: str, seconds: float = 120) -> dict[str, Any]:
        """Wait for an execution."""
        arn = f"{self.outputs[machine].replace(':stateMachine:', ':execution:')}:{run_id}"
        until = time.monotonic() + seconds
        while (found := self.states.describe_execution(executionArn=arn))["status"] == "RUNNING":
            assert time.monotonic() < until, "the execution does not end"
            time.sleep(0.5)
        ended: dict[str, Any] = found
        return ended

    def report(self, run_id: str, name: str = "report.json") -> dict[str, Any]:
        body = self.s3.get_object(Bucket=self.outputs["BlobsBucket"], Key=f"reports/{run_id}/{name}")["Body"].read()
        loaded: dict[str, Any] = json.loads(body)
        return loaded


@contextmanager
def deployment(folder: Path, node: Callable[[], str | None]) -> Iterator[Deployed]:
    """Deploy once; `node` gives the URL of an OpenSearch, or None: the embedded store takes its place."""
    (folder / "functions").mkdir()
    with converse.running() as model, ThreadPoolExecutor(1) as beside, ExitStack() as lines:
        services = {"AWS_ENDPOINT_URL_BEDROCK_RUNTIME": model.url, "GATE_HOME": str(folder / "home")}
        services["RECORDED_CALLS"] = str(folder / "calls")
        with aws.running(folder / "functions", services) as (url, workers):
            made = Deployed(url, workers, folder, model)
            # In the checkout the command would synthesize the app first, of which it uses nothing: 79 s for 9.
            bootstrap = beside.submit(cdk_in, folder, *BOOTSTRAP, url=url)
            if found := node():
                made.line = lines.enter_context(line_to(found))
            search = made.line.url if made.line else "embedded"
            workers.environment |= {"GATE_SEARCH": search, "GATE_SEARCH_SERVICE": ""}
            bootstrap.result()
            made.receiver = lines.enter_context(receiving())
            secret = json.dumps({"url": made.receiver.url, "key": f"whsec_{base64.b64encode(bytes(32)).decode()}"})
            secrets = aws.client("secretsmanager", url)
            made.settings["gate:review_webhook"] = secrets.create_secret(Name="hook", SecretString=secret)["ARN"]
            made.deploy()
            yield made
