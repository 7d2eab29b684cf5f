"""Counts what the guards stop: `GATE_DATA=… PYTHONPATH=functions:. python -m training.measure_guards`.

For each guard: of the claims that the verifier calls supported without it, how many it stops, and how many of those
are supported. A guard earns its place where that share is well below the share of the claims it lets through. The
first table is of the model that ships, on rows that its encoder did not see; the second of counting alone, on a sample
of the others, which are more.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

from gate.adapters.local_verifier import joined, lexicon
from gate.adapters.local_verifier.cross_encoder import encoded
from gate.adapters.local_verifier.explanation import likeliest
from gate.adapters.local_verifier.guards import GUARDS, amount_differs
from gate.adapters.local_verifier.lexical import Reading
from gate.decision.checks import run_checks
from training import data

SAMPLE = 9000
"""Rows of the second table, long pages left out."""

Judge = Callable[[data.Row, Reading], str]


def main() -> None:
    """Print two tables."""
    rows, _ = data.training()
    seen, held = data.split(rows)
    data.check_clean(held)
    second, alone = joined(), lexicon().kinds["passage"]
    layer = second.kinds["passage"]
    print(f"{len(held)} rows that the encoder did not see:")
    _table(held, lambda row, found: likeliest(layer.scores(found.features + encoded(second.encoder, found))))
    short = [row for row in seen if not row.set.startswith("wice-claim-doc")]
    sample = random.Random(5).sample(short, min(SAMPLE, len(short)))
    print(f"\n{len(sample)} of the others, by counting alone:")
    _table(sample, lambda row, found: likeliest(alone.scores(found.features)))


def _table(rows: Sequence[data.Row], judge: Judge) -> None:
    words, stopped = lexicon(), Counter[tuple[str, bool]]()
    for row in rows:
        texts = ["\n".join(row.evidence)]
        reading = words.read(row.claim, texts)
        if judge(row, reading) != "supported":
            continue
        fired = [amount_differs.__name__] if amount_differs(run_checks(row.claim, texts)) else []
        fired += [guard.__name__ for guard in GUARDS if guard(row.claim, texts, reading)]
        for name in fired or ["none"]:
            stopped[name, row.supported] += 1
    for name in [amount_differs.__name__, *(guard.__name__ for guard in GUARDS), "none"]:
        yes, no = stopped[name, True], stopped[name, False]
        print(f"{name:18} {yes + no:5} claims, {yes} supported ({yes / (yes + no or 1):.2f})")


if __name__ == "__main__":
    main()
