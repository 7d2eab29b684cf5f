"""The page: an attacker's text stays text, nothing is requested, labels are told apart without colour."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from html import unescape
from html.parser import HTMLParser
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.reports import wording
from gate.reports.findings import safe_link
from gate.reports.html_report import render
from gate.reports.model import STATUSES, Status
from tests.report_builders import FORMATTING, a_report, a_report_of_texts

EVERY_STATUS = [(f"Sentence {number}.", status) for number, status in enumerate(STATUSES)]
HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(1)> "\' style="color:red" {{ 7*7 }} </style>'


class Page(HTMLParser):
    """Tags, ids, targets of links and the texts of claims of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def values(self, attribute: str) -> list[str]:
        return [attrs[attribute] or "" for _, attrs in self.tags if attribute in attrs]


@pytest.mark.parametrize("place", ["claim", "passage", "title", "justification", "name"])
def test_hostile_text_is_shown_and_never_run(place: str) -> None:
    sentence = HOSTILE if place == "claim" else "The sky is blue."
    state: dict[str, object] = {"passage": HOSTILE} if place == "passage" else {}
    report = a_report([(sentence, "supported")], **state)
    if place == "title":
        passages = {key: one.model_copy(update={"title": HOSTILE}) for key, one in report.passages.items()}
        report = report.model_copy(update={"passages": passages})
    if place == "justification":
        claim = report.claims[0].model_copy(update={"justification": HOSTILE})
        report = report.model_copy(update={"claims": (claim,)})
    if place == "name":
        report = report.model_copy(update={"name": HOSTILE})
    page = render(report)
    tags = {tag for tag, _ in Page(page).tags}
    assert [tag for tag, _ in Page(page).tags].count("script") == 1, "our own"
    assert "img" not in tags
    assert not Page(page).values("onerror")
    assert not Page(page).values("style")
    assert "&lt;script&gt;alert(1)" in page
    assert "{{ 7*7 }}" in page


@given(st.text(max_size=40))
@settings(max_examples=40, deadline=None)
def test_no_text_brings_a_tag_that_formatting_does_not_need(text: str) -> None:
    def tags(sentence: str, status: str = "supported") -> list[tuple[str, frozenset[str]]]:
        page = Page(render(a_report([(f"x{sentence}x", status)])))
        return [(tag, frozenset(attributes)) for tag, attributes in page.tags]

    assert {tag for tag, _ in tags(text)} <= {tag for tag, _ in tags("")} | FORMATTING
    assert {name for _, names in tags(text) for name in names} <= {name for _, names in tags("") for name in names}


def test_the_policy_of_the_page_allows_its_style_and_script_by_hash_and_nothing_else() -> None:
    page = render(a_report(EVERY_STATUS))
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    allowed = dict(part.split(maxsplit=1) for part in unescape(policy[1]).split("; "))
    for kind, name in (("style", "style-src"), ("script", "script-src")):
        (text,) = re.findall(rf"<{kind}>(.*?)</{kind}>", page, re.DOTALL)
        assert allowed.pop(name) == f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
    assert set(allowed.values()) == {"'none'"}


def test_the_page_requests_nothing_and_runs_nothing_but_its_script() -> None:
    page = Page(render(a_report(EVERY_STATUS)))
    assert not page.values("src")
    assert not {tag for tag, _ in page.tags} & {"link", "iframe", "object", "form", "img", "base"}
    assert [attributes for tag, attributes in page.tags if tag == "script"] == [{}]
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]


@pytest.mark.parametrize(
    ("address", "followed"),
    [
        ("https://a.example/b", True),
        ("http://a.example", True),
        ("javascript:alert(1)", False),
        (" javascript:alert(1)", False),
        ("data:text/html,x", False),
        ("//a.example", False),
        (None, False),
    ],
)
def test_only_web_addresses_become_links(address: str | None, followed: bool) -> None:
    assert bool(safe_link(address)) is followed


