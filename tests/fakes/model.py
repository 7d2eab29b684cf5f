"""Stand-ins that keep the rules of the ports they stand in for."""

from __future__ import annotations

import re

from gate.ports import Reply
from gate.rules.fencing import unfence
from gate.rules.verdict_parsing import Answer, render_answer


class WordModel:
    """A language model that counts words: a claim is supported when one passage holds all of its words, weakly
    supported when it holds half of them."""

    name = "words/1"

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Answer as a model would, in the format that the prompt asks for."""
        fenced = unfence(prompt)
        claim = _words(fenced.claim)
        share, handle, text = max(
            (len(claim & _words(text)) / len(claim), handle, text) for handle, text in fenced.documents
        )
        label, reason = ("supported", "entailed") if share == 1 else ("weakly_supported", "partial")
        if share < 0.5:
            label, reason = "unsupported", "not_mentioned"
        justification = f"{share:.0%} of the words are there."
        return Reply(render_answer(_answer(label, reason, justification, text, handle)), model=self.name)


def _answer(label: str, reason: str, justification: str, text: str, handle: str) -> Answer:
    scores = {one: 0.8 if one == label else 0.1 for one in ("supported", "weakly_supported", "unsupported")}
    return Answer(
        label=label,  # type: ignore[arg-type]
        justification=justification,
        reason=reason,  # type: ignore[arg-type]
        quote=text.split(".")[0],
        documents=[handle],  # type: ignore[arg-type]
        scores=scores,  # type: ignore[arg-type]
    )


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
