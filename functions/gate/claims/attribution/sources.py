"""Lists of sources: what only names where something stands asserts nothing of the matter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from gate.claims.markdown import Block
from gate.text.figures.quantities import Quantity, find_quantities
from gate.text.words.formulae import HOLDING, LANGUAGES, SOURCES
from gate.text.words.negation import negated
from gate.text.words.predicates import ends_done, tells_without_verb
from gate.text.words.verbs import ASSERTING, IRREGULAR, NO_NOUNS

_HEAD = re.compile(
    r"(?i)^\W*(?:sources?(?: used| cited)?|references?|citations?|bibliography|works cited|footnotes?|endnotes|"
    r"(?:further|additional|recommended) (?:reading|resources)|read more|learn more|see also|links?|"
    r"quellen(?:angaben|verzeichnis)?|quelle|literatur(?:verzeichnis)?|referenzen|einzelnachweise|weiterführende links|"
    r"sources? ?|références?|bibliographie|en savoir plus|fuentes?|referencias?|bibliografía|enlaces|fonti|fonte|"
    r"riferimenti|bibliografia|fontes?|referências?|bron|bronnen|referenties|bronvermelding)\W*$"
)
_INFORMATION = re.compile(r"(?i)^\W*(?:further|additional|more|recommended) information\W*$")
"""A heading of sources only where an address follows."""
_PAIR = re.compile(r"[^\W\d_]\s?[:：]\s*[^\W_]")
_LABELLED = re.compile(
    r"(?i)^\W*(?:sources?|references?|citations?|quellen?|fuentes?|fonti|fontes?|bronnen?)\s?:\s*(?=\S)"
)
_NUMBERED = re.compile(r"^\W*(?:\[\^?[\w.-]{1,40}\]|\d{1,3}[.)]|[¹²³⁴-⁹]{1,3})[\s:]*")
OF_AN_ADDRESS = r"(?:[!-;=?-~]|(?=\w)[\xc0-\u0dff])"
"""A character of an address as it is written: of ASCII, or a letter of a script that parts its words by blanks.

Another one ends it: a letter or sign that is drawn as a blank, a full stop of another script, or a sentence in a script
without blanks.
"""
ADDRESS = re.compile(rf"(?:https?://|www\.)[!-.0-;=@-~]{{2,300}}(?:[/?]{OF_AN_ADDRESS}{{0,2000}})?")
_FILE = re.compile(r"(?<![^\s(])(?:(?=[!-~\xc0-\u0dff])[\w./\\-]){1,200}\.[a-z][a-z0-9]{1,4}(?=[\s,;:)]|$)")
"""A file's name, or its path: no clause stands in one."""
_DATED = re.compile(r"\(\d{4}[a-z]?\)")
_OF_A_YEAR = re.compile(r",\s[12]\d{3}\b")
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»]{1,300}[\"”“»]")
_RELATIVE_LISTED = "who whom whose which that because but qui que der welche welcher welches welchen die che"
RELATIVE = frozenset(_RELATIVE_LISTED.split())
"""Words that begin a clause within a title or name."""
_WORD = re.compile(r"[^\W\d_]+")
_PUBLISHING_LISTED = """ed eds edn vol no pp p page pages ch chapter section sec sections press journal magazine
website site web blog online
release notes manual accessed retrieved updated published version docs faq centre center help shipping policy terms et
al and of the in on for annual overview guide guidelines handbuch ausgabe auflage seite seiten band abschnitt verlag
hrsg édition tome éd volume edición página páginas edizione pagina pagine edição"""
PUBLISHING = frozenset(_PUBLISHING_LISTED.split()) | SOURCES.union(*(HOLDING[language] for language in LANGUAGES))
"""Words in small letters that names of sources are made of."""
_PUBLISHED = PUBLISHING.difference(*HOLDING.values())
"""Those of them that hold no sentence together."""
_NUMBER = re.compile(r"(?i)\bno\.?\s?\d")
_VERB = re.compile(r"(?<=\w )[a-z]{2,30}(?<![su]s)s(?= [A-ZÀ-Þ])")
"""The one word in small letters between names: "Corvex cures Cancer"."""
_LONGEST_TITLE = 2
"""Words of a title in quotation marks that state nothing, beside those of publishing."""
_MOST_WORDS = 1
"""Words in small letters that the name of a source may hold where an address, a year or a word of publishing shows that
it is one: "Moor, thief" is told of Moor."""


