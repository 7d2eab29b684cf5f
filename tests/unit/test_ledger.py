"""The ledger of decisions: what is written down, and that whatever is changed afterwards is found and named."""

from __future__ import annotations

import json
import os
import sqlite3
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.adapters.trails.key_file import KeyFile
from gate.adapters.trails.local_trail import LocalTrail
from gate.agents.publish_failure import publish_failure
from gate.errors import InternalError, SettingsError, StorageUnavailableError
from gate.services.trail import proofs
from gate.services.trail.acts import correction, deletion, last_entry, seal, write_down
from gate.services.trail.period_totals import PeriodTotals
from gate.services.trail.proofs import stored_report, story, verified
from gate.trail.proving import ChainReader
from gate.trail.seals import SEALS
from gate.trail.trail_entries import Act, TrailEntry, canonical, digest_of, following, read_entry
from tests.entrance import Entrance
from tests.ledger_writing import (
    FIRST_DAY,
    NEXT_DAY,
    Clock,
    first_break,
    ledger_file,
    line_of,
    publish,
    rewritten,
    tamper,
)

EARLY = "2026-03-01"


@pytest.fixture(autouse=True)
def ledger(entrance: Entrance) -> None:
    entrance.change(ledger="local")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
def five(clock: Clock) -> None:
    """Three decisions on one day, two on the next: the first day is sealed."""
    for number in (1, 2, 3):
        publish(f"run{number}")
    clock.now = NEXT_DAY
    for number in (4, 5):
        publish(f"run{number}")


def the_trail() -> Any:
    trail = wiring.current().trail()
    assert trail is not None
    return trail


def entry(number: int) -> TrailEntry:
    found = read_entry(line_of(number))
    assert found is not None
    return found


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.group, arguments, prog_name="gate")
    return result.exit_code, result.output


def test_a_decision_is_written_down_by_hashes_ids_and_counts_and_without_text() -> None:
    publish(
        "run1", "The harbour sleeps.", config={"name": "secret.md", "elasticsearch": {"index": ""}, "caller": "jane"}
    )
    line = line_of(1)
    found = entry(1)
    assert (found.kind, found.actor, found.run, found.number) == ("decision", "jane", "run1", 1)
    assert (found.facts["outcome"], found.facts["claims"], found.facts["policy"]["name"]) == ("pass", 1, "default")
    assert set(found.facts["commitments"]) == {"report_json", "transcript", "evidence", "verdicts"}
    assert not [text for text in (b"harbour", b"Boats", b"secret", b"sky") if text in line.lower()]


def test_nothing_is_written_down_where_no_ledger_is_asked_for(entrance: Entrance) -> None:
    entrance.change(ledger="")
    publish("run1")
    assert not ledger_file().exists()
    assert not wiring.current().blob_store().exists("reports/run1/salt.json")


def test_a_run_that_failed_is_written_down_as_an_error() -> None:
    publish_failure({"run_id": "run1", "failure": {"status": "TIMED_OUT"}})
    assert (entry(1).facts["outcome"], entry(1).facts["error"]) == ("error", "TIMED_OUT")


def test_tenants_have_chains_of_their_own_whose_names_do_not_name_them() -> None:
    for tenant in ("red", "blue", "red"):
        publish(f"run-{tenant}", config={"elasticsearch": {"index": ""}, "search": {"tenant": tenant}})
    proofs = verified().proofs
    assert sorted(proof.entries for proof in proofs) == [1, 2]
    assert not [proof for proof in proofs if "red" in proof.chain]


def test_a_decision_that_cannot_be_written_down_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: LocalTrail, name: str, number: int, line: bytes) -> bool:
        raise StorageUnavailableError("the disk is gone")

    monkeypatch.setattr(LocalTrail, "add", refuse)
    with pytest.raises(StorageUnavailableError):
        publish("run1")
    assert not wiring.current().blob_store().exists("reports/run1/report.json")


def test_a_ledger_that_is_no_database_is_refused_in_one_line() -> None:
    ledger_file().parent.mkdir(parents=True)
    ledger_file().write_bytes(b"not a database at all" * 100)
    with pytest.raises(SettingsError, match="the ledger cannot be used"):
        publish("run2")


def test_nothing_follows_an_entry_that_is_damaged() -> None:
    publish("run1")
    rewritten(lambda line: line.replace(b'"pass"', b'"fail"'), 1)
    with pytest.raises(SettingsError, match="last entry is not as it was written"):
        publish("run2")


