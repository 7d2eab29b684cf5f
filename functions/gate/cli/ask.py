"""`gate ask`: what would be found as evidence, and why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from gate.cli.printing import say_json
from gate.errors import InputError
from gate.text.visible import one_line, visible

if TYPE_CHECKING:
    from rich.console import Console

    from gate.ports import SearchEngine

CANDIDATES = 100
SHOWN_CHARS = 240


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, where it is asked, and both arms' answers."""

    engine: SearchEngine
    index: str
    query: str
    terms: list[str]
    embedder: str | None
    keyword: list[dict[str, Any]]
    vector: list[dict[str, Any]]

    def fused(self) -> list[dict[str, Any]]:
        """Both answers fused by reciprocal rank; each passage with its rank and score in either."""
        from gate.retrieval.fusion import reciprocal_rank

        arms = {"keyword": self.keyword, "vector": self.vector}
        found = {each["id"]: each for arm in arms.values() for each in arm}
        places = {name: {each["id"]: each for each in arm} for name, arm in arms.items()}
        return [
            {
                **{key: value for key, value in found[identifier].items() if key not in ("rank", "score", "retriever")},
                "rank": rank,
                "score": score,
                **{
                    name: {"rank": place[identifier]["rank"], "score": place[identifier]["score"]}
                    for name, place in places.items()
                    if identifier in place
                },
            }
            for rank, (identifier, score) in enumerate(
                reciprocal_rank([[each["id"] for each in arm] for arm in arms.values()]), start=1
            )
        ]


@click.command(short_help="Show which passages of a corpus answer a question, and why.")
@click.argument("question")
@click.option("--corpus", metavar="NAME|PATH", help="A corpus by name, or a file or folder; default: GATE_INDEX.")
@click.option("-k", "--top-k", type=click.IntRange(1, CANDIDATES), default=5, show_default=True, help="Passages shown.")
@click.option("--explain", is_flag=True, help="Show the query, its terms, both lists and how they were fused.")
@click.option("--tenant", help="Only this tenant's documents.")
@click.option("--source", multiple=True, help="Only this source; may be given several times.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def ask(
    question: str,
    corpus: str | None,
    top_k: int,
    explain: bool,
    tenant: str | None,
    source: tuple[str, ...],
    as_json: bool,
) -> None:
    """Show which passages of a corpus answer a question, or speak of a claim, best first.

    This is the search that a check does for each claim: what is not found here is no evidence there.

    \b
    gate ask "Who pays for returns?" --corpus docs/ --explain
    gate ask "64 GB of storage" --corpus handbook -k 10 --json
    """
    from gate.services.run import using

    with using({"search": {"tenant": tenant, "sources": source, "top_k": CANDIDATES}}):
        asked = _search(question, corpus)
    from gate.cli.file_places import place_of_passage

    fused = [{**each, **place_of_passage(each, corpus)} for each in asked.fused()[:top_k]]
    if as_json:
        say_json({"corpus": asked.engine.describe(asked.index), "terms": asked.terms, "passages": fused})
        return
    _show(asked, fused, explain, top_k)


def _search(question: str, corpus: str | None) -> Asked:
    from gate.cli.progress import searching

    if not question.strip():
        raise InputError("the question is empty")
    with searching(corpus) as index:
        return asked_of(question, index)


def asked_of(question: str, index: str) -> Asked:
    """Ask an index; what the search may see is the run's (`gate.services.run.using`)."""
    from gate import services, wiring

    engine = wiring.current().search_engine()
    keyword = services.search_docs(question, index)
    vector = services.vector_search(question, index)
    made_with = engine.embedder_of(index) if wiring.current().embedder() is not None else None
    return Asked(engine, index, question, engine.analyze(question, index), made_with, keyword, vector)


def _show(asked: Asked, fused: list[dict[str, Any]], explain: bool, top_k: int) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(soft_wrap=False, highlight=False)

    def line(text: str, style: str = "") -> None:
        console.print(one_line(text), style=style, markup=False)

    if explain:
        _explain(console, line, asked, top_k)
    if not fused:
        line(f"Nothing in {asked.index} shares a word with the question.")
    for each in fused:
        place = " › ".join(str(each[key]) for key in ("title", "section") if each.get(key))
        arms = ", ".join(f"{name} {each[name]['rank']} ({each[name]['score']:.3f})" for name in ("keyword", "vector")
                         if name in each)  # fmt: skip
        line(f"{each['rank']}. {place or each['id']}", "bold")
        line(f"   {each['score']:.4f} = {arms}", "dim")
        where = each.get("file", each["id"]) + (f":{each['line']}" if "line" in each else "")
        line(f"   {where}" + (f"  {each['url']}" if each.get("url") else ""), "dim")
        console.print(Padding(Text(_short(each["content"])), (0, 0, 1, 3), expand=False))


def _explain(console: Console, line: Callable[[str], None], asked: Asked, top_k: int) -> None:
    from rich.table import Table
    from rich.text import Text

    from gate.reports.wording import plural

    about = asked.engine.describe(asked.index)
    told = [f"version {about['version']}"] if about["version"] else []
    told += [f"{about['passages']} {plural(about['passages'], 'passage')}"] if about["passages"] is not None else []
    line(f"corpus   {', '.join([about['name'], *told])}")
    line(f"engine   {about['engine']}")
    line(f"terms    {', '.join(asked.terms) or 'none: nothing but stop words'}")
    line(f"vectors  {asked.embedder or about.get('retrieval') or 'none: keyword search alone'}")
    console.print()
    for name, arm in (("keyword (BM25)", asked.keyword), ("vector (cosine)", asked.vector)):
        table = Table(title=f"{name}: {len(arm)} found", title_justify="left", box=None, pad_edge=False)
        for column in ("rank", "score", "1/(60+rank)"):
            table.add_column(column, justify="right")
        table.add_column("passage", overflow="fold")
        for each in arm[:top_k]:
            score = f"{each['score']:.3f}"
            table.add_row(str(each["rank"]), score, f"{1 / (60 + each['rank']):.4f}", Text(one_line(each["id"])))
        console.print(table)
        console.print()


def _short(text: str) -> str:
    flat = " ".join(visible(text).split())
    return flat if len(flat) <= SHOWN_CHARS else flat[: SHOWN_CHARS - 1] + "…"
