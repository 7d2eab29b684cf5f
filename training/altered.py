"""Claims altered at random, of which nobody says what they are now: the encoder learns that from a teacher.

A word goes over into its contrary or a neighbour, two names of the claim change places, a number or a name comes from
elsewhere, a few words are lost; or the claim stays and its evidence loses a sentence, or is a plain sentence of a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gate.adapters.local_verifier.windows import sentences
from gate.text.tokens import tokens
from training.data import OURS, Row
from training.pairs import NOT_SUPPORT, Mixer, Pair

CONTRARIES = (
    ("more", "less", "fewer"), ("before", "after", "during"), ("increases", "reduces", "affects"), ("above", "below"),
    ("increased", "decreased", "changed"), ("all", "some", "most", "no", "many"), ("always", "sometimes", "never"),
    ("must", "may", "cannot", "should"), ("can", "cannot", "must"), ("first", "last", "second"), ("and", "or"),
    ("higher", "lower"), ("with", "without"), ("is", "is not", "was"), ("are", "are not"), ("was", "was not"),
    ("largest", "smallest", "second largest"), ("at least", "at most", "exactly"), ("and", "but not"),
    ("both", "neither"), ("only", "also"), ("because", "although", "before"), ("causes", "prevents", "follows"),
    ("to", "from"), ("if", "unless"), ("usually", "rarely", "always"), ("better", "worse"), ("older", "younger"),
    ("won", "lost"), ("up to", "more than"), ("every", "one", "no"), ("has", "has no", "had"), ("by", "for"),
    ("until", "since"), ("required", "optional"), ("allows", "forbids", "requires"), ("supports", "does not support"),
    ("large", "small"), ("new", "old"), ("early", "late"), ("north", "south"), ("east", "west"), ("male", "female"),
    ("days", "weeks", "hours"), ("month", "year", "week"), ("million", "billion", "thousand"), ("same", "different"),
    ("rise", "fall"),
)  # fmt: skip


class Altered:
    """Pairs without a target, for ever, from the rows of a mixer."""

    def __init__(self, mixer: Mixer) -> None:
        self.mixer, self.chance = mixer, mixer.chance
        long = [row for row in mixer.passages if len(" ".join(row.evidence).split()) > 60]
        short = [row for name in ("fm2-dev", "scifact-rte-train", "begin-wow-dev") for row in mixer.sets[name]]
        ours = [row for name in OURS for row in mixer.sets[name]]
        self.pools = (ours, long, short, mixer.sets["fever-rte-dev"])
        self.words = {one: group for group in CONTRARIES for one in group}
        self.of_words = re.compile(rf"\b(?:{'|'.join(sorted(self.words, key=len, reverse=True))})\b")

    def __iter__(self) -> Iterator[Pair]:
        ways: tuple[tuple[float, Callable[[str, Row], str | None]], ...] = (
            (4, self._contrary),
            (2, self._exchanged),
            (2, self._of_elsewhere),
            (2, self._shortened),
            (2, lambda claim, _: claim),
        )
        shares, makers = zip(*ways, strict=True)
        while True:
            row = self.chance.choice(self.chance.choices(self.pools, (5, 3, 1, 1))[0])
            claim = row.claim if self.chance.random() < 0.7 else self._sentence(row)
            made = self.chance.choices(makers, shares)[0](claim, row)
            if not made:
                continue
            evidence = [one.text for one in sentences(["\n".join(row.evidence)])]
            if made == row.claim or self.chance.random() < 0.25:
                evidence.pop(self.chance.randrange(len(evidence)))
            if evidence:
                said = self.mixer.said_otherwise(made)
                yield Pair(said, self.mixer.window(said, evidence), NOT_SUPPORT, 0.0)

    def _sentence(self, row: Row) -> str:
        """A sentence of the row's own text that could be a claim; the row's claim without one."""
        fit = [one.text for one in sentences(["\n".join(row.evidence)]) if 6 <= len(one.text.split()) <= 35]
        return self.chance.choice(fit) if fit else row.claim

    def _contrary(self, claim: str, row: Row) -> str | None:
        found = list(self.of_words.finditer(claim))
        if not found:
            return None
        at = self.chance.choice(found)
        other = self.chance.choice([one for one in self.words[at[0]] if one != at[0]])
        return claim[: at.start()] + other + claim[at.end() :]

    def _exchanged(self, claim: str, row: Row) -> str | None:
        """Two names or numbers of the claim in each other's place."""
        names = sorted({word.text for word in tokens(claim)[1:] if word.capital or word.number})
        if len(names) < 2:
            return None
        one, other = self.chance.sample(names, 2)
        turned = {one: other, other: one}
        return re.sub(rf"\b(?:{re.escape(one)}|{re.escape(other)})\b", lambda at: turned[at[0]], claim)

    def _of_elsewhere(self, claim: str, row: Row) -> str | None:
        """A name or a number that the evidence has elsewhere in the place of one of the claim's."""
        own = [word.text for word in tokens(claim)[1:] if word.capital or word.number]
        kinds = {word.text: word.number for text in (*row.evidence, claim) for word in tokens(text)}
        others = [word.text for text in row.evidence for word in tokens(text)[1:] if word.capital or word.number]
        if not own or not others:
            return None
        old = self.chance.choice(own)
        fit = [one for one in others if one not in own and kinds[one] == kinds.get(old)]
        return re.sub(rf"\b{re.escape(old)}\b", self.chance.choice(fit), claim, count=1) if fit else None

    def _shortened(self, claim: str, row: Row) -> str | None:
        words = claim.split()
        if len(words) < 8:
            return None
        size = self.chance.randint(1, 3)
        at = self.chance.randrange(1, len(words) - size)
        return " ".join(words[:at] + words[at + size :])
