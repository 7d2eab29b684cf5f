"""What a model answers: verdicts in lines and in JSON, and claims that stand for sentences."""

from __future__ import annotations

from contextlib import suppress

from gate.claims.rewriting.model_claims import accepted_claims
from gate.decision.quotes import with_evidence
from gate.errors import AnswerError
from gate.prompts import fencing, readings, verdicts
from tests.fuzz.targets import choice

CLAIM = "The tower in Basel is 5 km high."
PASSAGES = ["The tower in Basel is 5 km high, says Dr Moor.", "Nothing about it."]
SENTENCES = ["The tower in Basel is 5 km high.", "It never was.", "I hope that helps."]
ASKED = fencing.fence(CLAIM, [{"content": text} for text in PASSAGES])
_FIRST = ASKED.handles[0].encode()
SEEDS = [
    b"\0LABEL: supported\nJUSTIFICATION: it says so\nREASON: entailed\nQUOTE: The tower in Basel is 5 km high\n"
    b"DOCUMENTS: " + _FIRST + b"\nSCORES: supported=0.9 weakly_supported=0.05 unsupported=0.05\n",
    b'\0```json\n{"label": "supported", "reason": "entailed", "justification": "x", "quote": "The tower in Basel is '
    b'5 km high", "documents": ["'
    + _FIRST
    + b'"], "scores": {"supported": 1.0, "weakly_supported": 0, "unsupported": 0}}\n```',
    b"\1s1: The tower in Basel is 5 km high.\ns2: The tower never was 5 km high.\ns3: NONE courtesy\n",
    b'\1{"sentences": [{"sentence": "s1", "claims": ["The tower is high."]}]}',
    b"\0I'm sorry, but I can't judge that.",
]


def read(data: bytes) -> None:
    kind, data = choice(data, "verdict", "reading")
    reply = data.decode("utf-8", "replace")
    if kind == "reading":
        found = accepted_claims(SENTENCES, CLAIM, readings.read_reading(reply, len(SENTENCES)))
        assert len(found) == len(SENTENCES)
        return
    label, justification = verdicts.parse_verdict(reply)
    assert label in ("supported", "weakly_supported", "unsupported")
    assert justification
    with suppress(AnswerError):
        answer = with_evidence(verdicts.read_verdict(reply, ASKED), PASSAGES)
        assert answer.label != "supported" or any(answer.quote in text for text in PASSAGES)