@pytest.mark.usefixtures("five")
def test_the_chain_holds_and_the_first_day_is_sealed() -> None:
    found = verified()
    (proof,) = found.proofs
    assert found.holds
    assert (proof.entries, proof.seals, proof.sealed) == (5, 1, 3)
    assert found.reports == {"as decided": 5}


def changed(data: bytes) -> Iterator[bytes]:
    """Every way to change one byte by its lowest bit, to leave one out, and to say one twice."""
    for at in range(len(data)):
        yield data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        yield data[:at] + data[at + 1 :]
        yield data[:at] + data[at : at + 1] + data[at:]


@pytest.mark.usefixtures("five")
@pytest.mark.parametrize("number", [1, 3, 5])
def test_every_change_of_a_byte_of_an_entry_is_found_and_the_entry_named(number: int) -> None:
    lines, seals = dict(the_trail().lines("main")), list(the_trail().lines(f"main{SEALS}"))
    key = wiring.current().sealing_key()
    for other in changed(lines[number]):
        if other == lines[number]:
            continue
        reader = ChainReader("main", seals, lambda seal: key.verify(seal.content, seal.mac))
        list(reader.read(sorted({**lines, number: other}.items())))
        assert reader.proof.broken is not None
        assert reader.proof.broken.where == f"entry {number}"


@pytest.mark.usefixtures("five")
def test_every_change_of_a_byte_of_a_seal_is_found_and_the_seal_named() -> None:
    lines, sealed = list(the_trail().lines("main")), line_of(1, f"main{SEALS}")
    key = wiring.current().sealing_key()
    for other in changed(sealed):
        if other == sealed:
            continue
        reader = ChainReader("main", [(1, other)], lambda seal: key.verify(seal.content, seal.mac))
        list(reader.read(lines))
        assert reader.proof.broken is not None
        assert reader.proof.broken.where == "seal 1"


def test_every_change_of_a_byte_of_a_report_is_found_and_its_run_named() -> None:
    publish("run1")
    publish("run2")
    store, key = wiring.current().blob_store(), "reports/run2/report.json"
    written = store.get(key)
    for at in range(0, len(written), 7):
        store.put(key, written[:at] + bytes([written[at] ^ 1]) + written[at + 1 :])
        assert story("run2").state == "changed"
    store.put(key, written)
    assert story("run2").holds
    store.put(key, written.replace(b'"pass"', b'"review"', 1))
    assert verified().wrong == [("run2", 2, "main", "changed")]


def test_a_page_that_was_changed_is_found(entrance: Entrance) -> None:
    entrance.change(store_page=True)
    publish("run1")
    store = wiring.current().blob_store()
    assert verified().holds
    store.put("reports/run1/report.html", store.get("reports/run1/report.html") + b" ")
    assert verified().wrong == [("run1", 1, "main", "changed")]


@pytest.mark.parametrize("salt", [b"", b"{}", b"[]", b'{"salt": "no hex"}', b'{"salt": 3}', b'{"salt": "00"}'])
def test_a_report_without_its_own_salt_proves_nothing(salt: bytes) -> None:
    publish("run1")
    wiring.current().blob_store().put("reports/run1/salt.json", salt)
    assert story("run1").state == "changed"


@pytest.mark.usefixtures("five")
@pytest.mark.parametrize(
    ("sentence", "values", "where", "why"),
    [
        ("DELETE FROM lines WHERE name = 'main' AND number = ?", (1,), "entry 1", "is missing: 2 comes next"),
        ("DELETE FROM lines WHERE name = 'main' AND number = ?", (3,), "entry 3", "is missing: 4 comes next"),
        ("DELETE FROM lines WHERE name = 'main' AND number >= ?", (3,), "entry 3", "is missing: seal 1 is over it"),
        ("DELETE FROM lines WHERE name = ?", ("main",), "entry 1", "is missing: seal 1 is over it"),
        ("DELETE FROM lines WHERE name = ?", ("main.seals",), "entry 4", "is of 2026-03-02, and there is no seal"),
        (
            "INSERT INTO lines SELECT name, 6, line FROM lines WHERE name = 'main' AND number = ?",
            (5,),
            "entry 6",
            "is entry 5 in its place",
        ),
        (
            "INSERT INTO lines SELECT name, 2, line FROM lines WHERE name = ?",
            ("main.seals",),
            "seal 2",
            "is another one in its place",
        ),
    ],
)
def test_what_is_dropped_or_doubled_is_found_and_named(
    sentence: str, values: tuple[Any, ...], where: str, why: str
) -> None:
    tamper((sentence, values))
    found = first_break()
    assert found[0] == where
    assert found[1].startswith(why)


