"""Whether a citation of the wrong document is found: supported claims that cite their own document, or another one.

`GATE_DATA=… python -m tests.quality.cited_sources` takes claims of FEVER dev which people call supported; the corpus of
each is its own evidence and that of four others.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any

from gate.agents.verify_claims import verify_claims
from gate.model import Document, NamedSource
from gate.retrieval.cited_documents import matching

CLAIMS = 150
CORPUS = 5


def main() -> None:
    """Count outcomes by what is cited and the claim's label, and print them with the time taken."""
    lines = (Path(os.environ["GATE_DATA"]) / "fever-rte-dev.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["label3"] == "supported"]
    random.Random(5).shuffle(rows)
    took = {"nothing": 0.0, "its own": 0.0, "another": 0.0}
    found: Counter[tuple[str, str, str]] = Counter()
    for number in range(CLAIMS):
        documents: list[Document] = [
            {"id": f"d{place}", "title": f"Record {place}", "content": " ".join(row["evidence"])}
            for place, row in enumerate(rows[number : number + CORPUS])
        ]
        for cites, place in (("nothing", None), ("its own", 0), ("another", 2)):
            claim = {"text": rows[number]["claim"], "claim_id": "c0001"}
            entry: dict[str, Any] = {"claim": claim, "documents": documents}
            if place is not None:
                source = NamedSource(mark="1", title=f"Record {place}", url="")
                cited = {"source": source, "documents": matching(source, documents), "found": "document"}
                entry["cited"] = [cited]
            state: dict[str, Any] = {"evidence": [entry]}
            began = time.process_time()
            verify_claims(state)
            took[cites] += time.process_time() - began
            for judged in state["verdicts"][0].get("sources", []):
                found[cites, str(state["verdicts"][0]["label"]), judged["outcome"]] += 1
    for (cites, label, outcome), count in sorted(found.items()):
        print(f"cites {cites}, claim {label}: {outcome} {count}")
    print(", ".join(f"{cites}: {1_000 * seconds / CLAIMS:.0f} ms of CPU a claim" for cites, seconds in took.items()))


if __name__ == "__main__":
    main()
