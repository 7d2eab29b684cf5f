"""The gate as a value in Python: answers in, reports out, through the state machine that is deployed.

What is heavy is imported when the first answer is checked, so that a program that may check one starts at once.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

if TYPE_CHECKING:
    from gate.local.branches import Invoke
    from gate.local.run import LocalRun
    from gate.local.sentence_stream import Failing, SentenceInContext, StreamedSentence
    from gate.model import Policy
    from gate.reports.model import Report
    from gate.settings import Settings
    from gate.wiring import Wiring

Answer: TypeAlias = str | Mapping[str, Any]
"""Text, Markdown, a transcript as JSON, or the transcript itself: `{"messages": …}` and the other formats."""
Context: TypeAlias = str | Mapping[str, Any]
"""A passage: its text, or a record with `text` and, where known, `id`, `title`, `section`, `url`, `date`."""
JOBS = 4
"""Answers checked at the same time."""


class Gate:
    """Checks answers against one corpus under one policy, and keeps warm what the first answer had made.

    One gate may be used by many threads at once; it can be sent to other processes, and used on after a fork. Gates
    stand side by side: each that is given settings has models, indexes and caches of its own.

    Args:
        corpus: documents at a path (JSONL, a folder, `s3://bucket/prefix`; indexed at the first check), or a corpus by
            name; None: the index of the settings.
        policy: when an answer passes: a `Policy`, or a mapping of its keys; None: the default one.
        settings: fields of the settings, such as `model="bedrock:…"`; the others are those of the environment.

    Raises:
        InputError: the policy is none.
        SettingsError: a setting that is not known, or does not fit.
    """

    def __init__(
        self,
        corpus: str | os.PathLike[str] | None = None,
        *,
        policy: Policy | Mapping[str, Any] | None = None,
        **settings: Any,
    ) -> None:
        from gate import wiring

        self._corpus = None if corpus is None else os.fspath(corpus)
        self._policy = _policy(policy)
        self._settings = settings
        self._wiring = wiring.Wiring(_changed(settings)) if settings else wiring.current()

    def __reduce__(self) -> tuple[Any, ...]:
        """What another process makes the same gate of."""
        return _made, (self._corpus, self._policy, self._settings)

    def check(
        self,
        answer: Answer,
        *,
        contexts: Sequence[Context] | None = None,
        name: str = "",
        repo: str | os.PathLike[str] | None = None,
        segment: Mapping[str, Any] | None = None,
    ) -> Report:
        """Check an answer; returns its report: `outcome` is `pass`, `review`, `block`, or `error` of a run that failed.

        Args:
            answer: text or Markdown, or a transcript.
            contexts: the passages that the answer was made from: it is checked against them, and nothing else, whatever
                the gate's corpus. They are indexed on this machine for the length of the check.
            name: what the report calls it; `answer.json` and the like say how it is to be read.
            repo: a repository's folder: paths and names that the answer cites are looked up in it; without a corpus
                nothing else is checked, and the report says so.
            segment: of a conversation; adds citations to the report.

        Raises:
            InputError: the answer, the corpus or a context cannot be used.
            SettingsError: model, search or another adapter cannot be made.
        """
        with self._entered():
            submission = _submission(answer, name, segment)
            with self._searching(contexts, optional=repo is not None) as index:
                return report_of(submission, self._config(name, index, repo, contexts))

    def check_many(
        self,
        answers: Iterable[Answer],
        *,
        contexts: Iterable[Sequence[Context]] | None = None,
        jobs: int = JOBS,
        repo: str | os.PathLike[str] | None = None,
    ) -> list[Report]:
        """Check answers, `jobs` at a time; returns as many reports, in the answers' order.

        An answer that cannot be used is refused before any is checked. A run that fails has a report that says so.

        Args:
            answers: as `check` takes one; the reports call them `1`, `2` and so on.
            contexts: the passages of each answer, as many as there are answers; None: the corpus.
            repo: as in `check`.

        Raises:
            InputError: see `check`; names the answer, from 1. Or there are not as many contexts as answers.
            SettingsError: see `check`.
        """
        from concurrent.futures import ThreadPoolExecutor
        from contextvars import copy_context

        from gate.errors import InputError
        from gate.local.run import Limited

        given, found = list(answers), None if contexts is None else list(contexts)
        if found is not None and len(found) != len(given):
            raise InputError(f"{len(given)} answers, and contexts of {len(found)}")
        invoke = Limited()

        def one(place: int) -> Report:
            passages = found[place] if found is not None else None
            with self._searching(passages) as index:
                return report_of(submissions[place], self._config(str(place + 1), index, repo, passages), invoke)

        with self._entered(), ThreadPoolExecutor(jobs) as pool:
            submissions = [_numbered(answer, place) for place, answer in enumerate(given, start=1)]
            waiting = [pool.submit(copy_context().run, one, place) for place in range(len(given))]
            try:
                return [each.result() for each in waiting]
            finally:
                for each in waiting:
                    each.cancel()

    async def acheck(self, answer: Answer, **how: Any) -> Report:
        """Check an answer in a thread, for a program with an event loop; takes and raises what `check` does."""
        import asyncio

        return await asyncio.to_thread(self.check, answer, **how)

    def stream(self, pieces: Iterable[str], **how: Any) -> Iterator[StreamedSentence]:
        """Check an answer while it is written: yields each sentence, with what was found, when the next one begins.

        A sentence is read with the paragraphs before it; a heading goes with what it heads, code comes block by block.
        No report stays on this machine.

        Args:
            pieces: of text as they come, cut anywhere.
            how: `failing`: what is `shown` of a sentence that does not pass: `mark` (it, with a mark behind it) or
                `hold` (a note in its place); `contexts`, `name` and `repo` as for `check`.

        Raises:
            InputError, SettingsError: as `check`; what was yielded before stays checked, and nothing else was.
        """
        from gate.local.sentence_stream import SentenceCutter

        cutter = SentenceCutter()
        with self._streaming(**how) as checked:
            for piece in pieces:
                yield from map(checked, cutter.feed(piece))
            yield from map(checked, cutter.end())

    async def astream(self, pieces: AsyncIterable[str], **how: Any) -> AsyncIterator[StreamedSentence]:
        """Do what `stream` does with pieces of an asynchronous stream; the checks run in threads."""
        import asyncio

        from gate.local.sentence_stream import SentenceCutter

        cutter = SentenceCutter()
        with self._streaming(**how) as checked:
            async for piece in pieces:
                for sentence in cutter.feed(piece):
                    yield await asyncio.to_thread(checked, sentence)
            for sentence in cutter.end():
                yield await asyncio.to_thread(checked, sentence)

    def find(self, question: str, top_k: int = 5) -> list[dict[str, Any]]:
        """Find the passages of the corpus that speak of a claim or a question, best first.

        Raises:
            InputError: the question is empty, or the corpus cannot be used.
            SettingsError: search cannot be made.
        """
        from gate import wiring
        from gate.errors import InputError
        from gate.services.search import Search, query_vector

        if not question.strip():
            raise InputError("the question is empty")
        with self._entered(), self._searching(None) as index:
            engine = wiring.current().search_engine()
            return Search(engine, index, question, query_vector(question, engine, index)).hybrid(top_k)

    @contextmanager
    def _streaming(
        self,
        *,
        failing: Failing = "mark",
        contexts: Sequence[Context] | None = None,
        name: str = "",
        repo: str | os.PathLike[str] | None = None,
    ) -> Iterator[Callable[[SentenceInContext], StreamedSentence]]:
        """Have sentences of one answer checked; corpus and contexts are made ready once.

        All is done in a context of its own: between two sentences the program has its own again.
        """
        from contextvars import copy_context

        from gate.errors import InputError
        from gate.local.sentence_stream import Failing, StreamedAnswer

        if failing not in get_args(Failing):
            raise InputError(f"failing: {failing!r} is none of {', '.join(get_args(Failing))}")
        context, ready = copy_context(), ExitStack()

        def check(sentence: SentenceInContext) -> Report:
            config = {**self._config(name, index, repo, contexts), "checked_to": sentence.checked_to}
            return report_of(_streamed_submission(sentence.text, name), config, leave_report=False)

        answer = StreamedAnswer(check, failing)
        try:
            context.run(ready.enter_context, self._entered())
            index = context.run(ready.enter_context, self._searching(contexts, optional=repo is not None))
            yield lambda sentence: context.run(answer.checked, sentence)
        finally:
            context.run(ready.close)

    def _entered(self) -> AbstractContextManager[Wiring]:
        from gate import wiring

        return wiring.entered(self._wiring)

    @contextmanager
    def _searching(self, contexts: Sequence[Context] | None, *, optional: bool = False) -> Iterator[str]:
        from gate.services.indexes import searching

        if contexts is None:
            with searching(self._corpus, optional=optional) as index:
                yield index
            return
        from gate.services.corpora import passages_alone

        with passages_alone(contexts) as index:
            yield index

    def _config(
        self, name: str, index: str, repo: str | os.PathLike[str] | None, contexts: Sequence[Context] | None
    ) -> dict[str, Any]:
        config: dict[str, Any] = {"name": name, "elasticsearch": {"index": index}}
        titles = [str(one["title"]) for one in contexts or () if isinstance(one, Mapping) and one.get("title")]
        if titles:
            config["titles"] = titles
        if not index:
            config["against"] = "auto"
        if self._policy is not None:
            config["policy"] = self._policy
        if repo is not None:
            config["repo_root"] = os.path.realpath(repo)
        return config


def check(
    answer: Answer,
    corpus: str | os.PathLike[str] | None = None,
    *,
    contexts: Sequence[Context] | None = None,
    repo: str | os.PathLike[str] | None = None,
    policy: Policy | Mapping[str, Any] | None = None,
    name: str = "",
    **settings: Any,
) -> Report:
    """Check one answer, against a corpus or against the passages it was made from.

    See `Gate`, which takes the same and keeps what it made for the next answer. Without settings the models stay with
    the process, so that a second call is as fast as the second check of a gate.

    Args:
        answer: text or Markdown, or a transcript.
        corpus: documents at a path or below `s3://bucket/prefix`, or a corpus by name.
        contexts: passages, in place of a corpus.
        repo: a repository's folder: paths that the answer cites are looked up in it.
        policy: when an answer passes; None: the default one.
        name: what the report calls it.
        settings: fields of the settings, such as `model="bedrock:…"`.

    Raises:
        InputError: something given cannot be used, says what; or both corpus and contexts are given.
        SettingsError: a setting that is not known, or does not fit.
    """
    refuse_both(corpus, contexts)
    return Gate(corpus, policy=policy, **settings).check(answer, contexts=contexts, repo=repo, name=name)


def refuse_both(corpus: object, contexts: object) -> None:
    """Refuse a call that names a corpus and passages: what its answer is checked against would be a guess.

    Raises:
        InputError: both are given.
    """
    from gate.errors import InputError

    if corpus is not None and contexts is not None:
        raise InputError("a corpus and contexts: an answer is checked against one of them", hint="leave one out")


def report_of(
    submission: Mapping[str, Any],
    config: Mapping[str, Any],
    invoke: Invoke | None = None,
    *,
    leave_report: bool = True,
) -> Report:
    """Run a submission, and leave nothing of its text but the report, if that.

    Raises:
        InternalError: the run failed, and left no report.
    """
    from gate import runtime, wiring
    from gate.local.run import run_locally

    run_id, kept = uuid.uuid4().hex, wiring.current().settings.keep_runs
    try:
        return published(run_locally(submission, config, run_id=run_id, invoke=invoke or runtime.handle))
    finally:
        for folder in (() if kept else ("runs",)) if leave_report else ("runs", "reports"):
            wiring.current().blob_store().delete_prefix(f"{folder}/{run_id}/")


def published(run: LocalRun, label: str = "") -> Report:
    """The report that a run published.

    Raises:
        InternalError: it published none; `label` stands in front.
    """
    from gate import wiring
    from gate.errors import InternalError
    from gate.reports.model import Report

    data = wiring.current().blob_store().find(f"reports/{run.run_id}/report.json")
    if data is None:
        raise InternalError(f"{label}{run.error or run.status}: {run.cause or 'the run failed'}")
    return Report.model_validate_json(data).model_copy(update={"seconds": run.seconds})


def _submission(answer: Answer, name: str, segment: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """An answer as the machine takes it, once it is known to be one."""
    from gate.services.run import caps
    from gate.submission.transcripts.table import parse

    text, kind = (answer, name) if isinstance(answer, str) else (json.dumps(dict(answer)), "answer.json")
    parse(kind, text, caps())
    return {"name": kind, "text": text, "segment": None if segment is None else dict(segment)}


def _streamed_submission(text: str, name: str) -> dict[str, Any]:
    """A sentence with its context as the machine takes it: plain text or Markdown, whatever it looks like."""
    from gate.services.run import caps
    from gate.submission.transcripts.table import ANSWER, parse

    parse(name, text, caps(), ANSWER)
    return {"name": name, "text": text, "segment": None, "format": ANSWER}


def _numbered(answer: Answer, number: int) -> dict[str, Any]:
    from gate.errors import InputError

    try:
        return _submission(answer, str(number))
    except InputError as error:
        raise InputError(f"answer {number}: {error.safe_message}", hint=error.hint) from None


def _policy(policy: Policy | Mapping[str, Any] | None) -> dict[str, Any] | None:
    from gate.decision.policy_document import policy_of
    from gate.model import Policy

    if policy is None:
        return None
    known = policy if isinstance(policy, Policy) else policy_of(dict(policy) if isinstance(policy, Mapping) else policy)
    return known.model_dump()


def _made(corpus: str | None, policy: dict[str, Any] | None, settings: dict[str, Any]) -> Gate:
    return Gate(corpus, policy=policy, **settings)


def _changed(settings: Mapping[str, Any]) -> Settings:
    from pydantic import ValidationError

    from gate import wiring
    from gate.errors import SettingsError, first_misfit
    from gate.settings import Settings

    try:
        return Settings.model_validate({**wiring.current().settings.model_dump(), **settings})
    except ValidationError as error:
        raise SettingsError(str(first_misfit(error))) from None
