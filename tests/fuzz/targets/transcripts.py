"""Transcripts as they are submitted: JSON in every format, Markdown, and names without an ending."""

from __future__ import annotations

from pathlib import Path

from gate.settings import Settings
from gate.submission.caps import Caps
from gate.submission.transcripts import table
from tests.fuzz.targets import choice

_SETTINGS = Settings()
CAPS = Caps(_SETTINGS.max_bytes, _SETTINGS.max_turns, _SETTINGS.max_turn_chars, _SETTINGS.max_depth)
EVENTS = Path(__file__).parents[3] / "events"
SEEDS = [
    *(b"\0" + path.read_bytes() for path in (EVENTS / "transcripts" / name for name in ("own.json", "messages.json"))),
    b"\1" + (EVENTS / "demo" / "answer.md").read_bytes(),
    b'\2\xef\xbb\xbf{"choices": [{"message": {"role": "assistant", "content": "The sky is blue."}}]}',
]


def read(data: bytes) -> None:
    name, data = choice(data, "a.json", "a.md", "a")
    record = table.parse(name, data.decode("utf-8", "replace"), CAPS)
    assert record.turns
    assert all(left.characters >= 0 for left in record.not_read)
