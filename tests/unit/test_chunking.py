"""Texts cut into passages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.readers.markdown_document import text_of as text_of_markdown
from gate.retrieval.chunking import Section, chunks

TEXTS = st.text(alphabet="ab. \n。\t#", max_size=400)


@given(TEXTS, st.integers(1, 60))
def test_every_word_is_in_exactly_one_passage_at_its_offset(text: str, longest: int) -> None:
    found = list(chunks(text, longest=longest))
    covered = [at for chunk in found for at in range(chunk.start, chunk.end)]
    assert len(covered) == len(set(covered))
    assert {at for at, char in enumerate(text) if not char.isspace()} <= set(covered)
    for chunk in found:
        assert text[chunk.start : chunk.end] == chunk.text
        assert 0 < len(chunk.text) <= longest
        assert chunk.text == chunk.text.strip()


def test_paragraphs_are_joined_while_they_fit() -> None:
    text = "One two.\n\nThree four.\n\nFive six."
    assert [chunk.text for chunk in chunks(text, longest=22)] == ["One two.\n\nThree four.", "Five six."]


def test_a_long_paragraph_is_cut_at_sentences() -> None:
    assert [chunk.text for chunk in chunks("One two. Three four. Five.", longest=13)] == [
        "One two.",
        "Three four.",
        "Five.",
    ]


def test_no_passage_crosses_a_section() -> None:
    text = "intro\nbody"
    sections = [Section(None, 0, 6), Section("Body", 6, 10)]
    assert [(chunk.section, chunk.text) for chunk in chunks(text, sections)] == [(None, "intro"), ("Body", "body")]


def test_markdown_headings_make_a_path_and_code_does_not() -> None:
    page = "# A\n\nx\n\n## B\n\n```\n# not a heading\n```\n\n# C\n\ny\n"
    read = text_of_markdown(page)
    assert read.title == "A"
    assert [section.title for section in read.sections] == [None, "B", "C"]
    assert "".join(read.text[section.start : section.end] for section in read.sections) == read.text
