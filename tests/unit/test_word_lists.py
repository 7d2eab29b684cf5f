"""Every list of words exists once: what is known of a language is kept in one place and built upon."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest

import gate
from gate.text.words import formulae, scope
from gate.text.words.function_words import BY_LANGUAGE, PRONOUNS

ROOT = Path(gate.__file__).parent
LEAST, SHARED = 6, 5
"""Words of a list that is looked at, and of two that are held to be one; below, prepositions meet by chance."""
WORD = re.compile(r"[^\s\d!-&(-,./:-@\[-`{-~]+(?: [^\s\d!-&(-,./:-@\[-`{-~]+)*")
INNERMOST = re.compile(r"\(\??:?([^()]*\|[^()]*)\)")
ENDING = re.compile(r"\(\?:[^()|]*(?:\|[^()|]*)?\)\??|\[[^]]*\]\??|\\[bws]\*?|(?<=\w)s\?|[?*+]")

FUNCTION_WORDS = frozenset[str]().union(*BY_LANGUAGE.values()) | PRONOUNS
"""What a pattern may name one by one; a list of them stands in the table alone."""

Words = tuple[str, frozenset[str]]


def word_lists(source: str, where: str) -> Iterator[Words]:
    """The lists of words in a module as they are written: in one string, in a display, or between bars of a pattern.

    The languages of one table are one list each.
    """
    tree = ast.parse(source)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            continue
        for node in ast.walk(statement):
            for words in _in(node):
                if len(words) >= LEAST:
                    yield f"{where}:{statement.lineno}", words


def _in(node: ast.AST) -> Iterator[frozenset[str]]:
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        texts = [part.value for part in node.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        if len(texts) == len(node.elts) and all(map(WORD.fullmatch, texts)):
            yield frozenset(text.casefold() for text in texts)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if "|" in node.value:
            whole = node.value if "(" not in node.value else ""
            for alternation in (whole, *INNERMOST.findall(ENDING.sub("", node.value))):
                parts = (part.casefold() for part in re.split(r"[|\s]+", alternation))
                yield frozenset(part for part in parts if WORD.fullmatch(part)) - FUNCTION_WORDS
        elif all(map(WORD.fullmatch, node.value.split())) and node.value == node.value.lower():
            yield frozenset(node.value.split())


@cache
def every_list() -> list[Words]:
    modules = sorted(ROOT.rglob("*.py"))
    return [
        found
        for module in modules
        for found in word_lists(module.read_text("utf-8"), module.relative_to(ROOT).as_posix())
    ]


def doubled(pairs: Iterable[tuple[Words, Words]]) -> list[tuple[str, str, list[str]]]:
    """Pairs of lists of which the shorter has more than a third of its words in the other."""
    return [
        (one, other, sorted(ours & theirs))
        for (one, ours), (other, theirs) in pairs
        if one != other and len(ours & theirs) >= max(SHARED, min(len(ours), len(theirs)) / 3)
    ]


UNMERGED = {
    ("prompts/injection.py", "submission/transcripts/texts/speakers.py"),
    ("prompts/injection.py", "text/words/imperatives.py"),
    ("claims/attribution/source_marks.py", "claims/set_aside/abstentions.py"),
    ("claims/attribution/source_marks.py", "claims/set_aside/lead_ins.py"),
    ("claims/attribution/source_marks.py", "text/words/formulae.py"),
    ("claims/attribution/sources.py", "text/words/formulae.py"),
    ("claims/markdown.py", "claims/spans.py"),
    ("claims/set_aside/abstentions.py", "text/words/formulae.py"),
    ("claims/set_aside/courtesies.py", "text/words/imperatives.py"),
    ("claims/set_aside/lead_ins.py", "text/words/formulae.py"),
    ("claims/set_aside/referrals.py", "submission/transcripts/texts/speakers.py"),
    ("claims/set_aside/referrals.py", "text/words/formulae.py"),
    ("claims/tags.py", "claims/tags.py"),
    ("repository/names/corpus_names.py", "repository/names/name_mentions.py"),
    ("repository/path_rule.py", "text/words/bygone.py"),
}
"""Modules with lists that are still written twice: orders, kinds of stretches, patterns of courtesies, of sources and
of marks of chat templates, and names of assistants; kinds of names and the heads of tables that hold them."""


def modules(pair: tuple[str, str, list[str]]) -> tuple[str, str]:
    return pair[0].rpartition(":")[0], pair[1].rpartition(":")[0]


def test_no_two_lists_share_more_than_a_third_of_their_words() -> None:
    pairs = doubled(combinations(every_list(), 2))
    assert [pair for pair in pairs if modules(pair) not in UNMERGED] == []
    assert {modules(pair) for pair in pairs} == UNMERGED, "merged: take it off the list"


@pytest.mark.parametrize(
    "source",
    [
        'A = frozenset("not no never none neither nor".split())',
        'A = ("not", "no", "never", "none", "neither", "nor")',
        'import re\nA = re.compile(r"(?i)\\b(?:not|no|never|none|neither|nor)\\b")',
        'A = "not|no|never|none|neither|nor"',
    ],
)
def test_a_second_list_of_negations_is_found_however_it_is_written(source: str) -> None:
    assert doubled(product(every_list(), word_lists(source, "new.py")))


def test_words_are_listed_in_the_form_in_which_those_of_a_text_are_compared() -> None:
    tables = (formulae.GREETING, formulae.COURTESY, formulae.OPINION, scope.GOVERNING, scope.COORDINATORS, BY_LANGUAGE)
    listed = {word for table in tables for words in table.values() for word in words} | formulae.KNOWING
    assert {word for word in listed if word != word.casefold()} == set()
    assert {"grüssen", "ausser", "weiss"} <= listed