@pytest.mark.usefixtures("five")
def test_entries_that_changed_places_are_found() -> None:
    second, third = line_of(2), line_of(3)
    put = "UPDATE lines SET line = ? WHERE name = 'main' AND number = ?"
    tamper((put, (third, 2)), (put, (second, 3)))
    assert first_break() == ("entry 2", "is entry 3 in its place")


@pytest.mark.usefixtures("five")
def test_an_entry_of_another_chain_does_not_stand_in_this_one() -> None:
    write_down(Act("waiver"), "red")
    (name,) = [name for name in the_trail().names() if name.startswith("tenant-")]
    rewritten(lambda _: line_of(1, name), 1)
    assert {proof.chain: proof.broken.why for proof in verified().proofs if proof.broken} == {
        "main": "belongs to another chain"
    }


@pytest.mark.usefixtures("five")
def test_a_past_that_is_written_anew_with_hashes_that_fit_breaks_its_seal() -> None:
    """Whoever has the file has everything but the key."""
    entries = [entry(number) for number in range(1, 6)]
    entries[1] = replace(entries[1], facts={**entries[1].facts, "outcome": "block"})
    for before, number in zip(range(4), range(1, 5), strict=True):
        entries[number] = replace(entries[number], previous=entries[before].hash)
    tamper(
        *(("UPDATE lines SET line = ? WHERE name = 'main' AND number = ?", (one.line, one.number)) for one in entries)
    )
    assert first_break() == ("entry 3", "is not the one that seal 1 is over")


@pytest.mark.usefixtures("five")
def test_a_second_writer_that_follows_an_older_entry_is_found() -> None:
    forked = following(entry(3), "main", Act("decision", run="run9"), NEXT_DAY)
    rewritten(lambda _: replace(forked, number=5).line, 5)
    assert first_break() == ("entry 5", "does not follow the entry before it")


@pytest.mark.usefixtures("five")
def test_an_entry_that_is_dated_before_the_one_in_front_of_it_is_found() -> None:
    late = replace(entry(5), at=FIRST_DAY.isoformat(timespec="milliseconds"))
    rewritten(lambda _: late.line, 5)
    assert first_break() == ("entry 5", "is dated before the entry in front of it")


@pytest.mark.usefixtures("five")
def test_seals_of_another_key_are_not_this_ledgers(entrance: Entrance, tmp_path: Path) -> None:
    other = tmp_path / "other.key"
    other.write_text("k" * 40)
    entrance.change(ledger_key=str(other))
    assert first_break() == ("seal 1", "was not made with this key, or is changed")


