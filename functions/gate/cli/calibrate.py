"""`gate calibrate`: fit the verifier's probabilities on labels of your own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.cli.printing import say

if TYPE_CHECKING:
    from gate.cli.calibrating import Fit
    from gate.cli.choosing import PolicyFit

A_FILE = click.Path(path_type=Path)


@click.command(short_help="Fit the verifier's probabilities on labels of your own.")
@click.argument("labels", nargs=-1, required=True, type=A_FILE, metavar="LABELS...")
@click.option("-o", "--output", type=A_FILE, default=Path("calibration.json"), show_default=True, help="Write it here.")
@click.option("--source-kind", default="", help="What the evidence is: passage, article or snippet (local verifier).")
@click.option(
    "--agreement",
    type=click.FloatRange(0.5, 1),
    default=0.95,
    show_default=True,
    help="Share of right verdicts wanted beyond the thresholds of a cascade.",
)
@click.option(
    "--passed-wrongly",
    type=click.FloatRange(0, 1),
    default=0.2,
    show_default=True,
    help="Share of the answers with an unsupported claim that a policy may let pass.",
)
@click.option(
    "--blocked-wrongly",
    type=click.FloatRange(0, 1),
    default=0.15,
    show_default=True,
    help="Share of the other answers that it may block.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def calibrate(
    labels: tuple[Path, ...],
    output: Path,
    source_kind: str,
    agreement: float,
    passed_wrongly: float,
    blocked_wrongly: float,
    quiet: bool,
) -> None:
    """Fit the probabilities of the configured verifier on claims whose label is known.

    LABELS are sets as `gate evaluate` reads them, rows of `gate label`, or marked reports. The verifier of GATE_MODEL
    judges every claim; the fit is measured on claims that it has not seen (cross-validation), before and after.
    GATE_CALIBRATION=calibration.json uses it.

    Where people have labelled every claim of whole answers, thresholds of the risk are chosen for a policy too.

    \b
    gate calibrate labels.jsonl -o calibration.json
    GATE_CALIBRATION=calibration.json gate check answer.md --corpus docs/
    """
    from gate import wiring
    from gate.cli.calibrating import fit, judge_rows, once_each
    from gate.cli.choosing import answers_of, fit_policy
    from gate.cli.evaluating import read_rows
    from gate.cli.inputs import read_text
    from gate.cli.outputs import write
    from gate.cli.progress import progress
    from gate.errors import InputError
    from gate.services.run import using
    from gate.services.trail.acts import fitted
    from gate.settings import stages

    now = wiring.current().settings
    if len(stages(now.model)) > 1:
        raise InputError("one verifier is calibrated at a time", hint="GATE_MODEL=local, and then the cascade")
    cap = now.max_bytes * 10
    rows = once_each([row for path in labels for row in read_rows(path, read_text(path, max_bytes=cap), None, 0)])
    with wiring.entered(wiring.current().changed(calibration=None)), using({}):
        verifier = wiring.current().verifier(source_kind)
        with progress("judged", quiet, "claims", total=len(rows)) as update:
            judged = judge_rows(verifier, rows, lambda count: update(advance=count))
    found = fit(verifier.name, judged, agreement)
    doubts = [(one.run, one.gold, held.doubt or 0.0) for one, held in zip(judged, found.held_out, strict=True)]
    policy = fit_policy(answers_of(rows, doubts), passed_wrongly, blocked_wrongly)
    risks = {"review_risk": policy.limits.review, "block_risk": policy.limits.block} if policy.limits else {}
    own = found.calibration.model_copy(update=risks)
    data = (own.model_dump_json(indent=2) + "\n").encode()
    fitted(data, own.verifier, own.labels)
    write(data, output)
    _show(found, len(rows) - len(judged))
    if any(row.run for row in rows):
        _show_policy(policy)
    say(f"GATE_CALIBRATION={output}")


def _show(found: Fit, left_out: int) -> None:
    own = found.calibration
    more = f"; {left_out} without evidence or a readable answer are left out" if left_out else ""
    say(f"{own.verifier}: {own.labels} labels, measured on claims that the fit has not seen{more}")
    say(f"{'':<18} {'before':<24} {'after':<24} difference")
    for what, (before, after, change) in found.figures.items():
        cells = [f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})" for one in (before, after)]
        say(f"{what:<18} {cells[0]:<24} {cells[1]:<24} {change.value:+.3f} ({change.low:+.3f} to {change.high:+.3f})")
    pairs = [("GATE_CASCADE_LOW", own.cascade_low), ("GATE_CASCADE_HIGH", own.cascade_high)]
    known = [f"{name}={value:g}" for name, value in pairs if value is not None]
    say(f"thresholds before a second verifier: {' '.join(known) or 'none is sure enough'}")


def _show_policy(found: PolicyFit) -> None:
    counts = f"{found.answers} answers of which every claim is labelled, {found.bad} with an unsupported one"
    if found.limits is None:
        say(f"thresholds of a policy: {counts}, are too few: {found.lacking}")
        return
    say(
        f"thresholds of a policy, by {counts}: review_risk: {found.limits.review:g}, block_risk: {found.limits.block:g}"
    )
    for name, share in found.figures.items():
        say(f"  {name:<16} {share.value:.3f} ({share.low:.3f} to {share.high:.3f})")
    say("by the risk alone, on answers that the thresholds were not chosen by; the policy's other rules hold back more")
