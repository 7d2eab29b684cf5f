"""What is edited in a text, change by change; what is not changed stays as it is, character by character."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gate.ports import Redacted

EditKind = Literal["correct", "strike", "remove"]


@dataclass(frozen=True, slots=True)
class Change:
    """Characters `start` to `end` of a turn's text as the report shows it, and what stands there afterwards.

    Attributes:
        said: the figure or the sentence that stood there; empty where nothing did.
        passage: key of the passage that has the new figure; empty: there is no new figure.
        sentence: what that passage says.
    """

    start: int
    end: int
    text: str
    said: str = ""
    passage: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """What is changed for a claim, or for several that ask for the same: all of it or nothing. Changes in order."""

    kind: EditKind
    claims: tuple[str, ...]
    turn: int
    changes: tuple[Change, ...]

    @property
    def start(self) -> int:
        """Where its first change begins."""
        return self.changes[0].start

    @property
    def end(self) -> int:
        """Where its last change ends."""
        return self.changes[-1].end


def changes_of(edits: Iterable[Edit], turn: int) -> list[Change]:
    """The changes of one turn, in order."""
    found = (change for edit in edits if edit.turn == turn for change in edit.changes)
    return sorted(found, key=lambda change: (change.start, change.end))


def applied(text: str, changes: Iterable[Change]) -> str:
    """Return the text with changes, in order and apart, made in it."""
    pieces, at = [], 0
    for change in changes:
        pieces += [text[at : change.start], change.text]
        at = change.end
    return "".join((*pieces, text[at:]))


def in_source(changes: Sequence[Change], shown: Redacted) -> list[Change]:
    """Return changes of a shown text as changes of the text that it was made from.

    Args:
        shown: where personal data was replaced; no change begins or ends within a token.
    """
    moved, coming, shift = dict[int, int](), 0, 0
    for edge in sorted({edge for change in changes for edge in (change.start, change.end)}):
        while coming < len(shown.redactions) and shown.redactions[coming].end <= edge:
            shift = shown.redactions[coming].source_end - shown.redactions[coming].end
            coming += 1
        moved[edge] = edge + shift
    return [Change(moved[change.start], moved[change.end], change.text) for change in changes]
