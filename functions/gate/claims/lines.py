"""Lines of a paragraph that are read by themselves: items of a list that is no Markdown, and the close of a letter."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from gate.claims.attribution.sources import RELATIVE
from gate.claims.markdown import BESIDE, LOWEST, Block
from gate.claims.set_aside.sentence import SYMBOLS
from gate.text.words import formulae
from gate.text.words.imperatives import IMPERATIVES
from gate.text.words.negation import negated
from gate.text.words.predicates import ends_done, tells_without_verb
from gate.text.words.verbs import ASSERTING, IRREGULAR

BULLET = re.compile(r"[•·▪▫‣◦●○∙⁃➤➜►▶▸→✓✔✗✘✅❌☑–—*+-]\ufe0f?\s+|\(?[A-Za-z0-9]\)\s+|[a-z]\.\s+(?=[^\W\d_a-z])")
"""What a line begins with that is meant as an item of a list."""
_LABELLED = re.compile(r"\W{0,3}[^\W\d_][^\s:：]{0,30}(?:\s[^\s:：]{1,30}){0,4}[:：]\s+\S")
"""What a line of a sheet of data begins with: "Max. load: 120 kg"."""
_FEWEST_OF_A_SHEET = 2
_ALERT = re.compile(r"\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]$")
"""What makes a quote an alert on GitHub."""
_SEEING = re.compile(r"(?i)\b(?:see|talk to) you (?:soon|then|there|later)\W*$")
_ENDS = tuple(".?!:;…。？！：")
_LONGEST_LINE = 200
"""Characters of a line that closes a letter, or names somebody."""
_VERB_S = re.compile(r"(?<=\w )[a-z]{2,30}(?<![su]s)(?<!i)s\s(?!of\b|and\b|for\b|in\b)\w|(?<=[\w,] )[a-z]{2,30}ed\s\w")
_BESIDE_NAMES = frozenset().union(
    *formulae.HOLDING.values(), *formulae.COURTESY.values(), ("von", "van", "de", "client")
)
"""Words that a name or an office has in small letters: "the team of Larkfield"."""
_MOST_LINES, _MOST_WORDS = 4, 6
"""Lines of a signature, and words of one of them."""


def parted(found: Sequence[Block], listed: frozenset[int]) -> tuple[list[Block], frozenset[int]]:
    """The blocks again, each item and each close of a letter one of its own; `listed`: places of lists of sources.

    Returns them with the places of what was listed.
    """
    blocks, places = list[Block](), set[int]()
    for number, block in enumerate(found):
        kinds = ("paragraph", "item", "heading")
        pieces = list(_pieces(block)) if block.kind in kinds and number not in listed else [block]
        places.update(range(len(blocks), len(blocks) + len(pieces)) if number in listed else ())
        blocks += pieces
    return blocks, frozenset(places)


def signature(found: Sequence[Block]) -> frozenset[int]:
    """Places of the blocks with which a letter ends: "Kind regards,", and whoever's name stands below it."""
    for place in range(len(found) - 1, max(-1, len(found) - 1 - _MOST_LINES - 1), -1):
        text = found[place].text.strip()
        if found[place].kind != "paragraph":
            break
        if _closes_letter(text):
            return frozenset(range(place, len(found)))
        if not _names_somebody(text):
            break
    return frozenset()


def bare_headings(found: Sequence[Block]) -> frozenset[int]:
    """Places of headings that stand over nothing: another of their rank follows, or the end.

    A lone paragraph in bold letters may be the title of those that follow it; one with another such beside it is none.
    """
    places = [place for place, block in enumerate(found) if block.kind not in BESIDE and block.text.strip()]
    over_nothing = [_is_over_nothing(found, *pair) for pair in pairwise([*places, None])]
    bare = set[int]()
    for at, place in enumerate(places):
        beside = any(over_nothing[max(0, at - 1) : at] + over_nothing[at + 1 : at + 2])
        if over_nothing[at] and (found[place].level < LOWEST or at + 1 == len(places) or beside):
            bare.add(place)
    return frozenset(bare) if len(places) > 1 else frozenset()


def _is_over_nothing(found: Sequence[Block], place: int | None, following: int | None) -> bool:
    if place is None or found[place].kind != "heading":
        return False
    return following is None or (found[following].kind == "heading" and found[following].level <= found[place].level)


def _pieces(block: Block) -> Iterator[Block]:
    """A paragraph, cut at each line that begins an item, behind an alert, and around a line that closes a letter.

    Where every line begins with a label, each is one: "Weight: 17 kg", "Range: 90 km"; so is each line of front matter,
    which Markdown takes for a heading.
    """
    lines = [*pairwise(sorted({0, *(at for at in block.breaks if at < len(block.text)), len(block.text)}))]
    sheet = all(_LABELLED.match(block.text, start, end) for start, end in lines)
    if block.kind == "heading":
        if not sheet or len(lines) < _FEWEST_OF_A_SHEET:
            yield block
            return
        block = replace(block, kind="paragraph", level=0)
    cuts, signed, alert = [0], False, False
    for start, end in lines:
        line = block.text[start:end].strip()
        if start and (sheet or signed or alert or BULLET.match(block.text, start) or _closes_letter(line)):
            cuts.append(start)
        alert = bool(_ALERT.match(line))
        signed = (signed and _names_somebody(line)) or _closes_letter(line)
    for start, end in pairwise([*cuts, len(block.text)]):
        piece = cut(block, start, end) if len(cuts) > 1 else block
        if BULLET.match(piece.text) and block.kind == "paragraph":
            piece = replace(piece, kind="item", level=block.level or 1)
        elif start and BULLET.match(piece.text):
            piece = replace(piece, level=block.level + 1)
        yield piece


def cut(block: Block, start: int, end: int) -> Block:
    """A stretch of a block as a block."""

    def within(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        begins = bisect_left(spans, start + 1, key=lambda one: one[1])
        return [(max(one, start) - start, min(other, end) - start) for one, other in spans[begins:] if one < end]

    links = block.links[_first(block.links, start) : _first(block.links, end)]
    anchors = block.anchors[_first(block.anchors, start) : _first(block.anchors, end)]
    return Block(
        block.kind,
        block.text[start:end],
        block.starts[start:end],
        block.ends[start:end],
        block.level,
        code=within(block.code),
        links=[(one - start, other - start, href) for one, other, href in links],
        struck=within(block.struck),
        breaks=[at - start for at in block.breaks[bisect_right(block.breaks, start) : bisect_left(block.breaks, end)]],
        label="" if start else block.label,
        anchors=[(at - start, name) for at, name in anchors],
    )


def _first(found: Sequence[tuple[Any, ...]], at: int) -> int:
    """The place of the first that begins at a place or behind it."""
    return bisect_left(found, at, key=lambda one: one[0])


def _closes_letter(line: str) -> bool:
    """Whether a line is "Kind regards," or the like, with or without a name behind its comma."""
    if len(line) > _LONGEST_LINE:
        return False
    greeting, comma, name = line.partition(",")
    words = formulae.words_of(greeting)
    if not 0 < len(words) <= _MOST_WORDS or line.rstrip("!.").endswith(_ENDS) or re.search(r"\d", line):
        return False
    if negated(line) or SYMBOLS.search(line):
        return False
    if comma and name.strip() and not (_names_somebody(name.strip()) and RELATIVE.isdisjoint(formulae.words_of(name))):
        return False
    return any(
        (not formulae.CLOSING[language].isdisjoint(words) or _SEEING.search(greeting))
        and all(word in formulae.COURTESY[language] | formulae.HOLDING[language] for word in words)
        for language in formulae.LANGUAGES
    )


def _names_somebody(line: str) -> bool:
    """Whether a line may be a name below a letter: a few words, and no verb as far as lists and endings tell."""
    if len(line) > _LONGEST_LINE:
        return False
    words = formulae.words_of(line)
    plain = line[:1] + line[1:].lower()
    if not 0 < len(words) <= _MOST_WORDS or line.endswith(_ENDS) or re.search(r"\d", line):
        return False
    small = (word for word in formulae.WORD.findall(line) if word[:1].islower())
    return all(word in _BESIDE_NAMES for word in small) and not (
        ASSERTING.search(line)
        or _VERB_S.search(plain)
        or not IRREGULAR.isdisjoint(words)
        or not IMPERATIVES.isdisjoint(words[1:])
        or negated(line)
        or tells_without_verb(line)
        or ends_done(line)
    )
