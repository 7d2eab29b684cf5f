"""Evidence as a search returns it: the passage that matters among others that look alike.

The labelled sets give a claim its own evidence alone. The gate gives it the best passages of a corpus, most of them
beside the point, so half of the rows of short evidence are calibrated with up to four lookalikes from their own set.
"""

from __future__ import annotations

import random
from collections import defaultdict

from gate.text.tokens import keys
from training.data import Row

CROWDED = ("fever-rte-dev", "fm2-dev", "scifact-rte-train", "factcheckgpt-train", "begin-wow-dev", "cadnli-train")
MOST = 4
RARE = 4.0


class Crowd:
    """Finds the passages of a set that share most with a claim."""

    def __init__(self, rows: list[Row], idf: dict[str, float], seed: int = 1) -> None:
        self.idf, self.chance = idf, random.Random(seed)
        self.texts: dict[str, list[str]] = defaultdict(list)
        self.places: dict[tuple[str, str], list[int]] = defaultdict(list)
        for name in CROWDED:
            self.texts[name] = sorted({" ".join(row.evidence) for row in rows if row.set == name})
            for place, text in enumerate(self.texts[name]):
                for key in set(keys(text)):
                    self.places[name, key].append(place)

    def documents(self, row: Row) -> list[str]:
        """The row's evidence as one document; half of the time, where the set is a short one, among lookalikes."""
        own = "\n".join(row.evidence)
        if row.set not in CROWDED or self.chance.random() < 0.5:
            return [own]
        found = [own, *self.lookalikes(row)]
        self.chance.shuffle(found)
        return found

    def lookalikes(self, row: Row) -> list[str]:
        """Up to `MOST` passages of the row's set that share rare words with its claim, the best first."""
        scores: dict[int, float] = defaultdict(float)
        for key in set(keys(row.claim)):
            weight = self.idf.get(key, self.idf[""])
            if weight >= RARE:
                for place in self.places.get((row.set, key), ()):
                    scores[place] += weight
        best = sorted(scores, key=lambda place: (-scores[place], place))
        own = set(row.evidence)
        texts = [self.texts[row.set][place] for place in best[: MOST * 3]]
        return [text for text in texts if not any(part in text or text in part for part in own)][:MOST]
