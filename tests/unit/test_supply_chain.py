"""What the gate is made of is written down, under licences that were decided on; what builds it is pinned."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import yaml

from tests.documents import ROOT
from tests.supply_chain import PERMITTED, SBOM, bill_of_materials, packages, spdx_ids, written

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.y*ml"))


@pytest.mark.parametrize("path", written(), ids=lambda path: path.name)
def test_the_lists_of_parts_and_licences_are_those_of_the_locks(path: Any) -> None:
    assert path.read_text("utf-8") == written()[path], "run `make sbom`"


def test_every_line_of_every_lock_is_a_part() -> None:
    locked = {
        tuple(line.split(" ")[0].split("=="))
        for lock in (ROOT / "locks").glob("*.lock")
        for line in lock.read_text("utf-8").splitlines()
        if line[:1].isalnum()
    }
    assert {(part["name"], part["version"]) for part in bill_of_materials()["components"]} == locked


def test_what_users_get_is_under_a_licence_that_was_decided_on() -> None:
    found = {(one.name, one.licence) for one in packages() if one.uses}
    assert not {(name, licence) for name, licence in found if not spdx_ids(licence) <= PERMITTED}


def test_every_part_that_is_asked_for_is_there() -> None:
    bill = json.loads(SBOM.read_text("utf-8"))
    parts = {part["bom-ref"] for part in bill["components"]}
    asked = {ref for each in bill["dependencies"] for ref in each["dependsOn"]}
    assert {each["ref"] for each in bill["dependencies"]} == parts | {"llm-reliability-gate"}
    assert asked <= parts
    assert {"llm-reliability-gate"}.isdisjoint(asked)


def test_the_lists_hold_no_time_host_or_path() -> None:
    text = "".join(written().values())
    assert not re.search(r"\d{4}-\d{2}-\d{2}T|files\.pythonhosted|simple/|serialNumber|timestamp|/home/|/tmp/", text)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_runs_pinned_actions_with_the_least_permissions(path: Any) -> None:
    text = path.read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    uses = re.findall(r"\buses:\s*(\S+)", text)
    assert all(re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", each) for each in uses), uses
    by_a_tag_alone = workflow[True] == {"push": {"tags": ["v*"]}}  # YAML reads `on` as true
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 60
        assert "permissions" not in job or by_a_tag_alone, "who sends a pull request must not write"
        for step in job["steps"]:
            assert step.get("with", {}).get("persist-credentials") is not True
            assert "actions/checkout" not in step.get("uses", "") or step["with"]["persist-credentials"] is False


def test_a_release_says_where_every_file_of_it_was_built() -> None:
    steps = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]["release"]["steps"]
    built, stated, drafted = (step.get("run") or step["with"]["subject-checksums"] for step in steps[1:])
    assert built == "make release OUT=dist"
    assert stated == "dist/SHA256SUMS"
    assert drafted.endswith("--notes-file dist/CHANGES.md dist/*")
    assert "--draft" in drafted


def test_the_workflow_runs_what_ci_runs() -> None:
    assert WORKFLOWS
    assert any(".ci/run" in path.read_text("utf-8") for path in WORKFLOWS)
