"""Decides what each mention in a document says about the repository. `docs/evidence.md` has the measurements."""

from __future__ import annotations

from collections.abc import Iterator

from gate.repository.code_names import Names
from gate.repository.document_place import is_page_of_html, place_for
from gate.repository.links import Links
from gate.repository.manifest import Repository
from gate.repository.mention_classes import PathCitation
from gate.repository.mentions import mentions


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
    for mention in mentions(text, restructured=document.lower().endswith(".rst"), prose=answer):
        yield (names if mention.surface in ("inline", "command", "prose") else links).read(mention)
