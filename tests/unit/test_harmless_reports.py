"""Whatever stands in a report, no format of it steers a terminal, turns the reading direction or acts on a page."""

from __future__ import annotations

import copy
import json
import re
import types
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any, Literal, Union, get_args, get_origin
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from pydantic import BaseModel
from rich.console import Console
from typing_extensions import get_type_hints, is_typeddict

from gate.reports import FORMATS, render, table_report
from gate.reports.markdown_report import COMMENT_CHARS, inert
from gate.reports.model import Report
from gate.text.visible import _HIDDEN, visible
from tests.hostile_text import FORBIDDEN, LINKS, NASTY, strings
from tests.report_builders import FORMATTING, a_report

Place = tuple[Any, ...]
KEY = object()
"""In a place: the key itself, not what stands under it."""
GAP = object()
"""In a place: what could hold a text, and is empty in the sample."""


def whole() -> dict[str, Any]:
    """A report in which every field holds something."""
    sentences = [("The sky is blue.", "supported"), ("Boats fly.", "unsupported"), ("Hello!", "greeting")]
    value = a_report(sentences).model_dump()
    mention = {"document": "docs/a.md", "line": 3, "column": 2, "suggestion": "src/b.py"}
    evidence = {"evidence_id": "d1", "found": False, "location": "src/a.py", "rationale": "Missing.",
                "evidence_class": "DOCUMENT_CLAIM", "source": "docs", "mention": mention, "excerpt": "A."}  # fmt: skip
    passage = {"published_date": "2026-01-01", "source": "wiki"}
    citation = {"id": "harbour", "title": "Guide", "section": "Sky", "redacted_text": "Blue.",
                "url": "https://x.example", **passage}  # fmt: skip
    left = {"kind": "image_url", "place": "messages.0", "count": 1, "characters": 3, "shown": True}
    cost = {"calls": 1, "input": 1, "output": 1, "dollars": 0.1}
    for claim in value["claims"]:
        claim["checks"] = ({"name": "numbers", "passed": False, "detail": "not in the evidence: 9"},)
        claim |= {"scores": {"unsupported": 0.9}, "doubt": 0.3, "checked_by": "rule:x/1", "known": {"£98": "£20 + £78"}}
        claim["sources"] = (
            {"mark": "[1]", "title": "Guide", "url": "https://x.example", "outcome": "not_backed",
             "passages": ["harbour"], "justification": "It does not say so."},
        )  # fmt: skip
    value["turns"][0]["redactions"] = ({"kind": "EMAIL", "rule": "patterns", "start": 0, "end": 3},)
    value["decision"]["reasons"][0]["evidence"] = ["d1"]
    value["accounting"] |= {"problems": [{"kind": "missing_verdict"}], "unchecked_claims": ["c0002"]}
    value["accounting"]["reading"] = {
        "characters": 9, "claims": 4, "marks": 1, "set_aside": {"greeting": 2}, "unread": 2
    }  # fmt: skip
    value["passages"]["harbour"] |= passage
    stage = {"name": "verification", "status": "failed", "detail": "SearchUnavailableError"}
    value["stages"] = ({**stage, "errors": ["SearchUnavailableError"]},)
    value |= {"evidences": {"docs": [evidence]}, "citations": [citation], "not_read": (left,), "usage": {"input": 1},
              "causes": {"SearchUnavailableError": 1},
              "failure": {"error": "ModelUnavailableError", "message": "asleep"}, "pipeline_integrity": "SUCCESS",
              "estimate": cost, "spent": cost, "redaction": "patterns/2", "marks": {"c0001": "supported"},
              "verifiers": {"first": 1, "second": 1, "changed": ["c0002"], "dollars": 0.1},
              "writer": "a-model", "seconds": 1.5}  # fmt: skip
    said = {
        "reviewer": "ann",
        "outcome": "pass",
        "comment": "It is out of date.",
        "overrules": True,
        "at": "2026-11-23",
    }
    value["review"] = {"gate": "review", "state": "decided", "since": "2026-11-22",  "until": "2026-11-24",
                       "four_eyes": True, "outcome": "pass", "decisions": (said,)}  # fmt: skip
    value["corpus_gaps"] = {"files": 1, "of": 2, "bytes": 3, "sentence": "1 of 2 files left out", "notable": True,
                            "names": ({"where": "a.xyz", "why": "no reader"},)}  # fmt: skip
    plain: dict[str, Any] = json.loads(json.dumps(value))
    return plain


