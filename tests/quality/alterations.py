"""Alters a citation as time or a model would: the file renamed, moved, with another ending, or made up."""

from __future__ import annotations

import posixpath
import random
import re

from gate.repository.manifest import Repository
from gate.repository.path_rule import extension

ALTERATIONS = ("rename", "move", "ending", "invent")
WORDS = {
    "utils": "helpers", "util": "utils", "config": "settings", "main": "app", "test": "tests", "base": "core",
    "model": "models", "api": "interface", "client": "connector", "server": "service", "install": "setup",
    "guide": "tutorial", "docs": "documentation", "example": "sample", "manager": "handler", "data": "dataset",
    "index": "overview", "run": "launch", "train": "training", "readme": "overview", "common": "shared",
}  # fmt: skip
ENDINGS = {
    "py": "pyi", "md": "rst", "mdx": "md", "rst": "md", "yml": "yaml", "yaml": "yml", "js": "ts", "ts": "js",
    "tsx": "ts", "json": "yaml", "png": "svg", "svg": "png", "sh": "py", "go": "rs", "c": "cpp", "h": "hpp",
    "rs": "go", "toml": "yaml", "cs": "fs", "ipynb": "py", "jpg": "png", "gif": "png",
}  # fmt: skip


def altered(random_: random.Random, how: str, repository: Repository, target: str) -> str:
    """Return a target altered in one way; what follows `#` or `?` stays."""
    path, place = re.fullmatch(r"([^#?]*)(.*)", target, re.DOTALL).groups()  # type: ignore[union-attr]
    change = {"rename": _rename, "move": _move, "ending": _ending, "invent": _invent}[how]
    return change(random_, repository, path) + place


def _rename(random_: random.Random, repository: Repository, path: str) -> str:
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".") if "." in name[1:] else (name, "", "")
    parts = re.split(r"([-_.])", stem)
    how = random_.choice(("suffix", "word", "drop", "swap", "plural"))
    if how == "suffix":
        stem += random_.choice(("_v2", "-new", "_utils", "2", "-guide", "_helper"))
    elif how == "word":
        known = [n for n, part in enumerate(parts) if part.lower() in WORDS]
        parts = [WORDS[p.lower()] if n in known[:1] else p for n, p in enumerate(parts)] if known else [*parts, "_impl"]
        stem = "".join(parts)
    elif how == "drop" and len(parts) > 2:
        stem = "".join(parts[2:])
    elif how == "swap" and len(stem) > 3:
        n = random_.randrange(len(stem) - 1)
        stem = stem[:n] + stem[n + 1] + stem[n] + stem[n + 2 :]
    else:
        stem = stem[:-1] if stem.endswith("s") else stem + "s"
    return posixpath.join(folder, stem + dot + ending)


def _move(random_: random.Random, repository: Repository, path: str) -> str:
    parts = path.split("/")
    if len(parts) < 2:
        return _rename(random_, repository, path)
    how = random_.choice(("sibling", "deeper", "renamed"))
    above = posixpath.normpath("/".join(parts[:-2]) or ".")
    beside = repository.folders_in("" if above == "." else above)
    if how == "sibling" and set(beside) - {parts[-2]}:
        parts[-2] = random_.choice(sorted(set(beside) - {parts[-2]}))
    elif how == "deeper":
        parts.insert(len(parts) - 1, random_.choice(("core", "utils", "common", "internal", "v2", "guides")))
    else:
        parts[-2] = WORDS.get(parts[-2].lower(), parts[-2] + random_.choice(("s", "_new", "-core")))
    return "/".join(parts)


def _ending(random_: random.Random, repository: Repository, path: str) -> str:
    ending = extension(path)
    if ending not in ENDINGS:
        return _rename(random_, repository, path)
    return path[: -len(ending)] + ENDINGS[ending]


def _invent(random_: random.Random, repository: Repository, path: str) -> str:
    """A plausible new name, made of words that the neighbours' names use."""
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".") if "." in name[1:] else (name, "", "")
    around = [other for other in repository.by_name if other.endswith(f".{ending}")][:400]
    words = sorted({word for other in around for word in re.split(r"[-_.]", other) if len(word) > 3}) or [
        "core",
        "module",
    ]
    joint = "-" if "-" in stem else "_"
    made = joint.join([random_.choice(words), random_.choice(("manager", "store", "handler", "overview", "builder"))])
    return posixpath.join(folder, made + dot + ending)
