"""The text of an answer that a report is about: as the report shows it, or from a file that holds it."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gate.errors import InputError
from gate.ports import Redacted
from gate.text.visible import visible

if TYPE_CHECKING:
    from gate.model import Turn
    from gate.reports.model import Report, ReportTurn


@dataclass(frozen=True, slots=True)
class AnswerTexts:
    """The turns of a report as they were written.

    Attributes:
        turns: of each turn its text, and what of it the report shows as tokens.
        head: what stands before the answer in its file: a mark of the byte order, or nothing.
    """

    turns: tuple[tuple[str, Redacted], ...]
    head: bytes = b""


def shown_texts(report: Report) -> AnswerTexts:
    """The turns as the report shows them."""
    return AnswerTexts(tuple((turn.content, Redacted(turn.content, (), "")) for turn in report.turns))


def texts_of(file: Path, report: Report) -> AnswerTexts:
    """The turns from the file that was checked: of several records the first that the report is about.

    Raises:
        InputError: it cannot be read, or holds another text.
    """
    from gate import wiring
    from gate.cli.inputs import read_records
    from gate.services.run import caps
    from gate.submission.transcripts.table import parse

    limits = caps()
    for record in read_records(file, limits, max_batch=wiring.current().settings.max_batch_bytes):
        if record.refused is not None:
            if not record.number:
                raise record.refused
            continue
        text = record.submission["text"]
        found = _fitting(parse(record.submission["name"], text, limits).turns, report)
        if found is not None:
            return AnswerTexts(found, _head(file) if len(found) == 1 and found[0][0] == text else b"")
    hint = "check it again; GATE_REDACTOR is to be what it was" if _is_redacted(report) else "check it again"
    raise InputError(f"{file}: is not the text that the report is about", hint=hint)


def edited(report: Report, texts: list[str]) -> str | dict[str, Any]:
    """What is handed out of edited turns: of one answer its text, of several the turns as `gate check` reads them."""
    answers = [text for turn, text in zip(report.turns, texts, strict=True) if turn.role == "assistant"]
    if len(answers) == 1:
        return answers[0]
    turns = zip(report.turns, texts, strict=True)
    return {"turns": [{"role": turn.role, "content": text} for turn, text in turns]}


def _fitting(turns: tuple[Turn, ...], report: Report) -> tuple[tuple[str, Redacted], ...] | None:
    if [turn.role for turn in turns] != [turn.role for turn in report.turns]:
        return None
    found = []
    for turn, shown in zip(turns, report.turns, strict=True):
        redacted = _as_shown(turn.content, shown)
        if redacted is None:
            return None
        found.append((turn.content, redacted))
    return tuple(found)


def _as_shown(text: str, turn: ReportTurn) -> Redacted | None:
    """What of a text the report shows as tokens; None where it shows another text."""
    if visible(text) == visible(turn.content):
        return Redacted(text, (), "")
    if not turn.redactions:
        return None
    from gate import wiring

    found = wiring.current().redactor().redact(text)
    return found if visible(found.text) == visible(turn.content) else None


def _is_redacted(report: Report) -> bool:
    return any(turn.redactions for turn in report.turns)


def _head(file: Path) -> bytes:
    if not file.is_file():
        return b""
    with file.open("rb") as opened:
        return codecs.BOM_UTF8 if opened.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8 else b""