@pytest.mark.parametrize("content", [None, b"", b"short", b"x" * 5_000])
def test_a_key_that_is_none_is_refused(entrance: Entrance, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.key"
    if content is not None:
        path.write_bytes(content)
    entrance.change(ledger_key=str(path))
    with pytest.raises(SettingsError, match="GATE_LEDGER_KEY"):
        publish("run1")


def test_the_key_is_made_once_and_only_its_owner_reads_it() -> None:
    publish("run1")
    path = wiring.current().settings.home / "ledger.key"
    assert path.stat().st_mode & 0o077 == 0
    assert KeyFile(path).name == wiring.current().sealing_key().name


def test_lines_are_written_once() -> None:
    publish("run1")
    assert not the_trail().add("main", 1, b"another")
    file = sqlite3.connect(ledger_file())
    for sentence in ("UPDATE lines SET line = x'00'", "DELETE FROM lines"):
        with pytest.raises(sqlite3.IntegrityError, match="written once"):
            file.execute(sentence)
    file.close()


def test_two_writers_at_once_make_one_chain(entrance: Entrance) -> None:
    """Each with a connection of its own, as two processes have."""

    def write(writer: int) -> None:
        with wiring.entered(wiring.current().changed()):
            for number in range(25):
                write_down(Act("decision", run=f"run-{writer}-{number}"))

    with ThreadPoolExecutor(4) as pool:
        for each in [pool.submit(copy_context().run, write, writer) for writer in range(4)]:
            each.result()
    (proof,) = verified().proofs
    assert (proof.entries, proof.broken) == (100, None)


def test_of_two_entries_of_one_moment_the_later_one_says_how_a_report_stands(clock: Clock) -> None:
    publish("run1")
    deletion("run1", "jane", "", allowed=True)
    wiring.current().blob_store().delete_prefix("reports/run1")
    assert entry(1).at == entry(2).at
    assert verified().reports == {"deleted": 1}


def test_the_latest_entry_of_any_chain_says_how_a_report_stands(clock: Clock) -> None:
    """The chains are read one after the other; a tenant's is read after the main one."""
    publish("run1", config={"elasticsearch": {"index": ""}, "search": {"tenant": "red"}})
    clock.now = NEXT_DAY
    deletion("run1", "jane", "", allowed=True)
    wiring.current().blob_store().delete_prefix("reports/run1")
    assert verified().reports == {"deleted": 1}


@pytest.mark.usefixtures("five")
def test_what_was_sealed_on_the_day_to_begin_with_is_not_taken_for_proved() -> None:
    assert run("ledger", "seal")[0] == 0
    rewritten(lambda line: line.replace(b"run4", b"run7"), 4)
    assert first_break(verified("2026-03-02")) == ("entry 4", "is not as it was written")
    assert verified("2026-03-03").holds


@pytest.mark.usefixtures("five")
def test_first_and_last_day_belong_to_a_period_and_the_days_beside_them_do_not() -> None:
    def decided_in(since: str, until: str) -> int:
        totals = PeriodTotals(since, until)
        verified(each=totals.add)
        return int(totals.as_json()["decisions"])

    assert decided_in("2026-03-01", "2026-03-01") == 3
    assert decided_in("2026-03-02", "2026-03-02") == 2
    assert decided_in("2026-03-02", "") == 2
    assert decided_in("", "2026-03-01") == 3
    assert decided_in("2026-03-03", "") == decided_in("", "2026-02-28") == 0


def test_claims_are_counted_over_runs_and_a_run_that_was_published_twice_counts_once() -> None:
    publish("run1")
    publish("run1", "The sky is grey. The sky is blue.")
    publish("run2")
    publish_failure({"run_id": "run3", "failure": {"status": "TIMED_OUT"}})
    totals = PeriodTotals()
    verified(each=totals.add)
    found = totals.as_json()
    assert (found["decisions"], found["claims"], found["outcomes"]) == (3, 2, {"error": 1, "pass": 2})
    assert (found["errors"], found["unchecked"]) == ({"TIMED_OUT": 1}, 0)


def test_corrections_that_somebody_accepted_are_counted_with_the_claims_that_they_edited(tmp_path: Path) -> None:
    publish("run1")
    correction("run1", {"correct": 2, "strike": 0, "remove": 1, "left": 4})
    correction("", {"correct": 0, "strike": 1, "remove": 0, "left": 0})
    found = json.loads(run("ledger", "report", "-f", "json")[1])
    assert (found["corrections"], found["edited"], found["decisions"]) == (2, 4, 1)
    assert "2 edited answers accepted, 4 of their claims edited" in run("ledger", "report")[1]
    page = tmp_path / "period.html"
    assert run("ledger", "report", "-o", str(page))[0] == 0
    assert "<strong>2</strong>edited answers accepted, 4 of their claims edited" in page.read_text()


def test_twenty_reports_are_named_and_the_rest_is_counted() -> None:
    store = wiring.current().blob_store()
    for number in range(22):
        publish(f"run{number}")
        store.put(f"reports/run{number}/report.json", b"{}")
    said = run("ledger", "verify")[1]
    assert said.count("its report is changed") == 20
    assert "and 2 more" in said


def test_an_id_that_is_too_long_to_be_one_is_held_by_its_hash() -> None:
    write_down(Act("decision", "a" * 256, "b" * 257))
    assert entry(1).actor == "a" * 256
    assert entry(1).run == f"sha256:{digest_of('b' * 257)}"


@pytest.mark.usefixtures("five")
def test_with_since_what_is_sealed_before_is_taken_for_proved_and_the_rest_is_not() -> None:
    rewritten(lambda line: line.replace(b"run1", b"run7"), 1)
    assert not verified().holds
    found = verified("2026-03-02")
    assert found.holds
    assert found.proofs[0].entries == 3  # the sealed one, and what came after
    rewritten(lambda line: line.replace(b"run4", b"run7"), 4)
    assert first_break(verified("2026-03-02")) == ("entry 4", "is not as it was written")


@pytest.mark.usefixtures("five")
def test_a_seal_over_today_finds_what_is_dropped_from_the_end() -> None:
    last = last_entry(the_trail(), "main")
    assert last is not None
    made = seal(the_trail(), last)
    assert made is not None
    assert (made.first, made.last) == (4, 5)
    assert seal(the_trail(), last) is None
    tamper(("DELETE FROM lines WHERE name = 'main' AND number = ?", (5,)))
    assert first_break() == ("entry 5", "is missing: seal 2 is over it")


def test_a_policy_that_changed_is_an_entry_before_the_first_decision_by_it() -> None:
    publish("run1")
    publish("run2", policy={"name": "strict", "version": "2"})
    publish("run3", policy={"name": "strict", "version": "2"})
    assert [entry(number).kind for number in range(1, 5)] == [
        "decision",
        "policy",
        "decision",
        "decision",
    ]
    assert entry(2).facts == {"before": entry(1).in_force["policy"], "after": entry(3).in_force["policy"]}


def test_the_provider_s_request_ids_are_written_down_and_of_many_the_first_and_a_hash() -> None:
    verdicts = [{"claim_id": "c1", "label": "supported", "request_id": f"r-{number:03}"} for number in range(150)]
    publish("run1", verdicts=[*verdicts, *verdicts])
    found = entry(1).facts["requests"]
    assert (found["count"], len(found["ids"]), found["ids"][0]) == (150, 100, "r-000")
    assert found["sha256"] == digest_of([f"r-{number:03}" for number in range(150)])
    publish("run2")
    assert "requests" not in entry(2).facts


def test_what_was_erased_is_gone_and_the_chain_holds() -> None:
    publish("run1", "Jane lives in Ghent.")
    assert story("run1").state == "as decided"
    deletion("run1", "jane", "", allowed=True)
    wiring.current().blob_store().delete_prefix("reports/run1")
    wiring.current().blob_store().delete_prefix("runs/run1")
    assert story("run1").state == "deleted"
    assert verified().holds
    assert not [
        path for path in wiring.current().settings.home.rglob("*") if path.is_file() and b"Ghent" in path.read_bytes()
    ]


def test_a_report_that_stands_there_after_its_deletion_is_named() -> None:
    publish("run1")
    deletion("run1", "jane", "", allowed=True)
    assert verified().wrong == [("run1", 2, "main", "there after its deletion")]


def test_a_report_of_any_length_is_compared_in_little_memory_and_none_is_read_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    publish("run1")
    report = wiring.current().settings.home / "reports" / "run1" / "report.json"
    os.truncate(report, 40_000_000)
    tracemalloc.start()
    assert verified().wrong == [("run1", 1, "main", "changed")]
    assert tracemalloc.get_traced_memory()[1] < 8_000_000
    tracemalloc.stop()
    monkeypatch.setattr(proofs, "MOST_BYTES", 20_000_000)
    assert verified().wrong == [("run1", 1, "main", "too large")]
    code, output = run("ledger", "verify")
    assert (code, "run1" in output, "too large" in output) == (1, True, True)


def test_a_deletion_that_was_refused_changes_nothing_about_the_report() -> None:
    publish("run1")
    deletion("run1", "bob", "", allowed=False)
    assert verified().reports == {"as decided": 1}


def test_refusals_are_counted_by_actor_tenant_and_day(clock: Clock) -> None:
    for _ in range(5):
        deletion("run1", "bob", "", allowed=False)
    deletion("run1", "eve", "", allowed=False)
    deletion("run1", "bob", "acme", allowed=False)
    clock.now = NEXT_DAY
    deletion("run1", "bob", "", allowed=False)
    written = [(one.chain == "main", one.actor, one.facts["refused_today"]) for one in story("run1").entries]
    bob = [(True, "bob", 1), (True, "bob", 2), (True, "bob", 4)]
    assert written == [*bob, (True, "eve", 1), (False, "bob", 1), (True, "bob", 1)]
    assert verified().holds


def test_the_command_proves_and_says_where_it_is_broken() -> None:
    publish("run1")
    publish("run2")
    code, output = run("ledger", "verify")
    assert (code, output.splitlines()[-1]) == (0, "the ledger holds")
    rewritten(lambda line: line.replace(b'"pass"', b'"fail"'), 2)
    code, output = run("ledger", "verify")
    assert code == 1
    assert "main: BROKEN at entry 2: is not as it was written" in output
    code, output = run("ledger", "verify", "-f", "json")
    assert (code, json.loads(output)["chains"][0]["broken"]["where"]) == (1, "entry 2")


def test_a_ledger_without_an_entry_proves_nothing(tmp_path: Path) -> None:
    for arguments in ((), ("--blobs",), ("--since", "2026-01-01"), ("-f", "json")):
        code, said = run("ledger", "verify", *arguments)
        assert (code, "holds" in said, "there is no entry" in said) == (2, False, True)
    kept = tmp_path / "kept.txt"
    publish("run1")
    kept.write_text(run("ledger", "seal")[1])
    tamper(("DELETE FROM lines", ()))
    assert run("ledger", "verify")[0] == 2
    code, said = run("ledger", "verify", "--kept", str(kept))
    assert (code, "main: entry 1 is not there as it was sealed" in said) == (1, True)


def test_the_command_tells_the_story_of_a_run() -> None:
    publish("run1", config={"elasticsearch": {"index": ""}, "caller": "jane\x1b[31m\nbob"})
    deletion("run1", "jane", "", allowed=False)
    code, output = run("ledger", "show", "run1")
    assert code == 0
    assert "decided: pass by jane" in output
    assert "\x1b" not in output
    assert "deletion refused by jane" in output
    assert "its report: as decided" in output
    code, output = run("ledger", "show", "run1", "-f", "json")
    assert [one["kind"] for one in json.loads(output)["entries"]] == ["decision", "deletion"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "run9"), "run9: the ledger has no entry of that run"),
        (("verify", "--since", "yesterday"), "--since: is no day"),
    ],
)
def test_what_the_command_cannot_do_it_says_in_a_line(arguments: tuple[str, ...], said: str) -> None:
    publish("run1")
    code, output = run("ledger", *arguments)
    assert code == 2
    assert said in output


