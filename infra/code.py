"""The code of the functions: their handlers as the code asset, and the package `gate`, compiled, as a layer.

Lambda keeps no bytecode of what a function brings itself, so that what is not compiled here is compiled anew by each
cold start. Layers also change together with the settings, in one call; code and settings change in two.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import aws_cdk as cdk
import jsii
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from .bytecode import PYTHON, RUNTIME, compile_all, interpreter

HERE = Path(__file__).parent
INSTALLED = HERE / "functions_source"
SOURCE = INSTALLED if INSTALLED.is_dir() else HERE.parent / "functions"
PACKAGE = "gate"
WEIGHTS = [f"adapters/local_verifier/weights/{name}" for name in ("*.onnx", "tokenizer.json", "joined.json.gz")]
"""What the local encoder runs on: no function runs it, nor has what it needs beside them."""
COMPILED = ["**/__pycache__", "**/*.pyc"]
"""By the Python of whoever worked here."""
NOT_DEPLOYED = [
    *COMPILED,
    "**/py.typed",
    "adapters/minilm",
    "adapters/remote_gate.py",
    "cli",
    "integrations",
    "reports/corrected",
    "reports/overviews",
    "serving",
    *WEIGHTS,
]
"""Of the package: what no function imports."""


@jsii.implements(cdk.ILocalBundling)
class Package:
    """Lays the package out as a layer, with bytecode where a Python of the functions' version is there."""

    def try_bundle(self, output_dir: str, options: object = None, **_: object) -> bool:
        """Fill `output_dir`; never returns False, since CDK would then ask for Docker."""
        del options
        target = Path(output_dir) / "python"
        lay_out(target)
        if python := interpreter():
            compile_all(target, python)
        return True


def lay_out(folder: Path) -> None:
    """Copy what is deployed of the package into a folder."""
    package = SOURCE / PACKAGE
    left_out = {path for pattern in NOT_DEPLOYED for path in package.glob(pattern)}
    shutil.copytree(
        package,
        folder / PACKAGE,
        ignore=lambda inside, names: [name for name in names if Path(inside, name) in left_out],
    )


def handlers() -> lambda_.AssetCode:
    """The code asset: a folder for each function, and nothing that takes long to import."""
    return lambda_.Code.from_asset(str(SOURCE), exclude=[*COMPILED, PACKAGE])


def package_layer(scope: Construct, id: str) -> lambda_.LayerVersion:
    """A layer of the package `gate`, which every function needs."""
    state = f"{PYTHON}{' compiled' if interpreter() else ''}"
    package = str(SOURCE / PACKAGE)
    code = lambda_.Code.from_asset(
        package,
        # By what it is made of: bytecode of the same source need not be the same to the bit.
        asset_hash=cdk.FileSystem.fingerprint(package, exclude=NOT_DEPLOYED, extra_hash=state),
        bundling=cdk.BundlingOptions(image=cdk.DockerImage.from_registry("unused"), local=Package()),
        exclude=NOT_DEPLOYED,
    )
    return lambda_.LayerVersion(
        scope, id, code=code, compatible_runtimes=[RUNTIME], description="LLM Reliability Gate: its own code"
    )


def contents(layers: Sequence[lambda_.LayerVersion]) -> str:
    """What layers hold, as their templates name it: other contents, another text."""
    stack = cdk.Stack.of(layers[0])
    resources = (layer.node.default_child for layer in layers)
    return str([stack.resolve(one.content) for one in resources if isinstance(one, lambda_.CfnLayerVersion)])
