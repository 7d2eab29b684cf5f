"""How well passages are found by their headings, in whatever language a folder of documents is.

`python -m tests.quality.headings FOLDER...` takes the last heading of each passage as a query over the texts of all of
them, without titles and headings, by keywords alone (`GATE_LANGUAGE`), and prints the mean reciprocal rank and the
recall among the first ten passages; and in which languages the documents are told to be. Nobody wrote the queries for
it. Marks of headings such as `{ #name }` are to be taken out of the files first, where a translation keeps those of the
original.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from gate.adapters.embedded import EmbeddedSearch
from gate.adapters.readers.folders import whole
from gate.settings import Settings
from gate.text.languages import counted_languages

FIRST = 10
KEPT = ("id", "document", "content")
"""Of a passage, that is searched."""
SHORTEST = 4
"""Characters of a heading that says something."""


def measured(folder: Path) -> tuple[int, int, float, float, str]:
    """Passages, queries, mean reciprocal rank, recall, and how many passages are told to be in which language."""
    passages = whole(folder).passages
    under = defaultdict(set)
    for each in passages:
        document, heading = each["id"].partition("#")[0], each.get("section", "")
        if len(heading.split(" › ")[-1]) >= SHORTEST:
            under[document, heading].add(each["id"])
    with tempfile.TemporaryDirectory() as home:
        engine = EmbeddedSearch(Path(home), language=Settings.from_env(os.environ).language)
        engine.index_documents([{key: each[key] for key in KEPT if key in each} for each in passages], "texts")
        ranks = list(_ranks(engine, under))
        languages = counted_languages(engine.describe("texts")["languages"])
    found = [rank for rank in ranks if rank]
    return len(passages), len(ranks), sum(1 / rank for rank in found) / len(ranks), len(found) / len(ranks), languages


def _ranks(engine: EmbeddedSearch, under: dict[tuple[str, str], set[str]]) -> Iterator[int]:
    """Of each heading, where the first passage below it was found; 0: not among the first ones."""
    for (_, heading), wanted in under.items():
        hits = engine.search_docs(heading.split(" › ")[-1], "texts", k=FIRST)
        yield next((at for at, each in enumerate(hits, start=1) if each["id"] in wanted), 0)


if __name__ == "__main__":
    print(f"| folder | passages | headings | MRR@{FIRST} | recall@{FIRST} | passages in |\n|---|---|---|---|---|---|")
    for name in sys.argv[1:]:
        passages, queries, mean, recall, told = measured(Path(name))
        print(f"| {Path(name).name} | {passages:,} | {queries:,} | {mean:.3f} | {recall:.3f} | {told} |")