def test_without_a_ledger_the_command_says_how_to_keep_one(entrance: Entrance) -> None:
    entrance.change(ledger="")
    code, output = run("ledger", "verify")
    assert code == 2
    assert "GATE_LEDGER=local" in output


def test_the_command_seals_today() -> None:
    publish("run1")
    code, output = run("ledger", "seal")
    assert (code, output.startswith(f"main: entry 1 {entry(1).hash}, seal 1 ")) == (0, True)
    assert run("ledger", "seal")[1] == "main: nothing new\n"
    assert verified().proofs[0].sealed == 1


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b'{"hash":"x","v":1}',
        b"[" * 100_000,
        canonical({"v": 1, "hash": 3}),
        b'{"number":' + b"9" * 5_000 + b"}",
    ],
)
def test_what_is_no_entry_is_named_and_breaks_nothing(line: bytes) -> None:
    publish("run1")
    rewritten(lambda _: line, 1)
    where, why = first_break()
    assert (where, why.startswith("is not as it was written")) == ("entry 1", True)


def test_values_of_another_kind_are_no_entry_though_their_hash_fits() -> None:
    made = TrailEntry("main", 1, "2026", "decision", "", "run1", {})
    assert read_entry(made.line) == made
    others: tuple[dict[str, Any], ...] = ({"number": True}, {"facts": []}, {"run": 3}, {"at": None})
    for other in others:
        assert read_entry(replace(made, **other).line) is None


