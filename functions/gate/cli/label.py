"""`gate label`: say of claims whether their verdicts are right, one key each."""

from __future__ import annotations

import getpass
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.cli.options import A_FILE, output_file
from gate.cli.printing import say
from gate.errors import InputError
from gate.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.cli.labelling import LabelFile, OpenClaim
    from gate.model import Label

KEYS = "r right · w wrong · 1 supported · 2 weakly supported · 3 unsupported · s skip · b back · m more · q quit"
BY_KEY: dict[str, Label] = {"1": "supported", "2": "weakly_supported", "3": "unsupported"}
SHOWN_PASSAGES, SHOWN_CHARS = 2, 700
"""Of the evidence, before somebody asks for more of it."""


@click.command(short_help="Say of claims, one key each, whether their verdicts are right.")
@click.argument("reports", nargs=-1, required=True, type=A_FILE, metavar="REPORT...")
@output_file("labels.jsonl", "Add the labels to this file.")
@click.option("--choose", type=click.IntRange(1), metavar="N", help="Ask for N claims only: doubtful, and not alike.")
@click.option("--reviewer", default="", metavar="NAME", help="Who labels; default: the account on this machine.")
@click.option("--mark", is_flag=True, help="Write the labels into the reports too.")
def label(reports: tuple[Path, ...], output: Path, choose: int | None, reviewer: str, mark: bool) -> None:
    """Go through the claims of reports (JSON), those first whose label teaches most, and keep a label for each.

    First come claims that a check objects to, and those whose probability lies next to a threshold. Each label is
    written at once, with who gave it and when: whoever quits goes on later where the labels end, and several people
    may label the same claims, each without the others' labels. `gate evaluate` and `gate calibrate` read the file, and
    marked reports. With --choose claims like one that has a label, or was chosen before, come last.

    \b
    r  the verdict is right           s  skip        b  back to the claim before
    w  it is wrong; then which label  m  all of the evidence
    1  supported   2  weakly supported   3  unsupported
    q  quit

    \b
    gate label reports/*.json -o labels.jsonl

    Exit codes: 0 labels are kept, 2 a report or the file cannot be used.
    """
    from gate import wiring
    from gate.cli.inputs import read_report
    from gate.cli.labelling import TOLD_APART, LabelFile, chosen, most_informative
    from gate.cli.outputs import refuse_inputs
    from gate.reports.wording import plural

    refuse_inputs([output], reports)
    if output.suffix.lower() == ".json":
        raise InputError(f"{one_line(str(output))}: labels are rows of JSONL, and no report: name a file in .jsonl")
    now = wiring.current().settings
    paths = {report.run_id: (path, report) for path in reports for report in [read_report(path)]}
    read = [report for _, report in paths.values()]
    file = LabelFile(output, 10 * now.max_bytes, _reviewer(reviewer))
    file.bring(read)
    known = file.labels()
    ordered = most_informative(read, (now.cascade_low, TOLD_APART, now.cascade_high))
    asked = [one for one in ordered if one.key not in known]
    if choose is not None:
        asked = chosen(ordered, known, choose)
    places = {one.key for one in ordered}
    labelling = _Labelling(asked, file, {run: path for run, (path, _) in paths.items()} if mark else {})
    say(f"{len(asked)} {plural(len(asked), 'claim')} to label, {len(known.keys() & places)} labelled before. {KEYS}")
    try:
        labelling.run()
    finally:
        count = len(labelling.given)
        say(f"\n{count} {plural(count, 'label')} given; {output} holds {len(file.labels())}")


def _reviewer(given: str) -> str:
    from gate.services.reviews.deciding import refuse_name

    name = given.strip()
    if not name:
        with suppress(KeyError, OSError, ImportError):
            name = getpass.getuser()
    if name:
        refuse_name(name)
    return name


