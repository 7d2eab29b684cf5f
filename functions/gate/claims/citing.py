"""Which sources a sentence names: by marks, by links that cite, by name and year of an entry of the list."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from gate.claims.listed_sources import NAME_AND_YEAR, Listing
from gate.claims.source_marks import Mark, cites_before, is_mark_there, marks, names_only
from gate.model import MOST_SOURCES, NamedSource

Link = tuple[int, int, str]
"""Where in a text a link is, and its address."""

_NUMBER = re.compile(r"\W{0,3}[\d⁰¹²³⁴-⁹]{1,3}\W{0,3}")
_WITHIN = re.compile(r"[^\W\d_][,;]$")
"""What stands right before a mark within a sentence: "simple,[2](…) or full"."""
_ADDRESS_BEHIND = re.compile(r"[:–—-]\s{1,3}(https?://[^\s<>()]{2,2000})$")
_IN_BRACKETS = re.compile(r"\s?[(\[]([^()\[\]]{3,200})[)\]]")
_PAGES = re.compile(
    r",?\s?(?:pp?\.|S\.|ch\.|§)\s?[\d.,–-]{1,12}$|^(?:see|cf\.|vgl\.|siehe)\s(?:also\s)?|(?<![)\s])[)\s]+$"
)


def cited(
    text: str, links: Sequence[Link], listing: Listing, struck: Sequence[tuple[int, int]] = ()
) -> tuple[list[Mark], list[NamedSource]]:
    """The marks of a sentence, in order, and the sources that it cites; what is crossed out holds none.

    A link in running text says where to read on and is no citation, unless words such as "according to" stand before.
    """
    dated = [*NAME_AND_YEAR.finditer(text)] if listing.dated else []
    found = _apart([*marks(text), *_linked(text, links), *_dated(text, listing)])
    found = [mark for mark in found if not any(first < mark.end and mark.start < last for first, last in struck)]
    sources = [source for mark in found for source in _of_mark(mark, text, links, listing)]
    sources += [listing.linked(text[link[0] : link[1]], link[2]) for link in links if cites_before(text, link[0])]
    sources += [listing.of_year(one) for one in dated]
    sources += [listing.linked("", one[1]) for one in _ADDRESS_BEHIND.finditer(text)]
    unique = {(source["title"], source["url"]) if source["title"] or source["url"] else source["mark"]: source
              for source in reversed(sources) if source}  # fmt: skip
    return found, [*reversed(unique.values())][: MOST_SOURCES + 1]


def links_within(links: Sequence[Link], first: int, last: int) -> list[Link]:
    """The links of a block's stretch, with their places in it."""
    begins = bisect_right(links, first, key=lambda link: link[1])
    return [
        (max(0, start - first), min(end, last) - first, href)
        for start, end, href in takewhile(lambda link: link[0] < last, links[begins:])
    ]


def only_links(text: str, links: Sequence[Link]) -> bool:
    """Whether nothing but links is there to be read."""
    at = 0
    for start, end, _ in links:
        if re.search(r"[^\W_]", text[at:start]):
            return False
        at = max(at, end)
    return bool(links) and not re.search(r"[^\W_]", text[at:])


def _of_mark(mark: Mark, text: str, links: Sequence[Link], listing: Listing) -> Iterator[NamedSource | None]:
    begins = bisect_right(links, mark.start, key=lambda link: link[1])
    over = [*takewhile(lambda link: link[0] < mark.end, links[begins:])]
    if over:
        yield from (listing.linked(text[start:end], href) for start, end, href in over)
    else:
        yield from map(listing.named, mark.cites)


def _linked(text: str, links: Sequence[Link]) -> Iterator[Mark]:
    """Links that are marks: a number, or the name of a source in brackets."""
    following = -1
    for start, end, href in reversed(links):
        label = text[start:end]
        before, after = text[:start].rstrip("([ "), text[end:]
        bracketed = text[start - 1 : start] in ("(", "[") and after[:1] in (")", "]")
        last = end + (len(after) - len(after.lstrip(")]")) if bracketed else 0)
        ends = text[:last] if 0 <= following - last <= 1 else text  # another mark goes on where it ends
        there = is_mark_there(ends, len(before), last) or _WITHIN.search(text, max(0, start - 2), start)
        if (_NUMBER.fullmatch(label) and there) or (bracketed and names_only(label)):
            following = len(before) + (text[len(before)] == " ")
            yield Mark(len(before), last, (href,))


def _dated(text: str, listing: Listing) -> Iterator[Mark]:
    """Brackets that hold names and years of the answer's list, and nothing else."""
    for brackets in _IN_BRACKETS.finditer(text) if listing.dated else ():
        pieces = [_PAGES.sub("", piece.strip()) for piece in brackets[1].split(";")]
        found = [NAME_AND_YEAR.fullmatch(piece) for piece in pieces]
        if all(one and listing.of_year(one) for one in found):
            yield Mark(brackets.start(), brackets.end(), tuple(f"{one['name']} {one['year']}" for one in found if one))


def _apart(found: Iterable[Mark]) -> list[Mark]:
    kept: list[Mark] = []
    for mark in sorted(found, key=lambda mark: (mark.start, -mark.end)):
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept
