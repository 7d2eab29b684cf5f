"""Whether a table of an answer gives a value to another name than its evidence does.

A row names all the right words and figures in the wrong pairing when two values, or two heads, have been exchanged.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gate.decision.amounts import same
from gate.text.figures.quantities import BARE, Quantity, find_quantities
from gate.text.sentences import lines_of_sentences
from gate.text.tokens import fold, keys, placed_keys
from gate.text.words.function_words import FUNCTION_WORDS

Link = tuple[int, int]
"""A name and a value, by place, that a stretch of the evidence puts together."""
_LONGEST = 1_200
"""Characters of a sentence that are compared."""
_WORD = re.compile(r"[^\W_]")
_FEWEST, _MOST_WORDS = 2, 40
"""Names, and values, between which something can be exchanged; words of a cell that are sought in a sentence."""
_APART = ";"
_FIELD = " | "
"""What stands between the cells of a row in a passage."""
_BEHIND = ",:|()"
"""None of these stands between a value and the name behind it that it belongs to: "14 euros for adults"."""


def exchanged(table: Sequence[Sequence[str]], texts: Sequence[str]) -> str:
    """What the evidence pairs otherwise than a row does: a value, its name and the name that it belongs to.

    Two things have to be said: the evidence gives the value to another name of the table, and to this name another
    value of the table. And nowhere may it give the value to this name.

    Args:
        table: its heads, the row that is looked at, and other rows.

    Returns:
        A sentence; empty where nothing is exchanged.
    """
    heads, *rows = table
    row = rows[0]
    segments = [segment for text in texts for segment in _segments(text)]
    first = _naming(rows)
    subjects = [one[first] for one in rows]
    others = [column for column in range(len(row)) if column != first]
    for column in others:
        values = [_Value.of(one[column], heads[column]) for one in rows]
        found = _crossed(subjects, values, segments, (0,))
        if found:
            return found
    about = _about(subjects, segments)
    values = [_Value.of(row[at], row[first]) for at in others]
    return _crossed([heads[at] for at in others], values, about, range(len(others)))


def _naming(rows: Sequence[Sequence[str]]) -> int:
    """The column that names the rows: the first whose cells are all others."""
    row, *others = rows
    named = (column for column, cell in enumerate(row) if cell and all(cell != other[column] for other in others))
    return next(named, 0)


def _crossed(names: Sequence[str], values: Sequence[_Value], segments: Iterable[_Segment], own: Iterable[int]) -> str:
    if len(names) < _FEWEST:
        return ""
    named = _Names.of(names)
    links = sorted({link for segment in segments for link in segment.links(named, values)})
    for at in own:
        theirs = next((name for name, value in links if value == at and name != at), None)
        other = next((value for name, value in links if name == at and value != at), None)
        if theirs is not None and other is not None and (at, at) not in links:
            have, instead = values[at].cell, values[other].cell
            return f"the evidence has {have} for {names[theirs]}, and {instead} for {names[at]}"
    return ""


def _about(subjects: Sequence[str], segments: Sequence[_Segment]) -> list[_Segment]:
    """The stretches that speak of the first of the subjects."""
    telling = _Names.of(subjects).telling
    return [segment for segment in segments if any(telling.get(key) == 0 for _, key in segment.words)]


@dataclass(frozen=True, slots=True)
class _Names:
    """Names of rows or columns, whole; and the words that one of them alone has, with its place."""

    plain: list[str]
    telling: dict[str, int]

    @classmethod
    def of(cls, names: Sequence[str]) -> _Names:
        words = [(word, place) for place, name in enumerate(names) for word in set(_content(name))]
        times = Counter(word for word, _ in words)
        return cls([*map(_plain, names)], {word: place for word, place in words if times[word] == 1})


@dataclass(frozen=True, slots=True)
class _Value:
    """A cell, and the head that it may have in a row of the evidence: that of its column, or the name of its row; its
    amounts, or its words where it has none."""

    cell: str
    head: str
    plain: str
    amounts: tuple[Quantity, ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, cell: str, head: str) -> _Value:
        amounts = tuple(found for found in find_quantities(cell) if not (found.vague and found.kind == BARE))
        words = tuple(_content(cell))
        return cls(cell, _plain(head), _plain(cell), amounts, () if amounts or len(words) > _MOST_WORDS else words)

    def stands(self, fields: Sequence[str]) -> bool:
        """Whether one of the fields is this cell, with a head or without; where its own head is there, that field."""
        own = [field for field in fields if self.head and field.startswith(f"{self.head}: ")]
        return bool(_WORD.search(self.plain)) and _has(own or fields, self.plain)


@dataclass(frozen=True, slots=True)
class _Segment:
    """A row of a table, a sentence or a part of one: its words, with where they begin, and its amounts."""

    text: str
    words: list[tuple[int, str]]
    amounts: tuple[Quantity, ...]

    def links(self, names: _Names, values: Sequence[_Value]) -> Iterator[Link]:
        """Which value it gives to which name."""
        recorded = list(self._of_row(names, values)) if _FIELD in self.text else []
        yield from recorded or self._of_sentence(names, values)

    def _of_row(self, names: _Names, values: Sequence[_Value]) -> Iterator[Link]:
        """Of a row whose cells are those of the answer: a head and its cell, and what names the row with each cell."""
        fields = [*map(_plain, self.text.split(_FIELD))]
        for name, plain in enumerate(names.plain):
            cells = [field.removeprefix(f"{plain}: ") for field in fields if field.startswith(f"{plain}: ")]
            if plain and (cells or _has(fields, plain)):
                yield from ((name, at) for at, value in enumerate(values) if value.stands(cells or fields))

    def _of_sentence(self, names: _Names, values: Sequence[_Value]) -> Iterator[Link]:
        """Where a name comes first, a value belongs to the names before it; else to those behind it, as far as nothing
        sets them apart."""
        named = [(at, 0, {names.telling[key]}) for at, key in self.words if key in names.telling]
        taken = {at for at, _, _ in named}
        valued = [one for one in self._valued(names, values) if one[0] not in taken] if named else []
        events = sorted([*named, *valued], key=lambda one: one[:2])
        forwards = bool(events) and not events[0][1]
        group, start, closed = set[int](), 0, False
        for at, end, places in events if forwards else reversed(events):
            if not end:
                group, start, closed = places if closed else group | places, at, False
            elif forwards or not any(sign in self.text[end:start] for sign in _BEHIND):
                closed = True
                yield from ((name, value) for name in group for value in places)

    def _valued(self, names: _Names, values: Sequence[_Value]) -> Iterator[tuple[int, int, set[int]]]:
        """Where values stand, and which; words that name something else say nothing of where they belong."""
        for amount in self.amounts:
            places = {at for at, value in enumerate(values) if any(same(one, amount) for one in value.amounts)}
            if places:
                yield amount.start, amount.end, places
        content = [(at, key) for at, key in self.words if key not in FUNCTION_WORDS]
        for place, value in enumerate(values):
            size = 0 if names.telling.keys() & value.words else len(value.words)
            for first in range(len(content) - size + 1 if size else 0):
                found = content[first : first + size]
                if found[0][1] == value.words[0] and tuple(key for _, key in found) == value.words:
                    yield found[0][0], found[-1][0] + 1, {place}


def _plain(text: str) -> str:
    return " ".join(text.split()).strip("*_`").casefold()


def _content(text: str) -> list[str]:
    return [key for key in keys(text) if key not in FUNCTION_WORDS]


def _has(fields: Iterable[str], cell: str) -> bool:
    """Whether one of the fields is this cell, with its head or without."""
    return any(field == cell or field.endswith(f": {cell}") for field in fields)


@lru_cache(maxsize=512)
def _segments(text: str) -> tuple[_Segment, ...]:
    """The rows of tables, each whole, and the sentences of the rest; cached, since claims share documents."""
    lines = fold(text).split("\n")
    prose = "\n".join(line for line in lines if _FIELD not in line)
    stretches = [prose[start : min(end, start + _LONGEST)] for start, end in lines_of_sentences(prose)]
    parts = [*(line for line in lines if _FIELD in line), *(part for one in stretches for part in one.split(_APART))]
    return tuple(_Segment(part, placed_keys(part), find_quantities(part)) for part in parts)
