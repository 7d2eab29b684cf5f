"""What the server works with: the settings of this machine, with runs, blobs and policy of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gate.adapters.local_files import SERVED, FolderBlobStore
from gate.once import once
from gate.settings import Settings
from gate.wiring import Wiring

if TYPE_CHECKING:
    from gate.ports import BlobStore, Events, ReviewStore, Runs
    from gate.serving.local_notices import LocalNotices


class LocalEntrance(Wiring):
    """An entrance whose runs are this process's.

    Args:
        settings: of the environment.
        policy: when an answer passes; None: the default policy.
    """

    def __init__(self, settings: Settings, policy: Mapping[str, Any] | None = None) -> None:
        mine: dict[str, Any] = {"store_page": True, "indexes": "*", "policy": "given" if policy else ""}
        super().__init__(settings.model_copy(update=mine))
        self.folder = settings.home / SERVED
        self._store = FolderBlobStore(self.folder, lasting=True)
        self._own_runs: Runs | None = None
        self._policy = policy

    def begin_runs(self, runs: Runs) -> None:
        """Start runs through this."""
        self._own_runs = runs

    def runs(self) -> Runs:
        """See `Wiring`."""
        assert self._own_runs is not None
        return self._own_runs

    @once
    def reviews(self) -> ReviewStore:
        """Beside the runs, for the command too that decides in another process."""
        return self.served_reviews()

    @once
    def _notices(self) -> LocalNotices | None:
        """What tells people of reviews; None: nothing does."""
        webhook, now = self.webhook(), self.settings
        if webhook is None:
            return None
        from gate.serving.local_notices import LocalNotices

        return LocalNotices(webhook, now.review_page, super().event_bus())

    def event_bus(self) -> Events | None:
        """The bus of the settings, and the webhook of reviews."""
        return self._notices() or super().event_bus()

    def listen_at(self, url: str) -> None:
        """Say where people reach the server."""
        notices = self._notices()
        if notices is not None:
            from gate.trail.review_notices import RUN

            notices.listen_at(f"{url}#review/{RUN}")

    def batch_runs(self) -> Runs:
        """There are no others."""
        return self.runs()

    def blob_store(self) -> BlobStore:
        """A folder that outlives the server, wherever blobs of checks go."""
        return self._store

    def uploads(self) -> Any:
        """Where the policy is read."""
        return GivenPolicy(self._policy or {})


class GivenPolicy:
    """A policy where `S3Uploads` reads one of a bucket."""

    def __init__(self, policy: Mapping[str, Any]) -> None:
        self._data = json.dumps(dict(policy)).encode()

    def current(self, url: str) -> tuple[bytes, str]:
        """Its bytes, and what names their version."""
        del url
        return self._data, hashlib.sha256(self._data).hexdigest()[:12]

    def earlier(self, url: str) -> Iterator[tuple[bytes, str]]:
        """None: it is checked when the server starts."""
        del url
        return iter(())
