"""Indexes of the configured engine: made, described, and searched by the embedder that they were made with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gate import wiring
from gate.errors import GateError, InputError, SettingsError
from gate.ports import Embedder, SearchEngine
from gate.retrieval.passages import passage_text

BUCKETS = "s3://"
"""How a corpus in a bucket is named."""
FEW_PASSAGES = 0.02
"""Share of the passages that is not worth a line: a page or two is always told wrong."""
OnIndexing = Callable[[str, int, int], object]
"""Told how far a corpus is that is being indexed: what is counted, how many are done, how many there are."""


def init_index(index: str) -> None:
    """Make an empty index for the configured embedder, unless there is one."""
    embedder = wiring.current().embedder()
    dimension = embedder.dimension if embedder else None
    wiring.current().search_engine().ensure_index(index, embedder=name_of(embedder), dimension=dimension)


def index_embedder(index: str, engine: SearchEngine | None = None) -> Embedder | None:
    """The embedder for an index: the configured one, or none where the index holds no vectors.

    Raises:
        SettingsError: the index was made with another embedder, or with one and none is configured.
    """
    embedder = wiring.current().embedder()
    made_with = (engine or wiring.current().search_engine()).embedder_of(index)
    if made_with is None:
        return None
    if embedder is None or embedder.name != made_with:
        raise SettingsError(
            f"index {index!r} was made with {made_with}, and GATE_EMBEDDER gives {name_of(embedder) or 'none'}",
            hint="set GATE_EMBEDDER to the index's, or choose another --corpus",
        )
    return embedder


def describe_corpus(index: str) -> dict[str, Any]:
    """Say what the report says of a corpus; where the engine cannot tell, the name and the error's class.

    `retrieval` says whether it was searched by meaning too: that takes an embedder here and vectors there. `left_out`
    says what of a folder is not in it, where anything is.
    """
    try:
        about = wiring.current().search_engine().describe(index)
        by_meaning = wiring.current().embeds() and about["embedder"] is not None
        retrieval = "keywords and vectors" if by_meaning else "keywords alone"
        return {"retrieval": retrieval, **about, **_left_out(index)}
    except GateError as error:
        return {"name": index, "error": error.code}


def left_out(index: str) -> dict[str, Any]:
    """What of a corpus is not in its index (`readers.folders.omissions`); empty where that is not known."""
    gate = wiring.current()
    noted = gate.embedded_store().notes(index) if gate.settings.search == "embedded" else {}
    told: dict[str, Any] = noted.get("left_out", {})
    return told


def _left_out(index: str) -> dict[str, Any]:
    told = left_out(index)
    return {"left_out": told} if told.get("names") else {}


def in_other_languages(index: str) -> str:
    """Say in a line which passages are in another language than the stems and stop words of their corpus are for.

    Empty where they are few, or where the engine does not tell languages.
    """
    gate = wiring.current()
    if gate.settings.search != "embedded":
        return ""
    from gate.retrieval.query_terms import BY_SIGNS
    from gate.text.languages import counted_languages, may_be

    store = gate.embedded_store()
    made_for, held = store.manifest(index).language, store.describe(index)["languages"]
    total = sum(held.values())
    others = {
        code: count for code, count in held.items() if count >= FEW_PASSAGES * total and not may_be(code, made_for)
    }
    if not others:
        return ""
    by = "without stems and stop words" if made_for in BY_SIGNS else f"with the stems and stop words of {made_for}"
    return (
        f"passages in another language than GATE_LANGUAGE are looked up {by}: {counted_languages(others)} of {total:,}"
    )


def name_of(embedder: Embedder | None) -> str | None:
    """What an index says that its vectors were made with."""
    return embedder.name if embedder is not None else None


def vectors_of(embedder: Embedder | None, passages: list[dict[str, Any]]) -> Any:
    """The vectors of passages, in order; None without an embedder."""
    return embedder.embed([passage_text(each) for each in passages]) if embedder is not None else None


@contextmanager
def searching(
    corpus: str | None, *, optional: bool = False, progress: OnIndexing = lambda counted, done, total: None
) -> Iterator[str]:
    """Work on a corpus inside: one by name, documents at a path or in a bucket (indexed here), or the one of the
    settings.

    Documents that are indexed here are searched in the embedded store, whatever engine the settings name.

    Args:
        optional: there need be none where none is named.
        progress: called while documents are indexed here that were not before.

    Yields:
        the index to search; empty where there is none.

    Raises:
        InputError: there is none, or nothing in it; or the name is that of a path and of a corpus.
    """
    if corpus is not None and corpus.startswith(BUCKETS):
        with wiring.entered(wiring.current().searching_here()):
            from gate.services.paths.bucket_copy import copy_of
            from gate.services.paths.path_index import index_corpus

            copy, missing = copy_of(corpus)
            yield index_corpus(str(copy), missing, progress)
    elif corpus is not None and Path(corpus).exists():
        if corpus == Path(corpus).name and _is_kept(corpus):  # a checkout may bring a folder of that name along
            hint = f"./{corpus} for the path; GATE_INDEX={corpus} and no --corpus for the other"
            raise InputError(f"{corpus}: names a path here, and a corpus that is kept", hint=hint)
        with wiring.entered(wiring.current().searching_here()):
            from gate.services.paths.path_index import index_corpus

            yield index_corpus(corpus, progress=progress)
    else:
        named = corpus or wiring.current().settings.index
        yield "" if optional and corpus is None and not _is_kept(named) else _index_named(corpus)


def _index_named(corpus: str | None) -> str:
    index = corpus or wiring.current().settings.index
    if _is_kept(index):
        if wiring.current().search_engine().count(index) == 0:
            raise InputError(f"the corpus {index!r} is empty", hint=f"gate index add PATH --corpus {index}")
        return index
    if corpus is not None:
        raise InputError(
            f"{corpus}: neither a file nor a folder nor a corpus", hint="gate index add PATH --corpus NAME keeps one"
        )
    raise InputError(f"there is no corpus: the index {index!r} does not exist", hint="give --corpus PATH")


def _is_kept(index: str) -> bool:
    try:
        return wiring.current().search_engine().exists(index)
    except InputError:  # what cannot be an index's name is none
        return False
