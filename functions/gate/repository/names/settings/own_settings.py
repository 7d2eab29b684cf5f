"""Whether a key of settings is the repository's own by its place, and whether what may stand there is known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from gate.repository.names.lexicon import Lexicon
from gate.repository.names.name_mentions import EVERYBODYS, NameMention
from gate.repository.names.settings.settings_keys import EVERYBODYS_FILES
from gate.repository.names.spelling import Neighbours, folded, parts
from gate.repository.path_rule import FILES, extension

_STEM = re.compile(r"^[._]+|\.[A-Za-z0-9]{1,6}$|(?:[._-]?(?:config|conf|settings|rc))+$")
_OF_SETTINGS = re.compile(r"conf|settings|options|rc\b", re.IGNORECASE)
FEWEST_CLOSED = 5
"""Keys of one place from which a list of them may count as all."""
FEWEST_NESTED = 3
OPEN_TOP, OPEN, CLOSED = 0.8, 0.9, 0.95
"""Share of the keys of one place that the code has as words: where readers choose them, it cannot have them."""


@dataclass(frozen=True)
class OwnSettings:
    """The settings of one repository; `name`: what it is called."""

    lexicon: Lexicon
    name: str

    @cached_property
    def _own(self) -> frozenset[str]:
        declared = self.lexicon.declared
        names = {*declared.programs, *declared.modules, *declared.projects, self.name}
        return frozenset(folded(name.rpartition("/")[2]) for name in names if len(name) > 1)

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(folded(key) for keys in self.lexicon.keys.values() for key in keys)

    @cached_property
    def _near(self) -> Neighbours:
        return Neighbours(key for keys in self.lexicon.keys.values() for key in keys if self._is_coded(key))

    def is_own_file(self, path: str) -> bool:
        """Whether a file of settings is called by the product, or the product's code names it."""
        name = path.rpartition("/")[2]
        is_data = name.endswith(".json") and not _OF_SETTINGS.search(name)
        if name in self.lexicon.settings_files and name not in EVERYBODYS_FILES and not is_data:
            return True
        stem = name
        while (shorter := _STEM.sub("", stem)) != stem:
            stem = shorter
        return folded(stem) in self._own

    def near(self, mention: NameMention) -> str | None:
        """A key of the same place that may have been meant, or else one of another place."""
        place = self._place(mention)
        beside = Neighbours(self.lexicon.keys.get(folded(place[0]), ())).near(mention.name) if place else None
        return beside or self._near.near(mention.name)

    def absent(self, mention: NameMention) -> str | None:
        """The class of a key that is nowhere; `""`: it is here; None: it may be anybody's."""
        place = self._place(mention)
        if extension(mention.name) in FILES:
            return None
        if place is None:
            return self._told(mention)
        parent, higher = place
        if self._has(mention.name):
            return ""
        if not all(map(self._has, higher)):
            return None  # below what the reader named, or what is told of by itself
        beside = self.lexicon.keys.get(folded(parent), set())
        share = sum(map(self._is_coded, beside)) / len(beside) if beside else 0.0
        is_open_map = bool(higher) and (len(beside) < FEWEST_NESTED or share < OPEN)
        is_open_top = not higher and len(beside) > 2 and share < OPEN_TOP
        if is_open_map or is_open_top:
            return None
        return "key_closed" if len(beside) >= FEWEST_CLOSED and share >= CLOSED else "key"

    def _told(self, mention: NameMention) -> str | None:
        """A key that a sentence calls so, of no file."""
        if mention.owner or not mention.span or mention.above or EVERYBODYS.search(mention.text):
            return None
        if len(parts(mention.name)) < 2 or not mention.name[0].islower():
            return None
        return "" if self._has(mention.name) else "key_told"

    def _place(self, mention: NameMention) -> tuple[str, tuple[str, ...]] | None:
        """What a key stands below, and the keys above it that are settings; None: no place of this product's."""
        above, file = mention.above, mention.owner
        if above and folded(above[0]) in self._own and folded(above[0]) in self.lexicon.keys:
            return above[-1], above[1:]
        if len(above) > 1 and above[0] == "tool" and folded(above[1]) in self._own:
            return above[-1], above[2:]
        if file:
            name = file.rpartition("/")[2]
            return (above[-1] if above else name, above) if self.is_own_file(file) else None
        is_special = above and len(parts(above[-1])) > 1 and all(folded(each) in self._known for each in above)
        return (above[-1], above) if is_special else None

    def _has(self, name: str) -> bool:
        return all(self.lexicon.has(part) for part in re.split(r"[./]", name) if part)

    def _is_coded(self, name: str) -> bool:
        return all(folded(part) in self.lexicon.coded for part in re.split(r"[./]", name) if part)
