"""From a segment of a conversation to the text that is searched for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gate.model import Frozen

FALLBACK_QUERY = "help options and next steps"
MAX_QUERIES = 8


class Signals(Frozen):
    """What a domain knows of its words.

    Attributes:
        synonyms: a word or phrase → others for the same thing; each makes a query of its own.
        products: a use case → ids, form numbers and names that belong to it; together they make one more query.
    """

    synonyms: dict[str, tuple[str, ...]] = {}
    products: dict[str, tuple[str, ...]] = {}


def queries_from_segment(segment_result: Mapping[str, Any] | None, signals: Signals) -> list[str]:
    """Return the queries for a segment: the plain one, and what the signals add to it, at most `MAX_QUERIES`."""
    plain = build_query_from_segment(segment_result)
    added = (*_with_synonyms(plain, signals), *_with_products(segment_result or {}, signals))
    return list(dict.fromkeys((plain, *added)))[:MAX_QUERIES]


def _with_synonyms(query: str, signals: Signals) -> Iterator[str]:
    for term, others in signals.synonyms.items():
        words = re.compile(rf"(?<!\w){re.escape(_words(term))}(?!\w)", re.IGNORECASE)
        for other in others:
            yield words.sub(lambda _, other=other: other, _words(query))  # type: ignore[misc]


def _with_products(segment: Mapping[str, Any], signals: Signals) -> Iterator[str]:
    names = {_words(_text(segment.get(key))).casefold() for key in ("use_case", "use_case_label")}
    for use_case, products in signals.products.items():
        if _words(use_case).casefold() in names:
            yield f"{_words(use_case)} | {' '.join(products)}"


def _words(text: str) -> str:
    return text.replace("_", " ")


def build_query_from_segment(segment_result: Mapping[str, Any] | None) -> str:
    """Return the query for a segment: use case, funnel stage, intent and first reason, joined with ` | `.

    Fields that are missing or empty are left out; without any the query is `help options and next steps`.
    """
    segment = segment_result or {}
    intent = _text(segment.get("intent_level"))
    parts = (
        _text(segment.get("use_case_label")) or _text(segment.get("use_case")),
        _text(segment.get("funnel_stage")),
        f"intent: {intent}" if intent else "",
        _first(segment.get("reasons")),
    )
    return " | ".join(part for part in parts if part) or FALLBACK_QUERY


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _first(reasons: Any) -> str:
    if isinstance(reasons, (list, tuple)):
        return _text(reasons[0]) if reasons else ""
    return _text(reasons)
