"""What a module of Python and its classes hold, and what its functions give. Pure; tokens are read, nothing is run."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

MOST_BYTES = 500_000
_ADDERS = frozenset({"__getattr__", "__getattribute__"})
"""Functions by which names come that no line defines."""
_ADDS = re.compile(
    r"\bglobals\(\)(?:\[|\.update|\.setdefault)|\bmodules\[__name__\]|\bvars\((?:self|cls)?\)(?:\[|\.update)"
    r"|\bsetattr\((?:self|cls|sys)\b|\b(?:self|cls)\.__dict__(?:\.update|\[|=)|\b__setattr__\(self"
)
_SET_ON = re.compile(r"\bsetattr\((?P<on>[A-Za-z_]\w*),")
_DECORATORS = frozenset({"dataclass", "final", "total_ordering", "runtime_checkable", "define", "frozen", "unique"})
"""Of classes, those that add no name to be called but `__…__`."""
_LAYOUT = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE})
_ASSIGNED = frozenset({"=", ":", ","})


@dataclass
class Scope:
    """What a module or a class holds.

    Attributes:
        name: of a class.
        names: each name with what it is: `import` of the path in `text`, a `function` that gives what `text` says, a
            `class`, or a `value` whose type `text` says.
        is_open: names are added in ways that no line shows.
        bases: of a class, as written.
        stars: modules from which everything is imported.
    """

    name: str = ""
    names: dict[str, Name] = field(default_factory=dict)
    is_open: bool = False
    bases: list[str] = field(default_factory=list)
    stars: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Name:
    """What a name is in its scope."""

    kind: Literal["import", "function", "class", "value"]
    text: str = ""
    scope: Scope | None = None


@dataclass
class _Block:
    """A statement with a body: of which kind, and what its names belong to."""

    kind: Literal["class", "function", "other"]
    scope: Scope


def module_scope(data: bytes, package: str) -> Scope | None:
    """Read a module; None: it cannot be read.

    Args:
        data: what the file holds.
        package: that relative imports start from, dotted.
    """
    if len(data) > MOST_BYTES or b"\0" in data:
        return None
    module = Scope()
    reading = _Reading(module, package)
    try:
        for line in _logical_lines(data.decode("utf-8", "replace")):
            reading.add(*line)
    except (tokenize.TokenError, SyntaxError, IndentationError):
        return None
    return module


def _logical_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each statement by its words, with how deep it stands; a body on the line of its head belongs to it."""
    depth, words = 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.INDENT:
            depth += 1
        elif token.type == tokenize.DEDENT:
            depth -= 1
        elif token.type in (tokenize.NEWLINE, tokenize.ENDMARKER):
            if words:
                yield depth, words
            words = []
        elif token.type == tokenize.ERRORTOKEN and token.string.strip():
            raise tokenize.TokenError(token.string)
        elif token.type not in _LAYOUT:
            words.append(token.string)


