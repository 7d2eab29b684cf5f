"""Where a dotted path of Python leads in a repository: to a name, to nothing, or nobody can say."""

from __future__ import annotations

import builtins
import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from gate.repository.manifest import Repository
from gate.repository.names.python_scopes import Name, Scope, module_scope

MOST_READ, MOST_BYTES_READ = 300, 5_000_000
"""Modules that are opened for one repository, and bytes of them."""
MOST_DEEP = 50
"""Bases of bases, and imports of what is imported, that are followed."""
_PLAIN_BASES = frozenset({"object", "ABC", "Protocol", "Generic", "abc.ABC", "typing.Protocol", "typing.Generic"})
_GIVEN = re.compile(r"[\"']?([A-Za-z_][\w.]*)[\"']?(?:\|None)?")
"""What a function gives, where it is one type."""

Answer = Literal["there", "absent", "unknown"]
_Seen = set[tuple[object, str]]
"""Scopes that were asked for a name, so that what leads back to one ends."""


class PythonModules:
    """The modules of one repository; each is read when it is asked for."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._known: dict[str, Scope | None] = {}
        self._room = MOST_BYTES_READ

    @cached_property
    def _paths(self) -> Mapping[str, list[str]]:
        """Files by the dotted path that they are imported under."""
        found: dict[str, list[str]] = defaultdict(list)
        packages = {path.rpartition("/")[0] for path in self._repository.files if path.endswith("/__init__.py")}
        for path in self._repository.files:
            folder, _, name = path.rpartition("/")
            stem, _, ending = name.rpartition(".")
            if ending not in ("py", "pyi") or (folder not in packages and folder not in ("", "src")):
                continue
            parts = [] if stem == "__init__" else [stem]
            while folder in packages:
                folder, _, last = folder.rpartition("/")
                parts.insert(0, last)
            found[".".join(parts)].append(path)
        return found

    def look_up(self, path: str) -> Answer:
        """Say whether a dotted path is there: of a module, or of a class in one."""
        found = self._find(path)
        return found if isinstance(found, str) else "there"

    def member(self, calls: list[str]) -> tuple[Answer, Scope | None]:
        """Say whether what is called last is there, and of which class.

        Args:
            calls: `["tern.open_flock", "land"]` of `tern.open_flock().land()`.
        """
        scope = self._given(calls[0])
        for link in calls[1:-1]:
            known = self._of_class(scope, link, set()) if scope else None
            scope = self._type(known[1], known[0]) if known and not isinstance(known, str) else None
        if scope is None:
            return "unknown", None
        known = self._of_class(scope, calls[-1], set())
        return known if isinstance(known, str) else "there", scope[1]

    def _given(self, path: str) -> tuple[str, Scope] | None:
        """The class of what a call of this path gives, with the module that it stands in."""
        found = self._find(path)
        return None if isinstance(found, str) else self._type(found[1], found[0], called=True)

    def _type(self, name: Name, module: str, *, called: bool = False) -> tuple[str, Scope] | None:
        if name.kind == "class" and name.scope and called:
            return module, name.scope
        given = _GIVEN.fullmatch(name.text)
        if name.kind not in ("function", "value") or not given:
            return None
        found = self._resolve(module, given[1], set())
        return (found[0], found[1].scope) if not isinstance(found, str) and found[1].scope else None

    def _find(self, path: str) -> Answer | tuple[str, Name]:
        """What a dotted path leads to, with its module."""
        parts = path.split(".")
        for end in range(len(parts), 0, -1):
            module = ".".join(parts[:end])
            if module in self._paths:
                return "there" if end == len(parts) else self._resolve(module, ".".join(parts[end:]), set())
        return "unknown"

    def _resolve(self, module: str, path: str, seen: _Seen) -> Answer | tuple[str, Name]:
        """What a path means within a module."""
        first, _, rest = path.partition(".")
        found = self._in_module(module, first, seen)
        if isinstance(found, str) or not rest:
            return found
        where, name = found
        if name.kind != "class" or not name.scope or "." in rest:
            return "unknown"
        return self._of_class((where, name.scope), rest, seen)

    def _in_module(self, module: str, name: str, seen: _Seen, depth: int = 0) -> Answer | tuple[str, Name]:
        if (module, name) in seen:
            return "absent"  # modules that import from each other
        seen.add((module, name))
        scope = self._scope(module)
        if scope is None or depth > MOST_DEEP:
            return "unknown"
        known = scope.names.get(name)
        if known and known.kind == "import":
            followed = self._follow(known.text, seen, depth + 1)
            return followed if not isinstance(followed, str) else (module, Name("value"))
        if known:
            return module, known
        if f"{module}.{name}" in self._paths:
            return "there"
        for star in scope.stars:
            found = self._in_module(star, name, seen, depth + 1)
            if found != "absent":
                return found
        dunder = name.startswith("__") and name.endswith("__")
        return "unknown" if scope.is_open or dunder else "absent"

    def _follow(self, path: str, seen: _Seen, depth: int) -> Answer | tuple[str, Name]:
        module, _, name = path.rpartition(".")
        return self._in_module(module, name, seen, depth) if module in self._paths else "unknown"

    def _of_class(self, found: tuple[str, Scope], name: str, seen: _Seen, depth: int = 0) -> Answer | tuple[str, Name]:
        """A member of a class, or of one of its bases."""
        module, scope = found
        if name in scope.names:
            return module, scope.names[name]
        if hasattr(object, name) or depth > MOST_DEEP:
            return "unknown"
        if (id(scope), name) in seen:
            return "absent"
        seen.add((id(scope), name))
        is_open = scope.is_open
        for base in scope.bases:
            plain = base.partition("[")[0]
            value = getattr(builtins, plain, None)
            if plain in _PLAIN_BASES:
                continue
            if isinstance(value, type):
                if hasattr(value, name):
                    return "there"
                continue
            above = self._resolve(module, plain, set()) if "." not in plain else "unknown"
            inner = above[1].scope if not isinstance(above, str) else None
            if not inner or isinstance(above, str):
                is_open = True
                continue
            member = self._of_class((above[0], inner), name, seen, depth + 1)
            if member != "absent":
                return member
        return "unknown" if is_open else "absent"

    def _scope(self, module: str) -> Scope | None:
        if module not in self._known:
            self._known[module] = self._read(module) if len(self._known) < MOST_READ else None
        return self._known[module]

    def _read(self, module: str) -> Scope | None:
        """The names of a module; of several files under one path, and of a file with its stub, those of all."""
        paths = self._paths.get(module, [])
        if not paths or not self._repository.contents:
            return None
        whole = Scope()
        for path, data in self._repository.contents(set(paths).__contains__):
            package = (
                module if path.endswith("/__init__.py") or path.endswith("/__init__.pyi") else module.rpartition(".")[0]
            )
            self._room -= len(data or b"")
            scope = module_scope(data, package) if data is not None and self._room >= 0 else None
            if scope is None:
                return None
            for name, what in scope.names.items():
                known = whole.names.setdefault(name, what)
                if known != what and len(paths) > 1:
                    whole.names[name] = Name("value")
            whole.is_open |= scope.is_open
            whole.stars.extend(scope.stars)
        return whole
