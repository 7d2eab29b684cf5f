"""Keys of settings in YAML, TOML, INI and JSON, with their places. Pure; nothing is decided here.

Fragments are read too, with what is left out of them, so that no parser of a whole file is of use.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gate.repository.path_rule import words

MOST_CHARACTERS = 200_000
"""Of a file of settings; a larger one is data."""
EVERYBODYS_FILES = words(
    "pyproject.toml setup.cfg tox.ini tox.toml package.json package-lock.json tsconfig.json jsconfig.json Cargo.toml"
    " docker-compose.yml docker-compose.yaml compose.yml compose.yaml mkdocs.yml mkdocs.yaml composer.json"
    " .pre-commit-config.yaml .pre-commit-hooks.yaml .travis.yml .gitlab-ci.yml appveyor.yml .readthedocs.yaml"
    " .readthedocs.yml action.yml action.yaml renovate.json dependabot.yml codecov.yml .codecov.yml netlify.toml"
    " vercel.json pnpm-workspace.yaml Chart.yaml values.yaml kustomization.yaml environment.yml app.json launch.json"
    " settings.json tasks.json devcontainer.json crowdin.yml labeler.yml vite.config.js vite.config.ts rollup.config.js"
    " webpack.config.js babel.config.js jest.config.js jest.config.ts eslint.config.js eslint.config.mjs"
    " prettier.config.js tailwind.config.js next.config.js next.config.mjs biome.json turbo.json nx.json lerna.json"
)
"""Files of settings that many projects have: a product's own where one is called as it is."""
FORMS = {
    **dict.fromkeys(words("yaml yml"), "yaml"),
    **dict.fromkeys(words("toml"), "toml"),
    **dict.fromkeys(words("ini cfg conf dosini editorconfig"), "ini"),
    **dict.fromkeys(words("json jsonc json5"), "json"),
}
"""How a language of a block, or the ending of a file, is written."""
SCRIPTS = words("js javascript ts typescript")
"""Languages in which settings may be what a module exports."""

_FILE = re.compile(
    r"(?<![\w/.*<{-])(?P<path>(?:[\w.~-]{1,60}/){0,8}(?P<name>\.?[A-Za-z_][\w-]{0,60}(?:\.[\w-]{1,40}){0,3}"
    r"\.(?:ya?ml|toml|json[c5]?|ini|cfg|conf|config\.[cm]?[jt]s)|\.[a-z][\w-]{1,40}rc))(?![\w/*-])"
)
_YAML = re.compile(
    r"^(?P<indent> {0,60}(?:- {1,8}){0,3})(?P<quote>[\"']?)(?P<name>[A-Za-z_][\w./-]{0,80})(?P=quote):"
    r"(?P<rest>[ \t][^\n]*)?$"
)
_SCALAR = re.compile(r"\s*[|>][+-]?\d?[+-]?\s*(?:#.*)?$")
_TABLE = re.compile(r"^\s{0,20}\[{1,2}(?P<table>[^\[\]\n]{1,200})\]{1,2}\s*(?:[#;].*)?$")
_TOML = re.compile(
    r"^[ \t]{0,20}(?P<name>(?:[A-Za-z_][\w-]{0,80}|\"[^\"\n]{1,80}\")"
    r"(?:\.(?:[A-Za-z_][\w-]{0,80}|\"[^\"\n]{1,80}\")){0,6})[ \t]*=(?P<rest>[^=\n][^\n]*)?$"
)
_INI = re.compile(r"^(?P<name>[A-Za-z_][\w.-]{0,80})[ \t]*[=:](?P<rest>[^\n]*)$")
_INLINE = re.compile(r"[{,]\s*(?P<name>[A-Za-z_][\w-]{0,80})\s*=")
_PART = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|([\w-]+)")
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_JSON = re.compile(
    r"[\"'](?P<text>(?:[^\"'\\\n]|\\.){0,200})[\"'](?P<colon>\s{0,20}:)?|//[^\n]*|/\*(?:[^*]|\*(?!/)){0,2000}\*/"
    r"|(?<![\w$.?])(?P<bare>[A-Za-z_$][\w$]{0,80})\s{0,20}:(?!:)|(?P<mark>[{}\[\]()])"
)
_EXPORTED = re.compile(r"\bmodule\.exports\s{0,9}=|\bexport\s{1,9}default\b")
_COMMENT = re.compile(r"^\s{0,9}(?:#|//|;|/\*|<!--)\s{0,9}(?P<said>[^\n]{1,200})")
_BLOCKS = (
    re.compile(
        r"^(?P<before>[^\n]*)\n(?:[ \t]*\n){0,2}[ \t>]*(?:`{3,}|~{3,})[ \t]*\{?\.?(?P<language>\w+)[^\n]*\n"
        r"(?P<body>.*?)^[ \t>]*(?:```|~~~)",
        re.MULTILINE | re.DOTALL,
    ),
    re.compile(
        r"^(?P<before>[^\n]*)\n(?:[ \t]*\n){0,2}[ \t]*\.\. (?:code-block|code|sourcecode)::"
        r"[ \t]*(?P<language>\w+)[^\n]*\n(?P<body>(?:[ \t]+[^\n]*\n|\n)*)",
        re.MULTILINE,
    ),
    re.compile(
        r"^(?P<before>[^\n]*)\n(?:[ \t]*\n){0,2}\[source,[ \t]*(?P<language>\w+)[^\n]*\n-{4}\n(?P<body>.*?)^-{4}",
        re.MULTILINE | re.DOTALL,
    ),
)
"""Blocks of code in Markdown, reStructuredText and AsciiDoc, with the line before them."""
MOST_DEEP = 30


