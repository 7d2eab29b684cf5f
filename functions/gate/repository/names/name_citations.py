"""Decides which names that a document uses are said to be this repository's and are not there. docs/evidence.md."""

from __future__ import annotations

import builtins
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from gate.repository.document_place import DocumentPlace
from gate.repository.manifest import Repository
from gate.repository.mention_classes import Tier
from gate.repository.names.code_stretches import stretches
from gate.repository.names.lexicon import SEVERAL, Lexicon
from gate.repository.names.name_mentions import EVERYBODYS, FUNCTION_WORDS, NameKind, NameMention, NameReader
from gate.repository.names.python_modules import PythonModules
from gate.repository.names.settings.feature_mentions import feature_mentions
from gate.repository.names.settings.own_settings import OwnSettings
from gate.repository.names.settings.settings_mentions import settings_mentions
from gate.repository.names.spelling import Neighbours, folded, parts
from gate.repository.path_rule import CREATES, not_a_path, words

TIERS: dict[str, Tier] = {
    "option_near": "warn",
    "variable_near": "warn",
    "import_near": "warn",
    "parameter_near": "warn",
    "target_near": "warn",
    "recipe_near": "warn",
    "script_near": "warn",
}
"""What an absent name leads to in documentation, by class; a class that is not listed is never reported there.

None blocks, and the others are silent: too few of those that were read were true (docs/evidence.md).
`_near`: a close name of the same kind is here.
command: a subcommand of a program of this repository; option: behind such a program, `_alone`: without one.
variable: its first word is the product's.
import: from a module of this repository; attribute: of such a module, or of a type that is defined here; instance: of
what such a call gave; member: of a class of Python that it is certain to be of; parameter: of a function
that is defined here; call: a function whose owner is not said.
target, recipe, script: of make, just and npm.
"""
ANSWER_TIERS: dict[str, Tier] = {
    "command_near": "block",
    "command": "block",
    "option_near": "block",
    "option": "block",
    "variable_near": "block",
    "variable": "block",
    "import_near": "block",
    "import": "block",
    "attribute_near": "block",
    "attribute": "block",
    "target_near": "block",
    "target": "block",
    "recipe_near": "block",
    "recipe": "block",
    "parameter_near": "block",
    "command_loose": "warn",
    "option_loose": "warn",
    "variable_loose": "warn",
    "import_loose": "warn",
    "attribute_loose": "warn",
    "call_loose": "warn",
    "member_loose": "warn",
    "option_alone_near": "block",
    "option_alone": "warn",
    "instance_near": "block",
    "instance": "warn",
    "member_near": "block",
    "member": "block",
    "parameter": "block",
    "call_near": "block",
    "call": "warn",
    "type_near": "warn",
    "type": "warn",
    "package": "warn",
    "script_near": "warn",
    "key_closed_near": "block",
    "key_closed": "warn",
    "key_near": "warn",
    "key": "warn",
    "key_told_near": "warn",
    "key_told": "warn",
    "feature_near": "block",
    "feature": "block",
    "feature_told": "warn",
    "feature_told_near": "warn",
}
"""The same for an answer about the repository, where most names assert.

`_loose`: the word stands in the repository, but not as such a name: in a comment, a test, in other capitals; or the
list of the subcommands may lack some. key: of the settings of the product; `_closed`: what may stand beside it is
known; `_told`: a sentence calls it so, and names no file. feature: of a crate, or an extra, that manifests declare.
"""

