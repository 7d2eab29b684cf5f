"""Measures the docs detective on real repositories: `python -m tests.quality.path_citations FOLDER [SET …]`.

FOLDER holds a git repository for each line of path_repositories.json, at `owner+name`, with that commit in it (a bare
clone will do). Nothing of theirs is kept here: the labels name repository, commit, document, line and reason.

For each set it prints the share of documents that fire, precision on the labelled findings that still fire, with Wilson
intervals at 95 %, and recall on citations altered by a seeded script as a rename or a model would alter them.
"""

from __future__ import annotations

import json
import math
import posixpath
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from gate.adapters.repositories import open_repository
from gate.repository.code_names import Names
from gate.repository.document_place import document_place_of
from gate.repository.links import Links
from gate.repository.manifest import Repository
from gate.repository.mention_classes import PathCitation
from gate.repository.mentions import Mention, mentions
from gate.repository.path_citations import Layouts, beside_others, citations
from tests.quality.alterations import ALTERATIONS, altered

HERE = Path(__file__).parent
ENDINGS = (".md", ".mdx", ".rst")
SEED = 20261121
SAMPLE = 600


@dataclass
class Source:
    """One repository with its documents."""

    name: str
    repository: Repository
    documents: dict[str, str]

    @cached_property
    def layouts(self) -> Layouts:
        """What the documents together show of the repository's layout."""
        texts = self.documents.items()
        cited = ((name, each) for name, text in texts for each in citations(name, text, self.repository))
        return Layouts(cited, self.repository)


def sources(folder: Path, wanted: str) -> Iterator[Source]:
    """Read every repository of a set."""
    for entry in json.loads((HERE / "path_repositories.json").read_text()):
        if entry["set"] == wanted:
            yield read_source(folder, entry["repository"], entry["commit"])


def read_source(folder: Path, name: str, commit: str) -> Source:
    """Read a repository at a commit."""
    path = folder / name.replace("/", "+")
    path = path if (path / "HEAD").exists() or (path / ".git").exists() else path / "repo"
    opened = open_repository({"kind": "worktree", "path": str(path), "commit": commit})
    repository = replace(opened, name=name.partition("/")[2])
    return Source(name, repository, dict(_documents(path, commit, repository)))


def _documents(path: Path, commit: str, repository: Repository) -> Iterator[tuple[str, str]]:
    names = [name for name in repository.files if name.lower().endswith(ENDINGS) and name not in repository.links]
    given = "".join(f"{commit}:{name}\n" for name in names).encode()
    command = ["git", "-C", str(path), "cat-file", "--batch"]
    out = subprocess.run(command, input=given, capture_output=True, check=True).stdout
    position = 0
    for name in names:
        end = out.index(b"\n", position)
        head = out[position:end].split()
        position = end + 1
        if head[-1] != b"missing":
            size = int(head[-1])
            yield name, out[position : position + size].decode("utf-8", "replace")
            position += size + 1


