"""`gate correct`: the answer of a report, with the figures that its evidence has."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate import cli
from gate.cli.options import A_FILE
from gate.cli.printing import say, say_json
from gate.errors import InputError
from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.cli.answer_texts import AnswerTexts
    from gate.reports.corrected.correcting import Corrected
    from gate.reports.corrected.edits import Edit
    from gate.reports.model import Report, ReportClaim

SHOWN_CHARS = 200
"""Of a sentence, in the list of edits."""
_ID = re.compile(r"[A-Za-z]{0,3}\d{1,9}")
"""The id of a claim; anything else could be a text."""
DONE = {"correct": "corrected", "strike": "crossed out", "remove": "taken out"}


@click.command(short_help="Put into an answer the figures that its evidence has.")
@click.argument("path", type=A_FILE, metavar="REPORT")
@click.option("--answer", type=A_FILE, help="The file that was checked: personal data and its form stay as they are.")
@click.option("-o", "--output", type=A_FILE, metavar="FILE", help="Write the edited answer here; default: print it.")
@click.option("--diff", is_flag=True, help="Print what changes, as a unified diff.")
@click.option("--only", multiple=True, metavar="CLAIM", help="Edit this claim alone; may be given several times.")
@click.option(
    "--unsupported",
    type=click.Choice(("leave", "strike", "remove")),
    default="leave",
    show_default=True,
    help="What becomes of sentences that no passage supports.",
)
@click.option("--accept", is_flag=True, help="Write into the ledger that you accept the edits.")
@click.pass_context
def correct(
    context: click.Context,
    path: Path,
    answer: Path | None,
    output: Path | None,
    diff: bool,
    only: tuple[str, ...],
    unsupported: Any,
    accept: bool,
) -> None:
    """Print the answer of a report (JSON) with the corrections that the report offers: where the evidence has one other
    figure or date for one that differs. Nothing else changes; sentences without support stay, unless --unsupported
    crosses them out (~~so~~) or takes them out.

    Every edit is listed on the standard error, with the passage that says so, and then what is left to do by hand. A
    correction is a suggestion: read it. The edited answer is not a checked one: check it again.

    The text is that of the report, with personal data replaced. With --answer it is that of the file, which must be
    the one that was checked. Of several answers the turns are printed as JSON, as `gate check` reads them.

    \b
    gate check answer.md --corpus docs/ -o report.json
    gate correct report.json --answer answer.md --diff
    gate correct report.json --answer answer.md -o better.md --accept
    gate correct report.json --unsupported strike --only c0002 --only c0005

    Exit codes: 0 nothing is left to do, 1 something is, 2 bad input.
    """
    from gate.cli.answer_texts import edited, shown_texts, texts_of
    from gate.cli.inputs import read_report
    from gate.cli.outputs import refuse_inputs, write
    from gate.reports.corrected.correcting import correct as corrected
    from gate.reports.corrected.edits import applied, changes_of, in_source

    report = read_report(path)
    if report.failure:
        raise InputError(f"{path}: is the report of a run that failed", hint="check the answer again")
    refuse_inputs([output], [path, answer])
    found = corrected(report, only=only, unsupported=unsupported)
    texts = shown_texts(report) if answer is None else texts_of(answer, report)
    changes = [in_source(changes_of(found.edits, turn), shown) for turn, (_, shown) in enumerate(texts.turns)]
    made = edited(report, [applied(text, each) for (text, _), each in zip(texts.turns, changes, strict=True)])
    data = made.encode() if isinstance(made, str) else (json.dumps(made, indent=2, ensure_ascii=False) + "\n").encode()
    if accept:
        _accept(found, report, data)
    if output is not None:
        write(texts.head + data, output)
    if diff:
        say(_diff(texts, changes, report), nl=False)
    elif output is None:
        _print(made)
    for line in _lines(found, report):
        say(line, err=True)
    if answer is None and any(turn.redactions for turn in report.turns):
        say("gate: personal data stays replaced: --answer FILE keeps what was checked", err=True)
    context.exit(cli.EXIT_POLICY if found.left or _is_more(report) else cli.EXIT_PASS)


def _lines(found: Corrected, report: Report) -> Iterator[str]:
    """What was edited and what is left, a line each."""
    counts = {kind: sum(len(edit.claims) for edit in found.edits if edit.kind == kind) for kind in DONE}
    told = [f"{count} {DONE[kind]}" for kind, count in counts.items() if count]
    name = one_line(report.name) or "the answer"
    yield f"gate: {name}: {', '.join(told) or 'nothing edited'}; {len(found.left)} left to do by hand"
    for edit in found.edits:
        yield from _edit_lines(edit, found, report)
    by_what: dict[str, list[ReportClaim]] = {}
    for claim, to_do in found.left:
        by_what.setdefault(to_do, []).append(claim)
    for to_do, claims in by_what.items():
        yield f"  by hand: {_short(to_do)}"
        yield from (f"    {one_line(claim.claim_id)} “{_short(claim.text)}”" for claim in claims)
    if _is_more(report):
        yield "  beside its claims the decision has reasons of its own: see the report"
    if found.edits:
        yield "gate: the edited answer is not a checked one: check it again"


def _edit_lines(edit: Edit, found: Corrected, report: Report) -> Iterator[str]:
    claims = one_line(", ".join(edit.claims))
    if edit.kind != "correct":
        yield f"  {claims} {DONE[edit.kind]}: “{_short(edit.changes[0].said)}”"
        return
    for change in edit.changes:
        passage = report.passages.get(change.passage)
        place = " › ".join(part for part in (passage.title, passage.section) if part) if passage else ""
        yield f"  {claims} corrected: “{_short(change.said)}” → “{_short(change.text)}”"
        yield f"    [{_short(place or change.passage)}] “{_short(change.sentence)}”"
    if beside := dict.fromkeys(words for claim_id in edit.claims for words in found.beside[claim_id]):
        yield f"    besides, no passage has {_short(', '.join(f'“{words}”' for words in beside))}"


def _short(text: str) -> str:
    line = " ".join(one_line(text).split())
    return line if len(line) <= SHOWN_CHARS else f"{line[:SHOWN_CHARS]} …"


def _is_more(report: Report) -> bool:
    """Whether the decision has a reason that no claim is behind."""
    reasons = report.decision["reasons"] if report.decision else []
    return any(reason["evidence"] or not reason["claims"] for reason in reasons if reason["outcome"] != "pass")


def _print(made: str | dict[str, Any]) -> None:
    if isinstance(made, dict):
        say_json(made)
    else:
        say(made.replace("\r\n", "\n"), nl=not made.endswith("\n"))


def _diff(texts: AnswerTexts, changes: list[Any], report: Report) -> str:
    from gate.reports.corrected.unified import unified

    name, several = one_line(report.name) or "answer", len(report.turns) > 1
    parts = []
    for number, ((text, _), each) in enumerate(zip(texts.turns, changes, strict=True), start=1):
        parts.append(unified(text, each, f"{name}, turn {number}" if several else name))
    return "".join(parts).replace("\r\n", "\n")


def _accept(found: Corrected, report: Report, data: bytes) -> None:
    """Write down who accepts which edits, before the answer is handed out."""
    from gate import wiring
    from gate.reports import render
    from gate.services.trail.acts import MOST_IDS, correction
    from gate.services.trail.proofs import RUN_ID, promise_of
    from gate.trail.trail_entries import digest_of

    if not found.edits:
        say("gate: there is nothing to accept", err=True)
        return
    if wiring.current().trail() is None:
        say("gate: nobody wrote down who accepted it: no ledger is kept (GATE_LEDGER)", err=True)
        return
    is_decided, promise = promise_of(report.run_id, render(report, "json").data, digest_of(data))
    ids = [claim_id for edit in found.edits for claim_id in edit.claims]
    named = [one if _ID.fullmatch(one) else f"sha256:{digest_of(one)}" for one in ids[:MOST_IDS]]
    facts = {kind: sum(len(edit.claims) for edit in found.edits if edit.kind == kind) for kind in DONE}
    facts |= {"left": len(found.left)}
    about = {"accepted": named, "report": "as decided" if is_decided else "not of this ledger", "commitments": promise}
    run = report.run_id if RUN_ID.fullmatch(report.run_id) else ""
    entry = correction(run, {**facts, **about})
    if entry is not None:
        say(f"gate: accepted by {entry.actor or 'nobody in particular'}, entry {entry.number} of the ledger", err=True)
    if not is_decided:
        say("gate: the ledger does not have this report: what it says of its run proves nothing", err=True)
