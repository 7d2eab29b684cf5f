"""What the evidence says of "Plan 9" is not said of "Plan 7"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from gate.decision.passages import Figures, Passage, words_of
from gate.text.figures.numbered import Numbered

Holds = Callable[[Figures], bool]
MOST = 12
"""Names of a claim that are looked at."""


def alone(names: Sequence[Numbered]) -> list[Numbered]:
    """Those of a claim's names whose word has no other number behind it: "Plan 7 and Plan 9" are compared with none."""
    counted = Counter(one.word for one in names)
    return [one for one in names if counted[one.word] == 1][:MOST]


def told_of_another(
    names: Iterable[Numbered], has: Holds, rival: Holds, sentences: Sequence[Passage]
) -> tuple[Numbered, Numbered] | None:
    """The name of a claim that its evidence gives another figure, and the one that it gives the claim's figure.

    Args:
        names: of the claim, the figure itself left out.
        has: whether figures hold the claim's; `rival`: whether they hold one that could stand for it.
        sentences: of the evidence.

    Returns:
        None where some sentence has the figure and names nothing of the kind, or the claim's own.
    """
    having = [sentence for sentence in sentences if has(sentence.figures)]
    for name in names:
        others = [_other(name, sentence) for sentence in having]
        first = next(filter(None, others), None)
        if first is None or not all(one and not _is_figure(one, has, rival) for one in others):
            continue
        if any(_is_named(name, one) and rival(one.figures) for one in sentences):
            return name, first
    return None


def all_told_of_another(
    claim: str, names: Iterable[Numbered], sentences: Sequence[Passage]
) -> tuple[Numbered, Numbered] | None:
    """The name of a claim, and another one of which a sentence has all the words that the claim says.

    None where there is none, where nothing is said of the claim's own, and where that has the words too.
    """
    words = words_of(claim)
    for name in names:
        own = [one for one in sentences if _is_named(name, one)]
        others = (_other(name, one) for one in sentences if words <= one.words)
        other = next(filter(None, others), None)
        if own and other and not any(words <= one.words for one in own):
            return name, other
    return None


def _is_figure(name: Numbered, has: Holds, rival: Holds) -> bool:
    """Whether the number of a name is the figure itself: "Form 1099"."""
    figures = Figures([name.number], [])
    return has(figures) and rival(figures)


def _is_named(name: Numbered, sentence: Passage) -> bool:
    return any(
        one.word == name.word and not one.number.written.isdisjoint(name.number.written) for one in sentence.numbered
    )


def _other(name: Numbered, sentence: Passage) -> Numbered | None:
    """What a sentence names with another number in place of the claim's."""
    if _is_named(name, sentence):
        return None
    return next((one for one in sentence.numbered if one.word == name.word), None)
