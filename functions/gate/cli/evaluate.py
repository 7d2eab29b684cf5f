"""`gate evaluate`: how good is the configured verifier on claims whose label is known?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from gate.cli.options import JSON
from gate.cli.printing import say

if TYPE_CHECKING:
    from gate.cli.labelled_rows import Prices, Row

A_FILE = click.Path(path_type=Path)
FORMATS = {"table": "as_table", "json": "as_json", "html": "as_html"}


@click.command(short_help="Measure the verifier on labelled claims.")
@click.argument("datasets", nargs=-1, required=True, type=A_FILE, metavar="DATASET...")
@click.option("--source-kind", default="", help="What the evidence is: passage, article or snippet (local verifier).")
@click.option("--limit", type=click.IntRange(min=1), help="Judge this many claims of each set, drawn at random.")
@click.option("--seed", default=1, show_default=True, help="Of the draw.")
@click.option(
    "--flips",
    default=50,
    show_default=True,
    type=click.IntRange(min=0),
    help="Judge this many claims twice more: as they are, and with their evidence in another order.",
)
@click.option("--price-in", type=float, help="Price of a million input tokens: adds the cost.")
@click.option("--price-out", type=float, help="Price of a million output tokens.")
@click.option(
    "--compare",
    nargs=2,
    metavar="A B",
    help="Compare two on the same claims: values of GATE_MODEL, or files of `gate calibrate` (*.json).",
)
@click.option("-f", "--format", "form", type=click.Choice(list(FORMATS)), help="Default: the ending of -o, or table.")
@JSON
@click.option("-o", "--output", type=A_FILE, help="Write it here (.html, .json, else the table).")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar, and no table beside -o.")
def evaluate(
    datasets: tuple[Path, ...],
    source_kind: str,
    limit: int | None,
    seed: int,
    flips: int,
    price_in: float | None,
    price_out: float | None,
    compare: tuple[str, str] | None,
    form: str | None,
    output: Path | None,
    quiet: bool,
) -> None:
    """Measure the configured verifier on claims whose label is known.

    DATASET is JSONL: a claim, its evidence (parts of one document; or "documents": several) and its label on each
    line. Each claim is judged as `gate check` would judge it, without a cache. GATE_MODEL chooses the model.

    \b
    gate evaluate labels.jsonl -o evaluation.html
    gate evaluate labels.jsonl --compare local local:lexical

    \b
    accuracy, macro-F1      over the three labels
    balanced accuracy, AUROC   of supported against the rest
    calibration error       of the probability of the label given
    flips                   share of labels that change when asked again, and when the evidence is reordered
    """
    from gate import wiring
    from gate.cli.inputs import name_of, read_text
    from gate.cli.labelled_rows import Prices, evaluate_rows, read_rows
    from gate.cli.progress import progress
    from gate.reports.overviews import evaluation
    from gate.services.run import using

    cap = wiring.current().settings.max_bytes * 10
    sets = {name_of(path): read_rows(path, read_text(path, max_bytes=cap), limit, seed) for path in datasets}
    if compare:
        _deliver(_comparison(compare, sets, source_kind, Prices(price_in, price_out), form, output, quiet), output)
        return
    found = []
    without_cache = wiring.current().changed(verdict_cache=False)
    with wiring.entered(without_cache), using({"verifier": {"source_kind": source_kind}}):
        without_cache.verifier(source_kind)  # a setting that does not fit ends the command, not each of its claims
        for name, rows in sets.items():
            with progress(name, quiet, "claims", total=len(rows) + 2 * min(flips, len(rows))) as update:

                def on_claims(count: int) -> None:
                    update(advance=count)

                found.append(evaluate_rows(name, rows, flips, Prices(price_in, price_out), on_claims))
    form = form or (output.suffix.lstrip(".") if output and output.suffix.lstrip(".") in FORMATS else "table")
    _deliver(getattr(evaluation, FORMATS[form])(found), output)
    if output and not quiet:
        say(evaluation.as_table(found), nl=False)


def _comparison(
    names: tuple[str, str],
    sets: dict[str, list[Row]],
    source_kind: str,
    prices: Prices,
    form: str | None,
    output: Path | None,
    quiet: bool,
) -> str:
    from gate.cli.comparing import comparison_json, comparison_table, evaluated_by
    from gate.cli.progress import progress
    from gate.errors import InputError

    is_json = form == "json" or (form is None and output is not None and output.suffix == ".json")
    if form == "html" or (form is None and output is not None and output.suffix == ".html"):
        raise InputError("a comparison has no page", hint="-f table, or -f json")
    with progress("compared", quiet, "claims", total=2 * sum(map(len, sets.values()))) as update:
        one, other = (
            evaluated_by(name, sets, source_kind, prices, lambda count: update(advance=count)) for name in names
        )
    return (comparison_json if is_json else comparison_table)(names, list(zip(one, other, strict=True)))


def _deliver(text: str, output: Path | None) -> None:
    from gate.cli.outputs import write

    if output:
        write(text.encode(), output)
    else:
        say(text, nl=False)
