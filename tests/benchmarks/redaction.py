"""Redaction of ten megabytes.

Text made to keep patterns busy: long runs, nested separators, almost-numbers. CPU time of this process; `dense` texts
are nothing but what is looked for.
"""

from __future__ import annotations

import time

from gate.adapters.redactors import redactor_named
from tests.benchmarks.table import Row

BYTES, GOAL_S = 10_000_000, 5.0
REDACTORS = {"patterns": "patterns", "all local": "patterns,phonenumbers,cards,iban,ip"}
TEXTS = {
    "digits": "5",
    "separated digits": "1-",
    "spaced digits": "1 ",
    "unfinished numbers": "555-",
    "nested brackets": "(",
    "at signs": "a@",
    "labels": "a@b.",
    "spelled addresses": "a[at]b[dot]",
    "blanks": " ",
    "colons": ":",
    "near cards": "4 1 ",
}
DENSE = {"addresses (dense)": "ab@cd.ef ", "numbers (dense)": "555-123-4567 "}


def measure() -> list[Row]:
    """Measure every text with the patterns, and the slowest of them with all local redactors."""
    rows = []
    for name, spec in REDACTORS.items():
        took = {text: _seconds(spec, piece) for text, piece in {**TEXTS, **DENSE}.items()}
        for kind in (TEXTS, DENSE):
            worst = max(kind, key=lambda text: took[text])
            rows.append(
                Row(f"{name}: slowest, {worst}", f"{took[worst]:.1f} s", f"< {GOAL_S:.0f} s", took[worst] < GOAL_S)
            )
        rows.append(Row(f"{name}: median", f"{sorted(took.values())[len(took) // 2]:.1f} s"))
    return rows


def _seconds(spec: str, piece: str) -> float:
    redactor, text = redactor_named(spec), piece * (BYTES // len(piece))
    began = time.process_time()
    redactor.redact(text)
    return time.process_time() - began
