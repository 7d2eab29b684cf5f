"""What a document's own place in the repository says about the paths in it. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from gate.errors import InputError
from gate.repository import path_rule
from gate.repository.manifest import PAGE_ENDINGS, SITE_ROOTS, Repository
from gate.repository.mention_classes import ANSWER_TIERS, TIERS, PathCitation
from gate.repository.mentions import Mention
from gate.repository.paths import normalise

_HISTORY = re.compile(
    r"(?:^|/)(?:changes?|changelog|history|news|(?:[\d._-]{1,20})?release[-_ ]?notes)(?:[-_.][^/]*)?\.\w+$|"
    r"(?:^|/)releases?(?:[-_.]v?\d[^/]*)?\.\w+$|"
    r"(?:^|/)(?:changelogs?|changes|news|releases|release[-_ ]?notes)/",
    re.IGNORECASE,
)
_MOVES = re.compile(r"migrat|upgrad|whats[-_]?new|breaking|deprecat", re.IGNORECASE)
_PLANS = re.compile(
    r"(?:^|[/_-])(?:design|proposals?|rfcs?|[a-z]?eps?|plans?|roadmap|adrs?|decisions|todo)(?:[/_.-]|$)|"
    r"(?:^|/)(?-i:[A-Z]{1,4}[EI]P)-\d{1,5}(?:[_.-][^/]*)?$",
    re.IGNORECASE,
)
"""Documents that say what is to be: by their folder, or numbered as proposals are (`KIP-12.md`)."""
_FOREIGN = re.compile(
    r"(?:^|/)(?:testdata|test-data|test[-_]sites?(?:_\w+)?|fixtures?|__\w+__|_?vendor(?:ed)?(?:-\w+)?|(?:[\w-]+\.)+(?:com|org|io|net|in)|node_modules|third[_-]?party|deps|externals?|extern|"
    r"(?:[\w-]+[-_])?templates?(?:[-_][\w-]+)?|skeletons?|schematics|blueprints|cookiecutter|archetypes|snapshots|"
    r"_?partials|_?includes|snippets|annotations|_?shared|\.changeset)/|(?:issue|pull_request)_template|[{}]",
    re.IGNORECASE,
)
"""Documents that speak of another place: data of tests, code of others, moulds, and pieces that are included."""
_HTML = re.compile(r"\s*(?:<!doctype html|<html)\b", re.IGNORECASE)
_TESTS = re.compile(
    r"(?:^|/)(?:e2e|specs?|playgrounds?|tests?/(?:[^/]+/)*(?:data|cases|input|output|files|resources|assets|samples?))/",
    re.IGNORECASE,
)
_TELLS = re.compile(r"[A-Z]{4}")
"""How the name of a document begins that tells of the tests it lies among: README, CONTRIBUTING."""
_TEST_SITE = re.compile(r"(?:^|/)tests?/", re.IGNORECASE)
"""A folder of tests: a site below it is data of one."""


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """Where a document stands.

    Attributes:
        document: its path; for an answer, any name.
        repository: what there is.
        folders: where its relative paths start: its own folder, and those it is linked into.
        site: the folder of the site that it is a page of; None: plain files.
        foreign: it speaks of another place (test data, vendored code, a mould, a piece that is included elsewhere).
        history: it tells of the past: a change log, release notes.
        moves: it tells of names that change: a migration guide.
        plan: it tells of what is to be built.
        answer: it is an answer about the repository, so its paths start from the root.
    """

    document: str
    repository: Repository
    folders: tuple[str, ...] = ("",)
    site: str | None = None
    foreign: bool = False
    history: bool = False
    moves: bool = False
    plan: bool = False
    answer: bool = False

    @property
    def folder(self) -> str:
        """The document's own folder."""
        return self.folders[0]

    def above(self) -> Iterator[str]:
        """The document's folder and every one above it; the root is the empty string."""
        place = self.folder
        while place:
            yield place
            place = posixpath.dirname(place)
        yield ""

    def roots(self) -> Iterator[str]:
        """Folders that a leading `/` may stand for."""
        for place in self.above():
            yield place
            for name in SITE_ROOTS:
                root = posixpath.join(place, name)
                if self.repository.is_folder(root):
                    yield root

    def resolves(self, path: str) -> bool:
        """Whether a path is a file or folder, or a page that a file of this name becomes."""
        has = self.repository.has
        if has(path) or any(has(path + ending) for ending in PAGE_ENDINGS):
            return True
        stem, ending = posixpath.splitext(path)
        return ending in (".html", ".htm") and (has(stem) or any(has(stem + other) for other in PAGE_ENDINGS))


def document_place_of(document: str, repository: Repository) -> DocumentPlace:
    """Read the document_place of a document from its path."""
    site = repository.site_of(document)
    aliases = (posixpath.dirname(path) for path in repository.also_at(document))
    return DocumentPlace(
        document,
        repository,
        folders=(posixpath.dirname(document), *aliases),
        site=site,
        foreign=is_foreign(document) or is_test_data(document) or bool(_TEST_SITE.search(site or "")),
        history=bool(_HISTORY.search(document)),
        moves=bool(_MOVES.search(document)),
        plan=bool(_PLANS.search(document)),
    )


def is_foreign(path: str) -> bool:
    """Whether a file is data of tests, code of others or a mould."""
    return bool(_FOREIGN.search(path))


def is_test_data(document: str) -> bool:
    """Whether a document is what tests read."""
    is_among = _TEST_SITE.search(posixpath.dirname(document) + "/")
    return bool(_TESTS.search(document) or (is_among and not _TELLS.match(posixpath.basename(document))))


def is_page_of_html(document: str, text: str) -> bool:
    """Whether a document is a page of HTML, also one that was saved under another ending."""
    return path_rule.extension(document) in ("html", "htm") or bool(_HTML.match(text))


def place_for(document: str, repository: Repository, *, answer: bool) -> DocumentPlace:
    """Where a document stands, or that it is an answer, whose paths start from the root."""
    return DocumentPlace(document, repository, answer=True) if answer else document_place_of(document, repository)


def missing_citation(document_place: DocumentPlace, mention: Mention, path: str, rule: str) -> PathCitation:
    """A path that is said to exist and does not, with what may have been meant where it is going to be reported."""
    tier = (ANSWER_TIERS if document_place.answer else TIERS).get(rule, "ignore")
    near = document_place.repository.neighbour(path) if tier != "ignore" else None
    return PathCitation(mention, "asserts", path, False, rule, tier, near)


def inside(path: str) -> Iterator[str]:
    """The one spelling of a path, if it stays inside the repository."""
    try:
        yield normalise(path)
    except InputError:
        return
