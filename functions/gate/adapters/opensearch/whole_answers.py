"""Searches of OpenSearch that the whole index has answered."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from gate.adapters.opensearch.index_settings import exists, named
from gate.adapters.opensearch.opensearch_client import readable, translated
from gate.errors import SearchUnavailableError, SettingsError

PARTIAL_TRIES = 4
PARTIAL_WAIT_S = 0.5


def search_whole(client: Any, index: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Search; an answer from some of the shards only is asked for again, and never taken for the whole.

    An index can vanish between finding it by its alias and reading it, when a corpus is replaced: asked again too.

    Raises:
        InputError: the name cannot be an index's.
        SettingsError: there is no such index, or it may not be read.
        SearchUnavailableError: a part of it did not answer, each time.
    """
    for attempt in range(1, PARTIAL_TRIES + 1):
        try:
            with translated(named(index)):
                answer: dict[str, Any] = client.search(index=index, body=body)
        except SettingsError:
            if attempt == PARTIAL_TRIES or not exists(client, index):
                raise
            continue
        with readable():
            if not answer["timed_out"] and _is_whole(answer["_shards"]):
                return answer
        time.sleep(PARTIAL_WAIT_S * attempt)
    raise SearchUnavailableError("the search engine answered from a part of the index only")


def _is_whole(shards: Mapping[str, Any]) -> bool:
    """Whether every shard answered; one that stands on no node counts neither as failed nor as successful."""
    return not shards["failed"] and shards.get("successful", 0) >= shards.get("total", 0)
