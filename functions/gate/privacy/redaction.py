"""From findings to a redacted text, and offsets carried across. Pure; what finds personal data stands elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import NamedTuple

from gate.ports import Redacted, Redaction


class Finding(NamedTuple):
    """Personal data at `text[start:end]`: its `kind` (`EMAIL`, `PHONE`, …) and the `rule` that saw it."""

    kind: str
    rule: str
    start: int
    end: int


def token(kind: str) -> str:
    """What stands in for a value of this kind."""
    return f"[REDACTED_{kind}]"


def merged(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings in order and apart: those that overlap become one that covers them all.

    The union is what is hidden, so that no rule's cut leaves part of another rule's value; it takes kind and rule
    of its longest member, of equals the first given.
    """
    apart: list[Finding] = []
    for finding in sorted(findings, key=attrgetter("start")):
        if apart and finding.start < apart[-1].end:
            apart[-1] = _union(apart[-1], finding)
        else:
            apart.append(finding)
    return apart


def _union(one: Finding, other: Finding) -> Finding:
    longest = other if other.end - other.start > one.end - one.start else one
    return longest._replace(start=one.start, end=max(one.end, other.end))


def redacted(text: str, findings: Iterable[Finding], policy: str) -> Redacted:
    """Return `text` with every finding replaced by its token, and the record of what was replaced."""
    pieces: list[str] = []
    redactions: list[Redaction] = []
    done = length = 0
    for kind, rule, start, end in merged(findings):
        hidden = token(kind)
        pieces += (text[done:start], hidden)
        length += start - done + len(hidden)
        redactions.append(Redaction(kind, rule, length - len(hidden), length, start, end))
        done = end
    pieces.append(text[done:])
    return Redacted("".join(pieces), tuple(redactions), policy)


def relocated(result: Redacted, start: int, end: int) -> tuple[int, int]:
    """Return where `source[start:end]` stands in the redacted text; an edge in a value moves to the token's edge."""
    return _moved(result, start, at_end=False), _moved(result, end, at_end=True)


def _moved(result: Redacted, offset: int, *, at_end: bool) -> int:
    shift = 0
    for one in result.redactions:
        if offset <= one.source_start:
            break
        if offset < one.source_end:
            return one.end if at_end else one.start
        shift = one.end - one.source_end
    return offset + shift
