"""What an answer's own list says of the sources that its marks name: a numbered list, footnotes, targets of links."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from gate.claims.attribution.source_marks import mark_names
from gate.claims.attribution.sources import ADDRESS, is_head, names_sources, title_of
from gate.claims.markdown import Block
from gate.model import NamedSource

_LABEL = re.compile(
    r"^[\s*_•-]*(?:\[\^?([\w.-]{1,40})\]|(\d{1,3})[.)](?=\s)|([⁰¹²³⁴-⁹]{1,3})|【(\d{1,3})[^】]{0,60}】)[\s:]*"
)
_MARKED = re.compile(r"^\s*(?:\[\^?[\w.-]{1,40}\]|[⁰¹²³⁴-⁹]{1,3}|【\d{1,3}[^】]{0,60}】)")
_TARGET = re.compile(r"^\s*\[([^\]]{1,200})\]:\s*<?([^\s>]{1,2000})>?\s*[\"'(]?\s*$")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_AUTHOR = r"[^\W\d_a-z][\w’'-]{1,30}"
NAME_AND_YEAR = re.compile(
    rf"(?P<name>{_AUTHOR})(?:\s(?:et al\.?|(?:&|and|und|et|y|e|en)\s{_AUTHOR}))?,?\s\(?(?P<year>[12]\d{{3}}[a-z]?)\b"
)
_YEAR = re.compile(r"\b[12]\d{3}[a-z]?\b")
_WORD = re.compile(_AUTHOR)
_NUMBER_BEHIND = re.compile(r"(?<!\d)\d{1,4}$")
_NO_TITLE = re.compile(r"[\d:]*\d|turn\d+[a-z]+\d+|oaicite:\d+")
"""A number, or what a chat product calls a page that it found."""
_MOST_NAMES = 8


@dataclass(slots=True)
class Listing:
    """The sources that an answer lists, by label, by name and year, and by address.

    Attributes:
        notes: labels of footnotes that state something; what refers to them cites nothing.
    """

    labelled: dict[str, NamedSource] = field(default_factory=dict)
    dated: dict[tuple[str, str], NamedSource] = field(default_factory=dict)
    addressed: dict[str, NamedSource] = field(default_factory=dict)
    notes: frozenset[str] = frozenset()

    def named(self, name: str) -> NamedSource | None:
        """What a mark names: an entry of the list, or nothing but its name; None where it is a note."""
        if name.casefold() in self.notes:
            return None
        year = NAME_AND_YEAR.fullmatch(name)
        entry = self.labelled.get(name.casefold()) or (self.of_year(year) if year else None)
        if entry:
            return {**entry, "mark": name}
        if ADDRESS.match(name):
            return self.linked("", name)
        if name.isdigit() and self.labelled:
            return NamedSource(mark=name, title="", url="", missing=True)
        return NamedSource(mark=name, title="" if _NO_TITLE.fullmatch(name) else name, url="")

    def linked(self, text: str, address: str) -> NamedSource | None:
        """What a link points at, whose text is `text`."""
        text = text.strip("()[] ")
        if address.startswith("#"):
            number = _NUMBER_BEHIND.search(address)
            entry = self.labelled.get(address[1:].casefold()) or (self.labelled.get(number[0]) if number else None)
            return {**entry, "mark": text or address} if entry else None
        entry = self.addressed.get(address)
        title = text if re.search(r"[^\W\d_]", text) else ""
        return NamedSource(mark=text or address, title=entry["title"] if entry and not title else title, url=address)

    def of_year(self, found: re.Match[str]) -> NamedSource | None:
        """The entry of a name and a year, as `NAME_AND_YEAR` finds them."""
        entry = self.dated.get((found["name"].casefold(), found["year"]))
        return {**entry, "mark": f"{found['name']} {found['year']}"} if entry else None


def listing_of(rendered: Sequence[Block], listed: frozenset[int]) -> Listing:
    """Read the list of sources of an answer; `listed` are the places of the blocks that only name sources."""
    listing, number = Listing(), 0
    for place, block in enumerate(rendered):
        if block.kind == "unseen" and (target := _TARGET.match(block.text)):
            _enter(listing, target[1], block.label[:300], target[2])
        elif place in listed and not is_head(block.text):
            for line, address, anchor in _lines(block):
                label, title = _parted(line)
                number += 1
                for one in filter(None, (label or block.label.translate(_LOWERED) or str(number), anchor)):
                    _enter(listing, one, title, address)
    listing.notes = frozenset(
        block.label.casefold()
        for place, block in enumerate(rendered)
        if block.kind == "footnote" and place not in listed
    ) - set(listing.labelled)
    return listing


_ANSWERED = (":", "：", "?", "？")
"""Ends of what a title may answer, or complete: "Which is abolished?" above "[1] Annual leave"."""


def lists_by_label(rendered: Sequence[Block], listed: frozenset[int], titles: Collection[str] = ()) -> frozenset[int]:
    """Places of paragraphs of which each line is a label, which is a mark of the answer, and the name of a source, or a
    label and the title of a given passage; and of HTML whose every line has an anchor and only names a source.

    Args:
        titles: see `source_blocks`.
    """
    found: dict[int, set[str]] = {}
    for place, block in enumerate(rendered):
        if place in listed or block.kind not in ("paragraph", "html"):
            continue
        lines = [*_lines(block)]
        if block.kind == "html" and block.anchors and all(anchor for _, _, anchor in lines):
            labels = {number[0] for _, _, anchor in lines if (number := _NUMBER_BEHIND.search(anchor))}
        else:
            labels = {label for line, _, _ in lines if _MARKED.match(line) and (label := _parted(line)[0])}
        answers = not place or rendered[place - 1].text.rstrip("*_ ").endswith(_ANSWERED)
        given = [not answers and title_of(line) in titles for line, _, _ in lines]
        named = (
            one or names_sources(_parted(line)[1], linked=bool(address))
            for one, (line, address, _) in zip(given, lines, strict=True)
        )
        if labels and len(labels) == len(lines) and all(named):
            found[place] = set() if all(given) else labels
    if not found:
        return frozenset()
    others = [block for place, block in enumerate(rendered) if place not in found and place not in listed]
    used = {name for block in others for name in mark_names(block.text)}
    used |= {number[0] for block in others for _, _, href in block.links if (number := _NUMBER_BEHIND.search(href))}
    return frozenset(place for place, labels in found.items() if labels <= used)


def _parted(line: str) -> tuple[str, str]:
    """The label that a line begins with, empty where it has none, and what follows it."""
    label = _LABEL.match(line)
    if label is None:
        return "", line
    return next(filter(None, label.groups()), "").translate(_LOWERED), line[label.end() :]


def _lines(block: Block) -> Iterator[tuple[str, str, str]]:
    """Each line of a block, with the address that it links to or names, and its id."""
    starts = sorted({0, *(at for at in block.breaks if at < len(block.text))})
    links, anchors = iter([*block.links, None]), iter([*block.anchors, None])
    link, anchor = next(links), next(anchors)
    for start, end in pairwise([*starts, len(block.text)]):
        address, name = "", ""
        while link is not None and link[0] < end:
            address = address or link[2]
            link = next(links)
        while anchor is not None and anchor[0] < end:
            name = name or anchor[1]
            anchor = next(anchors)
        line = block.text[start:end]
        if line.strip() and not is_head(line):
            written = ADDRESS.search(line)
            yield line, address or (written[0].rstrip(".,;:)") if written else ""), name


def _enter(listing: Listing, label: str, title: str, address: str) -> None:
    title = " ".join(ADDRESS.sub(" ", title).split()).strip(" -–—:,.;()<>")
    entry = NamedSource(mark=label, title=title, url=address)
    listing.labelled.setdefault(label.casefold(), entry)
    if address:
        listing.addressed.setdefault(address, entry)
    year = _YEAR.search(title)
    if year:
        for name in _WORD.findall(title[: year.start()])[:_MOST_NAMES]:
            listing.dated.setdefault((name.casefold(), year[0]), entry)
