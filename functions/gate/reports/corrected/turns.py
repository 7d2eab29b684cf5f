"""A turn that is edited: where a claim's figures stand in it, and whether everything else reads as before."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gate.claims.reading import Statement, read_turn
from gate.decision.corrections import Correction
from gate.reports.corrected.edits import Change, Edit, EditKind, applied
from gate.reports.model import ReportClaim, ReportTurn
from gate.text.visible import one_line

MOST_TRIED = 40
"""Edits that are tried one by one where not all of them can be made together."""
LONGEST_LINE = 20_000
"""Characters beside a sentence in its line that are looked at."""
_BULLET = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:\[[ xX]\])?[ \t]*")
_WORD = re.compile(r"[^\W_]")
Read = tuple[str, tuple[str, ...], bool]
"""A statement as it is read: its text, what it cites, and whether it is crossed out: then the rest says nothing."""
STRUCK: Read = ("", (), True)


@dataclass(frozen=True, slots=True)
class Planned:
    """An edit, and what is read afterwards in the place of some statements, by number; None: nothing."""

    edit: Edit
    reads: Mapping[int, Read | None] = field(default_factory=dict)


class EditedTurn:
    """A turn as the report shows it, read once.

    Args:
        number: its place among the turns.
        prompt: what the user asked before it.
    """

    def __init__(self, turn: ReportTurn, number: int, prompt: str) -> None:
        self._content, self._number, self._prompt = turn.content, number, prompt
        self._tokens = [(one.start, one.end) for one in turn.redactions]
        self._statements = sorted(read_turn(turn.content, prompt).statements, key=lambda one: one.start)
        self._starts = [one.start for one in self._statements]
        self._at = {(one.start, one.end, one.text): at for at, one in reversed([*enumerate(self._statements)])}

    def reads(self, claim: ReportClaim) -> bool:
        """Whether the claim is a sentence that is read where it stands: a model may have made it of one."""
        return (claim.start, claim.end, claim.text) in self._at

    def figures(self, claim: ReportClaim, offers: Sequence[Correction]) -> Planned | None:
        """Put in the figures that are offered for a claim; None where nobody can tell where they stand.

        Args:
            offers: into the claim's text.
        """
        at = self._at[claim.start, claim.end, claim.text]
        changes = []
        for offer in offers:
            pattern = _written(offer.said)
            said = [found.start() for found in pattern.finditer(claim.text)]
            there = [found.span() for found in pattern.finditer(self._content, claim.start, claim.end)]
            if offer.start not in said or len(said) != len(there):
                return None
            place, instead = there[said.index(offer.start)], as_said(offer)
            changes.append(Change(*place, instead, offer.said, sentence=offer.sentence))
        if any(first < change.end and change.start < last for first, last in self._tokens for change in changes):
            return None
        read = (mended(claim.text, offers), self._statements[at].cites, False)
        return self._planned("correct", [claim], changes, {at: read})

    def struck(self, claim: ReportClaim) -> Planned:
        """Cross out a sentence."""
        changes = [Change(claim.start, claim.start, "~~", claim.text), Change(claim.end, claim.end, "~~")]
        within = self._within(claim.start, claim.end)
        return self._planned("strike", [claim], changes, dict.fromkeys(within, STRUCK))

    def without(self, claims: Sequence[ReportClaim]) -> Planned | None:
        """Take out sentences that follow one another: their line where they are all of it, else a blank beside them.

        None where nothing but formatting would be left of the line, as of a heading or a row of a table.
        """
        start, end = claims[0].start, claims[-1].end
        gap = self._gap(start, end)
        if gap is None:
            return None
        change = replace(gap, said=" ".join(claim.text for claim in claims))
        return self._planned("remove", claims, [change], dict.fromkeys(self._within(start, end)))

    def follows(self, claim: ReportClaim, before: ReportClaim) -> bool:
        """Whether nothing but blanks stands between two claims, on one line."""
        between = self._content[before.end : claim.start]
        return len(between) <= LONGEST_LINE and not between.strip() and "\n" not in between

    def right_ones(self, planned: Sequence[Planned]) -> list[Planned]:
        """Those of some edits, in order and apart, with which everything else reads as before."""
        figures = [one for one in planned if one.edit.kind == "correct"]
        for some in (list(planned), figures):
            if self._reads_right(some):
                return some
        kept: list[Planned] = []
        for one in planned[:MOST_TRIED]:
            if self._reads_right([*kept, one]):
                kept.append(one)
        return kept

    def _reads_right(self, planned: Sequence[Planned]) -> bool:
        if not planned:
            return False
        expected: list[Read | None] = [_read(one) for one in self._statements]
        for one in planned:
            for at, read in one.reads.items():
                expected[at] = read
        changes = [change for one in planned for change in one.edit.changes]
        after = read_turn(applied(self._content, changes), self._prompt).statements
        ordered = [_read(one) for one in sorted(after, key=lambda one: one.start)]
        return ordered == [read for read in expected if read is not None]

    def _planned(
        self, kind: EditKind, claims: Iterable[ReportClaim], changes: Iterable[Change], reads: Mapping[int, Read | None]
    ) -> Planned:
        ordered = tuple(sorted(changes, key=lambda change: (change.start, change.end)))
        return Planned(Edit(kind, tuple(claim.claim_id for claim in claims), self._number, ordered), reads)

    def _within(self, start: int, end: int) -> list[int]:
        """The statements that stand between two places."""
        first, last = bisect_left(self._starts, start), bisect_right(self._starts, end)
        return [at for at in range(first, last) if self._statements[at].end <= end]

    def _gap(self, start: int, end: int) -> Change | None:
        content = self._content
        first = content.rfind("\n", max(0, start - LONGEST_LINE), start) + 1
        last = content.find("\n", end, end + LONGEST_LINE)
        last = len(content) if last < 0 else last
        if start - first > LONGEST_LINE or last - end > LONGEST_LINE:
            return Change(start, end, "")
        before, after = content[first:start], content[end:last]
        if not after.strip() and _BULLET.fullmatch(before):
            last = min(last + 1, len(content))
            is_apart = not first or content.startswith("\n\n", first - 2)
            if is_apart and content.startswith("\n", last):
                last += 1
            return Change(first, last, "")
        if any(beside.strip() and not _WORD.search(beside) for beside in (before, after)):
            return None
        if before.strip():
            start -= len(before) - len(before.rstrip(" \t"))
        else:
            end += len(after) - len(after.lstrip(" \t"))
        return Change(start, end, "")


def mended(claim: str, offers: Sequence[Correction]) -> str:
    """A claim with the figures that are offered, in its order, put in."""
    return applied(claim, [Change(offer.start, offer.end, as_said(offer)) for offer in offers])


def as_said(offer: Correction) -> str:
    """What stands in the place of a figure: on one line, and with a capital where the figure began with one."""
    instead = " ".join(one_line(offer.instead).split())
    return instead[:1].upper() + instead[1:] if offer.said[:1].isupper() and instead[:1].islower() else instead


def _written(said: str) -> re.Pattern[str]:
    """How a figure stands in a text: its parts by any blanks, and no part of a longer word or number."""
    body = r"\s+".join(re.escape(part) for part in said.split())
    before, after = r"(?<!\w)" if said[:1].isalnum() else "", r"(?!\w)" if said[-1:].isalnum() else ""
    return re.compile(before + body + after)


def _read(statement: Statement) -> Read:
    return STRUCK if statement.reason == "struck" else (statement.text, statement.cites, False)
