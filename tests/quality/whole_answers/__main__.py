"""Honest answers over invented corpora, and false twins: `python -m tests.quality.whole_answers FILE`.

Each is checked as `gate check` does it, against its corpus. Printed is what comes out, and which rules stop how many.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from gate import Gate

BY_VERIFIER = {"risk", "no_support", "contradicted"}
"""Rules that act on what the verifier says; what any other stops was read or looked up so."""


def main(path: str) -> None:
    told: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
    gate = Gate()
    for role, key in (("honest", "answer"), ("false", "twin")):
        outcomes, rules = Counter[str](), Counter[str]()
        for row in told["answers"]:
            turns = [{"role": "user", "content": row["question"]}, {"role": "assistant", "content": row[key]}]
            report = gate.check({"messages": turns}, contexts=told["corpora"][row["corpus"]], name="answer.json")
            found = (
                {one["rule"] for one in report.decision["reasons"] if one["outcome"] != "pass"}
                if report.decision
                else set()
            )
            outcomes[report.outcome] += 1
            rules.update(found)
            rules["by the verifier alone"] += bool(found) and found <= BY_VERIFIER
        print(f"{role}: {dict(outcomes)}; stopped by {dict(rules)}")


if __name__ == "__main__":
    main(sys.argv[1])
