"""A plain text or Markdown answer: one assistant turn."""

from __future__ import annotations

from gate.model import Turn
from gate.rules.transcripts.own import Submission


def parse(text: str) -> Submission:
    """Read the whole text as one answer."""
    return Submission(turns=(Turn(role="assistant", content=text),))
