"""What an engine refuses whose corpora are kept by somebody else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from gate.errors import SettingsError
from gate.ports import IndexOutcome


class ReadOnlyEngine:
    """The half of a `SearchEngine` that writes, and that keeps books of what was written: refused."""

    name: str

    def ensure_index(self, index: str, *, embedder: str | None = None, dimension: int | None = None) -> None:
        """Refuse."""
        self._refuse()

    def index_documents(
        self,
        documents: Iterable[Mapping[str, Any]],
        index: str,
        *,
        vectors: Any = None,
        embedder: str | None = None,
        replace: bool = False,
    ) -> IndexOutcome:
        """Refuse."""
        self._refuse()

    def delete_documents(self, ids: Sequence[str], index: str, *, of: Collection[str] | None = None) -> int:
        """Refuse."""
        self._refuse()

    def chunk_shas(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Refuse: nobody compares what is never written."""
        self._refuse()

    def ids(self, index: str, *, documents: Sequence[str] | None = None) -> Iterator[str]:
        """Refuse: as `chunk_shas`."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise SettingsError(
            f"{self.name}: its corpora are searched, and never written or listed",
            hint="GATE_SEARCH=embedded, or an OpenSearch without GATE_SEARCH_FIELDS, keeps corpora",
        )
