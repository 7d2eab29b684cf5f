"""Which names a repository has: every word of its files, what it defines, its options, variables and commands. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from gate.repository.manifest import Contents, Repository
from gate.repository.names.manifests import ELSEWHERE, Declared, declared, is_manifest
from gate.repository.names.spelling import Neighbours, folded
from gate.repository.path_rule import DATA, DOCUMENT, IMAGE, extension

MAX_FILE_BYTES = 1_000_000
"""A larger file is data, or made by a program."""
MAX_BYTES = 300_000_000
"""All files together; of a larger repository nobody can say which names it has not."""
SEVERAL = "\0"
"""Stands for the document where a word stands in more than one."""

_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*")
_OPTION = re.compile(rb"(?<![\w-])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)")
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
_SIGNATURE = re.compile(rb"^[ \t]*(?:async )?def ([A-Za-z_]\w*)\(", re.MULTILINE)
_SUBCOMMANDS = (
    re.compile(rb"\bUse:\s{0,9}[\"`]([a-z][\w-]*)"),
    re.compile(
        rb"(?:\.|\b)(?:command|group|add_parser|add_command|subcommand)\(\s{0,40}(?:name\s?=\s?)?[\"'`]([a-z][\w-]*)"
    ),
    re.compile(rb"\b(?:Command|App|SubCommand)::(?:new|with_name)\(\s{0,40}\"([a-z][\w-]*)\""),
    re.compile(rb"#\[(?:command|clap)\([^\]\n]{0,200}?\b(?:name|alias|visible_alias)\s?=\s?\"([a-z][\w-]*)\""),
)
_DECORATED = re.compile(rb"^[ \t]*@[\w.]*\b(?:command|group)\(", re.MULTILINE)
_FUNCTION = re.compile(rb"\n[ \t]*(?:async )?def ([A-Za-z]\w*)\(")
_ALIASES = re.compile(rb"\b[Aa]liases\s?[=:(]\s?(?:\[\]string)?[\[{(]([^\])}]{0,300})")
_CLAP = re.compile(
    rb"derive\([^)\n]{0,200}Subcommand[^)\n]{0,200}\)[^{;]{0,600}\benum \w+[^{;]{0,100}\{(.{0,60000}?)\n\}", re.DOTALL
)
_VARIANT = re.compile(rb"^ {4}([A-Z]\w*)", re.MULTILINE)
_STEM = re.compile(r"[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_USAGE = re.compile(
    rb"(?P<told>`|\$ {1,8}|^ {0,8})(?P<program>[A-Za-z][\w.-]{1,40})"
    rb"(?P<words>(?: [a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){0,5}(?![\w./:=@-])){1,3})(?P<end>[ \t]*$|[ \t]+[^\w\s])?",
    re.MULTILINE,
)
"""A program with what stands behind it: in code, behind a prompt, or on a line of its own."""
LANGUAGES = frozenset({"py", "js", "ts", "jsx", "tsx", "mjs", "cjs", "mts", "go", "rs", "java", "kt", "rb", "cs"})
"""Endings of the files that these patterns fit; of others every word counts as made."""
_TEST = re.compile(r"(?:^|[/_.-])tests?[_.-]")
_LONGEST_SIGNATURE = 3_000


@dataclass
class Lexicon:
    """The names of a repository.

    Attributes:
        declared: what its manifests say.
        words: every word of its code and settings, folded.
        made: words that code outside of tests makes, imports, exports or quotes, and documents write as code; folded.
        quoted: those of them that stand in a string by themselves.
        in_documents: every word of its documents, folded, with the document it stands in, or `SEVERAL`.
        options: long options that code or documents write out, without dashes.
        variables: words in capitals with an underscore, of its code.
        stems: beginnings that code puts variables together from, `GATE_INDEX_`.
        definitions: functions and types, with the rest of the line of each type.
        signatures: parameters of each function of Python, as written, one for each definition.
        subcommands: of its programs.
        told: words that stand behind a program's name in a code span or behind a prompt.
        usages: what stands behind a program's name in code and documents, with the document or an empty string.
    """

    declared: Declared = field(default_factory=Declared)
    words: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)
    quoted: set[str] = field(default_factory=set)
    in_documents: dict[str, str] = field(default_factory=dict)
    options: set[str] = field(default_factory=set)
    variables: set[str] = field(default_factory=set)
    stems: set[str] = field(default_factory=set)
    definitions: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    signatures: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    subcommands: set[str] = field(default_factory=set)
    told: set[str] = field(default_factory=set)
    usages: dict[tuple[str, ...], str] = field(default_factory=dict)

    def has(self, name: str, document: str = "") -> bool:
        """Whether code, settings or another document than this one have a word, however it is spelt."""
        key = folded(name)
        return key in self.words or self.in_documents.get(key, document) != document

    def used(self, words: tuple[str, ...], document: str = "") -> bool:
        """Whether a program is used with these words elsewhere than in this document."""
        return self.usages.get(words, document) != document

    @cached_property
    def near_option(self) -> Neighbours:
        """Options that are here."""
        return Neighbours(name for name in self.options if folded(name) in self.words)

    @cached_property
    def near_variable(self) -> Neighbours:
        """Variables that are here."""
        return Neighbours(self.variables)

    @cached_property
    def near_definition(self) -> Neighbours:
        """Functions and types that are here."""
        return Neighbours(self.definitions)

    @cached_property
    def near_command(self) -> Neighbours:
        """Subcommands that are here."""
        return Neighbours(self.subcommands)


def read_lexicon(repository: Repository) -> Lexicon | None:
    """Read the names of a repository; None: only the names of its files are known, or not all of it can be read.

    Of such a repository nobody can say which names it has not.
    """
    contents = repository.contents
    if contents is None:
        return None
    manifests = {path: (data or b"").decode("utf-8", "replace") for path, data in contents(is_manifest)}
    found = Lexicon(declared(repository.files, manifests))
    if not _Reading(found).read(contents):
        return None
    for path in repository.files:
        found.words.update(map(folded, re.split(r"[/.]", path)))
    return found


def _is_read(path: str) -> bool:
    return extension(path) not in DATA | IMAGE


class _Reading:
    def __init__(self, found: Lexicon) -> None:
        self._found = found
        self._words: set[bytes] = set()
        self._documents: dict[bytes, str] = {}
        self._made: set[bytes] = set()
        self._quoted: set[bytes] = set()
        self._programs = {name.encode() for name in found.declared.programs}

    def read(self, contents: Contents) -> bool:
        """Read everything, and say whether it was everything."""
        room = MAX_BYTES
        for path, data in contents(_is_read):
            room -= len(data or b"")
            if data is None or room < 0:
                return False
            if len(data) <= MAX_FILE_BYTES and b"\0" not in data[:8_000]:
                self._file(path, data)
        self._fold()
        return True

    def _file(self, path: str, data: bytes) -> None:
        words = set(_WORD.findall(data))
        is_document = extension(path) in DOCUMENT - {"html", "htm"} and not path.endswith("CMakeLists.txt")
        if is_document:
            self._made.update(_CODE_WORD.findall(data))
            known = self._documents
            for word in words:
                known[word] = path if known.setdefault(word, path) == path else SEVERAL
        else:
            self._words |= words
            self._code(path, data)
        if b"--" in data:
            self._found.options.update(name.decode() for name in _OPTION.findall(data))
        for usage in _USAGE.finditer(data) if self._programs else ():
            if usage["program"] in self._programs and (usage["told"].strip() or usage["end"] is not None):
                path_used = usage["words"].decode().split()
                self._used(path_used, path if is_document else "")
                if usage["told"].strip():
                    self._found.told.add(path_used[0])

    def _used(self, words: list[str], document: str) -> None:
        for n in range(1, len(words) + 1):
            key = tuple(words[:n])
            known = self._found.usages.setdefault(key, document)
            if known != document:
                self._found.usages[key] = SEVERAL

    def _code(self, path: str, data: bytes) -> None:
        found, ending = self._found, extension(path)
        if ELSEWHERE.search(path) or _TEST.search(path):
            return
        self._makes(ending, data)
        for kind, name, rest in _DEFINED.findall(data):
            lines = found.definitions[name.decode()]
            if kind not in (b"def", b"fn", b"func", b"fun", b"function"):
                lines.append(rest.decode("ascii", "replace"))
        if ending in ("py", "pyi"):
            for match in _SIGNATURE.finditer(data):
                found.signatures[match[1].decode()].append(_signature(data, match.end()))
        if ending in LANGUAGES:
            self._subcommands(data)

    def _makes(self, ending: str, data: bytes) -> None:
        if ending not in LANGUAGES:
            self._made.update(_WORD.findall(data))
            return
        for made in _MADE.finditer(data):
            if made["line"]:
                self._made.update(_WORD.findall(made["line"]))
            elif made["set"]:
                self._made.add(made["set"])
            else:
                self._quoted.add(made["quoted"])

    def _subcommands(self, data: bytes) -> None:
        found = self._found.subcommands
        for pattern in _SUBCOMMANDS:
            found.update(name.decode().replace("_", "-") for name in pattern.findall(data))
        for decorator in _DECORATED.finditer(data):
            function = _FUNCTION.search(data, decorator.end(), decorator.end() + _LONGEST_SIGNATURE)
            if function:
                found.add(function[1].decode().replace("_", "-").removesuffix("-command").removesuffix("-cmd"))
        for aliases in _ALIASES.findall(data):
            found.update(name.decode() for name in re.findall(rb"[\"']([a-z][\w-]*)[\"']", aliases))
        if b"Subcommand" in data:
            for body in _CLAP.findall(data):
                found.update(_kebab(name.decode()) for name in _VARIANT.findall(body))

    def _fold(self) -> None:
        found = self._found
        for word in self._words:
            text = word.decode()
            found.words.add(folded(text))
            if "-" in text:
                found.words.update(map(folded, text.split("-")))
            elif "_" in text and _VARIABLE.fullmatch(text):
                found.variables.add(text)
            elif _STEM.fullmatch(text):
                found.stems.add(text)
        found.quoted.update(folded(word.decode()) for word in self._quoted)
        found.made.update(folded(word.decode()) for word in self._made | self._quoted)
        found.made.update(map(folded, found.definitions))
        for word, document in self._documents.items():
            for text in {word.decode(), *word.decode().split("-")}:
                key = folded(text)
                known = found.in_documents.setdefault(key, document)
                if known != document:
                    found.in_documents[key] = SEVERAL


def _signature(data: bytes, at: int) -> str:
    depth = 1
    for end in range(at, min(at + _LONGEST_SIGNATURE, len(data))):
        byte = data[end]
        depth += (byte in b"([{") - (byte in b")]}")
        if not depth:
            return data[at:end].decode("utf-8", "replace")
    return "**"


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()
