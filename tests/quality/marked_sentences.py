"""Thirty answers labelled before they were checked: is the marked sentence the right one, and the correction?

`python -m tests.quality.marked_sentences` prints what docs/benchmarks.md records.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gate import Gate
from gate.reports import advice, wording
from gate.reports.model import Report, ReportClaim

HERE = Path(__file__).parent / "first_screen"


def main() -> None:
    """Check every answer and print the counts, and what is wrong."""
    counts, wrong = counted()
    for line in wrong:
        print(line)
    for name, count in sorted(counts.items()):
        print(f"{name:<28}{count:>4}")


def counted() -> tuple[Counter[str], list[str]]:
    """Check every answer; returns how often what was seen on a card, and a line for each thing that is wrong."""
    counts: Counter[str] = Counter()
    wrong = []
    gate = Gate(HERE / "corpus.jsonl")
    for line in (HERE / "answers.jsonl").read_text(encoding="utf-8").splitlines():
        answer = json.loads(line)
        report = gate.check(" ".join(claim["text"] for claim in answer["claims"]))
        said = {claim.text: claim for claim in report.claims}
        for label in answer["claims"]:
            for name in seen(said[label["text"]], label, report):
                counts[name] += 1
                if name.startswith("wrong"):
                    wrong.append(f"{answer['id']}: {name}: {label['text']}")
    return counts, wrong


def seen(claim: ReportClaim, label: dict[str, Any], report: Report) -> Iterator[str]:
    """What is right and what is wrong on the card of a claim."""
    yield f"claims {label['label']}"
    marked = claim.quote.strip() == label["sentence"]
    yield "sentence right" if marked else "wrong sentence"
    best = max(claim.scores, key=lambda name: claim.scores[name], default="")
    shown = wording.likelihood(claim)
    yield "wrong number" if "%" in shown and best != claim.label else "number agrees"
    if label["label"] == "supported":
        yield "label supported" if claim.status == "supported" else "wrong label of a true claim"
        return
    yield "label not supported" if claim.status != "supported" else "wrong label of a refuted claim"
    offers = [(claim.text[one.start : one.end], one.instead) for one in advice.suggested(claim, report)]
    if not offers:
        yield "correction none"
    elif any(same(wrong, label["wrong"]) and same(right, label["right"]) for wrong, right in offers):
        yield "correction right"
    else:
        yield "wrong correction"


def same(one: str, other: str) -> bool:
    """Whether two figures or names are one: the shorter is a part of the longer, word by word."""
    first, second = one.casefold().split(), other.casefold().split()
    return bool(first) and (set(first) <= set(second) or set(second) <= set(first))


if __name__ == "__main__":
    main()
