"""Values for tests: every field has a default, a test names only what it is about."""

from __future__ import annotations

from typing import Any


def a_claim(text: str = "The sky is blue.", **fields: Any) -> dict[str, Any]:
    """A claim as the specifications shape it; further fields on request."""
    return {"text": text, "source_prompt": "", "source_response": text, **fields}


def a_numbered_claim(number: int = 1, text: str = "The sky is blue.", **fields: Any) -> dict[str, Any]:
    """A claim as `extract_claims` writes it."""
    start = 100 * (number - 1)
    place = {"claim_id": f"c{number:04d}", "turn": 0, "start": start, "end": start + len(text), "branch": number - 1}
    return a_claim(text, **{**place, **fields})


def a_verdict(number: int = 1, label: str = "supported", **fields: Any) -> dict[str, Any]:
    """A verdict with its id."""
    reason = {"supported": "entailed", "weakly_supported": "partial", "unsupported": "not_mentioned"}[label]
    return {
        "claim": "The sky is blue.",
        "label": label,
        "justification": "Because.",
        "claim_id": f"c{number:04d}",
        "reason": reason,
        "checks": [],
        "doubt": None,
        **fields,
    }


def a_document(content: str = "The sky is blue.", **fields: Any) -> dict[str, Any]:
    """A passage as a search returns it."""
    return {"content": content, **fields}
