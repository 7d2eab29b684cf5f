"""How many names of a project's documents are found in them: by search alone, and with the lexicon of the corpus.

`python -m tests.quality.lexicon FOLDER...` takes what stands between backquotes in the Markdown and reStructuredText of
each folder, of four words at most, looks each up as a check does (keywords alone), and prints how many the documents
are found to name, what a look into the lexicon takes, and which are not found.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from gate import wiring
from gate.services.corpus_lexicon import with_named
from gate.services.paths.path_index import index_corpus
from gate.settings import Settings
from gate.wiring import Wiring

MOST_WORDS = 4
SPANS = {
    ".md": re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]+)\1(?!`)"),
    ".rst": re.compile(r"(?<!`)(``)(?!`)([^`\n]+)\1(?!`)"),  # single ones are roles, most of them links
}
NAME = re.compile(r"[A-Za-z]{2}")


def names_of(folder: Path) -> list[str]:
    """What stands between backquotes, each once; blocks of code aside."""
    files = sorted(path for path in folder.rglob("*") if path.suffix in SPANS)
    texts = ((path.suffix, re.sub(r"(?ms)^```.*?^```", "", path.read_text(encoding="utf-8"))) for path in files)
    found = (match[2].strip() for ending, text in texts for match in SPANS[ending].finditer(text))
    return list(dict.fromkeys(name for name in found if NAME.search(name) and len(name.split()) <= MOST_WORDS))


def measured(folder: Path) -> tuple[int, int, list[str], float]:
    """Names, those that search alone finds, those that nobody finds, and seconds that a look into the lexicon takes."""
    with tempfile.TemporaryDirectory() as home, wiring.entered(Wiring(Settings(home=Path(home), embedder="none"))):
        index, names = index_corpus(str(folder)), names_of(folder)
        by_search, missing, spent = 0, [], 0.0
        for name in names:
            entry: dict[str, Any] = {"claim": {"kind": "name", "text": name}}
            entry["documents"] = wiring.current().search_engine().search_docs(name, index, k=5)
            began = time.process_time()
            looked_up = with_named(entry, index)
            spent += time.process_time() - began
            by_search += looked_up is entry
            if "near" in looked_up:
                missing.append(name)
    return len(names), by_search, missing, spent / len(names)


if __name__ == "__main__":
    print("| folder | names | found by search | with the lexicon | CPU of a look |\n|---|---|---|---|---|")
    for each in sys.argv[1:]:
        count, found, missed, seconds = measured(Path(each))
        print(f"| {Path(each).name} | {count} | {found} | {count - len(missed)} | {1_000 * seconds:.2f} ms |")
        print(f"not found: {', '.join(missed)}", file=sys.stderr)
