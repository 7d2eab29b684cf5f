"""Which features of crates and extras of projects of Python an answer asks for. Nothing is decided here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gate.repository.names.code_stretches import PROSE, SPAN, CodeStretch
from gate.repository.names.name_mentions import MOST_IN_A_STRETCH, NameMention

_DEPENDENCY = re.compile(
    r"^[ \t]*\"?(?P<of>[A-Za-z][\w-]{0,80})\"?\s{0,9}=\s{0,9}\{[^{}\n]{0,300}?"
    r"\bfeatures\s{0,9}=\s{0,9}\[(?P<asked>[^\]]{0,500})\]",
    re.MULTILINE,
)
_TABLE = re.compile(
    r"^\[(?:[\w.-]{1,80}\.)?dependencies\.(?P<of>[\w-]{1,80})\][ \t]*\n(?:[^\[\n][^\n]*\n){0,9}?"
    r"features\s{0,9}=\s{0,9}\[(?P<asked>[^\]]{0,500})\]",
    re.MULTILINE,
)
_ADDED = re.compile(
    r"\bcargo add (?P<of>[A-Za-z][\w-]{0,80})[^\n`]{0,200}?(?:--features|-F)[ =][\"']?(?P<asked>[\w,-]{1,300})"
)
_EXTRA = re.compile(
    r"(?<![\w/.-])(?P<of>[A-Za-z][\w.-]{0,80})\[(?P<asked>[A-Za-z][\w.-]{0,80}(?:,\s?[\w.-]{1,80}){0,9})\]"
)
_INSTALLS = re.compile(r"\b[a-z3]{2,9}\s+(?:pip\s+|tool\s+)?(?:install|add)\s")
_NAME = re.compile(r"[A-Za-z][\w.-]*")
_CALLED_SO = re.compile(r"^`{1,2}\s(?:(?:Cargo|crate|optional|cargo)\s)?feature\b")


def feature_mentions(stretch: CodeStretch) -> Iterator[NameMention]:
    """Yield the features that a stretch asks for; the owner is the crate or project, or empty where none is named."""
    text = stretch.text
    if len(text) > MOST_IN_A_STRETCH or stretch.language == PROSE:
        return
    patterns = [_DEPENDENCY, _TABLE, _ADDED]
    is_span = stretch.language == SPAN
    if _INSTALLS.search(text) or (is_span and _EXTRA.fullmatch(text.strip(" \"'"))):
        patterns.append(_EXTRA)
    for pattern in patterns:
        for found in pattern.finditer(text):
            for name in _NAME.finditer(found["asked"]):
                yield _mention(stretch, found.start("asked") + name.start(), name[0], found["of"])
    behind = stretch.around[stretch.column - 1 + len(text) :] if is_span else ""
    if is_span and _NAME.fullmatch(text) and _CALLED_SO.match(behind):
        yield _mention(stretch, 0, text, "")


def _mention(stretch: CodeStretch, at: int, name: str, of: str) -> NameMention:
    line, column = stretch.place(at)
    return NameMention(name, "feature", of, line, column, stretch.line_at(at), stretch.language == SPAN)
