"""A sentence, and what is asked of it whatever it is taken for: what it tells, takes for granted, holds in a clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gate.claims.attribution.source_marks import NUMBERED
from gate.claims.markdown import Kind
from gate.text.figures.quantities import find_quantities
from gate.text.tokens import keys
from gate.text.words import formulae
from gate.text.words.negation import NEGATIONS
from gate.text.words.verbs import IRREGULAR

FIGURE = re.compile(r"\d|https?:|[\w.]@[\w.]|[/\\]\w+[/\\.]|[%$€£¥₹]")
"""Something that can be wrong by itself."""
SYMBOLS = re.compile("(?:[\u249c-\u24e9\u2801-\u28ff\U0001f110-\U0001f189]\\s?){2}|(?:[\U0001f1e6-\U0001f1ff]\\s?){3}")
"""Letters in circles or squares, Braille, and more letters for flags than one flag has: read, but no `\\w`."""
TICKS = re.compile(
    "[\u2705\u2713\u2714\u2611\u274c\u274e\u2717\u2718\u2716\u26d4\U0001f6ab\U0001f44c-\U0001f44e\U0001f4af\U0001f197]"
)
"""Ticks, crosses and thumbs, with which a question is answered without a word."""
SIGNS = re.compile("[+\u00b1\u2022\u25a0-\u27bf\u2b1b-\u2b55\U0001f000-\U0001faff]")
"""Whatever may stand for a yes in a cell of a table."""
ENDS = re.compile(r"[.!?。！？।։…]['\"”’»)*_\]]*$")
_COMPLEMENT = re.compile(r"(?i)\b(?:that|dass|daß|che|dat)\s(?P<rest>.+)|(?<!-ce )(?<!plus )\bque\s(?P<que>.+)")
REASONS = (
    "because|since|although|though|while|whereas|weil|obwohl|denn|car|bien que|porque|aunque|perché|benché|embora|omdat"
)
"""Conjunctions of a clause that gives a reason for another, or speaks against it."""
_SUBORDINATE = re.compile(
    r"(?i)(?:[,;(–—]\s*(?:(?:in|of|for|at|on|to|from|by|with|under)\s)?(?:which|who|whom|whose|where)"
    r"|[,;(–—]\s*(?:der|die|das|dem|den|deren|dessen|welche[rsnm]?|qui|dont|lequel|laquelle|quien|cual|cui|"
    r"quale|waar\w*)"
    rf"|\b(?:{REASONS}|given|so that|as if|considering|due to|thanks to|after|once|während|parce|puisque|puesto"
    r"|mientras|poiché|mentre|enquanto|hoewel|terwijl))\b(?P<rest>.+)"
)
"""A clause within a sentence that states what it holds."""
BRACKETS = re.compile(r"[(\[](?P<inside>[^()\[\]]{3,300})[)\]]")
PRESUPPOSING = re.compile(
    r"(?i)\b(?:why|how come|when|where|who|whose|how(?! (?:long|much|many|often|far|high|old|big|large|tall|deep|to|"
    r"can|could|may|should)\b)|warum|wieso|weshalb|wann|wer|pourquoi|quand|qui|por qué|cuándo|quién|perché|quando|chi|"
    r"por que|quem|waarom|wanneer|wie)\b(?P<rest>.*)"
)
"""A question about a part of what it takes for granted."""
_WHY = re.compile(r"(?i)\b(?:why|warum|pourquoi|por qué|perché|waarom)\b(?P<rest>.*)")
REDUCED = re.compile(
    r"(?i)^\W*(?:(?:the|some|all|a|an)\s)?(?!(?:to|how|for|of|in|on|at|by|with|from|between|about)\s)[^\W\d_]{1,30}\s"
    r"(?:the|our|their|his|her|its)\s[^\W\d_]{1,30}\s[^\W\d_]"
)
"""A clause behind what is announced, without "that": "the steps the court forbade"."""
NO_PAST = (
    "based|provided|given|listed|related|called|recommended|required|needed|used|asked|described|involved|included"
)
PAST = re.compile(rf"(?<![\w-])(?!(?:{NO_PAST})\b)[a-z]{{2,}}ed\b")
VERB_S = re.compile(
    r"(?<=[\w’'] )[a-z]{2,}(?<![su]s)(?<!i)s(?= (?!of\b|in\b|and\b|or\b|for\b|to\b|on\b|with\b|at\b|by\b|from\b)\w)"
)
"""In a heading: a word that may be a verb of the third person, with something behind it: "Corvex cures cancer"."""
PAST_AFTER = re.compile(
    rf"(?<=\w )(?!(?:{NO_PAST}|started|learned|advanced|detailed|need|feed|seed|speed|breed)\b)"
    r"[a-z]{2,30}ed\b(?=\s\w)"
)
DENIED = re.compile(
    rf"(?i)n['’]t\b|(?<![\w'’-])(?!no\.?\s?\d)(?:{'|'.join(sorted(NEGATIONS - {'personne', 'mai'}))})(?![\w'’])"
)
NUMBERED_SOURCE = re.compile(rf"(?i)\b{NUMBERED}")
NUMBERED_NAME = re.compile(r"\b[A-Z]\w*\s\d+\b")
QUOTED = re.compile(r"[\"“„«][^\"“”„«»]{1,300}[\"”“»]")


@dataclass(frozen=True)
class Sentence:
    """A sentence, with what is asked of it again and again.

    Attributes:
        prompt: words that the user said, and their keys.
        followed: whether more of the answer comes right after it.
        alone: whether it is all of its line or item.
        told: words, and their keys, of what is judged elsewhere in the answer.
    """

    text: str
    kind: Kind
    prompt: frozenset[str]
    followed: bool
    alone: bool = False
    told: frozenset[str] = frozenset()

    @cached_property
    def words(self) -> list[str]:
        return formulae.words_of(self.text)

    @cached_property
    def figures(self) -> bool:
        """Whether it holds a figure, an address or a path that the user has not named."""
        text = NUMBERED_SOURCE.sub(" ", self.text)
        if not FIGURE.search(text) and not any(not one.vague for one in find_quantities(text)):
            return False
        named = re.findall(r"\d+", text)
        return not named or not set(named) <= self.prompt

    @cached_property
    def announces(self) -> bool:
        """Whether it ends in a colon, and more comes after it."""
        return self.followed and self.text.rstrip("*_ ").endswith((":", "："))

    def new(self, text: str) -> list[str]:
        """The words of a part of it that tell something, and that the user has not said."""
        return [word for word in formulae.words_of(text) if word not in NOTHING and not self.asked(word)]

    def untold(self, text: str) -> list[str]:
        """The new words of a part of it that no claim of the answer has, in whatever form."""
        return [word for word in self.new(text) if word not in self.told and self.told.isdisjoint(keys(word))]

    def asked(self, word: str) -> bool:
        """Whether the user has said it, in whatever form: "tells" is the user's "tell"."""
        return word in self.prompt or not self.prompt.isdisjoint(keys(word))


