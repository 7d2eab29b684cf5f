"""Precision and recall of redactors on hand-written cases.

A line of a set marks each value as `⟦KIND|value⟧`; texts without a mark hold what looks alike and must stay.
Recall: of the values of a kind, how many are hidden whole, under whatever kind. Precision: of the stretches that a
redactor hides as a kind, how many touch a value at all.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from gate.adapters.redactors import redactor_named
from gate.ports import Redaction

FOLDER = Path(__file__).parent
SETS = ("cases", "held_back")
"""Files of cases: the second was written when the rules were done, and they were not changed after."""
KINDS = ("EMAIL", "PHONE", "SSN", "CARD", "IBAN", "IP", "NAME", "ADDRESS")
REDACTORS = {
    "patterns": "patterns",
    "phonenumbers": "phonenumbers",
    "phonenumbers:GB+DE+FR": "phonenumbers:GB+DE+FR",
    "cards": "cards",
    "iban": "iban",
    "ip": "ip",
    "all of these": "patterns,phonenumbers:GB+DE+FR,cards,iban,ip",
}
"""Name in the table → specification. The patterns, as the floor, work in each of them."""

_MARK = re.compile(r"⟦([A-Z]+)\|([^⟧]*)⟧")


class Value(NamedTuple):
    kind: str
    start: int
    end: int


@dataclass(frozen=True)
class Case:
    group: str
    text: str
    values: tuple[Value, ...]


class Score(NamedTuple):
    hidden: int
    values: int
    right: int
    findings: int

    @property
    def recall(self) -> str:
        return f"{self.hidden}/{self.values}" if self.values else "–"

    @property
    def precision(self) -> str:
        return f"{self.right}/{self.findings}" if self.findings else "–"


@cache
def cases(name: str) -> tuple[Case, ...]:
    """Read a set of cases."""
    return tuple(_case(**json.loads(line)) for line in (FOLDER / f"{name}.jsonl").read_text().splitlines())


def _case(group: str, text: str) -> Case:
    plain, values, done = "", [], 0
    for mark in _MARK.finditer(text):
        plain += text[done : mark.start()]
        values.append(Value(mark[1], len(plain), len(plain) + len(mark[2])))
        plain += mark[2]
        done = mark.end()
    return Case(group, plain + text[done:], tuple(values))


def scores(name: str, every: tuple[Case, ...]) -> dict[str, Score]:
    """Score a redactor by kind."""
    redactor = redactor_named(REDACTORS[name])
    counts: Counter[tuple[str, str]] = Counter()
    for case in every:
        found = redactor.redact(case.text).redactions
        counts.update(("hidden", value.kind) for value in case.values if _hides(found, value))
        counts.update(("values", value.kind) for value in case.values)
        counts.update(("right", one.kind) for one in found if _touches(one, case.values))
        counts.update(("findings", one.kind) for one in found)
    return {kind: Score(*(counts[what, kind] for what in Score._fields)) for kind in KINDS}


def missed(name: str, every: tuple[Case, ...]) -> list[str]:
    """List the values that a redactor leaves and the look-alikes that it hides."""
    redactor = redactor_named(REDACTORS[name])
    lines = []
    for case in every:
        found = redactor.redact(case.text).redactions
        left = [f"{one.kind} {case.text[one.start : one.end]}" for one in case.values if not _hides(found, one)]
        wrong = [case.text[one.source_start : one.source_end] for one in found if not _touches(one, case.values)]
        lines += [f"left    {value!r}" for value in left] + [f"hidden  {value!r} in {case.text!r}" for value in wrong]
    return lines


def table(by_redactor: dict[str, dict[str, Score]]) -> str:
    """Return a Markdown table: recall and precision of each redactor by kind."""
    head = ["redactor", *KINDS]
    rows = [
        [name, *(f"{score.recall} · {score.precision}" for score in by_kind.values())]
        for name, by_kind in by_redactor.items()
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def _hides(found: tuple[Redaction, ...], value: Value) -> bool:
    return any(one.source_start <= value.start and value.end <= one.source_end for one in found)


def _touches(one: Redaction, values: tuple[Value, ...]) -> bool:
    return any(one.source_start < value.end and value.start < one.source_end for value in values)
