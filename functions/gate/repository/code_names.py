"""What a name in code says: the path of a file of this repository, or any of the many things that look like one."""

from __future__ import annotations

import posixpath
import re

from gate.repository import path_rule
from gate.repository.document_place import DocumentPlace, inside, is_foreign, missing_citation
from gate.repository.manifest import shared_tail
from gate.repository.mention_classes import Kind, PathCitation
from gate.repository.mentions import Mention
from gate.repository.paths import without_line

_NAME = re.compile(r"^(?:\.{0,2}/)?[\w@.+-]+(?:/[\w@.+()-]+)*/?$")
_TASK = re.compile(r"^\s*[-*]\s+\[ \]")
_GENERIC = path_rule.words(
    "src config configs conf tests test docs doc lib app apps scripts script examples example bin cmd internal pkg"
    " server client web www api data assets static public packages modules core common utils tools resources"
    " templates images img .github .vscode .circleci components pages include"
)
"""Folders that every project has: that one is here too says nothing about a path that begins with it."""
_GUIDES = re.compile(r"(?:^|/)(?:docs?|documentation|guides?|tutorials?|manual|book)/", re.IGNORECASE)
_MOULDS = ("eex", "tt", "erb", "tmpl", "tpl", "j2", "jinja", "hbs", "ejs", "in")
"""Endings behind the name of a file that is made from this one."""


BEFORE, AFTER = 80, 40
"""Characters around a mention whose words are taken to be about it."""


