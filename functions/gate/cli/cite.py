"""`gate cite`: passages to ground an answer on."""

from __future__ import annotations

import getpass
from pathlib import Path
from typing import Any

import click

from gate.cli.printing import say, say_json
from gate.text.visible import one_line, visible

A_FILE = click.Path(path_type=Path)
SHOWN_CHARS = 240


@click.command(short_help="Find passages to ground an answer on, with personal data redacted.")
@click.option("--segment", required=True, type=A_FILE, help="A segmenter's result (JSON); - is the standard input.")
@click.option("--corpus", metavar="NAME|PATH", help="A corpus by name, or a file or folder; default: GATE_INDEX.")
@click.option("-k", "--top-k", type=click.IntRange(1, 100), default=5, show_default=True, help="Citations at most.")
@click.option("--source", multiple=True, help="Only this source; may be given several times.")
@click.option("--classification", multiple=True, help="Only passages so classified; may be given several times.")
@click.option("--tenant", help="Only this tenant's documents.")
@click.option("--min-similarity", type=click.FloatRange(-1, 1), help="Only passages this near by meaning.")
@click.option("--min-score", type=click.FloatRange(0), help="Only passages with this keyword score (BM25).")
@click.option("--max-chars", type=click.IntRange(0), default=0, help="Cut the redacted text here; 0: not at all.")
@click.option("--signals", type=A_FILE, help="Synonyms and product ids that enrich the query: YAML or JSON.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with scores and what was redacted.")
def cite(
    segment: Path,
    corpus: str | None,
    top_k: int,
    source: tuple[str, ...],
    classification: tuple[str, ...],
    tenant: str | None,
    min_similarity: float | None,
    min_score: float | None,
    max_chars: int,
    signals: Path | None,
    as_json: bool,
) -> None:
    """Find passages that answer a segment of a conversation, best first.

    What is printed is redacted; the stored text is not shown.

    \b
    gate cite --segment segment.json --corpus handbook
    segmenter | gate cite --segment - --corpus handbook --json
    """
    from gate.cli.inputs import read_segment
    from gate.cli.progress import searching
    from gate.services.run import caps, using

    search = {"tenant": tenant, "sources": source, "classifications": classification,
              "min_similarity": min_similarity, "min_score": min_score}  # fmt: skip
    options: dict[str, Any] = {"details": as_json, "max_chars": max_chars}
    if signals is not None:
        from gate.adapters.settings_files import read_signals

        options["signals"] = read_signals(signals)
    config: dict[str, Any] = {"search": search, "citations": options, "caller": f"cli:{getpass.getuser()}"}
    given = read_segment(segment, caps())
    with searching(corpus) as index, using({**config, "elasticsearch": {"index": index}}):
        _print(given, top_k, as_json)


def _print(segment: dict[str, Any], top_k: int, as_json: bool) -> None:
    from gate import wiring
    from gate.agents.retrieve_citations import build_query_from_segment, redact_pii, retrieve_citations
    from gate.privacy.origins import redacted_citation
    from gate.services.audit_log import recording

    redact = wiring.current().redactor().redact
    with recording() as facts:
        citations = [redacted_citation(one, redact) for one in retrieve_citations(segment, top_k=top_k)]
    query = redact_pii(build_query_from_segment(segment))
    if as_json:
        say_json({"query": query, "citations": citations})
    else:
        say(f"query: {query}\n")
        for number, one in enumerate(citations, start=1):
            say(_lines(number, one))
    for fact in facts:
        if fact.name == "EmptyResults":
            say(f"nothing found ({fact.labels['cause']}): {fact.labels['hint']}", err=True)


def _lines(number: int, one: dict[str, Any]) -> str:
    place = " › ".join(str(one[key]) for key in ("title", "section") if one.get(key)) or one["id"]
    text = " ".join(visible(one["redacted_text"]).split())
    text = text if len(text) <= SHOWN_CHARS else f"{text[: SHOWN_CHARS - 1]}…"
    about = "  ".join(str(one[key]) for key in ("source", "published_date", "url") if one.get(key))
    return f"{number}. {one_line(place)}\n   {one_line(about)}\n   {text}\n"
