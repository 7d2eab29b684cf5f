"""What source code says of itself: docstrings and comments, each with what it is about."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator
from typing import NamedTuple

from gate.adapters.readers.layout import Layout, Read, spaced

MAX_CHARS = 2_000_000
MAX_TOKENS = 500_000
"""Words and signs of a Python file: the tree of each takes up to a thousand bytes of memory, in one step of C."""
LONGEST_SIGNATURE = 400
LONGEST_STRING = 20_000
HASHED = frozenset((".sh", ".bash", ".rb", ".pl", ".r", ".tf", ".ps1", ".mk", ".ex", ".exs", ".nim"))
"""Languages whose comments begin with `#`."""
DASHED = frozenset((".sql", ".lua", ".hs", ".elm"))
"""Those whose comments begin with `--`; in all others it is `//`."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
DRAWING = re.compile(r"^[\s\W_]*$")


class Remark(NamedTuple):
    """A comment, and the line of code that it is about; `level` of what is defined there, 0 for none."""

    text: str
    about: str
    level: int = 0


def text_of_python(text: str) -> Read:
    """Return a module's docstrings, each behind its definition, and its comments.

    Raises:
        ValueError: it is no Python, too long, or too full.
    """
    _check(text)
    if sum(1 for _ in _TOKEN.finditer(text)) > MAX_TOKENS:
        raise ValueError(f"more than {MAX_TOKENS:,} words and signs")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, MemoryError) as error:
        raise ValueError(f"not Python{f' at line {error.lineno}' if isinstance(error, SyntaxError) else ''}") from None
    layout = Layout()
    remarks = sorted([*_docstrings(tree, text.splitlines()), *_python_comments(text)], key=lambda each: each[0])
    for _, remark in remarks:
        _write(remark, layout)
    return layout.finish()


def text_of_code(text: str, suffix: str) -> Read:
    """Return the comments of other languages, each before the line of code that it is about.

    Raises:
        ValueError: it is too long.
    """
    _check(text)
    layout = Layout()
    for remark in _remarks(text, suffix):
        _write(remark, layout)
    return layout.finish()


def _check(text: str) -> None:
    if len(text) > MAX_CHARS:
        raise ValueError(f"longer than {MAX_CHARS // 1_000_000} million characters")


def _write(remark: Remark, layout: Layout) -> None:
    if remark.level:
        layout.heading(remark.level + 1, remark.about)
    elif remark.about:
        layout.code(f"{remark.text}\n{remark.about}")
        return
    for paragraph in remark.text.split("\n\n"):
        layout.code(paragraph)


def _docstrings(tree: ast.Module, lines: list[str]) -> Iterator[tuple[int, Remark]]:
    waiting: list[tuple[ast.AST, str, int]] = [(tree, "", 0)]
    while waiting:
        node, path, level = waiting.pop()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if not isinstance(node, ast.Module):
                path = f"{path}.{node.name}" if path else node.name
            if text := ast.get_docstring(node):
                line = getattr(node, "lineno", 0)
                yield line, Remark(text, _signature(node, path, lines), level)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                inner = isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Module)
                waiting.append((child, path, min(level + inner, 6)))


def _signature(node: ast.AST, path: str, lines: list[str]) -> str:
    if isinstance(node, ast.Module):
        return ""
    if isinstance(node, ast.ClassDef):
        return f"class {path}"
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    first, last = node.lineno - 1, node.body[0].lineno - 1
    told = spaced(" ".join(lines[first : max(first + 1, last)]))[:LONGEST_SIGNATURE]
    return f"{path}{told[told.find('(') :].rstrip(':')}" if "(" in told else path


def _python_comments(text: str) -> Iterator[tuple[int, Remark]]:
    """Comments that follow one another are one."""
    held: list[str] = []
    first = last = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type != tokenize.COMMENT:
                continue
            if held and token.start[0] != last + 1:
                yield first, Remark("\n".join(held), "")
                held = []
            before = token.line[: token.start[1]].strip()
            line = f"{before}  {token.string}" if before else token.string.lstrip("#!:").strip()
            if not held:
                first = token.start[0]
            last = token.start[0]
            if not DRAWING.match(line):
                held.append(line)
    except (tokenize.TokenError, SyntaxError):
        pass
    if held:
        yield first, Remark("\n".join(held), "")


def _remarks(text: str, suffix: str) -> Iterator[Remark]:
    """Comments of code that is no Python; one that several lines make is one."""
    held: list[str] = []
    for kind, line in _lines(text, suffix):
        if kind == "comment":
            if not DRAWING.match(line):
                held.append(line)
        elif line.strip() and held:
            yield Remark("\n".join(held), spaced(line)[:LONGEST_SIGNATURE])
            held = []
        elif held and not line.strip() and held[-1]:
            held.append("")
    if any(held):
        yield Remark("\n".join(held), "")


def _lines(text: str, suffix: str) -> Iterator[tuple[str, str]]:
    """Each line of a file as comment or code; strings that hold the marks of comments are code."""
    mark = "#" if suffix in HASHED else "--" if suffix in DASHED else "//"
    blocks = mark == "//" or suffix == ".sql"
    inside = False
    for line in text.splitlines():
        if inside:
            end = line.find("*/")
            inside = end < 0
            yield "comment", (line if inside else line[:end]).strip().removeprefix("*").strip()
            continue
        bare = line.lstrip()
        if bare.startswith(mark):
            yield "comment", bare.lstrip(mark + "!").strip()
        elif blocks and bare.startswith("/*"):
            end = bare.find("*/", 2)
            inside = end < 0
            yield "comment", (bare[2:] if inside else bare[2:end]).strip("*! \t")
        else:
            at = _outside_strings(line, mark)
            if at >= 0:
                yield "comment", line[at:].lstrip(mark + "!").strip()
                yield "code", line[:at]
            else:
                yield "code", line


def _outside_strings(line: str, mark: str) -> int:
    """Where a comment begins in a line of code; -1: nowhere. An address (`http://`) is none."""
    quote, at = "", 0
    while at < min(len(line), LONGEST_STRING):
        letter = line[at]
        if letter == "\\":
            at += 2
            continue
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'`":
            quote = letter
        elif line.startswith(mark, at) and (at == 0 or line[at - 1] in " \t;{}),"):
            return at
        at += 1
    return -1
