"""Which names `.gitignore` files leave out, as git reads them, in bounded time. Pure.

Names and rules are bytes, as git compares them. What a rule costs is counted, because names and rules are both foreign.
"""

from __future__ import annotations

import re

from gate.errors import InputError
from gate.repository import globs

MAX_EFFORT = 150_000_000
"""Steps that rules may take on all names together, about five seconds; 50,000 names and 500 rules take two thirds."""
LONGEST_RULE = 4096
"""A rule longer than any path matches nothing."""

_LOOK, _COMPILE, _COMPILE_BYTE = 4, 5000, 100
"""Steps to look at a rule, to compile one, and to compile a byte of it."""
_WILD = re.compile(rb"[*?\[\\]")


class Ignores:
    """The rules of a repository, file by file."""

    def __init__(self) -> None:
        self._files: dict[bytes, _File] = {}
        self._everywhere = _File(b"")
        self._effort = 0

    def add(self, folder: bytes, text: bytes) -> None:
        """Take the `.gitignore` of a folder; the root is empty."""
        self._files[folder] = _File(text)

    def add_everywhere(self, text: bytes) -> None:
        """Take a file whose rules hold where no `.gitignore` says otherwise (git's `info/exclude`)."""
        self._everywhere = _File(text)

    def covers(self, path: bytes, *, folder: bool = False) -> bool:
        """Whether a path is left out, itself or with a folder above it.

        Raises:
            InputError: the rules take too much work.
        """
        above: list[tuple[int, _File]] = []
        start = 0
        while True:
            if file := self._files.get(path[: max(start - 1, 0)]):
                above.insert(0, (start, file))
            end = path.find(b"/", start)
            if end < 0:
                return self._decided(above, path, folder)
            if self._decided(above, path[:end], True):
                return True
            start = end + 1

    def leaves_out(self, path: bytes, *, folder: bool) -> bool:
        """Whether a path is left out itself, where no folder above it is: the last rule of the deepest file decides.

        Raises:
            InputError: the rules take too much work.
        """
        places = []
        if path.count(b"/") < len(self._files):
            place = path
            while place := place.rpartition(b"/")[0]:
                places.append(place)
        else:  # a deep path, and few files
            places = sorted((place for place in self._files if path.startswith(place + b"/")), key=len, reverse=True)
        above = [(len(place) + 1, self._files[place]) for place in places if place in self._files]
        if b"" in self._files:
            above.append((0, self._files[b""]))
        return self._decided(above, path, folder)

    def _decided(self, above: list[tuple[int, _File]], path: bytes, folder: bool) -> bool:
        for start, file in [*above, (0, self._everywhere)]:
            rule = self._rule_for(file, path[start:], folder)
            if rule is not None:
                return rule.leaves_out
        return False

    def _rule_for(self, file: _File, path: bytes, folder: bool) -> _Rule | None:
        """The last rule of a file that speaks of a path."""
        name = path.rpartition(b"/")[2]
        named = next((rule for rule in file.by_name.get(name, ()) if folder or not rule.folders), None)
        for rule in file.others:
            if named and rule.number < named.number:
                break
            target = path if rule.whole else name
            self._spend(_LOOK)
            if (folder or not rule.folders) and target.startswith(rule.head) and target.endswith(rule.tail):
                self._spend(rule.cost(target))
                if rule.matches(target):
                    return rule
        return named

    def _spend(self, effort: int) -> None:
        self._effort += effort
        if self._effort > MAX_EFFORT:
            raise InputError("the repository's ignore rules take too much work")


class _File:
    """The rules of one file, last one first; those that are a mere name, by that name."""

    def __init__(self, text: bytes) -> None:
        self.by_name: dict[bytes, list[_Rule]] = {}
        self.others: list[_Rule] = []
        lines = text.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        for number in range(len(lines) - 1, -1, -1):
            line = _without_blanks(lines[number].removesuffix(b"\r"))
            if line.startswith(b"#") or len(line) > LONGEST_RULE:
                continue
            rule = _Rule(line, number)
            if rule.pattern and rule.head == rule.pattern and not rule.whole:
                self.by_name.setdefault(rule.pattern, []).append(rule)
            elif rule.pattern:
                self.others.append(rule)


class _Rule:
    """One line of a file."""

    __slots__ = ("compiled", "folders", "head", "leaves_out", "number", "pattern", "tail", "whole")

    def __init__(self, line: bytes, number: int) -> None:
        self.number = number
        self.leaves_out = not line.startswith(b"!")
        line = line.removeprefix(b"!")
        self.folders = line.endswith(b"/")
        line = line.removesuffix(b"/")
        self.whole = b"/" in line
        self.pattern = line.removeprefix(b"/")
        wild = _WILD.search(self.pattern)
        self.head = self.pattern[: wild.start()] if wild else self.pattern
        last = max(self.pattern.rfind(mark) for mark in (b"*", b"?", b"]", b"/", b"\\"))
        self.tail = self.pattern[last + 2 if self.pattern[last : last + 1] == b"\\" else last + 1 :]

        self.compiled: re.Pattern[bytes] | None = None

    def cost(self, target: bytes) -> int:
        """Steps that matching takes at most."""
        making = 0 if self.compiled else _COMPILE + _COMPILE_BYTE * len(self.pattern)
        return making + len(self.pattern) * len(target)

    def matches(self, target: bytes) -> bool:
        if self.compiled is None:
            self.compiled = globs.compiled(self.pattern, len(self.head) if self.whole else 0)
        return self.compiled.match(target) is not None


def _without_blanks(line: bytes) -> bytes:
    """A line without the spaces at its end; one behind a backslash stays."""
    bare = line.rstrip(b" ")
    escaped = (len(bare) - len(bare.rstrip(b"\\"))) % 2
    return line[: len(bare) + escaped]
