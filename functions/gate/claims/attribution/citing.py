"""Which sources a sentence names: by marks, by links that cite, by name and year of an entry of the list."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from gate.claims.attribution.listed_sources import NAME_AND_YEAR, Listing
from gate.claims.attribution.source_marks import CLAUSE_ENDS, Mark, cites_before, is_mark_there, marks, names_only
from gate.model import MOST_SOURCES, NamedSource
from gate.text.words.formulae import words_of
from gate.text.words.verbs import ASSERTING, IRREGULAR, MODALS, NO_NOUNS

Link = tuple[int, int, str]
"""Where in a text a link is, and its address."""

_NUMBER = re.compile(r"\W{0,3}[\d⁰¹²³⁴-⁹]{1,3}\W{0,3}")
_WITHIN = re.compile(r"[^\W\d_][,;]$")
"""What stands right before a mark within a sentence: "simple,[2](…) or full"."""
_WORD = re.compile(r"[^\W_]")
_BETWEEN = " ,;:–—"
_VERBS = IRREGULAR | NO_NOUNS | MODALS
_CONDITIONS = frozenset(("if", "unless", "when", "whenever", "whether"))
"""What begins a clause that states nothing by itself."""
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
    sources = [
        _of_part(source, part) if source else None
        for mark, part in zip(found, _parts(text, found), strict=True)
        for source in _of_mark(mark, text, links, listing)
    ]
    sources += [listing.linked(text[link[0] : link[1]], link[2]) for link in links if cites_before(text, link[0])]
    sources += [listing.of_year(one) for one in dated]
    sources += [listing.linked("", one[1]) for one in _ADDRESS_BEHIND.finditer(text)]
    unique = dict[tuple[str, ...], NamedSource]()
    for source in filter(None, sources):
        key = (source["title"], source["url"]) if source["title"] or source["url"] else (source["mark"],)
        before = unique.setdefault(key, source)
        if before.get("part") != source.get("part"):
            before.pop("part", None)
    return found, [*unique.values()][: MOST_SOURCES + 1]


def _parts(text: str, found: Sequence[Mark]) -> Iterator[str]:
    """For each mark the clause before it, which it stands for where that is certain; empty elsewhere.

    Its clause begins with the sentence or where that of the mark before ended, and ends where it stands. How far back a
    mark reaches behind a lone noun or in a list nobody can say; behind the whole sentence it stands for all of it, and
    behind a label for what follows. A source in words, "found in passage 2", may be what the clause speaks of.
    """
    at, part, begins = 0, "", True
    for mark in found:
        between = text[at : mark.start].strip(_BETWEEN)
        if _WORD.search(between):
            ends = text[mark.end : mark.end + 1] != ":" and bool(CLAUSE_ENDS.match(text, mark.end))
            whole = not at and not _WORD.search(text, mark.end)
            apart = not text[mark.start : mark.end].lstrip(" ,")[:1].isalpha()
            part = between if begins and ends and apart and not whole and _states(between) else ""
            begins = ends
        yield part
        at = mark.end


def _states(clause: str) -> bool:
    words = words_of(clause)
    verb = ASSERTING.search(clause) or not _VERBS.isdisjoint(words)
    return bool(verb) and words[0] not in _CONDITIONS


def _of_part(source: NamedSource, part: str) -> NamedSource:
    return {**source, "part": part} if part else source


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
