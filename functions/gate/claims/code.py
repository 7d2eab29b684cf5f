"""What code names: commands, options, calls, imports, variables, settings, files; and what it says in its comments.

A name is claimed to exist. What is named in code is looked up; the rest of a line of code is carried by its names, and
a line without any is not read.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gate.model import ClaimKind
from gate.text.formats.programming import MADE, MAKERS, SHELL

_PROSE = ("markdown", "md", "text", "txt", "plaintext", "plain")
_PROMPT = re.compile(r"^(?:[$>%#]|PS>)\s+")
_SESSION = re.compile(r"^[ \t]*\$ ", re.MULTILINE)
_FENCE = re.compile(r"^(?:`{3,}|~{3,})")
_COMMENT = re.compile(r"(?:^|(?<=\s))(?:#(?![!{\[])|//|--(?=\s)|/\*+|<!--|;;)\s*(?P<said>[^\s].*)$")
_COMMAND = re.compile(r"(?:sudo\s+)?(?P<command>[A-Za-z][\w.+-]*(?:\s+[a-z][\w:+-]*(?:==[\w.]+)?(?!\S))*)")
_ASSIGNED = re.compile(r"(?:(?:export|env|set)\s+)?(?P<variable>[A-Za-z_]\w*)=\S*\s*")
_INERT = re.compile(r"\"[^\"]*\"|'[^']*'|\$\([^()]*\)")
"""What stands as one word in a command's line, whatever it holds."""
_NEXT_COMMAND = re.compile(r"(?:&&|\|\|?|;)\s*")
_FILTER = re.compile(
    r"\s*(?:awk|cat|cut|echo|egrep|fold|grep|head|less|more|nl|paste|printf|sed|sort|tail|tee|tr|uniq|wc|xargs)(?=\s|$)"
)
"""Commands of POSIX through which a line shows what another command says: their names claim nothing of the matter."""
_OPTION = re.compile(r"(?<![\w=-])--?[A-Za-z][\w-]*")
_INSTALLED = re.compile(
    r"(?:pip3?|npm|pnpm|yarn|bun)\s+(?:install|add|i)(?:\s+(?:-[gDEPU]|--(?:global|dev|save-dev|upgrade)))*\s+"
)
"""What stands before the packages that a command installs."""
_FETCHED = re.compile(r"(?:npx|bunx|uvx|pipx\s+run|pnpm\s+dlx|yarn\s+dlx)(?:\s+(?:-y|--yes))?\s+(?=@)")
"""What stands before a package with a scope that is fetched and run; one without reads as a subcommand."""
_PACKAGE = re.compile(r"(?P<package>@?[A-Za-z][\w./-]*)(?:[@=<>~!][^\s]*)?(?:\s+|$)")
_FIRST_OPTION = re.compile(r"\s--?[A-Za-z][\w-]*")
_IMPORTS = re.compile(
    r"^\s*(?:>>>\s)?(?:from\s+(?P<origin>[\w.]+)\s+import\s+(?P<names>[\w., ()]+)|import\s+(?P<module>[\w.]+)"
    r"|use\s+(?P<use>[\w:]+)|#include\s+[<\"](?P<header>[\w./]+))"
)
_IMPORT_OPENS = re.compile(r"\s*from\s+[\w.]+\s+import\s*\(\s*(?:#.*)?$")
_LISTED_NAMES = re.compile(r"\s*+(?:\w++\s*+,\s*+)*+(?:\w++\s*+)?")
_MAKES = re.compile(rf"\s*+(?:async\s++)?(?:{MAKERS})\s++\w++\s*+(?:\([\w\s,*]*+\)\s*+)?(?:[:{{]\s*+)?")
"""The head of a function or type, its parameters without types and values."""
_DEFINES = re.compile(rf"\b(?:{MAKERS})\s+(?P<name>\w+)(?:\s{{0,9}}\((?P<taken>[^()]{{0,500}})\))?")
_PARAMETER = re.compile(r"(?:^|,)[\s*&]{0,9}([^\W\d]\w*)")
_IDENTIFIER = re.compile(r"[^\W\d]\w*|\d[\w.]*")
_PART_OF_NAME = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+")
_SIGNS = re.compile(r"[^\w\s]+")
_QUOTED = re.compile(r"[\"'`#]|//")
_REQUIRED = re.compile(r"(?:require\(|\bfrom\s|^import\s)\s*[\"'](?P<module>[\w@./-]+)[\"']")
_CALL = re.compile(r"(?<![\w.])(?:[\w]+\.|\)\.)*(?P<name>[A-Za-z_]\w*)\(|\)\.(?P<chained>[A-Za-z_]\w*)\(")
_PAIR = re.compile(
    r"(?:^|(?<=[{,\s]))[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?\s?[:=]\s?"
    r"(?P<value>\"[^\"]*\"|'[^']*'|\[[^\[\]]*\]|[\w.%/+-]+)?(?=\s{0,9}(?:$|[,}\]#]|//))"
)
_COMPOUND = re.compile(
    r"\s*(?:(?:else|try|finally|except)\s*:|(?:async|class|if|elif|while|for|with|match|case|except)[ (])"
)
"""The head of a block of statements, whose colon sets nothing."""
_TABLE = re.compile(r"(?i)\b(?:from|join|into|update|table)\s+(?P<name>[a-z_][\w.]*)")
_STRING = re.compile(r"\"(?P<double>[^\"]{3,2000})\"|'(?P<single>[^']{3,2000})'")
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w.-]{0,60})[\"']?\s?[:=]\s?$")
_SYMBOL = re.compile(r"(?<![\w.])(?:[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?!\w)")
_SETS = re.compile(r"\s*[\w.+-]+\s+[:+?]?=\s")
"""The beginning of a setting, `refund_days = 900`, whose words alone could be those of a command."""
_PLACEHOLDER = re.compile(
    r"[<>{}…]|\.\.\.|^(?:your|my|example|path)[-_/]|^\W*$"
    r"|^[-+]?\d[\d.,]*(?:[mµn]?s|m(?:in)?|h|d|w|[kmgt]?i?b|[kg]|px|r?em|%)?$|^0x[0-9a-f]+$",
    re.IGNORECASE,
)
_NAME = re.compile(r"^[\w@$./:+=~*-]+(?:\(.*\))?$")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_LISTED = "true false null none nil yes no on off undefined nan self this super"
_LITERALS = frozenset(_LISTED.split())
_RESERVED = """if for while switch catch return def class function print await async with elif else and or not in is new
typeof sizeof assert yield lambda require constructor console log main"""
_KEYWORDS = frozenset(_RESERVED.split()).union(dir(builtins))
_MODIFIERS_LISTED = """public private protected static final void const let var export default struct enum interface
extends implements type package fn pub mut impl string int float bool double char long short unsigned select from where
join left right inner outer on order by group as insert into values create table do then fi done echo local use"""
_MODIFIERS = frozenset(_MODIFIERS_LISTED.split())
_GOES_ON = re.compile(r"\.|[$€£]?\d[\d.,:]*[%$€£]?")
"""What a run of words goes on over."""
_FEWEST = 3
"""Words that make a string a statement; one with a word less is not read."""
_PLAIN = re.compile(r"([^\W\d_][^\W\d_'’-]{1,40})[.,;:!?]?")
LONGEST_LINE = 2_000
"""Characters; of a longer line of code nothing is read."""


