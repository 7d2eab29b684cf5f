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

from gate.adapters.local_verifier.windows import WIDE_WORDS, sentences, window
from gate.text.tokens import keys, tokens
from training.crowding import CROWDED as LOOKALIKES
from training.crowding import Crowd
from training.data import OURS, Row
from training.technical import technical

SUPPORT, REFUTE, NEITHER, PARTIAL = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.75, 0.25, 0.0)
MOSTLY_REFUTE = (0.1, 0.0, 0.9)
NOT_SUPPORT = None

MIX: dict[str, float] = {
    "fever-rte-dev": 12,
    "cadnli-train": 7,
    "cadnli-test": 1.5,
    "snli-dev": 2,
    "snli-test": 2,
    "fm2-dev": 5,
    "scifact-rte-train": 3,
    "factcheckgpt-train": 8,
    "begin-wow-dev": 3.5,
    "begin-cmu-dev": 3,
    "summedits-ectsum-all": 2.5,
    "summedits-samsum-all": 2.5,
    "summedits-sales_email-all": 2.5,
    "wice-claim-doc-dev": 3,
    "wice-claim-oracle-dev": 4,
    "wice-nst-gold-train": 1.5,
    "factcg-doc-train": 12,
    "factcg-musique-train": 4,
    "written": 40,
    "chat": 100,
    "pages": 100,
    "elsewhere": 180,
    "joined claims": 4,
    "other evidence": 20,
    "withheld evidence": 2,
    "swapped detail": 3,
    "swapped roles": 2,
    "added detail": 6,
    "two sentences": 7,
    "left out detail": 1,
    "handbook": 5,
}
"""Share of the draws, in no unit; those after the sets are made, all but the last from rows of the sets."""
PADDED = 0.1
"""Share of short-evidence rows that get sentences of other rows around their evidence."""
CROWDED = 0.45
"""Share of rows of short evidence that stand among lookalikes from their set, as a search returns them."""
SPOKEN = 0.2
"""Share of claims that are said in an answer's manner, whatever their label."""
PASSAGES = ("factcheckgpt-train", "factcg-doc-train", "factcg-musique-train", "wice-claim-doc-dev", "begin-cmu-dev")
"""Sets whose evidence is prose of several sentences."""
WORDS, WORD_SHARES = (90, 120, 180, 240), (1, 3, 3, 3)
"""How long the window over longer evidence is, in words."""
MANNERS = (
    "According to passage {n}, {c}", "Based on the passages given, {c}", "Yes, {c}", "As the text says, {c}",
    "In short, {c}", "{C} (passage {n}).", "The passages say that {c}", "It is worth noting that {c}", "Overall, {c}",
    "Also, {c}", "Passage {n} mentions that {c}", "- {C}", "{n}. {C}", "To sum up, {c}", "In addition, {c}",
    "As passage {n} explains, {c}",
)  # fmt: skip
LOWERED = {"The", "There", "A", "An", "It", "He", "She", "They", "In", "This", "These", "One", "Some", "Most", "You"}
DETAIL = re.compile(r" (?:in|at|by|from|with|since|during|after|before|for|near|because of) [^,.;()]{4,40}$")
ROLES = re.compile(
    r"([A-Z][\w.'-]*(?: [A-Z][\w.'-]*)*) "
    r"((?!(?:is|was|has) [A-Z])(?:(?:was|is) )?[a-z]+(?:ed|s|wrote|older|larger|smaller|before|after)(?: by| than)?) "
    r"([A-Z][\w'-]*(?: [A-Z][\w'-]*)*)\."
)
"""A name, a verb and another name."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim, a window of evidence and what is wanted; `new`: of a kind that earlier weights got wrong."""

    claim: str
    evidence: str
    target: tuple[float, float, float] | None
    weight: float = 1.0
    new: bool = False


