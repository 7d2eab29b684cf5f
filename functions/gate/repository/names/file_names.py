"""Which names one file has: its words, what it defines, its options and commands. Pure; nothing else decides it.

What is read here is kept by a hash of the file and of this very module (`gate.adapters.repositories.kept_names`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from gate.repository.names.settings.settings_keys import FORMS, all_settings_files, documented_keys, settings_keys

_BRACED = frozenset({"js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "java", "kt", "cs"})
"""Endings of the languages whose methods stand in braces."""
LANGUAGES = _BRACED | {"py", "go", "rs", "rb"}
"""Endings of the files that these patterns fit; of others every word counts as made."""
DOCUMENT, NO_PRODUCT, OTHER = "document", "no product", "other"
"""How a file is read that is of none of these languages: for people; no part of the product, such as a test; else."""
_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")
_OPTION = re.compile(rb"(?<![\w-])--([a-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)")
_DEFINED = re.compile(
    rb"^[ \t]*(?:(?:export|default|pub(?:\([a-z]+\))?|async|public|private|protected|internal|static|final|abstract"
    rb"|virtual|override|open|sealed|data|unsafe|const|extern|inline|suspend|declare)[ \t]+){0,6}"
    rb"(def|class|fn|func|fun|function|struct|enum|trait|interface|type|object|module|record|protocol)[ \t]+"
    rb"(?:\([^()\n]{0,200}\)[ \t]*)?([A-Za-z_][A-Za-z0-9_]*)([^\n]{0,200})",
    re.MULTILINE,
)
_MADE = re.compile(
    rb"^[ \t]*(?:[a-z]{1,12}[ \t]+){0,4}(?:self\.|this\.|exports\.)?(?P<set>[A-Za-z_][A-Za-z0-9_]*)[ \t]*"
    rb"(?:[=:(<,!?]|\r?$)|(?P<line>^[ \t]*(?:from|import|export|use|pub use)\b[^\n]*)"
    rb"|(?P<quoted>(?<=[\"'`])[A-Za-z_][\w-]*(?=[\"'`]))",
    re.MULTILINE,
)
"""What code gives a name to, imports, exports or keeps in a string; calls at the start of a line too."""
_CODE_WORD = re.compile(rb"(?<=[`.~:#@])[A-Za-z_][A-Za-z0-9_]*|\b[A-Za-z_][A-Za-z0-9_]*(?=\()")
"""A word of a document that stands as code does."""
_SIGNATURE = re.compile(
    rb"^(?P<indent>[ \t]*)(?:(?:async )?def (?P<function>[A-Za-z_]\w*)\(|class (?P<type>[A-Za-z_]\w*))", re.MULTILINE
)
_METHOD = re.compile(
    rb"^[ \t]+(?:[\w<>\[\],.?@]{1,80}[ \t]+){0,5}([A-Za-z_$][\w$]*)(?:<[^<>\n]{0,80}>)?\([^()\n]{0,300}\)"
    rb"[^;{}\n]{0,100}\{[ \t]*\r?$"
    rb"|^[ \t]*[\w$.]{1,80}\.([A-Za-z_$][\w$]*)[ \t]?=[ \t]?(?:async[ \t])?(?:function\b|\()",
    re.MULTILINE,
)
"""A method of a class of the languages with braces, or a function that is put into an object."""
_NO_METHODS = frozenset(b"if for while switch catch function return with else do try using lock synchronized".split())
_NAMESPACE = re.compile(
    rb"^[ \t]*(?:module|namespace|package)[ \t]+([A-Za-z_][\w.]*)[ \t]*[;{]?[ \t]*\r?$", re.MULTILINE
)
_RECEIVED = re.compile(rb"(?<![\w.])([a-z][A-Za-z0-9_]{1,20})\.([A-Za-z_]\w*)\(")
_SUBCOMMANDS = (
    re.compile(rb"\bUse:\s{0,40}[\"`]([a-z][\w-]*)"),
    re.compile(
        rb"(?:\.|\b)(?:command|group|add_parser|add_command|subcommand)\(\s{0,40}(?:name\s?=\s?)?[\"'`:]([a-z][\w:-]*)"
    ),
    re.compile(rb"\b(?:exports\.)?command\s?[:=]\s?[\"'`]([a-z][\w:-]*)"),
    re.compile(rb"\b(?:Command|App|SubCommand)::(?:new|with_name)\(\s{0,40}\"([a-z][\w-]*)\""),
    re.compile(rb"#\[(?:command|clap)\([^\]\n]{0,200}?\b(?:name|alias|visible_alias)\s?=\s?\"([a-z][\w-]*)\""),
)
_URFAVE = re.compile(rb"(?:\bcli\.Command|(?<![\w}\]]))\{\s{0,60}Name:\s{0,40}\"([a-z][\w-]*)\"")
_DECORATED = re.compile(rb"^[ \t]*@[\w.]*\b(?:command|group)\(", re.MULTILINE)
_FUNCTION = re.compile(rb"\n[ \t]*(?:async )?def ([A-Za-z]\w*)\(")
_ALIASES = re.compile(rb"\b[Aa]liases\s?[=:(]\s?(?:\[\]string)?[\[{(]([^\])}]{0,300})")
_CLAP = re.compile(rb"derive\([^)\n]{0,200}(?:Subcommand|Parser)[^)\n]{0,200}\)[^{;]{0,600}\benum \w+[^{;]{0,100}\{")
"""Up to the brace that opens it; the body ends with a line that closes one."""
_LONGEST_BODY = 60_000
_VARIANT = re.compile(rb"^(?: {4}| {2}|\t)([A-Z]\w*)", re.MULTILINE)
_USAGE = re.compile(
    rb"(?P<told>`|\$ {1,8}|^ {0,8})(?P<program>[A-Za-z][\w.-]{1,40})"
    rb"(?P<words>(?: [a-z][a-z0-9]{0,40}(?:[:-][a-z0-9]{1,40}){0,5}(?![\w./:=@-])){1,3})"
    rb"(?P<end>[ \t]*$|[ \t]+[^\w\s])?",
    re.MULTILINE,
)
"""A program with what stands behind it: in code, behind a prompt, or on a line of its own."""
_LONGEST_SIGNATURE = 3_000


@dataclass(frozen=True, slots=True)
class FileNames:
    """The names in one file, as they are written there.

    Attributes:
        words: every word.
        made: words that code makes, imports or exports, or a document writes as code.
        quoted: words that stand in a string by themselves.
        options: long options, without dashes.
        definitions: functions, and types with the rest of their line.
        signatures: functions of Python with their parameters.
        subcommands: of a program.
        namespaces: modules of Ruby and packages of Java that the file is part of.
        received: of documents and tests, a name with what is called upon it: `client`, `get` of `client.get(…)`.
        usages: what stands behind a program's name, and whether that is in code or behind a prompt.
        keys: of settings, each with the key or the file that it stands below.
        settings_files: files of settings that code names.
    """

    words: list[str]
    made: list[str] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    definitions: list[tuple[str, str | None]] = field(default_factory=list)
    signatures: list[tuple[str, str]] = field(default_factory=list)
    subcommands: list[str] = field(default_factory=list)
    namespaces: list[str] = field(default_factory=list)
    received: list[tuple[str, str]] = field(default_factory=list)
    usages: list[tuple[list[str], bool]] = field(default_factory=list)
    keys: list[tuple[str, str]] = field(default_factory=list)
    settings_files: list[str] = field(default_factory=list)


NamesReader = Callable[[bytes, str, Collection[str]], FileNames]
"""Reads the names of a file as `read_file_names` does, or knows them."""


def read_file_names(data: bytes, kind: str, programs: Collection[str]) -> FileNames:
    """Read the names of one file.

    Args:
        data: what it holds.
        kind: its ending, of `LANGUAGES`, `pyi` or a file of settings; `DOCUMENT`, `NO_PRODUCT` or `OTHER`.
        programs: whose usages are wanted.
    """
    found = FileNames(_texts(_WORD.findall(data)))
    if kind == DOCUMENT:
        found.made.extend(_texts(_CODE_WORD.findall(data)))
    elif kind != NO_PRODUCT:
        _code(data, kind, found)
    if kind in (DOCUMENT, NO_PRODUCT):
        found.received.extend(sorted({(one.decode(), other.decode()) for one, other in _RECEIVED.findall(data)}))
    if kind == DOCUMENT or kind in FORMS:
        found.keys.extend(sorted(set(_keys(data.decode("utf-8", "replace"), kind))))
    elif kind in LANGUAGES:
        found.settings_files.extend(sorted(all_settings_files(data.decode("utf-8", "replace"))))
    if b"--" in data:
        found.options.extend(_texts(_OPTION.findall(data)))
    if programs:
        found.usages.extend(_usages(data, frozenset(program.encode() for program in programs)))
    return found


def _texts(names: Collection[bytes]) -> list[str]:
    """Each name once; all of them are ASCII."""
    return b" ".join(sorted(set(names))).decode().split()


def _code(data: bytes, kind: str, found: FileNames) -> None:
    _makes(data, kind, found)
    for defined in _DEFINED.finditer(data):
        word, name, rest = defined.groups()
        if kind == "rs" and word == b"type" and defined[0][:1].isspace():
            continue  # of an implementation, whose trait it belongs to
        is_function = word in (b"def", b"fn", b"func", b"fun", b"function")
        found.definitions.append((name.decode(), None if is_function else rest.decode("ascii", "replace")))
    if kind in _BRACED:
        methods = {name or put for name, put in _METHOD.findall(data)} - _NO_METHODS
        found.definitions.extend((name.decode(), None) for name in sorted(methods))
    if kind in ("rb", "java", "kt", "cs"):
        found.namespaces.extend(_texts(_NAMESPACE.findall(data)))
    if kind in ("py", "pyi"):
        found.signatures.extend(_signatures(data))
    if kind in LANGUAGES:
        found.subcommands.extend(sorted(set(_subcommands(data))))


def _keys(text: str, kind: str) -> Iterator[tuple[str, str]]:
    """The keys of a file of settings, or of the blocks of a document, each with what it stands below."""
    keys = documented_keys(text) if kind == DOCUMENT else (("", key) for key in settings_keys(text, kind))
    for file, key in keys:
        yield key.above[-1] if key.above else file, key.name


def _makes(data: bytes, kind: str, found: FileNames) -> None:
    if kind not in LANGUAGES:
        found.made.extend(found.words)
        return
    made, quoted = set[bytes](), set[bytes]()
    for match in _MADE.finditer(data):
        if match["line"]:
            made.update(_WORD.findall(match["line"]))
        elif match["set"]:
            made.add(match["set"])
        else:
            quoted.add(match["quoted"])
    found.made.extend(_texts(made))
    found.quoted.extend(_texts(quoted))


def _subcommands(data: bytes) -> Iterator[str]:
    for pattern in _SUBCOMMANDS:
        yield from (name.decode().replace("_", "-") for name in pattern.findall(data))
    for decorator in _DECORATED.finditer(data):
        function = _FUNCTION.search(data, decorator.end(), decorator.end() + _LONGEST_SIGNATURE)
        if function:
            yield function[1].decode().replace("_", "-").removesuffix("-command").removesuffix("-cmd")
    for aliases in _ALIASES.findall(data):
        yield from (name.decode() for name in re.findall(rb"[\"']([a-z][\w-]*)[\"']", aliases))
    if b"cli.Command" in data:
        yield from (name.decode() for name in _URFAVE.findall(data))
    if b"Subcommand" in data or b"Parser" in data:
        yield from (_kebab(name.decode()) for name in _variants(data))


def _variants(data: bytes) -> Iterator[bytes]:
    """Of the enumerations that clap makes subcommands of; no two of them share a body."""
    last = 0
    for opened in _CLAP.finditer(data):
        end = data.find(b"\n}", opened.end(), opened.end() + _LONGEST_BODY)
        if opened.start() >= last and end >= 0:
            yield from _VARIANT.findall(data[opened.end() : end])
            last = end


def _usages(data: bytes, programs: Collection[bytes]) -> Iterator[tuple[list[str], bool]]:
    for usage in _USAGE.finditer(data):
        told = bool(usage["told"].strip())
        if usage["program"] in programs and (told or usage["end"] is not None):
            yield usage["words"].decode().split(), told


def _signatures(data: bytes) -> Iterator[tuple[str, str]]:
    """Functions with their parameters; a type has those of what makes it."""
    types: list[tuple[int, str]] = []
    found = [*_SIGNATURE.finditer(data)]
    ends = [each.start() for each in found[1:]] + [len(data)]
    for match, end in zip(found, ends, strict=False):
        indent = len(match["indent"])
        while types and types[-1][0] >= indent:
            types.pop()
        if match["type"]:
            types.append((indent, match["type"].decode()))
            continue
        parameters = _signature(data, match.end(), end)
        yield match["function"].decode(), parameters
        if types and match["function"] == b"__init__":
            yield types[-1][1], parameters


def _signature(data: bytes, at: int, stop: int) -> str:
    """What stands in the brackets that were opened at `at`; they are closed before the next definition begins."""
    depth = 1
    for end in range(at, min(at + _LONGEST_SIGNATURE, stop)):
        byte = data[end]
        depth += (byte in b"([{") - (byte in b")]}")
        if not depth:
            return data[at:end].decode("utf-8", "replace")
    return "**"


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
