"""What a submission brings along, opened: its repository and its documents. What opens them is loaded on first use."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING, Any

from gate import wiring
from gate.errors import InputError
from gate.repository.records import repo_of
from gate.watched import MAX_CPU_S, MAX_GROWTH, TooMuchError, watched

MAX_NAMES_S = 300.0
"""Of CPU, for the names of files that stay on this machine: 300 MB of Python take 85."""
MAX_WAIT_S = 600.0
"""By the clock, for a repository on a disk that may be slow."""

if TYPE_CHECKING:
    from gate.adapters.readers.documents import DocumentPart
    from gate.repository.manifest import Repository
    from gate.repository.names.lexicon import Lexicon


def open_repository(state: Mapping[str, Any]) -> Repository | None:
    """The repository that a run is about; None: there is none. It takes no more than a document may.

    Raises:
        InputError: it cannot be read at all, or takes too much.
    """
    artifact, root = repo_of(state)
    if artifact is None:
        return None
    from gate.adapters import repositories

    try:
        return watched(partial(repositories.open_repository, artifact, root), MAX_CPU_S, MAX_GROWTH, MAX_WAIT_S)
    except TooMuchError as error:
        raise InputError(f"the repository {error}") from None


def names_in(repository: Repository) -> Lexicon | None:
    """The names in code of a repository; files of a work tree that were read before are not read again.

    Of a repository that goes with the run nothing is kept, and it takes no more than a document may. One that stays on
    this machine may take longer, and the next run goes on where that was too much. None: only the names of its files
    are known.

    Raises:
        UnreadNamesError: not all of it was read.
    """
    from gate.repository.names.file_names import FileNames, read_file_names
    from gate.repository.names.lexicon import UnreadNamesError, read_lexicon

    kept = wiring.current().kept_names() if repository.stays else None
    have = 0
    with kept.reader() if kept else nullcontext(read_file_names) as reader:

        def read(data: bytes, kind: str, programs: Collection[str]) -> FileNames:
            nonlocal have
            names = reader(data, kind, programs)
            have += 1
            return names

        seconds = MAX_NAMES_S if kept else MAX_CPU_S
        try:
            return watched(partial(read_lexicon, repository, read), seconds, MAX_GROWTH, MAX_WAIT_S)
        except TooMuchError as error:
            of_all = f"{have} of its {len(repository.files)} files were read"
            raise UnreadNamesError(f"the repository {error}; {of_all}") from None


def open_document(artifact: Mapping[str, Any]) -> list[DocumentPart]:
    """The parts of `{"location", "text" or "base64"}`.

    Raises:
        InputError: it is no text, damaged, encrypted or too large; the message says which.
    """
    from gate.adapters.readers.documents import read_document

    return read_document(artifact)
