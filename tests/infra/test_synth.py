"""The app synthesizes anywhere, and the committed state machine is the one that is deployed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from infra.app import Synthesized
from infra.asl import PIPELINE_FILE, definition, machines, render
from infra.node import bundled_node

pytestmark = pytest.mark.infra
ROOT = Path(__file__).parents[2]


def test_the_committed_definition_is_the_synthesized_one(synthesized: Synthesized) -> None:
    template = synthesized.stateless
    fresh = render(definition(template, machines(template)["Gate"]))
    assert PIPELINE_FILE.read_text(encoding="utf-8") == fresh, "run: python -m infra.asl"


def test_the_app_synthesizes_with_no_credentials_no_docker_and_no_node_on_the_path(tmp_path: Path) -> None:
    # What says where packages come from stays: the layer is made of them.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "JSII_"))}
    environment |= {"PATH": str(tmp_path), "CDK_OUTDIR": str(tmp_path / "out")}
    done = subprocess.run(
        [sys.executable, "-m", "infra.app"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out").glob("*.template.json"))) == 2
    (layer,) = (tmp_path / "out").glob("asset.*/python")
    size = sum(path.stat().st_size for path in layer.rglob("*") if path.is_file())
    assert size <= 20 * 1024 * 1024, "the layer has grown"
    assert not list(layer.rglob("*x86_64*")), "the layer holds wheels of another platform"


def test_jsii_runs_on_the_node_that_was_installed_from_pypi() -> None:
    assert os.environ["JSII_NODE"] == str(bundled_node())
    assert Path(os.environ["JSII_NODE"]).is_file()