@dataclass(frozen=True, slots=True)
class Named:
    """`text[start:end]` of a stretch of code: a name to look up, or words that state something.

    Attributes:
        about: the key whose value it is.
    """

    start: int
    end: int
    kind: ClaimKind
    about: str = ""


def named_in_span(code: str) -> list[Named]:
    """What a code span within a sentence names."""
    if len(code) > LONGEST_LINE:
        return []
    if pairs := list(_pairs(code)):
        return _distinct(code, pairs)
    if _PLACEHOLDER.search(code) or code.strip().casefold() in _LITERALS:
        return []
    if " " in code.strip():
        return _distinct(code, _of_command(code, 0)) if _is_command(code) else []
    at = code.find("(")
    end = at if at > 0 else len(code.rstrip())
    return [Named(0, end, "name")] if _NAME.match(code.strip()) else []


def named_in_line(line: str, language: str, local: frozenset[str]) -> list[Named]:
    """What a line of a block of code names and says.

    Args:
        language: as its fence names it, in lower case; may be empty.
        local: names that the block itself makes.
    """
    if len(line) > LONGEST_LINE or _FENCE.match(line.strip()):
        return []
    if language in _PROSE or (not language and _reads_as_prose(line)):
        return [Named(0, len(line), "statement")]
    found = list(_comment_statements(line))
    code = line[: found[0].start] if found and found[0].kind == "statement" else line
    if language in SHELL or _PROMPT.match(code):
        prompt = _PROMPT.match(code)
        if language == "console" and not prompt:
            return found
        return _distinct(line, [*_of_command(code, prompt.end() if prompt else 0), *found])
    if not language and _is_command(code.strip()):
        return _distinct(line, [*_of_command(code, len(code) - len(code.lstrip())), *found])
    return _distinct(line, [*_of_program(code, local), *found])


