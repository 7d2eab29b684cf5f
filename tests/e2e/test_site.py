"""The five starts, run word by word by a reader with nothing; the site made of the documents, and its gallery."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import site

pytestmark = pytest.mark.e2e

BLOCK = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)
FOREIGN = re.compile(r'<(?:script|link|img|iframe)\b[^>]*(?:src|href)="(?:https?:)?//')
STARTS = {
    "rag": ("3 records: 1 pass, 2 block", "answers checked: 1 (1 pass); 1 claim"),
    "documents": ("0 block, 1 warn, 0 unread", "baseline: pass: 1 accepted, 0 new", "gate-policy.yaml"),
    "support": ("Instead of “90 days” the evidence has “30 days”.", "help: 2 documents"),
    "platform": ("10,000 claims",),
    "research": ("judged by local-joined/", "local and local:lexical", "calibration.json"),
}
"""What a start prints, beside much else."""


def start(name: str, folder: Path) -> str:
    """Run the commands of a start in an empty folder, but for those that install; return what they printed.

    A decision of the policy, exit code 1, is what the reader is told of; anything else ends the start.
    """
    blocks = BLOCK.findall((site.ROOT / "docs" / "start" / f"{name}.md").read_text(encoding="utf-8"))
    assert "pip install" in blocks[0] or "make synth" in blocks[0]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GATE_", "AWS_"))}
    environment |= {"HOME": str(folder / "home"), "PYTHONPATH": str(site.ROOT / "functions")}
    gate = f'gate() {{ "{sys.executable}" -m gate "$@" || [ $? = 1 ]; }}\nset -e\n'
    gate += f'python() {{ "{sys.executable}" "$@" -p no:schemathesis -p no:cacheprovider; }}\n'
    script = gate + "\n".join(blocks[1:])
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=240
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return " ".join(said.split())


@pytest.mark.parametrize("name", STARTS)
def test_a_start_is_followed_word_by_word(name: str, tmp_path: Path) -> None:
    said = start(name, tmp_path)
    assert not [line for line in STARTS[name] if line not in said], said


def test_every_start_is_tried() -> None:
    assert sorted(STARTS) == sorted(path.stem for path in (site.ROOT / "docs" / "start").glob("*.md"))


def test_the_site_is_whole_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    site.write_site(tmp_path)
    written = {path.relative_to(tmp_path).with_suffix("").as_posix() for path in tmp_path.rglob("*.html")}
    assert written >= {
        path.relative_to(site.ROOT / "docs").with_suffix("").as_posix() for path in (site.ROOT / "docs").rglob("*.md")
    }
    assert not [path.name for path in tmp_path.rglob("*.html") if FOREIGN.search(path.read_text(encoding="utf-8"))]


def test_a_link_that_leads_nowhere_ends_the_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (docs := tmp_path / "docs").mkdir()
    shutil.copy(site.ROOT / "docs" / "conf.py", docs)
    (docs / "index.md").write_text("# Pages\n\n[there](#nowhere)\n", encoding="utf-8")
    monkeypatch.setattr("tests.site.ROOT", tmp_path)
    with pytest.raises(RuntimeError, match="nowhere"):
        site.write_site(tmp_path / "out")


def test_the_gallery_is_made_by_the_commands_that_it_shows(tmp_path: Path) -> None:
    site.write_gallery(tmp_path / "gallery")
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "gallery").glob("*.html")}
    assert pages.keys() == {f"{each.page}.html" for each in site.GALLERY}
    assert not [name for name, page in pages.items() if FOREIGN.search(page)]
