"""`gate rerun` and `gate report`: runs that were there before."""

from __future__ import annotations

from pathlib import Path

import click

from gate.cli import options
from gate.errors import InputError


@click.command(short_help="Run a check of a deployed gate again.")
@options.RUN_ID
@options.reporting
@click.pass_context
def rerun(
    context: click.Context,
    run_id: str,
    form: str | None,
    output: Path | None,
    fail_on: str,
    remote: str | None,
    timeout: float,
    quiet: bool,
) -> None:
    """Run a check of a deployed gate again, wait, and show its report.

    The rerun is a new run with an id of its own, which is said first. It checks what the earlier run was started
    with, on model, corpus and policy as they are now; verdicts that were reached are not paid for again. Exit codes
    are those of `gate check`.

    \b
    gate rerun 4f1c09ab --remote gate
    gate rerun 4f1c09ab --remote https://gate.example.com -o report.html
    """
    from gate.cli.outputs import Delivery, format_of, places

    if remote is None:
        hint = "check the file again, or name a deployed gate: --remote STACK|URL"
        raise InputError("a run on this machine keeps nothing that could be run again", hint=hint)
    from gate.cli.remote import Remote

    form = format_of(form, output)
    (target,) = places([Path(run_id)], output, form)
    context.exit(Remote(remote, timeout).rerun(run_id, target, Delivery(form, fail_on, quiet, named=output)))


@click.command(short_help="Show the report of an earlier check, in any format.")
@options.RUN_ID
@options.reporting
@click.pass_context
def report(
    context: click.Context,
    run_id: str,
    form: str | None,
    output: Path | None,
    fail_on: str,
    remote: str | None,
    timeout: float,
    quiet: bool,
) -> None:
    """Show the report of an earlier check again, in any format; one that a deployed gate still works on is waited for.

    Without --remote it is a report that this machine keeps. Exit codes are those of `gate check`.

    \b
    gate report 4f1c09ab -o report.html
    gate report 4f1c09ab --remote gate -f json
    """
    from gate.cli.outputs import Delivery, format_of, places

    form = format_of(form, output)
    (target,) = places([Path(run_id)], output, form)
    delivery = Delivery(form, fail_on, quiet, named=output)
    if remote is not None:
        from gate.cli.remote import Remote

        context.exit(Remote(remote, timeout).report(run_id, target, delivery))
    from gate.cli.reading_back import read_back
    from gate.services.trail.proofs import stored_report

    data = stored_report(run_id)
    if data is None:
        raise InputError(f"{run_id}: there is no report of that id here", hint="--remote, where a deployed gate has it")
    try:
        found = read_back(data)
    except ValueError:
        hint = "it was written by another version, or by nobody's gate: check the file again"
        raise InputError(f"{run_id}: its report cannot be read", hint=hint) from None
    context.exit(delivery.of(found, target))
