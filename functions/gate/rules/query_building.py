"""From a segment of a conversation to the text that is searched for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FALLBACK_QUERY = "help options and next steps"


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
