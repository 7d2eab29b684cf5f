"""Whether the three ways in which a RAG answer fails are told apart: `python -m tests.quality.causes`.

From each sentence with a figure of the sample corpus four records are made: nothing wrong, retrieval missed the
passage, the context holds another figure, the model made the figure up.
"""

from __future__ import annotations

import json
import re
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

from gate.local.gate import published
from gate.local.run import run_locally
from gate.services.indexes import searching
from gate.text.sentences import lines_of_sentences

CORPUS = Path(__file__).parents[2] / "events" / "demo" / "corpus.jsonl"
_FIGURE = re.compile(r"\d+")


def planted() -> list[tuple[str | None, str, list[str]]]:
    """What is wrong with each record, its answer and its contexts."""
    passages = [json.loads(line)["content"] for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    found: list[tuple[str | None, str, list[str]]] = []
    for number, passage in enumerate(passages):
        beside = [passages[(number + step) % len(passages)] for step in (11, 23)]
        sentences = (passage[start:end].strip() for start, end in lines_of_sentences(passage))
        true = next((one for one in sentences if _FIGURE.search(one) and len(one) > 30), None)
        if true is None:
            continue
        false = _FIGURE.sub(lambda figure: str(int(figure[0]) * 3 + 1), true, count=1)
        found += [
            (None, true, [passage, *beside]),
            ("not_retrieved", true, beside),
            ("wrong_context", false, [passage.replace(true, false), *beside]),
            ("made_up", false, [passage, *beside]),
        ]
    return found


def told(answer: str, contexts: list[str], index: str) -> set[str | None]:
    """The causes that a check of one record names."""
    row = json.dumps({"question": "What is it?", "answer": answer, "contexts": contexts})
    config: dict[str, Any] = {"against": "both", "elasticsearch": {"index": index}}
    run = run_locally({"name": "row.json", "text": row}, config, run_id=uuid.uuid4().hex)
    return {claim.cause for claim in published(run).claims}


def main() -> None:
    """Print how many of each kind are told as what they are."""
    right: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    with searching(str(CORPUS)) as index:
        for kind, answer, contexts in planted():
            whole[str(kind)] += 1
            causes = told(answer, contexts, index)
            right[str(kind)] += causes == {kind} or (kind is not None and causes == {kind, None})
    for kind, count in whole.items():
        print(f"{kind}: {right[kind]} of {count}")
    print(f"all: {right.total() / whole.total():.3f} of {whole.total()}")


if __name__ == "__main__":
    main()
