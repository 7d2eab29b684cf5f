"""Accounts for a JSON document while a format reads it: a text that nobody read is named, or the document is refused.

A format takes the keys that it knows and hands the rest of each object to `UnreadParts.rest`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from gate.errors import InputError
from gate.submission.transcripts.record import Left

_ANSWERED = "answer answers completion completions output outputs reply replies response responses"
ANSWERED = frozenset(_ANSWERED.split())
"""Words in a key that say: what stands here is an answer."""
_TEXT_WORDS = """\
body candidate candidates caption choice choices content contents delta generation generations html markdown message
messages part parts prediction refusal result results text texts transcript turn turns utterance utterances"""
TEXT_WORDS = ANSWERED.union(_TEXT_WORDS.split())
"""Words in a key that say: what stands here is part of a conversation."""

_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_IDENTIFIER = re.compile(r"[!-~]{0,200}")
"""An id, a name, a number, a short address: ASCII without a blank. Anything else may be a sentence."""
_LETTER = re.compile(r"[^\W\d_]")
_PLAIN_KEY = re.compile(r"[\w-]{1,40}")
PLACE_CHARS = 200

Keys = tuple[str | int, ...]


class UnreadParts:
    """What one document leaves unread."""

    def __init__(self) -> None:
        self._left: list[Left] = []

    @property
    def left(self) -> tuple[Left, ...]:
        """Every place that was not read, in order."""
        return tuple(self._left)

    def leave(self, value: Any, kind: str, place: str, *, shown: bool = False) -> None:
        """Name a place that is not read; `shown`: a chat window would show it as part of the answer."""
        self._left.append(Left(kind, place, sum(map(len, _sayings(value))), shown))

    def add(self, left: Iterable[Left]) -> None:
        """Take over what another reader left of a part of the document."""
        self._left += left

    def rest(
        self,
        holder: dict[str, Any],
        place: str,
        *,
        known: Collection[str],
        unshown: Collection[str],
        shown: bool = False,
    ) -> None:
        """Account for the keys of an object that its format did not read.

        Args:
            known: keys that were read.
            unshown: keys whose text a chat window does not show: named as not read where they hold any.
            shown: the object is an answer's, so that a chat window may show words under a key that nobody knows.

        Raises:
            InputError: another key holds what may be part of the conversation.
        """
        for key, value in holder.items():
            if key in known:
                continue
            at = below(place, key)
            if key in unshown:
                if any(True for _ in _sayings(value)):
                    self.leave(value, key, at)
                continue
            for keys, text in _texts(value, (key,)):
                if _is_said(keys, text):
                    raise InputError(
                        f"{below(place, *keys)}: holds text that no known format has there",
                        hint="an answer is read from where its format keeps it, and nothing beside it is passed over",
                    )
            prose = [part for part in (str(key), *_sayings(value)) if is_prose(part)]
            if prose:
                # a date with a blank says nothing, and stands beside many a message
                self.leave(value, "unknown key", at, shown=shown and any(map(_LETTER.search, prose)))


def below(place: str, *keys: str | int) -> str:
    """Return the place of a key below a place; keys that are no plain words, and long places, are cut short."""
    plain = [key if _PLAIN_KEY.fullmatch(key) else "…" for key in map(str, keys)]
    whole = ".".join([place, *plain] if place else plain)
    return whole if len(whole) <= PLACE_CHARS else whole[: PLACE_CHARS - 1] + "…"


def _texts(value: Any, keys: Keys) -> Iterator[tuple[Keys, str]]:
    """Every text that says something, with the keys and positions that lead to it."""
    if isinstance(value, str):
        if value.strip():
            yield keys, value
    elif isinstance(value, dict):
        for key, element in value.items():
            yield from _texts(element, (*keys, key))
    elif isinstance(value, list):
        for number, element in enumerate(value):
            yield from _texts(element, (*keys, number))


def _sayings(value: Any) -> Iterator[str]:
    """Every text that says something, and every key that may be a sentence."""
    yield from (text for _, text in _texts(value, ()))
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield from (key for key in map(str, one) if is_prose(key))
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _is_said(keys: Keys, text: str) -> bool:
    """Whether a text may be part of the conversation: any under a key that is such a word, a sentence below one."""
    named = [key for key in keys if isinstance(key, str)]
    if named[-1].casefold() in TEXT_WORDS:
        return True
    words = (word for key in named for word in words_of_key(key))
    return is_prose(text) and not TEXT_WORDS.isdisjoint(words)


def words_of_key(key: str) -> list[str]:
    """The words of a key in lower case, however they are joined: "finalAnswer", "final_answer"."""
    return [word.casefold() for word in _WORD.findall(key)]


def is_prose(text: str) -> bool:
    """Whether a text may be a sentence, and is no id, name or number."""
    return not _IDENTIFIER.fullmatch(text)
