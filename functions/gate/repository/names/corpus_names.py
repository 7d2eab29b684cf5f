"""The names in a passage of a corpus: words of its code, and words that are names by their form.

Together they are the lexicon of the corpus: search engines index them beside a passage's text (port `SearchEngine`,
`naming`), as they are written, so that a name is found wherever in the corpus it stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gate.repository.names.code_stretches import stretches
from gate.repository.names.spelling import Neighbours, keys

VERSION = "1"
"""Of the rules of this module; an index says which it was made by. Raise it when one of them changes."""
LIKE = 50
"""Passages whose names are looked at for a close one."""
LONGEST = 100
"""Characters of a name; longer words are data."""
_WORD = re.compile(r"(?<![\w-])-{1,2}(?=[^\W\d_])[\w-]+|\w+(?:-\w+)*")
_LETTER = re.compile(r"[^\W\d_]")
_BY_FORM = re.compile(r"-|\w*_|\w*[a-z0-9][A-Z]")
_MARKED = re.compile(r"(`{1,3})(?!`)([^`]{1,4000})\1(?!`)")
_TERM = re.compile(r"^ {0,3}([^\s|:`#>*+-][^\n|:`]{0,80})\n {0,3}: {1,3}\S", re.MULTILINE)
"""A term of a definition list, above the line that says what it means."""
_MOST_OF_TERM = 3
"""Words of a term that is a name, its argument among them."""
_ROW = re.compile(r"^ {0,3}\|?[ \t]{0,9}([^|\n]{1,120}?)[ \t]{0,9}\|", re.MULTILINE)
_HEAD = re.compile(
    r"(?:[\w-]+ )?(?:argument|attribute|command|field|flag|function|key|method|name|option|parameter|property"
    r"|setting|switch|target|variable)(?:s|\(s\))?",
    re.IGNORECASE,
)
"""What the first column of a table of options is called."""
_RULE = re.compile(r"[\s:-]+")


def words_in(text: str) -> Iterator[str]:
    """Yield the words of a text that can be names, or parts of one: `uv`, `cache`, `--no-build` of
    `uv cache --no-build=1`."""
    return (word for word in _WORD.findall(text) if len(word) <= LONGEST and _LETTER.search(word))


def code_of_markdown(text: str) -> frozenset[str]:
    """The words in a page's code spans and blocks, first columns of tables of options, and terms that it defines."""
    found = {word for stretch in stretches(text) for word in words_in(stretch.text)}
    found.update(word for term in _TERM.findall(text) for word in words_of_term(term))
    found.update(word for name in _options(text) for word in words_in(name))
    return frozenset(found)


def words_of_term(term: str) -> Iterator[str]:
    """The words of what a list of definitions defines; of a longer phrase none: it is no name."""
    return words_in(term) if len(term.split()) <= _MOST_OF_TERM else iter(())


def _options(text: str) -> Iterator[str]:
    """What stands in the first column of tables whose head says that it names something."""
    inside, end = False, -1
    for row in _ROW.finditer(text):
        if row.start() > end + 1:  # the line before was none of a table
            inside = bool(_HEAD.fullmatch(row[1].strip(" *_")))
        elif inside and not _RULE.fullmatch(row[1]):
            yield row[1]
        end = text.find("\n", row.end())
        end = len(text) if end < 0 else end


def code_within(text: str, code: Collection[str]) -> str:
    """The words of a document's code that stand in a part of it and are no names by their form, as one text."""
    return " ".join(dict.fromkeys(word for word in words_in(text) if word in code and not _BY_FORM.match(word)))


def names_in(passage: Mapping[str, Any]) -> list[str]:
    """The names in a passage, each once, in order.

    Args:
        passage: its `content`; `code_words`, those of it that stand in code, as `code_within` gives them; without
            them, those between backquotes do.
    """
    content, told = passage["content"], passage.get("code_words")
    marked = (
        told.split() if told is not None else (word for _, code in _MARKED.findall(content) for word in words_in(code))
    )
    code = frozenset(marked)
    return list(dict.fromkeys(word for word in words_in(content) if word in code or _BY_FORM.match(word)))


def name_keys(names: Collection[str]) -> list[str]:
    """What names share with names that are close to one of them."""
    return sorted({key for name in names for key in keys(name)})


def nearest(word: str, names: Collection[str]) -> str | None:
    """The name that may have been meant by a word that is none: an option for an option."""
    is_option = word.startswith("-")
    return Neighbours(name for name in names if name.startswith("-") is is_option).near(word)
