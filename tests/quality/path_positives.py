"""Measures recall on paths that documents cite and that are not there: `python -m tests.quality.path_positives FOLDER`.

FOLDER holds a git repository for each line of path_positives.jsonl, at `owner+name/repo`, with that commit in it. The
lines were found by a rule of their own (absent beside the document, from the root, and as the ending of any path), and
labelled by one person without sight of what the gate says; nothing of the documents is kept but the place.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

from gate.repository.path_citations import citations
from tests.quality.path_citations import read_source, wilson

ROWS = Path(__file__).with_suffix(".jsonl")
Place = tuple[int, int]


def found(folder: Path) -> Counter[tuple[str, bool]]:
    """How many of the places are reported, by links and names in code."""
    places: dict[tuple[str, str], dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for line in ROWS.read_text().splitlines():
        row = json.loads(line)
        places[row["repository"], row["commit"]][row["document"]].append((row["line"], row["column"]))
    counts: Counter[tuple[str, bool]] = Counter()
    for (name, commit), documents in places.items():
        source = read_source(folder, name, commit)
        for document, wanted in documents.items():
            for cited in citations(document, source.documents[document], source.repository):
                mention = cited.mention
                if (mention.line, mention.column) in wanted:
                    is_reported = cited.tier != "ignore" and not source.layouts.unknown(document, cited)
                    counts["name" if mention.surface == "inline" else "link", is_reported] += 1
    return counts


if __name__ == "__main__":
    counted = found(Path(sys.argv[1]))
    for kind in ("link", "name"):
        hits, total = counted[kind, True], counted[kind, True] + counted[kind, False]
        low, high = wilson(hits, total)
        print(f"{kind}: {hits} of {total} reported = {hits / total:.2f} [{low:.2f}, {high:.2f}]")
