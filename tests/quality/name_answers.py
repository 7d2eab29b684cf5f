"""Measures names in code on real repositories: `python -m tests.quality.name_answers FOLDER [SET …]`.

FOLDER holds a git repository for each line of name_answers.jsonl, at `owner+name`, its newest commit being looked at.
Each line is an answer about it with one name, invented or honest, written by one person from what they knew of the
product, before the rules were run on it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gate.adapters.repositories import open_repository
from gate.repository.document_place import place_for
from gate.repository.names.lexicon import read_lexicon
from gate.repository.names.name_citations import NamedRepository, name_citations

HERE = Path(__file__).parent


def tier_of(answer: str, repository: NamedRepository) -> str:
    """The gravest tier that a name of an answer is put in."""
    place = place_for("turn 0", repository.repository, answer=True)
    tiers = {cited.tier for cited in name_citations(answer, place, repository)}
    return next((tier for tier in ("block", "warn") if tier in tiers), "ignore")


def measure(folder: Path, wanted: str) -> Iterator[str]:
    """A line for each kind of name."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in (HERE / "name_answers.jsonl").read_text().splitlines():
        row = json.loads(line)
        if row["set"] == wanted:
            rows[row["repository"]].append(row)
    counts: dict[tuple[bool, str], Counter[str]] = defaultdict(Counter)
    for name, given in rows.items():
        path = folder / name.replace("/", "+") / "repo"
        opened = open_repository({"kind": "worktree", "path": str(path), "commit": "HEAD"})
        lexicon = read_lexicon(opened)
        assert lexicon, name
        for row in given:
            tier = tier_of(row["answer"], NamedRepository(lexicon, opened))
            for kind in (row["kind"], "all"):
                counts[row["invented"], kind][tier] += 1
    for (invented, kind), count in sorted(counts.items()):
        told = ", ".join(f"{tier} {count[tier]}" for tier in ("block", "warn", "ignore"))
        yield f"{wanted}: {'invented' if invented else 'honest'} {kind}: {told} of {count.total()}"


if __name__ == "__main__":
    folder_, *sets = sys.argv[1:]
    for name_ in sets or [
        "develop",
        "held",
        "last",
        "develop-2",
        "unseen",
        "final",
        "develop-3",
        "unseen-3",
        "unseen-4",
    ]:
        print(*measure(Path(folder_), name_), sep="\n", flush=True)
