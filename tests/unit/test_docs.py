"""What is documented is there, and what is there is documented."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from gate import __version__, cli
from gate.decision.accounting import account
from gate.decision.policy import Facts
from tests.documents import API, PART, PARTS, ROOT, SCHEMAS, openapi_document, renewed
from tests.prose import DOCUMENTS, long_prose
from tests.report_builders import a_report

LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
GENERATED = [path.relative_to(ROOT).as_posix() for path in DOCUMENTS if PART.search(path.read_text(encoding="utf-8"))]
OFFLINE = {name: write for name, write in PARTS.items() if name not in ("example", "python")}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(path: Path) -> None:
    links = LINK.findall(path.read_text(encoding="utf-8"))
    assert not [link for link in links if not (path.parent / link).exists()]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_line_of_prose_is_longer_than_200_characters(path: Path) -> None:
    assert not (found := list(long_prose(path))), "\n".join(found)


def test_long_prose_is_found_and_long_code_tables_and_links_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.prose.ROOT", tmp_path)
    long = "word " * 50
    excepted = f"| {long} |\n```\n{long}\n```\n[page](https://example.org/{'x' * 200})\n"
    (page := tmp_path / "page.md").write_text(f"{excepted}- {long}\n  {long}\n", encoding="utf-8")
    assert [line.partition(": ")[0] for line in long_prose(page)] == ["page.md:6", "page.md:7"]


def test_the_diagram_is_drawn_from_the_definition_wherever_there_is_one() -> None:
    drawn = {name for name in GENERATED if "```mermaid" in read(name)}
    assert drawn == {"README.md", "docs/architecture.md"}
    assert not [path for path in DOCUMENTS if "```mermaid" in PART.sub("", path.read_text(encoding="utf-8"))]


def test_what_a_verdict_is_worth_is_read_in_minutes() -> None:
    assert len(read("docs/verification.md").split()) <= 1_000, "what was tried goes to docs/model-cards/method.md"


def test_the_comparison_with_other_tools_is_read_in_minutes() -> None:
    assert len(re.findall(r"[^\s|-]\S*", read("docs/comparison.md"))) <= 700


def test_every_test_that_a_document_names_is_there() -> None:
    named = {name for path in DOCUMENTS for name in re.findall(r"`(test_\w+)`", path.read_text(encoding="utf-8"))}
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert not sorted(name for name in named if f"def {name}(" not in tests)


@pytest.mark.parametrize("name", GENERATED)
def test_generated_parts_are_up_to_date(name: str) -> None:
    assert read(name) == renewed(read(name), OFFLINE), "run `make documents`"


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schemas_are_the_models(name: str) -> None:
    published = json.loads(read(f"docs/schemas/{name}.schema.json"))
    assert published == SCHEMAS[name].model_json_schema(), "run `make documents`"


def test_the_committed_openapi_document_is_that_of_the_api() -> None:
    assert API.read_text(encoding="utf-8") == openapi_document(), "run `make documents`"


def test_the_readme_is_short_and_names_every_document() -> None:
    text = read("README.md")
    assert len(text.splitlines()) <= 150
    missing = [path.name for path in (ROOT / "docs").glob("*.md") if f"docs/{path.name}" not in text]
    assert not missing, "add a line to the README's table of documents"


def test_every_document_has_a_place_in_the_site() -> None:
    placed = set(read("docs/index.md").split())
    assert not [path.name for path in (ROOT / "docs").glob("*.md") if path.stem not in {*placed, "index"}]


def test_every_command_is_documented() -> None:
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


def test_every_decision_has_a_number_of_its_own() -> None:
    pages = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
    numbers = [int(path.name[:4]) for path in pages]
    assert len(numbers) == len(set(numbers))
    assert [path.read_text(encoding="utf-8").split(".")[0] for path in pages] == [f"# {number}" for number in numbers]


def test_the_changelog_says_nothing_twice_and_names_the_version_that_is_released() -> None:
    text = read("CHANGELOG.md")
    entries = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(entries) == len(set(entries))
    assert re.findall(r"^## (\S+)", text, re.MULTILINE)[:2] == ["Unreleased", __version__]


def test_the_licence_is_the_one_that_the_packages_name() -> None:
    assert read("LICENSE").lstrip().startswith("Apache License\n                           Version 2.0, January 2004")
    for project in ("pyproject.toml", "infra/pyproject.toml"):
        assert 'license = "Apache-2.0"' in read(project)


@pytest.mark.parametrize("path", sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem)
def test_a_form_for_an_issue_has_what_the_host_asks_of_it(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form.keys() == {"name", "description", "labels", "body"}
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    assert {field["type"] for field in fields} <= {"textarea", "dropdown", "input"}
    assert all(field["attributes"]["label"] for field in fields)
    assert len({field["id"] for field in fields}) == len(fields)
