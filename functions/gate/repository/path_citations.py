"""Decides what each mention in a document says about the repository. `docs/evidence.md` has the measurements."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from gate.repository.code_names import Names
from gate.repository.document_place import is_page_of_html, place_for
from gate.repository.links import Links
from gate.repository.manifest import Repository
from gate.repository.mention_classes import PathCitation
from gate.repository.mentions import mentions

MANY = 5
"""Files of one folder; of 11,000 documents two named so many that were not there, both of another place."""


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
    cited = [(names if each.surface in ("inline", "command", "prose") else links).read(each) for each in found]
    elsewhere = set() if answer else _listed_elsewhere(cited)
    for citation in cited:
        listed = _is_absent_name(citation) and posixpath.dirname(citation.path) in elsewhere
        yield replace(citation, kind="other_repository", rule="", tier="ignore") if listed else citation


def _listed_elsewhere(cited: Iterable[PathCitation]) -> set[str]:
    """Folders of which a document names many files, and none that is here: it speaks of another place."""
    absent, here = defaultdict[str, set[str]](set), set[str]()
    for citation in cited:
        if citation.found:
            here.add(posixpath.dirname(citation.path))
        elif _is_absent_name(citation):
            absent[posixpath.dirname(citation.path)].add(citation.path)
    return {folder for folder, paths in absent.items() if len(paths) >= MANY} - here


def _is_absent_name(citation: PathCitation) -> bool:
    return citation.tier != "ignore" and citation.rule.startswith("name_")
