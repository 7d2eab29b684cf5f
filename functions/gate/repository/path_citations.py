"""Decides what each mention in a document says about the repository. `docs/evidence.md` has the measurements."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace

from gate.repository import path_rule
from gate.repository.code_names import Names
from gate.repository.document_place import is_page_of_html, place_for
from gate.repository.links import Links
from gate.repository.manifest import Repository
from gate.repository.mention_classes import TIERS, PathCitation
from gate.repository.mentions import mentions

_IN_CODE = ("inline", "command", "prose")
SYSTEMATIC, SPREAD, SHARE = 8, 3, 0.9
"""Different absent paths of one form, the documents that cite them, and their share of all citations of the form, from
which what cites them follows a layout that the repository does not show."""


def citations(document: str, text: str, repository: Repository, *, answer: bool = False) -> Iterator[PathCitation]:
    """Yield every citation in a document, in the order of its lines.

    Args:
        document: the document's own path in the repository; relative links start from its folder.
        text: Markdown, or reStructuredText where the path ends so.
        repository: what there is.
        answer: the text is an answer about the repository: its paths start from the root, and most of them assert.
    """
    place = place_for(document, repository, answer=answer)
    links = Links(place, is_served=is_page_of_html(document, text) and not answer)
    names = Names(place)
    found = mentions(text, restructured=document.lower().endswith(".rst"), prose=answer)
    cited = [(names if each.surface in _IN_CODE else links).read(each) for each in found]
    here = set() if answer else {posixpath.dirname(citation.path) for citation in cited if citation.found}
    for citation in cited:
        yield beside_others(citation, here)


def beside_others(citation: PathCitation, folders: Container[str]) -> PathCitation:
    """A name in a folder that every project has is of this one where the document names others of it that are here."""
    if citation.rule not in ("name_shallow", "name_shallow_cue") or posixpath.dirname(citation.path) not in folders:
        return citation
    return replace(citation, rule="name_listed", tier=TIERS["name_listed"])


_IMAGES = "images"
_Form = tuple[bool, str, str, str]
"""Whether it stands in code, what kind of file it leads to, and where: into which folder, or among which documents."""


@dataclass(slots=True)
class _Tally:
    """Citations of one form; of paths and documents no more are kept than tell that they are many."""

    here: int = 0
    absent: int = 0
    paths: set[str] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)
    documents: set[str] = field(default_factory=set)

    def add(self, document: str, citation: PathCitation) -> None:
        """Count a citation."""
        if citation.found:
            self.here += 1
            return
        self.absent += 1
        for kept, name, most in (
            (self.paths, citation.path, SYSTEMATIC),
            (self.alone, citation.path if citation.suggestion is None else "", SYSTEMATIC),
            (self.documents, document, SPREAD),
        ):
            if name and len(kept) < most:
                kept.add(name)

    def is_systematic(self, *, in_code: bool) -> bool:
        """Whether nearly all are absent, and many; links also in several documents, or with nothing near them.

        A page whose links all miss what is near has one slip in all; names in code that all miss are of another place.
        """
        is_spread = in_code or len(self.documents) >= SPREAD or len(self.alone) >= SYSTEMATIC
        return len(self.paths) >= SYSTEMATIC and is_spread and self.absent > SHARE * (self.absent + self.here)


class Layouts:
    """How the documents of a repository cite its files, and where that shows a layout which the repository does not.

    One slip is an error, and what never resolves is a convention: of whatever builds the pages, of another repository,
    of the reader's own. So where nearly all citations of one form are absent, nothing is said of any, but that it is.

    Args:
        cited: every citation, with its document; answers are none.
        repository: what there is.
    """

    def __init__(self, cited: Iterable[tuple[str, PathCitation]], repository: Repository) -> None:
        self._repository = repository
        self._tallies: dict[_Form, _Tally] = defaultdict(_Tally)
        for document, citation in cited:
            for form in self._forms(document, citation):
                self._tallies[form].add(document, citation)
        self._unknown = {form for form, tally in self._tallies.items() if tally.is_systematic(in_code=form[0])}

    def unknown(self, document: str, citation: PathCitation) -> str | None:
        """Of what form a citation is, in words, where citations of that form resolve nearly never; None: they do."""
        forms = () if citation.found else self._forms(document, citation)
        return next((_told(form) for form in forms if form in self._unknown), None)

    def _forms(self, document: str, citation: PathCitation) -> Iterator[_Form]:
        """How a citation is written with the place that it leads to, and with the documents that it stands among."""
        if citation.kind != "asserts" or not (citation.found or citation.tier != "ignore"):
            return
        in_code, target = citation.mention.surface in _IN_CODE, citation.mention.target.partition("#")[0]
        ending = path_rule.extension(target)
        ending = _IMAGES if ending in path_rule.IMAGE else ending
        yield in_code, ending, "into", self._place(citation.path)
        site = None if in_code else self._repository.site_of(document)
        top = "/".join(posixpath.dirname(document).split("/")[: 1 if in_code else 2]) if site is None else site
        yield in_code, ending, "from the root in" if target.startswith("/") else "in", top

    def _place(self, path: str) -> str:
        """The folder of a path, or the first above it that is not here."""
        end = path.find("/")
        while end >= 0 and self._repository.is_folder(path[:end]):
            end = path.find("/", end + 1)
        return posixpath.dirname(path) if end < 0 else path[:end]


def _told(form: _Form) -> str:
    in_code, ending, where, place = form
    of = _IMAGES if ending == _IMAGES else f".{ending}" if ending else "names without an ending"
    return f"{'code' if in_code else 'links'} to {of} {where} {place or 'the root'}"
