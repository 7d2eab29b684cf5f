"""What a block of code binds to names: modules and what is in them, what calls give, and what is made here. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from gate.repository.names.spelling import folded
from gate.repository.path_rule import words
from gate.text.formats.programming import MADE

PYTHON = words("py python python3 pycon ipython doctest")
FROM_IMPORT = re.compile(
    r"^[ \t]*(?:>>>\s|\.\.\.\s)?from\s+(?P<module>[\w.]+)\s+import\s+"
    r"(?:\((?P<many>[^()]{0,2000})\)|(?P<names>[^\n(]+))",
    re.MULTILINE,
)
IMPORT = re.compile(
    r"^[ \t]*(?:>>>\s)?import\s+(?:static\s+)?(?P<modules>[\w., \t]+?)[ \t]*;?[ \t]*(?:#[^\n]*)?$", re.MULTILINE
)
_GO_IMPORT = re.compile(
    r"^[ \t]*(?:import[ \t]+)?(?:(?P<alias>\w+)[ \t]+)?\"(?P<path>[\w.-]+(?:/[\w.-]+)+)\"$", re.MULTILINE
)
_BINDS_LAST = words("java kotlin kt scala groovy")
"""Languages in which an import binds the last part of a path."""
JS_IMPORT = re.compile(
    r"\bimport\s+(?:type\s+)?(?P<what>[\w$*{},\s]{1,2000}?)\s+from\s+[\"'](?P<module>[\w@./-]+)[\"']"
    r"|\b(?:const|let|var)\s+(?P<bound>[\w${},:\s]{1,500}?)\s*=\s*(?:await\s+import|require)\(\s*[\"'](?P<required>[\w@./-]+)[\"']"
)
_ALIASED = re.compile(r"(?P<name>[A-Za-z_$][\w$]*)(?:\s+(?:as\s+)|\s*:\s*)(?P<alias>[A-Za-z_$][\w$]*)")
_ASSIGNED = re.compile(
    r"(?:\b(?:const|let|var|mut)\s+)?\b(?P<name>[A-Za-z_]\w*)\s*(?::\s*[\w\[\]., ]{1,80})?:?=\s*(?:await\s+|new\s+|&)?"
    r"(?P<path>[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*)\("
    r"|\bwith\s+(?P<with>[A-Za-z_]\w*(?:\.\w+)*)\([^\n]*?\)\s+as\s+(?P<as>[A-Za-z_]\w*)"
)
_FUNCTION = re.compile(r"\bdef\s+\w+\((?P<parameters>[^()]{0,1000})\)")
_PARAMETER = re.compile(
    r"(?:^|,)\s*\*{0,2}(?P<name>[A-Za-z_]\w*)\s*(?::\s*[\"']?(?P<path>[A-Za-z_][\w.]*)?[^,=]{0,80})?(?=[,=]|$)"
)
_CLASS = re.compile(r"^[ \t]*class\s+\w+\((?P<base>[A-Za-z_][\w.]*)\)\s*:", re.MULTILINE)
_OF_SELF = re.compile(r"\bself\.(\w+)\s*[:=]")


class Bindings:
    """What the blocks of one document bind, in order; what a later one binds anew is that.

    Attributes:
        bound: names by what they are bound to: by import the module's path, by a call what was called; made here: none.
        quoted: what strings, keys and definitions of the blocks name, folded: a document may make commands of its own.
        of_call: those of `bound` that a call gave, or that are said to be of a type.
    """

    def __init__(self) -> None:
        self.bound: dict[str, str] = {}
        self.quoted: set[str] = set()
        self.of_call: set[str] = set()

    def bind(self, text: str, language: str) -> None:
        """Note what a block binds to names."""
        for made in MADE.finditer(text):
            name = made["name"] or made["set"]
            self.bound[name] = ""
            self.of_call.discard(name)
            self.quoted.add(folded(name))
        self._imports(text, language)
        self._calls(text)
        if language in PYTHON:
            self._types(text)

    def resolved(self, path: str) -> str:
        """A dotted path whose first part is replaced by what it is bound to."""
        head, dot, rest = path.partition(".")
        return f"{self.bound[head]}{dot}{rest}" if self.bound.get(head) else path

    def _imports(self, text: str, language: str) -> None:
        for found in FROM_IMPORT.finditer(text):
            for name, alias in listed(found["many"] or found["names"]):
                self.bound[alias] = f"{found['module']}.{name}"
        for found in IMPORT.finditer(text):
            for each in found["modules"].split(","):
                name, _, alias = each.strip().partition(" as ")
                if language in _BINDS_LAST:
                    self.bound[alias.strip() or name.rpartition(".")[2]] = name
                else:
                    self.bound[alias.strip() or name.partition(".")[0]] = name if alias else name.partition(".")[0]
        for found in _GO_IMPORT.finditer(text) if language in ("go", "golang") else ():
            path = re.sub(r"/v\d+$", "", found["path"])
            self.bound[found["alias"] or path.rpartition("/")[2]] = found["path"]
        for found in JS_IMPORT.finditer(text):
            module, what = found["module"] or found["required"], found["what"] or found["bound"]
            inner = re.search(r"\{([^{}]*)\}", what)
            for name, alias in listed(inner[1]) if inner else ():
                self.bound[alias] = f"{module}.{name}"
            for name in re.findall(r"[\w$]+", re.sub(r"\{[^{}]*\}|\*\s*as\b", " ", what)):
                self.bound[name] = module

    def _calls(self, text: str) -> None:
        """What calls give; a name that two of them give, or that is called itself, is of no type."""
        given: dict[str, set[str]] = defaultdict(set)
        for found in _ASSIGNED.finditer(text):
            path = found["path"] or found["with"]
            if path != "require":  # an import, noted above
                given[found["name"] or found["as"]].add(path.replace("::", "."))
        for name, paths in given.items():
            path = min(paths)
            if len(paths) == 1 and path not in self.of_call:
                self._is_of(name, self.resolved(path))
            else:
                self.bound[name] = ""

    def _types(self, text: str) -> None:
        """Of which type a block of Python says parameters are, and `self` where it makes one class."""
        types: dict[str, set[str]] = defaultdict(set)
        for function in _FUNCTION.finditer(text):
            for found in _PARAMETER.finditer(function["parameters"]):
                types[found["name"]].add(found["path"] or "")
        bases = {found["base"] for found in _CLASS.finditer(text)}
        types["self"] = bases if len(re.findall(r"^[ \t]*class\s", text, re.MULTILINE)) == 1 else set()
        self.quoted.update(folded(name) for name in _OF_SELF.findall(text))
        for name, paths in types.items():
            path = min(paths, default="")
            again = name in self.of_call and self.bound[name] != self.resolved(path)
            if len(paths) == 1 and self.bound.get(path.partition(".")[0]) and not again:
                self._is_of(name, self.resolved(path))
            elif name in self.bound:
                self.bound[name] = ""
                self.of_call.discard(name)

    def _is_of(self, name: str, path: str) -> None:
        self.bound[name] = path
        self.of_call.add(name)


def listed(names: str) -> Iterator[tuple[str, str]]:
    """Names of an import with what they are called here."""
    for each in re.sub(r"#[^\n]*", "", names).split(","):
        aliased = _ALIASED.fullmatch(each.strip())
        plain = re.fullmatch(r"(?:type\s+)?([A-Za-z_$][\w$]*)", each.strip())
        if aliased:
            yield aliased["name"], aliased["alias"]
        elif plain:
            yield plain[1], plain[1]
