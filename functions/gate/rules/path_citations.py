"""Decides what each mention in a document says about the repository. `docs/evidence.md` has the measurements."""

from __future__ import annotations

from collections.abc import Iterator

from gate.rules.links import Links
from gate.rules.manifest import Repository
from gate.rules.mention_classes import Citation
from gate.rules.mentions import mentions
from gate.rules.names import Names
from gate.rules.standing import Standing, standing_of


def citations(document: str, text: str, repository: Repository, *, answer: bool = False) -> Iterator[Citation]:
    """Yield every citation in a document, in the order of its lines.

    Args:
        document: the document's own path in the repository; relative links start from its folder.
        text: Markdown, or reStructuredText where the path ends so.
        repository: what there is.
        answer: the text is an answer about the repository: its paths start from the root, and most of them assert.
    """
    standing = Standing(document, repository, answer=True) if answer else standing_of(document, repository)
    links, names = Links(standing), Names(standing)
    for mention in mentions(text, restructured=document.lower().endswith(".rst"), prose=answer):
        yield (names if mention.surface in ("inline", "command", "prose") else links).read(mention)
