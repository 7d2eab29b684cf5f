"""Checks at a deployed gate: sent, waited for, and delivered as checks on this machine are."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from typing import Any

from gate import wiring
from gate.adapters.remote_gate import WAIT_S
from gate.cli.inputs import STDIN, Given, located
from gate.cli.outputs import Delivery
from gate.cli.printing import say
from gate.cli.progress import progress
from gate.cli.reading_back import read_back
from gate.errors import DependencyError, GateError, InputError
from gate.reports.model import Report
from gate.services.indexes import BUCKETS
from gate.submission.transcripts.table import ANSWER, kind_of
from gate.text.formats import strict_json

PAUSE_S = 0.5
LONG_BYTES = 4_000_000
"""What is longer is uploaded: a Lambda takes 6 MB, of a text in which quotes and line breaks are escaped."""
UNREPORTED_TRIES = 20
"""Looks for the report of a run that has ended; that of a failed one is published by an event, moments later."""


def refuse_local(corpus: str | None, repo: Path | None, policy: Path | None, estimate: bool) -> None:
    """Refuse what only a check on this machine can be given.

    Raises:
        InputError: naming it, and what to do.
    """
    if estimate:
        raise InputError("--estimate: says what a model costs that is asked from here", hint="gate cost")
    if policy is not None:
        raise InputError(
            "--policy: a deployed gate decides by its own", hint="config/policy.json in its uploads bucket"
        )
    if repo is not None:
        raise InputError(
            "--repo: a deployed gate reads no folder of this machine", hint='a transcript may bring "artifacts"'
        )
    if corpus is not None and (corpus.startswith(BUCKETS) or Path(corpus).exists()):
        raise InputError(
            f"--corpus {corpus}: a deployed gate has its own corpora", hint="name one; uploads to corpora/ make them"
        )


class Remote:
    """A deployed gate, and until when it is waited for.

    Args:
        where: the URL of its API, or the name of its stack.
        timeout: seconds from now on, for everything that is asked of it.
    """

    def __init__(self, where: str, timeout: float) -> None:
        self._where, self._timeout = where, timeout
        self._until = time.monotonic() + timeout
        self._gate = wiring.current().remote_gate(where, timeout)

    def check(self, records: Iterable[tuple[Given, Path | None]], asked: Mapping[str, Any], delivery: Delivery) -> int:
        """Send every record, then wait for each; returns the worst exit code."""
        codes: list[int] = []
        running: dict[str, tuple[Given, Path | None]] = {}
        with self._nothing_lost(running):
            for record, target in records:
                try:
                    started = self._start(_request(record, asked))
                    running[started["id"]] = (record, target)
                except InputError as error:
                    codes.append(delivery.refuse(record.name, located(error, record.file, record.place)))
            for run_id, (record, target) in [*running.items()]:
                report = self._report(run_id, record.name, delivery.quiet)
                del running[run_id]
                shown = report.model_copy(update={"name": record.name})
                codes.append(delivery.of(shown, target, brief=bool(record.number)))
        return max(codes)

    def _start(self, request: dict[str, Any]) -> dict[str, Any]:
        """Start a check, of what is long by an upload where the gate takes one."""
        if (by_form := _by_form(request)) is not None:
            with suppress(InputError):  # one that takes none, as `gate serve`, takes longer requests
                return self._gate.upload(*by_form, key=uuid.uuid4().hex)
        return self._gate.check(request, key=uuid.uuid4().hex)

    def check_now(
        self, records: Iterable[tuple[Given, Path | None]], asked: Mapping[str, Any], delivery: Delivery
    ) -> int:
        """Have every record checked in its request, one after the other; returns the worst exit code."""
        codes: list[int] = []
        for record, target in records:
            try:
                with progress(record.name, delivery.quiet, ""):
                    data = self._gate.check_now(_request(record, asked), key=uuid.uuid4().hex)
                shown = read_report(record.name, data).model_copy(update={"name": record.name})
                codes.append(delivery.of(shown, target, brief=bool(record.number)))
            except InputError as error:
                codes.append(delivery.refuse(record.name, located(error, record.file, record.place)))
        return max(codes)

    def rerun(self, run_id: str, target: Path | None, delivery: Delivery) -> int:
        """Run a check again, and wait for it."""
        again = self._gate.rerun(run_id, key=uuid.uuid4().hex)["id"]
        say(f"gate: {run_id} runs again as {again}", err=True)
        return self.report(again, target, delivery)

    def report(self, run_id: str, target: Path | None, delivery: Delivery) -> int:
        """Wait for a check that was started before."""
        with self._nothing_lost([run_id]):
            return delivery.of(self._report(run_id, run_id, delivery.quiet), target)

    def _report(self, run_id: str, name: str, quiet: bool) -> Report:
        with progress(name, quiet, ""):
            self._wait(run_id)
        return read_report(run_id, self._gate.report(run_id))

    def _wait(self, run_id: str) -> None:
        """Return when there is a report.

        Raises:
            DependencyError: there is none in time, or the run has ended without one.
        """
        unreported = 0
        while (left := self._until - time.monotonic()) > 0:
            status = self._gate.status(run_id, wait=min(WAIT_S, ceil(left)))
            if status["status"] != "RUNNING":
                if status.get("report"):
                    return
                unreported += 1
            if unreported == UNREPORTED_TRIES:
                raise DependencyError(f"{run_id}: {status.get('error') or status['status']}, and no report of it")
            time.sleep(PAUSE_S)
        raise DependencyError(f"{run_id}: no decision within {self._timeout:g} s", hint="--timeout")

    @contextmanager
    def _nothing_lost(self, running: Collection[str]) -> Iterator[None]:
        """Where waiting ends early, name the runs that were started, and how to come back to them."""
        try:
            yield
        except (GateError, KeyboardInterrupt):
            for run_id in running:
                say(f"gate: {run_id} is not lost: gate report {run_id} --remote {self._where}", err=True)
            raise


def read_report(label: str, data: bytes) -> Report:
    """The report that a gate answers with.

    Raises:
        DependencyError: it is none.
    """
    try:
        return read_back(data)
    except ValueError:
        hint = "is it of another version than this command?"
        raise DependencyError(f"{label}: the gate's report cannot be read", hint=hint) from None


def _request(record: Given, asked: Mapping[str, Any]) -> dict[str, Any]:
    """A record as the API takes it.

    Raises:
        InputError: it cannot be checked.
    """
    if record.refused is not None:
        raise record.refused
    name = re.sub(r"[^\w .()\-]", "-", record.file.name if record.file != STDIN else "stdin")[:200]
    search = {key: value for key, value in asked["search"].items() if value}
    request = {"name": name, "segment": asked["segment"], "search": search}
    if asked["against"]:
        request["against"] = asked["against"]
    text = record.submission["text"]
    if kind_of(record.submission["name"], text, record.submission.get("format", "")) == ANSWER:
        return {**request, "text": text}
    document = strict_json.load(text)
    return {**request, "transcript": document if isinstance(document, dict) else {"messages": document}}


def _by_form(request: Mapping[str, Any]) -> tuple[dict[str, Any], bytes] | None:
    """A long transcript as it is uploaded: what is asked of the gate, and the file; None: it goes in a request."""
    if request.get("segment") or "transcript" not in request:
        return None
    document = json.dumps(request["transcript"], ensure_ascii=False).encode()
    if len(document) <= LONG_BYTES:
        return None
    name = f"{request['name'].removesuffix('.json')[:190]}.json"
    return {**{key: request[key] for key in ("search", "against") if key in request}, "name": name}, document
