"""A run of LangSmith: what a chain was given and answered, and what its retrievers found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gate.errors import InputError
from gate.model import Document
from gate.submission.transcripts.contexts import contexts_of, joined
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.traces import steps
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "langsmith"


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and {"inputs", "outputs"} <= document.keys() and "run_type" in document


def parse(document: dict[str, Any]) -> Record:
    """Read a run with the runs in it.

    Raises:
        InputError: it is a part of another run, or there is no answer in it.
    """
    if document.get("parent_run_id"):
        raise InputError("parent_run_id: a part of a run: give the whole trace, its root first")
    reading = UnreadParts()
    turns = steps.question(document["inputs"], "inputs", reading)
    answered = steps.answer(document["outputs"], "outputs", reading)
    if not answered:
        raise InputError("outputs: no answer is found in them: looked for a text, a message, or a key such as answer")
    contexts = tuple[Document, ...]()
    for value, place in _contexts(document, ""):
        contexts = joined(contexts, contexts_of(value, place, reading))
    others = [key for key in document if key not in ("inputs", "outputs")]
    reading.rest(document, "", known=("inputs", "outputs"), unshown=others)
    name = str(document["id"])[:200] if document.get("id") else None
    extra = document.get("extra")
    told = extra.get("metadata") if isinstance(extra, dict) else None
    writer = told.get("ls_model_name") if isinstance(told, dict) else None
    return Record(
        (*(turn for turn in turns if turn not in answered), *answered),
        id=name,
        not_read=reading.left,
        contexts=contexts,
        metadata=about(writer=writer),
    )


def _contexts(run: Any, place: str) -> Iterator[tuple[Any, str]]:
    """What the run's own input and output call contexts, and what each retriever in it found."""
    if not isinstance(run, dict):
        return
    for key in ("inputs", "outputs"):
        yield from steps.contexts_in(run.get(key), below(place, key))
    found = run.get("outputs")
    if run.get("run_type") == "retriever" and isinstance(found, dict) and "output" in found:
        yield found["output"], below(place, "outputs", "output")
    children = run.get("child_runs")
    for number, child in enumerate(children if isinstance(children, list) else []):
        yield from _contexts(child, below(place, "child_runs", number))
