"""What points at a source, such as `[1]`, `(Passage 3)` or "according to the handbook": no part of what is said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gate.claims.attribution.sources import OF_AN_ADDRESS, PUBLISHING, RELATIVE
from gate.claims.tags import Span
from gate.text.figures.quantities import find_quantities
from gate.text.words.formulae import SOURCES
from gate.text.words.function_words import ARTICLES, CONJUNCTIONS, DEFINITE_ARTICLES, FUNCTION_WORDS, PREPOSITIONS
from gate.text.words.negation import NEGATIONS
from gate.text.words.verbs import BE, FINITE, IRREGULAR, MEASURING

_NUMBER = r"\^?[1-9]\d{0,2}"
_LEFT = (
    r"(?<![^\W_])\ue200?cite(?:\ue202?turn\d{1,3}[a-z]{3,12}\d{1,3}){1,20}\ue201?"
    r"|(?::content|(?<!\w)content)Reference\[oaicite:\d{1,4}\]\{index=\d{1,4}\}"
    r"|\[cite:\s?\d{1,4}(?:\s?[,–-]\s?\d{1,4}){0,40}\]"
)
"""What chat products make links of, and leave in what is copied from them."""
_MARK = (
    rf"(?:\[{_NUMBER}(?:\s*[,;–-]\s*{_NUMBER})*\]|\[\^(?!(?:no|non|not|never|nicht|pas|niet)\])"
    r"[^\W_]{1,15}(?:[.-]\d{1,3})?\]"
    r"|【\d{1,3}(?::\d{1,3})?(?:†[\w.-]{0,60}(?: [A-Z\d][\w.-]{0,40}){0,5})?】|(?<![^\W_])[¹²³⁴-⁹]{1,3}(?![^\W_])"
    rf"|{_LEFT})"
)
_BEGINS = re.compile(rf"^(?:\s*{_MARK})+(?!\()\s*(?=(?P<next>[^\s\d]))")
_THERE = re.compile(rf"(?:\s*{_MARK})+\s*")
_BEHIND = re.compile(rf"(?<=[.!?…])\s+(?P<marks>{_MARK}(?:\s*{_MARK})*)\s*$")
_GO_ON = tuple("(:,;")
_ONE = re.compile(_MARK)
_MARKS = re.compile(rf"{_MARK}(?:\s*{_MARK})*")
_NO_FIGURE = ("[^", "【", "[cite", "\ue200", "cite", ":content", "content")
"""What marks begin with that are no amounts."""
_ONLY_NUMBERS = re.compile(r"(?:(?:\[\^|【)\d{1,3}[\]】]\s*)+")
"""Notes called by nothing but a number, which no window draws as such where they have no target."""
_JOINING = "|".join(sorted(CONJUNCTIONS.union(("while", "unless")) - {"as", "or", "nor"}))
CLAUSE_ENDS = re.compile(rf"\s*(?:[.,;:!?。，；：！？)»”\"]|$)|\s+(?:[–—]|(?:{_JOINING})\b(?!\s*\d))")
"""What stands behind a clause; in "[9] or 12 days" and "[9] and 12 days" a figure does."""
_OTHERS = """and or plus least most only every exactly around nearly number numbers numbered range interval set section
chapter page version"""
_BEFORE_A_FIGURE = MEASURING.union(BE, ARTICLES, PREPOSITIONS, _OTHERS.split())
_ASKS_FOR_A_FIGURE = re.compile(
    rf"(?i)(?:(?<![\w-])(?:{'|'.join(sorted(_BEFORE_A_FIGURE))})"
    r"|[=:,≈<>+*/-]|[为是約约达達需到有はがで])$"
)
"""What an amount may follow: in "The fee is [5]." the brackets hold what is said."""
_DIGIT = re.compile(r"\d")
_LONGEST_WORD = 40
_SHORT = 200
"""Characters before a mark that are looked at."""

_SOURCE = "|".join(sorted(SOURCES))
_NUMBERS = (
    r"(?:\d{1,3}|\[\d[\d\s,;–-]{0,20}\])"
    r"(?:(?:\s?[,&–-]\s?|\s(?:and|und|et|y|e|en|or)\s|,\sand\s)(?:passages?\s)?\d{1,3}){0,9}"
)
_HANDED = "given|provided|retrieved|vorliegenden|gegebenen|fournis"
_WHICH = (
    r"(?:(?:the|all|all of the|these|this|those|your|our|both|both of the|der|die|das|den|dem|le|la|les|l['’]|el|los|"
    r"las|lo|il|i|gli|o|os|a|as|de|het)\s?){0,2}"
    rf"(?:(?:{_HANDED}|available|above|following|three|two)\s){{0,2}}"
)
_PLACE = r"(?:\s?\((?:section|sec\.|page|p\.|abschnitt|seite|s\.|point)[^()]{1,40}\))?"
_THESE = (
    r"(?:(?:(?:all (?:of )?)?(?:the|these|this|those|your)|den|dem|der|die|das|les?|la|"
    r"il|lo|gli|los|las|el|os|het)\s|l['’])"
)
_GIVEN = rf"(?:(?:{_HANDED})\s)"
_SUCH = rf"(?:{_SOURCE})\b(?:\.(?=\s\d))?"
_AFTER = rf"(?:\s(?:provided|given|above))?{_PLACE}"
_LABELS = r"\[\d[\d\s,;–-]{0,20}\]"
_A_SOURCE = rf"(?:(?:{_WHICH}|{_THESE}(?!that\b)[^\W\d_]{{2,20}}\s){_SUCH}(?:\s(?:{_NUMBERS}))?{_AFTER}|{_LABELS})"
_THIS_SOURCE = (
    rf"(?:(?:{_THESE}{_GIVEN}?|{_GIVEN}){_SUCH}(?:\s(?:{_NUMBERS}))?{_AFTER}|{_SUCH}\s(?:{_NUMBERS}){_AFTER}|{_LABELS})"
)
"""A source that is plainly a given one; "in plain text" and "per article" name none."""
_CITING = (
    r"(?:according to|as (?:\w+ly )?(?:stated|described|mentioned|noted|explained|indicated|shown|"
    r"outlined|specified|seen|per) (?:in|by)|as per|laut|gemäß|d['’]après|según|"
    r"secondo(?=\s(?:il|la|lo|i|gli|le|l['’]))|segundo(?=\s(?:os?|as?)\s)|de acordo com|de acuerdo con|volgens)\s"
)
_BARE = r"(?:based (?:up)?on|per|from|in|nach|selon)\s"
_BY_A_SOURCE = rf"(?:{_CITING}{_A_SOURCE}|{_BARE}{_THIS_SOURCE})"
_HEADS = rf"(?:{_THIS_SOURCE}|(?:sources?|quellen?|fuentes?|font[ei]s?|bron(?:nen)?))"
_SAY = "states?|says?|mentions?|notes?|explains?|indicates?|suggests?|reports?|confirms?|describes?|shows?|adds?"
_SAYS = (
    rf"(?:(?:also|clearly|specifically|explicitly|all|both)\s){{0,2}}(?:{_SAY}|agrees?|tells? us|besagt|"
    r"sagt|dit|indique|dice|indica|diz|zegt)"
    r"\s(?:that|dass|que|che|dat)\s"
)
_CONNECTIVE = (
    r"(?:\W*(?:(?:so|also|and|but|then|now|in fact|additionally|furthermore|however|"
    r"therefore|thus|overall|note that|well|sure|yes|no)\b[\s,]*){0,2})"
)
_OPENS = rf"(?:{_CONNECTIVE}|[^\W\d_]{{3,15}},\s|(?:\d{{1,2}}[.)]\s)?[^:.!?]{{1,80}}:\s)"
"""What a sentence may begin with before its source: a connective, a word and a comma, a label."""
_GIVEN_NOUN = "passages?|sources?|documents?|excerpts?|snippets?"
NUMBERED = rf"(?:{_GIVEN_NOUN})\s\d{{1,2}}(?!\d)(?:(?:,|,?\s(?:and|or))\s\d{{1,2}}(?!\d)){{0,9}}"
"""Sources by the numbers of the answer's own: "passages 1 and 3"; an article or section of a law is none."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_TELLER = re.compile(
    rf"(?i)^(?P<before>{_OPENS})(?P<mark>(?:{NUMBERED}|the\s(?:{'|'.join(_ORDINALS)})\s(?:{_GIVEN_NOUN}))\s)"
    rf"(?=(?:(?:also|further|only|specifically)\s)?(?:{_SAY}|lists?|recommends?|advises?|defines?|provides?|"
    r"discuss(?:es)?|highlights?|specif(?:y|ies)|summari[sz]es?|focus(?:es)?)[,:]?\s"
    r"(?!(?:no|not|nothing|little|neither)\b))"
)
"""A source that tells something is taken out; what it tells, and that it recommends it, stays."""
_LEADING = re.compile(
    rf"(?i)^(?P<before>{_OPENS})(?P<mark>{_BY_A_SOURCE}(?:\s?,\s|\s(?=(?:ist|sind|wird|hat|kann|is|zijn)\b))|"
    rf"{_A_SOURCE}\s{_SAYS}|{_HEADS}\s?:\s)(?=\S)|^(?P<alone>{_HEADS}\s?:\s*$)"
)
_INNER = re.compile(rf"(?i),?\s{_BY_A_SOURCE}(?=\s?(?:[.,;:!?)]|$))")
_BRACKETED = re.compile(
    rf"(?i)\s?[(\[](?:see|siehe|cf\.|vgl\.|voir|ver|vedi|zie)?\s?(?:also\s)?(?:(?:from\s|"
    rf"in\s|based\son\s)?{_THIS_SOURCE}(?:,?\s(?:and\s)?(?:points?|sections?|pages?|p\.|pp\.)\s(?:{_NUMBERS}))*"
    rf"|(?P<named>(?:sources?|quelle|fuente|fonte|bron)\s?:\s[^()\[\]]{{1,80}})|(?<=see )(?:{_NUMBERS})"
    rf"|(?P<titled>[^()\[\]\d]{{3,80}},\s(?:pp?\.|page|section|sec\.|ch\.|§|S\.)\s?\d[\d.,–-]{{0,12}})|"
    rf"(?P<file>[\w./-]{{1,100}}\.(?:md|pdf|docx?|html))|https?://(?:(?![()\[\]]){OF_AN_ADDRESS}){{3,300}})[)\]]"
)
_CITES_BEFORE = re.compile(rf"(?i)\b{_CITING}{_WHICH}$")
_WORD = re.compile(r"[^\W\d_]+")
_PLACES = SOURCES | {"website", "site", "blog", "magazine", "journal"}
"""What another word in small letters may tell more of: "club website"."""
_ADDRESS = re.compile(r"https?://[^\s()\[\]]+")
_NAMES = re.compile(
    r"【(?P<place>\d{1,3}(?::\d{1,3})?)(?:†(?P<file>[^】]{0,300}))?】|\[\^(?P<label>[\w.-]{1,40})\]|"
    r"(?P<left>turn\d{1,3}[a-z]{3,12}\d{1,3}|oaicite:\d{1,4})(?:\]\{index=\d{1,4}\})?|"
    r"(?<![\w.])\^?(?P<first>\d{1,3})(?:\s?[–-]\s?\^?(?P<last>\d{1,3}))?(?![\w.]?\d)|"
    r"(?P<raised>[⁰¹²³⁴-⁹]{1,3})"
)
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MOST_IN_A_RANGE = 20
_NUMBERS_OF = re.compile(rf"(?i)\b(?:see|{_SOURCE})\.?\s(?:{_NUMBERS})|{_LABELS}")
_QUALIFIED = re.compile(rf"(?i)(?:\b(?P<before>[^\W\d_]{{2,20}})\s)?\b(?P<noun>{_SOURCE})\b")
_NO_NAME = (
    FUNCTION_WORDS | DEFINITE_ARTICLES | frozenset(f"{_HANDED}|available|above|following|this|these|those".split("|"))
)
"""Words before "handbook" that say nothing of which one it is."""