def test_every_link_inside_the_page_has_a_target_and_no_id_is_given_twice() -> None:
    page = Page(render(a_report(EVERY_STATUS * 3)))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {target[1:] for target in page.values("href") if target.startswith("#")} <= set(ids)


@pytest.mark.parametrize("status", STATUSES)
def test_every_label_has_a_mark_and_a_name_beside_its_colour(status: Status) -> None:
    page = render(a_report([("The sky is blue.", status)]))
    place = page[page.index('class="claim ' + status) :]
    assert f'{wording.MARKS[status]}</sup><span class="unseen"> ({wording.NAMES[status]})' in place


def test_a_failed_check_is_flagged_whatever_the_label() -> None:
    report = a_report([("Boats leave at four.", "supported")])
    check = {"name": "numbers", "passed": False, "detail": "not in the evidence: four"}
    claim = report.claims[0].model_copy(update={"checks": (check,)})
    page = render(report.model_copy(update={"claims": (claim,)}))
    assert '✓!</sup><span class="unseen"> (supported, a check fails)' in page
    assert "numbers differ: <bdi>not in the evidence: four" in page


def test_empty_lines_around_an_answer_take_no_room() -> None:
    report = a_report([("The sky is blue.", "supported")])
    turn = report.turns[0].model_copy(update={"content": "\n\n" + report.turns[0].content + "\n \n"})
    claim = report.claims[0].model_copy(update={"start": 2, "end": 18})
    page = render(report.model_copy(update={"turns": (turn,), "claims": (claim,)}))
    text = page[page.index('<div class="text"') :]
    text = text[: text.index("</article>")]
    assert re.search(r'dir="auto"><div class="block"><p[^>]*><a class="claim supported"[^>]*>The sky is blue\.<', text)
    assert re.search(r"</a></p></div>", text)
    assert "\n\n" not in text


def test_a_path_that_one_place_mentions_is_listed_once_and_silent_detectives_are_left_out() -> None:
    mention = {"evidence_id": "m1", "found": False, "location": "x.py", "rationale": "Cited."}
    claim = {"evidence_id": "d1", "found": False, "location": "x.py", "rationale": "Absent.", "mentioned_by": ["m1"]}
    twice = {"evidence_id": "d2", "found": False, "location": "y.py", "rationale": "?", "mentioned_by": ["m2", "m3"]}
    more = [{"evidence_id": name, "found": False, "location": "y.py", "rationale": "Cited."} for name in ("m2", "m3")]
    evidences = {"docs": [mention, claim, *more, twice], "vision": []}
    page = render(a_report([("The sky is blue.", "supported")], evidences=evidences))
    assert "docs: 4 missing, 0 found" in page
    assert page.count("<code>x.py</code>") == 1
    assert "vision" not in page


def test_overlapping_claims_are_all_reached() -> None:
    report = a_report([("The sky is blue.", "supported"), ("Boats leave.", "unsupported")])
    first, second = report.claims
    both = (first, second.model_copy(update={"start": first.start, "end": first.end}))
    page = Page(render(report.model_copy(update={"claims": both})))
    assert {"in-c0001", "in-c0002"} <= set(page.values("id"))


def test_missing_paths_come_first_and_are_reached_from_the_decision() -> None:
    evidences = {
        "repo": [{"evidence_id": "r1", "found": True, "location": ".", "rationale": "2 files.", "evidence_class": "M"}],
        "docs": [{"evidence_id": "d1", "found": False, "location": "x.py", "rationale": HOSTILE}, {"found": True}],
    }
    report = a_report([("The sky is blue.", "supported")], evidences=evidences)
    reason = {"rule": "missing_path", "outcome": "block", "message": "", "claims": [], "evidence": ["d1", "gone"]}
    shown = render(report.model_copy(update={"decision": {**(report.decision or {}), "reasons": [reason]}}))
    page = Page(shown)
    assert "#evidence-2" in page.values("href")
    assert "evidence-2" in page.values("id")
    assert ">x.py</a>" in shown
    assert "docs: 1 missing, 1 found" in shown
    assert [tag for tag, _ in page.tags].count("script") == 1


