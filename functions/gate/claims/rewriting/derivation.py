"""Whether a claim that a model wrote derives from its sentence: by leaving out and resolving, and by nothing else.

A claim keeps the words of its sentence, in their order. It may leave out one side of an "and", and it may write for a
pronoun what stands before. Nothing else: no word changed, added or moved, so that who does it, to whom, how many, and
what is denied stay as the sentence has them. A sentence with a negation, or with a word that governs more than its
phrase, is kept whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gate.text.words.anaphora import ANAPHORS
from gate.text.words.function_words import DEFINITE_ARTICLES, languages
from gate.text.words.negation import negated
from gate.text.words.scope import COORDINATORS, GOVERNING

MOST_WORDS = 60
"""Of a sentence that may be split or resolved; a longer one stands as it is."""
_LONGEST_NAME = 6
"""Words of what may stand for a pronoun, without its article."""
_TOKEN = re.compile(r"\w+(?:['’]\w+|(?<=\d)[.,:]\d+)*|[^\w\s]")
_END = re.compile(r"(?<![.!?…\s])[.!?…\s]+$")
_WORD = re.compile(r"[^\W\d_]+(?:'\w+)?")


@dataclass(frozen=True)
class Sentence:
    """A sentence, and what stands before it.

    Attributes:
        text: on one line.
        context: the text before it; what a pronoun may stand for.
    """

    text: str
    context: str

    @cached_property
    def words(self) -> list[str]:
        """Words, figures and signs, in order."""
        return _words(self.text)

    @cached_property
    def anaphors(self) -> frozenset[int]:
        """Places of words that point to something else."""
        return frozenset(at for at, word in enumerate(self.words) if word.casefold() in ANAPHORS)

    @cached_property
    def joints(self) -> Sequence[range]:
        """Places of the words, with the comma before them, at which it may be cut; none where it is kept whole."""
        low = [word.casefold() for word in self.words]
        spoken = languages(low)
        if len(spoken) != 1 or negated(self.text):
            return []
        language = next(iter(spoken))
        if not GOVERNING[language].isdisjoint(low):
            return []
        joining = COORDINATORS[language] | {";"}
        return [range(at - (at > 0 and low[at - 1] == ","), at + 1) for at, word in enumerate(low) if word in joining]

    @cached_property
    def antecedents(self) -> Collection[tuple[str, ...]]:
        """What a pronoun may stand for: runs of words without a figure or a negation."""
        words = [word.casefold() for word in (*_words(self.context), "|", *self.words)]
        runs = (words[at : at + count] for at in range(len(words)) for count in range(1, _LONGEST_NAME + 1))
        return {tuple(run) for run in runs if all(_WORD.fullmatch(word) for word in run)}


def kept_words(claim: str, sentence: Sentence) -> frozenset[int] | None:
    """Places of the words of a sentence that a claim keeps or resolves; None where it does not derive from it."""
    words = _words(claim)
    if not words or len(sentence.words) > MOST_WORDS or len(words) > 2 * MOST_WORDS:
        return None
    return _Alignment(words, sentence).places(0, 0, uncut=True)


def joint_places(sentence: Sentence) -> frozenset[int]:
    """Places of the words that join its parts; no claim has to keep them."""
    return frozenset(at for joint in sentence.joints for at in joint)


class _Alignment:
    """The search for one way to derive a claim; each state is tried once."""

    def __init__(self, words: list[str], sentence: Sentence) -> None:
        self._words, self._sentence = words, sentence
        self._failed: set[tuple[int, int, bool]] = set()

    def places(self, at: int, place: int, *, uncut: bool) -> frozenset[int] | None:
        """The places kept from `place` on, for the words of the claim from `at` on."""
        if at == len(self._words) and place == len(self._sentence.words):
            return frozenset()
        if (at, place, uncut) in self._failed:
            return None
        for to, following, kept, still in self._steps(at, place, uncut=uncut):
            rest = self.places(to, following, uncut=still)
            if rest is not None:
                return rest | kept
        self._failed.add((at, place, uncut))
        return None

    def _steps(self, at: int, place: int, *, uncut: bool) -> Iterator[tuple[int, int, set[int], bool]]:
        if place < len(self._sentence.words) and at < len(self._words):
            if self._same(at, place):
                yield at + 1, place + 1, {place}, uncut
            if place in self._sentence.anaphors:
                yield from ((to, place + 1, {place}, uncut) for to in self._resolved(at))
        if uncut:
            yield from ((at, following, set(), False) for following in self._cuts(place))

    def _same(self, at: int, place: int) -> bool:
        ours, theirs = self._words[at], self._sentence.words[place]
        return ours == theirs or (min(at, place) == 0 and ours.casefold() == theirs.casefold())

    def _resolved(self, at: int) -> Iterator[int]:
        """Where what stands for a pronoun may end."""
        begin = at + (self._words[at].casefold() in DEFINITE_ARTICLES)
        for end in range(begin + 1, min(begin + _LONGEST_NAME, len(self._words)) + 1):
            run = [word.casefold() for word in self._words[begin:end]]
            run[-1] = run[-1].removesuffix("'s")
            if tuple(run) in self._sentence.antecedents and not negated(" ".join(run)):
                yield end

    def _cuts(self, place: int) -> Iterator[int]:
        """Where the sentence may go on after a part that is left out: the part begins or ends with what joins it."""
        for joint in self._sentence.joints:
            if joint.start == place:
                yield from range(joint.stop + 1, len(self._sentence.words) + 1)
            elif joint.start > place:
                yield joint.stop


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFC", _END.sub("", text)).replace("’", "'")
    return _TOKEN.findall(plain)