@dataclass(frozen=True, slots=True)
class Mark:
    """`text[start:end]` points at sources, which it names `cites`: numbers, labels, addresses or words."""

    start: int
    end: int
    cites: tuple[str, ...]


def marks(text: str) -> list[Mark]:
    """What in `text` points at sources, in order, with the blanks that set it off.

    Where an amount could stand, a number in brackets is no mark: what a reader may take for a figure is checked as one.
    """
    found = sorted((*_numbered(text), *_worded(text)), key=lambda mark: (mark.start, -mark.end))
    kept: list[Mark] = []
    for mark in found:
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


def _numbered(text: str) -> Iterator[Mark]:
    begins = _BEGINS.match(text)
    at = 0
    if begins and not begins["next"].islower():
        at = begins.end()
        yield Mark(0, at, _cites(begins[0]))
    for mark in _MARKS.finditer(text, at):
        words_end = mark.start()
        while words_end > at and text[words_end - 1].isspace():
            words_end -= 1
        several = len(_ONE.findall(mark[0])) > 1 or mark[0].startswith(_NO_FIGURE)
        ends = CLAUSE_ENDS.match(text, mark.end()) or (several and not _may_be_within(text, words_end, mark))
        if words_end > at and ends and not _may_be_a_figure(text, words_end, mark[0]):
            yield Mark(words_end, mark.end(), _cites(mark[0]))
            at = mark.end()


