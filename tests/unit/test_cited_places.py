"""A line beyond a file's end, and a heading that a page does not have, are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from gate import cli

GUIDE = """# Guide

## Limits & rules

### `book(berth[, nights])`, in [short](short.md)

Setext *one*
------------

Limits
======

### Limits

### Step 1

### Step 1
<a id="by-hand"></a>

```
## No heading
```
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "harbour"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "guide.md").write_text(GUIDE)
    (folder / "docs" / "made.md").write_text("# Made\n\n{% include 'more.md' %}\n")
    (folder / "db.py").write_text("a = 1\nb = 2\n")
    monkeypatch.chdir(folder)
    return folder


def audited(project: Path, text: str, *, answer: bool = False) -> list[str]:
    """The findings of a document in the repository, or of an answer about it: tier, target, rule."""
    document = project.parent / "answer.md" if answer else project / "README.md"
    document.write_text(text)
    result = CliRunner().invoke(cli.group, ["audit-docs", str(document), "--repo", "."])
    assert result.exit_code in (0, 1), result.output
    return [line.split(": ", 1)[1] for line in result.stdout.splitlines()[:-1]]


BEYOND = "db.py:99999 does not exist in the repository. Did you mean db.py:2? [line_beyond]"


def test_a_line_beyond_the_end_of_a_file_blocks_in_an_answer_and_warns_in_a_document(project: Path) -> None:
    assert audited(project, "It is in `db.py:99999`.", answer=True) == [f"block: {BEYOND}"]
    assert audited(project, "It is in `db.py:99999`.") == [f"warn: {BEYOND}"]


@pytest.mark.parametrize("place", ["#L1", "#L2", "#L1-L2", "#L2C1"])
def test_a_line_that_a_file_has_is_left_alone(project: Path, place: str) -> None:
    assert audited(project, f"See [it](db.py{place}) and `db.py:2`.", answer=True) == []


@pytest.mark.parametrize("place", ["#L3", "#L1-L3", "#L2-3"])
def test_the_last_line_of_a_range_counts(project: Path, place: str) -> None:
    [found] = audited(project, f"See [it](db.py{place}).", answer=True)
    assert found.startswith(f"block: db.py{place} does not exist")


@pytest.mark.parametrize(
    "name",
    [
        *("guide", "limits--rules", "limits-rules", "Limits--Rules", "bookberth-nights-in-short", "setext-one"),
        *("limits", "limits-1", "step-1-1", "by-hand", "top", "L3", ""),
    ],
)
def test_a_heading_that_a_page_has_is_left_alone(project: Path, name: str) -> None:
    assert audited(project, f"See [it](docs/guide.md#{name}).") == []


def test_a_heading_that_a_page_does_not_have_warns(project: Path) -> None:
    told = "warn: docs/guide.md#{} does not exist in the repository. [heading]"
    for name in ("fees", "no-heading", "step-2"):
        assert audited(project, f"See [it](docs/guide.md#{name}).") == [told.format(name)]
        assert audited(project, f"See [it](docs/guide.md#{name}).", answer=True) == [told.format(name)]


def test_of_a_page_that_is_put_together_nothing_is_said(project: Path) -> None:
    assert audited(project, "See [it](docs/made.md#fees).") == []
    assert audited(project, '<!DOCTYPE html>\n<a href="#fees">fees</a>\n') == []


def test_of_the_headings_of_a_vendored_document_nothing_is_said(project: Path) -> None:
    (project / "vendor" / "tern").mkdir(parents=True)
    (project / "vendor" / "tern" / "README.md").write_text("See [it](#fees).\n")
    result = CliRunner().invoke(cli.group, ["audit-docs", "vendor", "--repo", "."])
    assert "0 warn" in result.stdout, result.output


def test_a_decision_tells_the_line_that_is_not_there(project: Path) -> None:
    (project.parent / "answer.md").write_text("The table is made in `db.py:99999`.")
    answer = str(project.parent / "answer.md")
    result = CliRunner().invoke(cli.group, ["check", answer, "--repo", "."])
    assert result.exit_code == 1, result.output
    assert "block: 1 name in code does not exist in the repository. (db.py:99999)" in result.stdout


def test_headings_in_html_and_with_character_references_are_headings(project: Path) -> None:
    title = '<h2 align="center">Rates &amp; terms</h2>\n\n## Caf&eacute;\n\n## Bells\n'
    (project / "docs" / "page.md").write_text(title)
    cited = "See [a](docs/page.md#rates--terms), [b](docs/page.md#café) and [c](docs/page.md#fees)."
    assert audited(project, cited) == ["warn: docs/page.md#fees does not exist in the repository. [heading]"]


OWN = """# Fees

By berth or [by night](#by-night), see [the terms](#terms-of-use), ![flow](#) and `#fees-of-old`.

## By night

## Late {: .wide #nightly }

See [above](#nightly) and [elsewhere]. An [old part](#fees-of-old).

## After a block

[elsewhere]: #after-a-block
"""


def test_a_heading_that_a_page_cites_of_itself_and_does_not_have_warns(project: Path) -> None:
    assert audited(project, OWN) == [
        "warn: README.md#terms-of-use does not exist in the repository. [heading]",
        "warn: README.md#fees-of-old does not exist in the repository. [heading]",
    ]


def test_what_hides_no_heading_leaves_it_there(project: Path) -> None:
    page = "```a``` is code\n\n## First\n\n> ```toml\n> left = 'open'\n\n## Second\n\n```\n```toml\n## None\n```\n"
    (project / "docs" / "page.md").write_text(page)
    cited = "See [a](docs/page.md#first), [b](docs/page.md#second) and [c](docs/page.md#none)."
    assert audited(project, cited) == ["warn: docs/page.md#none does not exist in the repository. [heading]"]


def test_in_markdown_that_sphinx_builds_a_link_may_name_a_label_of_any_page(project: Path) -> None:
    (project / "conf.py").write_text("")

    assert audited(project, "[a](#HubAuth.allow), [b](PAMAuth), [c](docs/giude.md)\n") == [
        "block: docs/giude.md does not exist in the repository. Did you mean docs/guide.md? [link_near]"
    ]


def test_an_answer_is_no_page_with_headings_of_its_own(project: Path) -> None:
    assert audited(project, OWN, answer=True) == []


def test_of_a_page_that_is_put_together_its_own_headings_are_not_looked_up(project: Path) -> None:
    assert audited(project, "[x](#fees)\n\n{% include 'more.md' %}\n") == []
