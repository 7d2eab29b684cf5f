"""What a sentence does with its statement beside making it: asks, denies, supposes, reports, or takes it back."""

from __future__ import annotations

import re
from collections.abc import Collection

from gate.text.clauses import statements
from gate.text.tokens import keys, tokens
from gate.text.words.function_words import FUNCTION_WORDS
from gate.text.words.negation import negated

_UNTRUE = r"(?:false|wrong|untrue|incorrect|mistaken|inaccurate|baseless|unfounded|a lie|fiction|fictitious|fabricated)"
_BELIEF = r"(?:claims?|belief|idea|notion|assumption|impression|view|theory|statement|assertion|suggestion|reports?)"
_DENIAL = re.compile(
    rf"""(?ix)
    (?:^\W*|\b(?:an?|the|this|that|common|popular|widespread|old)\ (?:\w+\ )?)myths?\b
    | \b(?:it['’]?s|it\ is|it\ was|the)\ (?:an?\ )?(?:\w+\ )?fallacy\ (?:that|to|of\ (?:believ|think|assum)ing)\b
    | \b(?:misconceptions?|hoax(?:es)?|urban\ legends?|old\ wives['’]\ tales?)\b
    | \b(?:debunk|disprov|refut|discredit)\w*
    | \b(?:falsely|wrongly|mistakenly|erroneously|incorrectly)\b
    | \b(?:is|are|was|were|be|been|as|prov\w+)\ (?:\w+ly\ |just\ |also\ )?{_UNTRUE}\b(?!\ (?:with|about|for|to)\b)
    | \b{_UNTRUE}(?:\ \w+)?\ that\b
    | ^\W*(?:{_UNTRUE}|not\ true)\s*[:–—-]
    | \bcontrary\ to\ (?:\w+\ ){{0,3}}{_BELIEF}\ that\b
    | \b(?:refus|declin|neglect|omitt|ceas)\w*\ to\b
    | \bdenie[sd]\ (?:that|having|any|being)\b
    | \b(?:anything\ but|far\ from\ being|rumou?rs?\ (?:to\ the\ contrary))\b
    """
)
_SUPPOSED = re.compile(
    r"""(?ix)
    \b(?:allegedly|alleged|alleges?|reportedly|supposedly|supposed|purported(?:ly)?|rumou?r(?:s|ed)?|hearsay)\b
    | \b(?:is|are|was|were)\ (?:said|believed|thought|claimed)\ to\b
    | \b(?:would|could|might|should)\ (?:\w+ly\ |also\ |even\ )?have\b(?!\ to\b)
    | \bwould\b
    | \bmight\b(?!\ (?:not|have)\b)
    | \b(?-i:may)\b(?!\ not)
    | \b(?:propos|plann?|intend|consider|offer|threaten)(?:e?s|e?d|ing)?\ (?:to|that|for)\b
    | \b(?:plans?|proposals?)\ (?:to|for)\b
    """
)
_UNREAL = re.compile(r"(?i)\b(?:if|unless|were|propos\w+|plan|plans|planned|bill|draft)\b")
_GOVERNED = 3
"""How many words after such a one it speaks of."""
_OPEN = re.compile(
    r"(?i)\b(?:would|could|might|may|can|should|will|shall|if|whether|possibl[ey]|perhaps|likely|probably|potential\w*"
    r"|(?:want|hope|hoping|aim|tri|try|seek|striv)\w*)\b"
)
_THIS = r"(?:this|that|these|those|it|they|he|she|(?:the|this|that|these|such\ an?)\ (?:\w+\ ){1,2})"
_TAKEN_BACK = re.compile(
    rf"""(?ix)
    ^\W*(?:(?:but|however|yet|in\ fact|in\ reality|actually|unfortunately|later|today|now|of\ course),?\ )*
    (?:
      (?:this|that|all\ (?:this|that))\ (?:\w+\ )?(?:is|was|were|are|has|had|proved|turned\ out)
        \ (?:\w+\ ){{0,4}}?{_UNTRUE}\b
      | (?:this|that|it)\ (?:\w+\ )?(?:is|was|has\ been|had\ been)(?:n['’]t|\ not|\ never|\ hardly)\ (?:\w+\ )?
        (?:true|the\ case|so|right|correct|accurate|anymore|any\ more)\b
      | none\ of\ (?:this|that|it|these)\b
      | {_THIS}\s?(?:is|are|was|were|has|have|had)\ (?:\w+\ ){{0,3}}?(?:no\ longer|since\ (?:been\ )?\w+|repealed|
          revoked|withdrawn|abolished|cancelled|canceled|reversed|overturned|retracted|rescinded|debunked|disproved|disproven|
          superseded|discontinued|scrapped|abandoned|dropped)\b
      | {_THIS}\s?no\ longer\b
    )
    """
)
_AFFIRMED = re.compile(
    r"(?i)^\W*(?:yes|indeed|correct|right|true|certainly|of course|it (?:is|does|was|did|has|can)|"
    r"they (?:are|do|were|did|have|can)|you (?:can|may|do)|we (?:do|can)|ja|oui|sí|sì|да|はい)\b"
)


def affirms(text: str) -> bool:
    """Whether it begins by saying yes."""
    return bool(_AFFIRMED.search(text))


def framed(text: str) -> bool:
    """Whether a word calls the statement untrue: "it is a myth that", "falsely", "refused to"."""
    return bool(_DENIAL.search(text))


def denies(text: str) -> bool:
    """Whether it denies something, with a "not" or by calling it untrue; with both it is taken to do so too."""
    return framed(text) or negated(text)


def supposes(text: str, stated: Collection[str]) -> str:
    """The words by which it only supposes, plans or reports one of the `stated` keys; empty where it makes it plain."""
    for found in _SUPPOSED.finditer(text):
        if found[0].lower() == "would" and not _UNREAL.search(text):  # "in 1966 it would win": a story told
            continue
        governed = tokens(text[found.end() :][:80])[:_GOVERNED]
        if any(word.key in stated and word.text.lower() not in FUNCTION_WORDS for word in governed):
            return found[0]
    return ""


def leaves_open(text: str) -> bool:
    """Whether it does not assert plainly: it supposes, or holds a modal verb."""
    return bool(_SUPPOSED.search(text) or _OPEN.search(text))


def clause_about(text: str, stated: Collection[str]) -> str:
    """The clause of a sentence that has most of the `stated` keys: one of "it is false that A, but B"."""
    return max(statements(text), key=lambda clause: len(set(stated).intersection(keys(clause))))


def takes_back(text: str) -> bool:
    """Whether it begins by saying that what stood before it does not hold, or holds no more."""
    return bool(_TAKEN_BACK.search(text))
