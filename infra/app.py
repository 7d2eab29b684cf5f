"""The reference app: `cdk.json` context in, stacks out. `python -m infra.app` synthesizes with no account."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aws_cdk as cdk

from gate.catalogue import AGENTS

from .functions import Functions
from .machine import gate_machine

CDK_JSON = Path(__file__).parent.parent / "cdk.json"


@dataclass(frozen=True)
class Synthesized:
    """Templates by stack."""

    stateless: dict[str, Any]


def build(app: cdk.App) -> cdk.Stack:
    """Add the stacks to an app."""
    stack = cdk.Stack(app, "ReliabilityGate")
    functions = Functions(stack, "Functions", agents=AGENTS)
    gate_machine(stack, "Gate", functions.by_name)
    return stack


def synthesize(
    context: dict[str, Any] | None = None, *, validate: bool = False, outdir: str | None = None
) -> Synthesized:
    """Synthesize in this process, under the feature flags of cdk.json; `validate`: with CDK's own rules (slow)."""
    flags = json.loads(CDK_JSON.read_text(encoding="utf-8"))["context"] | {"aws:cdk:enable-path-metadata": True}
    app = cdk.App(context={**flags, **(context or {})}, builtin_cloud_formation_validation=validate, outdir=outdir)
    stack = build(app)
    assembly = app.synth()
    return Synthesized(stateless=assembly.get_stack_by_name(stack.stack_name).template)


def main() -> None:
    """What `cdk.json` names."""
    app = cdk.App()
    build(app)
    app.synth()


if __name__ == "__main__":
    main()
