"""Lines of code in which nothing can be looked up by its name, and which a document shows as they are."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from gate.decision.lookups.names import LONGEST_PROMPT, asks_for_a_value, look_up
from gate.model import NonClaim, ReadingCounts

LONGEST_LINE = 500
"""Characters; a longer line of an answer is shown nowhere."""
MOST_ALIKE = 1_000
"""Lines of documents that a line is compared with."""
_PIECE = re.compile(r"[\w./:@+~^$%&-]+|[^\w\s]")
_CODE_SPAN = re.compile(r"(?<!`)`([^`\n]{1,500})`(?!`)")
_AT_BEGIN, _AT_END = frozenset("-*+>|$%#"), frozenset(",;{\\|")
"""Signs of lists, prompts, quotations and tables, and those that end a statement or begin a block."""
_PLAIN = re.compile(r"[^\W\d_]+")
_AROUND = ":.,/"
_QUOTES = str.maketrans(dict.fromkeys("\"'‘’“”", " "))


class ShownCode:
    """The lines and code spans of some documents.

    A line of an answer is one of theirs where it has the same words and signs, however they are spaced, and where a
    value differs, a number or a name of two parts, that is the user's: `forward . 10.0.0.1` for `forward . 9.9.9.9`.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._lines = [*dict.fromkeys(filter(None, map(_pieces, chain.from_iterable(map(_lines, texts)))))]
        self._with: dict[str, list[int]] = defaultdict(list)
        for number, line in enumerate(self._lines):
            for piece in dict.fromkeys(line):
                self._with[piece].append(number)

    def has(self, line: str, asked: str) -> bool:
        """Whether the documents show a line of an answer.

        Args:
            asked: what the user asked.
        """
        pieces = _pieces(line) if len(line) <= LONGEST_LINE else ()
        if not any(map(_PLAIN.search, pieces)):
            return False
        asked = "" if len(asked) > LONGEST_PROMPT or asks_for_a_value(asked) else asked
        open_ = [bool(at) and _is_users(piece, asked) for at, piece in enumerate(pieces)]
        kept = [piece for piece, is_open in zip(pieces, open_, strict=True) if not is_open and _PLAIN.search(piece)]
        if not kept:
            return False
        alike = min((self._with.get(piece, ()) for piece in kept), key=len)
        return any(_is(pieces, open_, self._lines[number]) for number in alike[:MOST_ALIKE])


def with_shown(
    non_claims: Sequence[NonClaim], reading: ReadingCounts, texts: Iterable[str], asked: Mapping[int, str]
) -> tuple[list[NonClaim], ReadingCounts]:
    """What was set aside, and the counts of its characters, once more: a line of code that some texts show is read.

    Args:
        asked: what the user asked, by the turn that answers.
    """
    shown, found, size = ShownCode(texts), list[NonClaim](), 0
    for one in non_claims:
        if one["reason"] == "code" and shown.has(one["text"], asked.get(one["turn"], "")):
            size += len("".join(one["text"].split()))
            one = {**one, "reason": "shown"}
        found.append(one)
    aside = {**reading["set_aside"], "code": reading["set_aside"].get("code", 0) - size, "shown": size}
    counted = {reason: count for reason, count in sorted(aside.items()) if count > 0}
    return found, {**reading, "set_aside": counted, "unread": reading["unread"] - size}


def _lines(text: str) -> Iterator[str]:
    """The lines of a text and the code spans in them."""
    yield from text.split("\n")
    yield from _CODE_SPAN.findall(text)


def _pieces(line: str) -> tuple[str, ...]:
    """The words and signs of a line, without quotation marks; `key: value` and `key = "value"` are one."""
    found: list[str] = []
    for piece in _PIECE.findall(line.translate(_QUOTES)):
        name = piece.rstrip(":")
        found += [name, "="] if name and name != piece else ["=" if piece == ":" else piece]
    begin = next((at for at, piece in enumerate(found) if piece not in _AT_BEGIN), len(found))
    end = next((at for at in range(len(found), begin, -1) if found[at - 1] not in _AT_END), begin)
    return tuple(found[begin:end])


def _is_users(piece: str, asked: str) -> bool:
    """Whether a piece is a value, and the user's: no word alone, which may be one of the documents' choices."""
    bare = piece.strip(_AROUND)
    is_value = any(sign.isalnum() for sign in bare) and not _PLAIN.fullmatch(bare)
    return is_value and look_up(bare, [asked]) is not None


def _is(pieces: Sequence[str], open_: Sequence[bool], line: Sequence[str]) -> bool:
    return len(pieces) == len(line) and all(
        own == there or (is_open and _is_value_like(own, there))
        for own, is_open, there in zip(pieces, open_, line, strict=True)
    )


def _is_value_like(own: str, there: str) -> bool:
    """Whether one value may stand in the place of another: a number for a number."""
    return not _PLAIN.fullmatch(there.strip(_AROUND)) and own[:1].isdigit() == there[:1].isdigit()
