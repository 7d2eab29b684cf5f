"""The report as one page that needs nothing else: no request, everything escaped, and of use without its script.

The texts in it are an attacker's: autoescaping writes them, the content security policy lets nothing load and nothing
run but our own script, by its hash, and a link is made of http and https addresses only.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote as percent

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from gate.model import UNREAD
from gate.reports import advice, wording
from gate.reports.findings import places, safe_link
from gate.reports.highlighting import BLOCK_PIECES, Piece, ShownBlock, pieces, rendered
from gate.reports.model import STATUSES, Passage, Report, ReportClaim

HERE = Path(__file__).parent
EXCERPT_CHARS = 320
"""How much of a passage is shown on either side of a quote."""
GROUP_CARDS = 25
"""Cards, at most, that are laid out together."""
ENDS = 4
"""Words at each end of a long quote by which a browser finds it in its source."""
TURN_CHARS = 120
"""How much of a turn is looked at for what it begins with."""
LISTED_TURNS = 4
"""A transcript of more turns has a list of them."""
NAMED_CLAIMS = 12
"""How many claims a reason links to; the rest is counted."""


def render(report: Report) -> str:
    """Return the page."""
    css, js, policy = _style()
    numbers = {key: number for number, key in enumerate(report.passages, start=1)}
    wrong = advice.problems(report)
    named = {claim.claim_id for claim in wrong}
    fine = [claim for claim in report.claims if claim.claim_id not in named]
    worst = advice.lead(report)
    return _template().render(
        report=report,
        css=css,
        js=js,
        policy=policy,
        words=wording,
        statuses=STATUSES,
        turns=_turns(report),
        flagged={claim.claim_id for claim in report.claims if wording.differences(claim)},
        problems=len(wrong),
        unread=advice.unread(report),
        set_aside=[one for one in report.non_claims if one.reason not in UNREAD],
        listed_turns=LISTED_TURNS,
        lead=_card(worst, report, numbers) if worst else None,
        steps=advice.steps(report),
        heads=advice.heads(report),
        groups=[*_groups(wrong, report, numbers), *_groups(fine, report, numbers, fine=True)],
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
def _style() -> tuple[str, str, str]:
    """The style sheet, the script, and a policy that allows the two by their hashes and nothing else."""
    names = ("palette.css", "html_report.css", "html_report.js")
    palette, own, js = ((HERE / name).read_text(encoding="utf-8") for name in names)
    css = palette + own
    allowed = f"style-src '{_hash(css)}'; script-src '{_hash(js)}'"
    return css, js, f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return f"sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def source_link(passage: Passage, quote: str) -> str:
    """Return the address of a passage's source, at the quote where there is one; empty where there is no address."""
    address = safe_link(passage.url)
    if not (address and quote):
        return address
    words = quote.split()
    ends = [words] if len(words) <= 2 * ENDS else [words[:ENDS], words[-ENDS:]]
    text = ",".join(percent(" ".join(each), safe="").replace("-", "%2D") for each in ends)
    return f"{address}{'' if '#' in address else '#'}:~:text={text}"


def _turns(report: Report) -> list[dict[str, Any]]:
    named = {claim.claim_id for claim in advice.problems(report)}
    found = []
    for number, turn in enumerate(report.turns):
        claims = [claim for claim in report.claims if claim.turn == number]
        aside = [one for one in report.non_claims if one.turn == number]
        read = rendered(turn.content, claims, aside) if turn.role == "assistant" else None
        found.append(
            {
                "role": turn.role,
                "number": number + 1,
                "begins": wording.shortened(" ".join(turn.content[:TURN_CHARS].split()), TURN_CHARS // 2),
                "problems": sum(claim.claim_id in named for claim in claims),
                "read": None if read is None else list(_chunks(read)),
                "blocks": _blocks(_trimmed(pieces(turn.content, claims, aside))) if read is None else [],
                "written": turn.content if read is not None and _is_formatted(read, turn.content) else "",
            }
        )
    return found


def _chunks(read: Iterable[ShownBlock]) -> Iterator[list[list[ShownBlock]]]:
    """The blocks in parts that are laid out together; the lines of a table stand together, any other block alone."""
    chunk: list[list[ShownBlock]] = []
    size = 0
    for in_table, run in groupby(read, key=lambda block: block.kind in ("head", "row")):
        for one in [list(run)] if in_table else [[block] for block in run]:
            chunk.append(one)
            size += sum(len(cell) for block in one for cell in block.cells)
            if size >= BLOCK_PIECES:
                yield chunk
                chunk, size = [], 0
    if chunk:
        yield chunk


def _is_formatted(read: Iterable[ShownBlock], written: str) -> bool:
    """Whether something of the text as it was written is not shown in its blocks."""
    shown = (piece.text for block in read for cell in block.cells for piece in cell if piece.style != "address")
    return "".join("".join(shown).split()) != "".join(written.split())


def _blocks(found: list[Piece]) -> list[list[Piece]]:
    """The pieces in blocks that begin at a line each."""
    blocks: list[list[Piece]] = [[]]
    for piece in found:
        blocks[-1].append(piece)
        if len(blocks[-1]) >= BLOCK_PIECES and piece.status is None and piece.text.endswith("\n"):
            blocks.append([])
    return [block for block in blocks if block]


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
    """What is shown of a passage: `before`, the `quote`, `after`; empty quote where there is none. `source`: where it
    stands on the web."""

    passage: Passage
    number: int
    before: str
    quote: str
    after: str
    source: str


def _groups(
    claims: Sequence[ReportClaim], report: Report, numbers: dict[str, int], *, fine: bool = False
) -> Iterator[dict[str, Any]]:
    """The cards in groups of one label, which a filter shows or leaves out together, and of a size that the browser
    lays out when it comes into sight."""
    for _, run in groupby(enumerate(claims), key=lambda numbered: numbered[1].status):
        same = [claim for _, claim in run]
        for first in range(0, len(same), GROUP_CARDS):
            held = same[first : first + GROUP_CARDS]
            classes = [held[0].status, *(["fine"] if fine else []), *(["long"] if len(held) > GROUP_CARDS // 2 else [])]
            classes += ["flagged"] if any(map(wording.differences, held)) else []
            yield {"classes": " ".join(classes), "cards": [_card(claim, report, numbers) for claim in held]}


def _card(claim: ReportClaim, report: Report, numbers: dict[str, int]) -> dict[str, Any]:
    shown = claim.deciding[:1] or claim.passages[:1]
    return {
        "claim": claim,
        "parts": advice.parts(claim, report),
        "to_do": advice.to_do(claim, report),
        "excerpt": _excerpt(claim, report.passages[shown[0]], numbers[shown[0]]) if shown else None,
        "others": [numbers[key] for key in claim.passages if key not in shown],
    }


def _excerpt(claim: ReportClaim, passage: Passage, number: int) -> Excerpt:
    text, place = passage.content, claim.quoted
    start, end = (place.start, place.end) if place else (0, 0)
    before, after, quote = text[:start], text[end:], text[start:end]
    if len(before) > EXCERPT_CHARS:
        before = "… " + before[-EXCERPT_CHARS:].lstrip()
    if len(after) > EXCERPT_CHARS:
        after = after[:EXCERPT_CHARS].rstrip() + " …"
    return Excerpt(passage, number, before, quote, after, source_link(passage, quote))
