"""What a failed check of a figure is worth.

Of the claims of labelled sets with a failed check, the share that is not supported, with its 95 % interval (Wilson);
in brackets that share of all claims. `+7`: each claim's evidence among the seven passages of its set that are nearest
to the claim. Sentences of answers count as not supported where people marked a part of them. Needs GATE_DATA.
"""

from __future__ import annotations

import json
import os
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from gate.adapters.local_verifier import lexicon
from gate.claims.set_aside.reasons import non_claim_reason
from gate.claims.spans import spans
from gate.decision.checks import run_checks
from gate.text.tokens import keys
from tests.benchmarks.table import Row

SLOW = True
ANSWERS = "rag-answers-a"
SETS = (
    "fever-rte-dev",
    "fm2-dev",
    "scifact-rte-train",
    "wice-claim-doc-dev",
    "wice-claim-oracle-dev",
    "factcheckgpt-train",
    "factcg-doc-train",
    "begin-wow-dev",
    "begin-cmu-dev",
    "summedits-sales_email-all",
    "summedits-ectsum-all",
    "summedits-samsum-all",
)
AMONG_OTHERS = {"fever-rte-dev": 2_500, "fm2-dev": 1_200, "scifact-rte-train": 600}
"""Sets whose claims are also judged among neighbours, and how many of them."""
NEIGHBOURS = 7
COMMON = 0.1
"""Share of a set's passages that a word may stand in and still say which are near."""


class Case(NamedTuple):
    """A claim, its passages, and whether they support it."""

    claim: str
    passages: Sequence[str]
    supported: bool


def measure() -> list[Row]:
    """Count failures on every set."""
    folder = Path(os.environ["GATE_DATA"])
    rows = [_row(ANSWERS, _sentences(_read(folder / f"{ANSWERS}.jsonl")))]
    for name in SETS:
        cases = [
            Case(row["claim"], ["\n".join(row["evidence"])], row["label3"] == "supported")
            for row in _read(folder / f"{name}.jsonl")
        ]
        rows.append(_row(name, cases))
        if name in AMONG_OTHERS:
            rows.append(_row(f"{name}+{NEIGHBOURS}", _among_others(cases, AMONG_OTHERS[name])))
    return rows


def _read(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _row(name: str, cases: Iterable[Case]) -> Row:
    fails, other, seen = [], 0, 0
    for case in cases:
        seen, other = seen + 1, other + (not case.supported)
        if not all(check["passed"] for check in run_checks(case.claim, case.passages) if check["name"] != "quotes"):
            fails.append(not case.supported)
    low, high = _interval(sum(fails), len(fails))
    share = sum(fails) / (len(fails) or 1)
    return Row(name, f"{share:.2f} [{low:.2f}, {high:.2f}] of {len(fails)} ({other / seen:.2f} of {seen})")


def _interval(hits: int, count: int) -> tuple[float, float]:
    if not count:
        return 0.0, 1.0
    z, share = 1.96, hits / count
    middle, half = share + z * z / 2 / count, z * sqrt(share * (1 - share) / count + (z / count) ** 2 / 4)
    return (middle - half) / (1 + z * z / count), (middle + half) / (1 + z * z / count)


def _sentences(rows: Iterable[dict[str, Any]]) -> Iterator[Case]:
    for row in rows:
        for span in spans(row["answer"]):
            marks = row["unsupported_spans"]
            if not non_claim_reason(span.text):
                marked = any(mark["start"] < span.end and span.start < mark["end"] for mark in marks)
                yield Case(span.text, row["passages"], not marked)


def _among_others(cases: Sequence[Case], count: int) -> Iterator[Case]:
    texts = list(dict.fromkeys(case.passages[0] for case in cases))
    places: dict[str, list[int]] = defaultdict(list)
    for at, text in enumerate(texts):
        for key in set(keys(text)):
            places[key].append(at)
    for case in random.Random(3).sample(cases, min(count, len(cases))):
        near: dict[int, float] = defaultdict(float)
        for key in set(keys(case.claim)):
            for at in places[key] if len(places[key]) < COMMON * len(texts) else ():
                near[at] += lexicon().weight(key)
        others = [texts[at] for at in sorted(near, key=lambda at: -near[at]) if texts[at] != case.passages[0]]
        yield Case(case.claim, [case.passages[0], *others[:NEIGHBOURS]], case.supported)
