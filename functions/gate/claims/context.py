"""What a statement needs to be understood: the heading, lead-in, column names, question or sentence before it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gate.claims.markdown import Kind
from gate.claims.short_answers import leaves_open, short_answer
from gate.model import NonClaimReason
from gate.text.words import formulae
from gate.text.words.anaphora import ANAPHORS
from gate.text.words.bygone import names_the_past
from gate.text.words.function_words import SPEAKING
from gate.text.words.imperatives import IMPERATIVES, tells_to_do
from gate.text.words.negation import negated
from gate.text.words.untrue_titles import named
from gate.text.words.untruth import lists_drawbacks, refuses
from gate.text.words.verbs import ASSERTING, BE, FINITE, MODALS, NO_NOUNS

UNTRUE = "Untrue:"
"""What a statement under "Myths" is judged with, in whatever language and words its heading says so."""
LONGEST = 400
"""Characters of a context; of a longer one the end is kept."""
_POINTING = """there here former latter neither either none such same next other others both one ones that those then
therein thereof yes no dort dabei ja nein là oui non ambos sí entrambi sim daar er beide nee"""
_POINTERS = (ANAPHORS - SPEAKING).union(_POINTING.split())
_SHORT = 3
"""Words that tell something: a statement with fewer is taken to lean on what stands before it."""
_FRAGMENT = 6
"""Such words, and figures, of a statement that may lack what its title says."""
_MOST_OF_A_NAME = 6
_ADDRESSING = SPEAKING | {"let", "my", "our", "your"}
_EARLY = 2
"""Such words before a pronoun at most for it to point out of its sentence."""
_WITHIN: tuple[Kind, ...] = ("item", "row")
_DENYING = re.compile(r"(?i)^(?!.*\b(?:if|that|which|who|when|where|while|because)\b)[^,]*$")
"""The end of a lead-in whose negation is its own: "a door that won't lock" denies nothing."""
_PRESENTS = re.compile(r"(?i)\b(?:follow\w*|here|below|these|there|this|try|do)\b")
_ENDING = (FINITE - BE) | NO_NOUNS | {f"{verb}s" for verb in IMPERATIVES}
_OPEN = re.compile(rf"(?i)\b(?:(?:{'|'.join(sorted(MODALS))})(?:\s[^\W\d_]+){{1,3}}|{'|'.join(sorted(_ENDING))})\W*$")
"""A lead-in that ends at its verb, and lacks what comes after it: "You can return:", "The box contains:"."""
_NAMES = re.compile(rf"(?i)\b(?:{'|'.join(sorted(BE))})\W*$")
"""A lead-in that ends before the name of something: "The capital of Australia is:"."""
_NAME = 2
"""Words of such a name, which says nothing by itself."""


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
    opens: str = ""

    def completes(self, text: str, kind: Kind, level: int, block: int) -> str:
        """The lead-in or heading whose sentence an item of a list completes, "It does not cover:"; empty without one.

        What an item says may be the opposite of what it says there, so that it is not judged without it; a word or two
        under "The deposit is:" say nothing else. An item with a verb of its own is a sentence, unless what it stands
        under denies it. Whatever stands under "Old policy" was so.
        """
        old = self._bygone(kind, level) if kind != "heading" else ""
        if old:
            return f"{old.rstrip('*_: ')}:"
        if kind != "item" or block == self.block:
            return ""
        above = [self.items[depth] for depth in sorted(self.items) if depth < level]
        lead = next((one for one in reversed(above) if one.rstrip("*_ ").endswith((":", "："))), self.opens)
        goes_on = _is_open(lead) or (_NAMES.search(lead) and not _PRESENTS.search(lead) and len(text.split()) <= _NAME)
        if not lead or not (_denies(lead) or (goes_on and not _stands_alone(text))):
            return ""
        lead = lead.rstrip("*_ ")
        return lead if lead.endswith((":", "：")) else f"{lead}:"

    def titled(self, text: str, kind: Kind, level: int) -> str:
        """The title that a few words without a verb say something of: "Local folder", "Removed"; empty without one.

        Judged alone "Python 3.9" is as true under "Added" as under "Removed".
        """
        sentence = _stands_alone(text) or text.rstrip("*_ ").endswith((".", "!", "?"))
        if kind not in ("item", "paragraph") or sentence or _telling(text) > _FRAGMENT:
            return ""
        titles = [self.headings[depth] for depth in sorted(self.headings)]
        if kind == "item":
            titles += [self.items[depth] for depth in sorted(self.items) if depth < level]
        title = titles[-1].rstrip("*_: ") if titles else ""
        return f"{title}:" if _names_something(title) else ""

    def _bygone(self, kind: Kind, level: int) -> str:
        """A title of the past that it stands under: a heading, a lead-in or label, an item; a paragraph ends a list."""
        above = list(self.headings.values())
        if kind in _WITHIN or not self.items:
            above.append(self.opens)
        if kind in _WITHIN:
            above += [one for depth, one in self.items.items() if depth < level]
        return next(filter(names_the_past, above), "")

    def lists_drawbacks(self, kind: Kind, level: int, block: int) -> bool:
        """Whether it stands among what is bad of something: under "Cons:"."""
        return any(map(lists_drawbacks, self._above(kind, level, block)))

    def _above(self, kind: Kind, level: int, block: int) -> list[str]:
        """The titles that a statement stands under."""
        above = [title for depth, title in self.headings.items() if kind != "heading" or depth < level]
        if block != self.block:
            above.append(self.opens)
        if kind in _WITHIN:
            above += [self.lead, *(self.items[depth] for depth in sorted(self.items) if depth < level)]
        if kind == "row":
            above += self.head.split(", ")
        return above

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
            parts += [self._asked(), before]
        return " ".join(dict.fromkeys(part for part in parts if part))[-LONGEST:]

    def _asked(self) -> str:
        return self.question or ("" if self.before else self.prompt)

    def answers(self, text: str) -> tuple[str, ...]:
        """What a yes or no states by the question that stands before it; empty where none does."""
        found = short_answer(text, self._asked())
        return (found,) if found else ()

    def leaves_open(self, text: str) -> bool:
        """Whether it says no more than yes or no, and nobody can state to what."""
        return leaves_open(text, self._asked())

    def note(self, text: str, kind: Kind, level: int, block: int, reason: NonClaimReason | None, context: str) -> None:
        """Take notice of a statement that has been read, with the context that it needed."""
        self.block = block
        if kind != "item":
            leads = text.rstrip("*_ ").endswith((":", "：")) or kind == "heading" or bool(named(text))
            self.opens = text if leads and kind != "row" else ""
        if kind == "heading":
            self.headings = {depth: one for depth, one in self.headings.items() if depth < level} | {level: text}
            self.items, self.lead, self.before = {}, "", ""
        elif kind == "head":
            self.head = text
        elif kind == "item":
            self.items = {depth: one for depth, one in self.items.items() if depth < level}
            self.items[level] = text
        elif reason == "lead_in" or text.rstrip("*_ ").endswith(":") or (reason == "question" and named(text)):
            self.lead, self.items = text, {}
        elif reason == "heading":
            self.headings, self.lead = {9: text}, ""
        if reason == "question":
            self.question = text
        elif kind not in ("heading", "head") and reason not in ("greeting", "template", "sources", "markup"):
            self.question = "" if reason is None else self.question
            self.before = text if not context or kind in _WITHIN else f"{context} {text}"[-LONGEST:]


def _denies(lead: str) -> bool:
    end = lead.rpartition(", ")[2]
    return (negated(end) and bool(_DENYING.match(end))) or refuses(lead)


def _is_open(lead: str) -> bool:
    return bool(_OPEN.search(lead)) and not _PRESENTS.search(lead)


def _names_something(title: str) -> bool:
    """Whether a title is the name of what stands under it, and neither a question nor a sentence or a part of one."""
    words = formulae.words_of(title)
    plain = 0 < len(words) <= _MOST_OF_A_NAME and title[-1] not in "?!." and not _stands_alone(title)
    return plain and not _PRESENTS.search(title) and _ADDRESSING.isdisjoint(words)


def _stands_alone(text: str) -> bool:
    return bool(ASSERTING.search(text)) or tells_to_do(text)


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
