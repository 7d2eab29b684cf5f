"""Which keys of settings an answer names: in blocks, in code of sentences, beside a file. Nothing is decided here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.repository.names.code_stretches import PROSE, SPAN, CodeStretch
from gate.repository.names.name_mentions import MOST_IN_A_STRETCH, NameMention
from gate.repository.names.settings.settings_keys import (
    FORMS,
    SCRIPTS,
    SettingsKey,
    file_of_block,
    settings_file,
    settings_keys,
)

_NAME = r"[A-Za-z_][\w-]{0,80}(?:\.[A-Za-z_][\w-]{0,80}){0,6}"
_PAIR = re.compile(rf"(?P<path>{_NAME})\s{{0,5}}(?::\s|=(?!=))\s{{0,5}}[^\s=][^\n]{{0,200}}")
_BARE = re.compile(_NAME)
_TABLE = re.compile(r"(?<!\w)\[{1,2}(?P<table>(?:tool\.)?[A-Za-z][\w.-]{0,80})\]{1,2}(?![(\w])")
_SETTINGS = re.compile(r"\b(?:config(?:uration|s)?|settings?)\b", re.IGNORECASE)
_CUE = re.compile(r"\b(?:sets?|settings?|keys?|section|config\w*|enable|add|under|table)\b", re.IGNORECASE)
_KEY_OF = r"(?:setting|config(?:uration)? (?:key|option|value))s?"
_BEFORE_KEY = re.compile(rf"\b{_KEY_OF}(?: called| named)?\s*[`*]*$", re.IGNORECASE)
_BEHIND_KEY = re.compile(rf"^[`*]*\s+{_KEY_OF}\b", re.IGNORECASE)
_IN_PROSE = re.compile(
    r"\b(?:[Ss]et|[Ss]etting|[Aa]dd|[Cc]hange|[Uu]se|[Ee]nable|[Kk]ey|[Oo]ption)\s+(?:the\s+)?"
    r"(?P<path>[a-z][a-z0-9]*(?:[_-][a-z0-9]+)+|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]+)+|[a-z]\w+(?:\.[a-z]\w+)+)(?![\w(/.-])"
)


def settings_mentions(stretch: CodeStretch) -> Iterator[NameMention]:
    """Yield the keys that a stretch of an answer names; the owner of each is the file that is named with it."""
    if len(stretch.text) > MOST_IN_A_STRETCH:
        return
    if stretch.language == SPAN:
        yield from _span(stretch)
    elif stretch.language == PROSE:
        yield from _prose(stretch)
    elif stretch.language in FORMS or stretch.language in SCRIPTS:
        file = file_of_block(stretch.text, stretch.around)
        for key in settings_keys(stretch.text, stretch.language):
            yield _mention(stretch, key, file)


def _span(stretch: CodeStretch) -> Iterator[NameMention]:
    text = stretch.text.strip()
    offset = len(stretch.text) - len(stretch.text.lstrip())
    pair, bare = _PAIR.fullmatch(text), _BARE.fullmatch(text)
    path = pair["path"] if pair else text if bare else ""
    if not path or path.isupper() or settings_file(text):
        return
    at = stretch.column - 1
    before, behind = stretch.around[max(at - 80, 0) : at], stretch.around[at + len(stretch.text) :]
    file, table = settings_file(stretch.around), _TABLE.search(stretch.around)
    if file or table:
        told = bool(pair) or bool(_CUE.search(before[-60:]) or _CUE.search(behind[:40]))
    else:
        told = bool(_SETTINGS.search(stretch.around)) if pair else _is_called_key(before, behind)
    if told:
        yield from _dotted(stretch, path, offset, file, tuple(table["table"].split(".")) if table else ())


def _is_called_key(before: str, behind: str) -> bool:
    return bool(_BEFORE_KEY.search(before) or _BEHIND_KEY.match(behind))


def _prose(stretch: CodeStretch) -> Iterator[NameMention]:
    """Keys that running text names without marking them, beside a file of settings."""
    file = settings_file(stretch.around)
    for found in _IN_PROSE.finditer(stretch.text) if file else ():
        if not settings_file(found["path"]):
            yield from _dotted(stretch, found["path"], found.start("path"), file, ())


def _dotted(stretch: CodeStretch, path: str, at: int, file: str, above: tuple[str, ...]) -> Iterator[NameMention]:
    """The last key of a dotted path."""
    *higher, name = path.split(".")
    yield _mention(stretch, SettingsKey((*above, *higher), name, at + len(path) - len(name)), file)


def _mention(stretch: CodeStretch, key: SettingsKey, file: str) -> NameMention:
    line, column = stretch.place(key.begin)
    span = stretch.language in (SPAN, PROSE)
    text = stretch.line_at(key.begin)
    return NameMention(key.name, "key", file, line, column, text, span, key.above)
