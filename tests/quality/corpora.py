"""Measures how much of what a reader sees of documents is in a corpus: `python -m tests.quality.corpora FOLDER...`.

What a reader sees is what another program shows: docutils' own pages of reStructuredText, markdown-it's of Markdown,
and where `--pages PAGES` is given the page of the same name in PAGES/<name of the folder>: `pages.mjs`, beside this
module, makes them of AsciiDoc, MDX and Word, and `sphinx-build -C -D root_doc=index FOLDER PAGES/NAME` of what is
written for Sphinx. The words of a page that are in no passage of its file are missing; words and marks of the format
that are in the passages and not on the page are markup. `--show N` names the N most frequent of both.
"""

from __future__ import annotations

import argparse
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bs4 import BeautifulSoup
from docutils.core import publish_string
from markdown_it import MarkdownIt

from gate.adapters.readers import Problem
from gate.adapters.readers.folders import read
from gate.adapters.readers.restructured import SETTINGS

MOST_BYTES = 4_000_000
WORD = re.compile(r"[^\W_]+")
BLOCKS = "p, div, li, dt, dd, td, th, tr, h1, h2, h3, h4, h5, h6, pre, blockquote, br, table, section, caption, title"
UNSEEN = "script, style, head, .system-message, .problematic, nav, header, footer, aside, form, a.include, .conum"
PROGRAMS_OWN = ", .sphinxsidebar, .related, .footer, .headerlink, .toctree-wrapper, .contents"


def page_of_rst(text: str) -> str:
    """The page that docutils makes."""
    settings = {**SETTINGS, "warning_stream": io.StringIO(), "stylesheet_path": ""}
    return bytes(publish_string(text, writer="html5", settings_overrides=settings)).decode()


def page_of_markdown(text: str) -> str:
    """The page that markdown-it makes."""
    return str(MarkdownIt().enable("table").render(text))


MARKS: dict[str, re.Pattern[str]] = {
    ".rst": re.compile(r"(?m)^\.\. \w+::|``|:\w+:`"),
    ".md": re.compile(r"(?m)^#{1,6} |\*\*|\]\("),
    ".mdx": re.compile(r"(?m)^import .* from |</?[A-Z]\w*[ />]"),
    ".adoc": re.compile(r"(?m)^={2,6} |^\[[\w,=%.#\"]+\]$|^-{4,}$|^\|===|\bxref:|<<[\w-]+"),
    ".docx": re.compile(r"</?w:\w+"),
    ".html": re.compile(r"</?(?:p|div|span|td|li|h\d)\b"),
}
OWN_PAGES: dict[str, Callable[[str], str]] = {".rst": page_of_rst, ".md": page_of_markdown, ".html": str}


@dataclass
class Measured:
    """What was found of the documents of a format: counts of words, and which are missing or too many."""

    documents: int = 0
    words: int = 0
    marks: int = 0
    unread: int = 0
    missing: Counter[str] = field(default_factory=Counter)
    more: Counter[str] = field(default_factory=Counter)

    def add(self, page: str, text: str, ending: str) -> None:
        """Compare a page with the text of its passages."""
        shown = text_of(page)
        wanted, found = Counter(WORD.findall(shown)), Counter(WORD.findall(text))
        self.documents, self.words = self.documents + 1, self.words + sum(wanted.values())
        self.missing += wanted - found
        self.more += Counter({word: count for word, count in (found - wanted).items() if word not in wanted})
        self.marks += max(0, len(MARKS[ending].findall(text)) - len(MARKS[ending].findall(shown)))

    def line(self, ending: str) -> str:
        """What there is to say of the format."""
        share = 1 - sum(self.missing.values()) / max(self.words, 1)
        more = sum(self.more.values()) / max(self.words, 1)
        unread = f", {self.unread} without a page" if self.unread else ""
        return (
            f"{ending}: {self.documents:,} documents{unread}, {self.words:,} words, {share:.2%} in the corpus, "
            f"{more:.2%} that are not on the page, {self.marks:,} marks left"
        )


def text_of(page: str) -> str:
    """The text of a page that a reader sees."""
    soup = BeautifulSoup(page, "html.parser")
    for unseen in soup.select(UNSEEN + PROGRAMS_OWN):
        unseen.decompose()
    for block in soup.select(BLOCKS):
        block.insert_before("\n")
        block.insert_after("\n")
    return soup.get_text()


def documents(folder: Path, ending: str) -> Iterator[tuple[Path, bytes]]:
    """Every different document with this ending."""
    known: set[bytes] = set()
    for path in sorted(folder.rglob(f"*{ending}")):
        if path.is_file() and path.stat().st_size <= MOST_BYTES and (data := path.read_bytes()) not in known:
            known.add(data)
            yield path.relative_to(folder), data


def page_of(data: bytes, ending: str, made: Path | None) -> str | None:
    """What another program shows of a document, or has `made` of it; None: it cannot read it, or has not."""
    try:
        if made and made.is_file():
            return made.read_text()
        return OWN_PAGES[ending](data.decode()) if ending in OWN_PAGES else None
    except (UnicodeDecodeError, AttributeError, ValueError):
        return None


def measure(folder: Path, ending: str, pages: Path | None) -> Measured:
    """Compare the documents of one format in a folder with their pages."""
    measured = Measured()
    for name, data in documents(folder, ending):
        page = page_of(data, ending, pages / folder.name / name.with_suffix(".html") if pages else None)
        if page is None:
            measured.unread += 1
            continue
        found = [each for each in read(data, f"a{ending}") if not isinstance(each, Problem)]
        measured.add(page, "\n".join(each["content"] for each in found), ending)
    return measured


def main() -> None:
    """Print a line for each folder and format."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--pages", type=Path)
    parser.add_argument("--show", type=int, default=0)
    given = parser.parse_args()
    for folder in given.folders:
        for ending in MARKS:
            measured = measure(folder, ending, given.pages)
            if measured.documents or measured.unread:
                print(folder.name, measured.line(ending), flush=True)
                if given.show:
                    print("  missing", measured.missing.most_common(given.show))
                    print("  more", measured.more.most_common(given.show))


if __name__ == "__main__":
    main()