_DENIED = re.compile(
    r"\b(?:there (?:is|are|was) no|(?:has|have|had|is|are) no|no such|(?:does|do|did|is|are|was|were)(?: not|n['’]t)"
    r" (?:an? )?(?:exist|have|support|provide|offer|available|supported|valid|recogni[sz]ed|part of|option|command|"
    r"function)|no longer|removed|renamed)\b",
    re.IGNORECASE,
)
"""Words that say that a name does not exist."""
_PAST = re.compile(
    r"\b(?:remov(?:e|al|ing)|renam\w+|deprecat\w+|formerly|used to|replac\w+|previously|instead of|hypothetical\w*"
    r"|unknown|invalid|obsolete|legacy|dropped|was called|proposed)\b",
    re.IGNORECASE,
)
"""Words of documentation that tell of names that were, or may come."""
_IMAGINED = words("some custom demo hello")
"""Words of names that stand for a name of the reader's own."""
_EXAMPLE = re.compile(r"\be\.g\.|\bfor (?:example|instance)\b|\bsuch as\b", re.IGNORECASE)
_DATED = re.compile(r"\d{4}-\d{2}-\d{2}|(?:^|/)blogs?/")
_MAKES = re.compile(
    r"\b(?:defin(?:e|es|ing)|implement(?:s|ing)?|call(?:ed)? it|nam(?:e|ed) (?:it|a)|your own|named)\b[^.;]*$",
    re.IGNORECASE,
)
_AIM = re.compile(r"\b[Tt]o [^,.;:]{1,80}, ")
"""What a name is good for: "To add a query, call …" makes no name."""
_BEFORE, _AFTER = 80, 40
_STANDARD = frozenset(
    folded(name)
    for owner in (str, bytes, list, dict, set, tuple, int, float, object, type, BaseException, property)
    for name in dir(owner)
) | words(
    "then catch finally map filter reduce foreach push pop shift slice splice join split trim tostring length unwrap"
    " expect clone into iter iterator default await new value values keys entries size next send recv wrap context"
    " prototype apply call bind error message stack name main init test run emit on once off addlistener"
    " removelistener"
)
"""Members that values of every kind have, in one language or another."""
_NO_NAMES = FUNCTION_WORDS | {"command", "subcommand"}
"""Words that no program takes for a command, or that stand for one."""
_OPTIONS_OF = re.compile(r"\b[A-Z]+_(?:OPTIONS|FLAGS|OPTS|ARGS)\b")
"""Variables through which another program is given options."""
_NO_BASES = words("extends implements metaclass where for struct interface ABC Protocol Generic EventEmitter") | {
    name for name, value in vars(builtins).items() if isinstance(value, type)
}
"""Words behind a type's name, and bases that have no members but those of `_STANDARD`."""
_OPEN_BASES = re.compile(r"[A-Za-z_][\w.]*")
_OF_LIBRARIES = words("help version completion completions")
"""Subcommands that libraries for command lines add by themselves."""
_FEWEST_SUBCOMMANDS, _FEWEST_USED, _FEWEST_OPTIONS = 3, 5, 10
_TRUSTED, _HALF = 0.7, 0.5
"""Share of the subcommands in use that must be among those found in the code, for the list to count as closed."""


@dataclass(frozen=True, slots=True)
class NameCitation:
    """A name that a document uses, with what was made of it.

    Attributes:
        mention: the name, its kind, and where.
        found: the repository has it; None: nothing is said, since it may be anybody's.
        rule: the class, for an absent name.
        tier: what its absence leads to.
        suggestion: a name that may have been meant.
    """

    mention: NameMention
    found: bool | None
    rule: str = ""
    tier: Tier = "ignore"
    suggestion: str | None = None


