"""What many records came to: printed at the end, and with `--summary` kept as a page, JSON or CSV."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from gate.cli.printing import say
from gate.errors import GateError
from gate.reports.overviews.totals import Totals

if TYPE_CHECKING:
    from gate.cli.inputs import Given
    from gate.reports.model import Report
    from gate.reports.overviews.record_summary import RecordSummary


class BatchCounts:
    """Counts over the records of files that hold several, in little memory."""

    def __init__(self) -> None:
        self._totals = Totals()

    def add(self, record: Given, found: Report | GateError) -> None:
        """Count a record in, where it is one of several in its file."""
        if not record.number:
            return
        if isinstance(found, GateError):
            self._totals.refuse()
        else:
            self._totals.add(found)

    def show(self, *, aside: bool) -> None:
        """Print the counts; on the standard error beside reports that are printed in another format."""
        from gate.reports.overviews.record_summary import lines

        for line in lines(self._totals) if self._totals.outcomes else ():
            say(line, err=aside)


class KeptSummary:
    """The summary of a check, written to a file at its end, with links to the pages of the reports."""

    def __init__(self, path: Path) -> None:
        from gate.cli.outputs import format_among
        from gate.reports.overviews.record_summary import FORMS, RecordSummary

        self.path = path
        self._form = format_among(FORMS, None, path)
        self._summary: RecordSummary = RecordSummary()

    def add(self, name: str, found: Report | GateError, target: Path | None) -> None:
        """Count a record in; `target` is where its own report lies."""
        if isinstance(found, GateError):
            self._summary.refuse(name, found.safe_message)
            return
        place = quote(Path(os.path.relpath(target, self.path.parent)).as_posix()) if target else ""
        self._summary.add(found, place)

    def write(self) -> None:
        """Write the file."""
        from gate.cli.outputs import write
        from gate.reports.overviews.record_summary import as_text

        write(as_text(self._form, self._summary).encode(), self.path)