def text_places(kind: Any, value: Any, place: Place = ()) -> Iterator[Place]:
    """Where a value of a type can hold free text."""
    origin: Any = get_origin(kind)
    arguments: Any = get_args(kind)
    if origin in (Union, types.UnionType):
        kind = next(one for one in arguments if one is not type(None))
        yield from text_places(kind, value, place)
    elif kind is str:
        yield place if value else (*place, GAP)
    elif kind is Any:
        yield from _any_places(value, place)
    elif isinstance(kind, type) and (issubclass(kind, BaseModel) or is_typeddict(kind)):
        for name, inner in get_type_hints(kind).items():
            inner_origin: Any = get_origin(inner)
            if inner_origin is not Literal and name != "model_config":
                yield from text_places(inner, value[name], (*place, name))
    elif origin in (list, tuple):
        if not value:
            yield (*place, GAP)
        for number, inner in enumerate(value):
            yield from text_places(arguments[0], inner, (*place, number))
    elif origin is dict:
        if not value:
            yield (*place, GAP)
        for key, inner in value.items():
            if arguments[0] is str:
                yield (*place, key, KEY)
            yield from text_places(arguments[1], inner, (*place, key))


def _any_places(value: Any, place: Place) -> Iterator[Place]:
    if isinstance(value, str):
        yield place
    elif isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _any_places(inner, (*place, key))


def held(value: Any, place: Place) -> str:
    if place[-1] is KEY:
        return str(place[-2])
    for key in place:
        value = value[key]
    return str(value)


def put(value: Any, place: Place, text: str) -> None:
    """Put a text at a place; a key keeps what stands under it."""
    *way, last = place[:-1] if place[-1] is KEY else place
    for key in way:
        value = value[key]
    if place[-1] is KEY:
        value[text] = value.pop(last)
    else:
        value[last] = text


def nasty_reports() -> Iterator[Any]:
    """One report for each text that a report can hold: that one, wherever it stands, is the nasty one."""
    sample = whole()
    places = [place for place in text_places(Report, sample) if place[-1] is not GAP]
    for text in dict.fromkeys(held(sample, place) for place in places):
        same = [place for place in places if held(sample, place) == text]
        value = copy.deepcopy(sample)
        for place in sorted(same, key=lambda place: place[-1] is KEY):  # keys last: they move what is under them
            put(value, place, f"{text} {NASTY}")
        yield pytest.param(value, id=".".join("key" if key is KEY else str(key) for key in same[0]))


NASTY_REPORTS = list(nasty_reports())


def test_every_text_of_the_model_is_tried() -> None:
    places = list(text_places(Report, whole()))
    assert not [place for place in places if place[-1] is GAP], "give the sample a value there"
    tried = {".".join(map(str, place[:2])) for place in places}
    assert {"claims.0", "turns.0", "passages.harbour", "decision.reasons", "evidences.docs", "stages.0"} <= tried
    assert len(NASTY_REPORTS) > 40


@pytest.mark.parametrize("failed", [True, False], ids=["failed", "decided"])
@pytest.mark.parametrize("value", NASTY_REPORTS)
def test_no_format_steers_a_terminal_or_acts_on_a_page(value: dict[str, Any], failed: bool) -> None:
    without = {} if failed else {"failure": None}
    report, plain = Report.model_validate(value | without), Report.model_validate(whole() | without)
    shown = {name: render(report, name).data.decode() for name in FORMATS}
    for name, text in shown.items():
        assert not FORBIDDEN.search(text), name
    console = Console(record=True, width=200)
    table_report.show(report, console)
    assert not FORBIDDEN.search(console.export_text())
    for name in ("json", "sarif"):
        assert not [text for text in strings(json.loads(shown[name])) if FORBIDDEN.search(text)], name
    for element in ElementTree.fromstring(shown["junit"]).iter():
        assert not [text for text in strings([element.attrib, element.text or ""]) if FORBIDDEN.search(text)]
    assert tags(ANSWER.sub("", shown["html"])) == tags(ANSWER.sub("", render(plain, "html").data.decode()))
    for tag, attributes in tags("".join(ANSWER.findall(shown["html"]))):
        assert tag in FORMATTING
        assert set(attributes) <= {"class", "dir", "title", "aria-hidden", "id"}
    results = json.loads(shown["sarif"])["runs"][0]["results"]
    assert not [one for one in results if "](" in one["message"]["text"]]
    is_inert(shown["markdown"], render(plain, "markdown").data.decode())


