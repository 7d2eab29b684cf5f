"""The stretches of code in a document: spans within sentences, and blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gate.repository.mentions import CODE, RST_BLOCKS, RST_CODE, Fences, Literals, lines, without_comments

SPAN = "span"
PROSE = "prose"
_ADDRESS = re.compile(r"\]\([^()\n]{0,500}\)|[a-z+]{2,10}://[^\s<>)]{1,500}")
_RST_BLOCK = re.compile(rf"^\s*\.\. (?:{RST_BLOCKS}|highlight)::\s*(?P<language>\S*)")
_RST_ROLE = re.compile(
    r":(?:[\w+-]+:)?(?P<role>func|meth|class|attr|mod|envvar|option|exc|data|program)!?:`[~!.]?(?P<name>[^`<>\n]+)`"
)
_LANGUAGE = re.compile(r"^[{.]*([\w+#-]*)")


@dataclass(frozen=True, slots=True)
class CodeStretch:
    """Code in a document.

    Attributes:
        text: the code; of a block all its lines.
        line, column: where it begins, from 1.
        language: of a block, in lower case, or an empty string; `SPAN` within a sentence, `role:…` for a role; `PROSE`
            for a line of running text, in which code and addresses are blank.
        around: the line of a span or of running text; of a block the line before it.
    """

    text: str
    line: int
    column: int
    language: str
    around: str

    def place(self, at: int) -> tuple[int, int]:
        """Line and column of a character."""
        before = self.text.count("\n", 0, at)
        return self.line + before, at - self.text.rfind("\n", 0, at) if before else self.column + at

    def line_at(self, at: int) -> str:
        """The line of a character, and of a span the sentence that it stands in."""
        if self.language in (SPAN, PROSE) or self.language.startswith("role"):
            return self.around
        end = self.text.find("\n", at)
        return self.text[self.text.rfind("\n", 0, at) + 1 : end if end >= 0 else None]


def stretches(text: str, *, restructured: bool = False, prose: bool = False) -> Iterator[CodeStretch]:
    """Yield the code of a document, in order.

    Args:
        text: Markdown.
        restructured: it is reStructuredText.
        prose: the running text of Markdown is yielded too, a line each: an answer names things there without marking
            them.
    """
    return _restructured(text) if restructured else _markdown(text, prose)


def _markdown(text: str, with_prose: bool) -> Iterator[CodeStretch]:
    language, begin, before = "", 0, ""
    block: list[str] | None = None
    fences, hidden = Fences(), False
    for number, raw in enumerate(lines(text), 1):
        kind = fences.kind(raw)
        if block is not None and kind != "code":
            yield CodeStretch("\n".join(block), begin, 1, language, before)
            block = None
        if kind == "opening":
            told = _LANGUAGE.match(fences.info.lower())
            language, begin, block = told[1] if told else "", number + 1, []
        elif block is not None:
            block.append(raw)
        elif kind == "text":
            line, hidden = without_comments(raw, hidden)
            before = line if line.strip() else before
            for code in CODE.finditer(line) if "`" in line else ():
                yield CodeStretch(code[2], number, code.start(2) + 1, SPAN, line)
            if with_prose and line.strip():
                yield CodeStretch(_blank(_ADDRESS, _blank(CODE, line)), number, 1, PROSE, line)
    if block is not None:
        yield CodeStretch("\n".join(block), begin, 1, language, before)


def _blank(pattern: re.Pattern[str], line: str) -> str:
    return pattern.sub(lambda match: " " * len(match[0]), line)


def _restructured(text: str) -> Iterator[CodeStretch]:
    language, begin, before = "", 0, ""
    block: list[str] | None = None
    literals = Literals(_RST_BLOCK)
    for number, line in enumerate(lines(text), 1):
        if literals.has(line) and block is not None:
            block.append(line)
            continue
        if block is not None:
            yield CodeStretch("\n".join(block), begin, 1, language, before)
        opened = _RST_BLOCK.match(line)
        language, begin = opened["language"].lower() if opened else "", number + 1
        block = [] if literals.begins else None
        if not opened:
            before = line if line.strip() else before
            yield from _restructured_spans(line, number)
    if block is not None:
        yield CodeStretch("\n".join(block), begin, 1, language, before)


def _restructured_spans(line: str, number: int) -> Iterator[CodeStretch]:
    if "`" not in line:
        return
    spans = [CodeStretch(code[1], number, code.start(1) + 1, SPAN, line) for code in RST_CODE.finditer(line)]
    roles = [
        CodeStretch(role["name"], number, role.start("name") + 1, f"role:{role['role']}", line)
        for role in _RST_ROLE.finditer(line)
    ]
    yield from sorted([*spans, *roles], key=lambda stretch: stretch.column)
