"""`gate annotate`: reports as what a pull request shows: annotations at lines, a summary, a comment, one SARIF log.

Every text of a report is an attacker's. What is printed are workflow commands of GitHub, and no text begins one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NotRequired
from urllib.parse import unquote

import click
from typing_extensions import TypedDict

from gate.cli.options import A_FILE
from gate.cli.printing import say
from gate.errors import InputError, first_misfit
from gate.text.visible import one_line

if TYPE_CHECKING:
    from gate.reports.model import Report

MARK = "<!-- llm-reliability-gate -->"
"""By this line a comment is found again and replaced."""
LEVELS = {"error": "error", "warning": "warning", "note": "notice"}
MOST = 50
"""Annotations at most; GitHub shows ten of a kind a step and fifty a run."""
COMMENT_CHARS = 60_000
SUMMARY_CHARS = 900_000
MESSAGE_CHARS = 2_000


MOST_AUDITED = 100_000_000
"""Bytes of a SARIF log."""


class _Text(TypedDict):
    text: str


class _File(TypedDict):
    uri: str


class _Place(TypedDict):
    artifactLocation: _File
    region: NotRequired[dict[str, Any]]


class _Location(TypedDict):
    physicalLocation: NotRequired[_Place]


class _Result(TypedDict):
    ruleId: str
    level: Literal["error", "warning", "note"]
    message: _Text
    locations: NotRequired[list[_Location]]


class _Run(TypedDict):
    results: list[_Result]


class _Log(TypedDict):
    runs: list[_Run]


@click.command(short_help="Say on a pull request what reports found.")
@click.argument("reports", nargs=-1, type=A_FILE, metavar="REPORT...")
@click.option("--baseline", type=A_FILE, help="Findings that are accepted (`gate baseline`): they are left out.")
@click.option("--audit", type=A_FILE, help="What `gate audit-docs -f sarif` found.")
@click.option("--summary", type=A_FILE, help="Append the reports in Markdown to this file ($GITHUB_STEP_SUMMARY).")
@click.option("--comment", type=A_FILE, help="Write a comment in Markdown to this file.")
@click.option("--pages", type=A_FILE, help="Write each report as a page into this folder.")
@click.option("--sarif", type=A_FILE, help="Write everything as one SARIF log to this file.")
def annotate(
    reports: tuple[Path, ...],
    baseline: Path | None,
    audit: Path | None,
    summary: Path | None,
    comment: Path | None,
    pages: Path | None,
    sarif: Path | None,
) -> None:
    """Print the findings of reports (JSON, of `gate check -f json`) as GitHub's annotations, at file and line.

    At most fifty are printed; the comment and the summary hold the rest. No decision is taken: `gate check` has its
    exit code.

    \b
    gate check answers/ --corpus docs/ -f json -o reports/
    gate annotate reports/*.json --summary "$GITHUB_STEP_SUMMARY" --sarif gate.sarif
    """
    from gate.cli.inputs import read_report
    from gate.cli.outputs import write
    from gate.reports import render

    found = [_without_accepted(read_report(path), baseline) for path in reports]
    log = _log(found)
    if audit is not None:
        log["runs"] += _audited(audit)
    for line in _annotations(log):
        say(line)
    text = _markdown(found, log)
    for path, report in zip(reports, found, strict=True):
        if pages is not None:
            write(render(report, "html").data, pages / f"{path.stem}.html", named=False)
    if summary is not None:
        with summary.open("a", encoding="utf-8") as opened:
            opened.write(_cut(text, SUMMARY_CHARS))
    if comment is not None:
        write(f"{MARK}\n{_cut(text, COMMENT_CHARS)}".encode(), comment)
    if sarif is not None:
        write((json.dumps(log, indent=2, ensure_ascii=False) + "\n").encode(), sarif)


def _without_accepted(report: Report, baseline: Path | None) -> Report:
    if baseline is None:
        return report
    from gate.local.accepted_findings import read, reduced, today, weigh

    known = read(baseline)
    return reduced(report, weigh(report, known, today()), known, today())


def _audited(path: Path) -> list[dict[str, Any]]:
    """The runs of a SARIF log, of which all that is read here is there.

    Raises:
        InputError: it is no such log.
    """
    from pydantic import TypeAdapter, ValidationError

    from gate.cli.inputs import located, read_text
    from gate.text.formats import strict_json

    try:
        log = strict_json.load(read_text(path, max_bytes=MOST_AUDITED))
        TypeAdapter(_Log).validate_python(log)
    except InputError as error:
        raise located(error, path) from None
    except ValidationError as error:
        hint = "gate audit-docs -f sarif -o FILE writes it"
        raise InputError(f"{path}: is no SARIF log: {first_misfit(error)}", hint=hint) from None
    runs: list[dict[str, Any]] = log["runs"]
    return runs


def _log(reports: Iterable[Report]) -> dict[str, Any]:
    from gate.reports import render
    from gate.reports.sarif import sarif_log

    log: dict[str, Any] = json.loads(sarif_log({}, []))
    log["runs"] = [run for report in reports for run in json.loads(render(report, "sarif").data)["runs"]]
    return log


def _annotations(log: dict[str, Any]) -> Iterator[str]:
    """Workflow commands, the gravest first."""
    results = [result for run in log["runs"] for result in run["results"]]
    ordered = sorted(results, key=lambda result: [*LEVELS].index(result["level"]))
    for result in ordered[:MOST]:
        places = [one["physicalLocation"] for one in result.get("locations", []) if "physicalLocation" in one]
        region = places[0].get("region", {}) if places else {}
        fields = {
            "file": unquote(places[0]["artifactLocation"]["uri"]) if places else "",
            "line": region.get("startLine", ""),
            "col": region.get("startColumn", ""),
            "title": result["ruleId"].replace("_", " "),
        }
        shown = ",".join(f"{name}={_property(str(value))}" for name, value in fields.items() if value != "")
        yield f"::{LEVELS[result['level']]} {shown}::{_data(result['message']['text'][:MESSAGE_CHARS])}"
    if len(ordered) > MOST:
        yield f"::notice::{len(ordered) - MOST} findings more"


def _data(text: str) -> str:
    """A text as the message of a workflow command: one line, whatever it holds."""
    lines = "\n".join(one_line(line) for line in text.splitlines())
    return lines.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(one_line(text)).replace(":", "%3A").replace(",", "%2C")


def _markdown(reports: list[Report], log: dict[str, Any]) -> str:
    from gate.model import OUTCOMES
    from gate.reports import render
    from gate.reports.markdown_report import inert

    order = ["error", *reversed(OUTCOMES)]
    parts = [
        render(report, "markdown").data.decode()
        for report in sorted(reports, key=lambda report: order.index(report.outcome))
    ]
    paths = [result for run in log["runs"][len(reports) :] for result in run["results"]]
    if paths:
        lines = [f"- {inert(one_line(result['message']['text']))}" for result in paths[:MOST]]
        parts.append("\n".join(["## Cited paths", "", *lines]) + "\n")
    return "\n".join(parts) or "Nothing was checked.\n"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 60].rpartition("\n")[0] + "\n\nand more: see the reports\n"
