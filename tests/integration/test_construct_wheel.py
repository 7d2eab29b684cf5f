"""The construct as a distribution: installed outside of this repository, a team's own app synthesizes with it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ONLY_HERE = {"app.py", "asl.py"}
"""Modules of the reference app, which reads this repository's files."""
APP = """
from reliability_gate_cdk.gate import ReliabilityGate
from reliability_gate_cdk.props import GateProps
import aws_cdk as cdk
app = cdk.App(context={"aws:cdk:bundling-stacks": []}, builtin_cloud_formation_validation=False, outdir="out")
ReliabilityGate(cdk.Stack(app, "Team"), "Gate", props=GateProps(model="amazon.nova-lite-v1:0"))
app.synth()
"""


def test_the_distribution_holds_every_module_of_the_construct() -> None:
    project = tomllib.loads((ROOT / "infra" / "pyproject.toml").read_text())
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    modules = {path.name for path in (ROOT / "infra").glob("*.py")} - ONLY_HERE
    assert {name for name in included if not name.startswith("..")} == modules


@pytest.mark.slow
def test_a_team_s_own_app_synthesizes_with_the_installed_wheel(tmp_path: Path) -> None:
    uv = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
    wheel = [uv, "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(ROOT / "infra")]
    subprocess.run(wheel, check=True, timeout=120)
    (built,) = tmp_path.glob("llm_reliability_gate_cdk-*.whl")
    installed = tmp_path / "installed"
    command = [uv, "pip", "install", "--quiet", "--no-deps", "--target", str(installed), str(built)]
    subprocess.run(command, check=True, timeout=120)
    (tmp_path / "team.py").write_text(f"import sys\nsys.path.insert(0, {str(installed)!r})\n{APP}")
    subprocess.run([sys.executable, "team.py"], cwd=tmp_path, check=True, timeout=120)
    assert (tmp_path / "out" / "Team.template.json").is_file()
