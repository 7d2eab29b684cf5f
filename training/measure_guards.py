"""Counts what the guards stop on rows that the encoder did not see: `GATE_DATA=… python -m training.measure_guards`.

For each guard: of the claims that the verifier calls supported without it, how many it stops, and how many of those
are supported. A guard earns its place where that share is well below the share of the claims it lets through.
"""

from __future__ import annotations

from collections import Counter

from gate.adapters.cross_encoder import encoded
from gate.adapters.local_verifier import joined, lexicon
from gate.rules.guards import GUARDS
from training import data


def main() -> None:
    """Print a line a guard and one for what passes them all."""
    rows, _ = data.training()
    _, held = data.split(rows)
    data.check_clean(held)
    second, words = joined(), lexicon()
    layer = second.kinds["passage"]
    stopped: Counter[tuple[str, bool]] = Counter()
    for row in held:
        texts = ["\n".join(row.evidence)]
        reading = words.read(row.claim, texts)
        scores = layer.scores(reading.features + encoded(second.encoder, row.claim, reading))
        if max(scores, key=lambda label: scores[label]) != "supported":
            continue
        fired = [guard.__name__ for guard in GUARDS if guard(row.claim, texts, reading)]
        for name in fired or ["none"]:
            stopped[name, row.supported] += 1
    for name in [*(guard.__name__ for guard in GUARDS), "none"]:
        yes, no = stopped[name, True], stopped[name, False]
        print(f"{name:16} {yes + no:5} claims, {yes} supported ({yes / (yes + no or 1):.2f})")


if __name__ == "__main__":
    main()
