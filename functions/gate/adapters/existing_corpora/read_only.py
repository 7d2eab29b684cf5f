"""What an engine refuses, or cannot tell, whose corpora are kept by somebody else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from gate.errors import SettingsError
from gate.ports import NO_FILTER, IndexOutcome, SearchFilter


class ReadOnlyEngine:
    """The half of a `SearchEngine` that writes and keeps books of what was written: refused. Names are not kept."""

    name: str

    def naming(
        self, names: Collection[str], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]] | None:
        """Return None: whoever wrote the corpus kept no names, so nobody can say."""
        return None

    def names_like(self, names: Collection[str], index: str, *, where: SearchFilter = NO_FILTER) -> list[str]:
        """Return none, as `naming`."""
        return []

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