def test_findings_that_are_accepted_and_what_that_changes_are_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text('{"text": "The lamp weighs 800 g."}\n')
    Path("answer.md").write_text("The lamp weighs 900 g.")
    check = ("check", "answer.md", "--corpus", "corpus.jsonl", "-q")
    assert run(*check, "-f", "json", "-o", "report.json")[0] == 1
    assert run("baseline", "update", "report.json", "--owner", "Jane", "--reason", "the lamp was weighed")[0] == 0
    assert run(*check, "--baseline", "gate-baseline.yaml")[0] == 0
    assert [entry(number).kind for number in range(1, 5)] == ["decision", "waiver", "decision", "waiver"]
    listed, used = entry(2), entry(4)
    assert listed.facts["accepted"] == used.facts["accepted"] == 1
    assert listed.facts["baseline"] == used.facts["baseline"]
    assert (used.run, used.facts["before"], used.facts["after"]) == (entry(3).run, entry(3).facts["outcome"], "pass")
    assert not [text for text in (b"lamp", b"Jane", b"weigh") if text in b"".join(map(line_of, range(1, 5)))]
    assert "waived: block became pass" in run("ledger", "show", used.run)[1]
    run(*check, "--baseline", "gate-baseline.yaml", "--fail-on", "block")
    assert verified().holds


