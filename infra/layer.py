"""The dependency layer, built without Docker: uv, or pip, fetches wheels for the functions' platform."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import aws_cdk as cdk
import jsii
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from .bytecode import MISSING, PYTHON, RUNTIME, compile_all, interpreter, uv_command

PLATFORM = "aarch64-manylinux_2_28"
HERE = Path(__file__).parent
CHECKED_OUT = HERE.parent / "locks" / "layer.lock"
LOCK = CHECKED_OUT if CHECKED_OUT.is_file() else HERE / "layer.lock"
"""What the layer holds, with hashes: in a checkout, or beside this module where it is installed."""
EXCLUDED = ("opensearch-protobufs", "grpcio", "protobuf", "tzdata")
"""Asked for and never imported: opensearch-py's HTTP client speaks no gRPC, and Lambda has time zones of its own."""
READERS = ("beautifulsoup4", "soupsieve", "pypdf")
"""What only functions that read documents need: a layer of its own."""
WASTE = ("**/.lock", "**/__pycache__", "python/bin", "**/swagger_ui/*.js", "**/swagger_ui/*.css")
"""What installers leave behind, and a page for browsers that the API does not offer (1.7 MB)."""


class NoInstallerError(RuntimeError):
    """Neither uv nor pip is there to build the layer."""


def command(target: Path, requirements: Path) -> Sequence[str]:
    """What fetches the layer's wheels into `target`.

    Raises:
        NoInstallerError: neither uv nor pip is installed.
    """
    uv = uv_command()
    common = [
        "--target",
        str(target),
        "--no-deps",
        "--require-hashes",
        "--only-binary",
        ":all:",
        "-r",
        str(requirements),
    ]
    if uv:
        platform = ["--python-platform", PLATFORM, "--python-version", PYTHON]
        return [uv, "pip", "install", "--quiet", *platform, *common]
    pip = [sys.executable, "-m", "pip"]
    if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode == 0:
        platforms = ["--platform", "manylinux2014_aarch64", "--platform", "manylinux_2_28_aarch64"]
        return [*pip, "install", "--quiet", *platforms, "--python-version", PYTHON, "--implementation", "cp", *common]
    raise NoInstallerError("the dependency layer is built with uv or pip, and neither is installed: pip install uv")


def wanted(lock: str, *, readers: bool) -> str:
    """Those entries of the lock that one of the two layers holds."""
    blocks: list[list[str]] = []
    for line in lock.splitlines():
        if line and not line[0].isspace() and not line.startswith("#"):
            blocks.append([])
        if blocks:
            blocks[-1].append(line)
    kept = [block for block in blocks if _belongs(block[0].partition("==")[0].strip().lower(), readers)]
    return "\n".join(line for block in kept for line in block) + "\n"


def _belongs(package: str, readers: bool) -> bool:
    return package not in EXCLUDED and (package in READERS) == readers


@jsii.implements(cdk.ILocalBundling)
class Wheels:
    """Builds a layer on this machine."""

    def __init__(self, requirements: str) -> None:
        self._requirements = requirements

    def try_bundle(self, output_dir: str, options: object = None, **_: object) -> bool:
        """Fill `output_dir`; never returns False, since CDK would then ask for Docker."""
        del options
        target = Path(output_dir)
        requirements = target / "requirements.txt"
        requirements.write_text(self._requirements, encoding="utf-8")
        done = subprocess.run(command(target / "python", requirements), capture_output=True, text=True, check=False)
        requirements.unlink()
        if done.returncode:
            raise RuntimeError(f"the dependency layer could not be built:\n{done.stderr.strip()}")
        for waste in [path for pattern in WASTE for path in target.glob(pattern)]:
            shutil.rmtree(waste) if waste.is_dir() else waste.unlink()
        if python := interpreter():
            compile_all(target / "python", python)
        return True


def dependency_layer(scope: Construct, id: str, *, readers: bool = False) -> lambda_.LayerVersion:
    """A layer of the functions' dependencies, for arm64: what all need, or what readers of documents need.

    Raises:
        NoInstallerError: it is to be built, and neither uv nor pip is installed.
    """
    if cdk.Stack.of(scope).bundling_required:
        command(Path(), LOCK)
        if interpreter() is None:
            cdk.Annotations.of(scope).add_info_v2("gate:bytecode", MISSING)
    requirements = wanted(LOCK.read_text(encoding="utf-8"), readers=readers)
    code = lambda_.Code.from_asset(
        str(LOCK.parent),
        # The hashes in the lock decide what the layer holds, apart from what is removed again.
        asset_hash=hashlib.sha256(
            f"{PYTHON} {PLATFORM} {WASTE} {requirements}{' compiled' if interpreter() else ''}".encode()
        ).hexdigest(),
        bundling=cdk.BundlingOptions(image=cdk.DockerImage.from_registry("unused"), local=Wheels(requirements)),
        exclude=["*", f"!{LOCK.name}"],
    )
    return lambda_.LayerVersion(
        scope,
        id,
        code=code,
        compatible_runtimes=[RUNTIME],
        compatible_architectures=[lambda_.Architecture.ARM_64],
        description=f"LLM Reliability Gate: {'readers of documents' if readers else 'dependencies'}",
    )
