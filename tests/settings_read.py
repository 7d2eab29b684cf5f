"""Which settings an agent can read: followed from its module, call by call, through services and wiring."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gate.catalogue import IN_THE_REQUEST, ROLES, Agent, Event
from gate.settings import Settings
from gate.wiring import FACTORIES, Wiring

FIELDS = frozenset(Settings.model_fields)
METHODS = frozenset(name for name in vars(Wiring) if not name.startswith("__")) - {"settings", "changed", "preload"}
Place = tuple[str, str]
"""A module, and what it defines at its top level (`Class.method` for methods); empty: the module's own lines."""


def settings_read(agent: Agent) -> set[str]:
    """Settings that may be read on behalf of an agent: by the runtime, by its module, and where its uses are made."""
    starts = [*_module(agent), ("gate.runtime", "handle"), ("gate.runtime", "lambda_handler_for")]
    starts += [("gate.wiring", f"Wiring.{FACTORIES[use]}") for use in agent.uses]
    return {name for place in _reached(starts, _given_instead(agent)) for name in _reads(place)}


def made_by(agent: Agent) -> set[str]:
    """Methods of `Wiring` that an agent's module may call, by itself or through services."""
    reached = _reached(_module(agent), _given_instead(agent))
    return {name.partition(".")[2] for module, name in reached if module == "gate.wiring"}


def figures_recorded(agent: Agent) -> set[str]:
    """Names of the figures that an agent's module records."""
    return {
        str(call.args[0].value)
        for module in _modules(agent)
        if _imports(module).get("record") == ("gate.services.audit_log", "record")
        for call in ast.walk(_tree(module))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "record" and isinstance(call.args[0], ast.Constant)
    }


def _modules(agent: Agent) -> list[str]:
    """Its module; of a function that goes the path of a check in its process, those of the path and of its route."""
    if agent.on != Event.REQUEST_NOW:
        return [agent.module]
    return [agent.module, "gate.agents.api", *(one.module for one in IN_THE_REQUEST)]


def _module(agent: Agent) -> list[Place]:
    """All of its module; of the API's that of its route, and of what publishes failures what it comes to."""
    if agent.on != Event.REQUEST_NOW:
        return [(agent.module, name) for name in _parts(agent.module)]
    own = [(module, name) for module in _modules(agent) if module != "gate.agents.api" for name in _parts(module)]
    return [*own, ("gate.agents.api", "post_check_now"), ("gate.agents.publish_failure", "store_failure")]


def _given_instead(agent: Agent) -> set[Place]:
    """Methods of `Wiring` in whose place an entrance of the agent's own module has others, which do not ask them."""
    return {
        ("gate.wiring", f"Wiring.{method.name}")
        for node in _parts(agent.module).values()
        if isinstance(node, ast.ClassDef) and "Wiring" in [ast.unparse(base) for base in node.bases]
        for method in node.body
        if isinstance(method, ast.FunctionDef) and method.name in METHODS
        if method.name not in {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    }


def _reached(starts: list[Place], without: set[Place]) -> set[Place]:
    seen = set(without)
    todo = list(starts)
    while todo:
        place = todo.pop()
        if place not in seen:
            seen.add(place)
            todo += _refers(place)
    return seen - without


@cache
def _parts(module: str) -> dict[str, ast.AST]:
    """What a module defines, by name; a class is its methods too."""
    parts: dict[str, ast.AST] = {}
    for node in _tree(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            parts[node.name] = node
        if isinstance(node, ast.ClassDef):
            parts |= {f"{node.name}.{each.name}": each for each in node.body if isinstance(each, ast.FunctionDef)}
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            parts |= {target.id: node for target in targets if isinstance(target, ast.Name)}
    return parts


@cache
def _tree(module: str) -> ast.Module:
    spec = find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return ast.parse(Path(spec.origin).read_text(encoding="utf-8"))


@cache
def _imports(module: str) -> dict[str, Place]:
    """What names of a module stand for elsewhere in the gate, wherever in it they are imported."""
    found: dict[str, Place] = {}
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "gate":
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found[alias.asname or alias.name] = (whole, "") if _is_module(whole) else (str(node.module), alias.name)
    return found


@cache
def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@cache
def _refers(place: Place) -> frozenset[Place]:
    return frozenset(_referred(*place)) if place[1] in _parts(place[0]) else frozenset()


def _referred(module: str, name: str) -> Iterator[Place]:
    place = module, name
    imports, parts = _imports(module), _parts(module)
    for node in ast.walk(parts[name]):
        if isinstance(node, ast.Name):
            if node.id in parts:
                yield module, node.id
            elif node.id in imports:
                yield imports[node.id]
        elif isinstance(node, ast.Attribute):
            owner = node.value
            if isinstance(owner, ast.Name) and imports.get(owner.id, ("", "x"))[1] == "":
                yield imports[owner.id][0], node.attr
            if node.attr in METHODS and _is_entrance(owner, place):
                yield "gate.wiring", f"Wiring.{node.attr}"


def _is_entrance(node: ast.AST, place: Place) -> bool:
    """Whether an expression is a `Wiring`: `wiring.current()`, a name for it, or `self` in its class."""
    if isinstance(node, ast.Name):
        if node.id == "self":
            return place[0] == "gate.wiring" and place[1].startswith("Wiring.")
        return any(_is_entrance(value, place) for value in _values(node.id, place))
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("wiring.current", "current")


def _is_settings(node: ast.AST, place: Place) -> bool:
    if isinstance(node, ast.Name):
        return any(_is_settings(value, place) for value in _values(node.id, place))
    return isinstance(node, ast.Attribute) and node.attr == "settings" and _is_entrance(node.value, place)


def _values(name: str, place: Place) -> Iterator[ast.AST]:
    """What a name is bound to inside a place, tuples taken apart."""
    for node in ast.walk(_parts(place[0])[place[1]]):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=True))
                yield from (value for each, value in pairs if isinstance(each, ast.Name) and each.id == name)


@cache
def _reads(place: Place) -> frozenset[str]:
    module, name = place
    if name not in _parts(module):
        return frozenset()
    nodes = list(ast.walk(_parts(module)[name]))
    by_role = any(isinstance(node, ast.Name) and node.id == "ROLES" for node in nodes)
    return frozenset(
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and node.attr in FIELDS and _is_settings(node.value, place)
    ) | (
        frozenset(ROLES.values()) if by_role and _imports(module).get("ROLES") == ("gate.catalogue", "ROLES") else set()
    )