@dataclass(frozen=True, slots=True)
class SettingsKey:
    """A key.

    Attributes:
        above: the keys that it stands below, from the outermost; tables of TOML and sections of INI count.
        name: as written.
        begin: where it stands in the text.
    """

    above: tuple[str, ...]
    name: str
    begin: int


def settings_file(line: str) -> str:
    """The file of settings that a line names last; empty: none."""
    named = [found["path"] for found in _FILE.finditer(line)]
    return named[-1] if named else ""


def all_settings_files(text: str) -> set[str]:
    """The names of files of settings that a text has."""
    return {found["name"] for found in _FILE.finditer(text)}


def file_of_block(text: str, before: str) -> str:
    """The file that a block is said to be of: in a remark that it begins with, or on the line before it."""
    remark = _COMMENT.match(text.lstrip("\n"))
    return (settings_file(remark["said"]) if remark else "") or settings_file(before)


def documented_keys(text: str) -> Iterator[tuple[str, SettingsKey]]:
    """Yield the keys in the blocks of a document, each with the file that its block is said to be of."""
    for pattern in _BLOCKS:
        for block in pattern.finditer(text):
            language = block["language"].lower()
            if language in FORMS or language in SCRIPTS:
                file = file_of_block(block["body"], block["before"]).rpartition("/")[2]
                for key in settings_keys(textwrap.dedent(block["body"]), language):
                    yield file, key


def settings_keys(text: str, language: str) -> Iterator[SettingsKey]:
    """Yield the keys of a block or a file, in order.

    Args:
        text: of a file, or a part of one.
        language: of `FORMS` or `SCRIPTS`; of a script what it exports.
    """
    if len(text) > MOST_CHARACTERS:
        return
    if language in SCRIPTS:
        exported = _EXPORTED.search(text)
        if exported:
            yield from _json(text, exported.end())
    elif form := FORMS.get(language):
        yield from _READERS[form](text)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    at = 0
    for line in text.split("\n"):
        yield at, line.rstrip("\r")
        at += len(line) + 1


def _yaml(text: str) -> Iterator[SettingsKey]:
    """By indentation; what stands in front matter belongs to a page and is none."""
    if text.lstrip().startswith("---") and text.count("\n---") > 0 and text.rstrip().endswith("---"):
        return
    above: list[tuple[int, str]] = []
    scalar = -1
    for at, line in _lines(text):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        depth = len(line) - len(line.lstrip(" "))
        if scalar >= 0 and depth > scalar:
            continue
        scalar = -1
        found = _YAML.match(line)
        if not found:
            continue
        column = len(found["indent"])
        while above and above[-1][0] >= column:
            above.pop()
        if len(above) < MOST_DEEP:
            yield SettingsKey(tuple(name for _, name in above), found["name"], at + found.start("name"))
            above.append((column, found["name"]))
        if _SCALAR.match(found["rest"] or ""):
            scalar = depth


def _split(name: str) -> Iterator[tuple[str, int]]:
    """The parts of a dotted name, with their places."""
    for part in _PART.finditer(name):
        yield part[1] or part[2] or part[3] or "", part.start()


def _toml(text: str) -> Iterator[SettingsKey]:
    return _tables(text, _TOML)


def _ini(text: str) -> Iterator[SettingsKey]:
    return _tables(text, _INI)


def _tables(text: str, pattern: re.Pattern[str]) -> Iterator[SettingsKey]:
    above: tuple[str, ...] = ()
    is_string = False
    for at, line in _lines(text):
        if line.count('"""') % 2 or line.count("'''") % 2:
            is_string = not is_string
            if not is_string:
                continue
        elif is_string:
            continue
        table = _TABLE.match(line)
        if table:
            above = tuple(name for name, _ in _split(table["table"]))
            continue
        found = pattern.match(line)
        if not found:
            continue
        within = above
        for name, begin in _split(found["name"]):
            yield SettingsKey(within, name, at + found.start("name") + begin)
            within = (*within, name)
        rest = _QUOTED.sub(lambda match: "." * len(match[0]), found["rest"] or "")
        if rest.lstrip().startswith("{") and rest.count("{") == 1:
            for inner in _INLINE.finditer(rest):
                yield SettingsKey(within, inner["name"], at + found.start("rest") + inner.start("name"))


def _json(text: str, begin: int = 0) -> Iterator[SettingsKey]:
    """By brackets; comments are passed over, and keys without quotes read too."""
    above: list[str] = []
    pending, opened, end = "", False, begin
    for token in _JSON.finditer(text, begin):
        if token[0].startswith("/"):
            continue
        mark = token["mark"]
        name = token["bare"] or (token["text"] if token["colon"] else None)
        begins = (
            opened or "," in text[end : token.start()]
        )  # or else it stands behind a question mark, or in a function
        opened, end = mark == "{", token.end()
        if mark and mark in "{[(":
            above.append(pending)
        elif mark:
            del above[-1:]
        if mark or not name or (token["bare"] and not begins):
            pending = "" if mark else pending
            continue
        pending = name
        if len(above) < MOST_DEEP:
            start = token.start("bare" if token["bare"] else "text")
            yield SettingsKey(tuple(each for each in above if each), name, start)


_READERS: dict[str, Callable[[str], Iterator[SettingsKey]]] = {"yaml": _yaml, "toml": _toml, "ini": _ini, "json": _json}
