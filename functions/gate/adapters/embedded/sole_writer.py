"""One writer at a time, and what stops it as one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gate.adapters.embedded.integrity import suspect
from gate.adapters.local_files import keep_from_git, unusable
from gate.errors import DamagedIndexError, SearchUnavailableError


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Write to the index in `folder`, or be told that another process does.

    Raises:
        SearchUnavailableError: another process writes to it.
        SettingsError: the disk is full, or the folder may not be written.
        DamagedIndexError: what is written on is damaged; the next opening looks at all of it.
    """
    from filelock import FileLock, Timeout  # it brings asyncio: a tenth of a check's start, and a check writes none

    try:
        keep_from_git(folder.parent.parent)  # indexes lie in the folder that blobs lie in
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=0, thread_local=False):
            yield
    except Timeout:
        raise SearchUnavailableError(
            f"index {folder.name!r} is being written by another process", hint="try again when it is done"
        ) from None
    except DamagedIndexError:
        suspect(folder)
        raise
    except OSError as error:
        raise unusable(error) from None
