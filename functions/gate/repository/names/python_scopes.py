"""What a module of Python and its classes hold, and what its functions give. Pure; tokens are read, nothing is run."""

from __future__ import annotations

import io
import keyword
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
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_LAYOUT = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE})


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
    except (tokenize.TokenError, SyntaxError, IndentationError, IndexError, ValueError):  # the last two: a line is odd
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
        else:
            self._statements(head, block.scope)
        while len(self._blocks) < depth:
            self._blocks.append(block)
        self._blocks.append(body)

    def _class(self, head: Sequence[str], block: _Block, decorators: Sequence[str]) -> _Block:
        arguments = list(_arguments(_behind_types(head[2:])))
        bases = ["".join(each) for each in arguments if "=" not in each]
        metaclass = any("=" in each and each[-1] != "ABCMeta" for each in arguments)
        scope = Scope(head[1], bases=bases, is_open=metaclass or not _DECORATORS.issuperset(decorators))
        if block.kind != "function":
            self._put(block.scope, head[1], Name("class", scope=scope))
        self._statements(_body(head), scope)
        return _Block("class", scope)

    def _function(self, head: list[str], block: _Block, decorators: Sequence[str]) -> _Block:
        if block.kind == "function":
            return block
        gives = _gives(head)
        is_value = {"property", "cached_property"} & set(decorators)
        known = set(decorators) <= {"property", "cached_property", "staticmethod", "classmethod", "overload"}
        self._put(block.scope, head[1], Name("value" if is_value else "function", gives if known else ""))
        self._within(head, block.scope)
        return _Block("function", block.scope)

    def _within(self, words: Sequence[str], scope: Scope) -> None:
        """What a function gives to its object, reads of it, or adds without a name."""
        for at in range(len(words) - 2):
            before = words[at - 1] if at else ";"
            if words[at + 1] != "." or before == ".":
                continue
            behind = words[at + 3] if at + 3 < len(words) else ""
            if words[at] in ("self", "cls"):
                scope.names.setdefault(words[at + 2], Name("value"))
            elif behind == "=" or (behind == ":" and before in (";", ":")):
                self._given_to(words[at], words[at + 2], scope)
        self._adds(words, scope)
        if words[0] == "global":
            for word in words[1:]:
                self._module.names.setdefault(word, Name("value"))

    def _given_to(self, owner: str, name: str, scope: Scope) -> None:
        """A function gives an attribute to a class of the module, or to what may be an object of its own class."""
        known = self._module.names.get(owner)
        onto = known.scope if known and known.scope else scope
        if onto is not self._module:
            onto.names.setdefault(name, Name("value"))

    def _statements(self, words: Sequence[str], scope: Scope) -> None:
        """Statements that stand on one line."""
        for each in _split(words, ";"):
            if not each:
                continue
            if each[0] in ("import", "from"):
                self._import(each, scope)
            elif _has_body(each):
                self._adds(each, scope)
                for word in each:
                    if word.isidentifier():
                        scope.names.setdefault(word, Name("value"))
                body = _body(each)
                if not _has_body(body):
                    self._statements(body, scope)
            else:
                self._value(each, scope)

    def _value(self, words: Sequence[str], scope: Scope) -> None:
        """Names that stand left of each equals sign, with a type behind a colon, or before `:=`."""
        self._adds(words, scope)
        for at, word in enumerate(words):
            if word == ":=" and at:
                self._put(scope, words[at - 1], Name("value"))
        *given, last = _split(words, "=")
        if (":" in last and not given) or "+=" in last[1:2]:
            given = [last]
        for each in given:
            target, annotation = next(_split(each, ":"), []), "".join(_body(each))
            for name in _targets(target[:1] if "+=" in target else target):
                self._give(name, annotation, scope)
                if name == ["__slots__"]:
                    self._slots(last, scope)

    def _give(self, target: Sequence[str], annotation: str, scope: Scope) -> None:
        """A name, or an attribute of a class that stands in the same scope, is given a value."""
        into = scope.names.get(target[0])
        if len(target) == 3 and target[1] == "." and into and into.scope:
            into.scope.names.setdefault(target[2], Name("value"))
        elif target[0] == "type" and target[1:]:
            self._put(scope, target[1], Name("value"))
        elif len(target) == 1 and target[0].isidentifier():
            self._put(scope, target[0], Name("value", annotation))

    def _slots(self, words: Sequence[str], scope: Scope) -> None:
        """Names in strings that a class has room for."""
        for word in words:
            if word[-1] in "\"'":
                for name in word.strip("\"'").split():
                    scope.names.setdefault(name, Name("value"))

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
        scope.is_open |= name in _ADDERS
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
        depth += (word in _OPENING) - (word in _CLOSING)
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
        depth += (word in _OPENING) - (word in _CLOSING)
        if word == "," and not depth:
            yield each
            each = []
        else:
            each.append(word)
    if each:
        yield each


def _behind_types(words: Sequence[str]) -> Sequence[str]:
    """What stands behind the parameters of a class's types: `(Base):` of `[T](Base):`."""
    depth = 0
    for at, word in enumerate(words):
        depth += (word == "[") - (word == "]")
        if not depth:
            return words[at + 1 :] if word == "]" else words
    return words


def _has_body(words: Sequence[str]) -> bool:
    """Whether a statement is `if`, `else`, `case` or the like, on whose line names may be given."""
    return ":" in words and (keyword.iskeyword(words[0]) or words[0] in ("match", "case"))


def _body(words: Sequence[str]) -> Sequence[str]:
    """What stands behind the first colon that is in no bracket."""
    head = next(_split(words, ":"), [])
    return words[len(head) + 1 :]


def _targets(words: Sequence[str]) -> Iterator[list[str]]:
    """Each target of an assignment by its words; what stands in an index makes none."""
    depth, each = 0, list[str]()
    for word in words:
        if depth or (each and word in ("[", "(")):
            depth += (word in _OPENING) - (word in _CLOSING)
            each.append(word)
        elif word not in ("(", ")", "[", "]", ",", "*"):
            each.append(word)
        elif each:
            yield each
            each = []
    if each:
        yield each


def _split(words: Sequence[str], at: str = ",") -> Iterator[list[str]]:
    """What stands between commas, or another sign, that are in no bracket."""
    depth, each = 0, list[str]()
    for word in words:
        depth += (word in _OPENING) - (word in _CLOSING)
        if word == at and not depth:
            yield each
            each = []
        else:
            each.append(word)
    if each:
        yield each
