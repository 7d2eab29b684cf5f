"""Words that hold a sentence together and carry little by themselves; they also tell languages apart."""

from __future__ import annotations

from collections.abc import Iterable

from gate.text.words.verbs import AUXILIARIES, COPULAS

_ARTICLES = "a an the"
_DETERMINERS = "this that these those its his her their our your my each every some any no either such same"
_PRONOUNS = "he him she hers it itself they them themselves theirs one other both"
_SPEAKING = "i me mine we us ours you yours"
_RELATIVES = "who whom whose which what when where why how while whether"
_PREPOSITIONS = """of in on at to for from by with about above after against before below between during into like onto
over per than through under until till upon via within without"""
_COORDINATING = "and or but nor so then yet"
_SUBORDINATING = "if as because since although though whereas"
_PARTICLES = """all also even ever few here however just less many more most much off once only out own there thus too
up very"""


ARTICLES = frozenset(_ARTICLES.split())
DETERMINERS = ARTICLES.union(_DETERMINERS.split())
SPEAKING = frozenset(_SPEAKING.split())
"""Pronouns for who speaks and who is spoken to."""
PRONOUNS, RELATIVES = SPEAKING.union(_PRONOUNS.split()), frozenset(_RELATIVES.split())
PREPOSITIONS, SUBORDINATORS = frozenset(_PREPOSITIONS.split()), frozenset(_SUBORDINATING.split())
CONJUNCTIONS = SUBORDINATORS.union(_COORDINATING.split())
_ENGLISH = DETERMINERS.union(PRONOUNS, RELATIVES, PREPOSITIONS, CONJUNCTIONS, AUXILIARIES, _PARTICLES.split())
FUNCTION_WORDS = _ENGLISH - {"no", "nor", "without"}
"""English words that nobody misses; a negation is none of them."""

_DEFINITE = {
    "de": "der die das dem den",
    "fr": "le la les",
    "es": "el los la las lo",
    "it": "il lo la gli le i",
    "pt": "o a os as",
    "nl": "de het",
}
_OTHERS = {
    "de": """des ein eine einer eines einem einen und oder hat haben er sie es wir ich mit von zu zum zur im in am an
        auf für bei aus nach über um als wie dass wird werden nur auch sich""",
    "fr": """un une des du de d et ou est ont a il elle ils elles nous vous je on ce cette ces dans sur pour par avec en
        au aux que qui se sa son ses""",
    "es": """un una unos unas y o era está están ha han de del al a en con por para que se su sus""",
    "it": """un uno una e o era ha hanno di del della dei da dal in nel nella con per che si su al""",
    "pt": """um uma e ou era foi está tem de do da dos das em na nos nas com por para que se ao à seu sua""",
    "nl": "een en of is zijn was waren heeft hebben van in op met voor te aan bij naar uit dat die er ook als",
    "sv": "en ett och eller är var har hade i på av med för till från som det den de att om",
    "da": "en et og eller er var har havde i på av med for til fra som det den de at om",
}
DEFINITE_ARTICLES = frozenset(["the", *" ".join(_DEFINITE.values()).split()])
"""Of the languages that write them as words of their own and of no other meaning."""
BY_LANGUAGE = {"en": FUNCTION_WORDS} | {
    language: frozenset(f"{listed} {_DEFINITE.get(language, '')} {COPULAS.get(language, '')}".split())
    for language, listed in _OTHERS.items()
}
"""Language → its function words, of those in Latin script whose negations are known; Danish is Norwegian too."""


def languages(words: Iterable[str]) -> frozenset[str]:
    """The languages that share most function words with a text; all of them where it holds none.

    Args:
        words: of the text, in lower case.
    """
    words = list(words)
    counts = {language: sum(word in known for word in words) for language, known in BY_LANGUAGE.items()}
    most = max(counts.values())
    return frozenset(language for language, count in counts.items() if count == most)