@dataclass(frozen=True)
class NamedRepository:
    """A lexicon with what follows from it for every document."""

    lexicon: Lexicon
    repository: Repository

    @cached_property
    def own_prefixes(self) -> tuple[str, ...]:
        """How variables would begin that are called by this product."""
        declared = self.lexicon.declared
        names = {*declared.programs, *declared.modules, self.repository.name}
        bare = {re.sub(r"\W+", "_", name.rpartition("/")[2]).upper() for name in names if name}
        return tuple(f"{prefix}_" for prefix in sorted(bare) if len(prefix) > 1)

    @cached_property
    def prefixes(self) -> tuple[str, ...]:
        """How variables of this product begin."""
        variables = self.lexicon.variables
        return tuple(prefix for prefix in self.own_prefixes if any(known.startswith(prefix) for known in variables))

    @cached_property
    def _used_often(self) -> set[str]:
        """What stands behind a program's name in code, or in several documents."""
        told = self.lexicon.told
        return {
            path[0]
            for path, place in self.lexicon.usages.items()
            if len(path) == 1 and place in ("", SEVERAL) and path[0] in told
        }

    @cached_property
    def commands_known(self) -> bool:
        """Whether the subcommands found in the code are all there are."""
        return self._share_known >= _TRUSTED

    @property
    def commands_nearly_known(self) -> bool:
        """Whether the subcommands found in the code are most of them, or enough of them stand in documents."""
        return self._share_known >= _HALF or len(self._used_often) >= _FEWEST_USED

    @cached_property
    def _share_known(self) -> float:
        """The share of the subcommands in use that were found in the code; some of what is in use is prose."""
        used, known = self._used_often, self.lexicon.subcommands | self.lexicon.command_files
        return len(used & known) / len(used) if used and len(known) >= _FEWEST_SUBCOMMANDS else 0.0

    @cached_property
    def takes_subcommands(self) -> bool:
        """Whether what stands behind a program's name is a subcommand."""
        in_files = len(self._used_often & self.lexicon.command_files)
        return (
            max(len(self.lexicon.subcommands), in_files) >= _FEWEST_SUBCOMMANDS or len(self._used_often) >= _FEWEST_USED
        )

    @cached_property
    def groups(self) -> frozenset[str]:
        """Subcommands that have subcommands of their own."""
        below: dict[str, set[str]] = {}
        for path in self.lexicon.usages:
            if len(path) > 1 and path[0] in self.lexicon.subcommands and path[1] in self.lexicon.subcommands:
                below.setdefault(path[0], set()).add(path[1])
        return frozenset(name for name, inner in below.items() if len(inner) > 1)

    def is_derived(self, name: str) -> bool:
        """Whether other types here are made from one, which may have more than it has."""
        return name in self._bases

    @cached_property
    def _bases(self) -> frozenset[str]:
        lines = (line for lines in self.lexicon.definitions.values() for line in lines)
        return frozenset(base.rpartition(".")[2] for line in lines for base in _OPEN_BASES.findall(line))

    @cached_property
    def python(self) -> PythonModules:
        """Its modules of Python."""
        return PythonModules(self.repository)

    @cached_property
    def settings(self) -> OwnSettings:
        """Files and keys of its settings."""
        return OwnSettings(self.lexicon, self.repository.name)

    @cached_property
    def targets(self) -> Neighbours:
        """Targets of makefiles."""
        return Neighbours(self.lexicon.declared.targets)

    @cached_property
    def scripts(self) -> Neighbours:
        """Scripts of package.json."""
        return Neighbours(self.lexicon.declared.scripts)

    @cached_property
    def recipes(self) -> Neighbours:
        """Recipes of justfiles."""
        return Neighbours(self.lexicon.declared.recipes)

    def is_module(self, path: str) -> bool:
        """Whether a dotted path begins with a module of this repository."""
        modules = self.lexicon.declared.modules
        return (
            path in modules
            or path.partition(".")[0] in modules
            or path.partition("/")[0] in modules
            or any(path == own or path.startswith((f"{own}.", f"{own}/")) for own in self._namespaces)
        )

    @cached_property
    def _namespaces(self) -> frozenset[str]:
        """Modules of Ruby that are called as the product is, packages of Java, and modules of Go by their paths."""
        declared = self.lexicon.declared
        own = {folded(name) for name in (*declared.programs, *declared.modules, self.repository.name)}
        spaces = {name for name in self.lexicon.namespaces if name.count(".") > 1 or folded(name) in own}
        return frozenset(spaces | {module for module in declared.modules if "/" in module})

    def is_receiver(self, name: str) -> bool:
        """Whether documents and tests call upon a name what is mostly defined here: `client` of `client.get(…)`."""
        called = self.lexicon.received.get(name, set())
        defined = called & self.lexicon.definitions.keys()
        return len(defined) >= _FEWEST_SUBCOMMANDS and len(defined) >= _HALF * len(called)

    def is_closed_type(self, name: str) -> bool:
        """Whether a type is defined here, once, and has no members from elsewhere."""
        lines = self.lexicon.definitions.get(name)
        if not lines or not name[:1].isupper() or len(name) < 3:
            return False
        bases = {
            base.rpartition(".")[2]
            for line in lines
            for base in _OPEN_BASES.findall(re.split(r"[{#]|//", line)[0])
            if base not in _NO_BASES
        }
        return all(base == name or base in self.lexicon.definitions for base in bases)


def name_citations(text: str, place: DocumentPlace, repository: NamedRepository) -> Iterator[NameCitation]:
    """Yield every name of a document that says something about this repository, in the order of its lines."""
    reading = _Names(place, repository)
    names = NameReader(frozenset(repository.lexicon.declared.programs))
    seen: set[tuple[str, str, str, int]] = set()
    restructured = place.document.lower().endswith(".rst")
    for stretch in stretches(text, restructured=restructured, prose=place.answer):
        further = (*settings_mentions(stretch), *feature_mentions(stretch)) if place.answer else ()
        for mention in (*names.read(stretch), *further):
            key = (mention.kind, f"{mention.owner}{mention.above}", mention.name, mention.line)
            if key not in seen:
                seen.add(key)
                may_make = mention.kind == "command" or (mention.kind == "attribute" and not place.answer)
                own = may_make and folded(mention.name) in names.quoted
                yield NameCitation(mention, None) if own else reading.read(mention)