def precision(found: dict[tuple[object, ...], str], wanted: str) -> Iterator[str]:
    """One line for each tier: labelled findings that the rules as they are now put there, and how many are true."""
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    twice: Counter[bool] = Counter()
    for line in (HERE / "path_labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        key = (label["repository"], label["document"], label["line"], label["column"])
        if label["set"] == wanted and found.get(key, "ignore") != "ignore":
            counts[found[key]][label["true"]] += 1
        if label["set"] == wanted and "second" in label:
            twice[label["true"] == label["second"]] += 1
    for tier, count in sorted(counts.items()):
        low, high = wilson(count[True], count.total())
        share = count[True] / count.total()
        yield f"{tier}: {count[True]} of {count.total()} true = {share:.3f} [{low:.3f}, {high:.3f}]"
    if twice:
        yield f"labelled twice: {twice[True]} of {twice.total()} agree"


def wilson(hits: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson interval of a share."""
    share = hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return middle - half, min(middle + half, 1.0)


class Reader:
    """Reads single mentions of one document."""

    def __init__(self, document: str, source: Source) -> None:
        document_place = document_place_of(document, source.repository)
        self._document, self._source = document, source
        self.foreign = document_place.foreign
        self._links, self._names = Links(document_place), Names(document_place)

    def read(self, mention: Mention) -> PathCitation:
        """What one mention says."""
        return (self._names if mention.surface in ("inline", "command") else self._links).read(mention)

    @cached_property
    def _found(self) -> list[PathCitation]:
        text = self._source.documents[self._document]
        return [each for each in citations(self._document, text, self._source.repository) if each.found]

    def reports(self, cited: PathCitation) -> bool:
        """Whether a document that said so, and in this place nothing else, would have a finding."""
        place = (cited.mention.line, cited.mention.column)
        others = (each for each in self._found if (each.mention.line, each.mention.column) != place)
        said = beside_others(cited, {posixpath.dirname(each.path) for each in others})
        return said.tier != "ignore" and not self._source.layouts.unknown(self._document, said)


def kind_of(mention: Mention) -> str:
    """The group that recall is measured in."""
    if mention.surface == "command":
        return "command"
    if mention.surface == "inline":
        return "inline" if "/" in mention.target else "bare name"
    return "link"


def recall(given: list[Source]) -> Iterator[str]:
    """One line for each group: of citations that resolve, altered so that they do not, how many are reported."""
    random_ = random.Random(SEED)
    pool: dict[str, dict[str, list[tuple[Repository, Reader, Mention]]]] = defaultdict(lambda: defaultdict(list))
    for source in given:
        for document, text in source.documents.items():
            reader = Reader(document, source)
            for mention in mentions(text, restructured=document.endswith(".rst")):
                cited = reader.read(mention)
                is_file = cited.found and cited.path in source.repository.known
                if is_file and not source.repository.is_folder(cited.path) and not reader.foreign:
                    pool[kind_of(mention)][source.name].append((source.repository, reader, mention))
    for kind, by_source in sorted(pool.items()):
        hits, total = _reported(random_, _sample(random_, by_source))
        if total:
            low, high = wilson(hits, total)
            yield f"recall, {kind}: {hits} of {total} = {hits / total:.3f} [{low:.3f}, {high:.3f}]"


def _sample(
    random_: random.Random, groups: dict[str, list[tuple[Repository, Reader, Mention]]]
) -> list[tuple[Repository, Reader, Mention]]:
    """The same number from each repository, as far as they go."""
    for group in groups.values():
        random_.shuffle(group)
    rounds = [[group[n] for group in groups.values() if n < len(group)] for n in range(SAMPLE)]
    return [entry for one in rounds for entry in one][:SAMPLE]


def _reported(random_: random.Random, entries: list[tuple[Repository, Reader, Mention]]) -> tuple[int, int]:
    hits = total = 0
    for repository, reader, mention in entries:
        for _ in range(12):
            target = altered(random_, random_.choice(ALTERATIONS), repository, mention.target)
            text = mention.text.replace(mention.target, target)
            cited = reader.read(replace(mention, target=target, text=text))
            if target != mention.target and not cited.found:
                hits += reader.reports(cited)
                total += 1
                break
    return hits, total


SAYS = (
    "It is implemented in `{}`.", "The entry point is {}, which calls the rest.", "- `{}`: where this happens",
    "See [this file]({}) for the details.", "Open {} and look at the first function.", "Tests for it live in `{}`.",
)  # fmt: skip
ASKS = ("Create `{}` with this content.", "You could add a new file `{}` for your own settings.")


def answers(given: list[Source]) -> Iterator[str]:
    """Made-up answers about each repository: real paths, invented ones, and ones that the reader is asked to create."""
    random_ = random.Random(SEED)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for source in given:
        names = [name for name in source.repository.files if re.fullmatch(r"[\w./-]+/[\w-]+\.[a-z]{1,5}", name)]
        for name in random_.sample(names, min(40, len(names))):
            how = random_.choice(ALTERATIONS)
            invented = altered(random_, how, source.repository, name)
            counts["real"][_tier(source, random_.choice(SAYS).format(name))] += 1
            if not source.repository.ending_with(invented):
                counts["invented"][_tier(source, random_.choice(SAYS).format(invented))] += 1
                counts["to be created"][_tier(source, random_.choice(ASKS).format(invented))] += 1
    for kind, count in counts.items():
        yield f"answers, {kind}: {dict(count)} of {count.total()}"


def _tier(source: Source, text: str) -> str:
    tiers = {cited.tier for cited in citations("turn 1", text, source.repository, answer=True) if not cited.found}
    return "block" if "block" in tiers else "warn" if "warn" in tiers else "nothing"


def measure(folder: Path, wanted: str) -> Iterator[str]:
    """Every line of a set."""
    given = list(sources(folder, wanted))
    found: dict[tuple[object, ...], str] = {}
    firing = documents = unjudged = 0
    for source in given:
        for document, text in source.documents.items():
            documents += 1
            tiers = set()
            for cited in citations(document, text, source.repository):
                if source.layouts.unknown(document, cited):
                    unjudged += 1
                elif not cited.found and cited.tier != "ignore":
                    place = (source.name, document, cited.mention.line, cited.mention.column)
                    found[place] = cited.tier
                    tiers.add(cited.tier)
            firing += bool(tiers)
    counts = Counter(found.values())
    yield f"## {wanted}: {len(given)} repositories, {documents} documents"
    yield f"documents that fire: {firing} = {firing / documents:.2%}; findings: {dict(counts)}, not judged: {unjudged}"
    yield from precision(found, wanted)
    yield from recall(given)
    yield from answers(given)


if __name__ == "__main__":
    folder_, *sets = sys.argv[1:]
    for name in sets or ["develop", "held-1", "held-2", "held-3", "held-4"]:
        print(*measure(Path(folder_), name), sep="\n", flush=True)