NOTHING = frozenset().union(
    *(
        table[language]
        for table in (formulae.HOLDING, formulae.COURTESY, formulae.LEADING, formulae.OPINION)
        for language in formulae.LANGUAGES
    ),
    formulae.SOURCES,
    formulae.SAYING,
    formulae.KNOWING,
    formulae.LACKING,
)


def closes(words: Sequence[str], known: formulae.Lists, core: formulae.Lists, free: Sequence[str] = ()) -> bool:
    """Whether, in one of the languages, every word is known or free, and one is of `core`."""
    return any(
        not core[language].isdisjoint(words) and all(word in known[language] or word in free for word in words)
        for language in formulae.LANGUAGES
    )


def either(*tables: formulae.Lists) -> formulae.Lists:
    return {language: frozenset().union(*(table[language] for table in tables)) for language in formulae.LANGUAGES}


HOLDING = either(formulae.HOLDING, formulae.COURTESY)
ANNOUNCING = either(formulae.LEADING, formulae.COURTESY, formulae.OPINION)
KNOWN = either(formulae.HOLDING, ANNOUNCING)


def embeds(one: Sentence) -> bool:
    """Whether a clause within it, or what stands in brackets, states something."""
    for pattern in (_COMPLEMENT, _SUBORDINATE):
        for found in pattern.finditer(one.text):
            rest = next((part for part in found.groups() if part), "")
            relative = (pattern is _SUBORDINATE and found[0][0] in ",;(–—") or PAST.match(rest)
            if len(one.new(rest)) >= (1 if relative else 2) or _denies_that_there_is(rest):
                return True
    return any(
        len(one.new(found["inside"])) > 1 or FIGURE.search(found["inside"]) for found in BRACKETS.finditer(one.text)
    )


def _denies_that_there_is(clause: str) -> bool:
    """Whether it says that there is none of something else than information: "because there is no other way"."""
    words = formulae.words_of(clause)
    return "there" in words and formulae.INFORMATION.isdisjoint(words) and bool(DENIED.search(clause))


def takes_for_granted(one: Sentence) -> bool:
    """Whether it asks, or says that it will tell, why or how something is that nobody has said."""
    found = PRESUPPOSING.search(one.text)
    new = one.new(found["rest"]) if found else []
    return len(new) > 2 or bool(one.figures and new)


def names(one: Sentence) -> list[str]:
    found = re.findall(r"(?<=[\w,] )[A-ZÀ-Þ]\w+", one.text)
    return [name for name in found if name.casefold() not in NOTHING and not one.asked(name.casefold())]


def why(one: Sentence) -> bool:
    """Whether it speaks of why something is so, or when or how it was, that the user has not said."""
    found = _WHY.search(one.text)
    if found and len(one.new(found["rest"])) > 1:
        return True
    asked = PRESUPPOSING.search(one.text)
    rest = asked["rest"] if asked else ""
    was = PAST_AFTER.search(rest) or not IRREGULAR.isdisjoint(formulae.words_of(rest))
    return bool(was and len(one.new(rest)) > 2)
