"""Judges a labelled set with the configured model, on the path that `verify_claims` takes."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from gate.adapters.local_verifier.windows import split
from gate.cli.reading_back import read_back
from gate.decision.metrics import Prediction
from gate.errors import InputError, first_misfit
from gate.model import LABELS, UNCHECKED_REASONS, Document, Verdict
from gate.reports.overviews.evaluation import Evaluation
from gate.services.reviews.label_rows import rows as rows_of
from gate.text.formats import strict_json

BATCH = 16
OnClaims = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Row:
    """A labelled claim with its documents.

    Where somebody says so: `run`: the answer that it is of, `claim_id`: which of its claims, `of`: how many there are;
    `given`, `reason`: what the verdict said, and why; `reviewer`, `at`: who gave the label, and when (UTC); `source`:
    the answer's writer.
    """

    claim: str
    documents: tuple[str, ...]
    label: str
    run: str = ""
    claim_id: str = ""
    of: int = 0
    given: str = ""
    reviewer: str = ""
    at: str = ""
    source: str = ""
    reason: str = ""


def _content(document: Any) -> Any:
    return document["content"] if isinstance(document, dict) and "content" in document else document


def _parts(evidence: Any) -> Any:
    return [evidence] if isinstance(evidence, str) else evidence


class _LabelledRow(BaseModel):
    """A line of a set, as it stands there: what has another type is no label that anything may be fitted on."""

    model_config = ConfigDict(strict=True)

    claim: str
    label: str | None = None
    label3: str | None = None
    documents: list[Annotated[str, BeforeValidator(_content)]] | None = None
    evidence: Annotated[list[str] | None, BeforeValidator(_parts)] = None
    run: str = ""
    claim_id: str = ""
    claims: int = Field(default=0, ge=0)
    given: str = ""
    reviewer: str = ""
    at: str = ""
    source: str = ""
    reason: str = ""


_HINT = '{"claim": …, "evidence": […], "label": …}'


@dataclass(frozen=True, slots=True)
class Prices:
    """Per million tokens, in any currency; None: not asked."""

    input: float | None = None
    output: float | None = None

    def of(self, tokens: dict[str, int]) -> float | None:
        """Cost of tokens; None where no price is known."""
        if self.input is None and self.output is None:
            return None
        return (tokens["input"] * (self.input or 0) + tokens["output"] * (self.output or 0)) / 1e6


def read_rows(path: Path, text: str, limit: int | None, seed: int) -> list[Row]:
    """Read a set: one JSON object a line with `claim`, `label3` or `label`, and `evidence` or `documents`; or a report
    in JSON that people have marked.

    `evidence` lists parts of one document, `documents` several, each a text or an object with `content`.

    Raises:
        InputError: a line cannot be used; it says which and why.
    """
    lines = _marked(path, text) if path.suffix == ".json" else text.split("\n")
    rows = [_row(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise InputError(f"{path}: holds no labelled claims")
    return rows if limit is None or limit >= len(rows) else random.Random(seed).sample(rows, limit)


def _marked(path: Path, text: str) -> list[str]:
    """The labels in a report, as lines of a set."""
    try:
        report = read_back(text)
    except ValueError:
        raise InputError(f"{path}: is no report", hint="a set of labels is called *.jsonl") from None
    if not report.marks:
        raise InputError(f"{path}: nobody has marked this report", hint=f"gate label --mark {path}")
    return [json.dumps(row) for row in rows_of(report, report.marks)]


def _row(path: Path, number: int, line: str) -> Row:
    given = _labelled(path, number, line)
    label = given.label3 or given.label
    if label not in LABELS:
        raise InputError(f"{path}: line {number}: the label is none of the three", hint=", ".join(LABELS))
    if not given.claim.strip():
        raise InputError(f"{path}: line {number}: the claim is empty")
    texts = given.documents if given.documents is not None else ["\n".join(given.evidence or [])]
    documents = tuple(text for text in texts if text.strip())
    told = given.model_dump(include={"run", "claim_id", "given", "reviewer", "at", "source", "reason"})
    return Row(given.claim, documents, label, of=given.claims, **told)


def _labelled(path: Path, number: int, line: str) -> _LabelledRow:
    try:
        read = strict_json.load(line)
        if not isinstance(read, dict):
            raise InputError("is no JSON object", hint=_HINT)
        given = _LabelledRow.model_validate({name: value for name, value in read.items() if value is not None})
    except InputError as error:
        raise InputError(f"{path}: line {number}: {error.safe_message}", hint=error.hint) from None
    except ValidationError as error:
        raise InputError(f"{path}: line {number}: {first_misfit(error)}", hint=_HINT) from None
    if not (given.label3 or given.label) or (given.documents is None and given.evidence is None):
        raise InputError(f"{path}: line {number} lacks a label, or evidence", hint=_HINT)
    return given


def evaluate_rows(name: str, rows: Sequence[Row], flips: int, prices: Prices, on_claims: OnClaims) -> Evaluation:
    """Judge every row; then some of them once more as they are, and with their evidence the other way round."""
    cpu, wall = time.process_time(), time.perf_counter()
    verdicts = list(_judge(rows, on_claims))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    tokens = {side: sum(one.get("usage", {}).get(side, 0) for one in verdicts) for side in ("input", "output")}
    tried = random.Random(1).sample(range(len(rows)), min(flips, len(rows)))
    return Evaluation(
        name=name,
        model=", ".join(sorted({one["checked_by"] for one in verdicts if not one["checked_by"].startswith("rule:")})),
        judged=[Prediction(row.label, one["label"], one["scores"]) for row, one in zip(rows, verdicts, strict=True)],
        unchecked=sum(one["reason"] in UNCHECKED_REASONS for one in verdicts),
        cpu_ms=1000 * cpu / len(rows),
        wall_ms=1000 * wall / len(rows),
        tokens=tokens,
        cost=prices.of(tokens),
        flips=_flips(rows, verdicts, tried, on_claims) if tried else {},
    )


def _flips(
    rows: Sequence[Row], verdicts: list[Verdict], tried: list[int], on_claims: OnClaims
) -> dict[str, tuple[float, int]]:
    labels = [verdicts[place]["label"] for place in tried]
    found = {}
    for name, change in (("repeated", lambda row: row), ("reordered", reordered)):
        again = _judge([change(rows[place]) for place in tried], on_claims)
        changed = sum(one["label"] != label for one, label in zip(again, labels, strict=True))
        found[name] = (changed / len(tried), len(tried))
    return found


def reordered(row: Row) -> Row:
    """The same documents in the other order; a single one with its sentences so."""
    if len(row.documents) > 1:
        return replace(row, documents=row.documents[::-1])
    sentences = [text for document in row.documents for text, _, _ in split(document)]
    return replace(row, documents=("\n".join(reversed(sentences)),) if sentences else ())


def _judge(rows: Sequence[Row], on_claims: OnClaims) -> Iterator[Verdict]:
    from gate.agents.verify_claims import verify_claims

    for at in range(0, len(rows), BATCH):
        part = rows[at : at + BATCH]
        state: dict[str, Any] = {"evidence": [_entry(number, row) for number, row in enumerate(part)]}
        verify_claims(state)
        yield from state["verdicts"]
        on_claims(len(part))


def _entry(number: int, row: Row) -> dict[str, Any]:
    documents: list[Document] = [{"id": str(place), "content": text} for place, text in enumerate(row.documents)]
    return {"claim": {"claim_id": f"c{number:04d}", "text": row.claim}, "documents": documents}
