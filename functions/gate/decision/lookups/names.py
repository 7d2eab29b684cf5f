"""Looks a name in code up: it stands in the evidence as it is written, or the repository has it, or neither."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gate.model import Claim
from gate.text.questions import QUESTION, asks_whether
from gate.text.sentences import lines_of_sentences

REPOSITORY_RULE = "rule:repository-names/1"
_MENTIONS = ("NAME_MENTION", "PATH_MENTION")
_SILENT = ("not_mentioned", "no_evidence", "no_corpus", "partial")
"""Reasons of a name's verdict beside which a repository is asked; `partial`: the documents name its words apart."""
_PAIR = re.compile(r"^[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?\s?[:=]\s?(?P<value>.*)$", re.DOTALL)
_VALUE = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^\s,\[\]\"']+)")
_ASSIGNED = re.compile(r"[\"']?\s?[:=]\s?[\"']?[\w.-]{1,60}[\"']?")
_ARGUMENT = re.compile(r"[^\W_-][\w.-]*")
_LEFT_OPEN = r"(?:[A-Z][A-Z0-9_]*(?![\w-]| [a-z])|<[^<>\n]{1,40}>|\{[^{}\n]{1,40}\})"
"""What stands in a document for a value of its reader's own; "tern run HTTP servers" goes on as prose."""
_FETCHES = re.compile(r"\b(?:install|i|add|require|get|pull|clone)$")
"""A command whose last word has to be there already, under that name: who makes it up has others fetch it."""
_ASKS_FOR_ONE = re.compile(r"(?i)\b(?:defaults?|what|which|how (?!do\b|to\b|can\b|should\b))\b")
"""Who asks so wants a value of the documents, not one of their own."""
_OTHER_FIGURE = re.compile(r"(?i)(?<!\bdefault )(?<!\bdefaults to )(?<![\w.,-])\d")
LONGEST_PROMPT = 2_000
"""Characters of what was asked; a prompt that holds documents asks nobody knows for what."""
_FILES = re.compile(r"[\w./~@-]+")
"""Letters of files and folders."""
_WITH_OPTION = re.compile(r"(?P<command>[a-z][\w.+-]*) (?P<option>--?[A-Za-z][\w-]*)")
_JOINS = re.compile(r"[\w-]")
"""What goes on with a name."""
_GOES_BEFORE = re.compile(r"[\w./-]")
_PARTS = re.compile(r"[.!?;]\s|\n")
"""Between a key and its value stands none of these."""
_NEAR = 120
"""Characters on either side of a key in which its value stands."""


def look_up(name: str, texts: Sequence[str]) -> tuple[int, str] | None:
    """Find a name in the evidence: the place of the text, and the name as it stands there; None where it is not.

    Of a setting, "key: value", the value stands beside the key: in its sentence or line, and, where it is a figure,
    with no other figure between them. Of a command with an option, "tern --quiet", both stand in one text.
    """
    for place, text in enumerate(texts):
        if whole := _quote(name, text):
            return place, whole
    pair = _PAIR.match(name.strip())
    values = ["".join(groups) for groups in _VALUE.findall(pair["value"])] if pair else []
    if pair and values:
        for place, text in enumerate(texts):
            if quote := _beside(pair["key"], values, text):
                return place, quote
    if option := _WITH_OPTION.fullmatch(name):
        for place, text in enumerate(texts):
            if _quote(option["command"], text) and (at := _quote(option["option"], text)):
                return place, at
    patterns = [_filled_in(name), *([_opens(pair["key"])] if pair and not values else [])]
    for place, text in enumerate(texts):
        for pattern in filter(None, patterns):
            if found := pattern.search(text):
                return place, found[0]
    return None


