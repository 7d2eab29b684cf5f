"""What the user asked: read once, however many sentences answer it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

from gate.claims.set_aside.sentence import NOTHING
from gate.text.questions import (
    QUESTION,
    SENTENCES,
    asks_indirectly,
    asks_what,
    asks_whether,
    asks_within,
    begins_asking,
)
from gate.text.tokens import keys
from gate.text.words import formulae
from gate.text.words.function_words import DETERMINERS, PRONOUNS
from gate.text.words.verbs import WITH_SUBJECT

_GREETING = frozenset().union(*formulae.GREETING.values())
_MOST_ASKED = 2_000
"""Characters of what the user says: a prompt that holds documents tells of others."""


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
        """Those of its words that it asks no yes or no of: to say them again answers that.

        "How do I appeal, and can I do it now?" asks how first.
        """
        if not (self.asks_whether or self.asks_indirectly):
            return self.words
        plain = (asks_what(one) or not (_asks_whether(one) or asks_indirectly(one)) for one in self._sentences)
        told = compress(self._sentences, plain)
        return UserPrompt("\n".join(told)).words

    @cached_property
    def asks(self) -> bool:
        """Whether it asks anything."""
        return "?" in self.text or begins_asking(self.text)

    @cached_property
    def asks_of_a_matter(self) -> bool:
        """Whether it asks of something: "Where is it?"; "Then?" and "First?" do not."""
        names = any(word not in NOTHING for word in formulae.words_of(self.text))
        return self.asks and (begins_asking(self.text) or names)

    @cached_property
    def asks_whether(self) -> bool:
        """Whether it is to be answered by yes or no."""
        return any(map(_asks_whether, self._sentences))

    @cached_property
    def asks_indirectly(self) -> bool:
        """Whether it is to be answered so, and only says that it asks: "Tell me whether it is so"."""
        return asks_indirectly(self.text)

    @cached_property
    def tells(self) -> bool:
        """Whether it asks nothing and says something that a yes agrees to: "I want to pay in bitcoin."."""
        asks = any(QUESTION.search(one) or begins_asking(one) for one in self._sentences)
        return not asks and len(self.text) <= _MOST_ASKED and any(map(_states, self._sentences))

    @cached_property
    def _sentences(self) -> list[str]:
        return [stripped for one in SENTENCES.split(self.text) if (stripped := _without_greeting(one))]


def _without_greeting(sentence: str) -> str:
    """A sentence of a user without the words of courtesy that it begins with; empty where it has no others."""
    words = list(formulae.WORD.finditer(sentence))
    first = next((one.start() for one in words if one[0].casefold() not in _GREETING), None)
    return "" if words and first is None else sentence[first or 0 :].strip()


def _asks_whether(sentence: str) -> bool:
    return asks_whether(sentence) or (len(sentence) <= _MOST_ASKED and asks_within(sentence))


def _states(sentence: str) -> bool:
    """Whether it begins with what it tells of: "I bought it", "The lamp is old"; "Explain it" and "Lamps" do not."""
    words = formulae.words_of(sentence)
    return words[:1] != [] and (
        words[0] in PRONOUNS or (words[0] in DETERMINERS and not WITH_SUBJECT.isdisjoint(words))
    )


NO_PROMPT = UserPrompt()
