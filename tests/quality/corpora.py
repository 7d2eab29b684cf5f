"""Measures how much of what a reader sees of documents is in a corpus: `python -m tests.quality.corpora FOLDER...`.

What a reader sees is what another program shows: docutils' own pages of reStructuredText, markdown-it's of Markdown.
The words of a page that are in no passage of its file are missing; marks of the format in passages are markup.
"""

from __future__ import annotations

import io
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from bs4 import BeautifulSoup
from docutils.core import publish_string
from markdown_it import MarkdownIt

from gate.adapters.readers import Problem
from gate.adapters.readers.folders import read
from gate.adapters.readers.restructured import SETTINGS

MOST_BYTES = 300_000
WORD = re.compile(r"\w+")


def page_of_rst(text: str) -> str:
    """The page that docutils makes."""
    settings = {**SETTINGS, "warning_stream": io.StringIO(), "stylesheet_path": ""}
    return bytes(publish_string(text, writer="html5", settings_overrides=settings)).decode()


def page_of_markdown(text: str) -> str:
    """The page that markdown-it makes."""
    return str(MarkdownIt().enable("table").render(text))


PAGES: dict[str, tuple[Callable[[str], str], re.Pattern[str]]] = {
    ".rst": (page_of_rst, re.compile(r"(?m)^\.\. \w+::|``|:\w+:`")),
    ".md": (page_of_markdown, re.compile(r"(?m)^#{1,6} |\*\*|\]\(")),
}


def words(page: str) -> Counter[str]:
    """The words of a page that a reader sees."""
    soup = BeautifulSoup(page, "html.parser")
    for unseen in [*soup(["script", "style", "head"]), *soup.select(".system-message, .problematic")]:
        unseen.decompose()
    return Counter(WORD.findall(soup.get_text(" ")))


def documents(folders: list[Path], ending: str) -> Iterator[bytes]:
    """Every different document with this ending."""
    known: set[bytes] = set()
    for path in (path for folder in folders for path in sorted(folder.rglob(f"*{ending}"))):
        if path.is_file() and path.stat().st_size <= MOST_BYTES and (data := path.read_bytes()) not in known:
            known.add(data)
            yield data


def main() -> None:
    """Print a line for each format."""
    for ending, (page_of, markup) in PAGES.items():
        count = seen = missing = marks = 0
        for data in documents([Path(name) for name in sys.argv[1:]], ending):
            try:
                page = page_of(data.decode())
            except (UnicodeDecodeError, AttributeError, ValueError):
                continue  # the other program cannot read it
            found = [each for each in read(data, f"a{ending}") if not isinstance(each, Problem)]
            text = "\n".join(each["content"] for each in found)
            wanted = words(page)
            count, seen = count + 1, seen + sum(wanted.values())
            missing += sum((wanted - Counter(WORD.findall(text))).values())
            marks += len(markup.findall(text))
        share = 1 - missing / max(seen, 1)
        print(f"{ending}: {count:,} documents, {seen:,} words, {share:.2%} in the corpus, {marks:,} marks left")


if __name__ == "__main__":
    main()
