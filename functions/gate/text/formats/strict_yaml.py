"""YAML of an owner's hand, read as the JSON that it stands for: what readers read differently is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gate.errors import InputError

if TYPE_CHECKING:
    from yaml import Mark, Node

MAX_CHARS = 200_000
MAX_DEPTH = 32
MAX_SCALAR = 1_000
"""Characters of a number: far beyond what anything counts, and below the 4,300 digits at which Python gives up."""
_TAG = "tag:yaml.org,2002:"
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|[-+]?\.[0-9]+")
"""One that every version of YAML reads alike; 012, 0x1f, 1_000 and 1:30 are none."""
_KINDS = {_TAG + kind for kind in ("map", "seq", "str", "int", "float", "bool", "null", "timestamp")}


def load(text: str) -> Any:
    """Read a YAML document; None where it is empty.

    Raises:
        InputError: it is no YAML, too long, nested too deep, names a key twice, or holds what JSON has not: anchors,
            tags, merged mappings, keys that are no text, numbers that cannot be kept or are read differently by
            different versions, dates of no calendar. A date is its text.
        ModuleNotFoundError: there is no PyYAML here.
    """
    import yaml

    if len(text) > MAX_CHARS:
        raise InputError(f"longer than {MAX_CHARS} characters")
    loader = None
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        return None if node is None else _value(node, loader.construct_object, set(), MAX_DEPTH)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError(f"not YAML{_at(mark)}") from None
    except RecursionError:
        raise InputError("nested far too deep") from None
    finally:
        if loader is not None:
            loader.dispose()


def _value(node: Node, construct: Callable[[Node], Any], seen: set[int], depth: int) -> Any:
    import yaml

    where = _at(node.start_mark)
    if id(node) in seen:
        raise InputError(f"an alias of what stands{where}; write it out")
    seen.add(id(node))
    if node.tag not in _KINDS:
        raise InputError(f"a tag or a merge{where}, which JSON has not")
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node, construct, where)
    if depth == 0:
        raise InputError(f"nested deeper than {MAX_DEPTH} levels{where}")
    if isinstance(node, yaml.SequenceNode):
        return [_value(inner, construct, seen, depth - 1) for inner in node.value]
    found: dict[str, Any] = {}
    for key_node, inner in node.value:
        key = _value(key_node, construct, seen, depth - 1)
        if not isinstance(key, str):
            raise InputError(f"a key that is no text{_at(key_node.start_mark)}; put it in quotes")
        if key in found:
            raise InputError(f"the key {key[:40]!r} twice,{_at(key_node.start_mark)}")
        found[key] = _value(inner, construct, seen, depth - 1)
    return found


def _scalar(node: Any, construct: Callable[[Node], Any], where: str) -> Any:
    text: str = node.value
    kind = node.tag.removeprefix(_TAG)
    if kind == "str":
        return text
    if len(text) > MAX_SCALAR:
        raise InputError(f"a number of more than {MAX_SCALAR} digits{where}")
    if kind in ("int", "float") and not _NUMBER.fullmatch(text):
        raise InputError(f"a number that not every reader reads alike{where}; put text in quotes")
    if kind == "bool" and text.lower() not in ("true", "false"):
        raise InputError(f"{text!r} is true or false to some readers and text to others{where}; put text in quotes")
    try:
        value = construct(node)
    except ValueError:
        raise InputError(f"a date that no calendar has{where}; put text in quotes") from None
    if isinstance(value, float) and not math.isfinite(value):
        raise InputError(f"a number that cannot be kept{where}")
    return text if kind == "timestamp" else value


def _at(mark: Mark | None) -> str:
    return f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