def language_told(block: str, language: str) -> str:
    """The language of a block of code; a session where lines begin with a prompt, so that the others are output, and
    commands alone where none does."""
    if language in ("", *SHELL) and _SESSION.search(block):
        return "console"
    return "sh" if language == "console" and not any(map(_PROMPT.match, block.split("\n"))) else language


def made_here(block: str) -> frozenset[str]:
    """Names that a block of code gives to what it makes; within brackets `name=value` is an argument."""
    depth, made = 0, set[str]()
    for line in block.split("\n"):
        made.update(found["name"] or ("" if depth > 0 else found["set"]) for found in MADE.finditer(line))
        depth = max(0, depth + sum(map(line.count, "([{")) - sum(map(line.count, ")]}")))
    return frozenset(made - {""})


def defined_in(block: str) -> frozenset[str]:
    """The functions and types that a block of code makes, and what their parameters are called."""
    found = set[str]()
    for line in block.split("\n"):
        for head in _DEFINES.finditer(line):
            found.add(head["name"])
            found.update(_PARAMETER.findall(head["taken"] or ""))
    return frozenset(found)


def imported_lines(block: str) -> frozenset[int]:
    """Which lines of a block, counted from 0, list what an `import (` above them takes."""
    found, is_open = set[int](), False
    for number, line in enumerate(block.split("\n")):
        if is_open and _LISTED_NAMES.fullmatch(line):
            found.add(number)
        else:
            is_open = bool(_IMPORT_OPENS.match(line))
    return frozenset(found)


def listed_names(line: str) -> list[Named]:
    """The names of a line that lists what is imported."""
    return [Named(*name.span(), "name") for name in _IDENTIFIER.finditer(line)]


def own_names(line: str, local: frozenset[str]) -> list[str]:
    """The names of a line that only makes or calls what the block itself names: `def charge(payment):`, `charge()`.

    Empty where it has another word, no name, or two of them with no sign between: "boats not lamps".
    """
    if len(line) > LONGEST_LINE or _QUOTED.search(line):
        return []
    stretches = [
        [word for word in _IDENTIFIER.findall(stretch) if word not in _KEYWORDS and word not in _MODIFIERS]
        for stretch in _SIGNS.split(line)
    ]
    words = [word for stretch in stretches for word in stretch]
    is_own = _MAKES.fullmatch(line) or all(word in local for word in words)
    return words if is_own and all(len(stretch) < 2 for stretch in stretches) else []


def words_of_name(name: str) -> str:
    """The words that a name is made of, as a title: "Call service" of `call_service` and `callService`."""
    return " ".join(_PART_OF_NAME.findall(name)).capitalize()


def says_more(line: str, found: Sequence[Named]) -> bool:
    """Whether words stand together in what is left of a line without what was found in it, as in prose."""
    left, at = "", 0
    for one in sorted(found, key=lambda one: one.start):
        left, at = f"{left}{line[at : one.start]} {'.' if one.kind == 'name' else ';'} ", max(at, one.end)
    left += line[at:]
    if any(len(_WORDS.findall(string[0])) == _FEWEST - 1 for string in _STRING.finditer(left)):
        return True
    run = set[str]()
    for word in left.split():
        plain = _PLAIN.fullmatch(word)
        run = run | {plain[1]} if plain else run if _GOES_ON.fullmatch(word) else set()
        if len({word for word in run if word not in _KEYWORDS and word not in _MODIFIERS and not word.isupper()}) > 2:
            return True
    return False


def _comment_statements(line: str) -> Iterator[Named]:
    """A comment that says something."""
    comment = _COMMENT.search(line)
    if comment and len(_WORDS.findall(comment["said"])) > 1:
        end = comment.start("said") + len(comment["said"].rstrip().removesuffix("*/").removesuffix("-->").rstrip())
        yield Named(comment.start("said"), end, "statement")


def _reads_as_prose(line: str) -> bool:
    words = line.split()
    plain = [word for word in words if re.fullmatch(r"[^\W\d_][^\W\d_'’-]*[.,;:!?]?", word)]
    return len(words) > 3 and len(plain) >= 0.8 * len(words) and (words[0][0].isupper() or line.rstrip().endswith("."))


