"""Whether a text can be written down at all."""

from __future__ import annotations


def encodable(text: str) -> bool:
    """Whether a text has a UTF-8 form: one with half of a surrogate pair has none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
