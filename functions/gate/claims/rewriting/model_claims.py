"""Which claims that a model read out of a sentence stand for it.

The answer under examination is an attacker's text, and it may have talked the model into anything. So the model may
split a sentence and say what a pronoun stands for; whatever is not plainly that is replaced by the sentence itself, and
on a model's word alone no sentence is set aside.
"""

from __future__ import annotations

from collections.abc import Sequence

from gate.claims.rewriting.derivation import Sentence, joint_places, kept_words
from gate.prompts.readings import CONTEXT_CHARS

MOST_CLAIMS = 12
"""Claims of one sentence; one that is said to make more stands as it is."""


def accepted_claims(sentences: Sequence[str], context: str, reading: Sequence[Sequence[str]]) -> list[list[str]]:
    """The claims that stand for each sentence; the sentence itself where what was read of it does not hold.

    Args:
        context: the text before the sentences.
        reading: the claims that a model read out of each.
    """
    found: list[list[str]] = []
    before = context
    for sentence, read in zip(sentences, reading, strict=True):
        claims = list(dict.fromkeys(read))
        before = before[-CONTEXT_CHARS:]
        found.append(claims if claims and _stand_for(claims, Sentence(sentence, before)) else [sentence])
        before = f"{before}\n{sentence}"
    return found


def _stand_for(claims: Sequence[str], sentence: Sentence) -> bool:
    """Whether each claim derives from the sentence, and together they leave out no word of it."""
    if len(claims) > MOST_CLAIMS:
        return False
    kept = set(joint_places(sentence))
    for claim in claims:
        places = kept_words(claim, sentence)
        if places is None:
            return False
        kept |= places
    return len(kept) == len(sentence.words)
