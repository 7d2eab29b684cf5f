"""How often a wrong figure or name is set right: `python -m tests.quality.corrections`.

Claims that are labelled supported, and that no check objects to, get one figure altered; a suggestion is right where
the corrected claim holds the figures of the true one. It is made, too, by `gate correct`, in an answer of that claim.
Names are exchanged, whole or a word of them, for those of other claims; a suggestion is right where it has the words of
the true one and no others.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gate.decision.checks import run_checks
from gate.decision.corrections import corrections, name_correction
from gate.decision.proper_names import check_names
from gate.reports.corrected.correcting import correct
from gate.reports.corrected.edits import applied, changes_of
from gate.text.figures.quantities import find_quantities
from tests.report_builders import a_report_of_texts

SETS = ("fever-sym-dev", "fever-rte-dev", "wice-claim-oracle-dev", "factcg-doc-train", "scifact-rte-train")
MOST = 300
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*\b")
"""A name within a sentence."""


def altered(rows: list[dict[str, Any]], chance: random.Random) -> Iterator[tuple[str, str, list[str]]]:
    """True claims with their altered form and evidence, where a check notices the alteration."""
    for row in rows:
        claim, evidence = row["claim"], row["evidence"]
        figures = [one.text for one in find_quantities(claim) if re.search(r"\d", one.text) and not one.ordinal]
        figures = [text for text in figures if claim.count(text) == 1]
        if row["label3"] != "supported" or not figures or _differs(claim, evidence):
            continue
        figure = chance.choice(figures)
        other = re.sub(r"\d+", lambda found: str(int(found[0]) + chance.choice((1, 2, 3, 5))), figure, count=1)
        wrong = claim.replace(figure, other)
        if _differs(wrong, evidence):
            yield claim, wrong, evidence


def _differs(claim: str, evidence: list[str]) -> bool:
    return any(not check["passed"] and check["name"] != "quotes" for check in run_checks(claim, evidence))


def measured(name: str) -> tuple[int, int, int, int, int]:
    """Claims altered, suggestions given, suggestions right; answers edited, answers edited rightly."""
    chance = random.Random(1)
    lines = (Path(os.environ["GATE_DATA"]) / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    chance.shuffle(rows)
    tried = offered = right = edited = well = 0
    for claim, wrong, evidence in altered(rows, chance):
        tried += 1
        found = corrections(wrong, evidence)
        mended = wrong
        for one in reversed(found):
            mended = mended[: one.start] + one.instead + mended[one.end :]
        offered += bool(found)
        is_right = bool(found) and not _differs(mended, [claim]) and not _differs(mended, evidence)
        right += is_right
        report = a_report_of_texts(f"- **Note:** {wrong}\n", evidence=evidence)
        changes = changes_of(correct(report).edits, 0)
        edited += bool(changes)
        well += is_right and applied(report.turns[0].content, changes) == f"- **Note:** {mended}\n"
        if tried == MOST:
            break
    return tried, offered, right, edited, well


def measured_names(name: str) -> tuple[int, int, int]:
    """Claims with an exchanged name, suggestions given, suggestions right."""
    chance = random.Random(1)
    lines = (Path(os.environ["GATE_DATA"]) / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["label3"] == "supported"]
    chance.shuffle(rows)
    others = [found[0] for row in rows for found in NAME.finditer(row["claim"])]
    tried = offered = right = 0
    for row in rows:
        claim, evidence = row["claim"], row["evidence"]
        names = [found for found in NAME.finditer(claim) if claim.count(found[0]) == 1]
        if not names or not all(check["passed"] for check in check_names(claim, evidence)):
            continue
        true = chance.choice(names)
        words, other = true[0].split(), chance.choice(others)
        if len(words) > 1 and chance.random() < 0.5:
            words[chance.randrange(len(words))] = other.split()[0]
            other = " ".join(words)
        wrong = claim[: true.start()] + other + claim[true.end() :]
        if all(check["passed"] for check in check_names(wrong, evidence)):
            continue
        tried += 1
        found = name_correction(wrong, evidence)
        offered += found is not None
        right += found is not None and _same_name(found.instead, true[0])
        if tried == MOST:
            break
    return tried, offered, right


def _same_name(one: str, other: str) -> bool:
    """Whether one name has the words of the other and no others."""
    first, second = (set(re.findall(r"\w{2,}", name.casefold())) for name in (one, other))
    return first <= second or second <= first


if __name__ == "__main__":
    for name in SETS:
        print(f"| {name} | {' | '.join(map(str, measured(name)))} |")
    for name in SETS:
        print(f"| {name} | {' | '.join(map(str, measured_names(name)))} |")
