"""Where the reports of `gate check` go: the standard output, one file, or a folder with one file each."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gate import cli
from gate.cli.inputs import Given, name_of
from gate.cli.printing import say
from gate.errors import OF_SETTINGS, InputError
from gate.reports import FORMATS, render, wording
from gate.reports.model import Report
from gate.reports.wording import after_failure, nothing_checked, remedy
from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.cli.summing_up import KeptSummary
    from gate.errors import GateError
    from gate.local.accepted_findings import Baseline


@dataclass(frozen=True, slots=True)
class Delivery:
    """How reports are delivered: their format, the mildest decision that exits with 1, how quietly, what is accepted
    of them, the summary that counts them, the file or folder that was named for them, and what was told of the corpus:
    of several answers the first one says it."""

    form: str
    fail_on: str
    quiet: bool
    baseline: Baseline | None = None
    summary: KeptSummary | None = None
    named: Path | None = None
    told: set[str] = field(default_factory=set)

    def refuse(self, name: str, error: GateError) -> int:
        """Say why there is no report on a record; returns the exit code that it stands for."""
        if self.summary:
            self.summary.add(name, error, None)
        return cli.report_failure(error)

    def end(self) -> None:
        """Write the summary, once every record is delivered."""
        if self.summary:
            self.summary.write()

    def of(self, report: Report, target: Path | None, *, brief: bool = False) -> int:
        """Write a report to `target`, or print it; returns the exit code that its outcome stands for.

        Args:
            brief: it is one of many: its headline is printed, not its table.
        """
        if target is not None:
            write(render(report, self.form).data, target, named=target == self.named)
        if self.summary:
            self.summary.add(report.name, report, target)
        if report.failure:
            message = f": {report.failure.message}" if report.failure.message else ""
            say(f"gate: {report.name}: {report.failure.error}{message}", err=True)
            say(f"hint: {after_failure(report.failure.error)}", err=True)
        elif target is None and self.form != "table":
            say(render(report, self.form).data.decode(), nl=False)
        elif brief and not self.quiet:
            say(f"{wording.OUTCOME_MARKS[report.outcome]} {report.name}: {wording.headline(report)}")
        elif not brief and not (target and self.quiet):
            gaps = wording.left_out(report)
            show_table(report, gaps=gaps not in self.told)
            self.told.add(gaps)
        if report.failure:
            return cli.EXIT_INPUT if report.failure.error in OF_SETTINGS else cli.EXIT_FAILED
        if why := nothing_checked(report):
            say(f"gate: {report.name}: {why}", err=True)
            say(f"hint: {remedy(report)}", err=True)
            return cli.EXIT_FAILED
        failing = ("review", "block") if self.fail_on == "review" else ("block",)
        outcome = self._outcome(report)
        return cli.EXIT_POLICY if outcome in failing else cli.EXIT_PASS

    def _outcome(self, report: Report) -> str:
        """The outcome, less what is accepted; says what was."""
        if self.baseline is None:
            return report.outcome
        from gate.cli.baseline import line_of
        from gate.local.accepted_findings import today, weigh

        found = weigh(report, self.baseline, today())
        for each in found.expired:
            say(f"gate: accepted until {each.expires}, which is over: {line_of(each)}", err=True)
        for new in found.new:
            say(f"gate: new: {line_of(new)}", err=True)
        counts = f"{len(found.accepted)} accepted, {len(found.new)} new"
        say(f"gate: {one_line(report.name)}: baseline: {found.outcome}: {counts}", err=True)
        if found.outcome != report.outcome:
            from gate.services.trail.acts import waiver
            from gate.trail.trail_entries import digest_of

            baseline = digest_of(self.baseline.model_dump(mode="json"))
            waiver(baseline, len(found.accepted), (report.outcome, found.outcome), report.run_id)
        return found.outcome


def format_of(name: str | None, output: Path | None) -> str:
    """Return the format asked for: the one named, else what the ending of `output` says, else the table.

    Raises:
        InputError: the ending says nothing.
    """
    if not name and output is not None and (output.is_dir() or not output.suffix):
        return "html"
    return format_among({known: form.suffix for known, form in FORMATS.items()}, name, output)


def format_among(endings: Mapping[str, str], name: str | None, output: Path | None) -> str:
    """Return the format named, else the one that the ending of `output` stands for, else the table.

    Args:
        endings: of each format, by its name.

    Raises:
        InputError: the ending says nothing.
    """
    if name or output is None:
        return name or "table"
    for known, ending in endings.items():
        if output.suffix.lower() == ending:
            return known
    hint = f"give --format, or one of {', '.join(endings.values())}"
    raise InputError(f"{output}: the ending names no format", hint=hint)


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


def numbered_names(targets: Iterable[Path | None]) -> frozenset[str]:
    """What stands before the number in the names of reports that look like those of a record: "x" of "x-000001"."""
    cut = (target.stem.rpartition("-") for target in targets if target is not None)
    return frozenset(head for head, _, number in cut if number.isdecimal())


def place_of(
    record: Given, target: Path | None, output: Path | None, form: str, taken: Collection[str] = ()
) -> Path | None:
    """Return where the report of a record goes; those of a file of several stand in a folder, numbered.

    Args:
        target: of the file's own report, which no other file's has.
        taken: the `numbered_names` of all targets.

    Raises:
        InputError: several reports would go to one file.
    """
    if not record.number or output is None:
        return target
    if target == output and not output.is_dir() and output.suffix:
        raise InputError(f"{output}: several reports need a folder", hint="give -o a folder")
    stem = Path(name_of(record.file)).stem if target is None or target == output else target.stem
    while stem in taken:
        stem += "_"
    return output / f"{stem}-{record.number:06d}{FORMATS[form].suffix}"


def refuse_inputs(targets: Sequence[Path | None], inputs: Sequence[Path | None]) -> None:
    """Refuse to write a report over what it is made from.

    Raises:
        InputError: names the file.
    """
    read = [path for path in inputs if path is not None and path.is_file()]
    for target in targets:
        if target is not None and target.is_file() and any(target.samefile(path) for path in read):
            raise InputError(f"{target}: is read by this check and would be replaced", hint="give -o another place")


def refuse_in_corpus(targets: Iterable[Path | None], corpus: str | None) -> None:
    """Refuse to write a report into the corpus: the next check would find every claim of it there, word by word.

    Raises:
        InputError: names the place.
    """
    from gate.adapters.readers.folders import reader_of

    if corpus is None or not Path(corpus).is_dir():
        return
    root = Path(os.path.realpath(corpus))
    for target in filter(None, targets):
        place, is_read = Path(os.path.realpath(target)), not target.suffix or reader_of(target.name) is not None
        if not is_read or not place.is_relative_to(root):
            continue
        if not any(part.startswith(".") for part in place.relative_to(root).parts):  # no corpus has hidden files
            hint = f"keep reports out of {corpus}"
            raise InputError(f"{target}: lies in the corpus, and would vouch for the answer from then on", hint=hint)


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


def write(data: bytes, path: Path, *, named: bool = True) -> None:
    """Write a report: a file all of it or nothing, through a link to where it leads; a device or pipe as it is.

    Args:
        named: somebody named this very file. A link or pipe that nobody named, in a folder of reports, may have come
            with a checkout: it is replaced, and not written through.

    Raises:
        InputError: the place cannot be written.
    """
    from gate.adapters.local_files import write_atomically

    try:
        if not named:
            write_atomically(path, data, noted=True)
        elif path.exists() and not path.is_file():
            with os.fdopen(os.open(path, os.O_WRONLY), "wb") as opened:
                opened.write(data)
        else:
            write_atomically(Path(os.path.realpath(path)), data, noted=True)
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or type(error).__name__).lower()}") from None


def show_table(report: Report, *, gaps: bool = True) -> None:
    """Print the table, in colour where the standard output is a terminal that wants it.

    Args:
        gaps: say what the corpus lacks.
    """
    from rich.console import Console

    from gate.reports import table_report

    terminal = sys.stdout.isatty()
    table_report.show(report, Console(width=None if terminal else table_report.WIDTH, highlight=False), gaps=gaps)
