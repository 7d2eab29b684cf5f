"""No change may make passages harder to find than was recorded (docs/retrieval.md)."""

from __future__ import annotations

import pytest

from gate.adapters.embedded import EmbeddedSearch
from gate.adapters.opensearch import OpenSearchEngine
from gate.adapters.opensearch.opensearch_client import Endpoint
from gate.ports import SearchEngine
from tests.availability import unavailable
from tests.quality import retrieval

pytestmark = [
    pytest.mark.quality,
    pytest.mark.timeout(1_800),
    pytest.mark.skipif(retrieval.data() is None, reason="GATE_DATA names no folder with the labelled sets"),
]

FLOORS = {"keyword": 0.67, "hybrid": 0.70}
"""nDCG@10 on SciFact's claims."""
SAME = 0.90
"""Share of the first ten that the embedded store and OpenSearch have in common."""


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> SearchEngine:
    engine = EmbeddedSearch(tmp_path_factory.mktemp("indexes"))
    retrieval.fill(engine)
    return engine


@pytest.fixture(scope="module")
def opensearch(opensearch_url: str) -> SearchEngine:
    engine = OpenSearchEngine(Endpoint(opensearch_url))
    retrieval.fill(engine)
    return engine


def needs_embedder(arm: str) -> None:
    if arm != "keyword" and retrieval.embedder() is None:
        unavailable("the embedder's weights are not installed")


@pytest.mark.parametrize("arm", FLOORS)
def test_the_embedded_store_finds_as_well_as_recorded(embedded: SearchEngine, arm: str) -> None:
    needs_embedder(arm)
    assert retrieval.mean_ndcg(retrieval.found(embedded, arm)) >= FLOORS[arm]


@pytest.mark.opensearch
@pytest.mark.parametrize("arm", FLOORS)
def test_opensearch_finds_as_well_as_recorded(opensearch: SearchEngine, arm: str) -> None:
    needs_embedder(arm)
    assert retrieval.mean_ndcg(retrieval.found(opensearch, arm)) >= FLOORS[arm]


@pytest.mark.opensearch
@pytest.mark.parametrize("arm", FLOORS)
def test_both_engines_find_the_same(embedded: SearchEngine, opensearch: SearchEngine, arm: str) -> None:
    needs_embedder(arm)
    assert retrieval.overlap(retrieval.found(embedded, arm), retrieval.found(opensearch, arm)) >= SAME


def test_the_measure_gives_one_to_the_ideal_order_and_less_to_any_other() -> None:
    relevant = frozenset({"a", "b"})
    assert retrieval.ndcg(["a", "b", "x"], relevant) == 1.0
    assert 0.0 < retrieval.ndcg(["x", "a", "b"], relevant) < 1.0
    assert retrieval.ndcg(["x"], relevant) == 0.0