def test_nothing_is_accepted_where_that_cannot_be_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, entrance: Entrance
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text('{"text": "The lamp weighs 800 g."}\n')
    Path("answer.md").write_text("The lamp weighs 900 g.")
    run("check", "answer.md", "--corpus", "corpus.jsonl", "-q", "-f", "json", "-o", "report.json")
    entrance.change(ledger="somewhere")
    code, output = run("baseline", "update", "report.json", "--owner", "jane", "--reason", "r")
    assert (code, "GATE_LEDGER: 'somewhere' is not known" in output) == (2, True)
    assert not Path("gate-baseline.yaml").exists()


def test_a_calibration_is_written_down_when_it_is_fitted_and_when_it_is_in_force(
    entrance: Entrance, tmp_path: Path
) -> None:
    entrance.change(model="local:lexical")
    labels, corpus, answer = tmp_path / "labels.jsonl", tmp_path / "corpus.jsonl", tmp_path / "answer.md"
    rows = [
        {
            "claim": f"Shop {n} opens at {n % 9 + n % 2}.",
            "evidence": [f"Shop {n} opens at {n % 9}."],
            "label": n % 2 == 0,
        }
        for n in range(120)
    ]
    named = ({**row, "label": "supported" if row["label"] else "unsupported"} for row in rows)
    labels.write_text("".join(f"{json.dumps(row)}\n" for row in named))
    corpus.write_text('{"text": "Shop 1 opens at 2."}\n')
    answer.write_text("Shop 1 opens at 2.")
    run("check", str(answer), "--corpus", str(corpus), "-q")
    code, output = run("calibrate", str(labels), "-o", str(tmp_path / "calibration.json"), "-q")
    assert code == 0, output
    entrance.change(calibration=tmp_path / "calibration.json")
    run("check", str(answer), "--corpus", str(corpus), "-q")
    assert [entry(number).kind for number in range(1, 5)] == ["decision", "calibration", "calibration", "decision"]
    assert entry(2).facts["labels"] == 120
    assert entry(3).facts == {"before": "none", "after": entry(2).facts["fitted"]}
    assert entry(4).in_force["calibration"] == entry(2).facts["fitted"]


def test_what_is_removed_from_a_corpus_is_written_down_first(tmp_path: Path) -> None:
    (tmp_path / "rules-of-jane.md").write_text("The shop opens at nine.")
    run("index", "add", str(tmp_path / "rules-of-jane.md"), "--corpus", "shop")
    run("index", "remove", "rules-of-jane.md", "--corpus", "shop")
    run("index", "delete", "shop")
    assert run("index", "delete", "shop")[0] == 2
    facts = [entry(number).facts for number in (1, 2)]
    assert facts[0] == {"what": "documents", "count": 1, "corpus": "shop", "allowed": True}
    assert facts[1] == {"what": "corpus", "corpus": "shop", "allowed": True}
    assert len(list(the_trail().lines("main"))) == 2
    assert b"jane" not in line_of(1).replace(entry(1).actor.encode(), b"")


def test_the_command_does_not_show_a_report_that_was_not_decided() -> None:
    publish("run1")
    store, key = wiring.current().blob_store(), "reports/run1/report.json"
    assert run("report", "run1")[0] == 0
    store.put(key, store.get(key).replace(b"blue", b"pink"))
    code, output = run("report", "run1")
    assert (code, "the report is not the one that the ledger has" in output, "pink" in output) == (3, True, False)


@pytest.mark.usefixtures("five")
def test_a_period_is_reported_with_what_was_decided_overruled_and_deleted(tmp_path: Path) -> None:
    deletion("run5", "jane <b>", "", allowed=False)
    publish("run6", policy={"name": "strict", "version": "2"})
    code, output = run("ledger", "report", "--since", "2026-03-02", "-f", "json")
    found = json.loads(output)
    assert (code, found["decisions"], found["outcomes"], found["claims"]) == (0, 3, {"pass": 3}, 3)
    assert (found["deleted"], found["refused"], [one["kind"] for one in found["entries"]]) == (
        0,
        1,
        ["deletion", "policy"],
    )
    assert found["proof"]["holds"] is True
    assert json.loads(run("ledger", "report", "--until", EARLY, "-f", "json")[1])["decisions"] == 3
    page = tmp_path / "period.html"
    assert run("ledger", "report", "-o", str(page))[0] == 0
    assert "jane &lt;b&gt;" in page.read_text()
    assert "The ledger holds" in page.read_text()
    assert "6 decided" in run("ledger", "report")[1]
    rewritten(lambda line: line.replace(b'"pass"', b'"fail"'), 2)
    assert run("ledger", "report", "-o", str(page))[0] == 1
    assert "The ledger does not hold" in page.read_text()
    assert run("ledger", "report", "--until", "soon")[0] == 2


