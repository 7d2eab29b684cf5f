"""Where the reports of `gate check` go: the standard output, one file, or a folder with one file each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from gate.cli.inputs import name_of
from gate.errors import InputError
from gate.reports import FORMATS
from gate.reports.model import Report


def format_of(name: str | None, output: Path | None) -> str:
    """Return the format asked for: the one named, else what the ending of `output` says, else the table.

    Raises:
        InputError: the ending says nothing.
    """
    if name or output is None:
        return name or "table"
    if output.is_dir() or not output.suffix:
        return "html"
    for known, form in FORMATS.items():
        if output.suffix.lower() == form.suffix:
            return known
    endings = ", ".join(form.suffix for form in FORMATS.values())
    raise InputError(f"{output}: the ending names no format", hint=f"give --format, or one of {endings}")


def places(files: Sequence[Path], output: Path | None, form: str) -> list[Path | None]:
    """Return where the report of each file goes; None: the standard output.

    Raises:
        InputError: several reports would go to one file.
    """
    if output is None:
        return [None] * len(files)
    if len(files) == 1 and not output.is_dir():
        return [output]
    if output.is_file() or (output.suffix and not output.is_dir()):
        raise InputError(f"{output}: several reports need a folder", hint="give -o a folder")
    return list(_numbered(output, files, FORMATS[form].suffix))


def _numbered(folder: Path, files: Sequence[Path], suffix: str) -> list[Path]:
    taken: set[Path] = set()
    found = []
    for file in files:
        stem, number = Path(name_of(file)).stem, 1
        path = folder / f"{stem}{suffix}"
        while path in taken:
            number += 1
            path = folder / f"{stem}-{number}{suffix}"
        taken.add(path)
        found.append(path)
    return found


def write(data: bytes, path: Path) -> None:
    """Write a report, all of it or nothing.

    Raises:
        InputError: the place cannot be written.
    """
    from gate.adapters.local_files import write_atomically

    try:
        write_atomically(path, data)
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or type(error).__name__).lower()}") from None


def show_table(report: Report) -> None:
    """Print the table, in colour where the standard output is a terminal that wants it."""
    from rich.console import Console

    from gate.reports import table_report

    terminal = sys.stdout.isatty()
    table_report.show(report, Console(width=None if terminal else table_report.WIDTH, highlight=False))