def _may_be_within(text: str, words_end: int, mark: re.Match[str]) -> bool:
    """Whether a mark before more words may be a figure: "within 【90】 days", "within [cite: 90] days", "【9】0"."""
    if not _ONLY_NUMBERS.fullmatch(mark[0]):
        return _is_asked_for(text, words_end, mark[0], ends=False)
    asks = _ASKS_FOR_A_FIGURE.search(text[max(0, words_end - _LONGEST_WORD) : words_end])
    return words_end < mark.start() or bool(asks) or text[mark.end() : mark.end() + 1].isalnum()


def _is_asked_for(text: str, words_end: int, mark: str, *, ends: bool) -> bool:
    """Whether a mark of any form has a number where an amount belongs to the clause: "within (source 90) days".

    Args:
        ends: whether the clause does behind the mark: then a comma before it asks for nothing.
    """
    before = text[max(0, words_end - _LONGEST_WORD) : words_end]
    asks = _ASKS_FOR_A_FIGURE.search(before)
    if not asks or not _DIGIT.search(mark) or _CITES_BEFORE.search(f"{before} "):
        return False
    return not ends or asks[0].isalpha()


def _worded(text: str) -> Iterator[Mark]:
    leading = _LEADING.match(text) or _TELLER.match(text)
    if leading:
        name = "mark" if leading["mark"] else "alone"
        yield Mark(leading.start(name), leading.end(), _cited(leading))
    for pattern in (_INNER, _BRACKETED):
        for found in pattern.finditer(text):
            ends = bool(CLAUSE_ENDS.match(text, found.end()))
            asked_for = pattern is _BRACKETED and _is_asked_for(text, found.start(), found[0], ends=ends)
            if not asked_for and not _states(found):
                yield Mark(found.start(), found.end(), _cited(found))