@pytest.mark.parametrize(
    ("name", "number", "code"),
    [("main\nthe ledger holds\n\x1b[2J", 1, 1), (b"\xff", 1, 2), ("main", -3, 1), ("main", "x\nthe ledger holds\n", 1)],
)
def test_a_line_that_somebody_else_has_written_is_no_part_of_the_ledger(
    name: object, number: object, code: int
) -> None:
    publish("run1")
    tamper(("INSERT INTO lines VALUES (?, ?, ?)", (name, number, b"x")))
    found, said = run("ledger", "verify")
    assert found == code
    assert "the ledger holds" not in said.splitlines()
    assert "\x1b" not in said


@pytest.mark.parametrize(
    "facts", [{"claims": "x"}, {"unchecked": []}, {"strike": "x"}, {"verifiers": 5}, {"commitments": "x"}], ids=str
)
def test_facts_of_another_kind_are_no_entry_and_stop_no_command(facts: dict[str, Any]) -> None:
    publish("run1")
    forged = following(entry(1), "main", Act("decision", "jane", "run1", facts), FIRST_DAY)
    tamper(("INSERT INTO lines VALUES (?, ?, ?)", ("main", 2, forged.line)))
    for arguments in (("verify",), ("report",), ("show", "run1")):
        code, said = run("ledger", *arguments)
        assert code == 1, said
        assert "BROKEN at entry 2" in said


@pytest.mark.parametrize(
    "place",
    [{"number": 10**30, "chain": "main"}, {"number": 1, "chain": "\ud800"}, {"number": "1", "chain": "main"}, {}],
    ids=str,
)
def test_a_note_that_leads_nowhere_shows_no_report(place: dict[str, Any]) -> None:
    publish("run1")
    note = json.dumps({"salt": "ab" * 32, **place}).encode()
    wiring.current().blob_store().put("reports/run1/salt.json", note)
    with pytest.raises(InternalError):
        stored_report("run1")
    assert verified().wrong == [("run1", 1, "main", "changed")]


def test_a_report_of_another_run_is_not_shown_though_its_own_note_lies_beside_it() -> None:
    publish("run1")
    publish("run2")
    store = wiring.current().blob_store()
    for name in ("report.json", "salt.json"):
        store.put(f"reports/run1/{name}", store.get(f"reports/run2/{name}"))
    with pytest.raises(InternalError):
        stored_report("run1")
    assert verified().wrong == [("run1", 1, "main", "changed")]


def test_what_was_kept_elsewhere_finds_an_older_copy_and_a_chain_that_is_gone(tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    publish("run1")
    older = line_of(1)
    publish("run2")
    publish("run3", config={"elasticsearch": {"index": ""}, "search": {"tenant": "red"}})
    kept.write_text(run("ledger", "seal")[1] + run("ledger", "seal")[1])
    assert run("ledger", "verify", "--kept", str(kept))[0] == 0
    tamper(("DELETE FROM lines", ()), ("INSERT INTO lines VALUES (?, ?, ?)", ("main", 1, older)))
    assert run("ledger", "verify")[0] == 0
    code, said = run("ledger", "verify", "--kept", str(kept))
    assert code == 1
    assert said.count("is not there as it was sealed") == 2
    publish("run4")
    assert "main: entry 2 is not there as it was sealed" in run("ledger", "verify", "--kept", str(kept))[1]
    assert json.loads(run("ledger", "verify", "--kept", str(kept), "-f", "json")[1])["lost"][0]["chain"] == "main"


@pytest.mark.parametrize("held", ["", "main: nothing new\n", "main: entry x\n", "main: entry 1 abc, seal 1 def\n"])
def test_a_file_without_seals_is_refused_in_one_line(tmp_path: Path, held: str) -> None:
    publish("run1")
    (tmp_path / "kept.txt").write_text(held)
    code, said = run("ledger", "verify", "--kept", str(tmp_path / "kept.txt"))
    assert code == 2
    assert "holds no seals" in said
