"""Every pattern of the package and every function that reads foreign text, found by looking at the modules."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import gate

METHODS = ("search", "finditer", "findall", "sub", "split", "match", "fullmatch")
READING = (
    *("gate.text", "gate.claims", "gate.prompts", "gate.retrieval", "gate.privacy", "gate.repository"),
    *("gate.submission", "gate.adapters.readers", "gate.adapters.local_verifier", "gate.decision"),
)
"""Packages whose functions read foreign text."""
_NAMED = """answer artifact claim claims context data document documents evidence message messages query quote raw reply
response sentence sentences text texts"""
FOREIGN = frozenset(_NAMED.split())
"""Names of their parameters that hold it."""


@dataclass(frozen=True)
class Pattern:
    """A compiled pattern of the package, and how it is used there."""

    where: str
    pattern: re.Pattern[Any]
    methods: tuple[str, ...]

    def __call__(self, text: str) -> None:
        given: Any = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        for method in {"finditer" if each in ("findall", "sub", "split") else each for each in self.methods}:
            found = getattr(self.pattern, method)(given)
            if method == "finditer":
                for _ in found:
                    pass


@cache
def modules() -> list[ModuleType]:
    names = [found.name for found in pkgutil.walk_packages(gate.__path__, "gate.") if "__main__" not in found.name]
    return [importlib.import_module(name) for name in names]


@cache
def source(module: ModuleType) -> str:
    return Path(inspect.getfile(module)).read_text("utf-8")


@cache
def patterns() -> tuple[Pattern, ...]:
    return tuple(_patterns())


def _patterns() -> Iterator[Pattern]:
    for module in modules():
        found = {id(pattern): (name, pattern) for name, value in vars(module).items() for pattern in _compiled(value)}
        for name, pattern in found.values():
            yield Pattern(f"{module.__name__}.{name}", pattern, _methods(name, module))
        for call, function in calls(module):
            if function and isinstance(call.args[0], ast.Constant) and call.func.attr in METHODS:
                yield Pattern(f"{module.__name__}:{call.lineno}", re.compile(call.args[0].value), (call.func.attr,))


def _compiled(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, Mapping) and depth < 3:
        yield from (found for each in value.values() for found in _compiled(each, depth + 1))
    elif isinstance(value, list | tuple | set | frozenset) and depth < 3:
        yield from (found for each in value for found in _compiled(each, depth + 1))


def _methods(name: str, module: ModuleType) -> tuple[str, ...]:
    """Methods that a name is used with: in its module, or everywhere if it is public; all where it is never named."""
    used = {method for each in ([module] if name.startswith("_") else modules()) for method in _used(each)[name]}
    return tuple(sorted(used)) or ("search", "finditer", "match", "fullmatch")


@cache
def _used(module: ModuleType) -> defaultdict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, method in re.findall(rf"\b(\w+)\.({'|'.join(METHODS)})\b", source(module)):
        found[name].add(method)
    return found


@cache
def calls(module: ModuleType) -> tuple[tuple[Any, str], ...]:
    """Every call of a function of `re` that takes a pattern, and the function that it stands in; empty: in none."""
    tree = ast.parse(source(module))
    inside = {
        id(node): function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    return tuple((node, inside.get(id(node), "")) for node in ast.walk(tree) if _takes_a_pattern(node))


def _takes_a_pattern(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name("re"), attr=method)):
            return method in (*METHODS, "compile")
    return False


def readers() -> Iterator[tuple[str, CodeType]]:
    """Public functions of the packages that read, with a parameter that is named as foreign text is."""
    for module in modules():
        if not module.__name__.startswith(READING):
            continue
        for name, value in vars(module).items():
            function = inspect.unwrap(value) if callable(value) else None
            if name.startswith("_") or not inspect.isfunction(function) or function.__module__ != module.__name__:
                continue
            if not FOREIGN.isdisjoint(function.__annotations__):
                yield f"{module.__name__}.{name}", function.__code__
