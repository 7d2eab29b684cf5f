"""Cuts a text at the edges of its claims, so that each piece can be shown in its label. Claims may overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gate.reports.model import STATUSES, ReportClaim, ReportNonClaim, Status


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that the same claims cover.

    Attributes:
        text: the stretch.
        status: the worst status of its claims; None: no claim covers it.
        claim_id: the claim that this status comes from.
        begins: claims that begin here.
        ends: claims that end with this piece.
        non_claim: why the sentence is no claim, where it is one that is none.
    """

    text: str
    status: Status | None = None
    claim_id: str = ""
    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    non_claim: str = ""


def pieces(text: str, claims: Iterable[ReportClaim], non_claims: Iterable[ReportNonClaim] = ()) -> list[Piece]:
    """Return the pieces of `text`, in order; joined they are `text` again."""
    claims = sorted((claim for claim in claims if claim.end > claim.start), key=lambda claim: claim.start)
    set_aside = sorted(non_claims, key=lambda one: one.start)
    spans = [(one.start, one.end) for one in claims] + [(one.start, one.end) for one in set_aside]
    cuts = sorted({0, len(text)} | {min(edge, len(text)) for span in spans for edge in span})
    found: list[Piece] = []
    active: list[ReportClaim] = []
    coming, aside = 0, 0
    for start, end in pairwise(cuts):
        active = [claim for claim in active if claim.end > start]
        while coming < len(claims) and claims[coming].start <= start:
            active.append(claims[coming])
            coming += 1
        while aside < len(set_aside) and set_aside[aside].end <= start:
            aside += 1
        inside = aside < len(set_aside) and set_aside[aside].start <= start
        found.append(_piece(text[start:end], start, end, active, set_aside[aside].reason if inside else ""))
    return found


def _piece(text: str, start: int, end: int, active: Sequence[ReportClaim], non_claim: str) -> Piece:
    if not active:
        return Piece(text, non_claim=non_claim)
    worst = min(active, key=lambda claim: STATUSES.index(claim.status))
    return Piece(
        text,
        status=worst.status,
        claim_id=worst.claim_id,
        begins=tuple(claim.claim_id for claim in active if claim.start == start),
        ends=tuple(claim.claim_id for claim in active if claim.end == end),
    )