def _is_command(code: str) -> bool:
    words = code.split()
    return (
        bool(words)
        and not _SETS.match(code)
        and bool(re.fullmatch(r"[a-z][\w.+-]*", words[0]))
        and all(re.fullmatch(r"[\w@$./:+=~*,'\"`|&-]+", word) for word in words)
    )


def _of_command(code: str, at: int) -> Iterator[Named]:
    """The variables that are set, each command with its subcommands up to its first argument, and the options."""
    yield from _strings(code)
    words = _INERT.sub(lambda inert: "." * len(inert[0]), code)
    before = ""
    for separator in (*_NEXT_COMMAND.finditer(words, at), None):
        behind = separator[0].strip() if separator else ""
        part = words[: separator.start() if separator else len(words)]
        if not ("|" in (before, behind) and _FILTER.match(part, at)):
            yield from _of_one_command(part, at)
        before, at = behind, separator.end() if separator else at


def _of_one_command(code: str, at: int) -> Iterator[Named]:
    """What stands between separators such as `&&`."""
    while assigned := _ASSIGNED.match(code, at):
        yield Named(*assigned.span("variable"), "name")
        at = assigned.end()
    command = _COMMAND.match(code, at)
    if command:
        at = command.end("command")
        option = _FIRST_OPTION.match(code, at)
        if option and " " not in command["command"]:
            at = option.end()  # of a command without subcommands the option says what it does
        yield Named(command.start("command"), at, "name")
    for option in _OPTION.finditer(code, at):
        yield Named(option.start(), option.end(), "name")
    yield from _packages(code, command.start() if command else at)


def _packages(code: str, at: int) -> Iterator[Named]:
    """The packages that a command installs, as far as no option stands between them."""
    installed = _INSTALLED.match(code, at)
    fetched = _FETCHED.match(code, at)
    before = installed or fetched
    package = _PACKAGE.match(code, before.end()) if before else None
    while package:
        yield Named(*package.span("package"), "name")
        package = _PACKAGE.match(code, package.end()) if installed else None


def _of_program(code: str, local: frozenset[str]) -> Iterator[Named]:
    """Imports, calls, settings, symbols, tables, and strings that state something."""
    imported = _IMPORTS.match(code)
    if imported:
        for group in ("origin", "module", "use", "header"):
            if imported[group]:
                yield Named(imported.start(group), imported.end(group), "name")
        if imported["names"]:
            for name in re.finditer(r"\w+", imported["names"]):
                yield Named(imported.start("names") + name.start(), imported.start("names") + name.end(), "name")
        return
    for required in _REQUIRED.finditer(code):
        yield Named(required.start("module"), required.end("module"), "name")
    yield from _strings(code)
    for call in _CALL.finditer(code):
        group = "name" if call["name"] else "chained"
        if call[group] not in local and call[group] not in _KEYWORDS:
            yield Named(call.start(group), call.end(group), "name")
    yield from _pairs(code)
    for table in _TABLE.finditer(code):
        yield Named(table.start("name"), table.end("name"), "name")
    for symbol in _SYMBOL.finditer(code):
        if symbol[0] not in local:
            yield Named(symbol.start(), symbol.end(), "name")
    for option in _OPTION.finditer(code):
        yield Named(option.start(), option.end(), "name")


def _is_compound(code: str) -> bool:
    return bool(_COMPOUND.match(code)) and code.rstrip().endswith(":")


def _strings(code: str) -> Iterator[Named]:
    """Strings that state something, with the key whose value they are."""
    for string in _STRING.finditer(code):
        group = "double" if string["double"] else "single"
        if len(_WORDS.findall(string[group])) >= _FEWEST:
            key = _KEY.search(code[max(0, string.start() - 70) : string.start()])
            about = key["key"].replace("_", " ") + ":" if key else ""
            yield Named(string.start(group), string.end(group), "statement", about)


def _pairs(code: str) -> Iterator[Named]:
    """Settings, each a key with its value."""
    for pair in _PAIR.finditer(code) if "(" not in code and not _is_compound(code) else ():
        value = pair["value"] or ""
        if not (value[:1] in "\"'" and len(_WORDS.findall(value)) >= _FEWEST):
            yield Named(pair.start(), pair.end(), "name")


def _distinct(code: str, found: Iterator[Named] | list[Named]) -> list[Named]:
    """Each name once, in order, without placeholders and literals."""
    kept: dict[str, Named] = {}
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        text = code[one.start : one.end]
        if one.kind == "statement" or not (_PLACEHOLDER.search(text) or text.casefold() in _LITERALS):
            kept.setdefault(text, one)
    return list(kept.values())
