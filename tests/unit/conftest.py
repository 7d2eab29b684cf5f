"""What several files of unit tests look at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from gate.adapters.readers import Found, folders, read_rows


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that readers were given."""
    given: list[str] = []
    before, rows = folders.read, read_rows

    def noted(data: bytes, location: str, *more: Any) -> Iterator[Found]:
        given.append(location)
        return before(data, location, *more)

    def noted_rows(lines: Iterable[bytes], location: str) -> Iterator[Found]:
        given.append(location)
        return rows(lines, location)

    monkeypatch.setattr(folders, "read", noted)
    monkeypatch.setattr(folders, "read_rows", noted_rows)
    return given
