"""How a statement is told by the titles that it stands under: as it stands, as untrue, or nobody can say which."""

from __future__ import annotations

from dataclasses import dataclass, field

from gate.claims.markdown import Kind
from gate.text.words.untrue_titles import Among, Named, named
from gate.text.words.untruth import Told, closes, corrects, told_beneath

_LABEL = 9
"""Level of a lead-in or label, below every heading; items of a list that are titles stand below it, by their depth."""
_LISTED: tuple[Kind, ...] = ("item", "row")
_RANK: dict[Told, int] = {"said": 0, "unclear": 1, "untrue": 2}


@dataclass(slots=True)
class _Title:
    """A title that calls untrue what stands beneath it, and what has been read beneath it so far.

    Attributes:
        named: what it names; a row's head of which one column does so leaves it open which cell is meant.
        empty: whether nothing has been read yet.
        depth: how deep the first list beneath it lies; 0 before it.
        corrected: whether the truth was set against it.
        beneath: how what follows a statement that is a heading beneath it is told: the heading is the falsehood then.
    """

    level: int
    named: Named
    empty: bool = True
    depth: int = 0
    listed: bool = False
    only_listed: bool = True
    corrected: bool = False
    beneath: Told = "untrue"


@dataclass(slots=True)
class Titles:
    """The titles that the next statement stands under, as far as they call it untrue."""

    among: Among = frozenset()
    block: int = -1
    corrected: bool = False
    open: list[_Title] = field(default_factory=list)
    parents: dict[int, bool] = field(default_factory=dict)

    def told(self, text: str, kind: Kind, level: int, block: int) -> Told:
        """How a statement of a block of that kind, level and place is told."""
        above = [one for one in self.open if not _is_over(one, kind, level)]
        return max((self._by(one, text, kind, level, block) for one in above), key=_RANK.__getitem__, default="said")

    def _by(self, title: _Title, text: str, kind: Kind, level: int, block: int) -> Told:
        begins = block != self.block or title.empty
        if title.named == "topic":
            first = title.empty or (kind in _LISTED and title.only_listed and begins)
            return min(told_beneath(text), "unclear", key=_RANK.__getitem__) if first else "said"
        if kind != "heading" and title.beneath == "said":
            return "said"
        if begins and not title.empty and closes(text):
            return "said"
        if begins and self._is_named(title, kind, level):
            return told_beneath(text)
        if corrects(text) or title.corrected or (self.corrected and not begins):
            return "said"
        return "unclear"

    def _is_named(self, title: _Title, kind: Kind, level: int) -> bool:
        """Whether the first statement of such a block is one of the falsehoods that a title names."""
        if kind != "heading" and title.beneath != "untrue":
            return False
        if kind in _LISTED:
            beneath = any(depth < level and label for depth, label in self.parents.items())
            return title.depth in (0, level) or beneath
        return not title.listed and (title.named == "many" or title.empty)

    def note(self, text: str, kind: Kind, level: int, block: int, *, titles: bool) -> None:
        """Take notice of a statement that has been read; `titles`: it is a heading, label or lead-in."""
        self.open = [one for one in self.open if not _is_over(one, kind, level)]
        if titles or kind == "heading":
            self.open = [one for one in self.open if one.named != "topic" or one.empty]
        if kind == "head":
            self._add_head(text)
        elif kind == "heading":
            self._begin_section(text, level, titles=titles)
        elif kind == "item":
            self.parents = {depth: one for depth, one in self.parents.items() if depth < level}
            self.parents[level] = titles
            if titles:
                self._add(text, _LABEL + level)
        elif titles:
            self.open = [one for one in self.open if one.level < _LABEL]
            self._add(text, _LABEL)
        if not titles and kind != "head":
            self._read(text, kind, level, block)
        self.block = block

    def _read(self, text: str, kind: Kind, level: int, block: int) -> None:
        if kind == "heading":
            for one in self.open:
                one.beneath = "said" if told_beneath(text) == "said" else "unclear"
            return
        against = corrects(text)
        self.corrected = against or (self.corrected and block == self.block)
        for one in self.open:
            one.empty = False
            one.corrected |= against and one.named == "one"
            one.only_listed &= kind in _LISTED
            if kind in _LISTED:
                one.listed, one.depth = True, one.depth or level

    def _begin_section(self, text: str, level: int, *, titles: bool) -> None:
        for one in self.open:
            one.beneath, one.listed, one.depth, one.empty = "untrue", False, 0, True
        if titles:
            self._add(text, level)

    def _add(self, text: str, level: int) -> None:
        found = named(text, self.among)
        if found:
            self.open.append(_Title(level, found))

    def _add_head(self, text: str) -> None:
        columns = [named(column, self.among) for column in text.split(", ")]
        if any(columns):
            self.open.append(_Title(_LABEL, columns[0] if all(columns) else "topic"))


def _is_over(title: _Title, kind: Kind, level: int) -> bool:
    """Whether a statement of that kind and level stands beneath a title no more."""
    if kind == "heading":
        return level <= title.level
    if title.level > _LABEL:
        return kind != "item" or level <= title.level - _LABEL
    return title.level == _LABEL and title.listed and kind not in _LISTED