def look_up_as_asked(name: str, prompt: str, texts: Sequence[str]) -> tuple[int, str] | None:
    """Find the key of a setting, "workers: 8", whose value the user has asked for, "a config with 8 workers".

    The value is then nothing that the answer asserts. The key has to stand in the evidence as one: in code, in a path,
    or before a sign of equality. Who asks whether it is so, for a default or for another value of the documents, gets
    none of their own back; nor does anybody where the evidence has a figure for the key, be it a limit, that is no
    default.
    """
    pair = _PAIR.match(name.strip())
    value = pair["value"].strip().strip("\"'") if pair else ""
    if not pair or not value or len(prompt) > LONGEST_PROMPT or asks_for_a_value(prompt):
        return None
    if not re.search(rf"(?<![\w.-]){re.escape(value)}(?![\w-]|\.\d)", prompt):
        return None
    name = re.escape(pair["key"])
    as_key = re.compile(rf"(?<=[`.\"']){name}(?=[`.\"'])|(?<![\w-]){name}(?=\s?=)")
    told = re.compile(rf"(?<![\w-]){name}[`\"']?(?:\s?[:=]|\s(?:is|are))\s?[\"'`]?\d")
    found = [(place, key) for place, text in enumerate(texts) for key in as_key.finditer(text)]
    if any(map(told.search, texts)) or any(_OTHER_FIGURE.search(_behind(texts[place], key)) for place, key in found):
        return None
    return next(((place, key[0]) for place, key in found), None)


def asks_for_a_value(prompt: str) -> bool:
    """Whether a user asks what a value is, or whether it is so, and brings none of their own."""
    return asks_whether(prompt) or bool(_ASKS_FOR_ONE.search(prompt))


def is_users_file(name: str, prompt: str) -> bool:
    """Whether a name is of files that the user tells of: the answer does not say that the documents know them.

    `~/.toolrc`, `logs/`, `backup-2024.tar.gz`, and patterns, `*.gz`, `Client.*`. Who asks of it, "Is it read from
    ~/.toolrc?", does not tell that it is so.
    """
    bare = name.strip().removeprefix("!").removeprefix("*").removesuffix("*")
    is_pattern = name.endswith("*")
    bare = bare.removesuffix(".") if is_pattern else bare
    if len(prompt) > LONGEST_PROMPT or not _FILES.fullmatch(bare) or bare[0] == "-":
        return False
    if not (is_pattern or bare[0] in ".~" or "/" in bare or _has_ending(bare)):
        return False
    told = (prompt[start:end].strip() for start, end in lines_of_sentences(prompt))
    return any(_tells_of(bare, one) for one in told if not QUESTION.search(one))


def _has_ending(name: str) -> bool:
    """Whether it reads as a file's and as no member's of an object: "data-2.tar" has a digit or a hyphen."""
    stem, _, ending = name.rpartition(".")
    return ending[:1].isalpha() and any(sign.isdigit() or sign == "-" for sign in stem)


def _tells_of(name: str, text: str) -> bool:
    """Whether a file's name stands by itself in a text, or ends another's as `.gz` does."""
    at = -1
    while (at := text.find(name, at + 1)) >= 0:
        behind = text[at + len(name) : at + len(name) + 2]
        goes_on = name[-1] != "/" and (_JOINS.match(behind) or (behind[:1] == "." and behind[1:].isalnum()))
        if not goes_on and (name[0] == "." or not _GOES_BEFORE.match(text[max(0, at - 1) : at])):
            return True
    return False


def _behind(text: str, key: re.Match[str]) -> str:
    return _PARTS.split(text[key.end() : key.end() + _NEAR], maxsplit=1)[0]


def key_of(name: str) -> str:
    """The name whose existence a setting, "key: value", asserts; any other name itself."""
    pair = _PAIR.match(name.strip())
    return pair["key"] if pair else name


def other_value(name: str, texts: Iterable[str]) -> str:
    """A setting, "key: value", as the texts have it, with another value; empty where they have none."""
    key = key_of(name)
    if key == name:
        return ""
    for text in texts:
        for at in _found(key, text):
            if assigned := _ASSIGNED.match(text, at + len(key)):
                return text[at : assigned.end()]
    return ""


