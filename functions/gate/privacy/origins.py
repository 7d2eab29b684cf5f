"""What tells where a passage comes from, as it may leave the service: its id, title, address, source and date."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gate.ports import Redacted
from gate.privacy.patterns import hidden, hidden_id

Redact = Callable[[str], Redacted]


def redacted_citation(one: Mapping[str, Any], redact: Redact) -> dict[str, Any]:
    """Return a citation as it may leave the service: no stored text, and all that tells of it redacted too."""
    return {**one, **shown_origin(one, redact), "text": one["redacted_text"]}


def shown_origin(one: Mapping[str, Any], redact: Redact) -> dict[str, Any]:
    """Return what of a passage tells where it comes from, redacted.

    Its id is a name that others refer to, and a date none that a redactor of dates should hide: in these the floor of
    all redactors is looked for.
    """
    found = {key: redact(one[key]).text for key in ("title", "section", "url", "source") if one.get(key)}
    found |= {"published_date": hidden(one["published_date"])} if one.get("published_date") else {}
    return found | ({"id": hidden_id(one["id"])} if one.get("id") else {})
