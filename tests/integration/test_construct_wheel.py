"""The construct as a distribution: installed outside of this repository, a team's own app synthesizes with it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
ONLY_HERE = {"app.py", "asl.py", "launch_template.py"}
"""Modules of the reference app, which reads this repository's files."""
APP = """
from reliability_gate_cdk.gate import ReliabilityGate
from reliability_gate_cdk.props import GateProps
import aws_cdk as cdk
app = cdk.App(context={"aws:cdk:bundling-stacks": []}, builtin_cloud_formation_validation=False, outdir="out")
ReliabilityGate(cdk.Stack(app, "Team"), "Gate", props=GateProps(model="amazon.nova-lite-v1:0"))
app.synth()
"""


def build_wheel(folder: Path) -> Path:
    """The distribution, built from this checkout into a folder."""
    command = [UV, "build", "--quiet", "--wheel", "--out-dir", str(folder), str(ROOT / "infra")]
    subprocess.run(command, check=True, timeout=120)
    (built,) = folder.glob("llm_reliability_gate_cdk-*.whl")
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("dist"))


@pytest.mark.slow
def test_the_distribution_holds_every_module_of_the_construct_and_the_functions(wheel: Path) -> None:
    held = {name.partition("/")[2] for name in ZipFile(wheel).namelist() if name.startswith("reliability_gate_cdk/")}
    modules = {path.relative_to(ROOT / "infra").as_posix() for path in (ROOT / "infra").rglob("*.py")} - ONLY_HERE
    code = {str(path.relative_to(ROOT / "functions")) for path in (ROOT / "functions").rglob("*.py")}
    assert {name for name in held if not name.startswith("functions_source/")} == {*modules, "layer.lock"}
    assert {name.partition("/")[2] for name in held if name.startswith("functions_source/")} >= code


@pytest.mark.slow
def test_a_team_s_own_app_synthesizes_with_the_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    command = [UV, "pip", "install", "--quiet", "--no-deps", "--target", str(installed), str(wheel)]
    subprocess.run(command, check=True, timeout=120)
    (tmp_path / "team.py").write_text(f"import sys\nsys.path.insert(0, {str(installed)!r})\n{APP}")
    subprocess.run([sys.executable, "team.py"], cwd=tmp_path, check=True, timeout=120)
    assert (tmp_path / "out" / "Team.template.json").is_file()
