"""The app synthesizes anywhere, and the committed state machine is the one that is deployed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from infra.app import Synthesized
from infra.asl import PIPELINE_FILE, definition, machines, render
from infra.bytecode import compile_all, interpreter
from infra.node import bundled_node
from tests.infra.templates import WHOLE
from tests.machines import batch_chain

pytestmark = pytest.mark.infra
ROOT = Path(__file__).parents[2]


def size_of(folder: Path) -> int:
    """Bytes of all files in it, but for bytecode, which is there where a Python of the functions' version is."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")


def test_the_committed_definition_is_the_synthesized_one(synthesized: Synthesized) -> None:
    template = synthesized.stateless
    fresh = render(definition(template, machines(template)["Gate"]))
    assert PIPELINE_FILE.read_text(encoding="utf-8") == fresh, "run: python -m infra.asl"


def test_the_chain_of_a_batch_is_the_one_that_the_interpreter_is_tested_on(synthesized: Synthesized) -> None:
    template = synthesized.stateless
    batch = definition(template, machines(template)["Batch"])
    processor = batch["States"]["CheckTranscripts"]["ItemProcessor"]
    assert processor.pop("ProcessorConfig") == {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}
    assert json.loads(batch_chain()) == processor


def without_layers(template: dict[str, Any]) -> dict[str, Any]:
    """A template's resources; what a layer holds is built only where it is deployed."""
    found: dict[str, Any] = json.loads(json.dumps(template["Resources"]))
    for one in found.values():
        if one["Type"] == "AWS::Lambda::LayerVersion":
            one["Properties"]["Content"]["S3Key"] = ""
    return found


def test_the_app_synthesizes_with_no_credentials_no_docker_and_no_node_on_the_path(
    synthesized: Synthesized, tmp_path: Path
) -> None:
    # What says where packages come from stays: the layer is made of them.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "JSII_"))}
    environment |= {"PATH": str(tmp_path), "CDK_OUTDIR": str(tmp_path / "out"), "CDK_CONTEXT_JSON": json.dumps(WHOLE)}
    done = subprocess.run(
        [sys.executable, "-m", "infra.app"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out").glob("*.template.json"))) == 2
    # By itself it writes the very templates that the CLI deploys, under the flags of cdk.json.
    for stack, deployed in (("ReliabilityGateData", synthesized.stateful), ("ReliabilityGate", synthesized.stateless)):
        written = json.loads((tmp_path / "out" / f"{stack}.template.json").read_text())
        assert without_layers(written) == without_layers(deployed)
    layers = {
        frozenset(path.name for path in folder.iterdir()): folder
        for folder in (tmp_path / "out").glob("asset.*/python")
    }
    (layer,) = (folder for names, folder in layers.items() if "pydantic" in names)
    (readers,) = (folder for names, folder in layers.items() if "pypdf" in names)
    (package,) = (folder for names, folder in layers.items() if "gate" in names)
    assert size_of(layer) <= 20_000_000
    assert size_of(readers) <= 5_000_000
    assert size_of(package) <= 5_000_000
    assert bool(list(package.rglob("*.pyc"))) == bool(interpreter())
    assert not list(layer.parent.parent.rglob("*x86_64*")), "a layer holds wheels of another platform"


def test_a_layer_holds_bytecode_that_is_loaded_however_its_files_are_dated(tmp_path: Path) -> None:
    (tmp_path / "parcel").mkdir()
    (tmp_path / "parcel" / "__init__.py").write_text("def weight():\n    raise ValueError\n")
    (tmp_path / "parcel" / "template.py").write_text("{{ no Python }}")
    compile_all(tmp_path, sys.executable)
    (compiled,) = tmp_path.rglob("*.pyc")
    flags = int.from_bytes(compiled.read_bytes()[4:8], "little")
    assert flags == 0b01, "by hash, and unchecked"
    assert b"/opt/python/parcel/__init__.py" in compiled.read_bytes()
    assert str(tmp_path).encode() not in compiled.read_bytes()


def test_a_compiler_that_writes_nothing_ends_the_synthesis(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text("x = 1\n")
    with pytest.raises(RuntimeError, match="wrote no bytecode"):
        compile_all(tmp_path, "/bin/true")


def test_bytecode_is_of_a_python_that_is_really_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert interpreter(own) == sys.executable
    shim = tmp_path / "python9.9"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert interpreter("9.9") is None
    shim.write_text("#!/bin/sh\necho 9.8\n")
    interpreter.cache_clear()
    assert interpreter("9.9") is None


def test_a_python_that_uv_keeps_off_the_path_compiles_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept"
    for name, says in (("uv", str(kept)), ("kept", "9.7")):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {says}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert interpreter("9.7") == str(kept)


def test_jsii_runs_on_the_node_that_was_installed_from_pypi() -> None:
    assert os.environ["JSII_NODE"] == str(bundled_node())
    assert Path(os.environ["JSII_NODE"]).is_file()