class Names:
    """Reads the inline code and the shell commands of one document."""

    def __init__(self, document_place: DocumentPlace) -> None:
        self._document = document_place

    def read(self, mention: Mention) -> PathCitation:
        """Say what one name means."""
        target = without_line(mention.target).strip("'\"")
        shape = path_rule.not_a_path(target, link=False)
        if shape:
            return PathCitation(mention, shape)  # type: ignore[arg-type]
        ending = path_rule.extension(target)
        if "/" not in target and ending not in path_rule.FILES:
            return PathCitation(mention, "name")
        if mention.surface == "command" and ("/" not in target or ending not in path_rule.SOURCE):
            return PathCitation(mention, "name")
        if not _NAME.match(target) or path_rule.is_domain(target):
            return PathCitation(mention, "name")
        relative = next(inside(posixpath.join(mention.folder, target.lstrip("/"))), None)
        if relative is None:
            return PathCitation(mention, "other_repository")
        if self._named_here(target, relative):
            return PathCitation(mention, "asserts", relative, found=True)
        if target.startswith("/") and not self._document.answer and not self._is_from_root(relative, ending):
            return PathCitation(mention, "route", relative)
        kind = self._unasserted(mention, target, relative)
        if kind:
            return PathCitation(mention, kind, relative)
        place = self._place_of(relative)
        path = relative if place is None else posixpath.join(place, relative)
        return missing_citation(self._document, mention, path, self._name_rule(mention, path, relative, place))

    def _named_here(self, target: str, relative: str) -> bool:
        """Whether a name resolves from the document, a folder above it, a documentation root, or as an ending."""
        repository = self._document.repository
        for folder in self._document.folders:
            if any(self._document.resolves(path) for path in inside(posixpath.join(folder, target))):
                return True
        bare = next(inside(target.lstrip("/")), relative)
        for root in self._document.roots():
            if any(
                self._document.resolves(posixpath.normpath(posixpath.join(root, path))) for path in (relative, bare)
            ):
                return True
        head, _, rest = bare.partition("/")
        if rest and head.lower() == repository.name.lower() and repository.has(rest):
            return True
        return bool(repository.ending_with(bare.removeprefix("../")))

    def _is_from_root(self, path: str, ending: str) -> bool:
        """Whether a leading slash can stand for the repository's root: before code, in a folder that is here."""
        folder = posixpath.dirname(path)
        return ending in path_rule.SOURCE and "/" in folder and self._document.repository.is_folder(folder)

    def _unasserted(self, mention: Mention, target: str, path: str) -> Kind | None:
        """Why an absent name says nothing about this repository; None: it may."""
        ending = path_rule.extension(target)
        if ending in path_rule.DATA:
            return "output"
        deep_folder = target.endswith("/") and target.count("/") >= 3
        is_path = self._is_file_kind(ending) or deep_folder or path_rule.CAPITALS.search(target)
        if not (is_path or self._has_like(path, ending)):
            return "name"
        if self._document.foreign or self._document.repository.in_submodule(path):
            return "other_repository"
        if self._is_output(path) or self._document.repository.ignored(path):
            return "output"
        if self._document.history or self._document.moves:
            return "deleted"
        before = mention.text[max(mention.column - 1 - BEFORE, 0) : mention.column - 1]
        if self._document.answer and path_rule.CREATES.search(before):
            return "to_be_created"
        if self._document.plan or _TASK.match(mention.text) or (self._has_mould(path) and not self._document.answer):
            return "to_be_created"
        if not self._document.answer and path_rule.PAST.search(_around(mention).replace(mention.target, "")):
            return "deleted"
        return None

    def _has_like(self, path: str, ending: str) -> bool:
        """Whether a name without an ending is nearly that of such a file, two folders deep or more."""
        near = self._document.repository.close_name(path) if path.count("/") >= 2 and not ending else None
        return (
            near is not None and "." not in posixpath.basename(near) and not self._document.repository.is_folder(near)
        )

    def _has_mould(self, path: str) -> bool:
        """Whether the repository has what a file of this name is made from."""
        name = posixpath.basename(path)
        return any(f"{name}.{ending}" in self._document.repository.by_name for ending in _MOULDS)

    def _is_file_kind(self, ending: str) -> bool:
        in_use = ending in self._document.repository.endings and ending not in path_rule.DATA
        return ending in path_rule.FILES or in_use

    def _is_output(self, path: str) -> bool:
        """Whether a path lies in an output folder that the repository does not keep, or is data by its ending."""
        if path_rule.extension(path) in path_rule.DATA:
            return True
        parts = path.split("/")
        heads = ("/".join(parts[: n + 1]) for n, part in enumerate(parts) if part.lower() in path_rule.OUTPUT)
        return any(not self._document.repository.is_folder(head) for head in heads)

    def _place_of(self, name: str) -> str | None:
        """The folder that a name starts from: of those above the document, the one that holds most of its parts."""
        if "/" not in name:
            return self._document.folder
        head = name.partition("/")[0]
        places = [
            place
            for place in self._document.above()
            if self._document.repository.is_folder(posixpath.join(place, head))
        ]
        return max(places, key=lambda place: self._depth_here(place, name), default=None)

    def _name_rule(self, mention: Mention, path: str, name: str, place: str | None) -> str:
        """The class of an absent name, by what of it is here: its folder, its base name elsewhere, a close name."""
        cue = "_cue" if path_rule.CUES.search(_around(mention)) else ""
        repository = self._document.repository
        if "/" not in name:
            close = repository.close_name(path)
            same_kind = close is not None and path_rule.extension(close) == path_rule.extension(path)
            return f"bare_beside{cue}" if same_kind else f"bare{cue}"
        neighbour = repository.neighbour(path)
        if neighbour and is_foreign(neighbour) and not self._document.answer:
            neighbour = None  # of a mould, say: the file is in what the reader makes of it
        if place is None:
            near = repository.close_folder(path) or (neighbour and shared_tail(neighbour, path) >= 3)
            if path_rule.CREATES.search(mention.text[max(mention.column - 1 - BEFORE, 0) : mention.column - 1]):
                return f"name_elsewhere{cue}"  # a file of the reader's own, in the place of one that is here
            return "name_moved" if near else f"name_elsewhere{cue}"
        if neighbour and not cue:
            return "name_near"
        if neighbour and (posixpath.dirname(neighbour) == posixpath.dirname(path) or shared_tail(neighbour, path) >= 2):
            return "name_near_cue"
        depth = self._depth_here(place, name)
        is_generic = not self._document.answer and name.partition("/")[0] in _GENERIC
        user_guide = is_generic and (self._document.site is not None or _GUIDES.search(self._document.document))
        if depth >= (3 if user_guide else 2) and not (
            name.startswith(".") and path_rule.EXAMPLES.search(_around(mention))
        ):
            return "name_beside"
        if cue or mention.surface == "command" or is_generic:
            return f"name_shallow{cue}"
        return "name_beside" if repository.is_folder(posixpath.dirname(path)) else "name_far"

    def _depth_here(self, place: str, name: str) -> int:
        """How many of a name's folders are in a place, counted from the first."""
        parts = name.split("/")
        depths = range(len(parts) - 1, 0, -1)
        return next((n for n in depths if self._document.repository.is_folder(posixpath.join(place, *parts[:n]))), 0)


def _around(mention: Mention) -> str:
    """The words that can be about a mention: a paragraph may be one long line."""
    begin = max(mention.column - 1 - BEFORE, 0)
    return mention.text[begin : mention.column + len(mention.target) + AFTER]
