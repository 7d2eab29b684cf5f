"""A node of three is killed under load: the client notices nothing, and can still write."""

from __future__ import annotations

import json
import time
import urllib.request

import numpy as np
import pytest

from gate.adapters.opensearch import OpenSearchEngine
from gate.adapters.opensearch.opensearch_client import Endpoint
from tests.availability import unavailable
from tests.opensearch_node import node

pytestmark = [pytest.mark.opensearch, pytest.mark.slow, pytest.mark.integration]

SECONDS = 15.0
COUNT, DIMENSION = 600, 32


def manager(url: str) -> str:
    """Name of the node that leads the cluster."""
    with urllib.request.urlopen(f"{url}/_cat/cluster_manager?format=json", timeout=10) as answer:
        return str(json.load(answer)[0]["node"])


def test_no_query_fails_while_the_leading_node_is_killed_and_a_write_succeeds() -> None:
    if lacking := node.missing():
        unavailable(f"to run a cluster this machine lacks {lacking}")
    random = np.random.default_rng(3)
    vectors = random.normal(size=(COUNT, DIMENSION)).astype(np.float32)
    passages = [{"id": f"p{n}", "content": f"falcon number n{n} of flock f{n % 40}"} for n in range(COUNT)]
    with node.cluster(3) as members:
        engine = OpenSearchEngine(Endpoint(",".join(member.url for member in members)))
        assert not engine.index_documents(passages, "birds", vectors=vectors, embedder="e").failed
        leader = next(member for member in members if member.name == manager(members[0].url))
        engine._client.cluster.health(index="birds", wait_for_status="green", timeout=30)
        started, asked, killed = time.monotonic(), 0, False
        while time.monotonic() - started < SECONDS:
            at = asked % COUNT
            found = engine.hybrid_search(f"falcon n{at}", vectors[at], "birds", k=3)
            assert found[0]["id"] == f"p{at}"
            asked += 1
            if not killed and time.monotonic() - started > 1.0:
                leader.kill()
                killed = True
        assert killed
        assert asked >= 30
        new = [{"id": "new", "content": "a phoenix"}]
        outcome = engine.index_documents(new, "birds", vectors=np.ones((1, DIMENSION), np.float32))
        assert (outcome.indexed, outcome.failed) == (1, {})
        assert engine.search_docs("phoenix", "birds")[0]["id"] == "new"
        assert engine.count("birds") == COUNT + 1
