"""Every page that the project makes is open to everybody: axe finds nothing on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gate import cli
from tests.browser.accessibility import SCREENS, barriers, look_from
from tests.browser.driver import Browser
from tests.entrance import Entrance

pytestmark = pytest.mark.browser

HARBOUR = "# Harbour\n\nThe harbour opens at nine. Parcels take 4 days. See [the map](map.md).\n"
ANSWERS = {
    "good.md": "The harbour opens at nine.\n",
    "bad.md": "# At\n\nThe harbour opens at seven. Parcels take 9 days.\n\n| what | days |\n|-|-|\n| parcels | 4 |",
}
LABELLED = {"claim": "Parcels take 4 days.", "evidence": [HARBOUR], "label": "supported"}
PAGES = {
    "summary.html": "check good.md bad.md --corpus docs -f json -o reports --summary summary.html",
    "report.html": "check bad.md --corpus docs -o report.html",
    "failed.html": "check bad.md --corpus docs -o failed.html",
    "changes.html": "diff reports/good.json reports/bad.json -o changes.html",
    "evaluation.html": "evaluate labels.jsonl -o evaluation.html",
    "audit.html": "audit-docs docs --repo . -o audit.html",
    "ledger.html": "ledger report -o ledger.html",
}


@pytest.fixture
def pages(tmp_path: Path, entrance: Entrance, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Each page, as its command writes it."""
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/harbour.md").write_text(HARBOUR)
    Path("labels.jsonl").write_text(json.dumps(LABELLED) + "\n")
    for name, text in ANSWERS.items():
        Path(name).write_text(text)
    entrance.change(ledger="local")
    for name, command in PAGES.items():
        if name == "failed.html":
            entrance.change(model="openai:none", model_endpoint="http://127.0.0.1:9/v1")
        result = CliRunner().invoke(cli.group, command.split())
        assert Path(name).exists(), f"{command}: {result.output}"
        if name == "failed.html":
            entrance.change(model="local", model_endpoint="")
    return [Path(name).absolute() for name in PAGES]


def test_axe_finds_nothing_on_any_page_that_a_command_writes(browser: Browser, pages: list[Path]) -> None:
    found = {}
    for page in pages:
        browser.open(page.as_uri())
        for screen in SCREENS:
            look_from(browser, screen)
            found[f"{page.name} on {screen}"] = barriers(browser)
    assert {where: what for where, what in found.items() if what} == {}


def test_axe_finds_what_is_wrong_with_a_page(browser: Browser, tmp_path: Path) -> None:
    page = tmp_path / "bad.html"
    page.write_text("<title>bad</title><img src='x.png'><p style='color: #ccc; background: #fff'>pale</p>")
    browser.open(page.as_uri())
    assert {one.partition(":")[0] for one in barriers(browser)} >= {"image-alt", "color-contrast", "html-has-lang"}
