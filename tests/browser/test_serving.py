"""`gate serve` in a browser as people use it: paste, drop, watch, mark, compare, search, and what goes wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from time import monotonic, sleep
from typing import Any

import pytest

from tests.browser.accessibility import barriers
from tests.browser.driver import Browser
from tests.local_server import ANSWER, Served, serving

pytestmark = pytest.mark.browser

TOKEN = "a-token-of-some-length"
HOSTILE = '<img src=/secret onerror="window.ran = 1"> parcels take 9 days.'


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as found:
        yield found


def until(browser: Browser, expression: str, seconds: float = 15) -> Any:
    """The value of an expression once it is true."""
    end = monotonic() + seconds
    while not (found := browser.run(expression)):
        assert monotonic() < end, f"{expression}: {browser.run('document.body.innerText')}"
        sleep(0.05)
    return found


def opened(browser: Browser, served: Served, part: str = "check") -> None:
    browser.open("about:blank")  # another part of the same page would not be loaded anew
    browser.open(f"http://127.0.0.1:{served.port}/#{part}")
    until(browser, "document.querySelector('main > section:not([hidden])')?.id ?? ''")


def pasted(browser: Browser, text: str) -> None:
    """Paste an answer and check it; returns once the run has ended."""
    until(browser, "document.getElementById('corpus').value")
    browser.run(f"document.getElementById('answer').value = {json.dumps(text)}; 0")
    browser.run("document.querySelector('#check-form .main').click()")
    until(browser, "location.hash.startsWith('#run/') && document.querySelectorAll('#claims .marks').length")


def seen(browser: Browser, selector: str) -> list[str]:
    """The texts of what a selector finds."""
    found: list[str] = browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(one => one.innerText)")
    return found


def press(browser: Browser, text: str) -> None:
    """Press the first button with that text that is seen."""
    is_it = f"one.innerText === {json.dumps(text)} && one.checkVisibility()"
    browser.run(f"[...document.querySelectorAll('button')].find(one => {is_it}).click()")


def test_an_answer_is_pasted_checked_marked_and_compared(browser: Browser, served: Served) -> None:
    opened(browser, served)
    pasted(browser, f"{ANSWER} {HOSTILE}")
    assert "block" in seen(browser, "#run-state")[0]
    assert len(seen(browser, "#claims > li")) == 3
    assert browser.run("window.ran ?? 'no'") == "no"
    press(browser, "Wrong: supported")
    until(browser, "!!document.querySelector('#claims [aria-pressed=true]')")
    labels = served.ask("GET", "/app/labels.jsonl")[2].decode().splitlines()
    assert [json.loads(line)["label"] for line in labels] == ["supported"]
    browser.run("location.hash = '#check'; 0")
    until(browser, "!document.getElementById('check-part').hidden")
    pasted(browser, ANSWER)
    browser.run("location.hash = '#runs'; 0")
    until(browser, "document.querySelectorAll('#runs tr').length === 2")
    press(browser, "Compare the two chosen")
    until(browser, "!document.getElementById('trouble').hidden")
    assert seen(browser, "#trouble") == ["Choose two runs; 0 are chosen."]
    browser.run("document.querySelectorAll('#runs input').forEach(one => one.click())")
    press(browser, "Compare the two chosen")
    until(browser, "!!document.querySelector('#comparison .note')")
    assert any("Only in the first (1)" in text for text in seen(browser, "#comparison h2"))
    assert {url.split("/")[2] for url in browser.requests if url.startswith("http")} == {f"127.0.0.1:{served.port}"}


def test_documents_are_dropped_into_a_corpus_and_searched(browser: Browser, served: Served) -> None:
    opened(browser, served, "corpora")
    until(browser, "document.querySelectorAll('#passages li').length")
    drop = """
    const given = new DataTransfer(), text = '# Boats\\n\\nBoats to Oslo leave at nine.';
    given.items.add(new File([text], 'boats.md')); given.items.add(new File(['x'], 'tool.exe'));
    document.getElementById('into').value = 'boats';
    const dropped = new DragEvent('drop', {dataTransfer: given, cancelable: true});
    document.getElementById('corpora-part').dispatchEvent(dropped); 0"""
    browser.run(drop)
    until(browser, "document.getElementById('added').innerText.includes('tool.exe: that kind')")
    assert "1 passage added" in seen(browser, "#added li")[0]
    browser.run("document.getElementById('question').value = 'when do boats leave'; 0")
    press(browser, "Search")
    until(browser, "document.getElementById('passages').innerText.includes('Oslo')")


def test_a_record_with_contexts_is_checked_without_a_corpus(browser: Browser) -> None:
    record = {"question": "When?", "answer": "Boats leave at eleven.", "contexts": ["Boats leave at nine."]}
    with serving(documents=()) as served:
        opened(browser, served)
        until(browser, "document.getElementById('corpus').innerText")
        browser.run(f"document.getElementById('answer').value = {json.dumps(json.dumps(record))}; 0")
        browser.run("document.querySelector('#check-form .main').click()")
        until(browser, "document.querySelectorAll('#claims .marks').length")
        assert "unsupported" in seen(browser, "#claims > li")[0]


def test_what_goes_wrong_is_one_line_in_the_page(browser: Browser, served: Served) -> None:
    opened(browser, served)
    until(browser, "document.getElementById('corpus').value")
    browser.run("document.querySelector('#check-form .main').click()")
    until(browser, "!document.getElementById('trouble').hidden")
    assert "no answer to check" in seen(browser, "#trouble")[0]
    browser.run("document.getElementById('answer').value = '{\"turns\": 5}'; 0")
    browser.run("document.querySelector('#check-form .main').click()")
    until(browser, "location.hash.startsWith('#run/') && document.querySelectorAll('#run-actions button').length")
    assert "failed" in seen(browser, "#run-state")[0]
    browser.run("location.hash = '#run/none'; 0")
    until(browser, "document.getElementById('trouble').innerText.includes('no run of that id')")


REVIEWED = {"contradicted": "review", "unsupported": "review", "failed_check": "review", "review_hours": 1}


def test_an_answer_that_waits_is_read_marked_and_passed_by_a_person(browser: Browser) -> None:
    with serving(policy=REVIEWED) as served:
        opened(browser, served)
        until(browser, "document.getElementById('corpus').value")
        browser.run(f"document.getElementById('answer').value = {json.dumps(ANSWER + ' ' + HOSTILE)}; 0")
        browser.run("document.querySelector('#check-form .main').click()")
        until(browser, "location.hash.startsWith('#review/') && document.querySelectorAll('#reviewed .marks').length")
        assert "waits until" in seen(browser, "#review-state")[0]
        run_id = browser.run("location.hash").rpartition("/")[2]
        browser.run("location.hash = '#reviews'; 0")
        until(browser, f"document.getElementById('reviews').innerText.includes('{run_id}')")
        assert not barriers(browser)
        browser.run("document.querySelector('#reviews a').click()")
        until(browser, "location.hash.startsWith('#review/') && document.querySelectorAll('#reviewed .marks').length")
        browser.screen(375, 900)
        assert browser.run("document.documentElement.scrollWidth") <= 375
        assert not barriers(browser)
        browser.run("document.getElementById('reviewer').value = 'ann'; 0")
        press(browser, "Pass it")
        until(browser, "!document.getElementById('trouble').hidden")
        assert "a comment is needed" in seen(browser, "#trouble")[0]
        browser.run("document.getElementById('comment').value = 'The page is out of date.'; 0")
        press(browser, "Wrong: supported")
        press(browser, "Pass it")
        until(browser, "document.getElementById('review-state').innerText.includes('decided')")
        assert "ann: pass – The page is out of date." in seen(browser, "#review-reasons li")
        assert browser.run("window.ran ?? 'no'") == "no"
        assert served.value("GET", f"/v1/checks/{run_id}?wait=10")[1]["outcome"] == "pass"
        assert list(served.value("GET", f"/v1/reviews/{run_id}")[1]["marks"])


def test_a_run_that_was_cut_off_is_started_again(browser: Browser) -> None:
    with serving() as first:
        cut = first.cut_off()
    with serving() as served:
        opened(browser, served, f"run/{cut}")
        until(browser, "document.querySelectorAll('#run-actions button').length")
        press(browser, "Start it again")
        until(browser, "document.querySelectorAll('#claims .marks').length")
        assert "block" in seen(browser, "#run-state")[0]


def test_with_a_token_the_page_asks_for_it_and_opens_the_report(browser: Browser) -> None:
    with serving(token=TOKEN) as served:
        browser.open(f"http://127.0.0.1:{served.port}/")
        until(browser, "!document.getElementById('token-part').hidden")
        browser.run("document.getElementById('token').value = 'another-token-altogether'; 0")
        press(browser, "Go on")
        until(browser, "document.getElementById('trouble').innerText.includes('not the token')")
        browser.run(f"document.getElementById('token').value = {json.dumps(TOKEN)}; 0")
        press(browser, "Go on")
        pasted(browser, ANSWER)
        browser.run("window.open = () => window.report = {}; 0")
        browser.run("document.querySelector('#run-actions a').click()")
        path = until(browser, "window.report?.location ?? ''")
        browser.open(f"http://127.0.0.1:{served.port}{path}")
        assert "Returns are free for 90 days" in browser.run("document.body.innerText")
        assert browser.run("origin") == "null", "a report cannot ask the server"
        assert browser.run("getComputedStyle(document.querySelector('.banner')).borderStyle"), "its own style holds"


@pytest.mark.parametrize("width", [375, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_part_fits_the_screen_is_labelled_and_reached_by_keys(
    browser: Browser, served: Served, width: int, scheme: str
) -> None:
    run_id = served.checked()
    other = served.checked("Boats sink.")
    browser.screen(width, 900)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    for part in ("check", f"run/{run_id}", "reviews", "runs", f"comparison/{run_id}/{other}", "corpora"):
        opened(browser, served, part)
        browser.run("new Promise(done => setTimeout(done, 300))")
        assert browser.run("document.documentElement.scrollWidth") <= width, part
        small = browser.run(SMALL)
        assert small == [], part
        assert browser.run(UNNAMED) == [], part
        assert barriers(browser) == [], part
        assert browser.run("document.querySelectorAll('nav [aria-current]').length") == 1


SMALL = """[...document.querySelectorAll('button, select, input:not([type=file])')]
  .filter(one => one.checkVisibility() && one.getBoundingClientRect().height < 24)
  .map(one => one.id || one.innerText)"""
UNNAMED = """[...document.querySelectorAll('button, select, input, textarea, a, table, section')]
  .filter(one => one.checkVisibility() && !one.innerText?.trim() && !one.labels?.length
    && !one.getAttribute('aria-label') && !one.getAttribute('aria-labelledby')).map(one => one.outerHTML)"""
