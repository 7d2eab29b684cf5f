"""What the packages need is said once: a range that is written twice drifts."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?(.*)")


def requirements(project: dict[str, Any]) -> Iterator[str]:
    yield from project["project"].get("dependencies", [])
    for extra in project["project"].get("optional-dependencies", {}).values():
        yield from extra
    for group in project.get("dependency-groups", {}).values():
        yield from group


def test_every_dependency_has_one_range() -> None:
    ranges: dict[str, set[str]] = defaultdict(set)
    for name in ("pyproject.toml", "infra/pyproject.toml"):
        for requirement in requirements(tomllib.loads((ROOT / name).read_text(encoding="utf-8"))):
            found = REQUIREMENT.fullmatch(requirement)
            assert found
            ranges[found[1].lower()].add(found[2])
    assert len(ranges) > 30
    assert not {name: found for name, found in ranges.items() if len(found) > 1}