def test_a_thousand_claims_make_a_page_in_a_few_seconds() -> None:
    report = a_report([(f"Sentence number {n} of the answer.", STATUSES[n % 4]) for n in range(1_000)])
    began = perf_counter()
    page = render(report)
    assert perf_counter() - began < 5
    assert page.count('<article class="card') == 1_000
    assert len(page) < 5_000_000


FORMATTED = """# Prices

The pass costs `9 euros` in *May*, see [the list](https://harbour.example/prices "as of May").

- Dogs ~~pay~~ travel free.
  - Cats too.

| what | price |
| --- | --- |
| a bicycle | 4 euros |

```sh
ferry book --bicycle
```

<!-- nobody sees this -->"""


def test_the_answer_is_shown_as_its_markdown_is_rendered_with_the_claims_in_their_places() -> None:
    page = render(a_report_of_texts(FORMATTED, evidence=["The pass costs 9 euros in May, see the list."]))
    shown = page[page.index('<div class="text"') : page.index('<details class="written">')]
    for markup in ("# Prices", "`9 euros`", "*May*", "](", "~~", "| --- |", "```"):
        assert markup not in shown, markup
    assert '<p class="heading l1">' in shown
    assert re.search(r"<code>9 euros</code></a>", shown)
    assert re.search(r"<s>pay</s>", shown)
    assert shown.count("<tr>") == 2
    assert re.search(r"<td><a[^>]*>a bicycle</a></td><td><a[^>]*>4 euros", shown)
    assert '<pre><a class="claim' in shown
    assert re.search(r'<p class="item l2"><span class="point">• </span><a[^>]*>Cats too\.', shown)


def test_what_a_reader_of_the_answer_does_not_see_is_shown_and_called_so() -> None:
    page = unescape(render(a_report_of_texts(FORMATTED, evidence=["Nothing."])))
    for kind, text in (("unseen", "<!-- nobody sees this -->"), ("alternative", "as of May")):
        assert f'<p class="{kind} l0"><span class="why">{wording.BESIDE[kind]}: </span>' in page
        assert text in page[page.index(f'<p class="{kind} l0">') :]
    assert "(https://harbour.example/prices)</span>" in page, "the address of a link stands behind it"
    assert '<pre dir="auto"># Prices' in page, "and the answer as it was written below"


def test_a_claim_that_stands_in_nothing_that_is_rendered_leaves_the_answer_as_it_was_written() -> None:
    report = a_report_of_texts("# Prices\n\nDogs travel free.", evidence=["Nothing."])
    astray = report.claims[0].model_copy(update={"claim_id": "c0009", "start": 0, "end": 1})
    page = render(report.model_copy(update={"claims": (*report.claims, astray)}))
    assert 'id="in-c0009"' in page
    assert " Prices" in page[page.index('<div class="text"') :][:400]
    assert '<details class="written">' not in page


@given(st.text(alphabet="ab *_`~|-#>\n1.[](<!:&", max_size=80))
@settings(max_examples=60, deadline=None)
def test_every_claim_of_any_answer_keeps_its_place_to_lead_to(text: str) -> None:
    report = a_report_of_texts(f"The pass costs 9 euros. {text} Boats leave.", evidence=["Nothing."])
    page = Page(render(report))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {f"in-{claim.claim_id}" for claim in report.claims} <= set(ids)


def test_a_long_transcript_begins_with_a_list_of_its_turns() -> None:
    report = a_report_of_texts("Hello!", "Dogs fly.", "Thanks.", "Cats fly.", "Bye.", evidence=["Nothing."])
    page = render(report)
    listed = page[page.index('<details class="outline">') : page.index('id="turn-1"')]
    assert "5 turns" in listed
    assert '<a href="#turn-2">assistant: <bdi>Dogs fly.</bdi></a> <span class="why">1 to look at' in listed
    assert "outline" not in render(a_report_of_texts("Dogs fly.", evidence=["Nothing."])).split("</style>")[1]
