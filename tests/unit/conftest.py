"""What several files of unit tests look at."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gate.adapters.readers import Found, folders


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that readers were given."""
    given: list[str] = []
    before = folders.read

    def noted(data: bytes, location: str) -> Iterator[Found]:
        given.append(location)
        return before(data, location)

    monkeypatch.setattr(folders, "read", noted)
    return given
