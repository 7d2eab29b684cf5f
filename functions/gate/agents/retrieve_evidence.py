"""Finds evidence for each claim, by keywords and by meaning."""

from __future__ import annotations

from functools import partial
from typing import Any

from gate.retrieval.deduplication import document_id, unique_documents
from gate.retrieval.fusion import reciprocal_rank
from gate.retrieval.given_passages import nearest
from gate.services import search_docs, vector_search
from gate.services.cited import cited_evidence
from gate.services.corpus_lexicon import with_named
from gate.services.run import together
from gate.services.search import is_elsewhere


def retrieve_evidence(state: dict[str, Any]) -> None:
    """Look up every claim of `state["claims"]` in the index that `state["config"]` names, in `state["contexts"]`, the
    passages that the model was given, or in both, as `config["against"]` says; against the repository alone in none.

    Writes `state["evidence"]`: `[{"claim", "documents"}, …]` in the order of the claims, with `cited` where a claim
    cites sources, `contexts` where it is judged against both, `near`, `apart` or `other_value` where it is a name
    that the whole corpus lacks (`services.corpus_lexicon`), and, for claims that carry a `claim_id`,
    `state["ranking"]`: `[{"claim_id", "ids"}, …]`, the ids of both lists fused, best first, then of those that only the
    lexicon found.
    """
    index, against = state["config"]["elasticsearch"]["index"], state["config"].get("against", "corpus")
    claims, given = state["claims"], state.get("contexts") or []
    if against == "repository":
        found = [(list[dict[str, Any]](), list[dict[str, Any]]()) for _ in claims]
    elif against == "contexts":
        found = [(nearest(claim["text"], given), list[dict[str, Any]]()) for claim in claims]
    else:
        found = together(lambda claim: _search_both(claim, index), claims)
    evidence = [
        {"claim": claim, "documents": deduplicate(keyword + vector)}
        for claim, (keyword, vector) in zip(claims, found, strict=True)
    ]
    if against == "both":
        evidence = [{**entry, "contexts": nearest(entry["claim"]["text"], given)} for entry in evidence]
    searched = None if against in ("contexts", "repository") else index
    if searched is not None:
        evidence = together(lambda entry: with_named(entry, index), evidence)
    state["evidence"] = together(lambda entry: _with_cited(entry, searched), evidence)
    ranking = [
        {"claim_id": entry["claim"]["claim_id"], "ids": _ranked(keyword, vector, entry["documents"])}
        for entry, (keyword, vector) in zip(evidence, found, strict=True)
        if "claim_id" in entry["claim"]
    ]
    if ranking:
        state["ranking"] = ranking


def deduplicate(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drop documents whose `content` came before; without `content`, documents equal as a whole."""
    return unique_documents(results)


def _with_cited(entry: dict[str, Any], index: str | None) -> dict[str, Any]:
    """The entry with the passages of the sources that its claim cites, where it cites any."""
    if not entry["claim"].get("sources"):
        return entry
    return {**entry, "cited": cited_evidence(entry["claim"], entry["documents"], index)}


def _search_both(claim: dict[str, Any], index: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Look a claim up by its own words, and by the meaning that it has after what it needs to be understood."""
    text, context = claim["text"], claim.get("context")
    by_words = partial(search_docs, text, index=index)
    by_meaning = partial(vector_search, f"{context} {text}" if context else text, index=index)
    if is_elsewhere():  # where nothing is waited for, threads take more than they save
        keyword, vector = together(lambda search: search(), [by_words, by_meaning])
        return keyword, vector
    return by_words(), by_meaning()


def _ranked(keyword: list[dict[str, Any]], vector: list[dict[str, Any]], evidence: list[dict[str, Any]]) -> list[str]:
    lists = [[document_id(document) for document in found] for found in (keyword, vector)]
    fused = [key for key, _ in reciprocal_rank(lists)]
    return list(dict.fromkeys([*fused, *map(document_id, evidence)]))