class _Names:
    def __init__(self, place: DocumentPlace, repository: NamedRepository) -> None:
        self._place = place
        self._repository = repository
        self._lexicon = repository.lexicon
        self._document = "" if place.answer else place.document

    def read(self, mention: NameMention) -> NameCitation:
        """Say whether a name is here."""
        judged = _RULES[mention.kind](self, mention)
        if judged is None or judged == "":
            return NameCitation(mention, None if judged is None else True)
        if self._is_unasserted(mention) or _is_imagined(mention.name):
            return NameCitation(mention, None)
        near = self._near(mention, judged.removesuffix("_loose"))
        rule = f"{judged}_near" if near and not judged.endswith("_loose") else judged
        tier = (ANSWER_TIERS if self._place.answer else TIERS).get(rule, "ignore")
        return NameCitation(mention, False, rule, tier, near)

    def _has(self, name: str) -> bool:
        return self._lexicon.has(name, self._document)

    def _is_unasserted(self, mention: NameMention) -> bool:
        place = self._place
        if place.foreign or place.history or place.moves or place.plan or _DATED.search(place.document):
            return True
        around = mention.text[max(mention.column - 1 - _BEFORE, 0) : mention.column + len(mention.name) + _AFTER]
        if _DENIED.search(around):
            return True
        if not place.answer and (_PAST.search(mention.text) or _EXAMPLE.search(mention.text[: mention.column])):
            return True
        before = _AIM.sub("", mention.text[max(mention.column - 1 - _BEFORE, 0) : mention.column - 1])
        return mention.span and bool(CREATES.search(before) or _MAKES.search(before))

    def _near(self, mention: NameMention, rule: str) -> str | None:
        lexicon = self._lexicon
        if rule == "option" or rule == "option_alone":
            near = lexicon.near_option.near(mention.name)
            return near and f"--{near}"
        if rule == "variable":
            return lexicon.near_variable.near(mention.name)
        if rule in ("attribute", "instance", "member", "import", "call", "type"):
            return lexicon.near_definition.near(mention.name)
        if mention.kind == "key":
            return self._repository.settings.near(mention)
        if mention.kind == "feature":
            return Neighbours(self._features(mention.owner)).near(mention.name)
        if rule == "command":
            near = lexicon.near_command.near(mention.name)
            return near and f"{mention.owner} {near}"
        if rule == "parameter":
            return Neighbours(_parameters(lexicon.signatures, mention.owner)).near(mention.name)
        tools = {
            "target": self._repository.targets,
            "script": self._repository.scripts,
            "recipe": self._repository.recipes,
        }
        near = tools[rule].near(mention.name) if rule in tools else None
        return near and f"{mention.owner} {near}"

    # Each rule: None: it may be anybody's; "": it is here; otherwise the class of the absent name.

    def _command(self, mention: NameMention) -> str | None:
        lexicon, path = self._lexicon, (*mention.owner.split()[1:], mention.name)
        if mention.name.lower() in _NO_NAMES:
            return None  # a sentence about the program, shown as code
        if lexicon.used(path, self._document):
            return ""
        if len(path) > 1:
            if path[0] not in self._repository.groups:
                return None
            known = mention.name in lexicon.subcommands or folded(mention.name) in lexicon.quoted
            return None if known else "command"
        if mention.name in lexicon.subcommands | lexicon.command_files or mention.name in _OF_LIBRARIES:
            return ""
        if not self._repository.takes_subcommands:
            return None
        if not self._place.answer and len(lexicon.subcommands) < _FEWEST_SUBCOMMANDS:
            return None  # what stands behind the program may be an argument
        if self._repository.commands_known or not self._has(mention.name):
            return "command"
        is_quoted = folded(mention.name) in lexicon.quoted  # as a command that is put in another way
        return "command_loose" if self._repository.commands_nearly_known and not is_quoted else None

    def _option(self, mention: NameMention) -> str | None:
        name = mention.name
        spellings = [name, name.removeprefix("no-")]
        if any(self._has(spelt) for spelt in spellings):
            lexicon = self._lexicon
            made = any(spelt in lexicon.options or folded(spelt) in lexicon.made for spelt in spellings)
            if self._place.answer and not any(spelt in lexicon.options for spelt in spellings):
                quoted = any(folded(spelt) in lexicon.quoted for spelt in spellings)  # `Name: "age"` makes an option
                written = len(lexicon.options) >= _FEWEST_OPTIONS and not quoted
                return "option_loose" if mention.owner and (written or not made) else None  # perhaps put together
            return ""
        if mention.owner:
            return None if self._is_readers_own(mention.owner.split()[1:]) else "option"
        if _OPTIONS_OF.search(mention.text) or self._speaks_of_others(mention.text):
            return None
        return "option_alone" if len(self._lexicon.options) >= _FEWEST_SUBCOMMANDS else None

    def _speaks_of_others(self, text: str) -> bool:
        """Whether a line of a document names a program of everybody that is none of this repository's."""
        own = self._lexicon.declared.programs
        return not self._place.answer and any(found[0] not in own for found in EVERYBODYS.finditer(text))

    def _is_readers_own(self, path: list[str]) -> bool:
        """Whether a document shows a command that the reader makes: it stands behind a program, and is none of its."""
        return not self._place.answer and bool(path) and path[0] not in self._lexicon.subcommands

    def _variable(self, mention: NameMention) -> str | None:
        prefix = next((prefix for prefix in self._repository.prefixes if mention.name.startswith(prefix)), None)
        if prefix is None:
            by_name = self._place.answer and mention.name.startswith(self._repository.own_prefixes)
            return "variable_loose" if by_name and not self._has(mention.name) else None
        key = folded(mention.name)
        if not self._place.answer and any(f"{sign}{mention.name}" in mention.text for sign in ("$", "${")):
            return None  # a script of the document takes it from its reader
        if (
            mention.name in self._lexicon.variables
            or self._lexicon.in_documents.get(key, self._document) != self._document
        ):
            return ""
        if self._has(mention.name) or self._has(mention.name.removeprefix(prefix)):
            return "variable_loose"
        stems = [stem for stem in self._lexicon.stems if mention.name.startswith(stem)]
        if prefix in stems and not self._place.answer:
            return None  # the code reads whatever begins so
        return "variable" if set(stems) <= {prefix} else None

    def _import(self, mention: NameMention) -> str | None:
        if not mention.owner:
            return self._package(mention.name)
        if not self._repository.is_module(mention.owner):
            return None
        return self._in_module(mention, "import")

    def _in_module(self, mention: NameMention, rule: str) -> str:
        """Of a module or a type of this repository: of Python as its files have it, else by the word."""
        path = f"{mention.owner}.{mention.name}"
        if path in self._lexicon.declared.groups:
            return ""
        if self._place.answer:
            known = self._repository.python.look_up(path)
            if known != "unknown":
                return "" if known == "there" else f"{rule}_loose" if self._occurs(mention.name) else rule
        made = self._made(mention.name, rule)
        is_spelt = mention.name in self._lexicon.spelt
        return f"{rule}_loose" if not made and self._place.answer and not is_spelt else made

    def _occurs(self, name: str) -> bool:
        """Whether documents or the product's code have the word; Python can put a name anywhere."""
        key = folded(name)
        return key in self._lexicon.in_documents or key in self._lexicon.coded

    def _made(self, name: str, rule: str) -> str:
        if not self._has(name):
            return rule
        return "" if folded(name) in self._lexicon.made or not self._place.answer else f"{rule}_loose"

    def _package(self, name: str) -> str | None:
        """A top-level module: in the namespace of this product's, and neither here nor the language's."""
        modules = self._lexicon.declared.modules
        if name in modules or self._has(name) or name in sys.stdlib_module_names:
            return ""
        return "package" if any(name.startswith((f"{own}_", f"{own}-")) for own in modules) else None

    def _attribute(self, mention: NameMention) -> str | None:
        instance = mention.owner.endswith("()")
        owner, *links = mention.owner.removesuffix("()").split("().")
        last = owner.rpartition(".")[2]
        if instance and self._place.answer and self._repository.is_module(owner):
            known, of = self._repository.python.member([owner, *links, mention.name])
            if known != "unknown":
                derived = of is not None and self._repository.is_derived(of.name)
                absent = "member_loose" if derived or self._occurs(mention.name) else "member"
                return "" if known == "there" else absent
        is_ours = not instance and self._repository.is_module(owner)
        if folded(mention.name) in _STANDARD and not (is_ours and self._place.answer):
            return None
        is_closed = self._repository.is_closed_type
        ours = self._repository.is_module(owner) or is_closed(last)
        if not ours and not (instance and any(map(is_closed, owner.split(".")[-2:-1]))):  # `Flock` of `Flock.open()`
            received = self._place.answer and not instance and self._repository.is_receiver(owner)
            return self._call(mention) if received else None
        if (links or not ours) and (len(parts(mention.name)) < 2 or not self._lexicon.definitions.keys() >= set(links)):
            return None  # of what is not defined here, others may have made the type
        if instance:
            return "" if self._has(mention.name) else "instance"
        return self._in_module(mention, "attribute")

    def _call(self, mention: NameMention) -> str | None:
        if len(parts(mention.name)) < 2 or folded(mention.name) in _STANDARD:
            return None
        if not self._place.answer and not mention.span:
            return None
        made = self._made(mention.name, "call")
        is_spelt = mention.name in self._lexicon.spelt or folded(mention.name) in self._lexicon.in_documents
        return "call_loose" if not made and self._place.answer and not is_spelt else made

    def _type(self, mention: NameMention) -> str | None:
        return "" if self._has(mention.name) else "type"

    def _parameter(self, mention: NameMention) -> str | None:
        name = mention.owner.rpartition(".")[2]
        owner = mention.owner.rpartition(".")[0]
        signatures = self._lexicon.signatures.get(name)
        if not signatures or not (self._repository.is_module(owner) or (not owner and mention.span)):
            return None
        if any("**" in signature for signature in signatures):
            return None
        known = _parameters(self._lexicon.signatures, mention.owner)
        return "" if mention.name in known else "parameter"

    def _key(self, mention: NameMention) -> str | None:
        return self._repository.settings.absent(mention)

    def _feature(self, mention: NameMention) -> str | None:
        known = self._features(mention.owner)
        if not known or folded(mention.name) in set(map(folded, known)):
            return "" if known else None
        if mention.owner:
            return "feature"
        return None if self._has(mention.name) else "feature_told"

    def _features(self, of: str) -> set[str]:
        """Features of a crate, or extras of a project; those of all where none is named."""
        features = self._lexicon.declared.features
        return features.get(of.lower().replace("_", "-"), set()) if of else set().union(*features.values())

    def _target(self, mention: NameMention) -> str | None:
        declared = self._lexicon.declared
        if not declared.targets or declared.has_pattern or "cd " in mention.text:
            return None
        return "" if mention.name in declared.targets else "target"

    def _script(self, mention: NameMention) -> str | None:
        scripts = self._lexicon.declared.scripts
        return None if not scripts else "" if mention.name in scripts else "script"

    def _recipe(self, mention: NameMention) -> str | None:
        recipes = self._lexicon.declared.recipes
        if mention.name.lower() in _NO_NAMES or "just" in self._lexicon.declared.programs:
            return None  # the documents of the runner itself show what its readers write
        return None if not recipes else "" if mention.name in recipes else "recipe"


def _is_imagined(name: str) -> bool:
    """Whether a name stands for one of the reader's own: `my_function`, `--your-option`."""
    spelt = parts(name)
    return not _IMAGINED.isdisjoint(spelt) or not_a_path("-".join(spelt), link=False) == "placeholder"


def _parameters(signatures: dict[str, list[str]], function: str) -> set[str]:
    """Parameters of every definition of a function."""
    given = ",".join(signatures.get(function.rpartition(".")[2], ()))
    return set(re.findall(r"(?:^|[,(\s*])([A-Za-z_]\w*)", given))


_RULES: dict[NameKind, Callable[[_Names, NameMention], str | None]] = {
    "command": _Names._command,
    "option": _Names._option,
    "variable": _Names._variable,
    "import": _Names._import,
    "attribute": _Names._attribute,
    "call": _Names._call,
    "type": _Names._type,
    "parameter": _Names._parameter,
    "target": _Names._target,
    "script": _Names._script,
    "recipe": _Names._recipe,
    "key": _Names._key,
    "feature": _Names._feature,
}