def _states(found: re.Match[str]) -> bool:
    """Whether brackets hold more than the name of a source: names in capitals and words of publishing, no amount."""
    inside = found.groupdict().get("titled") or found.groupdict().get("named", "") or ""
    return _asserts(inside.partition(":")[2] if found.groupdict().get("named") else inside)


def _asserts(text: str) -> bool:
    if any(found.measures for found in find_quantities(text)):
        return True
    words = _WORD.findall(text)
    low = [word.lower() for word in words]
    if len(words) > 8 or not (FINITE | IRREGULAR | NEGATIONS).isdisjoint(low) or not RELATIVE.isdisjoint(low):
        return True
    free = [word for word in words if word[0].islower() and word not in PUBLISHING]
    return len(free) > (1 if low and low[-1] in _PLACES else 0)


def _cites(text: str) -> tuple[str, ...]:
    """What marks of numbers and labels name: `[1, 3–4]`, `[^a]`, `【4:1†guide.pdf】`, `²`."""
    names: list[str] = []
    for found in _NAMES.finditer(text):
        if found["file"] and found["file"].lower() not in SOURCES:
            names.append(found["file"])
        elif found["last"]:
            first, last = int(found["first"]), int(found["last"])
            names += [str(number) for number in range(first, min(last, first + _MOST_IN_A_RANGE) + 1)]
        elif found["raised"]:
            names.append(found["raised"].translate(_LOWERED))
        else:
            names.append(found["place"] or found["label"] or found["left"] or found["first"])
    return tuple(dict.fromkeys(names))


