"""`gate review`: decides what waits for a person, in the folder that `gate serve` works with."""

from __future__ import annotations

import getpass
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from gate.cli import options
from gate.cli.printing import say, say_json
from gate.errors import InputError
from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.ports import RunStatus
    from gate.serving.local_entrance import LocalEntrance
    from gate.trail.review_items import ReviewItem


@click.group(short_help="Decide what waits for a person.")
def review() -> None:
    """Decide what waits for a person: runs of `gate serve` under a policy with review_hours. Both use one GATE_HOME.

    \b
    gate review list
    gate review show RUN_ID
    gate review decide RUN_ID pass -m "I looked it up."
    """


@review.command("list", short_help="What waits, the one whose time is over first in front.")
@options.FORM
def list_(form: str) -> None:
    """Show what waits, the one whose time is over first in front.

    \b
    gate review list
    """
    from gate.reports.wording import joined
    from gate.services.reviews import review_queue

    with _here():
        items = review_queue.waiting(None)
    if form == "json":
        say_json([_as_json(item) for item in items])
        return
    for item in items:
        say(f"{item.run}  until {item.until[:16]}  {_so_far(item)}{joined(said.message for said in item.reasons)}")
    if not items:
        say("nothing waits")


@review.command(short_help="Why one waits, and its report.")
@options.RUN_ID
@options.FORM
def show(run_id: str, form: str) -> None:
    """Show why a run waits, what has been decided, and its report.

    \b
    gate review show RUN_ID
    """
    from gate.reports.model import Report
    from gate.services.reviews import review_queue
    from gate.services.trail.proofs import stored_report

    with _here():
        item, data = review_queue.known(run_id, None), stored_report(run_id)
    if form == "json":
        say_json(_as_json(item))
        return
    if data is not None:
        Report.model_validate_json(data).show()
    say("\n".join(_told(item)))


@review.command(short_help="Pass or block one, and label its claims.")
@options.RUN_ID
@click.argument("outcome", type=click.Choice(["pass", "block"]))
@click.option("-m", "--comment", default="", help="Why; needed where the gate is overruled.")
@click.option(
    "--mark",
    "marks",
    multiple=True,
    metavar="CLAIM=LABEL",
    help="c0002=supported, weakly_supported, unsupported, or right; may be given several times.",
)
@click.option(
    "--as", "reviewer", default="", metavar="NAME", help="Who decides; unset: this account. Nobody checks it."
)
def decide(run_id: str, outcome: Any, comment: str, marks: tuple[str, ...], reviewer: str) -> None:
    """Pass or block what waits, and label its claims. The run goes on with that while `gate serve` is running, and else
    when it is started again.

    \b
    gate review decide RUN_ID block
    gate review decide RUN_ID pass -m "The handbook is out of date." --mark c0002=supported
    """
    from gate.services.reviews import deciding

    given = dict(_mark(each) for each in marks)
    with _here():
        done = deciding.decide(run_id, None, reviewer or getpass.getuser(), outcome, comment, given)
    say("\n".join(_told(done.item)))


@review.command(short_help="Name who is to look at one.")
@options.RUN_ID
@click.argument("assignee")
def assign(run_id: str, assignee: str) -> None:
    """Name who is to look at a review; whoever else may decide still may.

    \b
    gate review assign RUN_ID ann
    """
    from gate.services.reviews import deciding

    with _here():
        item = deciding.assign(run_id, None, assignee, getpass.getuser())
    say("\n".join(_told(item)))


@review.command(short_help="The labels that people gave, as rows of a labelled set.")
def labels() -> None:
    """Print the labels that people gave to claims in reviews, as rows that `gate evaluate` and `gate calibrate` read.

    \b
    gate review labels > labels.jsonl
    """
    with _here() as entrance:
        for path in sorted(entrance.folder.glob("reports/*/labels.jsonl")):
            say(path.read_text(encoding="utf-8"), nl=False)


class RunsElsewhere:
    """Runs of the server's process: it looks by itself whether somebody has decided."""

    def start(self, run_id: str, state: Mapping[str, Any]) -> bool:
        """No run is started here."""
        raise InputError("runs are started by gate serve")

    def status(self, run_id: str) -> RunStatus | None:
        """Not known here."""
        return None

    def answer(self, token: str) -> bool:
        """Nothing waits here."""
        return False


@contextmanager
def _here() -> Iterator[LocalEntrance]:
    """Work in the folder of `gate serve`."""
    from gate import wiring
    from gate.serving.local_entrance import LocalEntrance

    entrance = LocalEntrance(wiring.current().settings)
    entrance.begin_runs(RunsElsewhere())
    with wiring.entered(entrance):
        yield entrance


def _mark(given: str) -> tuple[str, str]:
    claim, separator, label = given.partition("=")
    if not separator:
        raise InputError(f"--mark {given}: CLAIM=LABEL is needed", hint="--mark c0002=supported")
    return claim.strip(), label.strip()


def _as_json(item: ReviewItem) -> dict[str, Any]:
    return item.model_dump(mode="json", exclude={"token"})


def _so_far(item: ReviewItem) -> str:
    named = f"for {item.assignee}; " if item.assignee else ""
    return named + "".join(f"{one.reviewer} said {one.outcome}; " for one in item.decisions)


def _told(item: ReviewItem) -> Iterator[str]:
    """A review in lines."""
    from gate.services.reviews import review_queue

    if item.state == "waiting":
        two = ", and two people must agree before it passes" if item.four_eyes else ""
        named = f" for {item.assignee}" if item.assignee else ""
        if item.is_open(review_queue.moment()):
            yield f"waits{named} until {item.until[:16]}{two}; then it is {item.fallback}"
        else:
            yield f"its time was over {item.until[:16]}: it is {item.fallback} once its run goes on"
    for reason in item.reasons:
        yield f"  {reason.rule}: {reason.message}"
    for one in item.decisions:
        said = f": {one_line(one.comment)}" if one.comment else ""
        yield f"{one.at[:16]} {one.reviewer} {'overruled: ' if one.overrules else ''}{one.outcome}{said}"
    for mark in item.marks:
        yield f"{mark.at[:16]} {mark.reviewer} {mark.claim_id}: {mark.label} (the gate: {mark.given})"
    if item.state == "timed_out":
        yield f"nobody decided in time: {item.outcome}"
    if item.state == "decided":
        yield f"decided: {item.outcome}"