def with_repository(
    claims: Sequence[Claim], verdicts: Iterable[Any], evidences: Mapping[str, Sequence[Mapping[str, Any]]]
) -> list[Any]:
    """The verdicts again: a name of which the documents say nothing is supported where the repository has it; without a
    corpus, unsupported where the repository lacks it.

    Args:
        evidences: of detectives that read a repository of the operator's own.
    """
    seen: dict[tuple[str, str], bool] = {}
    for one in evidences.get("docs") or ():
        told = one.get("mention") or {}
        if one.get("evidence_class") in _MENTIONS and (one.get("found") is True or told.get("tier") == "block"):
            key = str(told.get("document")), _bare(str(told.get("target")))
            seen[key] = seen.get(key, True) and one.get("found") is True
    names = {claim["claim_id"]: claim for claim in claims if claim.get("kind") == "name"}
    return [_by_repository(one, names, seen) for one in verdicts]


def _by_repository(verdict: Any, names: Mapping[str, Claim], seen: Mapping[tuple[str, str], bool]) -> Any:
    claim = names.get(verdict.get("claim_id") or "") if isinstance(verdict, dict) else None
    if claim is None or verdict.get("reason") not in _SILENT or verdict.get("claim") != claim["text"]:
        return verdict
    name, alone = claim["text"], verdict["reason"] == "no_corpus"
    found = seen.get((f"turn {claim['turn']}", _bare(name)))
    if found is None or not (found or alone):
        return verdict
    told = f"The repository has `{name}`." if found else f"The repository does not have `{name}`."
    return {
        **verdict,
        "label": "supported" if found else "unsupported",
        "reason": "entailed" if found else "not_mentioned",
        "justification": told if alone else f"The documents do not name `{name}`; the repository has it.",
        "checked_by": REPOSITORY_RULE,
        "doubt": None if alone else 0.0,
        "checks": [],
    }


def _filled_in(name: str) -> re.Pattern[str] | None:
    """A command whose last word the evidence leaves open: "tern new my-site" where it has "tern new NAME"."""
    command, _, value = name.rpartition(" ")
    if " " not in command or not _ARGUMENT.fullmatch(value) or _FETCHES.search(command):
        return None
    return re.compile(rf"(?<![\w-]){re.escape(command)} {_LEFT_OPEN}")


def _opens(key: str) -> re.Pattern[str]:
    """A key that opens a block, "retry:", where the evidence has it in a path: `retry.attempts`."""
    return re.compile(rf"(?<![\w.-]){re.escape(key)}\.\w[\w.-]{{0,60}}")


def _bare(name: str) -> str:
    return name.strip("`").removesuffix("()")


def _beside(key: str, values: Sequence[str], text: str) -> str | None:
    """The stretch of a text from a key to its values."""
    for at in _found(key, text):
        end = at + len(key)
        after = _PARTS.split(text[end : end + _NEAR], maxsplit=1)[0]
        before = _PARTS.split(text[max(0, at - _NEAR) : at])[-1]
        if (reach := _reach(values, after)) is not None:
            return text[at : end + reach]
        if (reach := _reach([value[::-1] for value in values], before[::-1])) is not None:
            return text[at - reach : end]
    return None


def _reach(values: Sequence[str], text: str) -> int | None:
    """Where in a text that begins beside the key the last of its values ends; None where one is not there."""
    reach = 0
    for value in values:
        at = next(_found(value, text), None)
        if at is None or (len(values) == 1 and value[:1].isdigit() and re.search(r"\d", text[:at])):
            return None
        reach = max(reach, at + len(value))
    return reach


def _quote(name: str, text: str) -> str:
    """The name as it stands in a text; empty where it does not."""
    at = next(_found(name, text), None)
    return "" if at is None else text[at : at + len(name)]


def _found(name: str, text: str) -> Iterator[int]:
    """Where a name stands by itself; one such as `_if_exists` may be the end of another."""
    at = -1
    while name and (at := text.find(name, at + 1)) >= 0:
        begins = name[0] == "_" or not _JOINS.match(text[at - 1 : at])
        if begins and not _JOINS.match(text[at + len(name) : at + len(name) + 1]):
            yield at
