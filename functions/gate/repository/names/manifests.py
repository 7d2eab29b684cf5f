"""What a repository declares of itself: programs, packages, modules, targets, scripts, dependencies."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

ELSEWHERE = re.compile(
    r"(?:^|/)(?:tests?|testing|testdata|test[-_]\w+|__\w+__|specs?|e2e|fixtures?|examples?|samples?|demos?|templates?|vendor|"
    r"third[-_]?party|node_modules|benchmarks?|playgrounds?|snapshots?|skeletons?|docs?|website)/",
    re.IGNORECASE,
)
"""Folders whose manifests declare something else than the product."""
MAX_TOML = 100_000
"""Characters of a manifest in TOML; a larger one declares nothing."""
_ENTRY = re.compile(r"^[ \t]*[\"']?([A-Za-z][\w.-]*)[ \t]*=[ \t]*[\w.]+:[\w.]+", re.MULTILINE)
_PY_MODULES = re.compile(r"\bpy_modules\s{0,9}=\s{0,9}(\[[^\]]{0,500}\]|[\w, \t]{1,200})")
_TARGETS = re.compile(r"^([A-Za-z0-9][\w./ -]{0,200}?)\s{0,9}::?(?![:=])", re.MULTILINE)
_RECIPES = re.compile(r"^@?([A-Za-z_][\w-]*)(?:[ \t][^:=\n]{0,200})?:(?!=)", re.MULTILINE)
_GO_MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
_GEM = re.compile(r"\.executables\s*(?:<<|=)\s*([^\n]+)")


@dataclass
class Declared:
    """What the manifests of a repository declare.

    Attributes:
        programs: commands that it installs.
        modules: top-level names under which its code is imported.
        projects: of Python, by name: one may be a module in a single file.
        targets: of its makefiles.
        scripts: of its `package.json` files.
        recipes: of its justfiles.
        subcommands: of its programs, registered as entry points.
    """

    programs: set[str] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)
    projects: set[str] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)
    scripts: set[str] = field(default_factory=set)
    recipes: set[str] = field(default_factory=set)
    subcommands: set[str] = field(default_factory=set)
    crates: dict[str, str] = field(default_factory=dict)
    """Of Rust, by folder."""
    features: dict[str, set[str]] = field(default_factory=dict)
    """Of crates, and the extras of projects of Python, by name."""
    groups: set[str] = field(default_factory=set)
    """Of entry points, `tern.commands`."""
    gems: set[str] = field(default_factory=set)
    """Folders of gems whose programs are the files of a folder."""
    has_pattern: bool = False
    """A makefile makes targets by a pattern or includes others, so that the list is open."""


def is_manifest(path: str) -> bool:
    """Whether a file declares something of the product."""
    name = path.rpartition("/")[2]
    is_run = _READERS.get(name) in (_makefile, _package_json) or name.endswith(".mk")
    return is_run or ((name in _READERS or name.endswith(".gemspec")) and not ELSEWHERE.search(path))


def declared(files: tuple[str, ...], manifests: Mapping[str, str]) -> Declared:
    """Read the manifests of a repository.

    Args:
        files: every path.
        manifests: contents of the files that `is_manifest` asks for; one that cannot be read declares nothing.
    """
    found = Declared()
    for path, text in manifests.items():
        folder, _, name = path.rpartition("/")
        reader = _READERS.get(name) or (_makefile if name.endswith(".mk") else _gemspec)
        try:
            reader(text, found, folder)
        except (ValueError, TypeError, AttributeError, RecursionError):  # no TOML or JSON of the usual shape
            continue
    _by_place(files, found)
    return found


def _by_place(files: tuple[str, ...], found: Declared) -> None:
    """Modules of Python and programs of Go, which no manifest needs to name."""
    packages = {path.rpartition("/")[0] for path in files if path.endswith("/__init__.py")}
    for folder in packages:
        above, _, name = folder.rpartition("/")
        if above not in packages and not ELSEWHERE.search(f"{folder}/") and above.count("/") < 3:
            found.modules.add(name)
    found.modules.update(name for name in found.projects if {f"{name}.py", f"src/{name}.py"} & set(files))
    for path in files:
        main = re.fullmatch(r"(?:[^/]+/){0,2}cmd/([\w-]+)/main\.go", path)
        if main:
            found.programs.add(main[1])
    for folder, name in found.crates.items():
        if f"{folder}src/main.rs" in files:
            found.programs.add(name)
    for path in files:
        at, exe, name = path.rpartition("exe/")
        if exe and name and at.rstrip("/") in found.gems:
            found.programs.add(name)
    for path in files:
        crate, src, name = path.rpartition("src/bin/")
        if src and crate in found.crates and name.endswith((".rs", "/main.rs")):
            found.programs.add(name.partition("/")[0].removesuffix(".rs"))


def _toml(text: str) -> dict[str, Any]:
    """Read TOML; a long key of many parts takes its reader the square of them, so that no large file is read."""
    if len(text) > MAX_TOML:
        raise ValueError(text[:40])
    return tomllib.loads(text)


def _pyproject(text: str, found: Declared, folder: str) -> None:
    del folder
    whole = _toml(text)
    project, poetry = whole.get("project", {}), whole.get("tool", {}).get("poetry", {})
    found.projects.update(str(each["name"]).replace("-", "_") for each in (project, poetry) if "name" in each)
    found.programs.update(project.get("scripts", {}), poetry.get("scripts", {}))
    for each, extras in ((project, "optional-dependencies"), (poetry, "extras")):
        if "name" in each and extras not in each.get("dynamic", ()) and each.get(extras):
            _features(found, str(each["name"]), each[extras])
    for group, names in project.get("entry-points", {}).items():
        found.groups.add(group)
        if group.endswith("commands"):
            found.subcommands.update(names)


def _features(found: Declared, name: str, names: Iterable[str]) -> None:
    found.features.setdefault(name.lower().replace("_", "-"), set()).update(names)


def _setup(text: str, found: Declared, folder: str) -> None:
    del folder
    for names in _PY_MODULES.findall(text):
        found.projects.update(re.findall(r"\w+", names))
    at = text.find("console_scripts")
    if at >= 0:
        found.programs.update(_ENTRY.findall(re.sub(r"[\[,]\s*[\"']", "\n", text[at : at + 3_000])))


def _package_json(text: str, found: Declared, folder: str) -> None:
    whole: dict[str, Any] = json.loads(text)
    found.scripts.update(whole.get("scripts") or {})
    if ELSEWHERE.search(f"{folder}/"):
        return  # of tests, say: run in its folder, and no part of the product
    name = whole.get("name") or ""
    bins = whole.get("bin") or {}
    found.programs.update([name.rpartition("/")[2]] if isinstance(bins, str) else bins)
    if name:
        found.modules.add(name)


def _cargo(text: str, found: Declared, folder: str) -> None:
    whole = _toml(text)
    name = whole.get("package", {}).get("name", "")
    found.programs.update(each["name"] for each in whole.get("bin", ()))
    if name:
        found.modules.add(name.replace("-", "_"))
        found.crates[f"{folder}/" if folder else ""] = name
        _features(found, name, ("default", *whole.get("features", {}), *_optional(whole)))


def _optional(whole: dict[str, Any]) -> Iterator[str]:
    """Dependencies of a crate, for building or for some platforms too, that a feature of the same name asks for."""
    for place in (whole, *whole.get("target", {}).values()):
        for table in ("dependencies", "build-dependencies"):
            for key, value in place.get(table, {}).items():
                if isinstance(value, dict) and value.get("optional") is True:
                    yield key


def _go_mod(text: str, found: Declared, folder: str) -> None:
    module = _GO_MODULE.search(text)
    if module:
        path = re.sub(r"/v\d+$", "", module[1])
        found.modules.update((module[1], path, path.rpartition("/")[2]))
        if not folder:
            found.programs.add(path.rpartition("/")[2])


def _makefile(text: str, found: Declared, folder: str) -> None:
    del folder
    for names in _TARGETS.findall(text):
        found.targets.update(names.split())
    found.has_pattern |= bool(
        re.search(r"^(?:-?include\b|[^\s#:]*%[^:=\n]{0,200}:|\$[({][^:=\n]{0,200}:)", text, re.MULTILINE)
    )


def _justfile(text: str, found: Declared, folder: str) -> None:
    del folder
    found.recipes.update(_RECIPES.findall(text))


def _gemspec(text: str, found: Declared, folder: str) -> None:
    for names in _GEM.findall(text):
        if "grep" not in names and "map" not in names:
            found.programs.update(re.findall(r"[\w-]+", names.removeprefix("%w")))
        else:
            found.gems.add(folder)


_READERS: dict[str, Callable[[str, Declared, str], None]] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup,
    "setup.py": _setup,
    "package.json": _package_json,
    "Cargo.toml": _cargo,
    "go.mod": _go_mod,
    "Makefile": _makefile,
    "makefile": _makefile,
    "GNUmakefile": _makefile,
    "justfile": _justfile,
    "Justfile": _justfile,
}
