"""Stand-ins that keep the rules of the ports they stand in for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from gate.model import NONE_KNOWN, Answer, Check, Document, Known
from gate.ports import Judged, Question
from gate.prompts.fencing import unfence


class WordVerifier:
    """A verifier that counts words: a claim is supported when one passage holds all of its words, weakly supported
    when it holds half of them."""

    name = "words/1"

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Judge by the passage that holds the most."""
        words = _words(claim)
        texts = [document["content"] for document in documents]
        share, place = max((len(words & _words(text)) / len(words), place) for place, text in enumerate(texts))
        label, reason = ("supported", "entailed") if share == 1 else ("weakly_supported", "partial")
        if share < 0.5:
            label, reason = "unsupported", "not_mentioned"
        answer = Answer(
            label=label,
            justification=f"{share:.0%} of the words are there.",
            reason=reason,
            quote=texts[place].split(".")[0],
            documents=(place,),
            scores={one: 0.8 if one == label else 0.1 for one in ("supported", "weakly_supported", "unsupported")},
        )
        return Judged(answer, self.name)

    def checks(
        self, claim: str, answer: Answer, documents: Sequence[Document], known: Known = NONE_KNOWN
    ) -> tuple[Check, ...]:
        """None: it looks at words alone."""
        del claim, answer, documents
        return ()


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def replying(text: str) -> Callable[[Question], str]:
    """A script that gives this reply, `{d1}`, `{d2}`, … replaced by the handles of the prompt's documents."""

    def reply(question: Question) -> str:
        handles = unfence(question.text).handles
        said = text
        for number, handle in enumerate(handles, 1):
            said = said.replace(f"{{d{number}}}", handle)
        return said

    return reply
