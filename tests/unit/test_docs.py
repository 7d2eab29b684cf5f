"""What is documented is there, and what is there is documented."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from documents import PART, PARTS, ROOT, SCHEMAS, renewed
from report_builders import a_report

from gate import cli
from gate.reports import FORMATS
from gate.rules.accounting import account
from gate.rules.policy import Facts

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / ".github").glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
OFFLINE = {name: write for name, write in PARTS.items() if name != "example"}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(path: Path) -> None:
    links = LINK.findall(path.read_text(encoding="utf-8"))
    assert not [link for link in links if not (path.parent / link).exists()]


def test_every_test_that_a_document_names_is_there() -> None:
    named = {name for path in DOCUMENTS for name in re.findall(r"`(test_\w+)`", path.read_text(encoding="utf-8"))}
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert not sorted(name for name in named if f"def {name}(" not in tests)


@pytest.mark.parametrize("name", ["README.md", "docs/configuration.md", "docs/cli.md", "docs/faults.md"])
def test_generated_parts_are_up_to_date(name: str) -> None:
    assert PART.search(read(name))
    assert read(name) == renewed(read(name), OFFLINE), "run `make documents`"


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schemas_are_the_models(name: str) -> None:
    published = json.loads(read(f"docs/schemas/{name}.schema.json"))
    assert published == SCHEMAS[name].model_json_schema(), "run `make documents`"


def test_the_readme_is_short_and_names_every_document() -> None:
    text = read("README.md")
    assert len(text.splitlines()) <= 150
    missing = [path.name for path in (ROOT / "docs").glob("*.md") if f"docs/{path.name}" not in text]
    assert not missing, "add a line to the README's table of documents"


def test_every_format_and_command_is_documented() -> None:
    assert not [name for name in FORMATS if f"| `{name}` |" not in read("docs/reports.md")]
    assert not [name for name in cli.COMMANDS if f"`gate {name}`" not in read("docs/cli.md")]


def examples() -> list[Any]:
    """The Python blocks of the page on extending, by the heading that they stand under."""
    parts = re.split(r"^## ", read("docs/extending.md"), flags=re.MULTILINE)[1:]
    blocks = ((part.splitlines()[0], re.search(r"```python\n(.*?)```", part, re.DOTALL)) for part in parts)
    return [pytest.param(block[1], id=title) for title, block in blocks if block]


@pytest.mark.parametrize("code", examples())
def test_the_examples_of_extending_run(code: str) -> None:
    scope: dict[str, Any] = {}
    exec(code, scope)
    if "render" in scope:
        assert scope["render"](a_report()).splitlines()[1] == "c0001\tsupported\tThe sky is blue."
    if "too_many_claims" in scope:
        _, accounting = account([], [], errors={}, non_claims=0)
        assert scope["too_many_claims"](Facts([], {**accounting, "claims": 501}), None)["outcome"] == "review"
