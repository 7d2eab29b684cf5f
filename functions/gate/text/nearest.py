"""What somebody may have meant by a name that nothing has."""

from __future__ import annotations

from collections.abc import Sequence


def nearest(name: str, known: Sequence[str]) -> str:
    """Return a hint: the name that is much like it, or all that are known."""
    from difflib import get_close_matches  # settings are read at every start, and seldom wrong

    close = get_close_matches(name, known, n=1, cutoff=0.8)
    return f"did you mean {close[0]}?" if close else "known: " + ", ".join(known)
