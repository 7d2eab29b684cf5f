"""The gate as a value in Python: answers in, reports out, through the state machine that is deployed."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from gate import wiring
from gate.decision.policy_document import policy_of
from gate.errors import InternalError, SettingsError, first_misfit
from gate.local.run import LocalRun, run_locally
from gate.model import Policy
from gate.reports.model import Report
from gate.services.indexes import searching
from gate.services.run import caps
from gate.settings import Settings
from gate.submission.transcripts.table import parse


class Gate:
    """Checks answers against one corpus under one policy.

    Gates stand side by side: each has settings and adapters of its own, made when the first answer is checked.

    Args:
        corpus: documents at a path (JSONL or a folder, indexed at the first check), or a corpus by name; None: the
            index of the settings.
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
        self._corpus = None if corpus is None else os.fspath(corpus)
        given = (
            policy
            if isinstance(policy, Policy | None)
            else policy_of(dict(policy) if isinstance(policy, Mapping) else policy)
        )
        self._config = {} if given is None else {"policy": given.model_dump()}
        self._wiring = wiring.Wiring(_changed(settings)) if settings else wiring.current()

    def check(
        self,
        text: str,
        *,
        name: str = "",
        repo: str | os.PathLike[str] | None = None,
        segment: Mapping[str, Any] | None = None,
    ) -> Report:
        """Check an answer; returns its report: `outcome` is `pass`, `review`, `block`, or `error` of a run that failed.

        Args:
            text: the answer, or a transcript as JSON.
            name: what the report calls it; `answer.json` and the like say how it is to be read.
            repo: a repository's folder: paths that the answer cites are looked up in it.
            segment: of a conversation; adds citations to the report.

        Raises:
            InputError: the text, or the corpus, cannot be used.
            SettingsError: model, search or another adapter cannot be made.
        """
        with wiring.entered(self._wiring), searching(self._corpus) as index:
            parse(name, text, caps())
            config = {**self._config, "name": name, "elasticsearch": {"index": index}}
            if repo is not None:
                config["repo_root"] = os.path.realpath(repo)
            submission = {"name": name, "text": text, "segment": None if segment is None else dict(segment)}
            run_id = uuid.uuid4().hex
            try:
                return published(run_locally(submission, config, run_id=run_id))
            finally:
                wiring.current().blob_store().delete_prefix(f"runs/{run_id}/")


def check(
    text: str,
    corpus: str | os.PathLike[str] | None = None,
    *,
    policy: Policy | Mapping[str, Any] | None = None,
    **settings: Any,
) -> Report:
    """Check one answer; see `Gate`, which keeps what it made for the next."""
    return Gate(corpus, policy=policy, **settings).check(text)


def published(run: LocalRun, label: str = "") -> Report:
    """The report that a run published.

    Raises:
        InternalError: it published none; `label` stands in front.
    """
    key, store = f"reports/{run.run_id}/report.json", wiring.current().blob_store()
    if not store.exists(key):
        raise InternalError(f"{label}{run.error or run.status}: {run.cause or 'the run failed'}")
    return Report.model_validate_json(store.get(key))


def _changed(settings: Mapping[str, Any]) -> Settings:
    try:
        return Settings.model_validate({**wiring.current().settings.model_dump(), **settings})
    except ValidationError as error:
        raise SettingsError(str(first_misfit(error))) from None
