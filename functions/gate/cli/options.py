"""Options that several commands share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import click
from click.core import ParameterSource

from gate.errors import InputError
from gate.reports import FORMATS
from gate.trail.trail_entries import DeletionReason

A_FILE = click.Path(path_type=Path)


class FileOrFolder(click.Path):
    """Where reports go: a file, or a folder, which is made where a slash at the end says that it is one."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; make the folder."""
        path = super().convert(value, param, ctx)
        if str(value).endswith(("/", os.sep)):
            try:
                Path(str(value)).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self.fail(f"{value}: {(error.strerror or type(error).__name__).lower()}", param, ctx)
        return path


def output_file(default: str, told: str) -> Callable[..., Any]:
    """The option `-o` for a file to write, whose default is one of the working folder."""
    return click.option(
        "-o", "--output", type=A_FILE, default=Path(default), show_default=True, callback=by_name_alone, help=told
    )


def by_name_alone(context: click.Context, parameter: click.Parameter, value: Path) -> Path:
    """A file to write, whose default is one of the working folder: a link or a pipe there may have come with a
    checkout, and is written through only where somebody names it.

    Raises:
        InputError: it is no plain file, and nobody named it.
    """
    named = context.get_parameter_source(str(parameter.name)) is not ParameterSource.DEFAULT
    if not named and (value.is_symlink() or (value.exists() and not value.is_file())):
        raise InputError(f"{value}: is no plain file", hint=f"{parameter.opts[0]} {value} writes to where it leads")
    return value


JSON = click.option("--json", "form", flag_value="json", help="The same as -f json.")

REPORTING = (
    click.option(
        "-f", "--format", "form", type=click.Choice(list(FORMATS)), help="Default: the ending of -o, or table."
    ),
    JSON,
    click.option(
        "-o",
        "--output",
        type=FileOrFolder(),
        metavar="FILE|FOLDER/",
        help="Write the report here, a folder for several; the table is still shown.",
    ),
    click.option(
        "--fail-on",
        type=click.Choice(["review", "block"]),
        default="review",
        show_default=True,
        help="The mildest decision that exits with 1.",
    ),
    click.option("--remote", metavar="STACK|URL", help="Ask a deployed gate: its stack's name, or its API's URL."),
    click.option(
        "--timeout",
        type=click.FloatRange(min=1),
        default=900,
        show_default=True,
        help="Seconds to wait for a deployed gate.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="No progress bar, and no table beside -o."),
)
"""Of every command that ends in a report."""


def reporting(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `REPORTING` to a command."""
    for option in reversed(REPORTING):
        command = option(command)
    return command


def a_run_id(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Let through what can be the id of a run."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,80}", value):
        raise click.BadParameter(f"{value!r} is no id of a run")
    return value


RUN_ID = click.argument("run_id", metavar="RUN_ID", callback=a_run_id)
FORM = click.option(
    "-f", "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True, help="How."
)


def reason(*, required: bool) -> Callable[[Any], Any]:
    """The option that says why something is deleted: a word of a closed list, and no text."""
    return click.option(
        "--reason", type=click.Choice(get_args(DeletionReason)), required=required, help="Why, for the ledger."
    )
