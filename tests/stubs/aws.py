"""AWS on loopback: moto's server, whose Lambda runs the deployed zips, each function in a process of its own.

Of its layers a function has the one of our own package; what the others hold is made for another machine, and is here.
"""

from __future__ import annotations

import inspect
import io
import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3

WORKER = Path(__file__).with_name("lambda_worker.py")
PACKAGE = "python/gate/__init__.py"
REGION, ACCOUNT = "us-east-1", "123456789012"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing"}


class Workers:
    """The processes that run deployed functions.

    Args:
        folder: where zips are unpacked.
        environment: laid over what a function was deployed with: where the stand-ins of its services are.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self.environment = dict(environment)
        self._processes: dict[str, subprocess.Popen[str]] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._starting = threading.Lock()
        self.invoked: list[str] = []

    def invoke(self, function: Any, event: bytes | str | None) -> dict[str, Any]:
        """Call a function with JSON; `{"payload"}` or `{"error"}`."""
        name = str(function.function_name)
        with self._starting:
            if name not in self._processes:
                self._processes[name] = self._start(function)
                self._locks[name] = threading.Lock()
        self.invoked.append(str(function.handler).split(".")[0])
        process = self._processes[name]
        with self._locks[name]:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(json.loads(event or b"{}")) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        if not line:
            return {"error": {"errorType": "Runtime.ExitError", "errorMessage": "the process ended"}}
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _start(self, function: Any) -> subprocess.Popen[str]:
        folder = self._unpacked(function)
        package = self._package() or folder
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GATE_"))}
        environment |= {
            "PYTHONPATH": f"{folder}{os.pathsep}{package}",
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            **CREDENTIALS,
        }
        environment |= {str(key): str(value) for key, value in function.environment_vars.items()} | self.environment
        return subprocess.Popen(
            [sys.executable, str(WORKER), str(folder), str(package), str(function.handler)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=(self._folder / "stderr.log").open("a"),
            env=environment,
            text=True,
        )

    def _package(self) -> Path | None:
        """Where the package lies that a layer holds; None of a tree from before it did."""
        from moto.awslambda.models import lambda_backends

        backend = lambda_backends[ACCOUNT][REGION]
        # moto's CloudFormation makes layers, and tells functions of none.
        versions = [one for listed in backend.list_layers() for one in backend.list_layer_versions(listed["LayerName"])]
        for layer in versions:
            if PACKAGE in zipfile.ZipFile(io.BytesIO(layer.code_bytes)).namelist():
                return self._unpacked(layer) / "python"
        return None

    def _unpacked(self, zipped: Any) -> Path:
        folder = self._folder / str(zipped.code_sha_256).replace("/", "_")
        if not folder.exists():
            zipfile.ZipFile(io.BytesIO(zipped.code_bytes)).extractall(folder)
        return folder

    def restart(self) -> None:
        """End every process; the next call starts the code that is deployed then."""
        for process in self._processes.values():
            process.kill()
            process.wait()
        self._processes.clear()


@contextmanager
def running(folder: Path, environment: Mapping[str, str]) -> Iterator[tuple[str, Workers]]:
    """Serve AWS; yields its URL and the functions' processes. Only one at a time in a process: moto is global."""
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    if "moto.stepfunctions.responses" in sys.modules:
        raise RuntimeError(
            "moto has served in this process before, and its backends are global: `make test` runs apart"
        )
    workers = Workers(folder, {})
    _patch(workers)
    server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app), threaded=True)
    url = f"http://localhost:{server.server_port}"
    # Where the interpreter of state machines calls functions.
    os.environ["MOTO_PORT"] = str(server.server_port)
    workers.environment |= {"AWS_ENDPOINT_URL": url, **environment}
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield url, workers
    finally:
        server.shutdown()
        thread.join()
        del os.environ["MOTO_PORT"]
        workers.restart()


