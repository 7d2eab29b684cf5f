"""Answers that were written to train on: their passages, marks that are known, twins that differ."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from training import data, pages

PAGES = [json.loads(line) for line in pages.FILE.read_text(encoding="utf-8").splitlines()]
CHAT = [json.loads(line) for line in data.CHAT_FILE.read_text(encoding="utf-8").splitlines()]
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


def test_every_answer_of_a_chat_stands_below_its_document() -> None:
    seen: set[str] = set()
    for one in (*CHAT, *PAGES):
        assert ("passages" in one or "file" in one) == (one["doc"] not in seen)
        seen.add(one["doc"])


def test_every_sentence_of_a_chat_has_a_mark_and_nearly_each_a_false_twin() -> None:
    false, sentences = 0, 0
    for one in (*CHAT, *PAGES):
        said = one.get("sentences", [])
        assert {mark for _, mark in said} <= set(data.MEANT), one["doc"]
        for place, claim, mark in one.get("twins", []):
            assert claim.strip()
            assert claim != said[place][0], claim
            assert mark in data.MEANT
        false += len({place for place, _, mark in one.get("twins", []) if mark != "s"})
        sentences += len(said)
    assert false > 0.95 * sentences


def test_rows_of_a_chat_are_as_its_reader_sees_them_and_stay_with_their_document(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told = [
        {"doc": "A1", "passages": ["`tern` opens at nine."]},
        {"doc": "A1", "question": "When?", "sentences": [["**Hours:** `tern` opens at nine.", "s"]],
         "twins": [[0, "`tern` opens when the bell rings.", "u"]]},
    ]  # fmt: skip
    (tmp_path / "chat.jsonl").write_text("\n".join(map(json.dumps, told)))
    monkeypatch.setattr(data, "CHAT_FILE", tmp_path / "chat.jsonl")
    rows = data.read(data.CHAT)
    assert [(row.claim, row.evidence, row.label3) for row in rows] == [
        ("Hours: tern opens at nine.", ("`tern` opens at nine.",), "supported"),
        ("tern opens when the bell rings.", ("`tern` opens at nine.",), "unsupported"),
    ]
    assert len({data.unit(row) for row in rows}) == 1


def test_rows_over_real_documentation_stand_beside_the_lines_that_were_written_about(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = "Title\n\n`tern` opens at nine.\n\nIt shuts at five.\nThe end.\n"
    with tarfile.open(tmp_path / "tern-1.0.tar.gz", "w:gz") as packed:
        member = tarfile.TarInfo("tern-1.0/docs/use.md")
        member.size = len(text)
        packed.addfile(member, io.BytesIO(text.encode()))
    lines = "`tern` opens at nine.\n\nIt shuts at five."
    page: dict[str, Any] = {"doc": "K1", "package": "tern-1.0", "file": "tern-1.0/docs/use.md", "lines": [3, 5]}
    told: list[dict[str, Any]] = [
        {**page, "sha256": hashlib.sha256(lines.encode()).hexdigest()},
        {"doc": "K1", "question": "When?", "sentences": [["`tern` opens at nine.", "s"]], "twins": []},
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, told)))
    monkeypatch.setattr(pages, "FILE", tmp_path / "pages.jsonl")
    monkeypatch.setenv("GATE_PAGES", str(tmp_path))
    (row,) = data.read(data.PAGES)
    assert (row.set, row.claim, row.evidence) == ("pages", "tern opens at nine.", (lines,))
    changed = [{**told[0], "lines": [3, 6]}, told[1]]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, changed)))
    with pytest.raises(SystemExit, match="not what was written about"):
        data.read(data.PAGES)


def test_written_rows_know_their_label_and_stay_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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
