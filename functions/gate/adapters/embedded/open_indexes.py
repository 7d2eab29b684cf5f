"""The indexes that a process has open, each on the generation in force."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from gate.adapters.embedded import index_manifest as manifests
from gate.adapters.embedded.index_manifest import Manifest
from gate.adapters.embedded.integrity import suspect
from gate.adapters.embedded.part_files import salvage
from gate.adapters.embedded.snapshot import Answer as Answer
from gate.adapters.embedded.snapshot import Snapshot, open_snapshot
from gate.adapters.embedded.sole_writer import sole_writer
from gate.adapters.embedded.writer import GenerationWriter, Setup, next_generation, sweep
from gate.errors import DamagedIndexError, SettingsError

log = logging.getLogger(__name__)

_Stamp = tuple[int, ...]


class OpenIndexes:
    """Opens indexes once, and again when they change. Safe for threads.

    An index that turns out damaged, when it is opened or while it is read, is looked at whole: it is written anew
    where its passages and vectors are as they were, and refused where they are not.
    """

    def __init__(self) -> None:
        self._open: dict[Path, tuple[_Stamp, Snapshot | DamagedIndexError]] = {}
        self._lock = threading.Lock()

    def snapshot(self, folder: Path) -> Snapshot:
        """Return the generation in force, open.

        Raises:
            SettingsError: there is no such index, or it is damaged beyond what its passages can restore.
        """
        return self._opened(folder, None)

    def read(self, folder: Path, work: Callable[[Snapshot], Answer]) -> Answer:
        """Return what `work` reads; where that is damaged, once more after all of the index was looked at."""
        snapshot = self.snapshot(folder)
        try:
            return work(snapshot)
        except DamagedIndexError as damage:
            log.warning("%s; looking at all of the index", damage.safe_message)
            return work(self._opened(folder, snapshot))

    def forget(self, folder: Path) -> None:
        """Close an index that is no more."""
        self._open.pop(folder, None)

    def _opened(self, folder: Path, doubted: Snapshot | None) -> Snapshot:
        with self._lock:
            known_stamp, known = self._open.get(folder, (None, None))
            if known is not None and known is doubted:
                suspect(folder)
            try:
                stat = (folder / manifests.NAME).stat()
                stamp = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
                if known is None or known is doubted or known_stamp != stamp:
                    self._open[folder] = stamp, (known := _open_or_rebuild(folder))
            except FileNotFoundError:
                hint = "gate index add PATH --corpus NAME"
                raise SettingsError(f"there is no index {folder.name!r}", hint=hint) from None
        if isinstance(known, DamagedIndexError):
            raise DamagedIndexError(known.index, known.what)
        return known


def _open_or_rebuild(folder: Path) -> Snapshot | DamagedIndexError:
    try:
        try:
            return open_snapshot(folder)
        except DamagedIndexError as damage:
            log.warning("%s; rebuilding it from its passages", damage.safe_message)
            with sole_writer(folder):
                rebuild(folder)
            return open_snapshot(folder)
    except DamagedIndexError as damage:
        return damage


def rebuild(folder: Path) -> Manifest:
    """Write a new generation from the passages and vectors of the one in force; the caller holds the lock.

    Raises:
        DamagedIndexError: those are damaged too.
    """
    old = manifests.read(folder)
    sweep(folder, old)
    setup = Setup(old.language, old.embedder, old.dimension)
    with GenerationWriter(folder, None, setup, next_generation(folder)) as writer:
        for records, vectors in salvage(folder, old):
            writer.add(records, vectors)
        return writer.finish()
