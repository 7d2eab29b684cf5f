"""A plain text or Markdown answer: one assistant turn."""

from __future__ import annotations

from gate.model import Turn
from gate.submission.transcripts.record import Record


def parse(text: str) -> Record:
    """Read the whole text as one answer."""
    return Record((Turn(role="assistant", content=text),))
