"""What a link says: it names a file beside its document, or a page of the site that is built from it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from gate.repository import path_rule
from gate.repository.diagrams import key
from gate.repository.document_place import DocumentPlace, inside, missing_citation
from gate.repository.manifest import INDEX_NAMES
from gate.repository.mention_classes import PathCitation
from gate.repository.mentions import Mention

_CONTENT = "@/"
"""How a link begins that leads from a site's content, as Zola has it; or from code, by an alias."""
_COPIED = ("assets", "static", "public")
"""Folders whose files a site's generator puts beside the pages."""
_WRITTEN = path_rule.words("feed.xml rss.xml atom.xml sitemap.xml llms.txt llms-full.txt robots.txt")
"""Files that what makes a site writes beside its pages."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")
"""A folder of a translation, beside the one of the language that is translated."""
_TRANSLATED = ("en", "en-US", "en_US")
_NO_PAGE = ".md"
"""What is left of a link to a page where a generator had no name for it."""
_RDOC = "files/"
"""Where RDoc puts the pages that it makes of a repository's files."""
_EXDOC_PAGES = path_rule.words("md cheatmd livemd")
"""Pages of projects of Elixir, which ExDoc puts into one folder, whatever theirs."""


class Links:
    """Reads the links of one document.

    Args:
        document_place: where it stands.
        is_served: it is a page of HTML: where its links start is said by what serves or builds it.
    """

    def __init__(self, document_place: DocumentPlace, *, is_served: bool = False) -> None:
        self._document = document_place
        self._is_served = is_served

    def read(self, mention: Mention) -> PathCitation:
        """Say what one link means."""
        target = unquote(re.split(r"[#?]", mention.target, maxsplit=1)[0]).strip()
        shape = path_rule.not_a_path(mention.target, link=True) if target else "url"
        if posixpath.basename(target) == _NO_PAGE:
            shape = "template"
        if shape or path_rule.is_domain(target):
            return PathCitation(mention, shape or "url")  # type: ignore[arg-type]
        if target.startswith(_CONTENT):
            return self._from_content(mention, target.removeprefix(_CONTENT))
        candidates = list(self._candidates(target))
        found = next((path for path in candidates if self._document.resolves(path)), None)
        if found is not None:
            return PathCitation(mention, "asserts", found, found=True)
        if self._is_served:
            return PathCitation(mention, "route", next(iter(candidates), target))
        if any(map(self._is_made_page, candidates)) or posixpath.basename(target) in _WRITTEN:
            return PathCitation(mention, "route", next(iter(candidates), target))
        return self._without_target(mention, target)

    def _is_made_page(self, path: str) -> bool:
        """Whether the site has what is not in this place in another language."""
        return self._document.repository.variants(path) or self._is_not_translated(path)

    def _is_not_translated(self, path: str) -> bool:
        """Whether a file stands beside the pages that this one translates: `docs/en/a.png` for `docs/tr/a.png`."""
        parts, own = path.split("/"), self._document.document.split("/")
        for n, (part, same) in enumerate(zip(parts, own, strict=False)):
            if part != same:
                return False
            translated = ("/".join((*parts[:n], name, *parts[n + 1 :])) for name in _TRANSLATED)
            if _LANGUAGE.fullmatch(part) and any(map(self._document.resolves, translated)):
                return True
        return False

    def _from_content(self, mention: Mention, target: str) -> PathCitation:
        """A link from the folder of a site's content, which is one of those above the document."""
        folder = self._document.folder
        while True:
            path = next(inside(posixpath.join(folder, target)), None)
            if path and self._document.resolves(path):
                return PathCitation(mention, "asserts", path, found=True)
            if not folder:
                return PathCitation(mention, "route", target)
            folder = posixpath.dirname(folder)

    def _candidates(self, target: str) -> Iterator[str]:
        """Every place a link may lead to, as files beside each other and as pages of a site."""
        bare = target.lstrip("/")
        if not target.startswith("/"):
            for folder in self._document.folders:
                yield from inside(posixpath.join(folder, target))
            is_page = self._document.site is not None or path_rule.extension(target) not in path_rule.FILES
            if is_page or self._document.repository.is_hugo_page(self._document.document):
                stem = posixpath.splitext(posixpath.basename(self._document.document))[0]
                yield from inside(posixpath.join(self._document.folder, stem, target))
                if stem in INDEX_NAMES:
                    yield from inside(posixpath.join(self._document.folder, "..", target))
        if target.startswith("/") or self._document.site is not None:
            yield from inside(bare)
            for root in self._document.roots():
                yield from inside(posixpath.join(root, bare))
        if target.startswith("/"):
            yield from self._copied_to_root(bare)

    def _copied_to_root(self, bare: str) -> Iterator[str]:
        """Files that a site, wherever its folder is, puts at its root: `website/static/images/a.png`."""
        for path in inside(bare):
            for whole in self._document.repository.ending_with(path):
                if posixpath.basename(whole.removesuffix(f"/{path}")) in _COPIED:
                    yield whole

    def _without_target(self, mention: Mention, target: str) -> PathCitation:
        repository = self._document.repository
        if target[0] == "/":
            return self._without_root_target(mention, target)
        path = next(inside(posixpath.join(self._document.folder, target)), None)
        if path is None or repository.in_submodule(path):
            return PathCitation(mention, "other_repository", path or "")
        if repository.ignored(path):
            return PathCitation(mention, "output", path)
        if self._is_put_there(target):
            return PathCitation(mention, "route", path)
        strange = self._document.foreign and not repository.close_name(path, cutoff=0.9)
        if strange or self._leaves_site(path):
            return PathCitation(mention, "other_repository", path)
        return missing_citation(self._document, mention, path, self._rule(mention, target, path_rule.extension(target)))

    def _is_put_there(self, target: str) -> bool:
        """Whether what makes the pages puts the file where the link looks: what lies beside them, RDoc, or ExDoc."""
        repository, (_, *above) = self._document.repository, self._document.above()
        if "/" in target and path_rule.extension(target) in path_rule.IMAGE:
            beside = (posixpath.join(place, name, target) for place in above for name in _COPIED)
            if any(repository.has(posixpath.normpath(path)) for path in beside):
                return True
        if target.startswith(_RDOC) and "rdoc" in repository.endings and repository.has(target.removeprefix(_RDOC)):
            return True
        return not self._document.answer and self._is_found_by_exdoc(target)

    def _is_found_by_exdoc(self, target: str) -> bool:
        """Whether ExDoc, which finds pages by their names alone, has one of this name, or an image."""
        repository, name = self._document.repository, posixpath.basename(target)
        is_flat = path_rule.extension(name) in _EXDOC_PAGES or target.startswith("assets/")
        projects = (posixpath.join(place, "mix.exs") for place in self._document.above())
        return is_flat and name in repository.by_name and any(map(repository.has, projects))

    def _without_root_target(self, mention: Mention, target: str) -> PathCitation:
        """A link from the root names a file where it can be no page: its first folder is below one of the roots."""
        bare = target.lstrip("/")
        is_file = path_rule.extension(target) in path_rule.FILES - {"html", "htm"}
        named = is_file or path_rule.CAPITALS.search(target)
        if not named or self._document.foreign:
            return PathCitation(mention, "route", bare)
        head, slash, _ = bare.partition("/")
        is_folder = self._document.repository.is_folder
        roots = [root for root in self._document.roots() if slash and is_folder(posixpath.join(root, head))]
        is_page = self._document.site is not None or (slash and not self._document.answer)
        if is_page and not roots:
            return PathCitation(mention, "route", bare)
        return missing_citation(self._document, mention, posixpath.join(*roots[:1], bare), "link_root")

    def _leaves_site(self, path: str) -> bool:
        """Whether a link climbs out of its site into a folder that is not here: another site, built beside it."""
        if self._document.site is None or not self._document.site or path.startswith(f"{self._document.site}/"):
            return False
        if self._document.repository.close_folder(path):
            return False
        shared = posixpath.commonpath([self._document.site, path])
        below = posixpath.relpath(path, shared or ".").partition("/")[0]
        return posixpath.join(shared, below) not in self._document.repository.known

    def _leads_away(self, target: str) -> bool:
        """Whether a page is two folders up or more, in a folder that is not here or in the root, with nothing near."""
        if not target.startswith("../../"):
            return False
        path = next(inside(posixpath.join(self._document.folder, target)), "")
        folder = posixpath.dirname(path)
        here = bool(folder) and self._document.repository.is_folder(folder)
        return not here and self._document.repository.neighbour(path) is None

    def _made_by_script(self, path: str) -> bool:
        """Whether a script near the documents is called like the page: it is probably what makes the page."""
        wanted = key(posixpath.splitext(posixpath.basename(path))[0])
        top = path.partition("/")[0]
        return any(place.startswith(f"{top}/") for place in self._document.repository.scripts.get(wanted, ()))

    def _rule(self, mention: Mention, target: str, ending: str) -> str:
        """The class of an absent link; `route` ones are pages that only the site's own settings can find."""
        known = path_rule.FILES | self._document.repository.endings
        named = (ending in known and ending not in ("html", "htm")) or bool(path_rule.CAPITALS.search(target))
        if "." not in target and "/" not in target and self._document.repository.is_myst_page(self._document.document):
            return "route"
        if mention.surface == "include":
            return "include" if named else "route"
        if not named:
            explicit = (target.startswith(".") or target.endswith("/")) and "#" not in mention.target
            is_site = (
                self._document.site is not None or self._document.folder in self._document.repository.numbered_folders
            )
            return "link_folder" if explicit and not is_site and not ending else "route"
        if self._document.history:
            return "link_history"
        if self._document.foreign:
            return "link_foreign"
        if ending in path_rule.DOCUMENT and self._leads_away(target):
            return "link_away"
        path = next(inside(posixpath.join(self._document.folder, target)), "")
        near = self._document.repository.neighbour(path)
        if near:
            return "link_moved" if posixpath.basename(near) == posixpath.basename(path) else "link_near"
        return "link_made" if ending in path_rule.DOCUMENT and self._made_by_script(path) else "link"
