"""Which names the code of a document uses, and as what. Nothing is decided here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gate.repository.names.bindings import FROM_IMPORT, IMPORT, JS_IMPORT, PYTHON, Bindings, listed
from gate.repository.names.chains import chained
from gate.repository.names.code_stretches import PROSE, SPAN, CodeStretch
from gate.repository.names.file_names import LANGUAGES
from gate.repository.names.spelling import folded
from gate.repository.path_rule import DATA, FILES, words
from gate.text.formats.programming import SHELL
from gate.text.words.function_words import DETERMINERS, PREPOSITIONS, PRONOUNS
from gate.text.words.verbs import AUXILIARIES

NameKind = Literal[
    "command", "option", "variable", "import", "attribute", "call", "parameter", "target", "script", "recipe", "type",
    "line", "heading", "key", "feature",
]  # fmt: skip

FUNCTION_WORDS = AUXILIARIES | DETERMINERS | PRONOUNS | PREPOSITIONS
EVERYBODYS = re.compile(
    r"\b(?:apt|brew|cargo|conda|curl|docker|git|go|kubectl|make|node|npm|pip|pnpm|python|uv|yarn)\b"
)
"""Programs of everybody, whose options a document names beside its own."""
CODE = (
    LANGUAGES
    | PYTHON
    | words("javascript typescript golang rust kotlin csharp ruby php c cpp c++ swift scala vue svelte")
)
MOST_IN_A_STRETCH = 20_000
"""Characters of a block that are read; a longer one is data."""

_OPTION = re.compile(r"(?<![\w=:/.-])--(?P<name>[a-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)(?![\w<{*-])")
_VARIABLE = re.compile(r"(?<![\w.-])\$?\{?(?P<name>[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w*<{-])")
_PROMPT = re.compile(r"^[ \t]*(?:[\w.@~:/()-]*[$%>❯#][ \t]+|PS[^>\n]{0,80}>[ \t]*)?")
_BEFORE = re.compile(
    r"(?:(?:sudo|time|exec|env|command|!)\s+|[A-Za-z_]\w*=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']*)\s+"
    r"|(?:npx|bunx|uvx|pipx run|poetry run|pdm run|uv run|hatch run|pnpm exec|pnpm dlx|yarn dlx|bundle exec)\s+"
    r"|python[\d.]*\s+-m\s+|export\s+|set\s+)"
)
_NEXT = re.compile(r"\s(?:&&|\|\|?|;|&)(?=\s)|;\s|\$\(|[`)]")
_SUBWORD = re.compile(r"[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*")
_REMARK = re.compile(r"(?<=\S)\s{1,80}#\s")
"""Where a comment behind a command begins; at the head of a line it may be a prompt."""
_KEY = re.compile(r"^[ \t]{0,12}[\"']?([A-Za-z][\w-]{0,60})[\"']?[ \t]?[:=]", re.MULTILINE)
"""What a block of settings defines."""
_QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
_TASK = re.compile(r"(?P<tool>make|just|(?:npm|pnpm|yarn|bun)\s+run)\s+(?P<name>[A-Za-z][\w:.-]*)(?=\s|$)")
_DOTTED = re.compile(
    r"(?P<head>@?[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*)(?:\.|::|#)(?P<name>[A-Za-z_]\w*)(?P<call>!?\(.*\)|\(\))?"
    r"(?:\.await)?\??;?",
    re.DOTALL,
)
_BARE_CALL = re.compile(r"(?P<name>[A-Za-z_]\w*)\((?P<inside>.*)\)", re.DOTALL)
_TYPE = re.compile(r"(?P<head>(?:[A-Z]\w*/)*)(?P<name>[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)")
_RUST_USE = re.compile(r"\buse\s+(?P<path>[a-z_]\w*(?:::\w+)*)(?:::\{(?P<many>[^{}]{0,2000})\})?")
_CALLED = re.compile(r"(?<![\w.$])(?P<path>[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*)(?:!?\()")
_IN_PROSE = re.compile(
    r"(?:^|(?<=[\s(\"'*]))(?:--(?P<option>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?![\w<{*=-])"
    r"|(?P<path>[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)*)\([^()\n]{0,200}\))"
)
"""Options and calls that running text names without marking them."""
_CONTINUED = re.compile(r"\\\n")
_KEYWORD = re.compile(r"(?:^|,)\s*(?P<name>[A-Za-z_]\w*)\s*=(?!=)")


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name that a document uses.

    Attributes:
        name: as written, without its dashes or brackets.
        kind: as what it is used.
        owner: whose it is: a program with its subcommands, a module, a type, a function, a tool; empty: not said.
        line, column: its place.
        text: the line it stands on.
        span: it stands within a sentence.
        above: of a key of settings, the keys and tables that it stands below.
    """

    name: str
    kind: NameKind
    owner: str
    line: int
    column: int
    text: str
    span: bool
    above: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The name with what tells its kind."""
        if self.kind == "option":
            return f"--{self.name}"
        if self.kind in ("command", "target", "script", "recipe"):
            return f"{self.owner} {self.name}"
        if self.kind == "key":
            return ".".join((*self.above, self.name))
        if self.kind in ("attribute", "import") and self.owner:
            return f"{self.owner}.{self.name}"
        return f"{self.name}()" if self.kind == "call" else self.name


class NameReader:
    """Reads the stretches of one document, in order; what one of them imports or makes holds for those behind it.

    Args:
        programs: commands whose subcommands and options are told apart.
    """

    def __init__(self, programs: frozenset[str]) -> None:
        self._programs = programs
        self._bindings = Bindings()

    @property
    def quoted(self) -> set[str]:
        """What the blocks read so far name in strings, keys and definitions, folded."""
        return self._bindings.quoted

    def read(self, stretch: CodeStretch) -> Iterator[NameMention]:
        """Yield the names of a stretch."""
        if len(stretch.text) > MOST_IN_A_STRETCH:
            return
        if stretch.language == SPAN:
            yield from self._span(stretch)
        elif stretch.language == PROSE:
            yield from self._prose(stretch)
        elif stretch.language.startswith("role:"):
            yield from self._role(stretch)
        else:
            yield from self._block(stretch)

    def _block(self, stretch: CodeStretch) -> Iterator[NameMention]:
        language = stretch.language
        self.quoted.update(folded(string[0]) for string in _QUOTED.finditer(stretch.text))
        if language not in SHELL:
            self.quoted.update(folded(key[1]) for key in _KEY.finditer(stretch.text))
        yield from self._variables(stretch)
        if language in SHELL or (not language and self._is_command(stretch.text)):
            at = 0
            for line in _CONTINUED.sub("  ", stretch.text).split("\n"):
                yield from self._commands(stretch, line, at)
                at += len(line) + 1
        elif language in CODE:
            self._bindings.bind(stretch.text, language)
            yield from self._imports(stretch)
            yield from self._calls(stretch)

    def _is_command(self, text: str) -> bool:
        first = _PROMPT.sub("", text.lstrip("\n").partition("\n")[0])
        word = first.partition(" ")[0]
        return word in self._programs or text.lstrip().startswith("$ ") or bool(_TASK.match(first))

    def _span(self, stretch: CodeStretch) -> Iterator[NameMention]:
        text = stretch.text.strip()
        offset = len(stretch.text) - len(stretch.text.lstrip())
        word = text.partition(" ")[0]
        if " " in text and (word in self._programs or _TASK.match(text) or _BEFORE.match(text)):
            yield from self._commands(stretch, stretch.text, 0)
            yield from self._variables(stretch)
            return
        if text.startswith("-"):
            for option in _OPTION.finditer(stretch.text):
                yield self._mention(stretch, option.start("name"), option["name"], "option", "")
            return
        variable = _VARIABLE.match(text)
        if variable and (variable.end() == len(text) or text[variable.end()] in "=}"):
            yield self._mention(stretch, offset + variable.start("name"), variable["name"], "variable", "")
            return
        if text.startswith(("from ", "import ", "use ")):
            yield from self._imports(stretch)
            return
        yield from self._symbol(stretch, text, offset)

    def _prose(self, stretch: CodeStretch) -> Iterator[NameMention]:
        """The names of running text: options, variables and calls."""
        yield from self._variables(stretch)
        for found in _IN_PROSE.finditer(stretch.text):
            if found["path"]:
                path = found["path"].replace("::", ".")
                head, _, name = path.rpartition(".")
                at = found.end("path") - len(name)
                yield self._mention(stretch, at, name, "attribute" if head else "call", self._bindings.resolved(head))
            elif found["option"] not in FUNCTION_WORDS and not self._is_of_others(stretch.text[: found.start()]):
                yield self._mention(stretch, found.start("option"), found["option"], "option", "")

    def _is_of_others(self, text: str) -> bool:
        """Whether the program that a text named last is one of everybody's, and none of this repository's."""
        named = [word for word in re.findall(r"[\w-]+", text) if word in self._programs or EVERYBODYS.fullmatch(word)]
        return bool(named) and named[-1] not in self._programs

    def _symbol(self, stretch: CodeStretch, text: str, offset: int) -> Iterator[NameMention]:
        dotted = _DOTTED.fullmatch(text)
        call = _BARE_CALL.fullmatch(text)
        if dotted and not dotted["call"] and dotted["name"].lower() in FILES | DATA:
            return  # a file: `tern.conf`
        if dotted:
            head = self._bindings.resolved(dotted["head"].replace("::", ".").replace("#", "."))
            yield self._mention(stretch, offset + dotted.start("name"), dotted["name"], "attribute", head)
            if dotted["call"]:
                yield from self._keywords(stretch, f"{head}.{dotted['name']}", offset + dotted.start("call"))
        elif call:
            yield self._mention(stretch, offset, call["name"], "call", "")
            yield from self._keywords(stretch, call["name"], offset + call.end("name"))
        elif named := _TYPE.fullmatch(text):
            yield self._mention(stretch, offset + named.start("name"), named["name"], "type", "")

    def _role(self, stretch: CodeStretch) -> Iterator[NameMention]:
        role, text = stretch.language.removeprefix("role:"), stretch.text.strip().removesuffix("()")
        if role == "envvar" and _VARIABLE.fullmatch(text):
            yield self._mention(stretch, 0, text, "variable", "")
        elif role == "option":
            for option in _OPTION.finditer(stretch.text):
                yield self._mention(stretch, option.start("name"), option["name"], "option", "")
        elif role in ("func", "meth", "class", "attr", "exc", "data"):
            dotted = _DOTTED.fullmatch(text)
            if dotted:
                yield self._mention(stretch, dotted.start("name"), dotted["name"], "attribute", dotted["head"])

    def _variables(self, stretch: CodeStretch) -> Iterator[NameMention]:
        for variable in _VARIABLE.finditer(stretch.text):
            yield self._mention(stretch, variable.start("name"), variable["name"], "variable", "")

    def _commands(self, stretch: CodeStretch, line: str, at: int) -> Iterator[NameMention]:
        """The programs of a line with their subcommands and options, up to the first argument."""
        inert = _QUOTED.sub(lambda match: "." * len(match[0]), line)
        remark = _REMARK.search(inert)
        inert = inert[: remark.start()] if remark else inert
        begin = 0
        while begin < len(inert):
            separator = _NEXT.search(inert, begin)
            end = separator.start() if separator else len(inert)
            yield from self._command(stretch, inert[begin:end], at + begin)
            begin = separator.end() if separator else len(inert)

    def _command(self, stretch: CodeStretch, line: str, at: int) -> Iterator[NameMention]:
        prompt = _PROMPT.match(line)
        begin = prompt.end() if prompt else 0
        begin += len(line[begin:]) - len(line[begin:].lstrip())
        while before := _BEFORE.match(line, begin):
            begin = before.end()
        task = _TASK.match(line, begin)
        if task:
            kinds: dict[str, NameKind] = {"make": "target", "just": "recipe"}
            kind = kinds.get(task["tool"], "script")
            yield self._mention(stretch, at + task.start("name"), task["name"], kind, " ".join(task["tool"].split()))
            return
        words = line[begin:].split()
        if not words or words[0] not in self._programs:
            return
        owner, place = words[0], line.find(words[0], begin) + len(words[0])
        subcommands = 0
        for word in words[1:]:
            place = line.find(word, place)
            if word == "--":
                return
            option = _OPTION.match(word)
            if option:
                yield self._mention(stretch, at + place + 2, option["name"], "option", owner)
                subcommands = 2
            elif word.startswith("-"):
                subcommands = 2  # what stands behind an option may be its value
            elif subcommands < 2 and _SUBWORD.fullmatch(word):
                yield self._mention(stretch, at + place, word, "command", owner)
                owner, subcommands = f"{owner} {word}", subcommands + 1
            else:
                subcommands = 2
            place += len(word)

    def _imports(self, stretch: CodeStretch) -> Iterator[NameMention]:
        for found in FROM_IMPORT.finditer(stretch.text):
            yield from self._module(stretch, found["module"], found.start("module"))
            group = "many" if found["many"] else "names"
            for name, _ in listed(found[group]):
                at = found.start(group) + max(found[group].find(name), 0)
                yield self._mention(stretch, at, name, "import", found["module"])
        for found in IMPORT.finditer(stretch.text):
            for each in re.finditer(r"[\w.]+", re.sub(r"\bas\s+\w+", lambda m: " " * len(m[0]), found["modules"])):
                yield from self._module(stretch, each[0], found.start("modules") + each.start())
        for found in JS_IMPORT.finditer(stretch.text):
            module, what = found["module"] or found["required"], found["what"] or found["bound"]
            inner = re.search(r"\{([^{}]*)\}", what)
            for name, _ in listed(inner[1]) if inner else ():
                yield self._mention(stretch, found.start() + max(found[0].find(name), 0), name, "import", module)
        if stretch.language in ("rust", "rs", SPAN):
            for found in _RUST_USE.finditer(stretch.text):
                path = found["path"].split("::")
                yield from self._module(stretch, ".".join(path), found.start("path"))
                for name in re.findall(r"(?<![\w:])[A-Za-z_]\w*(?=\s*(?:,|$|\}| as ))", found["many"] or ""):
                    yield self._mention(stretch, found.start(), name, "import", ".".join(path))

    def _module(self, stretch: CodeStretch, path: str, at: int) -> Iterator[NameMention]:
        owner, _, name = path.strip(".").rpartition(".")
        if not path.startswith("."):
            yield self._mention(stretch, at, name, "import", owner)

    def _calls(self, stretch: CodeStretch) -> Iterator[NameMention]:
        for call in _CALLED.finditer(stretch.text):
            path = call["path"].replace("::", ".")
            head, _, name = path.rpartition(".")
            first = path.partition(".")[0]
            if not head:
                if first not in self._bindings.bound:
                    yield self._mention(stretch, call.start(), name, "call", "")
                    continue
                path = self._bindings.resolved(path)
                owner, _, name = path.rpartition(".")
            else:
                owner = self._bindings.resolved(head)
                if self._bindings.bound.get(first) == "":
                    continue
                if first == "self" and (head == first or folded(path.split(".")[1]) in self.quoted):
                    continue  # the class that the answer makes may have it
                instance = "()" if first in self._bindings.of_call and head == first else ""
                if first in self._bindings.of_call and head != first and stretch.language in PYTHON:
                    owner, instance = (
                        f"{self._bindings.bound[first]}().{head.partition('.')[2].replace('.', '().')}",
                        "()",
                    )
                yield self._mention(stretch, call.end("path") - len(name), name, "attribute", owner + instance)
            if stretch.language in PYTHON and "." in path and self._bindings.bound.get(first):
                yield from self._keywords(stretch, f"{owner}.{name}", call.end() - 1)

        for link in chained(stretch.text):
            if self._bindings.bound.get(link.path.partition(".")[0]) != "":
                owner = "().".join((self._bindings.resolved(link.path), *link.links))
                yield self._mention(stretch, link.begin, link.name, "attribute", f"{owner}()")

    def _keywords(self, stretch: CodeStretch, function: str, at: int) -> Iterator[NameMention]:
        """The parameters that a call names."""
        inside, end = _inside(stretch.text, at)
        if inside is None:
            return
        flat = _flat(inside)
        for keyword in _KEYWORD.finditer(flat):
            yield self._mention(
                stretch, end - len(inside) + keyword.start("name"), keyword["name"], "parameter", function
            )

    def _mention(self, stretch: CodeStretch, at: int, name: str, kind: NameKind, owner: str) -> NameMention:
        line, column = stretch.place(at)
        span = stretch.language in (SPAN, PROSE) or stretch.language.startswith("role:")
        return NameMention(name, kind, owner, line, column, stretch.line_at(at), span)


def _inside(text: str, at: int) -> tuple[str | None, int]:
    """What stands between the bracket at a place and the one that closes it, and where it ends."""
    depth = 0
    for end in range(at, min(at + 2_000, len(text))):
        depth += (text[end] in "([{") - (text[end] in ")]}")
        if not depth:
            return text[at + 1 : end], end
    return None, at


def _flat(inside: str) -> str:
    """Arguments with what is nested or quoted blanked out, so that places stay."""
    flat = _QUOTED.sub(lambda match: "." * len(match[0]), inside)
    depth, kept = 0, []
    for mark in flat:
        depth -= mark in ")]}"
        kept.append(mark if depth <= 0 else ".")
        depth += mark in "([{"
    return "".join(kept)
