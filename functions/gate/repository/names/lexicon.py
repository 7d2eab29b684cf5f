"""Which names a repository has: every word of its files, what it defines, its options, variables and commands. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

from gate.repository.manifest import Contents, Repository
from gate.repository.names.file_names import (
    DOCUMENT,
    LANGUAGES,
    NO_PRODUCT,
    OTHER,
    FileNames,
    NamesReader,
    read_file_names,
)
from gate.repository.names.manifests import ELSEWHERE, Declared, declared, is_manifest
from gate.repository.names.settings.settings_keys import EVERYBODYS_FILES, FORMS
from gate.repository.names.spelling import Neighbours, folded
from gate.repository.path_rule import DATA, IMAGE, SOURCE, extension
from gate.repository.path_rule import DOCUMENT as DOCUMENT_ENDINGS

MAX_FILE_BYTES = 1_000_000
"""A larger file is data, or made by a program."""
MAX_BYTES = 300_000_000
"""All files together; of a larger repository nobody can say which names it has not."""
MOST_NAMES = 1_500_000
"""Of every kind, together: 300 MB of Python have 1.3 million, and where all are different one takes half a kilobyte."""
SEVERAL = "\0"
"""Stands for the document where a word stands in more than one."""

_STEM = re.compile(r"[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*")
_VARIABLE = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_COMMAND_FILE = re.compile(r"(?:^|/)(?:commands?|cmds?)/([a-z][a-z0-9_-]*)\.(?:py|[jt]s|rb|go|rs)$")
_TEST = re.compile(r"(?:^|[/_.-])tests?[_.-]")


class UnreadNamesError(ValueError):
    """Not all of a repository was read, so that nobody can say which names it has not; says why.

    Attributes:
        path: the file that could not be read; `.`: it is about all of them.
    """

    def __init__(self, why: str, path: str = ".") -> None:
        super().__init__(why)
        self.path = path


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
        subcommands: of its programs, as code or manifests declare them.
        command_files: what files in a folder of commands are called, `add` of `cli/commands/add.py`.
        namespaces: modules of Ruby and packages of Java.
        received: what documents and tests call upon a name, `get` of `client.get(…)`, by that name.
        told: words that stand behind a program's name in a code span or behind a prompt.
        usages: what stands behind a program's name in code and documents, with the document or an empty string.
        coded: every word of the code of the product, folded.
        spelt: every word of code and settings as it is written.
        keys: of settings, by the key, table or file that they stand below, folded.
        settings_files: names of files of settings that the code of the product has.
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
    command_files: set[str] = field(default_factory=set)
    namespaces: set[str] = field(default_factory=set)
    received: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    told: set[str] = field(default_factory=set)
    usages: dict[tuple[str, ...], str] = field(default_factory=dict)
    coded: set[str] = field(default_factory=set)
    spelt: set[str] = field(default_factory=set)
    keys: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    settings_files: set[str] = field(default_factory=set)

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


def read_lexicon(repository: Repository, read: NamesReader = read_file_names) -> Lexicon | None:
    """Read the names of a repository; None: only the names of its files are known.

    Args:
        repository: with what its files hold.
        read: reads one file.

    Raises:
        UnreadNamesError: a file of it cannot be read, or there is too much of something.
    """
    contents = repository.contents
    if contents is None:
        return None
    manifests = {path: (data or b"").decode("utf-8", "replace") for path, data in contents(is_manifest)}
    found = Lexicon(declared(repository.files, manifests))
    _Reading(found, read).read(contents)
    for path in repository.files:
        found.words.update(map(folded, re.split(r"[/.]", path)))
        if of_command := _COMMAND_FILE.search(path):
            found.command_files.add(of_command[1].replace("_", "-").removesuffix("-command"))
    found.subcommands.update(found.declared.subcommands)
    return found


def _is_read(path: str) -> bool:
    return extension(path) not in DATA | IMAGE


def _kind(path: str) -> str:
    """How a file is read."""
    ending = extension(path)
    if ending in DOCUMENT_ENDINGS - {"html", "htm"} and not path.endswith("CMakeLists.txt"):
        return DOCUMENT
    if ELSEWHERE.search(path) or _TEST.search(path):
        return NO_PRODUCT
    if ending in FORMS:
        return OTHER if _is_everybodys(path) else ending
    return ending if ending in LANGUAGES or ending == "pyi" else OTHER


def _is_everybodys(path: str) -> bool:
    """Whether a file of settings is of a tool that the repository is built with."""
    return path.startswith(".") or path.rpartition("/")[2] in EVERYBODYS_FILES or "lock" in path.rpartition("/")[2]


class _Reading:
    def __init__(self, found: Lexicon, read: NamesReader) -> None:
        self._found, self._read = found, read
        self._words: set[str] = set()
        self._documents: dict[str, str] = {}
        self._made: set[str] = set()
        self._quoted: set[str] = set()
        self._coded: set[str] = set()
        self._listed = 0

    def read(self, contents: Contents) -> None:
        """Read everything."""
        room = MAX_BYTES
        for path, data in contents(_is_read):
            if data is None:
                raise UnreadNamesError("the file cannot be read", path)
            room -= len(data)
            if room < 0:
                raise UnreadNamesError(f"the repository's files hold more than {MAX_BYTES} bytes")
            if len(data) <= MAX_FILE_BYTES and b"\0" not in data[:8_000]:
                kind = _kind(path)
                names = self._read(data, kind, self._found.declared.programs)
                self._add(path if kind == DOCUMENT else "", names)
                if kind not in (DOCUMENT, NO_PRODUCT) and extension(path) in SOURCE:
                    self._coded.update(names.words)
                for parent, key in names.keys:
                    below = parent or ("" if kind == DOCUMENT else path.rpartition("/")[2])
                    self._found.keys[folded(below)].add(key)
                self._found.settings_files.update(names.settings_files)
                self._count(names)
        self._fold()

    def _count(self, names: FileNames) -> None:
        """Count in the names of a file, which have been added."""
        self._listed += len(names.definitions) + len(names.signatures) + len(names.received)
        self._listed += len(names.usages) + len(names.keys)
        if len(self._words) + len(self._documents) + self._listed > MOST_NAMES:
            raise UnreadNamesError(f"the repository has more than {MOST_NAMES} names")

    def _add(self, document: str, names: FileNames) -> None:
        """Add the names of a file; `document`: its path, where it is one."""
        found = self._found
        if document:
            for word in names.words:
                if self._documents.setdefault(word, document) != document:
                    self._documents[word] = SEVERAL
        else:
            self._words.update(names.words)
        self._made.update(names.made)
        self._quoted.update(names.quoted)
        found.options.update(names.options)
        found.subcommands.update(names.subcommands)
        found.namespaces.update(names.namespaces)
        for receiver, member in names.received:
            found.received[receiver].add(member)
        for name, rest in names.definitions:
            lines = found.definitions[name]
            if rest is not None:
                lines.append(rest)
        for name, parameters in names.signatures:
            found.signatures[name].append(parameters)
        for path_used, is_told in names.usages:
            self._used(path_used, document)
            if is_told:
                found.told.add(path_used[0])

    def _used(self, words: list[str], document: str) -> None:
        for n in range(1, len(words) + 1):
            key = tuple(words[:n])
            known = self._found.usages.setdefault(key, document)
            if known != document:
                self._found.usages[key] = SEVERAL

    def _fold(self) -> None:
        found = self._found
        for text in self._words:
            found.words.add(folded(text))
            if "-" in text:
                found.words.update(map(folded, text.split("-")))
            elif "_" in text and _VARIABLE.fullmatch(text):
                found.variables.add(text)
            elif _STEM.fullmatch(text):
                found.stems.add(text)
        found.spelt = self._words
        found.coded.update(map(folded, self._coded))
        found.quoted.update(map(folded, self._quoted))
        found.made.update(map(folded, self._made | self._quoted))
        found.made.update(map(folded, found.definitions))
        for word, document in self._documents.items():
            for text in {word, *word.split("-")}:
                key = folded(text)
                known = found.in_documents.setdefault(key, document)
                if known != document:
                    found.in_documents[key] = SEVERAL
