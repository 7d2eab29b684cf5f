"""The synthesized state machine as a file: `python -m infra.asl` writes functions/gate/pipeline.asl.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PIPELINE_FILE = Path(__file__).parent.parent / "functions" / "gate" / "pipeline.asl.json"
"""The gate's definition, committed: what the local run executes and the drift test compares."""

PARTITION = "aws"


def definition(template: Mapping[str, Any], logical_id: str) -> dict[str, Any]:
    """Return the definition of a state machine in a template, with agents' names in place of function ARNs.

    Raises:
        KeyError: the definition refers to something that is no function, no bucket and no partition.
    """
    resources = template["Resources"]
    text = resources[logical_id]["Properties"]["DefinitionString"]
    parts = [text] if isinstance(text, str) else text["Fn::Join"][1]
    loaded: dict[str, Any] = json.loads(
        "".join(part if isinstance(part, str) else _name(part, resources) for part in parts)
    )
    return loaded


def _name(reference: Mapping[str, Any], resources: Mapping[str, Any]) -> str:
    """What a reference stands for: the agent whose handler the function runs, a bucket, or the partition."""
    if reference.get("Ref") == "AWS::Partition":
        return PARTITION
    if "Fn::ImportValue" in reference:
        return str(reference["Fn::ImportValue"]).rsplit(":", maxsplit=1)[-1]
    if "Ref" in reference and resources[reference["Ref"]]["Type"] == "AWS::S3::Bucket":
        return str(reference["Ref"])
    logical_id, attribute = reference["Fn::GetAtt"]
    properties = resources[logical_id]["Properties"]
    if attribute != "Arn" or "Handler" not in properties:
        raise KeyError(f"the definition refers to {logical_id}.{attribute}")
    return str(properties["Handler"]).split(".", maxsplit=1)[0]


def machines(template: Mapping[str, Any]) -> dict[str, str]:
    """Logical id of each state machine of a template, by the last word of its construct path."""
    return {
        resource["Metadata"]["aws:cdk:path"].split("/")[-2]: logical_id
        for logical_id, resource in template["Resources"].items()
        if resource["Type"] == "AWS::StepFunctions::StateMachine"
    }


def render(machine: Mapping[str, Any]) -> str:
    """The text of the committed file."""
    return json.dumps(machine, indent=1) + "\n"


def main() -> None:
    """Write the file from a fresh synthesis."""
    from .app import synthesize

    template = synthesize().stateless
    PIPELINE_FILE.write_text(render(definition(template, machines(template)["Gate"])), encoding="utf-8")
    print(f"wrote {PIPELINE_FILE.name}")  # noqa: T201


if __name__ == "__main__":
    main()
