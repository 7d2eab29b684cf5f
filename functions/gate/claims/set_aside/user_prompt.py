"""What the user asked: read once, however many sentences answer it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from gate.text.questions import SENTENCES, asks_whether, begins_asking
from gate.text.tokens import keys
from gate.text.words import formulae


@dataclass(frozen=True)
class UserPrompt:
    """A prompt, which may be far longer than its answer: it may hold the documents to answer from."""

    text: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """Its words, its numbers, and their keys."""
        return frozenset([*formulae.words_of(self.text), *re.findall(r"\d+", self.text), *keys(self.text)])

    @cached_property
    def given(self) -> frozenset[str]:
        """Those of its words that it asks no yes or no of: to say them again answers that."""
        told = (one for one in SENTENCES.split(self.text) if not asks_whether(one))
        return UserPrompt("\n".join(told)).words if self.asks_whether else self.words

    @cached_property
    def asks(self) -> bool:
        """Whether it asks anything."""
        return "?" in self.text or begins_asking(self.text)

    @cached_property
    def asks_whether(self) -> bool:
        """Whether it is to be answered by yes or no."""
        return asks_whether(self.text)


NO_PROMPT = UserPrompt()
