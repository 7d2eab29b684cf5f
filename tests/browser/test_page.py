"""The page in a real browser: it fits a desk and a phone, obeys its own policy and runs nothing of an answer's."""

from __future__ import annotations

import http.server
import json
import re
import subprocess
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from gate.reports import render
from gate.reports.model import STATUSES
from tests.browser.driver import FLAGS
from tests.report_builders import a_report

pytestmark = pytest.mark.browser

HOSTILE = "<script>parent.document.title='run'</script><img src=/secret onerror=\"parent.document.title='run'\">"
LONG_WORD = "https://harbour.example/" + "a" * 300

PROBE = (Path(__file__).parent / "probe.html").read_text(encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, Path, list[str]]]:
    """A web server on loopback over a folder: its address, the folder, the paths it was asked for."""
    asked: list[str] = []

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments, directory=str(tmp_path))

        def log_message(self, format: str, *arguments: Any) -> None:
            asked.append(self.path)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", tmp_path, asked
        server.shutdown()


def measure(chromium: str, site: tuple[str, Path, list[str]], width: int) -> dict[str, Any]:
    """Open the report of an answer with every label in a frame `width` pixels wide and say what is seen."""
    address, folder, _ = site
    sentences = [(f"Sentence {number} of the answer says so.", status) for number, status in enumerate(STATUSES)]
    report = a_report([*sentences, (HOSTILE, "unsupported"), (LONG_WORD, "supported")], passage=HOSTILE + LONG_WORD)
    check = {"name": "numbers", "passed": False, "detail": "not in the evidence: 4"}
    claims = (report.claims[0].model_copy(update={"checks": (check,)}), *report.claims[1:])
    report = report.model_copy(update={"claims": claims})
    (folder / "page.html").write_bytes(render(report, "html").data)
    (folder / "probe.html").write_text(PROBE.replace("WIDTH", str(width)), encoding="utf-8")
    command = [chromium, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--window-size=1600,1000"]
    command += ["--virtual-time-budget=4000", "--dump-dom", f"{address}/probe.html"]
    page = subprocess.run(command, capture_output=True, text=True, timeout=50, check=True).stdout
    found = re.search(r'<pre id="found">(.*?)</pre>', page, re.DOTALL)
    assert found, page[:500]
    assert found[1], page[:500]
    seen: dict[str, Any] = json.loads(unescape(found[1]))
    return seen


@pytest.mark.parametrize(("width", "columns"), [(375, 1), (1440, 2)])
def test_the_page_fits_the_screen(chromium: str, site: tuple[str, Path, list[str]], width: int, columns: int) -> None:
    seen = measure(chromium, site, width)
    assert seen["overflow"] <= 0
    assert seen["wide"] == []
    assert seen["columns"] == columns
    assert seen["font"] >= 16
    assert len({tuple(look) for look in seen["looks"].values()}) == 4, "labels look alike without colour"
    assert (seen["all"], seen["shown"]) == (6, 2), "the filter shows unsupported claims alone"
    assert seen["flagged"] == 1, "the filter shows claims with a failed check alone"


def test_the_style_applies_and_nothing_of_an_answer_runs_or_loads(
    chromium: str, site: tuple[str, Path, list[str]]
) -> None:
    seen = measure(chromium, site, 800)
    assert seen["styled"] in ("double", "solid", "dotted", "dashed")
    assert seen["title"] == "quiet"
    assert {path for path in site[2] if "favicon" not in path} == {"/probe.html", "/page.html"}
