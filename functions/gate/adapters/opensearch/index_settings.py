"""The indexes behind the names of corpora: made, described, replaced."""

from __future__ import annotations

import hashlib
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.adapters.opensearch import bodies
from gate.adapters.opensearch.opensearch_client import readable, translated
from gate.errors import InputError, SettingsError

META_S = 60.0
"""How long what an index was made with is remembered; it changes only when a corpus is replaced."""
STARTING_TRIES, STARTING_WAIT_S = 100, 0.1
"""How often, and how far apart, it is asked whether an index can be searched yet."""
_INDEX_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}")


@dataclass(frozen=True, slots=True)
class Made:
    """What an index was made with, and the index that the alias stands for; `names`: the version of the rules by which
    it keeps names, empty where it keeps none."""

    index: str
    embedder: str | None
    dimension: int | None
    language: str
    version: str
    names: str


class Indexes:
    """Makes and describes indexes; each corpus is an alias of one."""

    def __init__(self, client: Any, language: str, *, serverless: bool) -> None:
        self._client, self._language, self._serverless = client, language, serverless
        self._known: dict[str, tuple[float, Made]] = {}
        self._version: tuple[int, int] | None = None

    def exists(self, index: str) -> bool:
        """Whether there is such an index or alias."""
        return exists(self._client, index)

    def made(self, index: str, *, fresh: bool = False) -> Made:
        """Say what an index was made with.

        Raises:
            SettingsError: there is none, or the name stands for several.
        """
        known = self._known.get(index)
        if known is None or fresh or time.monotonic() - known[0] > META_S:
            with translated(named(index)):
                answer = self._client.indices.get_mapping(index=index)
            with readable():
                if len(answer) != 1:
                    raise SettingsError(f"{index!r} stands for {len(answer)} indexes: a corpus is one")
                known = self._known[index] = (time.monotonic(), _made(*next(iter(answer.items()))))
        return known[1]

    def create(self, alias: str, embedder: str | None, dimension: int | None) -> None:
        """Make the first index of a corpus; of several processes that do so at once, one makes it."""
        from opensearchpy.exceptions import RequestError

        target = self._name(alias, embedder, dimension)
        with translated(named(alias)):
            try:
                self._create(target, embedder, dimension, {alias: {}})
            except RequestError as error:
                if error.error != "resource_already_exists_exception":
                    raise

    def wait_until_searchable(self, index: str) -> None:
        """Wait for an index that another process has just made: until its first shard stands, a search of it fails."""
        for _ in range(STARTING_TRIES):
            with translated(named(index)):
                answer = self._client.search(index=index, body={"size": 0}, ignore=[503])
            if isinstance(answer, dict) and "hits" in answer:
                return
            time.sleep(STARTING_WAIT_S)

    def create_beside(self, alias: str, embedder: str | None, dimension: int | None) -> str:
        """Make another index, which is to take the corpus's name later; returns its own."""
        target = f"{self._name(alias, embedder, dimension)}-{uuid.uuid4().hex[:8]}"
        with translated(named(alias)):
            self._create(target, embedder, dimension, {})
        return target

    def turn_over(self, alias: str, target: str) -> None:
        """Let the corpus's name stand for `target` from one moment to the next, and remove what it stood for."""
        with translated(alias):
            known = self._client.indices.get_alias(name=alias, ignore=[404])
            old = [name for name, about in known.items() if isinstance(about, dict) and "aliases" in about]
            moves = [{"remove": {"index": name, "alias": alias}} for name in old]
            self._client.indices.update_aliases(body={"actions": [*moves, {"add": {"index": target, "alias": alias}}]})
        self._known.pop(alias, None)
        for name in old:
            self.drop(name)

    def drop(self, target: str) -> None:
        """Remove an index, if it is there."""
        with translated(target):
            self._client.indices.delete(index=target, ignore=[404])

    def publish(self, index: str, shas: Sequence[str]) -> None:
        """Make what was written visible, and raise the corpus's version by it."""
        if not shas:
            return
        made = self.made(index, fresh=True)
        version = hashlib.sha256("\n".join([made.version, *shas]).encode()).hexdigest()[:12]
        meta = {
            "embedder": made.embedder,
            "dimension": made.dimension,
            "language": made.language,
            "version": version,
            "names": made.names,
        }
        with translated(index):
            self._client.indices.put_mapping(index=made.index, body={"_meta": meta})
            if not self._serverless:
                self._client.indices.refresh(index=made.index)
        self._known.pop(index, None)

    def at_least(self, major: int, minor: int) -> bool:
        """Whether the engine is a domain of this version or a later one; Serverless has no versions.

        Raises:
            SettingsError: it is not OpenSearch.
        """
        if self._serverless:
            return False
        if self._version is None:
            with translated("/"):
                about = self._client.info()["version"]
            if about.get("distribution") != "opensearch":
                raise SettingsError("this is not OpenSearch", hint="Elasticsearch is not supported")
            first, second = about["number"].split(".")[:2]
            self._version = (int(first), int(second))
        return self._version >= (major, minor)

    def _name(self, alias: str, embedder: str | None, dimension: int | None) -> str:
        model = re.sub("[^a-z0-9]+", "-", (embedder or "keywords").lower()).strip("-")[:40]
        return f"{alias}--{model}-{dimension or 0}"

    def _create(self, target: str, embedder: str | None, dimension: int | None, aliases: dict[str, Any]) -> None:
        body = bodies.index_body(self._language, embedder, dimension, serverless=self._serverless)
        self._client.indices.create(index=target, body={**body, "aliases": aliases})


def exists(client: Any, index: str) -> bool:
    """Whether there is such an index or alias."""
    with translated(named(index)):
        return bool(client.indices.exists(index=index))


def named(index: str) -> str:
    """Return the name of an index.

    Raises:
        InputError: it cannot be one; a name must not reach other indexes, nor several.
    """
    if not _INDEX_NAME.fullmatch(index):
        raise InputError(f"{index[:128]!r} cannot name an index", hint="lower-case letters, digits, . _ -")
    return index


def _made(index: str, about: Mapping[str, Any]) -> Made:
    mappings = about.get("mappings", {})
    meta, vector = mappings.get("_meta", {}), mappings.get("properties", {}).get("vector", {})
    return Made(
        index=index,
        embedder=meta.get("embedder"),
        dimension=vector.get("dimension"),
        language=meta.get("language", ""),
        version=meta.get("version", ""),
        names=meta.get("names", ""),
    )
