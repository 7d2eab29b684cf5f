"""Makes many submissions of one upload: JSON Lines, one transcript a line, part by part."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gate import wiring
from gate.agents.publish_failure import store_failure
from gate.errors import InputError
from gate.services import submissions
from gate.services.audit_log import record
from gate.services.budgets.estimate import refuse_unaffordable
from gate.services.run import caps, together
from gate.submission.batch_keys import part_key
from gate.submission.uploads import lines_of, plain_name

AT_ONCE = 256
"""Submissions held in memory while they are written; a line may be as large as one."""
PART_BYTES = 64_000_000
"""Of a part, whose lines are held in memory."""


def split_batch(state: dict[str, Any]) -> None:
    """Cut an upload into parts and open the first; of a batch that has one behind it, open the next.

    To open a part is to store each of its lines as a submission of its own, and to list them in a manifest. A line that
    is no JSON object, or is over the cap, gets a failure report under its run id; the others go on.

    Reads:
        `upload`: `bucket`, `key`, `version`; `config`, which every line is checked under; `batch`, of the part before.
    Writes:
        `batch`: `part`, from 1, of `parts`; `before`, the records of the parts before; `manifest` (key of a JSON list
        of `{"run_id", "submission"}`), `runs` (key of the list of every run id of the part, rejected ones too), and of
        the part the counts `transcripts` and `rejected`.

    Raises:
        InputError: there is no line at all, there are more than GATE_MAX_TRANSCRIPTS, or the day's ceilings of spending
            do not hold what they may need.
    """
    batch, done = state["run_id"], state.get("batch")
    parts = done["parts"] if done else _cut(batch, state["upload"])
    part = done["part"] + 1 if done else 1
    before = done["before"] + done["transcripts"] + done["rejected"] if done else 0
    name, config = plain_name(state["upload"]["key"]), state.get("config") or {}
    lines = wiring.current().blob_store().get(part_key(batch, part, "lines.jsonl")).split(b"\n")
    stored: list[tuple[str, dict[str, Any] | None]] = []
    for first in range(0, len(lines), AT_ONCE):
        numbered = list(enumerate(lines[first : first + AT_ONCE], start=before + first + 1))
        stored += together(lambda line: _store(batch, name, config, *line), numbered)
    items = [item for _, item in stored if item]
    manifest, runs = part_key(batch, part, "manifest.json"), part_key(batch, part, "runs.json")
    _write(manifest, items)
    _write(runs, [run_id for run_id, _ in stored])
    opened = {"part": part, "parts": parts, "before": before, "manifest": manifest, "runs": runs}
    state["batch"] = {**opened, "transcripts": len(items), "rejected": len(stored) - len(items)}


def _cut(batch: str, upload: Mapping[str, Any]) -> int:
    """Store the parts of an upload, once it is known that the day holds them all; returns how many there are."""
    now, count, characters = wiring.current().settings, 0, 0
    for count, lines in enumerate(_parts(_lines(upload), now.batch_part, now.max_transcripts), start=1):
        characters += sum(map(len, lines))
        wiring.current().blob_store().put(part_key(batch, count, "lines.jsonl"), b"\n".join(lines))
    if not count:
        raise InputError("empty: there is no transcript in it")
    if now.budget_day or now.budget_tenant_day:
        refuse_unaffordable(characters)
    return count


def _lines(upload: Mapping[str, Any]) -> Iterator[bytes | None]:
    chunks = wiring.current().uploads().chunks(upload["bucket"], upload["key"], upload.get("version"))
    most = wiring.current().settings.max_batch_bytes
    return lines_of(chunks, upload["key"], max_line=caps().max_bytes, max_bytes=most)


def _parts(lines: Iterable[bytes | None], length: int, most: int) -> Iterator[list[bytes]]:
    """Lines in lists of at most `length`, and of bounded size. One over the cap is an empty line: no other is."""
    held: list[bytes] = []
    size = 0
    for number, each in enumerate(lines, start=1):
        if number > most:
            raise InputError(f"more than {most} transcripts", hint="GATE_MAX_TRANSCRIPTS sets the cap")
        line = each or b""
        if held and (len(held) == length or size + len(line) > PART_BYTES):
            yield held
            held, size = [], 0
        held.append(line)
        size += len(line)
    if held:
        yield held


def _store(
    batch: str, name: str, config: Mapping[str, Any], number: int, line: bytes
) -> tuple[str, dict[str, Any] | None]:
    """Store one submission; None: it was rejected, and its report says why."""
    run_id = f"{batch[:70]}-{number:06d}"
    try:
        text = _checked(line)
    except InputError as error:
        failure = {"status": "REJECTED", "error": error.code, "cause": f"line {number}: {error.safe_message}"}
        store_failure({"run_id": run_id, "failure": failure, "config": {"name": f"{name}:{number}"}})
        record("Outcomes", outcome="error")
        return run_id, None
    state = submissions.store(run_id, {"name": f"{name}-{number}.json", "text": text}, config)
    submissions.store_input(run_id, state)
    return run_id, {"run_id": run_id, "submission": state["submission"]}


def _checked(line: bytes) -> str:
    if not line:
        raise InputError("larger than a submission may be", hint="GATE_MAX_BYTES sets the cap")
    try:
        text = line.decode("utf-8-sig")
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError("not JSON") from None
    if not isinstance(document, dict):
        raise InputError("not a JSON object")
    return text


def _write(key: str, value: Any) -> None:
    wiring.current().blob_store().put(key, json.dumps(value, separators=(",", ":")).encode())
