"""An answer that is checked sentence by sentence while it is written."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Literal

from gate.claims.markdown import BESIDE, Kind
from gate.claims.reading import Reading, read_turn
from gate.claims.spans import spans
from gate.local.titles_above import STANDING, titles_above
from gate.model import UNREAD
from gate.reports.model import STATUSES, Report

Failing = Literal["mark", "hold"]
"""What becomes of a sentence that does not pass: it is followed by a mark, or a note stands in its place."""

CONTEXT = 2_000
"""Characters before a sentence that it is read with, at most: whole paragraphs and items."""
LONGEST_CONTEXT = 10_000
"""The same of a paragraph that is longer: read from within, its next words may look like a mark of a line."""
LEAST_NEW = 12
"""Characters that have come since a sentence was last looked for."""
LONG = 2_000
"""Characters of a sentence that has not ended: up to so many it is looked at when an eighth of it is new, beyond when
half is, so that the work stays linear."""
UNKNOWN = 10**9
"""Statements of what cannot be read as it is meant: none has as many, so that it does not pass."""
MOST_UNSTATED = 10_000
"""Characters that state nothing, beyond which they are a stretch of their own."""
_AFTER_A_LINE = re.compile(r"[^\n]*\n(?:[^\S\n]*\n)*")
_AFTER_A_BLANK = re.compile(r"\S*\s+")
_BEGUN = re.compile(r"[^\w\[(【⁰¹²³⁴-⁹]*(?:[\[(【][^\])】]{0,80}[\])】][^\w\[(【]*)*\w+\W|.{100}", re.DOTALL)
"""A sentence of which a word is there: what comes before may still be a mark of the one before."""
_WORDED = re.compile(r"(?:[^\w\n\r]|_)*+[^\W_]")
"""A line of which a word is there; a line behind one of signs may turn out to be a table's."""
_MARKED = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])\s|>|\||\[\^")
"""What begins an item, a quote, a table or a footnote."""


@dataclass(frozen=True, slots=True)
class SentenceInContext:
    """`text[checked_to:]` is to be checked; what stands before it is context, and was checked before.

    `states`: so many statements were seen in it with what followed. What follows is not there when it is checked.
    """

    text: str
    checked_to: int
    states: int = 0


class SentenceCutter:
    """Cuts a text that comes in pieces into sentences, each as soon as the next one has begun.

    What states nothing, a heading or a greeting, goes with the sentence behind it; a block of code is one stretch, and
    so is each row of a table. Together the stretches are the text.
    """

    def __init__(self) -> None:
        self._text = ""
        self._checked_to = 0
        self._new: list[str] = []
        self._seen = 0
        self._is_lost = False  # nobody can say any more how what follows is told

    def feed(self, piece: str) -> list[SentenceInContext]:
        """Take a piece; the sentences that have ended with it."""
        self._new.append(piece)
        self._seen += len(piece)
        begun = len(self._text) - self._checked_to
        if self._seen < max(LEAST_NEW, begun // (8 if begun < LONG else 2)):
            return []
        self._text, self._new, self._seen = self._text + "".join(self._new), [], 0
        return self._cut()

    def end(self) -> list[SentenceInContext]:
        """The sentences that are left when all has come; a rest of blanks is none."""
        self._text, self._new = self._text + "".join(self._new), []
        found = self._cut()
        if self._text[self._checked_to :].strip():
            found.append(SentenceInContext(self._text, self._checked_to, UNKNOWN if self._is_lost else 0))
        return found

    def _cut(self) -> list[SentenceInContext]:
        places = [place for place in _ends(self._text) if place > self._checked_to]
        if not places:
            return []
        reading = read_turn(self._text)
        tells = sorted(one.start for one in reading.statements if _tells(one.reason))
        begins, found = _begins(reading, self._text), []
        for place in places:
            is_long = place - self._checked_to >= MOST_UNSTATED
            states = bisect_left(tells, place) - bisect_left(tells, self._checked_to)
            if is_long or states:
                above, start = self._context(reading, begins)
                text = above + self._text[start:place]
                states = UNKNOWN if self._is_lost else states
                found.append(SentenceInContext(text, len(above) + self._checked_to - start, states))
                self._checked_to = place
        above, start = self._context(reading, begins)
        self._text, self._checked_to = above + self._text[start:], len(above) + self._checked_to - start
        return found

    def _context(self, reading: Reading, begins: list[int]) -> tuple[str, int]:
        """What of the text so far comes next is read with: the titles that it stands under, and all from a place on."""
        start = _context_from(begins, self._checked_to)
        above = titles_above(reading, self._text, start, LONGEST_CONTEXT) if start else ""
        self._is_lost |= above is None
        return above or "", start


def _ends(text: str) -> Iterator[int]:
    """Where a sentence ends and the next one has begun, blanks between them going with the first."""
    seen = sorted((span for span in spans(text) if span.kind not in BESIDE), key=lambda span: span.start)
    reached = accumulate((span.end for span in seen), max)
    last = seen[-1].start if seen else 0
    for before, (this, after) in zip(reached, pairwise(seen), strict=False):
        is_sign = not _WORDED.match(text, after.start, after.end)  # a cross behind a sentence says that it is untrue
        if after.start >= before and not is_sign and (after.start < last or _BEGUN.match(text, last)):
            yield _end_of(text, this.kind, before, after.start)


def _end_of(text: str, kind: Kind, before: int, after: int) -> int:
    """Where the stretch of a span ends, of those behind its text and before the next one's."""
    if kind == "code":  # its closing fence is its own
        return text.rfind("\n", before, after) + 1 or after
    between = _AFTER_A_LINE.match(text, before, after) or _AFTER_A_BLANK.match(text, before, after)
    return between.end() if between else after


def _begins(reading: Reading, text: str) -> list[int]:
    """Where blocks other than code begin at the beginning of a line: a reading may begin there too."""
    found = set()
    for block in reading.blocks:
        if block.kind in STANDING and block.starts:
            line = text.rfind("\n", 0, block.starts[0]) + 1
            after_blank = line == 0 or text.endswith(("\n\n", "\n\r\n"), 0, line)
            if not text[line].isspace() and (after_blank or _MARKED.match(text, line)):
                found.add(line)
    return sorted(found)


def _context_from(begins: list[int], checked_to: int) -> int:
    """Where the context of what comes next begins."""
    first, behind = bisect_left(begins, checked_to - CONTEXT), bisect_right(begins, checked_to)
    place = min(first, behind - 1)
    return begins[place] if place >= 0 and begins[place] >= checked_to - LONGEST_CONTEXT else checked_to


@dataclass(frozen=True, slots=True)
class StreamedSentence:
    """A stretch of an answer, and what was found about it.

    Attributes:
        text: as it came, blanks too: the texts of a stream, one after the other, are the answer.
        shown: what to show of it: the text; where it does not pass, with a mark, or a note in its place.
        passed: whether the policy lets it pass. What states nothing passes beside sentences that state something.
        report: of this stretch alone; its turn holds the context that it was read with as well.
    """

    text: str
    shown: str
    passed: bool
    report: Report


class StreamedAnswer:
    """The sentences of one answer in order, each checked.

    Args:
        check: has one checked.
        failing: what becomes of those that do not pass.
    """

    def __init__(self, check: Callable[[SentenceInContext], Report], failing: Failing) -> None:
        self._check, self._failing = check, failing
        self._states = False

    def checked(self, sentence: SentenceInContext) -> StreamedSentence:
        """Check the next sentence."""
        text = sentence.text[sentence.checked_to :]
        report = self._check(sentence)
        read = len(report.claims) + sum(_tells(one.reason) for one in report.non_claims)
        may_pass = report.passed or (self._states and _states_nothing(report))
        passed = may_pass and read >= sentence.states
        self._states = self._states or bool(report.claims)
        why = "not read" if may_pass else _why(report)
        return StreamedSentence(text, text if passed else self._said(text, why), passed, report)

    def _said(self, text: str, why: str) -> str:
        body = text.rstrip()
        blanks = text[len(body) :]
        if self._failing == "hold":
            return f"[held back: {why}]{blanks}"
        last = body.rpartition("\n")[2].lstrip()
        if last.startswith(("```", "~~~")):
            return f"{body}\n\n[{why}]{blanks or chr(10)}"  # behind a fence nothing else may stand
        if last.startswith("|") and last.endswith("|"):
            return f"{body[:-1].rstrip()} [{why}] |{blanks}"  # a further cell would not be shown
        return f"{body} [{why}]{blanks}"


def _tells(reason: str | None) -> bool:
    """Whether what was set aside for a reason, or for none, states something or may do so."""
    return reason is None or reason in UNREAD


def _states_nothing(report: Report) -> bool:
    """Whether all that speaks against a stretch is that it has no claims: each sentence of it was shown to be none."""
    reasons = [reason["rule"] for reason in report.decision["reasons"]] if report.decision else []
    return report.outcome == "review" and reasons == ["no_claims"]


def _why(report: Report) -> str:
    """The worst that was found; what the policy says where all is supported."""
    if report.failure:
        return f"not checked: {report.failure.error}"
    worst = next((status for status in STATUSES[:-1] if any(one.status == status for one in report.claims)), "")
    if worst:
        return worst.replace("_", " ")
    reading = report.accounting.get("reading") if report.accounting else None
    return "not read" if reading and reading["unread"] else report.outcome
