"""What a link says: it names a file beside its document, or a page of the site that is built from it."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from gate.rules import shapes
from gate.rules.diagrams import key
from gate.rules.manifest import INDEX_NAMES
from gate.rules.mention_classes import Citation
from gate.rules.mentions import Mention
from gate.rules.standing import Standing, absent, inside


class Links:
    """Reads the links of one document."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing

    def read(self, mention: Mention) -> Citation:
        """Say what one link means."""
        target = unquote(re.split(r"[#?]", mention.target, maxsplit=1)[0]).strip()
        shape = shapes.not_a_path(mention.target, link=True) if target else "url"
        if shape or shapes.is_domain(target):
            return Citation(mention, shape or "url")  # type: ignore[arg-type]
        candidates = list(self._candidates(target))
        found = next((path for path in candidates if self._standing.resolves(path)), None)
        if found is not None:
            return Citation(mention, "asserts", found, found=True)
        if any(self._standing.repository.variants(path) for path in candidates):
            return Citation(mention, "route", candidates[0])
        return self._absent(mention, target)

    def _candidates(self, target: str) -> Iterator[str]:
        """Every place a link may lead to, as files beside each other and as pages of a site."""
        bare = target.lstrip("/")
        if not target.startswith("/"):
            for folder in self._standing.folders:
                yield from inside(posixpath.join(folder, target))
            if self._standing.site is not None or shapes.extension(target) not in shapes.FILES:
                stem = posixpath.splitext(posixpath.basename(self._standing.document))[0]
                yield from inside(posixpath.join(self._standing.folder, stem, target))
                if stem in INDEX_NAMES:
                    yield from inside(posixpath.join(self._standing.folder, "..", target))
        if target.startswith("/") or self._standing.site is not None:
            yield from inside(bare)
            for root in self._standing.roots():
                yield from inside(posixpath.join(root, bare))

    def _absent(self, mention: Mention, target: str) -> Citation:
        repository = self._standing.repository
        if target[0] == "/":
            return self._absent_root(mention, target)
        path = next(inside(posixpath.join(self._standing.folder, target)), None)
        if path is None or repository.in_submodule(path):
            return Citation(mention, "other_repository", path or "")
        if repository.ignored(path):
            return Citation(mention, "output", path)
        strange = self._standing.foreign and not repository.close_name(path, cutoff=0.9)
        if strange or self._leaves_site(path):
            return Citation(mention, "other_repository", path)
        return absent(self._standing, mention, path, self._rule(mention, target, shapes.extension(target)))

    def _absent_root(self, mention: Mention, target: str) -> Citation:
        """A link from the root names a file where it can be no page: its first folder is below one of the roots."""
        bare = target.lstrip("/")
        named = shapes.extension(target) in shapes.FILES - {"html", "htm"} or bool(shapes.CAPITALS.search(target))
        if not named or self._standing.foreign:
            return Citation(mention, "route", bare)
        head, slash, _ = bare.partition("/")
        is_folder = self._standing.repository.is_folder
        roots = [root for root in self._standing.roots() if slash and is_folder(posixpath.join(root, head))]
        if self._standing.site is not None and not roots:
            return Citation(mention, "route", bare)
        return absent(self._standing, mention, posixpath.join(*roots[:1], bare), "link_root")

    def _leaves_site(self, path: str) -> bool:
        """Whether a link climbs out of its site into a folder that is not here: another site, built beside it."""
        if self._standing.site is None or not self._standing.site or path.startswith(f"{self._standing.site}/"):
            return False
        if self._standing.repository.close_folder(path):
            return False
        shared = posixpath.commonpath([self._standing.site, path])
        below = posixpath.relpath(path, shared or ".").partition("/")[0]
        return posixpath.join(shared, below) not in self._standing.repository.known

    def _leads_away(self, target: str) -> bool:
        """Whether a page is two folders up or more, in a folder that is not here or in the root, with nothing near."""
        if not target.startswith("../../"):
            return False
        path = next(inside(posixpath.join(self._standing.folder, target)), "")
        folder = posixpath.dirname(path)
        here = bool(folder) and self._standing.repository.is_folder(folder)
        return not here and self._standing.repository.neighbour(path) is None

    def _made_by_script(self, path: str) -> bool:
        """Whether a script near the documents is called like the page: it is probably what makes the page."""
        wanted = key(posixpath.splitext(posixpath.basename(path))[0])
        top = path.partition("/")[0]
        return any(place.startswith(f"{top}/") for place in self._standing.repository.scripts.get(wanted, ()))

    def _rule(self, mention: Mention, target: str, ending: str) -> str:
        """The class of an absent link; `route` ones are pages that only the site's own settings can find."""
        known = shapes.FILES | self._standing.repository.endings
        named = (ending in known and ending not in ("html", "htm")) or bool(shapes.CAPITALS.search(target))
        if mention.surface == "include":
            return "include" if named else "route"
        if not named:
            explicit = (target.startswith(".") or target.endswith("/")) and "#" not in mention.target
            return "link_folder" if explicit and self._standing.site is None and not ending else "route"
        if self._standing.history:
            return "link_history"
        if self._standing.foreign:
            return "link_foreign"
        if ending in shapes.DOCUMENT and self._leads_away(target):
            return "link_away"
        path = next(inside(posixpath.join(self._standing.folder, target)), "")
        if self._standing.repository.neighbour(path):
            return "link_near"
        return "link_made" if ending in shapes.DOCUMENT and self._made_by_script(path) else "link"
