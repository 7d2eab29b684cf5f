"""Answers that were written to train on: their passages, marks that are known, twins that differ."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from training import data

TOLD = [json.loads(line) for line in data.WRITTEN_FILE.read_text(encoding="utf-8").splitlines()]


def test_every_answer_has_passages_of_its_own_or_names_rows_that_may_train() -> None:
    for one in TOLD:
        assert bool(one.get("passages")) != bool(one.get("refs")), one["pack"]
        assert {name for name, _ in one.get("refs", ())} <= {*data.TRAIN, *data.LONG}, one["pack"]


def test_no_answer_stands_twice() -> None:
    assert max(Counter(one["pack"] for one in TOLD).values()) == 1


def test_every_sentence_has_a_mark_and_most_twins_another_than_their_sentence() -> None:
    same = twins = 0
    for one in TOLD:
        marks = [mark for _, mark in one["sentences"]]
        assert set(marks) <= set(data.MEANT), one["pack"]
        for place, claim, mark in one["twins"]:
            assert claim.strip()
            assert claim != one["sentences"][place][0]
            assert mark in data.MEANT
            same, twins = same + (mark == marks[place]), twins + 1
    assert same < twins / 6  # these say the same in other words


def test_written_rows_know_their_label_and_stay_together(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    told = {
        "pack": "a", "passages": ["It opens at nine."], "question": "When?",
        "sentences": [["It opens at nine.", "s"]], "twins": [[0, "It opens at ten.", "c"]],
    }  # fmt: skip
    (tmp_path / "written.jsonl").write_text(json.dumps(told))
    monkeypatch.setattr(data, "WRITTEN_FILE", tmp_path / "written.jsonl")
    rows = data.read(data.WRITTEN)
    assert [(row.claim, row.label, row.label3) for row in rows] == [
        ("It opens at nine.", "supports", "supported"),
        ("It opens at ten.", "refutes", "unsupported"),
    ]
    assert len({data.unit(row) for row in rows}) == 1
