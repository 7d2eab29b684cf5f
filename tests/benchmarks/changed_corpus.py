"""A folder of 20,000 files as a corpus, when one of them changes.

Markdown, MDX, reStructuredText, AsciiDoc, HTML, text, JSON and Python in equal parts, 150 words each, a hundred to a
folder, and 200 more that cannot be read. What `gate check --corpus FOLDER` does before it checks, embedding apart:
vectors of 384 dimensions are made up. Then the same by `gate index add`.
"""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gate import wiring
from gate.services.corpora import add_paths
from gate.services.paths.path_index import index_corpus
from gate.settings import Settings
from gate.wiring import Wiring
from tests.benchmarks.table import Row
from tests.memory import most_memory

SLOW = True
FILES, UNREADABLE, DIMENSION = 20_000, 200, 384
LIMIT_S = 5.0
TEMPLATES = {
    ".md": "# {title}\n\n{first}\n\n## Terms\n\n{second}\n",
    ".mdx": "import {{ Note }} from './note'\n\n# {title}\n\n<Note>{first}</Note>\n\n{second}\n",
    ".rst": "{title}\n=========================\n\n{first}\n\n.. note:: {second}\n",
    ".adoc": "= {title}\n\n{first}\n\n== Terms\n\n{second}\n",
    ".html": "<html><body><h1>{title}</h1><p>{first}</p><p>{second}</p></body></html>",
    ".txt": "{title}\n\n{first}\n\n{second}\n",
    ".json": '{{"title": "{title}", "first": "{first}", "second": "{second}"}}',
    ".py": '"""{title}\n\n{first}\n"""\n\n# {second}\n',
}


class MadeUp:
    """Vectors that say nothing."""

    name, dimension = "made-up/1", DIMENSION

    def embed(self, texts: Sequence[str]) -> Any:
        """One row a text."""
        return np.random.default_rng(len(texts)).standard_normal((len(texts), DIMENSION), dtype=np.float32)


class _Home(Wiring):
    def embedder(self) -> Any:
        return MadeUp()


def measure() -> list[Row]:
    """Make the folder, index it, and change it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "docs"
        _write(folder)
        with wiring.entered(_Home(Settings(home=Path(place) / "home", embedder="none"))):
            built = _seconds(lambda: index_corpus(str(folder)))
            time.sleep(2.5)  # what was written less than two seconds ago may have changed since
            again = _seconds(lambda: index_corpus(str(folder)))
            (folder / "0" / "0.md").write_text("# Berths\n\nA berth costs 14 euro.\n")
            changed = _seconds(lambda: index_corpus(str(folder)))
            (folder / "1" / "101.mdx").unlink(missing_ok=True)
            shutil.rmtree(folder / "3")
            removed = _seconds(lambda: index_corpus(str(folder)))
            added = _seconds(lambda: add_paths([folder], "kept"))
            time.sleep(2.5)
            (folder / "0" / "0.md").write_text("# Berths\n\nA berth costs 15 euro.\n")
            added_again = _seconds(lambda: add_paths([folder], "kept"))
            index = wiring.current().embedded_store()
            name = index.newest_of(folder)
            told = index.notes(name)["left_out"]["files"]
            found = index.search_docs("berth costs 14 euro", name)[0]["id"].partition("#")[0]
    return [
        Row(f"{FILES:,} files for the first time, embedding apart", f"{built:.0f} s"),
        Row("nothing changed", f"{again:.1f} s", f"< {LIMIT_S:.0f} s", again < LIMIT_S),
        Row("one file changed", f"{changed:.1f} s", f"< {LIMIT_S:.0f} s", changed < LIMIT_S),
        Row("a hundred files removed", f"{removed:.1f} s", f"< {LIMIT_S:.0f} s", removed < LIMIT_S),
        Row("`gate index add` for the first time", f"{added:.0f} s"),
        Row("`gate index add`, one file changed", f"{added_again:.1f} s", f"< {LIMIT_S:.0f} s", added_again < LIMIT_S),
        Row("files that cannot be read, told", f"{told} of {UNREADABLE}", "all", told == UNREADABLE),
        Row("the changed file is found", found, "0/0.md", found == "0/0.md"),
        Row("peak memory", f"{most_memory() / 2**20:.0f} MB"),
    ]


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _write(folder: Path) -> None:
    chance, words = random.Random(18), [f"word{number}" for number in range(5_000)]
    endings = list(TEMPLATES)
    for number in range(FILES):
        inside = folder / str(number // 100)
        inside.mkdir(parents=True, exist_ok=True)
        first, second = (" ".join(chance.choices(words, k=75)) + "." for _ in range(2))
        ending = endings[number % len(endings)]
        filled = TEMPLATES[ending].format(title=f"Berth {number}", first=first, second=second)
        (inside / f"{number}{ending}").write_text(filled)
    for number in range(UNREADABLE):
        (folder / "0" / f"unread-{number}.json").write_text("{")