def source_blocks(rendered: Sequence[Block], titles: Collection[str] = ()) -> frozenset[int]:
    """Places of the blocks that only name sources: under a heading that says so, footnotes, bare addresses.

    Args:
        titles: `title_of` those of the documents that the answer was made from, whatever words they have.
    """
    return frozenset(_found(rendered, titles))


def title_of(entry: str) -> str:
    """An entry of a list of sources as titles are compared: without its number, case and punctuation around it."""
    return " ".join(_NUMBERED.sub("", entry).casefold().split()).strip(" .,;:*_\"'()")


def _found(rendered: Sequence[Block], titles: Collection[str]) -> Iterator[int]:
    listed = False
    for number, block in enumerate(rendered):
        text = block.text.strip()
        if block.kind in ("heading", "paragraph") and len(text) < 60 and _heads(rendered, number):
            listed = True
            yield number
        elif block.kind == "heading":
            listed = False
        elif block.kind in ("paragraph", "item", "footnote", "html") and text:
            labelled, numbered = _LABELLED.match(text), _NUMBERED.match(text)
            apart = listed or labelled or block.kind == "footnote" or (numbered and ADDRESS.search(text))
            entry = text[labelled.end() :] if labelled else text
            if (apart or _bare(text)) and (title_of(entry) in titles or names_sources(entry, linked=bool(block.links))):
                yield number


def is_labelled(text: str) -> int:
    """Where what follows a label such as "Source:" begins; 0 where there is none."""
    labelled = _LABELLED.match(text)
    return labelled.end() if labelled else 0


def is_head(text: str) -> bool:
    """Whether a line says that sources follow: "References:"."""
    return all(_HEAD.match(part) for part in text.split("/"))


def _heads(rendered: Sequence[Block], number: int) -> bool:
    text = rendered[number].text.strip()
    following = rendered[number + 1 : number + 2]
    addressed = any(block.links or ADDRESS.search(block.text) for block in following)
    return is_head(text) or (addressed and bool(_INFORMATION.match(text)))


def _without_title(quoted: re.Match[str]) -> str:
    """Nothing in place of a title in quotation marks, where that is of few words and none denies."""
    words = [word.lower() for word in _WORD.findall(quoted[0])]
    told = [word for word in words if word not in PUBLISHING]
    plain = len(told) <= _LONGEST_TITLE and not re.search(r"\d|ed\b", quoted[0]) and not negated(quoted[0])
    return " " if plain and not ASSERTING.search(quoted[0]) and IRREGULAR.isdisjoint(words) else quoted[0]


def _without_work(quoted: re.Match[str]) -> str:
    """Nothing in place of the title of a work with a date, unless it asserts: it is read by whoever reads the list."""
    asserts = ASSERTING.search(quoted[0]) or negated(quoted[0]) or any(map(_measures, find_quantities(quoted[0])))
    return quoted[0] if asserts else " "


def _measures(found: Quantity) -> bool:
    return found.measures


def _bare(text: str) -> bool:
    return not _WORD.search(ADDRESS.sub(" ", text)) and bool(ADDRESS.search(text))


def names_sources(text: str, *, linked: bool = False) -> bool:
    """Whether a text is made of names, titles, numbers and addresses, and no clause; `linked`: it is a link."""
    whole, text = text, _FILE.sub(" ", ADDRESS.sub(" ", text))
    dated = bool(_DATED.search(text))
    if dated:
        text = _QUOTED.sub(_without_work, text)
    text = _QUOTED.sub(_without_title, text)
    words = _WORD.findall(text)
    low = [word.lower() for word in words]
    if ASSERTING.search(text) or any(not words.isdisjoint(low) for words in (IRREGULAR, RELATIVE)):
        return False
    if negated(_NUMBER.sub(" ", text)) or tells_without_verb(text) or ends_done(text):
        return False
    if not NO_NOUNS.isdisjoint(low[1:-1]):
        return False
    if _PAIR.search(text) or any(found.measures for found in find_quantities(_DATED.sub(" ", text))):
        return False
    free = [word for word in words if word.islower() and word not in PUBLISHING]
    if any(word.endswith("ed") for word in free) or _VERB.search(text):
        return False
    plainly = linked or whole != text or _OF_A_YEAR.search(text) or not _PUBLISHED.isdisjoint(low)
    return not free or dated or bool(plainly and len(free) <= _MOST_WORDS)
