"""What the page asks for beside the API: lists, verdicts as they come, corpora, comparisons and labels."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote

from gate import wiring
from gate.adapters.reviews.run_table import RunTable
from gate.catalogue import Grant
from gate.errors import GateError, InputError
from gate.reports.model import Report
from gate.reports.overviews.changes import changes
from gate.reports.overviews.changes_shown import as_object
from gate.services import callers
from gate.services.reviews import label_rows, review_queue
from gate.services.trail.proofs import stored_report
from gate.serving.live_claims import LiveClaims
from gate.text.formats import strict_json

PAGE = 50
"""Runs, or passages, of one answer."""
LONGEST_WAIT_S = 20.0
MOST_QUESTION = 2_000
"""Characters of a question to a corpus."""
_RUN = r"(?P<run>[A-Za-z0-9_-]{1,80})"
_CORPUS = r"(?P<corpus>[^/]{1,200})"
ROUTES: tuple[tuple[str, re.Pattern[str], str, Grant | None], ...] = (
    ("GET", re.compile(r"/app/me"), "_me", None),
    ("GET", re.compile(r"/app/runs"), "_runs", None),
    ("GET", re.compile(rf"/app/runs/{_RUN}"), "_run", "read"),
    ("GET", re.compile(rf"/app/runs/{_RUN}/progress"), "_progress", "read"),
    ("POST", re.compile(rf"/app/runs/{_RUN}/marks"), "_mark", "review"),
    ("GET", re.compile(r"/app/comparison"), "_comparison", "read"),
    ("GET", re.compile(r"/app/labels\.jsonl"), "_labels", "read"),
    ("GET", re.compile(r"/app/corpora"), "_corpora", None),
    ("GET", re.compile(rf"/app/corpora/{_CORPUS}/passages"), "_passages", "read"),
    ("PUT", re.compile(rf"/app/corpora/{_CORPUS}/documents/(?P<document>[^/]{{1,600}})"), "_add", "administer"),
)
"""Method, path, the method of `OwnRoutes` that answers, and what who asks must be granted."""


class NoSuchThing(InputError):
    """What a path names is not there."""


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A request: what its path names, its query (last values), its body, and who asks."""

    names: Mapping[str, str]
    query: Mapping[str, str]
    body: bytes
    caller: callers.Caller

    def number(self, name: str, most: int) -> int:
        """A parameter as a whole number; 0 where it is not there.

        Raises:
            InputError: it is none, or too large.
        """
        given = self.query.get(name, "0")
        if not re.fullmatch(r"[0-9]{1,9}", given) or int(given) > most:
            raise InputError(f"{name}: a whole number up to {most} is needed")
        return int(given)


