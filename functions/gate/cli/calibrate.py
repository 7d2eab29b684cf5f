"""`gate calibrate`: fit the verifier's probabilities on labels of your own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gate.cli.options import A_FILE, output_file
from gate.cli.printing import say
from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.cli.calibration_fit import Fit
    from gate.cli.cascade_thresholds import Thresholds
    from gate.cli.choosing import PolicyFit
    from gate.cli.reviewing import Reviews
    from gate.decision.metrics import Interval


@click.command(short_help="Fit the verifier's probabilities on labels of your own.")
@click.argument("labels", nargs=-1, type=A_FILE, metavar="LABELS...")
@click.option(
    "--from-reviews",
    "reviews",
    multiple=True,
    type=A_FILE,
    metavar="FILE",
    help="What several people said of the same claims; may be given several times.",
)
@click.option("--accept", is_flag=True, help="Take what --from-reviews proposes: write it, and into the ledger.")
@output_file("calibration.json", "Write it here.")
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
    reviews: tuple[Path, ...],
    accept: bool,
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

    With --from-reviews the label of a claim is what most of its reviewers say. A reviewer who differs from the others
    far more than they do from one another is named and left out. What comes of it is a proposal, with the false alarms
    and misses to expect; nothing is written until somebody takes it with --accept.

    \b
    gate calibrate labels.jsonl -o calibration.json
    gate calibrate --from-reviews labels.jsonl
    gate calibrate --from-reviews labels.jsonl --accept
    GATE_CALIBRATION=calibration.json gate check answer.md --corpus docs/
    """
    from gate import wiring
    from gate.cli.calibration_fit import expected_changes, fit, judge_rows, once_each
    from gate.cli.choosing import answers_of, fit_policy
    from gate.cli.outputs import write
    from gate.cli.progress import progress
    from gate.cli.reviewing import read_reviews, weighed
    from gate.errors import InputError
    from gate.services.run import using
    from gate.services.trail.acts import fitted
    from gate.settings import stages

    now = wiring.current().settings
    if len(stages(now.model)) > 1:
        raise InputError("one verifier is calibrated at a time", hint="GATE_MODEL=local, and then the cascade")
    if bool(labels) is bool(reviews):
        raise InputError("labels or reviews: give one of them", hint="gate calibrate --help")
    if accept and not reviews:
        raise InputError("--accept: goes with --from-reviews")
    read = read_reviews(labels or reviews, now.max_bytes * 10)
    weighed_reviews = weighed(read) if reviews else None
    rows = once_each(weighed_reviews.rows if weighed_reviews else read)
    if weighed_reviews:
        _show_reviews(weighed_reviews)
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
    _show(found, len(rows) - len(judged))
    if any(row.run for row in rows):
        _show_policy(policy)
    accepted: dict[str, Any] = {}
    if weighed_reviews:
        expected = expected_changes(verifier.name, judged, found)
        _show_changes(expected)
        if not accept:
            say("nothing is written: --accept takes the proposal")
            return
        accepted = _accepted(expected, weighed_reviews)
    fitted(data, own.verifier, own.labels, accepted)
    write(data, output)
    say(f"GATE_CALIBRATION={output}")


def _accepted(expected: dict[str, Interval], reviews: Reviews) -> dict[str, Any]:
    """What was expected of a proposal that somebody takes, by figures; reviewers by number."""
    shares = {name: [round(share, 4) for share in (one.value, one.low, one.high)] for name, one in expected.items()}
    by = {"reviewers": len(reviews.marks), "left_out": len(reviews.outliers), "alone": sum(reviews.alone.values())}
    return {**by, "expected": shares}


def _show_reviews(reviews: Reviews) -> None:
    from gate.reports.wording import plural

    for one in reviews.outliers:
        say(
            f"left out: {_called(one.reviewer)} differs from the others on {one.differs} of {one.marks} claims; "
            f"they differ from one another on {one.others:.0%}"
        )
    whole, clean = ("unknown" if one is None else f"{one:.2f}" for one in reviews.agreement)
    without = f", without those left out {clean}" if reviews.outliers else ""
    marks, reviewers = sum(reviews.marks.values()), len(reviews.marks)
    counted = f"{marks} {plural(marks, 'mark')} by {reviewers} {plural(reviewers, 'reviewer')}"
    say(f"{counted}, agreement (alpha) {whole}{without}")
    if reviews.alone:
        name, count = next(iter(reviews.alone.items()))
        say(
            f"{sum(reviews.alone.values())} of {len(reviews.rows)} labels rest on one reviewer alone, "
            f"whom nobody else bears out: most of them, {count}, on {_called(name)}"
        )
    if reviews.undecided:
        claims = "claim is" if reviews.undecided == 1 else "claims are"
        say(f"{reviews.undecided} {claims} left out: as many say one thing as another")


def _called(reviewer: str) -> str:
    return one_line(reviewer) or "the reviewer without a name"


def _show_changes(expected: dict[str, Interval]) -> None:
    for name, one in expected.items():
        value, low, high = (1_000 * share for share in (one.value, one.low, one.high))
        say(f"expected change in 1,000 claims: {name} {value:+.0f} ({low:+.0f} to {high:+.0f})")


def _show(found: Fit, left_out: int) -> None:
    own = found.calibration
    more = f"; {left_out} without evidence or a readable answer are left out" if left_out else ""
    say(f"{own.verifier}: {own.labels} labels, measured on claims that the fit has not seen{more}")
    say(f"{'':<18} {'before':<24} {'after':<24} difference")
    for what, (before, after, change) in found.figures.items():
        cells = [f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})" for one in (before, after)]
        say(f"{what:<18} {cells[0]:<24} {cells[1]:<24} {change.value:+.3f} ({change.low:+.3f} to {change.high:+.3f})")
    say("thresholds before a second verifier, on the labels that they are chosen by:")
    for what, one in (("as it is", found.alone), ("calibrated", found.calibrated)):
        say(f"  {what}: {_thresholds_line(one)}")


def _thresholds_line(one: Thresholds) -> str:
    pairs = [("GATE_CASCADE_LOW", one.low), ("GATE_CASCADE_HIGH", one.high)]
    known = " ".join(f"{name}={value:g}" for name, value in pairs if value is not None)
    if not known:
        return "nothing is sure enough, so every claim goes on"
    saved, right, lost = (
        f"{share.value:.3f} ({share.low:.3f} to {share.high:.3f})" for share in (one.saved, one.right, one.lost)
    )
    return f"{known}, saves {saved} of the calls; right {right}; supported and not called so {lost} of the supported"


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