def _cited(found: re.Match[str]) -> tuple[str, ...]:
    """What a mark in words names: an address, the numbers of passages, a title, or a word such as "handbook"."""
    address = _ADDRESS.search(found[0])
    if address:
        return (address[0].rstrip(".,;:"),)
    groups = found.groupdict()
    if groups.get("file"):
        return (groups["file"],)
    if groups.get("titled"):
        return (groups["titled"].rpartition(",")[0].strip(),)
    if groups.get("named"):
        return (groups["named"].partition(":")[2].strip(),)
    numbers = [number for numbered in _NUMBERS_OF.finditer(found[0]) for number in _cites(numbered[0])]
    if numbers:
        return tuple(dict.fromkeys(numbers))
    named = _QUALIFIED.search(found[0])
    if not named:
        return (" ".join(found[0].strip(" ()[],").split()),)
    noun, before = named["noun"], named["before"]
    if before and before.lower() in _ORDINALS:
        return (str(1 + _ORDINALS.index(before.lower())),)
    return (noun.lower() if not before or before.lower() in _NO_NAME else f"{before} {noun}".lower(),)


def is_mark_there(text: str, words_end: int, end: int) -> bool:
    """Whether a number that ends at `end`, after `text[:words_end]`, is a mark and no figure that is stated."""
    mark = text[words_end:end].lstrip()
    return words_end > 0 and bool(CLAUSE_ENDS.match(text, end)) and not _may_be_a_figure(text, words_end, mark)


def names_only(text: str) -> bool:
    """Whether a text, such as that of a link in brackets, is a name: words with capitals and words of publishing."""
    return not _asserts(text)


def cites_before(text: str, at: int) -> bool:
    """Whether words such as "according to the" stand right before a place in a text."""
    return bool(_CITES_BEFORE.search(text[max(0, at - _LONGEST_WORD) : at]))


def marks_end(text: str, at: int) -> int:
    """Where marks end that stand at `at` and point back to the sentence before; `at` where none do.

    One that stands apart, and that a word in small letters or a digit follows, may be a figure ("[14] days").
    """
    begins = _THERE.match(text, at)
    if begins and at and not (text[at - 1].isspace() or text[at].isspace()):
        return begins.end()
    following = text[begins.end() : begins.end() + 1] if begins else ""
    return at if not begins or following.islower() or following.isdigit() or following in _GO_ON else begins.end()


def marks_behind(text: str, first: int, last: int) -> int:
    """Where marks begin that end `text[first:last]` behind a whole sentence; `last` where none do."""
    behind = _BEHIND.search(text, first, last)
    return behind.start("marks") if behind else last


def mark_names(text: str) -> Iterator[str]:
    """Every number and label that stands in a text as a mark does."""
    return (name for mark in _ONE.finditer(text) for name in _cites(mark[0]))


def without(text: str, stretches: Iterable[Span]) -> str:
    """Return `text` without some stretches of it, given in order."""
    left, at = "", 0
    for start, end in stretches:
        left, at = left + text[at:start], end
    return left + text[at:]


def _may_be_a_figure(text: str, end: int, mark: str) -> bool:
    """Whether an amount may follow `text[:end]`: it asks for one, or is hardly more than a word."""
    if mark.startswith(_NO_FIGURE) and not _ONLY_NUMBERS.fullmatch(mark):
        return _is_asked_for(text, end, mark, ends=True)
    if _ASKS_FOR_A_FIGURE.search(text[max(0, end - _LONGEST_WORD) : end]):
        return True
    ended = mark.startswith(_NO_FIGURE) or text[:end].endswith((".", "!", "?"))
    return not ended and end <= _SHORT and text.count(" ", 0, end) < 2 and text[:end].isascii()