class _Labelling:
    """Goes through claims; the label of each is kept as soon as it is given.

    Args:
        paths: where the reports lie that the labels are written into, by run.
    """

    def __init__(self, asked: Sequence[OpenClaim], file: LabelFile, paths: dict[str, Path]) -> None:
        self._asked, self._file, self._paths = asked, file, paths
        self.given: dict[tuple[str, str], Label] = {}

    def run(self) -> None:
        """Ask until there are no more claims, or somebody quits."""
        place, shown = 0, -1
        while place < len(self._asked):
            one = self._asked[place]
            if shown != place:
                say(f"\n[{place + 1}/{len(self._asked)}] {_described(one, self.given.get(one.key))}")
                shown = place
            key = _pressed()
            if key == "q":
                return
            if key == "b":
                place = max(0, place - 1)
            elif key == "s":
                place += 1
            elif key == "m":
                say(_evidence(one, everything=True))
            elif found := _label_of(key, one):
                self._keep(one, found)
                place += 1

    def _keep(self, one: OpenClaim, label: Label) -> None:
        from gate.cli.outputs import write
        from gate.reports import render

        self._file.put(one.report, {one.claim.claim_id: label})
        self.given[one.key] = label
        say(f"→ {label.replace('_', ' ')}")
        if path := self._paths.get(one.report.run_id):
            labels = self._file.labels()
            marks = {claim_id: each for (run, claim_id), each in labels.items() if run == one.report.run_id}
            marked = one.report.model_copy(update={"marks": marks})
            write(render(marked, "json").data, path)


def _pressed() -> str:
    """One key, in lower case; the end of the input, or Ctrl-D, quits."""
    try:
        key = click.getchar() if sys.stdin.isatty() else sys.stdin.read(1)
    except EOFError:
        return "q"
    except UnicodeDecodeError:
        raise InputError("the keys are not UTF-8") from None
    return key.lower() or "q"


def _label_of(key: str, one: OpenClaim) -> Label | None:
    """The label that a key gives a claim; None: none, and it is said what the keys are."""
    if key in BY_KEY:
        return BY_KEY[key]
    if key == "r" and one.own:
        return one.own
    if key == "w":
        others = {each: name for each, name in BY_KEY.items() if name != one.own}
        say("  which? " + " · ".join(f"{each} {name.replace('_', ' ')}" for each, name in others.items()))
        return others.get(_pressed())
    if key.strip():
        say("  it has no verdict that could be right" if key == "r" else f"  {KEYS}")
    return None


def _described(one: OpenClaim, given: Label | None) -> str:
    claim = one.claim
    share = claim.scores.get("supported")
    facts = [
        one_line(one.report.name),
        claim.claim_id,
        claim.status.replace("_", " "),
        *([f"supported with {share:.2f}"] if share is not None else []),
        *(f"{check['name']} differ" for check in claim.checks if not check["passed"]),
        *([f"you said {given.replace('_', ' ')}"] if given else []),
    ]
    return f"{' · '.join(facts)}\n  {one_line(claim.text)}\n{_evidence(one, everything=False)}"


def _evidence(one: OpenClaim, *, everything: bool) -> str:
    """The passages that the verdict rests on, else the first ones; a long one around its quote."""
    claim, passages = one.claim, one.report.passages
    keys = [key for key in dict.fromkeys((*claim.deciding, *claim.passages)) if key in passages]
    if not keys:
        return "    no passage was found"
    shown = keys if everything else keys[:SHOWN_PASSAGES]
    lines = [f"    {one_line(passages[key].title or key)}: {_cut(one, key, everything)}" for key in shown]
    if len(keys) > len(shown):
        lines.append(f"    m shows {len(keys) - len(shown)} more")
    return "\n".join(lines)


def _cut(one: OpenClaim, key: str, everything: bool) -> str:
    text = one.report.passages[key].content
    if everything or len(text) <= SHOWN_CHARS:
        return one_line(text)
    quoted = one.claim.quoted if one.claim.deciding[:1] == (key,) else None
    start = max(0, quoted.start - SHOWN_CHARS // 3) if quoted else 0
    before, after = "… " * bool(start), " …" * (start + SHOWN_CHARS < len(text))
    return f"{before}{one_line(text[start : start + SHOWN_CHARS])}{after}"