def _patch(workers: Workers) -> None:
    """CloudFormation makes machines that run, and functions that call `workers`."""
    import moto.awslambda.models as lambda_models
    import moto.cloudformation.parsing as parsing
    import moto.stepfunctions.models as states_models
    from moto.awslambda_simple.models import LambdaSimpleBackend, lambda_simple_backends
    from moto.events.models import Rule
    from moto.kms.models import KmsBackend
    from moto.ssm.models import SimpleSystemManagerBackend
    from moto.stepfunctions.parser.models import stepfunctions_parser_backends

    states_models.stepfunctions_backends = stepfunctions_parser_backends
    # A rule of the clock has no pattern, which moto takes for one that every event matches.
    send = Rule.send_to_targets
    Rule.send_to_targets = lambda self, *given, **more: (
        None if self.scheduled_expression else send(self, *given, **more)
    )
    lambda_models.lambda_backends = lambda_simple_backends

    def invoke(
        self: Any, function_name: str, qualifier: str | None, body: Any, headers: Any, response_headers: Any
    ) -> bytes:
        del headers
        answer = workers.invoke(self.get_function(function_name, qualifier), body)
        if "error" in answer:
            response_headers["x-amz-function-error"] = "Unhandled"
        return json.dumps(answer.get("error", answer.get("payload"))).encode()

    LambdaSimpleBackend.invoke = invoke
    # CloudFormation hands tags over in the form that its templates have; these two services have others.
    _retag(KmsBackend, "create_key", lambda tag: {"TagKey": tag["Key"], "TagValue": tag["Value"]})
    _retag(SimpleSystemManagerBackend, "put_parameter", lambda tag: tag)
    lambda_models.LayerVersion.update_from_cloudformation_json = classmethod(_renewed)
    # A function that an update gives its first layer is handed the layer, and moto takes it for an ARN.
    lambda_models.LambdaFunction._get_layers_data = lambda self, given: []
    known = parsing.resource_class_from_type
    parsing.resource_class_from_type = lambda kind: known(kind) or Skipped


def _renewed(
    kind: Any, /, original_resource: Any, cloudformation_json: Any, account_id: str, region_name: str, **_: Any
) -> Any:
    """A layer with other contents, of which AWS makes another version."""
    spec = {"LayerName": original_resource.name, "Content": cloudformation_json["Properties"]["Content"]}
    fresh = kind(spec, account_id, region_name)
    original_resource.code_bytes, original_resource.code_sha_256 = fresh.code_bytes, fresh.code_sha_256
    return original_resource


def _retag(backend: type, method: str, convert: Callable[[dict[str, str]], dict[str, str]]) -> None:
    original = getattr(backend, method)

    def retagged(self: Any, *arguments: Any, tags: Any = None, **named: Any) -> Any:
        if "tags" in inspect.signature(original).bind_partial(self, *arguments).arguments:
            return original(self, *arguments, **named)
        listed = [{"Key": key, "Value": value} for key, value in tags.items()] if isinstance(tags, dict) else tags or []
        converted = [convert(tag) if "Key" in tag else tag for tag in listed]
        return original(self, *arguments, tags=converted, **named)

    setattr(backend, method, retagged)


class Skipped:
    """What CloudFormation makes here of a type that moto does not know: a name and any attribute, and nothing else."""

    kinds: set[str] = set()

    def __init__(self, name: str, kind: str) -> None:
        self.physical_resource_id = name
        self.type = kind
        self.kinds.add(kind)

    @staticmethod
    def cloudformation_name_type() -> str:
        return ""

    @staticmethod
    def has_cfn_attr(attribute: str) -> bool:
        return True

    def get_cfn_attribute(self, attribute: str) -> str:
        return f"arn:aws:skipped:{REGION}:{ACCOUNT}:{self.physical_resource_id}/{attribute}"

    @classmethod
    def create_from_cloudformation_json(
        cls, name: str, definition: dict[str, Any], account: str, region: str, **_: Any
    ) -> Skipped:
        return cls(name, definition["Type"])

    @classmethod
    def update_from_cloudformation_json(cls, original_resource: Skipped, **_: Any) -> Skipped:
        return original_resource

    @classmethod
    def delete_from_cloudformation_json(cls, *_: Any) -> None:
        """Nothing was made."""

    def is_created(self) -> bool:
        return True


def client(service: str, url: str) -> Any:
    """A client of one of the services."""
    session = boto3.Session(aws_access_key_id="testing", aws_secret_access_key="testing", region_name=REGION)
    make: Any = session.client  # its overloads know services by name
    return make(service, endpoint_url=url)
