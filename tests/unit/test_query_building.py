"""The text that is searched for, from every shape of segment."""

from __future__ import annotations

from typing import Any

import pytest

from gate.retrieval.segment_query import FALLBACK_QUERY, build_query_from_segment


@pytest.mark.parametrize(
    ("segment", "query"),
    [
        (
            {
                "use_case": "payment_plans",
                "use_case_label": "Payment Plans",
                "funnel_stage": "StartedFormOrFlow",
                "intent_level": "medium",
                "reasons": ["interested in: Payment Plans", "started form but did not finish"],
            },
            "Payment Plans | StartedFormOrFlow | intent: medium | interested in: Payment Plans",
        ),
        ({"use_case": "payment_plans"}, "payment_plans"),
        ({"use_case": "payment_plans", "use_case_label": ""}, "payment_plans"),
        ({"use_case": "a", "use_case_label": "  A  "}, "A"),
        ({"intent_level": "low"}, "intent: low"),
        ({"funnel_stage": "Viewed", "reasons": []}, "Viewed"),
        ({"reasons": ["", "second"]}, FALLBACK_QUERY),
        ({"reasons": "only one"}, "only one"),
        ({"reasons": None, "use_case": None, "intent_level": None}, FALLBACK_QUERY),
        ({"something": "else"}, FALLBACK_QUERY),
        ({}, "help options and next steps"),
        (None, "help options and next steps"),
    ],
)
def test_a_segment_becomes_a_query(segment: dict[str, Any] | None, query: str) -> None:
    assert build_query_from_segment(segment) == query
