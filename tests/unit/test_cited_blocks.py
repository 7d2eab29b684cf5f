"""What chat APIs name beside a text is a source of the claims in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gate.agents.extract_claims import extract_claims
from gate.agents.load_transcript import load_transcript

RULE = {"title": "Refund policy", "url": "https://corvex.example/refunds"}


def converse(*citations: Any) -> dict[str, Any]:
    block = {"citationsContent": {"content": [{"text": "Refunds take 30 days."}], "citations": list(citations)}}
    message = {"role": "assistant", "content": [{"text": "Boats leave at nine."}, block]}
    return {"output": {"message": message}, "stopReason": "end_turn"}


def anthropic(*citations: Any) -> dict[str, Any]:
    parts = [
        {"type": "text", "text": "Boats leave at nine."},
        {"type": "text", "text": "Refunds take 30 days.", "citations": list(citations)},
    ]
    return {"role": "assistant", "content": parts}


def responses(*annotations: Any) -> dict[str, Any]:
    text = "Boats leave at nine. Refunds take 30 days."
    part = {"type": "output_text", "text": text, "annotations": list(annotations)}
    return {"role": "assistant", "content": [part]}


def completion(*annotations: Any) -> dict[str, Any]:
    text = "Boats leave at nine. Refunds take 30 days."
    return {"choices": [{"message": {"role": "assistant", "content": text, "annotations": list(annotations)}}]}


def sources(document: dict[str, Any]) -> list[list[tuple[str, str]]]:
    """Title and address of what each claim cites."""
    state: dict[str, Any] = {"submission": {"name": "a.json", "text": json.dumps(document)}}
    load_transcript(state)
    extract_claims(state)
    return [[(one["title"], one["url"]) for one in claim["sources"]] for claim in state["claims"]]


@pytest.mark.parametrize(
    ("document", "named"),
    [
        (converse({"title": RULE["title"], "location": {"web": {"url": RULE["url"]}}}), (RULE["title"], RULE["url"])),
        (
            converse({"title": "refunds.pdf", "location": {"documentChar": {"documentIndex": 0}}}),
            ("refunds.pdf", ""),
        ),
        (
            anthropic({"type": "char_location", "document_index": 0, "document_title": "Refund policy"}),
            ("Refund policy", ""),
        ),
        (anthropic({"type": "web_search_result_location", **RULE}), (RULE["title"], RULE["url"])),
        (anthropic({"type": "search_result_location", "source": RULE["url"], "title": "R"}), ("R", RULE["url"])),
        (
            responses({"type": "url_citation", "start_index": 21, "end_index": 42, **RULE}),
            (RULE["title"], RULE["url"]),
        ),
        (
            responses({"type": "container_file_citation", "start_index": 21, "end_index": 42, "filename": "r.pdf"}),
            ("r.pdf", ""),
        ),
        (
            completion({"type": "url_citation", "url_citation": {"start_index": 21, "end_index": 42, **RULE}}),
            (RULE["title"], RULE["url"]),
        ),
    ],
)
def test_what_an_api_names_beside_a_text_is_cited_by_its_claims_alone(
    document: dict[str, Any], named: tuple[str, str]
) -> None:
    assert sources(document) == [[], [named]]


@pytest.mark.parametrize("citations", [[], ["x"], [{}], [{"title": 5, "location": "web", "url": "javascript:x"}]])
def test_what_names_nothing_is_no_source(citations: list[Any]) -> None:
    assert sources(converse(*citations)) == [[], []]
