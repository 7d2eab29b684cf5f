"""Prints what a command says: no text of it steers the terminal, wherever it came from."""

from __future__ import annotations

import json
from typing import IO, Any

import click

from gate.text.visible import visible, visible_values


def say(text: str = "", *, err: bool = False, nl: bool = True, file: IO[Any] | None = None) -> None:
    """Print a text on the standard output, or on the standard error."""
    click.echo(visible(text), err=err, nl=nl, file=file)


def say_json(value: Any) -> None:
    """Print a JSON value, indented; its texts are visible to whoever reads it too."""
    click.echo(json.dumps(visible_values(value), ensure_ascii=False, indent=2))