ANSWER = re.compile(r'<div class="text".*?</article>', re.DOTALL)
"""A turn on the page, whose elements are those that its Markdown asks for."""


class Tags(HTMLParser):
    """The elements of a page with the names of their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Any] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("a", "em", "code"):  # these go with an address, with words that no passage has, with backticks
            self.found.append((tag, [name for name, _ in attrs]))


def tags(page: str) -> list[Any]:
    parser = Tags()
    parser.feed(page)
    return parser.found


def is_inert(markdown: str, plain: str) -> None:
    """Same structure as with harmless texts, and nothing in the rendered text that a forge would link."""
    assert len(markdown) <= COMMENT_CHARS
    assert kinds(markdown) == kinds(plain)
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        for inner in token.children or ():
            assert inner.type in ("text", "strong_open", "strong_close", "text_special"), inner
            assert not LINKS.search(inner.content), inner.content


def kinds(markdown: str) -> list[str]:
    return [token.type for token in MarkdownIt("commonmark").enable("table").parse(markdown)]


def test_a_plain_text_stays_legible_in_markdown() -> None:
    assert inert("The wind_speed of sample-set.jsonl is 3.5 m/s, at most") == (
        "The wind_speed of sample-set.jsonl is 3.5 m/s, at most"
    )


def test_markdown_of_many_nasty_claims_still_fits_a_comment() -> None:
    report = a_report([(f"{number} {NASTY[:380]}.", "unsupported") for number in range(150)])
    shown = render(report, "markdown").data.decode()
    assert len(shown) <= COMMENT_CHARS
    rows = sum(line.startswith("| ✗") for line in shown.splitlines())
    assert f"and {150 - rows} more claims" in shown


def test_offsets_still_find_the_claims_after_a_text_was_made_visible() -> None:
    nasty = f"The sky {NASTY} is blue."
    written = render(a_report([(nasty, "supported"), ("Boats fly.", "supported")]), "json").data
    report = Report.model_validate_json(written)
    text = report.turns[0].content
    assert [text[claim.start : claim.end] for claim in report.claims] == [claim.text for claim in report.claims]


def test_two_passages_stay_two_when_their_ids_differ_in_hidden_characters_alone() -> None:
    value = whole()
    value["passages"] = {"a\x1b": value["passages"]["harbour"], "a\x9b": value["passages"]["harbour"]}
    for claim in value["claims"]:
        claim.update(passages=(), deciding=(), quote="", quoted=None)
    assert len(json.loads(render(Report.model_validate(value), "json").data)["passages"]) == 2


def test_what_is_visible_stays_as_it_is() -> None:
    for text in ("Zoë, 東京, नमस्ते, שלום, مرحبا, 👩‍🚀, a\u200cb, x\ty\nz", ""):
        assert visible(text) == text


def test_each_character_that_is_obeyed_is_replaced_beside_others_and_alone() -> None:
    obeyed = [chr(code) for code in range(0x110000) if _HIDDEN.match(chr(code))]
    assert len(obeyed) > 2_000
    assert not [each for each in obeyed if each in visible(each) or each in visible(f"paid {each} in 14 days")]


def test_every_hidden_character_becomes_one_visible_or_idle_one() -> None:
    shown = visible(NASTY)
    assert len(shown) == len(NASTY)
    assert not FORBIDDEN.search(shown)
