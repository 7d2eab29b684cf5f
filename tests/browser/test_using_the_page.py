"""The page in a browser as people use it: keys, filters, search, links, many claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.reports import render
from gate.reports.model import STATUSES, Report
from tests.browser.driver import FLAGS, Browser
from tests.report_builders import a_report

pytestmark = pytest.mark.browser

FIRST_VIEW_S, FILTER_S = 1.0, 0.1
"""CPU of the main thread; a filter is meant to take half of that, on a machine that nobody else works on."""
SHOWN = "[...document.querySelectorAll('.card')].filter(one => one.checkVisibility()).map(one => one.id)"
IN_PANE = """(id => {
  const place = document.getElementById("in-" + id).getBoundingClientRect();
  const pane = document.querySelector(".scroll").getBoundingClientRect();
  return place.top >= pane.top && place.bottom <= pane.bottom && place.bottom <= innerHeight;
})"""


def many(count: int) -> Report:
    """The report of an answer of so many sentences, a line each, with every label in turn."""
    sentences = [(f"Sentence number {n} says that boats leave at {n}.", STATUSES[n % 4]) for n in range(count)]
    report = a_report(sentences)
    turn = report.turns[0].model_copy(update={"content": report.turns[0].content.replace(". Sent", ".\nSent")})
    return report.model_copy(update={"turns": (turn,)})


def opened(browser: Browser, report: Report, folder: Path) -> None:
    """Show its page."""
    (folder / "page.html").write_bytes(render(report, "html").data)
    browser.open((folder / "page.html").as_uri())


def choose(browser: Browser, name: str) -> None:
    """Choose what is shown."""
    browser.run(f"document.getElementById('show-{name}').click()")
    browser.painted()


def test_keys_go_from_one_claim_to_look_at_to_the_next_and_both_panes_follow(browser: Browser, tmp_path: Path) -> None:
    opened(browser, many(120), tmp_path)
    for key, claim in (("j", "c0001"), ("j", "c0005"), ("j", "c0009"), ("k", "c0005")):
        browser.press(key)
        browser.painted()
        assert browser.run("location.hash") == f"#{claim}"
        assert browser.run("document.activeElement.id") == claim
    for _ in range(40):
        browser.press("j")
    browser.painted()
    claim = str(browser.run("location.hash"))[1:]
    assert browser.run(f"{IN_PANE}('{claim}')"), "the text follows"
    card = browser.run(f"document.getElementById('{claim}').getBoundingClientRect().top")
    tools = browser.run("document.querySelector('.tools').getBoundingClientRect().bottom")
    assert 0 < tools <= card < 900, "the card is in sight, below the filters, which stay"


def test_a_filter_shows_one_label_and_a_link_to_another_claim_shows_all(browser: Browser, tmp_path: Path) -> None:
    opened(browser, many(8), tmp_path)
    assert len(browser.run(SHOWN)) == 6, "what holds is left out"
    choose(browser, "unchecked")
    assert browser.run(SHOWN) == ["c0002", "c0006"]
    browser.run("document.getElementById('in-c0004').click()")
    browser.painted()
    assert browser.run("document.getElementById('c0004').checkVisibility()")
    assert len(browser.run(SHOWN)) == 8


def test_a_search_leaves_the_claims_that_have_the_words(browser: Browser, tmp_path: Path) -> None:
    opened(browser, many(8), tmp_path)
    choose(browser, "all")
    browser.run("const field = document.getElementById('find'); field.value = 'NUMBER 3 '; 0")
    browser.run("document.getElementById('find').dispatchEvent(new Event('input'))")
    assert browser.run(SHOWN) == ["c0004"]
    browser.run("document.getElementById('find').focus()")
    browser.press("j")
    assert browser.run("location.hash") == "", "a letter of a search is no command"


def test_without_the_script_everything_is_there_and_a_link_shows_what_a_filter_leaves_out(
    chromium: str, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(render(many(8), "html").data)
    flags = [*FLAGS, "--blink-settings=scriptEnabled=false"]
    with Browser([chromium, *flags], tmp_path / "profile") as browser:
        browser.call("Page.navigate", url=f"{page.as_uri()}#c0004")
        browser.wait("Page.loadEventFired")
        assert browser.run("document.querySelector('.scripted').hidden")
        assert browser.run("document.getElementById('c0004').checkVisibility()")
        assert not browser.run("document.querySelector('.group.fine:not(:has(:target))')?.checkVisibility()")


def test_the_page_asks_for_nothing_and_its_policy_lets_no_other_script_run(browser: Browser, tmp_path: Path) -> None:
    opened(browser, many(8), tmp_path)
    added = "const one = document.createElement('script'); one.text = 'window.ran = 1'; document.body.append(one);"
    browser.run(f"{added} 0")
    browser.painted()
    assert browser.run("window.ran ?? 'no'") == "no"
    assert {url.partition(":")[0] for url in browser.requests} == {"file"}


def test_a_thousand_claims_are_seen_within_a_second_and_filtered_at_once(browser: Browser, tmp_path: Path) -> None:
    opened(browser, many(1_000), tmp_path)
    assert browser.cpu_s() <= FIRST_VIEW_S
    for name in ("all", "unsupported", "look"):
        assert min(cost(browser, name) for _ in range(3)) <= FILTER_S, name


def cost(browser: Browser, name: str) -> float:
    """CPU seconds of the main thread that a filter takes, from another one."""
    choose(browser, "weakly_supported")
    before = browser.cpu_s()
    choose(browser, name)
    return browser.cpu_s() - before


@pytest.mark.parametrize(("width", "height"), [(375, 812), (1440, 900)])
def test_the_worst_claim_and_what_to_do_stand_on_the_first_screen(
    browser: Browser, tmp_path: Path, width: int, height: int
) -> None:
    browser.screen(width, height)
    opened(browser, many(40), tmp_path)
    for part in (".worst", ".now"):
        assert browser.run(f"document.querySelector('{part}').getBoundingClientRect().bottom") <= height, part
    assert browser.run("document.querySelector('.card').getBoundingClientRect().top") <= 1.5 * height
    assert browser.run("document.documentElement.scrollWidth") <= width


def test_a_long_quote_does_not_push_what_to_do_off_a_phone(browser: Browser, tmp_path: Path) -> None:
    report = many(40)
    longer = [claim.model_copy(update={"quote": "Boats leave at nine. " * 60}) for claim in report.claims]
    browser.screen(375, 812)
    opened(browser, report.model_copy(update={"claims": tuple(longer)}), tmp_path)
    assert browser.run("document.querySelector('.now').getBoundingClientRect().bottom") <= 812


def test_paper_shows_every_claim_and_no_tools(browser: Browser, tmp_path: Path) -> None:
    opened(browser, many(40), tmp_path)
    browser.call("Emulation.setEmulatedMedia", media="print")
    assert len(browser.run(SHOWN)) == 40
    assert not browser.run("document.querySelector('.tools').checkVisibility()")


def test_forced_colours_keep_labels_apart(browser: Browser, tmp_path: Path) -> None:
    opened(browser, many(8), tmp_path)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    looks = browser.run(
        "[...document.querySelectorAll('.text .claim')].slice(0, 4)"
        ".map(one => getComputedStyle(one).textDecorationStyle + one.querySelector('sup').textContent)"
    )
    assert len(set(looks)) == 4


def test_an_answer_from_right_to_left_has_its_cards_from_right_to_left(browser: Browser, tmp_path: Path) -> None:
    opened(browser, a_report([("הסירות יוצאות בתשע.", "unsupported")]), tmp_path)
    for part in (".worst bdi", ".card h3", ".text"):
        assert browser.run(f"getComputedStyle(document.querySelector('{part}')).direction") == "rtl", part