class OwnRoutes:
    """Answers of JSON values, and of labelled sets as text; one instance for the whole server.

    Args:
        table: of the runs.
        live: the verdicts of those under way.
    """

    def __init__(self, table: RunTable, live: LiveClaims) -> None:
        self._table, self._live = table, live

    def answer(self, method: str, path: str, query: Mapping[str, str], body: bytes, caller: callers.Caller) -> Any:
        """The value that answers a request.

        Raises:
            GateError: it cannot be answered; `NoSuchThing` where the path names nothing, `MayNotError` where who asks
                may not.
        """
        for each, pattern, name, grant in ROUTES:
            found = pattern.fullmatch(path)
            if found and each == method:
                caller.must(*([grant] if grant else []))
                work: Callable[[PageRequest], Any] = getattr(self, name)
                names = {name: unquote(value) for name, value in found.groupdict().items()}
                return work(PageRequest(names, query, body, caller))
        raise NoSuchThing("there is nothing at that path")

    def _me(self, asked: PageRequest) -> dict[str, Any]:
        """Who asks, empty where nobody knows, and what they may do."""
        caller = asked.caller
        return {"name": caller.identity if caller.is_verified else "", "grants": sorted(caller.grants)}

    def _runs(self, asked: PageRequest) -> dict[str, Any]:
        offset = asked.number("offset", 10**9)
        found = self._table.runs(PAGE + 1, offset)
        return {"runs": found[:PAGE], "more": len(found) > PAGE}

    def _run(self, asked: PageRequest) -> dict[str, Any]:
        run = self._known(asked.names["run"])
        report = _report(run["id"])
        claims = [
            {
                **claim.model_dump(include={"claim_id", "text", "status", "reason", "justification", "quote"}),
                "documents": len(claim.passages),
            }
            for claim in (report.claims if report else ())
        ]
        reasons = [reason["message"] for reason in (report.decision["reasons"] if report and report.decision else ())]
        return {**run, "claims": claims, "reasons": reasons, "marks": self._table.marks(run["id"])}

    def _progress(self, asked: PageRequest) -> dict[str, Any]:
        wait = min(asked.number("wait", 60), LONGEST_WAIT_S)
        seen = asked.number("seen", 10**6)
        found = self._live.since(asked.names["run"], seen, wait)
        run = self._known(asked.names["run"])
        review = review_queue.found(run["id"])
        waits = review is not None and review.is_open(review_queue.moment())
        told = {"status": run["status"], "outcome": run["outcome"], "waits": waits}
        return {**told, **(found or {"events": [], "seen": seen})}

    def _mark(self, asked: PageRequest) -> dict[str, Any]:
        run, given = self._known(asked.names["run"]), _object(asked.body)
        report = _report(run["id"])
        if report is None:
            raise NoSuchThing("the run has no report")
        claim_id, label = str(given.get("claim_id") or ""), str(given.get("label") or "")
        self._table.mark(run["id"], claim_id, label_rows.checked_label(report, claim_id, label))
        return {"marks": self._table.marks(run["id"])}

    def _labels(self, asked: PageRequest) -> str:
        lines = []
        for run_id in self._table.marked_runs():
            report = _report(run_id)
            for row in label_rows.rows(report, self._table.marks(run_id)) if report else ():
                lines.append(json.dumps(row, ensure_ascii=False))
        return "".join(f"{line}\n" for line in lines)

    def _comparison(self, asked: PageRequest) -> dict[str, Any]:
        reports = []
        for name in ("first", "second"):
            run = self._known(asked.query.get(name, ""))
            report = _report(run["id"])
            if report is None:
                raise NoSuchThing(f"the run {run['id']} has no report")
            reports.append(report)
        return as_object(changes(*reports))

    def _corpora(self, asked: PageRequest) -> dict[str, Any]:
        settings, found = wiring.current().settings, []
        if settings.search != "embedded":
            return {"corpora": [{"name": settings.index}], "default": settings.index}
        store = wiring.current().embedded_store()
        for name in store.names():
            try:
                passages = store.manifest(name).documents
                found.append({"name": name, "passages": passages, "from": str(store.origin(name) or "")})
            except GateError as damage:
                found.append({"name": name, "passages": 0, "problem": damage.safe_message})
        return {"corpora": found, "default": settings.index}

    def _passages(self, asked: PageRequest) -> dict[str, Any]:
        """What a question finds, as in `gate ask`; without one the passages themselves, page by page."""
        name, question = asked.names["corpus"], asked.query.get("q", "").strip()
        if not wiring.current().search_engine().exists(name):
            raise NoSuchThing(f"there is no corpus {name!r}")
        if len(question) > MOST_QUESTION:
            raise InputError(f"the question has more than {MOST_QUESTION} characters")
        if question:
            return {"passages": [_passage(one) for one in _found(name, question)], "more": False}
        if wiring.current().settings.search != "embedded":
            return {"passages": [], "more": False}
        offset = asked.number("offset", 10**9)
        snapshot = wiring.current().embedded_store().snapshot(name)
        found = list(islice(snapshot.passages(), offset, offset + PAGE + 1))
        return {"passages": [_passage(one) for one in found[:PAGE]], "more": len(found) > PAGE}

    def _add(self, asked: PageRequest) -> dict[str, Any]:
        from gate.services.corpora import READERS, replace_document

        if not asked.body:
            raise InputError("the document is empty")
        if PurePosixPath(asked.names["document"]).suffix.lower() not in READERS:
            raise InputError("that kind of file is not read", hint=" ".join(sorted(READERS)))
        redact = wiring.current().settings.redact_corpus
        found = replace_document(asked.body, asked.names["document"], asked.names["corpus"], redact=redact)
        problems = [f"{one.where}: {one.why}" for one in found.problems[:PAGE]]
        if problems and not (found.indexed or found.unchanged):
            raise InputError(problems[0])
        counts = {"indexed": found.indexed, "unchanged": found.unchanged, "removed": found.removed}
        return {**counts, "documents": found.documents, "problems": problems}

    def _known(self, run_id: str) -> dict[str, Any]:
        run = self._table.run(run_id)
        if run is None:
            raise NoSuchThing("there is no run of that id")
        return run


def _report(run_id: str) -> Report | None:
    """The report of a run that came to an end; None where it has none."""
    data = stored_report(run_id)
    return Report.model_validate_json(data) if data is not None else None


def _found(name: str, question: str) -> list[dict[str, Any]]:
    from gate.cli.ask import CANDIDATES, asked_of
    from gate.services.run import using

    with using({"search": {"top_k": CANDIDATES}}):
        return asked_of(question, name).fused()[:PAGE]


def _passage(found: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: found.get(name) for name in ("id", "title", "section", "url", "published_date", "content", "score")}
    return {name: value for name, value in kept.items() if value is not None}


def _object(body: bytes) -> dict[str, Any]:
    try:
        given = strict_json.load(body.decode())
    except (UnicodeDecodeError, RecursionError):
        raise InputError("the body cannot be read") from None
    if not isinstance(given, dict):
        raise InputError("the body is no JSON object")
    return given
