"""The run on whose behalf work is done: what it asks of the calls made for it, and their side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import Any, TypeVar

from pydantic import ValidationError

from gate import wiring
from gate.adapters.spending.allowance import Allowance, allowing
from gate.errors import InputError, first_misfit
from gate.ports import SearchFilter
from gate.retrieval.citations import CitationOptions
from gate.retrieval.passages import day
from gate.submission.caps import Caps

CALLS_AT_ONCE = 16
"""Calls of one agent that wait for the model, or the blob store, at the same time."""

T = TypeVar("T")
R = TypeVar("R")

_config: ContextVar[Mapping[str, Any]] = ContextVar("config")


@contextmanager
def using(config: Mapping[str, Any]) -> Iterator[None]:
    """Apply a run's `config` to the calls made inside (in this context; copy it into threads)."""
    token = _config.set(config)
    asked = (config.get("budget") or {}).get("tokens", 0)
    try:
        tenant = str((config.get("search") or {}).get("tenant") or "")
        is_urgent = bool(config.get("caller"))  # somebody asked the API; what was uploaded has time
        with allowing(Allowance(config.get("run_id", ""), asked, tenant, is_urgent)):
            yield
    finally:
        _config.reset(token)


def together(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """Apply `work` to every item, several at a time, each under this run's settings; the first error ends it."""
    if len(items) < 2:
        return [work(item) for item in items]
    pool = ThreadPoolExecutor(min(CALLS_AT_ONCE, len(items)))
    try:
        waiting = [pool.submit(copy_context().run, work, item) for item in items]
        return [future.result() for future in waiting]
    finally:
        pool.shutdown(cancel_futures=True)


def identity() -> dict[str, str]:
    """The caller that the run names, the tenant that they stand for, and the run."""
    config = _config.get({})
    tenant = str(search_options().get("tenant") or "")
    return {"caller": str(config.get("caller") or ""), "tenant": tenant, "run_id": str(config.get("run_id") or "")}


def caps() -> Caps:
    """What a submission may measure."""
    settings = wiring.current().settings
    return Caps(settings.max_bytes, settings.max_turns, settings.max_turn_chars, settings.max_depth)


def source_kind() -> str:
    """The run's kind of source (`config.verifier.source_kind`); empty: the deployment's setting."""
    return str(_part("verifier").get("source_kind") or "")


def index() -> str:
    """The index that the run names; empty where it names none."""
    return str(_part("elasticsearch").get("index") or "")


def search_options() -> Mapping[str, Any]:
    """The `search` part of the run's config; empty outside a run."""
    return _part("search")


def search_filter() -> SearchFilter:
    """What the run may see of the corpus.

    Raises:
        InputError: a date that is none; it must not widen what may be seen.
    """
    options = search_options()
    for name in ("published_from", "published_to"):
        if options.get(name) is not None and not day(str(options[name])):
            raise InputError(f"config.search.{name} is no date", hint="YYYY-MM-DD")
    return SearchFilter(
        tenant=options.get("tenant"),
        sources=tuple(options.get("sources", ())),
        classifications=tuple(options.get("classifications", ())),
        published_from=options.get("published_from"),
        published_to=options.get("published_to"),
    )


def citation_options() -> CitationOptions:
    """What the run asks of its citations; signals that it does not bring are the deployment's.

    Raises:
        InputError: an option that is not known or does not fit.
    """
    try:
        options = CitationOptions.model_validate(_part("citations"))
    except ValidationError as error:
        hint = ", ".join(CitationOptions.model_fields)
        raise InputError(str(first_misfit(error, "config.citations")), hint=hint) from None
    return options if options.signals else options.model_copy(update={"signals": wiring.current().signals()})


def _part(name: str) -> Mapping[str, Any]:
    part: Mapping[str, Any] = _config.get({}).get(name) or {}
    return part
