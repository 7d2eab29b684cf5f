"""Titles, labels and lead-ins that call untrue what stands beneath them: "Myths", "Not true:"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

Named = Literal["", "many", "one", "topic"]
"""What a title names: falsehoods, of which each thing beneath it is one; a single one; or it tells about one, so that
nobody can say whether what stands right beneath it is told or denied: "The Myth of Atlantis", "Rumours"."""

Among = frozenset[Literal["facts", "works", "lore"]]
"""What else is in the answer: a title for what is true; books and the like; gods."""

UNTRUE = r"(?:false|wrong|untrue|incorrect|mistaken|inaccurate|baseless|unfounded|an?\ lie|fictitious|fabricated)"
WRONGLY = r"(?:falsely|wrongly|mistakenly|erroneously|incorrectly)"
SO = r"(?:true|so|right|correct|accurate|valid|the\ case)"
ELSEWHERE = (
    r"(?:falsch|unwahr|gelogen|nicht\ (?:wahr|richtig)|stimmt\ nicht|faux|fausse|pas\ vrai|falso|falsa|mentira|onwaar|"
    r"niet\ waar|неправда|неверно|ложь)"
)
_TALES = r"(?:myths|misconceptions|falsehoods|hoaxes|urban\ legends|old\ wives['’]\ tales)"
_MANY = (
    rf"(?:{_TALES}|lies|fake\ news|nonsense|misinformation|disinformation|mythen|irrtümer|lügen|mythes|idées\ reçues|"
    r"mensonges|mitos|mentiras|bulos|miti|bufale|leugens|fabels|мифы|заблуждения)"
)
_MASS = r"(?:fake\ news|nonsense|misinformation|disinformation)"
_LIES = r"(?:(?:common|popular|old|big|biggest|blatant|outright|white)\ )?(?:lies|lie)"
_LISTED = (
    r"(?:(?:some|of|the|these|following|more|few|several|many|common|popular|widespread|are)\ (?:\w+\ ){0,2}"
    rf"{_TALES}|"
    rf"(?:some|these|following|more|few|several|many|common|(?:of|are)(?:\ (?:the|our|their|his|her))?)\ {_LIES}|"
    rf"(?:some|this|these|such|following|more)\ {_MASS})"
)
"""Falsehoods in the middle of a lead-in; in "where the debate lies" there are none."""
_ONE = r"(?:myth|misconception|lie|falsehood|urban\ legend|irrtum|mythe|mensonge|mito|mentira|миф)"
_DOUBTFUL = r"(?:rumou?rs?|fakes?|hoax)"
_TOLD = (
    r"(?:myths?|misconceptions?|falsehoods?|hoax(?:es)?|urban\ legends?|old\ wives['’]\ tales|rumou?rs?|"
    r"mythen|irrtümer|lügen|mensonges|"
    rf"mentiras|bulos|bufale|leugens|мифы|заблуждения|"
    rf"(?:some|these|those|of\ the|most\ common|an?|our|their|heard|spreads?|tells?|told|believe|\d)\ {_LIES}|"
    rf"(?:the|these|such)\ {_MASS})"
)
_SAID = r"(?:claims|statements|answers|beliefs|ideas|information|facts|advice|sentences|assertions|assumptions)"
_ABOUT = r"(?:\ (?:about|on|around|regarding|concerning|über|sur|sobre|su|over|о)\ [^:]{1,80})?"
_BEFORE = (
    r"(?:\d+\W+)?(?:(?:some|the|these|this|that|other|more|few|a|an|all|top|biggest|most|common|popular|widespread|old|"
    r"persistent|frequent|clearly|plainly|simply|totally|completely|entirely|partly|mostly|is|are|here|there|below|"
    r"following|häufige|les|los|las|i)\W+)*"
)
_TITLED_MANY = re.compile(
    rf"""(?ix)
    ^\W*+{_BEFORE}
    (?:
      {_MANY}(?:\ (?:and|or|&)\ {_MANY})?(?!\ in\b){_ABOUT}
      | {UNTRUE}(?:\ {_SAID})?{_ABOUT} | fiction\ (?:about|on)\ [^:]{{1,80}} | {ELSEWHERE} | not\ {SO}
      | in\ (?:your|our|my)\ (?:wildest\ )?dreams
      | if\ only(?:\ (?:this|that|it|they|these)\ (?:was|were)\ (?:all\ )?{SO})?
      | (?:what|things)\ (?:\w+\ ){{1,3}}gets?\ wrong
    )\W*$
    """
)
_TITLED_ONE = re.compile(rf"(?ix)^\W*+{_BEFORE}(?:{_ONE}|{UNTRUE}\ (?:claim|statement|answer|belief|idea))\W*$")
_TITLED_TOPIC = re.compile(
    rf"""(?ix)
    ^\W*+(?!(?:how|why|what|when|history|origins?)\b)
    (?!.*\b(?:facts?|truths?|realit(?:y|ies))\ (?:and|or|vs\.?|versus|from)\b)
    (?:
      (?:[\w'’“”"-]+\ ){{0,3}}(?:{_ONE}|{_TALES}|{_DOUBTFUL})(?:\ (?:of|about|behind)\ [^:]{{1,80}})?
      | (?:[\w'’“”"-]+\ ){{0,3}}(?:(?:and|or|&)\ {_MANY}|{UNTRUE}\ {_SAID})
      | [\w'’-]+\ (?:lies|{_MASS})
      | (?:[\w'’-]+\ ){{0,2}}(?:{_ONE}|{_MANY}|{UNTRUE}\ {_SAID}|{_DOUBTFUL})
          \ (?:debunked|busted|exposed|corrected|dispelled)
    )\W*$
    """
)
_FICTION = re.compile(r"(?i)^\W*+(?:\d+\W+)?(?:(?:the|some|common|pure)\s)?fiction\W*$")
"""Beside a title for facts it is what is untrue; a kind of books where the answer speaks of any."""
_LORE = re.compile(r"(?i)^\W*+(?:\d+\W+)?(?:\w+\s){0,2}(?:myths?|legends?)(?:\s(?:of|from|and)\s[^:]{1,40})?\W*$")
"""Tales of gods, where the answer speaks of any; "Myths about gods" are no tales."""
_LED_MANY = re.compile(
    rf"""(?ix)
    \b(?:{_LISTED}(?:\ (?:and|or|&)\ {_MANY})?|(?:some|the|these|following|more|few|several|many)\ {UNTRUE}\ {_SAID})
      {_ABOUT}\W*$
    | \b(?:is|are)\ (?:\w+ly\ |just\ |also\ |all\ )?(?:{UNTRUE}|fiction)\W*$
    | \b(?:{UNTRUE}|not\ {SO}|fallacy|mistake\ to\ \w+)\ that\W*$
    | \bcontrary\ to\ (?:\w+\ ){{0,4}}that\W*$
    | \b(?:far\ from|anything\ but|opposite\ of)\ (?:the\ )?(?:true|truth)\W*$
    | \b(?:opposite|reverse)\ of\ (?:the\ following|this|these|what\ follows)(?:\ (?:is|holds)(?:\ \w+)?)?\W*$
    | (?<!if\ )(?<!that\ )\b(?:none|nothing)\ of\ (?:this|that|it|them|these|the\ following)
      (?:\ \w+)?\ (?:is|are)\ {SO}\W*$
    | \b(?:is|are)n['’]t\ {SO}\W*$
    | \b{WRONGLY}(?:\W+\w+)?(?:\ that)?\W*$
    | (?:\b(?:never|not|nobody|no\ one)|n['’]t)\ (?:[^\W\d_]+\ ){{0,2}}
        (?:believe|fall\ for|be\ (?:fooled|misled|deceived)\ by|take\ at\ face\ value)\b[^.!?]*$
    """
)
_LED_ONE = re.compile(
    rf"(?ix)\b{_TOLD}(?:\ [^:]{{1,60}})?\ (?:is|was|are)"
    r"(?:\ (?:that|this|these|as\ follows|the\ following))?\W*$"
    rf"|\b(?:an?|common|popular|widespread|old)\ {_ONE}\ (?:that|which)\ [^:]{{1,60}}:\W*$"
)
_LED_TOPIC = re.compile(
    rf"""(?ix)
    \b{_TOLD}\b(?!['’])(?!\ (?:[^\W\d_]+ly\ )?(?!(?:is|are|was|were|has\ been|this|about|as|us|his|always|perhaps)\b)
        (?:[a-z]{{2,20}}(?<![su]s)s|has|have|had|did|do|can|could|may|will|would|[a-z]{{2,20}}ed)\b)
    | \b(?:{UNTRUE}\ (?:{_SAID}|that)\b(?:\W+\w+){{0,2}}\W*$|(?:some|these|many|of\ the|common)\ {UNTRUE}\ {_SAID}\b)
    | \b(?:debunk|disprov)\w*
    | \b{WRONGLY}\b
    | \b(?:is|are|was|were)\ (?:\w+ly\ )?{UNTRUE}\b
    """
)
_DESCRIBES = re.compile(
    r"(?i)\b(?:why|how|reasons?|factors?|causes?|details?|histor\w+|origins?|background|behind|evidence|success|"
    r"stor(?:y|ies)|explain\w*|contribut\w+|led to|leads? to|arose|facts (?:about|on|of)|due to|because|tips|ways|"
    r"steps|include|including)\b"
)
"""Beneath "Factors that contributed to the hoax include:" the truth is told."""
_ASKS_FOR_LIES = re.compile(r"(?i)^\W*+(?:which|what|welche[rs]?|was|quel(?:le)?s?|cuál(?:es)?|qual[ei]?)\b.*\?\W*$")
_FACTS = re.compile(
    r"(?i)^\W*+(?:\d+\W+)?(?:the\s)?(?:facts?|truths?|realit(?:y|ies)|true|fakten?|faits?|hechos?|fatti|fatos)\b[^\s]{0,3}$"
)
_WORKS = re.compile(r"(?i)\b(?:novels?|books?|authors?|films?|movies?|literature|poems?|poetry|genres?|readers?)\b")
_GODS = re.compile(r"(?i)\b(?:gods?|goddess(?:es)?|deit(?:y|ies)|mytholog\w*|folklore)\b")
_LONGEST = 160


def named(title: str, among: Among = frozenset()) -> Named:
    """What a heading, label or lead-in says of what stands beneath it."""
    bare = title.rstrip("*_ ")
    asks, leads = bare.endswith("?"), bare.endswith((":", "："))
    if len(title) > _LONGEST or (asks and not _ASKS_FOR_LIES.match(title)):
        return ""
    if _LORE.match(title) and "lore" in among:
        return ""
    if _FICTION.match(title):
        return "many" if "facts" in among else "" if "works" in among else "topic"
    if _TITLED_MANY.match(title):
        return "many"
    if _TITLED_ONE.match(title):
        return "one"
    if _DESCRIBES.search(title):
        return ""
    if _TITLED_TOPIC.match(title):
        return "topic"
    return _led(title) if asks or leads else ""


def _led(lead: str) -> Named:
    if _LED_MANY.search(lead):
        return "many"
    if _LED_ONE.search(lead):
        return "one"
    return "topic" if _LED_TOPIC.search(lead) else ""


def among(titles: Iterable[str], answer: str) -> Among:
    """What else is in an answer, its titles and sentences given."""
    found: set[Literal["facts", "works", "lore"]] = set()
    if any(map(_FACTS.match, titles)):
        found.add("facts")
    if _WORKS.search(answer):
        found.add("works")
    if _GODS.search(answer):
        found.add("lore")
    return frozenset(found)
