"""How names are spelt: one spelling for comparison, the words they are made of, and names that are close."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

_MARKS = re.compile(r"[\W_]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
CLOSE = 0.8
"""Similarity from which two names are taken for a slip of the pen."""
MOST_CANDIDATES = 3_000
"""Names that share a word with the one that is asked for, looked at for a close one."""


def folded(name: str) -> str:
    """The name without case, dashes and underscores: `--no-build`, `no_build` and `noBuild` are one."""
    return _MARKS.sub("", name).lower()


def parts(name: str) -> tuple[str, ...]:
    """The words that a name is made of, in lower case: `no`, `build` of `noBuild`."""
    return tuple(part.lower() for part in _PART.findall(name))


def keys(name: str) -> set[str]:
    """What a name shares with names that are close to it: one of its words, or how it begins."""
    return {*parts(name), name[:3].lower()}


class Neighbours:
    """Names by the words that they are made of."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = sorted(set(names))
        self._known: dict[str, str | None] = {}

    @cached_property
    def _by_part(self) -> Mapping[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name in self._names:
            for part in keys(name):
                found[part].append(name)
        return found

    def near(self, name: str) -> str | None:
        """The name that may have been meant: nearly the same letters, or all words but one."""
        if name not in self._known:
            self._known[name] = max(self._near(name), default=(0.0, None))[1]
        return self._known[name]

    def _near(self, name: str) -> Iterator[tuple[float, str]]:
        words = parts(name)
        rarest_first = sorted(keys(name), key=lambda part: len(self._by_part.get(part, ())))
        candidates: dict[str, None] = {}
        for part in rarest_first:
            candidates.update(dict.fromkeys(self._by_part.get(part, ())))
            if len(candidates) > MOST_CANDIDATES:
                break
        matcher = difflib.SequenceMatcher(b=name.lower(), autojunk=False)
        for candidate in candidates:
            matcher.set_seq1(candidate.lower())
            alike = matcher.real_quick_ratio() >= CLOSE and matcher.quick_ratio() >= CLOSE and matcher.ratio()
            if alike and alike >= CLOSE:
                yield alike, candidate
            elif _one_word_apart(words, parts(candidate)):
                yield CLOSE - 0.1, candidate


def _one_word_apart(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names share all words but one, and at least two."""
    shared = len(set(one) & set(other))
    return shared > 1 and max(len(one), len(other)) - shared == 1
