"""A corpus becomes what its bucket is, whatever was told of it, how often and in which order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.adapters.local_versions import LocalVersions
from gate.agents.ingest_corpus import ingest_corpus
from gate.agents.publish_report import _superseded
from gate.agents.reconcile_corpus import reconcile_corpus
from gate.decision.policy import with_superseded
from gate.errors import BusyError, InputError, ModelThrottledError, SearchUnavailableError
from gate.ports import DocumentVersion
from gate.services import corpora, ingestion
from gate.services.audit_log import recording
from tests.aws_events import FakeUploads
from tests.entrance import Entrance
from tests.fakes.search import MemorySearch
from tests.load.ingestion import Storm

KEY = "corpora/birds/prices.md"
NOT_JSON = "not JSON (Expecting property name enclosed in double quotes at column 2)"
Deployment = tuple[FakeUploads, MemorySearch]


@pytest.fixture
def deployment(entrance: Entrance, tmp_path: Path) -> Deployment:
    uploads, engine = FakeUploads(), MemorySearch()
    entrance.change(documents="s3://uploads/corpora", index="birds", home=tmp_path)
    entrance.give(uploads=uploads, search_engine=engine, embedder=None)
    return uploads, engine


def texts(engine: MemorySearch) -> set[str]:
    return {each["content"] for each in engine._index("birds").passages.values()} if engine.exists("birds") else set()


def messages(*events: Any) -> dict[str, Any]:
    attributes = {"ApproximateReceiveCount": "1"}
    return {
        "Records": [
            {"messageId": str(at), "receiptHandle": f"r{at}", "body": json.dumps(event), "attributes": attributes}
            for at, event in enumerate(events)
        ]
    }


def test_an_upload_is_added_and_its_deletion_removes_it(deployment: Deployment) -> None:
    uploads, engine = deployment
    answer = ingest_corpus(uploads.put("corpora/birds/sub/a.md", b"# Title\n\nFalcons fly.\n"))
    assert answer == {
        "index": "birds",
        "document": "sub/a.md",
        "indexed": 1,
        "unchanged": 0,
        "removed": 0,
        "problems": [],
    }
    assert ingest_corpus(uploads.remove("corpora/birds/sub/a.md"))["removed"] == 1
    assert engine.count("birds") == 0


def test_a_late_event_does_not_put_an_old_document_back(deployment: Deployment) -> None:
    uploads, engine = deployment
    early, late = uploads.put(KEY, b"It costs 10 euros."), uploads.put(KEY, b"It costs 25 euros.")
    ingest_corpus(late)
    ingest_corpus(early)
    assert texts(engine) == {"It costs 25 euros."}


def test_a_redelivered_event_does_not_revive_a_deleted_document(deployment: Deployment) -> None:
    uploads, engine = deployment
    created = uploads.put(KEY, b"It costs 10 euros.")
    ingest_corpus(created)
    ingest_corpus(uploads.remove(KEY))
    ingest_corpus(created)
    assert texts(engine) == set()


def test_the_end_of_an_old_version_does_not_remove_the_document(deployment: Deployment) -> None:
    uploads, engine = deployment
    uploads.put(KEY, b"It costs 10 euros.")
    ingest_corpus(uploads.put(KEY, b"It costs 25 euros."))
    ingest_corpus({**uploads._event("Object Deleted", KEY)})  # of a noncurrent version: the key is there
    assert texts(engine) == {"It costs 25 euros."}


def test_an_event_that_is_covered_is_not_looked_into(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> None:
    uploads, _ = deployment
    event = uploads.put(KEY, b"It costs 10 euros.")
    ingest_corpus(event)
    monkeypatch.setattr(FakeUploads, "version", lambda *_: pytest.fail("the bucket was asked"))
    assert ingest_corpus(event)["indexed"] == 0


@pytest.mark.parametrize(
    ("later", "earlier"), [("0B", "0A"), ("0061A", "0061"), ("1", "0FFFF"), ("0a", "0A"), ("", "")]
)
def test_sequencers_are_compared_as_s3_says(later: str, earlier: str) -> None:
    assert ingestion.covers(later, earlier)
    assert later.upper() == earlier.upper() or not ingestion.covers(earlier, later)


def test_passages_of_a_collection_are_its_objects_whatever_documents_its_lines_name(deployment: Deployment) -> None:
    uploads, engine = deployment
    lines = [{"id": "a", "document": "elsewhere", "content": "Owls hunt."}, {"id": "b", "content": "Herons wade."}]
    ingest_corpus(uploads.put("corpora/birds/all.jsonl", b"\n".join(json.dumps(each).encode() for each in lines)))
    ingest_corpus(uploads.put("corpora/birds/all.jsonl", json.dumps(lines[1]).encode()))
    assert texts(engine) == {"Herons wade."}


def test_what_cannot_be_read_takes_the_place_of_what_could(deployment: Deployment) -> None:
    uploads, engine = deployment
    ingest_corpus(uploads.put(KEY, b"It costs 10 euros."))
    answer = ingest_corpus(uploads.put(KEY, b"\xff\xfe\x00"))
    assert answer["problems"]
    assert texts(engine) == set()


def test_problems_of_queue_messages_are_logged_a_line_each_without_text(deployment: Deployment) -> None:
    uploads, _ = deployment
    rows = [b'{"id": "a", "content": "A secret."}', b"{A secret", *[b'{"secret": 1}'] * 50]
    batch = messages(uploads.put("corpora/birds/all.jsonl", b"\n".join(rows)), {"odd": "secret"})
    batch["Records"].append({**batch["Records"][0], "messageId": "last", "body": "{secret"})
    with recording() as facts:
        assert ingest_corpus(batch) == {"batchItemFailures": []}
    found = [(fact.value, dict(fact.labels)) for fact in facts if fact.name == "DocumentProblems"]
    assert found[0] == (
        1,
        {"index": "birds", "document": "all.jsonl", "where": "all.jsonl, line 2", "hint": NOT_JSON},
    )
    assert len(found) == 21
    assert found[-1] == (31, {**found[-1][1], "hint": "31 more: gate index add --dry-run tells them all"})
    unread = [dict(fact.labels) for fact in facts if fact.name == "DocumentsUnreadable"]
    assert unread == [
        {},
        {"hint": "not an event of S3 about an object", "message_id": "1"},
        {"hint": "the message is not JSON", "message_id": "last"},
    ]
    assert "secret" not in str(facts)


def test_an_object_over_the_cap_is_told_and_leaves_nothing_of_the_version_before(
    deployment: Deployment, entrance: Entrance
) -> None:
    uploads, engine = deployment
    ingest_corpus(uploads.put(KEY, b"It costs 10 euros."))
    entrance.change(max_document_bytes=5_000)
    answer = ingest_corpus(uploads.put(KEY, b"x" * 6_000))
    assert answer["problems"] == [{"where": "prices.md", "why": "larger than 5000 bytes"}]
    assert texts(engine) == set()


@pytest.mark.parametrize(
    ("key", "message"),
    [("uploads/a.md", "not the name"), ("corpora/birds", "not the name"), ("corpora/birds/a.exe", "unknown type")],
)
def test_an_upload_with_another_name_is_refused(key: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        ingest_corpus({"detail": {"bucket": {"name": "b"}, "object": {"key": key}}})


@pytest.mark.parametrize("event", [{}, {"detail": 1}, {"detail": {"bucket": {"name": "b"}, "object": {"key": 7}}}])
def test_what_is_no_event_of_an_object_is_refused(event: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="not an event"):
        ingest_corpus(event)


class Queue:
    def __init__(self) -> None:
        self.again: dict[str, float] = {}
        self.sent: list[Any] = []

    def show_again(self, receipt: str, seconds: float) -> None:
        self.again[receipt] = seconds

    def send(self, messages: Any) -> int:
        self.sent += messages
        return len(self.sent)


def test_of_several_messages_only_those_that_failed_come_again(deployment: Deployment, entrance: Entrance) -> None:
    uploads, engine = deployment
    queue = Queue()
    entrance.give(document_queue=queue)
    busy = uploads.put("corpora/birds/busy.md", b"Busy.")
    wiring.current().document_versions().claim("birds", "busy.md", 60)
    nonsense = uploads.put("corpora/birds/a.exe", b"?")
    answer = ingest_corpus(messages(uploads.put(KEY, b"It costs 10 euros."), busy, nonsense))
    assert answer == {"batchItemFailures": [{"itemIdentifier": "1"}]}
    assert texts(engine) == {"It costs 10 euros."}
    assert list(queue.again) == ["r1"]
    assert queue.again["r1"] <= 30


def test_a_document_that_changes_while_it_is_read_is_read_again(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads, engine = deployment
    store = corpora._store

    def changing(*arguments: Any) -> None:
        store(*arguments)
        if uploads.changes == 1:
            uploads.put(KEY, b"It costs 25 euros.")

    monkeypatch.setattr(corpora, "_store", changing)
    ingest_corpus(uploads.put(KEY, b"It costs 10 euros."))
    assert texts(engine) == {"It costs 25 euros."}


def test_a_document_is_stored_in_small_batches_of_which_a_refusal_costs_one(
    deployment: Deployment, entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads, engine = deployment

    class Embedder:
        name, dimension, texts, refused = "fixed/1", 2, 0, 0

        def embed(self, texts: Sequence[str]) -> list[list[float]]:
            if self.texts >= 128 and self.refused <= corpora.PATIENCE:
                self.refused += 1
                raise ModelThrottledError("slower")
            self.texts += len(texts)
            return [[1.0, 0.0] for _ in texts]

    embedder = Embedder()
    entrance.give(embedder=embedder)
    monkeypatch.setattr("time.sleep", lambda _: None)
    lines = b"\n".join(json.dumps({"id": f"p{n}", "content": f"Bird {n} flies."}).encode() for n in range(200))
    event = uploads.put("corpora/birds/many.jsonl", lines)
    with pytest.raises(ModelThrottledError):
        ingest_corpus(event)
    assert engine.count("birds") == 128
    answer = ingest_corpus(event)
    assert (answer["indexed"], answer["unchanged"]) == (72, 128)
    assert embedder.texts == 200


def test_a_search_that_refuses_a_passage_has_the_document_taken_in_again(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gate.ports import IndexOutcome

    uploads, engine = deployment
    event = uploads.put(KEY, b"It costs 10 euros.")
    with monkeypatch.context() as patch:
        patch.setattr(MemorySearch, "index_documents", lambda *_, **__: IndexOutcome(0, 0, {"p": "full"}))
        with pytest.raises(SearchUnavailableError, match="full"):
            ingest_corpus(event)
    ingest_corpus(event)
    assert texts(engine) == {"It costs 10 euros."}


def test_a_killed_worker_s_document_is_taken_over_when_its_claim_ends(tmp_path: Path) -> None:
    versions = LocalVersions(tmp_path / "documents.sqlite")
    dead = versions.claim("birds", "a.md", -1)
    assert dead
    mine = versions.claim("birds", "a.md", 60)
    assert mine
    assert not versions.claim("birds", "a.md", 60)
    assert not versions.note("birds", DocumentVersion("a.md", "1"), dead)
    assert not versions.extend("birds", "a.md", dead, 60)
    versions.release("birds", "a.md", dead)
    assert not versions.claim("birds", "a.md", 60)


def test_what_a_bucket_has_and_the_corpus_lacks_is_found_and_queued(deployment: Deployment, entrance: Entrance) -> None:
    uploads, _ = deployment
    queue = Queue()
    entrance.give(document_queue=queue)
    ingest_corpus(uploads.put(KEY, b"It costs 10 euros."))
    ingest_corpus(uploads.put("corpora/birds/gone.md", b"Gone."))
    uploads.put(KEY, b"It costs 25 euros.")
    uploads.put("corpora/birds/lost.md", b"Lost.")
    uploads.put("corpora/birds/no.exe", b"?")
    uploads.remove("corpora/birds/gone.md")
    with recording() as figures:
        found = reconcile_corpus({})
    assert found["birds"]["behind"] == 3
    assert {figure.name: figure.value for figure in figures}["CorpusBehind"] == 3
    for event in queue.sent:
        ingest_corpus(event)
    assert reconcile_corpus({})["birds"] == {"documents": 2, "behind": 0, "lag_s": 0}


def test_a_claim_on_a_superseded_passage_does_not_pass_and_the_report_says_so(
    deployment: Deployment,
) -> None:
    uploads, engine = deployment
    ingest_corpus(uploads.put(KEY, b"It costs 10 euros."))
    (key,) = engine.ids("birds")
    verdicts = [{"claim_id": "c1", "label": "supported", "documents": [key]}]
    assert _superseded({"verdicts": verdicts}, "birds") == {}
    event = uploads.put(KEY, b"It costs 25 euros.")
    assert _superseded({"verdicts": verdicts}, "birds") == {"c1": [key]}
    ingest_corpus(event)
    assert _superseded({"verdicts": verdicts}, "birds") == {"c1": [key]}, "a run that began before rests on it still"
    passed: Any = {"outcome": "pass", "reasons": [], "policy": {}}
    decision = with_superseded(passed, ["c1"])
    assert decision["outcome"] == "review"
    assert "lags behind" in decision["reasons"][0]["message"]


def test_a_storm_of_events_leaves_the_corpus_as_its_bucket(deployment: Deployment) -> None:
    storm = Storm(seed=7, documents=12, changes=150, kills=20)
    storm.rage()
    assert storm.kills == 20
    assert storm.lag_unsaid == 0
    assert storm.corpus() == storm.bucket()


def test_who_has_a_document_is_busy_for_others(deployment: Deployment) -> None:
    uploads, _ = deployment
    event = uploads.put(KEY, b"It costs 10 euros.")
    wiring.current().document_versions().claim("birds", "prices.md", 60)
    with pytest.raises(BusyError):
        ingest_corpus(event)


def reconciled(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.group, ["index", "reconcile", *arguments], prog_name="gate")
    return result.exit_code, result.output


def test_the_command_says_what_differs_and_takes_it_in(deployment: Deployment) -> None:
    uploads, engine = deployment
    uploads.put(KEY, b"It costs 10 euros.")
    uploads.put("corpora/birds/bad.md", b"\xff\xfe\x00")
    code, said = reconciled("--dry-run")
    assert code == 1
    assert "birds: 2 documents in the bucket, 2 behind, the oldest change" in said
    assert engine.exists("birds") is False
    code, said = reconciled("s3://uploads/corpora/")
    assert (code, texts(engine)) == (0, {"It costs 10 euros."})
    assert "gate: bad.md: " in said
    assert "birds: 2 documents taken in, 0 failed" in said
    assert reconciled("--dry-run") == (0, "birds: 2 documents in the bucket, 0 behind\n")


def test_the_command_queues_where_there_is_a_queue_and_names_strangers(
    deployment: Deployment, entrance: Entrance
) -> None:
    uploads, engine = deployment
    engine.ensure_index("birds")
    engine.index_documents([{"id": "x", "document": "by-hand.md", "content": "Owls hunt."}], "birds")
    uploads.put(KEY, b"It costs 10 euros.")
    queue = Queue()
    entrance.give(document_queue=queue)
    code, said = reconciled("--strangers")
    assert code == 0
    assert "never in the bucket: by-hand.md" in said
    assert "birds: 1 queued" in said
    assert len(queue.sent) == 1


def test_the_command_without_a_bucket_says_how_to_name_one(entrance: Entrance) -> None:
    code, said = reconciled()
    assert code == 2
    assert "gate index reconcile s3://bucket/corpora" in said
