"""How often the checks that need no model fail, by label.

Share of claims with a failed check, on the first 1,500 rows of labelled training sets (found through GATE_DATA).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from itertools import islice
from pathlib import Path

from gate.rules.checks import run_checks
from tests.benchmarks.table import Row

SLOW = True
SETS = ("wice-claim-doc-dev", "factcheckgpt-train", "fever-rte-dev", "fm2-dev", "scifact-rte-train")
SETS += ("summedits-sales_email-all", "summedits-ectsum-all", "summedits-samsum-all")
ROWS = 1_500


def measure() -> list[Row]:
    """Count failures on every set."""
    folder = Path(os.environ["GATE_DATA"])
    return [row for name in SETS for row in _count(name, folder / f"{name}.jsonl")]


def _count(name: str, path: Path) -> list[Row]:
    seen, failed = Counter[str](), Counter[str]()
    with path.open(encoding="utf-8") as lines:
        for row in map(json.loads, islice(lines, ROWS)):
            seen[row["label3"]] += 1
            failed[row["label3"]] += not all(check["passed"] for check in run_checks(row["claim"], row["evidence"]))
    return [Row(f"{name}, {label}", f"{failed[label] / seen[label]:.1%} of {seen[label]}") for label in sorted(seen)]
