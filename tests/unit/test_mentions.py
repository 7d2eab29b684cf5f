"""Mentions: what could be a path in a document, and where it stands."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.repository.mentions import mentions
from gate.repository.names.code_stretches import stretches


def found(text: str, **how: bool) -> list[tuple[str, str, int]]:
    return [(mention.surface, mention.target, mention.line) for mention in mentions(text, **how)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("see [the guide](docs/guide.md)", [("link", "docs/guide.md")]),
        ("see [the guide](docs/guide.md#top 'Title')", [("link", "docs/guide.md#top")]),
        ("see [it](<docs/guide.md>)", [("link", "docs/guide.md")]),
        ("[![badge](b.svg)](LICENSE)", [("link", "b.svg"), ("link", "LICENSE")]),
        ("[wiki](docs/a_(b).md)", [("link", "docs/a_(b).md")]),
        ("[guide]: docs/guide.md", [("reference", "docs/guide.md")]),
        ("[^1]: not/a/link.md", []),
        ('<img src="img/a.png" alt="x">', [("html", "img/a.png")]),
        ("the file `src/main.py` does it", [("inline", "src/main.py")]),
        ("``src/with`tick.py``", [("inline", "src/with`tick.py")]),
        ("`[not a link](docs/x.md)`", [("inline", "[not a link](docs/x.md)")]),
        ("<!-- [hidden](docs/x.md) -->", []),
        ("plain docs/x.md", []),
        ("[AT&amp;T](docs/a&amp;b.md)", [("link", "docs/a&b.md")]),
    ],
)
def test_a_line_of_markdown_names_what_it_links_and_quotes(line: str, expected: list[tuple[str, str]]) -> None:
    assert [(surface, target) for surface, target, _ in found(line)] == expected


def test_front_matter_and_code_blocks_hold_no_links_and_keep_the_line_numbers() -> None:
    text = "---\ntitle: [x](y.md)\n---\n```python\n[a](b.md)\n```\n[c](d.md)\n"

    assert found(text) == [("link", "d.md", 7)]


def test_a_block_of_code_that_nothing_closes_ends_with_the_quotation_that_it_stands_in() -> None:
    text = "> ```sh\n> python tools/run.py\n\n[c](d.md) and `src/a.py`\n"
    assert found(text) == [("command", "tools/run.py", 2), ("inline", "src/a.py", 4), ("link", "d.md", 4)]
    assert [(code.language, code.text) for code in stretches(text)][-1][1] == "src/a.py"


def test_a_comment_may_span_lines() -> None:
    assert found("a <!-- [x](y.md)\n[x](z.md)\n--> [c](d.md)") == [("link", "d.md", 3)]


def test_the_program_of_a_shell_line_is_a_mention_and_its_arguments_are_not() -> None:
    text = "```bash\n$ python tools/run.py --config cfg/a.yaml\ncd demo && ls\n./scripts/go.sh\n```\n"

    commands = [(m.target, m.line, m.folder) for m in mentions(text) if m.surface == "command"]

    assert commands == [("tools/run.py", 2, ""), ("./scripts/go.sh", 4, "demo")]


def test_restructured_text_has_links_directives_and_roles_of_its_own() -> None:
    text = "`guide <docs/g.rst>`_\n.. include:: ../README.rst\n:doc:`intro`\n``src/a.py``\n.. _x: y/z.rst\n"

    assert found(text, restructured=True) == [
        ("link", "docs/g.rst", 1),
        ("include", "../README.rst", 2),
        ("reference", "intro", 3),
        ("inline", "src/a.py", 4),
        ("reference", "y/z.rst", 5),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "An example::\n\n   .. image:: a.png\n\n   :doc:`guide`\n\nSee :doc:`intro`.\n",
        ".. code-block:: rst\n\n   .. include:: a.rst\n   ``src/a.py``\n\nSee :doc:`intro`.\n",
        "  .. sourcecode:: rst\n\n     `a <b.rst>`_\n\n  See :doc:`intro`.\n",
    ],
)
def test_a_block_of_code_in_restructured_text_cites_nothing(text: str) -> None:
    assert [target for _, target, _ in found(text, restructured=True)] == ["intro"]


def test_what_a_directive_with_prose_says_is_read() -> None:
    assert found(".. note::\n\n   See :doc:`intro`.\n", restructured=True) == [("reference", "intro", 3)]


def test_paths_in_running_text_count_in_an_answer() -> None:
    line = "Open src/gate/model.py, then https://example.org/a.py and docs/."

    assert found(line, prose=True) == [("prose", "src/gate/model.py", 1)]


@given(st.text(alphabet="`[]()<>!-#.:/ \n~$a=\"'", max_size=120), st.booleans())
def test_no_text_breaks_the_reader_and_every_mention_stands_on_its_line(text: str, restructured: bool) -> None:
    lines = text.split("\n")
    for mention in mentions(text, restructured=restructured, prose=True):
        assert 1 <= mention.line <= len(lines)
        assert mention.column >= 1


@pytest.mark.parametrize(
    "hostile",
    ["`" * 9_999, "[](" * 3_333, "<a " * 3_333, "``` `" * 2_000, "a/" * 4_999, "- --a " * 1_600, "](" + " " * 9_000],
)
def test_a_hostile_line_is_read_in_no_time(hostile: str) -> None:
    began = time.perf_counter()

    list(mentions(hostile, prose=True))
    list(mentions(f"```sh\npython {hostile}\n```"))
    list(mentions(hostile, restructured=True))

    assert time.perf_counter() - began < 2