def target(row: Row) -> tuple[float, float, float] | None:
    """Say what the source's label means for support, refutation and neither."""
    label = row.label.lower()
    if row.label3 == "supported":
        return SUPPORT
    if row.label3 == "weakly_supported":
        return PARTIAL
    if label in {"contradiction", "refutes", "refute"}:
        return REFUTE
    if label in {"neutral", "irrelevant", "not_supported"} or row.set.startswith("factcg"):
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
        self.crowd = Crowd(rows, idf)
        self.passages = [row for name in PASSAGES for row in self.sets[name]]
        self.true_of_passages = [row for row in self.passages if row.supported]
        self.details = [found for row in self.short if (found := _detail(row.claim))]
        self.queues: dict[str, list[Row]] = {}
        self.documents = {
            name: [(one, frozenset(keys(" ".join(one)))) for one in sorted({row.evidence for row in self.sets[name]})]
            for name in OURS
        }
        self.names, self.shares = list(MIX), list(MIX.values())

    def __iter__(self) -> Iterator[Pair]:
        makers: dict[str, Callable[[], Pair]] = {
            "elsewhere": self._elsewhere,
            "joined claims": self._joined,
            "other evidence": self._other_evidence,
            "withheld evidence": self._withheld,
            "swapped detail": self._swapped,
            "swapped roles": self._roles_swapped,
            "added detail": self._added,
            "two sentences": self._two_sentences,
            "left out detail": self._left_out,
            "handbook": self._handbook,
        }
        while True:
            name = self.chance.choices(self.names, self.shares)[0]
            yield makers[name]() if name in makers else self._plain(self._next(name))

    def _next(self, name: str) -> Row:
        if not self.queues.get(name):
            self.queues[name] = self._beside_twins(name) if name in OURS else self._shuffled(self.sets[name])
        return self.queues[name].pop()

    def _shuffled(self, rows: list[Row]) -> list[Row]:
        return self.chance.sample(rows, len(rows))

    def _beside_twins(self, name: str) -> list[Row]:
        """Written sentences, each next to its twins: of a batch that holds both, only what tells them apart is left."""
        groups: dict[str, list[Row]] = defaultdict(list)
        for row in self.sets[name]:
            groups[row.id.rpartition(".")[0]].append(row)
        return [row for group in self.chance.sample(list(groups.values()), len(groups)) for row in group]

    def _plain(self, row: Row) -> Pair:
        evidence = list(row.evidence)
        if row.set in LOOKALIKES and self.chance.random() < CROWDED:
            evidence = self._crowded(row)
        elif row.set in {"fever-rte-dev", "fm2-dev", "scifact-rte-train"} and self.chance.random() < PADDED:
            evidence = self._padded(row, evidence)
        claim = self.said_otherwise(row.claim)
        words = WIDE_WORDS if row.set in OURS else None  # of one length, twins come into one batch
        window = self.window(claim, evidence, words)
        return Pair(claim, window, target(row), self.weights.get(row, 1.0))

    def said_otherwise(self, claim: str) -> str:
        """The claim, at times in an answer's manner: what it says stays the same."""
        if self.chance.random() >= SPOKEN:
            return claim
        first, _, rest = claim.strip().partition(" ")
        low = f"{first.lower() if first in LOWERED else first} {rest}"
        said = self.chance.choice(MANNERS).format(n=self.chance.randint(1, 5), c=low, C=claim.strip())
        return said.replace(". (", " (").replace("..", ".")

    def _crowded(self, row: Row) -> list[str]:
        """The row's evidence among lookalikes of its set."""
        found = ["\n".join(row.evidence), *self.crowd.lookalikes(row)]
        self.chance.shuffle(found)
        return found

    def _padded(self, row: Row, evidence: list[str]) -> list[str]:
        others = self._others(row)
        place = self.chance.randint(0, len(others))
        return others[:place] + evidence + others[place:]

    def _others(self, row: Row) -> list[str]:
        return [text for _ in range(self.chance.randint(1, 3)) for text in self._neighbour(row).evidence]

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
        if self.chance.random() < CROWDED:
            evidence = list(dict.fromkeys((*self._crowded(first), *evidence)))
        held = first.supported + second.supported
        meant = SUPPORT if held == 2 else (0.4, 0.2, 0.4) if held else MOSTLY_REFUTE
        return Pair(joint, self.window(joint, evidence), meant)

    def _other_evidence(self) -> Pair:
        row = self.chance.choice(self.short)
        evidence = self.crowd.lookalikes(row) if row.set in LOOKALIKES and self.chance.random() < 0.5 else []
        evidence = evidence or self._others(row)
        return Pair(row.claim, self.window(row.claim, evidence), (0.85, 0.0, 0.15))

    def _elsewhere(self) -> Pair:
        """A sentence of ours, true of its own document or not, beside passages of others: how it sounds says nothing.

        Half of the time the others are three; else one, the nearest of a dozen by the words of the claim.
        """
        row = self.chance.choice(self.sets[self.chance.choices(OURS, [MIX[name] for name in OURS])[0]])
        documents = self.documents[row.set]
        others = [one for one in self.chance.sample(documents, min(len(documents), 13)) if one[0] != row.evidence]
        said = set(keys(row.claim))
        nearest, _ = max(others, key=lambda one: len(said & one[1]))
        passages = list(nearest) if self.chance.random() < 0.5 else [text for one, _ in others[:3] for text in one]
        passages = self.chance.sample(passages, min(len(passages), 10))
        claim = self.said_otherwise(row.claim)
        words = WIDE_WORDS if self.chance.random() < 0.5 else None
        return Pair(claim, self.window(claim, passages, words), NEITHER, new=True)

    def _withheld(self) -> Pair:
        """A claim about an article without the sentences that a person marked as its support."""
        row = self._next("wice-claim-doc-dev")
        marked = {place for places in row.extra["supporting_sentences"] for place in places}
        rest = [text for place, text in enumerate(row.evidence) if place not in marked]
        if not marked or not rest:
            return self._plain(row)
        return Pair(row.claim, self.window(row.claim, rest), (0.85, 0.05, 0.1))

    def _added(self) -> Pair:
        """A true claim and one detail of another: a part of it is supported."""
        short = self.chance.random() < 0.6
        row = self.chance.choice(self.supported if short else self.true_of_passages or self.supported)
        detail = self.chance.choice(self.details)
        evidence = self._crowded(row) if self.chance.random() < CROWDED else list(row.evidence)
        if set(keys(detail)) <= set(keys(" ".join(evidence))) or _detail(row.claim):
            return self._plain(row)
        claim = self.said_otherwise(f"{row.claim.strip(' .')}{detail}.")
        return Pair(claim, self.window(claim, evidence), (0.75, 0.15, 0.1))

    def _two_sentences(self) -> Pair:
        """Two sentences of a document in one claim; half of the time the document has lost one of them."""
        row = self.chance.choice(self.passages)
        cut = [one.text for one in sentences(["\n".join(row.evidence)])]
        fit = [place for place, text in enumerate(cut) if 6 <= len(text.split()) <= 28 and text.endswith(".")]
        if len(fit) < 3:
            return self._plain(row)
        at = self.chance.randrange(len(fit) - 1)
        first, second = fit[at], fit[min(len(fit) - 1, at + self.chance.randint(1, 4))]
        claim = self.said_otherwise(
            f"{cut[first].strip(' .')}{self.chance.choice(('. ', ', and ', '; '))}{cut[second]}"
        )
        lost = self.chance.choice((cut[first], cut[second])) if self.chance.random() < 0.5 else None
        meant = (0.8, 0.15, 0.05) if lost else SUPPORT
        return Pair(claim, self.window(claim, [text for text in cut if text != lost]), meant)

    def _left_out(self) -> Pair:
        """A true claim without its last detail: still true, so that no end of a sentence gives a label away."""
        row = self.chance.choice(self.supported)
        detail = _detail(row.claim) if len(row.claim.split()) > 8 else ""
        claim = row.claim.strip(" .").removesuffix(detail) + "." if detail else row.claim
        evidence = self._crowded(row) if self.chance.random() < CROWDED else list(row.evidence)
        return Pair(claim, self.window(claim, evidence), (0.1, 0.9, 0.0) if detail else SUPPORT)

    def _roles_swapped(self) -> Pair:
        """A true claim whose two names have changed places around the verb."""
        for _ in range(30):
            row = self.chance.choice(self.supported)
            if (found := ROLES.fullmatch(row.claim.strip())) and found[1] != found[3]:
                claim = f"{found[3]} {found[2]} {found[1]}."
                return Pair(claim, self.window(claim, list(row.evidence)), MOSTLY_REFUTE)
        return self._plain(row)

    def _handbook(self) -> Pair:
        claim, documents, meant = technical(self.chance)
        return Pair(claim, self.window(claim, documents), meant)

    def _swapped(self) -> Pair:
        """A supported claim with one number or name replaced by another that may well stand in the evidence."""
        for _ in range(20):
            row = self.chance.choice(self.supported)
            if changed := self._swap(row):
                return Pair(changed, self.window(changed, list(row.evidence)), MOSTLY_REFUTE)
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

    def window(self, claim: str, evidence: list[str], words: int | None = None) -> str:
        return evidence_window(claim, evidence, self.idf, words or self.chance.choices(WORDS, WORD_SHARES)[0])


def evidence_window(claim: str, evidence: list[str], idf: dict[str, float], words: int) -> str:
    """Return the greedy window as one text, as the adapter does it."""
    cut = sentences(["\n".join(evidence)])
    unknown = idf[""]
    chosen = window(keys(claim), cut, lambda key: idf.get(key, unknown), words)
    return " ".join(cut[place].text for place in chosen)


def _detail(claim: str) -> str:
    """The phrase that ends the claim, such as " in Paris" or " with his brother"; empty without one."""
    found = DETAIL.search(claim.strip(" ."))
    return found[0] if found else ""


def _subject(row: Row) -> str:
    """The first two capitalised words: what a FEVER claim is about."""
    return " ".join([word.key for word in tokens(row.claim) if word.capital][:2])


def _related(rows: list[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[_subject(row)].append(row)
    return found
