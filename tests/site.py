"""Makes the documents a site, with a gallery of real reports: `python -m tests.site OUT`, or `make site`."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Shown:
    """A page of the gallery, and the commands that make it; the last one writes the page."""

    page: str
    title: str
    commands: tuple[str, ...]


DEMO = "gate check events/demo/answer.md --corpus events/demo/corpus.jsonl"
GALLERY = (
    Shown("blocked", "An answer about a product, blocked", (f"{DEMO} -q -o blocked.html",)),
    Shown(
        "records",
        "Records of a data set, each against the passages that it came from, the worst first",
        ("gate check events/records/ragas.jsonl --against contexts -q -f html -o records/ --summary records.html",),
    ),
    Shown(
        "verifiers",
        "One answer by two verifiers: what changed, and why",
        (
            f"{DEMO} -q -o new.json",
            f"GATE_MODEL=local:lexical {DEMO} -q -o old.json",
            "gate diff old.json new.json -o verifiers.html",
        ),
    ),
    Shown(
        "documents",
        "What documents say about a repository and it does not hold",
        ("gate audit-docs README.md docs -o documents.html",),
    ),
)


def gallery_table() -> str:
    """The pages and the commands that made them."""
    rows = ["| page | made by |", "| --- | --- |"]
    for each in GALLERY:
        commands = "<br>".join(f"`{command}`" for command in each.commands)
        rows.append(f'| <a href="gallery/{each.page}.html">{each.title}</a> | {commands} |')
    return "\n".join(rows) + "\n"


def write_gallery(folder: Path) -> None:
    """Run the commands of the gallery as a user does, with their pages in `folder`.

    Raises:
        RuntimeError: a command failed; a decision of the policy is no failure.
    """
    folder.mkdir(parents=True)
    shutil.copytree(ROOT / "events", folder / "events")  # a link out of the folder is refused
    with tempfile.TemporaryDirectory() as home:
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "AWS_"))}
        environment |= {"HOME": home, "GATE_HOME": f"{home}/gate", "PYTHONPATH": str(ROOT / "functions")}
        for command in (command for each in GALLERY for command in each.commands):
            audit = "audit-docs" in command
            line = command.replace("gate ", f"{shlex.quote(sys.executable)} -m gate ", 1)
            line = line.replace("documents.html", str(folder / "documents.html")) if audit else line
            done = subprocess.run(
                ["bash", "-c", line], cwd=ROOT if audit else folder, env=environment, capture_output=True, text=True
            )
            if done.returncode not in (0, 1):
                raise RuntimeError(f"{command}: exit code {done.returncode}: {done.stderr}")
    shutil.rmtree(folder / "events")


def write_site(out: Path) -> None:
    """Build the pages below `out`; what Sphinx would warn of ends it.

    Raises:
        RuntimeError: a link, an anchor or a page's place is wrong.
    """
    docs = str(ROOT / "docs")
    with tempfile.TemporaryDirectory() as trees:
        command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", "-d", trees, docs, str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    write_site(target)
    write_gallery(target / "gallery")
    print(f"{target}/index.html")
