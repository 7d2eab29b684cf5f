"""What of a deployment must outlive every upgrade, as templates have it: `python -m tests.infra.kept_resources NAME`
stores that of this tree as `kept/NAME.json`.

A resource is replaced where its logical id is another, or a property that AWS says is fixed when it is made.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cfnlint.schema.manager import PROVIDER_SCHEMA_MANAGER

from infra.app import synthesize
from tests.iam.deployed_account import REGION
from tests.infra.templates import Template

FOLDER = Path(__file__).parent / "kept"
KINDS = (
    "AWS::ApiGateway::RestApi",
    "AWS::Cognito::UserPool",
    "AWS::DynamoDB::Table",
    "AWS::KMS::Key",
    "AWS::OpenSearchServerless::Collection",
    "AWS::OpenSearchServerless::CollectionGroup",
    "AWS::OpenSearchService::Domain",
    "AWS::S3::Bucket",
    "AWS::SNS::Topic",
    "AWS::SQS::Queue",
    "AWS::StepFunctions::StateMachine",
)
"""Kinds of resources that hold data, runs that are under way, or an address that callers know."""
VARIANTS: dict[str, dict[str, str]] = {
    "serverless": {},
    "domain": {"gate:search": "domain"},
    "ledger": {"gate:search": "https://search.internal", "gate:ledger_days": "30"},
}
Kept = dict[str, dict[str, Any]]


def kept(*stacks: Template) -> dict[str, Kept]:
    """By stack and logical id: the kind, whether it stays when its stack goes, and what is fixed of it."""
    return {
        name: {
            id: {
                "kind": resource["Type"],
                "stays": resource.get("DeletionPolicy") == "Retain",
                "fixed": dict(_fixed(resource["Type"], resource.get("Properties", {}))),
            }
            for id, resource in sorted(template["Resources"].items())
            if resource["Type"] in KINDS
        }
        for name, template in zip(("data", "gate"), stacks, strict=True)
    }


def _fixed(kind: str, properties: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Properties that are there and that no update changes, as AWS's own schema of the kind has them."""
    schema = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema
    for name in ("createOnlyProperties", "conditionalCreateOnlyProperties"):
        for pointer in schema.get(name, ()):
            value: Any = properties
            for part in pointer.removeprefix("/properties/").split("/"):
                value = value.get(part) if isinstance(value, dict) else None
            if value is not None:
                yield pointer.removeprefix("/properties/"), value


def of_this_tree(variant: str) -> dict[str, Kept]:
    """What the templates of this tree have."""
    made = synthesize(dict(VARIANTS[variant]))
    return kept(made.stateful, made.stateless)


def replaced(before: dict[str, Kept], after: dict[str, Kept]) -> list[str]:
    """What an upgrade from one to the other would replace, rename or no longer keep."""
    return sorted(
        f"{stack} {id} {held['kind']}: {_change(held, after[stack].get(id))}"
        for stack, resources in before.items()
        for id, held in resources.items()
        if _change(held, after[stack].get(id))
    )


def _change(before: dict[str, Any], after: dict[str, Any] | None) -> str:
    if after is None or after["kind"] != before["kind"]:
        return "is gone, or has another logical id"
    if before["stays"] and not after["stays"]:
        return "goes with its stack"
    names = sorted({*before["fixed"], *after["fixed"]})
    changed = [name for name in names if before["fixed"].get(name) != after["fixed"].get(name)]
    return f"is replaced for {', '.join(changed)}" if changed else ""


def main(name: str) -> None:
    """Store this tree's under a name."""
    stored = {variant: of_this_tree(variant) for variant in VARIANTS}
    (FOLDER / f"{name}.json").write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