class _Reading:
    def __init__(self, module: Scope, package: str) -> None:
        self._module, self._package = module, package
        self._blocks: list[_Block] = []
        self._decorators: list[str] = []

    def add(self, depth: int, words: list[str]) -> None:
        """Add a statement."""
        del self._blocks[depth:]
        block = self._blocks[-1] if self._blocks else _Block("other", self._module)
        if words[0] == "@":
            self._decorators.append(words[-1] if words[-1] != ")" else words[max(words.index("(") - 1, 0)])
            return
        decorators, self._decorators = self._decorators, []
        head = words[1:] if words[0] == "async" else words
        body = _Block("function" if block.kind == "function" else "other", block.scope)
        if head[0] == "class" and len(head) > 2:
            body = self._class(head, block, decorators)
        elif head[0] == "def" and len(head) > 2:
            body = self._function(head, block, decorators)
        elif block.kind == "function":
            self._within(words, block.scope)
        elif head[0] in ("import", "from"):
            self._import(head, block.scope)
        else:
            self._value(head, block.scope)
        while len(self._blocks) < depth:
            self._blocks.append(block)
        self._blocks.append(body)

    def _class(self, head: Sequence[str], block: _Block, decorators: Sequence[str]) -> _Block:
        arguments = list(_arguments(head[2:]))
        bases = ["".join(each) for each in arguments if "=" not in each]
        metaclass = any("=" in each and each[-1] != "ABCMeta" for each in arguments)
        scope = Scope(head[1], bases=bases, is_open=metaclass or not _DECORATORS.issuperset(decorators))
        if block.kind != "function":
            self._put(block.scope, head[1], Name("class", scope=scope))
        return _Block("class", scope)

    def _function(self, head: list[str], block: _Block, decorators: Sequence[str]) -> _Block:
        if block.kind == "function":
            return block
        gives = _gives(head)
        if head[1] in _ADDERS:
            block.scope.is_open = True
        is_value = {"property", "cached_property"} & set(decorators)
        known = set(decorators) <= {"property", "cached_property", "staticmethod", "classmethod", "overload"}
        self._put(block.scope, head[1], Name("value" if is_value else "function", gives if known else ""))
        self._within(head, block.scope)
        return _Block("function", block.scope)

    def _within(self, words: Sequence[str], scope: Scope) -> None:
        """What a function gives to its object, reads of it, or adds without a name."""
        for at, word in enumerate(words):
            if word in ("self", "cls") and at + 2 < len(words) and words[at + 1] == ".":
                scope.names.setdefault(words[at + 2], Name("value"))
        self._adds(words, scope)
        if words[0] == "global":
            for word in words[1:]:
                self._module.names.setdefault(word, Name("value"))

    def _value(self, words: Sequence[str], scope: Scope) -> None:
        self._adds(words, scope)
        if (
            len(words) > 3
            and words[1] == "."
            and words[3] == "="
            and (into := scope.names.get(words[0]))
            and into.scope
        ):
            into.scope.names.setdefault(words[2], Name("value"))
        if words[0] in ("for", "with", "as", "try", "except", "if", "while"):
            for word in words[1:]:
                if word.isidentifier():
                    scope.names.setdefault(word, Name("value"))
            return
        ends = next(
            (at for at, word in enumerate(words) if word not in ("(", ")", ",", "*") and not word.isidentifier()),
            len(words),
        )
        if ends < len(words) and words[ends] not in _ASSIGNED and words[ends] != "+=":
            return
        annotated = "".join(words[2 : words.index("=") if "=" in words else len(words)]) if words[1:2] == [":"] else ""
        for word in words[:ends]:
            if word.isidentifier():
                self._put(scope, word, Name("value", annotated))

    def _adds(self, words: Sequence[str], scope: Scope) -> None:
        """Names that are put into a scope by what they are called."""
        if {"globals", "modules", "vars", "setattr", "__dict__", "__setattr__"}.isdisjoint(words):
            return
        text = "".join(words)
        scope.is_open |= bool(_ADDS.search(text))
        for found in _SET_ON.finditer(text):
            onto = self._module.names.get(found["on"])
            if onto and onto.scope:
                onto.scope.is_open = True
            else:
                self._module.is_open |= scope is self._module

    def _import(self, words: list[str], scope: Scope) -> None:
        if words[0] == "import":
            for each in _split(words[1:]):
                path = "".join(each[: each.index("as")] if "as" in each else each)
                bound = each[-1] if "as" in each else path.partition(".")[0]
                self._put(scope, bound, Name("import", path if "as" in each else bound))
            return
        at = words.index("import") if "import" in words else len(words)
        module = self._absolute("".join(words[1:at]))
        for each in _split([word for word in words[at + 1 :] if word not in ("(", ")")]):
            if each == ["*"]:
                scope.stars.append(module)
            elif each:
                self._put(scope, each[-1], Name("import", f"{module}.{each[0]}"))

    def _absolute(self, module: str) -> str:
        path = module.lstrip(".")
        up = len(module) - len(path)
        if not up:
            return module
        parts = self._package.split(".")
        return ".".join([*parts[: max(len(parts) - up + 1, 0)], *([path] if path else [])])

    def _put(self, scope: Scope, name: str, what: Name) -> None:
        """Note a name; what is defined in two ways is known by neither."""
        before = scope.names.get(name)
        if before is None or before == Name("value"):
            scope.names[name] = what
        elif before != what:
            scope.names[name] = Name("value")


def _gives(head: Sequence[str]) -> str:
    """The type behind the arrow of a function's head; empty: none is said."""
    said: list[str] = []
    depth = 0
    for word in head[head.index("->") + 1 :] if "->" in head else ():
        depth += (word in "([{") - (word in ")]}")
        if word == ":" and not depth:
            break
        said.append(word)
    return "".join(said)


def _arguments(words: Sequence[str]) -> Iterator[list[str]]:
    """What stands between brackets and commas behind a class's name."""
    if not words or words[0] != "(":
        return
    depth, each = 0, list[str]()
    for word in words[1:]:
        if word == ")" and not depth:
            break
        depth += (word in "([{") - (word in ")]}")
        if word == "," and not depth:
            yield each
            each = []
        else:
            each.append(word)
    if each:
        yield each


def _split(words: Sequence[str]) -> Iterator[list[str]]:
    each: list[str] = []
    for word in words:
        if word == ",":
            yield each
            each = []
        else:
            each.append(word)
    if each:
        yield each
