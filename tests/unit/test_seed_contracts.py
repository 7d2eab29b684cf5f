"""The specifications' functions keep their names, signatures and shapes (docs/decisions/0001-names.md)."""

from __future__ import annotations

import importlib
import inspect
from typing import Any, get_args, get_type_hints

import pytest

SIGNATURES = {
    "gate.services:call_llm": "(prompt: 'str', system: 'str' = '') -> 'str'",
    "gate.services:search_docs": "(query: 'str', index: 'str' = 'trusted_docs') -> 'list[dict[str, Any]]'",
    "gate.services:vector_search": (
        "(text: 'str', index: 'str' = 'trusted_docs', k: 'int' = 5) -> 'list[dict[str, Any]]'"
    ),
    "gate.agents.retrieve_evidence:retrieve_evidence": "(state: 'dict[str, Any]') -> 'None'",
    "gate.agents.retrieve_evidence:deduplicate": "(results: 'list[dict[str, Any]]') -> 'list[dict[str, Any]]'",
    "gate.agents.verify_claims:verify_claims": "(state: 'dict[str, Any]') -> 'None'",
    "gate.agents.verify_claims:parse_verdict": "(response: 'str') -> 'tuple[str, str]'",
    "gate.agents.aggregate_evidence:aggregate_evidence": "(state: 'dict[str, Any]') -> 'None'",
}


@pytest.mark.parametrize(("place", "signature"), SIGNATURES.items())
def test_a_named_function_has_the_specified_signature(place: str, signature: str) -> None:
    module, name = place.split(":")
    assert str(inspect.signature(getattr(importlib.import_module(module), name))) == signature


@pytest.mark.parametrize(
    ("place", "names"),
    [
        ("gate.services:similarity_search", ["query", "k", "jsonl_path"]),
        ("gate.agents.retrieve_citations:retrieve_citations", ["segment_result", "top_k", "jsonl_path"]),
        ("gate.agents.retrieve_citations:build_query_from_segment", ["segment_result"]),
        ("gate.agents.retrieve_citations:redact_pii", ["text"]),
        ("gate.agents.aggregate_evidence:merge_evidences", ["left", "right"]),
        ("gate.agents.aggregate_evidence:EvidenceAggregator", ["repo_root"]),
    ],
)
def test_a_named_function_takes_the_specified_parameters_first(place: str, names: Any) -> None:
    module, name = place.split(":")
    parameters = list(inspect.signature(getattr(importlib.import_module(module), name)).parameters.values())
    assert [parameter.name for parameter in parameters[: len(names)]] == names
    assert all(p.default is not p.empty or p.kind is p.KEYWORD_ONLY for p in parameters[len(names) :])


def test_the_reducer_is_the_annotation_of_the_evidences_in_the_state() -> None:
    from gate.agents.aggregate_evidence import merge_evidences
    from gate.model import Evidence, GateState

    annotation = get_type_hints(GateState, include_extras=True)["evidences"]
    assert get_args(annotation) == (dict[str, list[Evidence]], merge_evidences)


def test_citations_default_to_five_and_to_the_configured_corpus() -> None:
    from gate.agents.retrieve_citations import retrieve_citations

    parameters = inspect.signature(retrieve_citations).parameters
    assert parameters["top_k"].default == 5
    assert parameters["jsonl_path"].default is None


def test_the_default_corpus_path_is_named() -> None:
    from gate.services import DEFAULT_JSONL_PATH

    assert str(DEFAULT_JSONL_PATH).endswith(".jsonl")
