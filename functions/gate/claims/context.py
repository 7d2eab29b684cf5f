"""What a statement needs to be understood: the heading, lead-in, column names, question or sentence before it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gate.claims.markdown import Kind
from gate.model import NonClaimReason
from gate.text.words import formulae
from gate.text.words.anaphora import ANAPHORS
from gate.text.words.function_words import SPEAKING

LONGEST = 400
"""Characters of a context; of a longer one the end is kept."""
_POINTING = """there here former latter neither either none such same next other others both one ones that those then
therein thereof yes no dort dabei ja nein là oui non ambos sí entrambi sim daar er beide nee"""
_POINTERS = (ANAPHORS - SPEAKING).union(_POINTING.split())
_SHORT = 3
"""Words that tell something: a statement with fewer is taken to lean on what stands before it."""
_EARLY = 2
"""Such words before a pronoun at most for it to point out of its sentence."""
_WITHIN: tuple[Kind, ...] = ("item", "row")


@dataclass(slots=True)
class Surroundings:
    """What has been read of a turn so far, as far as the next statement may need it; `prompt`: what the user asked."""

    prompt: str = ""
    headings: dict[int, str] = field(default_factory=dict)
    items: dict[int, str] = field(default_factory=dict)
    head: str = ""
    lead: str = ""
    question: str = ""
    before: str = ""
    block: int = -1

    def context(self, text: str, kind: Kind, level: int, block: int) -> str:
        """What a statement of a block of that kind, level and place needs; empty where it stands alone.

        Of an item of a list the item before it says nothing, only the sentence before it within the item.
        """
        leaning = leans(text)
        if kind not in _WITHIN and not leaning:
            return ""
        heading = self.headings[max(self.headings)] if self.headings and (kind == "row" or brief(text)) else ""
        parts = [heading, self.lead]
        if kind == "item":
            parts += [self.items[depth] for depth in sorted(self.items) if depth < level]
        elif kind == "row":
            parts.append(self.head)
        if leaning:
            before = self.before if kind != "item" or block == self.block else ""
            parts += [self.question or ("" if self.before else self.prompt), before]
        return " ".join(dict.fromkeys(part for part in parts if part))[-LONGEST:]

    def note(self, text: str, kind: Kind, level: int, block: int, reason: NonClaimReason | None, context: str) -> None:
        """Take notice of a statement that has been read, with the context that it needed."""
        self.block = block
        if kind == "heading":
            self.headings = {depth: one for depth, one in self.headings.items() if depth < level} | {level: text}
            self.items, self.lead, self.before = {}, "", ""
        elif kind == "head":
            self.head = text
        elif kind == "item":
            self.items = {depth: one for depth, one in self.items.items() if depth < level}
            self.items[level] = text
        elif reason == "lead_in" or text.rstrip("*_ ").endswith(":"):
            self.lead, self.items = text, {}
        elif reason == "heading":
            self.headings, self.lead = {9: text}, ""
        if reason == "question":
            self.question = text
        elif kind not in ("heading", "head") and reason not in ("greeting", "template", "sources", "markup"):
            self.question = "" if reason is None else self.question
            self.before = text if not context or kind in _WITHIN else f"{context} {text}"[-LONGEST:]


def leans(text: str) -> bool:
    """Whether a statement cannot stand alone: it is short, or points to something before it."""
    telling = 0
    for word in formulae.words_of(text):
        if word in _POINTERS and telling <= _EARLY:
            return True
        telling += word not in _SMALL
    return _telling(text) < _SHORT


def brief(text: str) -> bool:
    """Whether it has so few words that only its heading may say what they are about."""
    return _telling(text) <= _SHORT


def _telling(text: str) -> int:
    return sum(word not in _SMALL for word in formulae.words_of(text)) + len(re.findall(r"\d+", text))


_SMALL = frozenset().union(*formulae.HOLDING.values())
