"""Looks a name up in the lexicon of the corpus: wherever in it the name stands, not only in what a search finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gate import wiring
from gate.decision.lookups.names import LONGEST_PROMPT, key_of, look_up, look_up_as_asked, other_value
from gate.model import Claim
from gate.repository.names.corpus_names import nearest, words_in
from gate.services import run

MOST = 3
"""Passages that are evidence for a name."""
LOOKED_AT = 50
"""Passages with all words of a name, looked at for those where they stand together."""
MOST_WORDS = 16
"""Of a name that is looked up: each may be a search of its own, and whoever writes an answer makes its names."""


def with_named(entry: dict[str, Any], index: str) -> dict[str, Any]:
    """The evidence of a claim that a name exists: where no document of it names that, those of the whole corpus.

    Where none does, with `other_value`: a setting as the corpus has it; with `apart`: each of its words is a name of
    the corpus, or stands in the question; or with `near`: a name of the corpus that may have been meant, or an empty
    text. Without any of them nobody has looked: the claim is no name, or one of too many words, or the index was made
    before names were kept.
    """
    claim = entry["claim"]
    if claim.get("kind") != "name" or _naming(claim, entry["documents"]):
        return entry
    engine, where = wiring.current().search_engine(), run.search_filter()
    words = list(dict.fromkeys(words_in(key_of(claim["text"]))))
    is_name = 0 < len(words) <= MOST_WORDS
    found = engine.naming(words, index, k=LOOKED_AT, where=where) if is_name else None
    if found is None:
        return entry
    if named := _naming(claim, found)[:MOST]:
        return {**entry, "documents": [*entry["documents"], *named]}
    if other := other_value(claim["text"], _texts(found)):
        return {**entry, "other_value": other}
    asked = set(words_in(claim.get("source_prompt", "")[:LONGEST_PROMPT]))
    foreign = (word for word in words if word not in asked and not engine.naming([word], index, k=1, where=where))
    unknown = next(foreign, None)
    if unknown is None:
        return {**entry, "apart": True}
    return {**entry, "near": nearest(unknown, engine.names_like([unknown], index, where=where)) or ""}


def _naming(claim: Claim, documents: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    name, prompt = claim["text"], claim.get("source_prompt", "")
    readable = [(one, [one["content"]]) for one in documents if isinstance(one.get("content"), str)]
    return [one for one, text in readable if look_up(name, text) or look_up_as_asked(name, prompt, text)]


def _texts(documents: Sequence[dict[str, Any]]) -> list[str]:
    return [one["content"] for one in documents if isinstance(one.get("content"), str)]
