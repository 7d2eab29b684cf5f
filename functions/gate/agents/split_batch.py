"""Makes many submissions of one upload: JSON Lines, one transcript a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from gate import wiring
from gate.agents.publish_failure import store_failure
from gate.errors import InputError
from gate.services import submissions
from gate.services.estimate import refuse_unaffordable
from gate.services.run import caps, together
from gate.submission.uploads import lines_of, plain_name

AT_ONCE = 256
"""Lines held in memory while they are written; a line may be as large as a submission."""


def split_batch(state: dict[str, Any]) -> None:
    """Store each line as a submission of its own, and list them in a manifest.

    A line that is no JSON object, or is over the cap, gets a failure report under its run id; the others go on.

    Reads:
        `upload`: `bucket`, `key`, `version`; `config`, which every line is checked under.
    Writes:
        `batch`: `manifest` (key of a JSON list of `{"run_id", "submission"}`), `runs` (key of the list of every
        run id, rejected ones too), and the counts `transcripts` and `rejected`.

    Raises:
        InputError: there is no line at all, there are more than GATE_MAX_TRANSCRIPTS, or the day's ceilings of spending
            do not hold what they may need.
    """
    batch, upload = state["run_id"], state["upload"]
    name, config = plain_name(upload["key"]), state.get("config") or {}
    now = wiring.current().settings
    if now.budget_day or now.budget_tenant_day:
        refuse_unaffordable(sum(len(line) for line in _lines(upload) if line))
    items: list[dict[str, Any]] = []
    rejected: list[str] = []
    numbered = _numbered(_lines(upload))
    while chunk := list(islice(numbered, AT_ONCE)):
        for run_id, item in together(lambda line: _store(batch, name, config, *line), chunk):
            items.append(item) if item else rejected.append(run_id)
    if not items and not rejected:
        raise InputError("empty: there is no transcript in it")
    manifest, runs = f"runs/{batch}/manifest.json", f"runs/{batch}/runs.json"
    _write(manifest, items)
    _write(runs, [item["run_id"] for item in items] + rejected)
    state["batch"] = {"manifest": manifest, "runs": runs, "transcripts": len(items), "rejected": len(rejected)}


def _lines(upload: dict[str, Any]) -> Iterator[bytes | None]:
    chunks = wiring.current().uploads().chunks(upload["bucket"], upload["key"], upload.get("version"))
    most = wiring.current().settings.max_batch_bytes
    return lines_of(chunks, upload["key"], max_line=caps().max_bytes, max_bytes=most)


def _numbered(lines: Iterator[bytes | None]) -> Iterator[tuple[int, bytes | None]]:
    most = wiring.current().settings.max_transcripts
    for number, line in enumerate(lines, start=1):
        if number > most:
            raise InputError(f"more than {most} transcripts", hint="GATE_MAX_TRANSCRIPTS sets the cap")
        yield number, line


def _store(
    batch: str, name: str, config: Mapping[str, Any], number: int, line: bytes | None
) -> tuple[str, dict[str, Any] | None]:
    """Store one submission; None: it was rejected, and its report says why."""
    run_id = f"{batch[:70]}-{number:06d}"
    try:
        text = _checked(line)
    except InputError as error:
        failure = {"status": "REJECTED", "error": error.code, "cause": f"line {number}: {error.safe_message}"}
        store_failure({"run_id": run_id, "failure": failure, "config": {"name": f"{name}:{number}"}})
        return run_id, None
    state = submissions.store(run_id, {"name": f"{name}-{number}.json", "text": text}, config)
    submissions.store_input(run_id, state)
    return run_id, {"run_id": run_id, "submission": state["submission"]}


def _checked(line: bytes | None) -> str:
    if line is None:
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
