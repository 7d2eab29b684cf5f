"""The report as one page that needs nothing else: no script, no request, everything escaped.

The texts in it are an attacker's: autoescaping writes them, the content security policy lets nothing run or load,
and a link is made of http and https addresses only.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from gate.reports import wording
from gate.reports.findings import places
from gate.reports.highlighting import Piece, pieces
from gate.reports.model import STATUSES, Passage, Report, ReportClaim

HERE = Path(__file__).parent
EXCERPT_CHARS = 320
"""How much of a passage is shown on either side of a quote."""
SILENT = ("not_mentioned", "no_evidence")
"""Reasons with which no passage decides: the closest one is shown, and called so."""
NAMED_CLAIMS = 12
"""How many claims a reason links to; the rest is counted."""


def render(report: Report) -> str:
    """Return the page."""
    css, policy = _style()
    numbers = {key: number for number, key in enumerate(report.passages, start=1)}
    return _template().render(
        report=report,
        css=css,
        policy=policy,
        words=wording,
        statuses=STATUSES,
        turns=_turns(report),
        flagged={claim.claim_id for claim in report.claims if wording.differences(claim)},
        cards=[_card(claim, report, numbers) for claim in report.claims],
        numbers=numbers,
        observed=[(source, *_parted(found)) for source, found in report.evidences.items() if found],
        places=places(report),
        anchors={name: f"evidence-{number}" for number, name in enumerate(places(report), start=1)},
        counts=wording.counts(report.claims),
        named_claims=NAMED_CLAIMS,
        link=safe_link,
    )


@cache
def _template() -> Template:
    loader = FileSystemLoader(HERE)
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("html_report.html.j2")


@cache
def _style() -> tuple[str, str]:
    """The style sheet, and a policy that allows it by its hash and nothing else."""
    css = (HERE / "html_report.css").read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return css, f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def safe_link(address: str | None) -> str:
    """Return the address if a browser may follow it, else nothing: `javascript:` and its kind are no addresses."""
    return address if address and address.lower().startswith(("https://", "http://")) else ""


def _turns(report: Report) -> list[dict[str, Any]]:
    return [
        {
            "role": turn.role,
            "pieces": _trimmed(
                pieces(
                    turn.content,
                    (claim for claim in report.claims if claim.turn == number),
                    (one for one in report.non_claims if one.turn == number),
                )
            ),
        }
        for number, turn in enumerate(report.turns)
    ]


def _trimmed(found: list[Piece]) -> list[Piece]:
    """The pieces of a text without the empty lines around it."""
    if found and found[0].status is None:
        found[0] = replace(found[0], text=found[0].text.lstrip())
    if found and found[-1].status is None:
        found[-1] = replace(found[-1], text=found[-1].text.rstrip())
    return found


def _parted(found: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """What a detective missed, and what it found; a missing path with a single mention is listed once."""
    single = [one["mentioned_by"][0] for one in found if len(one.get("mentioned_by") or ()) == 1]
    missing = [one for one in found if not one.get("found") and one.get("evidence_id") not in single]
    return missing, [one for one in found if one.get("found")]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of a passage: `before`, the `quote`, `after`; empty quote where there is none."""

    passage: Passage
    number: int
    before: str
    quote: str
    after: str
    decides: bool


def _card(claim: ReportClaim, report: Report, numbers: dict[str, int]) -> dict[str, Any]:
    shown = claim.deciding[:1] or claim.passages[:1]
    return {
        "claim": claim,
        "excerpt": _excerpt(claim, report.passages[shown[0]], numbers[shown[0]]) if shown else None,
        "others": [numbers[key] for key in claim.passages if key not in shown],
    }


def _excerpt(claim: ReportClaim, passage: Passage, number: int) -> Excerpt:
    text, place = passage.content, claim.quoted
    start, end = (place.start, place.end) if place else (0, 0)
    before, after = text[:start], text[end:]
    if len(before) > EXCERPT_CHARS:
        before = "… " + before[-EXCERPT_CHARS:].lstrip()
    if len(after) > EXCERPT_CHARS:
        after = after[:EXCERPT_CHARS].rstrip() + " …"
    return Excerpt(
        passage, number, before, text[start:end], after, decides=bool(claim.deciding) and claim.reason not in SILENT
    )
