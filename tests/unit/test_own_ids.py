"""No row of a corpus takes the place of another file's passage, nor takes it along when it goes."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.agents.ingest_corpus import ingest_corpus
from gate.errors import SearchUnavailableError
from gate.ports import SearchEngine
from gate.retrieval.passages import MAX_ID_BYTES, with_own_ids
from gate.services.corpora import add_paths
from tests.aws_events import FakeUploads
from tests.entrance import Entrance
from tests.fakes.search import MemorySearch

GUIDE = b"# Guide\n\nThe fee is 10 EUR.\n"


def passages_of(engine: SearchEngine, index: str) -> dict[str, set[str]]:
    """What a search finds, by the document that it is of."""
    found = defaultdict[str, set[str]](set)
    if engine.exists(index) and engine.count(index):
        hits = engine.search_docs("fee boat", index, k=100)
        documents = engine.origins([each["id"] for each in hits], index)
        for each in hits:
            found[documents[each["id"]]].add(each["content"])
    return dict(found)


def rows(name: str, ids: Mapping[str, str]) -> bytes:
    """Rows that claim to be of other documents too."""
    return b"".join(
        json.dumps({"id": id, "document": other, "content": f"The fee in {name} is {at} EUR."}).encode() + b"\n"
        for at, (id, other) in enumerate(ids.items())
    )


def hostile(guide_id: str, folder: str = "") -> dict[str, list[bytes]]:
    """Files, and the versions that each may have: two collections after the place of a guide, and of one another."""
    guide, taken = f"{folder}guide.md", with_own_ids([("a", {"id": guide_id})], {guide_id: "b"})[0]
    ids = {guide_id: guide, guide: guide, "fee": guide, taken[0]["id"]: guide}
    return {
        guide: [GUIDE, b"# Guide\n\nThe fee is 20 EUR.\n"],
        f"{folder}0.jsonl": [rows("0", ids), rows("0 now", {"fee": guide}), rows("0 then", {"boat": guide})],
        f"{folder}zz.jsonl": [rows("zz", ids), rows("zz now", {"boat": guide}), rows("zz then", {guide_id: guide})],
    }


def given(name: str, data: bytes) -> set[str]:
    """What a file says."""
    return (
        {data.decode().strip("# \n")}
        if name.endswith(".md")
        else {json.loads(row)["content"] for row in data.splitlines()}
    )


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    return tmp_path / "docs"


def guide_id(docs: Path) -> str:
    (docs / "guide.md").write_bytes(GUIDE)
    add_paths([Path("docs/guide.md")], "look")
    (docs / "guide.md").unlink()
    return next(iter(wiring.current().search_engine().ids("look")))


@pytest.mark.parametrize("seed", range(4))
def test_in_a_kept_corpus_each_file_has_its_own_passages_whatever_came_before(seed: int, docs: Path) -> None:
    chance, files = random.Random(seed), hostile(guide_id(docs), "docs/")
    engine, there = wiring.current().search_engine(), dict[str, bytes]()
    for _ in range(12):
        name = chance.choice(list(files))
        if len(there) > 1 and name in there and chance.random() < 0.4:
            del there[name]
            Path(name).unlink()
            outcome = add_paths([Path("docs")], "boats", sync=True)
        else:
            there[name] = chance.choice(files[name])
            Path(name).write_bytes(there[name])
            outcome = add_paths([Path(chance.choice([name, "docs"]))], "boats")
        assert not outcome.problems
        assert passages_of(engine, "boats") == {name: given(name, data) for name, data in there.items()}


@pytest.mark.parametrize("seed", range(12))
def test_in_a_deployed_corpus_each_document_has_its_own_passages_whatever_came_before(
    seed: int, entrance: Entrance, tmp_path: Path
) -> None:
    uploads, engine, chance = FakeUploads(), MemorySearch(), random.Random(seed)
    entrance.change(documents="s3://uploads/corpora", index="birds", home=tmp_path)
    entrance.give(uploads=uploads, search_engine=engine, embedder=None)
    ingest_corpus(uploads.put("corpora/birds/guide.md", GUIDE))
    [taken] = engine.ids("birds")
    files, there = hostile(taken), {"guide.md": GUIDE}
    for _ in range(20):
        name = chance.choice(list(files))
        if name in there and chance.random() < 0.4:
            del there[name]
            ingest_corpus(uploads.remove(f"corpora/birds/{name}"))
        else:
            there[name] = chance.choice(files[name])
            ingest_corpus(uploads.put(f"corpora/birds/{name}", there[name]))
        assert passages_of(engine, "birds") == {name: given(name, data) for name, data in there.items()}


def test_who_stored_an_id_meanwhile_keeps_it_and_the_other_comes_again(
    entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads, engine = FakeUploads(), MemorySearch()
    entrance.change(documents="s3://uploads/corpora", index="birds", home=tmp_path)
    entrance.give(uploads=uploads, search_engine=engine, embedder=None)
    first = uploads.put("corpora/birds/a.jsonl", b'{"id": "fee", "content": "The fee is 10 EUR."}')
    second = uploads.put("corpora/birds/b.jsonl", b'{"id": "fee", "content": "The fee is 99 EUR."}')
    with monkeypatch.context() as before_the_first_is_stored:
        engine.ensure_index("birds")
        before_the_first_is_stored.setattr(MemorySearch, "origins", lambda *_: {})
        ingest_corpus(first)
        with pytest.raises(SearchUnavailableError, match=r"its id is that of a passage of a\.jsonl"):
            ingest_corpus(second)
    [told] = ingest_corpus(second)["problems"]
    assert told["where"] == "b.jsonl"
    assert "the id 'fee' is that of a passage of a.jsonl: stored as 'fee~" in told["why"]
    assert passages_of(engine, "birds") == {"a.jsonl": {"The fee is 10 EUR."}, "b.jsonl": {"The fee is 99 EUR."}}


def test_the_command_names_both_files_and_the_id(docs: Path) -> None:
    (docs / "a.jsonl").write_text('{"id": "fee", "content": "The fee is 10 EUR."}')
    (docs / "b.jsonl").write_text('{"id": "fee", "content": "The fee is 99 EUR."}')
    add = ["index", "add", "docs", "--corpus", "boats"]
    for arguments in ([*add, "--dry-run"], add, add):
        done = CliRunner().invoke(cli.group, arguments, prog_name="gate")
        assert done.exit_code == 0, done.output
        assert "gate: docs/b.jsonl: the id 'fee' is that of a passage of docs/a.jsonl: stored as 'fee~" in done.output
    assert "0 added, 2 unchanged, 0 removed" in done.output


def test_an_index_of_earlier_goes_on_and_its_rows_come_under_their_file_with_sync(docs: Path) -> None:
    engine: Any = wiring.current().search_engine()
    engine.index_documents([{"id": "fee", "document": "tariff", "content": "The fee is 10 EUR."}], "boats")
    (docs / "a.jsonl").write_text('{"id": "fee", "document": "tariff", "content": "The fee is 10 EUR."}')
    add_paths([Path("docs")], "boats", sync=True)
    assert passages_of(engine, "boats") == {"docs/a.jsonl": {"The fee is 10 EUR."}}
    add_paths([Path("docs")], "boats", sync=True)
    assert list(engine.ids("boats")) == ["fee"]


def test_nobody_can_choose_the_id_that_another_file_s_passage_is_given() -> None:
    long = "é" * (MAX_ID_BYTES // 2)
    for key in ("fee", long):
        given_one = with_own_ids([("b", {"id": key})], {key: "a"})[0][0]["id"]
        planted, [(document, _)] = with_own_ids([("evil", {"id": given_one})], {})
        assert document == "evil"
        assert planted[0]["id"] != given_one
        assert len(given_one.encode()) <= MAX_ID_BYTES
