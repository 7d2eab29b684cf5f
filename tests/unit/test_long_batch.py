"""A batch of many parts, of which tasks die and are tried again."""

from __future__ import annotations

import pytest

from tests.entrance import Entrance
from tests.load import long_batch


def test_each_record_of_a_batch_has_one_row_though_tasks_die(
    entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_batch, "EVERY", 7)
    monkeypatch.setattr(long_batch, "WRITES", 15)
    entrance.change(batch_part=9)
    summary, deaths, rows = long_batch.run(100, seed=2)
    assert not list(long_batch.wrong(100, summary, rows))
    assert len(summary["results"]) == 12
    assert (summary["rejected"], summary["unpublished"]) == (15, 14)
    assert deaths > 2
