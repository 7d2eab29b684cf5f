"""(claim, evidence window, target) pairs for the encoder: the mix of sets, and what is made from them.

Targets are probabilities over neither, support, refute; `None` in the place of a target of an unsupported row whose
source does not say why: then the loss is -log(p_neither + p_refute).
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gate.adapters.local_verifier.windows import sentences, window
from gate.text.tokens import keys, tokens
from training.data import Row

SUPPORT, REFUTE, NEITHER, PARTIAL = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.75, 0.25, 0.0)
MOSTLY_REFUTE = (0.1, 0.0, 0.9)
NOT_SUPPORT = None

MIX: dict[str, float] = {
    "fever-rte-dev": 27,
    "cadnli-train": 15,
    "cadnli-test": 3,
    "snli-dev": 6.5,
    "snli-test": 6.5,
    "fm2-dev": 6.5,
    "scifact-rte-train": 3.5,
    "factcheckgpt-train": 7,
    "begin-wow-dev": 2,
    "begin-cmu-dev": 1,
    "summedits-ectsum-all": 1.7,
    "summedits-samsum-all": 1.8,
    "summedits-sales_email-all": 1.5,
    "wice-claim-doc-dev": 1.2,
    "wice-claim-oracle-dev": 2.4,
    "wice-nst-gold-train": 1.5,
    "joined claims": 3,
    "other evidence": 2,
    "swapped detail": 2,
}
"""Share of the draws in percent, the last three made from supported and refuted rows."""
PADDED = 0.1
"""Share of short-evidence rows that get sentences of other rows around their evidence."""


@dataclass(frozen=True, slots=True)
class Pair:
    claim: str
    evidence: str
    target: tuple[float, float, float] | None
    weight: float = 1.0


def target(row: Row) -> tuple[float, float, float] | None:
    """Say what the source's label means for support, refutation and neither."""
    label = row.label.lower()
    if row.label3 == "supported":
        return SUPPORT
    if row.label3 == "weakly_supported":
        return PARTIAL
    if label in {"contradiction", "refutes", "refute"}:
        return REFUTE
    if label in {"neutral", "irrelevant", "not_supported"}:
        return NEITHER
    return MOSTLY_REFUTE if label == "not_entailment" else NOT_SUPPORT


class Mixer:
    """Draws pairs for ever, in the shares of `MIX`; the same seed gives the same pairs."""

    def __init__(self, rows: list[Row], idf: dict[str, float], weights: dict[Row, float], seed: int) -> None:
        self.chance = random.Random(seed)
        self.idf, self.weights = idf, weights
        self.sets: dict[str, list[Row]] = defaultdict(list)
        for row in rows:
            self.sets[row.set].append(row)
        self.short = self.sets["fever-rte-dev"] + self.sets["fm2-dev"] + self.sets["scifact-rte-train"]
        self.supported = [row for row in self.short + self.sets["factcheckgpt-train"] if row.supported]
        self.related = _related(self.short)
        self.queues: dict[str, list[Row]] = {}
        self.names = list(MIX)

    def __iter__(self) -> Iterator[Pair]:
        makers: dict[str, Callable[[], Pair]] = {
            "joined claims": self._joined,
            "other evidence": self._other_evidence,
            "swapped detail": self._swapped,
        }
        while True:
            name = self.chance.choices(self.names, [*MIX.values()])[0]
            yield makers[name]() if name in makers else self._plain(self._next(name))

    def _next(self, name: str) -> Row:
        if not self.queues.get(name):
            self.queues[name] = self.chance.sample(self.sets[name], len(self.sets[name]))
        return self.queues[name].pop()

    def _plain(self, row: Row) -> Pair:
        evidence = list(row.evidence)
        if row.set in {"fever-rte-dev", "fm2-dev", "scifact-rte-train"} and self.chance.random() < PADDED:
            evidence = self._padded(row, evidence)
        return Pair(row.claim, self._window(row.claim, evidence), target(row), self.weights.get(row, 1.0))

    def _padded(self, row: Row, evidence: list[str]) -> list[str]:
        others = [text for _ in range(self.chance.randint(1, 3)) for text in self._neighbour(row).evidence]
        place = self.chance.randint(0, len(others))
        return others[:place] + evidence + others[place:]

    def _neighbour(self, row: Row) -> Row:
        """Another row of the same subject where there is one, half of the time."""
        near = self.related.get(_subject(row), [])
        choices = near if len(near) > 1 and self.chance.random() < 0.5 else self.short
        for _ in range(8):
            other = self.chance.choice(choices)
            if other.claim != row.claim and not set(other.evidence) & set(row.evidence):
                return other
        return self.chance.choice(self.short)

    def _joined(self) -> Pair:
        """Two claims in one: supported only when both are, partly when one is."""
        first = self._next("fever-rte-dev")
        near = self.related.get(_subject(first), [])
        second = self.chance.choice(near if len(near) > 1 else self.short)
        joint = (
            f"{first.claim.strip(' .')}, and {second.claim.strip()}"
            if self.chance.random() < 0.5
            else (f"{first.claim.strip()} {second.claim.strip()}")
        )
        evidence = list(dict.fromkeys((*first.evidence, *second.evidence)))
        held = first.supported + second.supported
        meant = SUPPORT if held == 2 else (0.4, 0.2, 0.4) if held else MOSTLY_REFUTE
        return Pair(joint, self._window(joint, evidence), meant)

    def _other_evidence(self) -> Pair:
        row = self.chance.choice(self.short)
        evidence = [text for _ in range(self.chance.randint(1, 3)) for text in self._neighbour(row).evidence]
        return Pair(row.claim, self._window(row.claim, evidence), (0.85, 0.0, 0.15))

    def _swapped(self) -> Pair:
        """A supported claim with one number or name replaced by another that may well stand in the evidence."""
        for _ in range(20):
            row = self.chance.choice(self.supported)
            if changed := self._swap(row):
                return Pair(changed, self._window(changed, list(row.evidence)), MOSTLY_REFUTE)
        return self._plain(row)

    def _swap(self, row: Row) -> str | None:
        words = tokens(row.claim)
        numbers = [word.text for word in words if word.number and word.text.isdecimal()]
        if numbers and self.chance.random() < 0.6:
            old = self.chance.choice(numbers)
            new = str(max(0, int(old) + self.chance.choice((-10, -3, -2, -1, 1, 2, 3, 10))))
        else:
            names = [word.text for word in words[1:] if word.capital]
            pool = [word.text for text in self._neighbour(row).evidence for word in tokens(text)[1:] if word.capital]
            pool += [word.text for text in row.evidence for word in tokens(text)[1:] if word.capital]
            pool = [name for name in pool if name not in names and name not in row.claim]
            if not names or not pool:
                return None
            old, new = self.chance.choice(names), self.chance.choice(pool)
        changed = re.sub(rf"\b{re.escape(old)}\b", new, row.claim)
        return changed if changed != row.claim else None

    def _window(self, claim: str, evidence: list[str]) -> str:
        return evidence_window(claim, evidence, self.idf)


def evidence_window(claim: str, evidence: list[str], idf: dict[str, float]) -> str:
    """Return the greedy window as one text, as the adapter does it."""
    cut = sentences(["\n".join(evidence)])
    unknown = idf[""]
    chosen = window(keys(claim), cut, lambda key: idf.get(key, unknown))
    return " ".join(cut[place].text for place in chosen)


def _subject(row: Row) -> str:
    """The first two capitalised words: what a FEVER claim is about."""
    return " ".join([word.key for word in tokens(row.claim) if word.capital][:2])


def _related(rows: list[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[_subject(row)].append(row)
    return found
