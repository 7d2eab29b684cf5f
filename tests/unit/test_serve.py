"""`gate serve` over a real port: check, watch, compare, label, search; who is let in; what outlives the server."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import wiring
from gate.adapters.reviews.run_table import CUT_OFF, RunTable
from gate.agents.api import openapi
from gate.cli import group
from gate.cli.labelled_rows import read_rows
from gate.errors import BudgetReachedError, InputError, SettingsError
from gate.local.run import LocalRun, run_locally
from gate.reports.overviews.changes import changes
from gate.reports.overviews.changes_shown import as_object
from gate.serving import local_runs
from gate.serving.checks_now import PATH as NOW
from gate.serving.checks_now import ChecksNow, _busy
from gate.serving.entry_guard import Entry, Refused
from gate.serving.local_entrance import LocalEntrance
from gate.serving.serve_command import built, listening
from tests.entrance import Entrance
from tests.local_server import ANSWER, DOCUMENT, Served, serving
from tests.report_builders import a_report

TOKEN = "a-token-of-some-length"
CHECK = {"text": ANSWER, "search": {"index": "docs"}}


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as found:
        yield found


def test_a_check_is_watched_claim_by_claim_and_listed_with_its_outcome(served: Served) -> None:
    _, started = served.value("POST", "/v1/checks", CHECK)
    seen, texts = 0, []
    while (progress := served.value("GET", f"/app/runs/{started['id']}/progress?seen={seen}&wait=5")[1])["status"] == (
        "RUNNING"
    ):
        texts += [one["text"] for one in progress["events"]]
        seen = progress["seen"]
    run = served.value("GET", f"/app/runs/{started['id']}")[1]
    assert set(texts) <= {claim["text"] for claim in run["claims"]}
    assert [claim["status"] for claim in run["claims"]] == ["supported", "unsupported"]
    assert run["reasons"]
    (listed,) = served.value("GET", "/app/runs")[1]["runs"]
    assert (listed["outcome"], listed["claims"], listed["corpus"]) == ("block", 2, "docs")


def test_waiting_ends_with_the_outcome_and_the_report_opens_apart_from_the_server(served: Served) -> None:
    run_id = served.checked()
    status, headers, page = served.ask("GET", f"/v1/checks/{run_id}/report", Accept="text/html")
    assert (status, b"Returns are free for 90 days" in page) == (200, True)
    assert headers["content-security-policy"].startswith("sandbox allow-scripts")
    assert "allow-same-origin" not in headers["content-security-policy"]
    assert served.value("GET", f"/v1/checks/{run_id}?wait=0")[1]["outcome"] == "block"


@pytest.mark.parametrize("path", [NOW, "/v1/checks", "/app/search"])
@pytest.mark.parametrize("value", ["{},", "[],", '"a",'])
def test_a_request_of_very_many_values_is_refused_before_it_is_read(served: Served, path: str, value: str) -> None:
    body = f'{{"text": "a", "x": [{value * 1_000_000}1]}}'.encode()
    asked = {"Content_Type": "application/json"}
    assert served.ask("POST", path, body, **asked)[0] == 413


def test_large_requests_are_read_one_after_the_other(monkeypatch: pytest.MonkeyPatch, entrance: Entrance) -> None:
    at_once, most = 0, 0

    def load(text: str) -> Any:
        nonlocal at_once, most
        at_once, most = at_once + 1, max(most, at_once + 1)
        time.sleep(0.01)
        at_once -= 1
        raise InputError("not JSON")

    monkeypatch.setattr("gate.serving.checks_now.strict_json.load", load)
    checks = ChecksNow(wiring.current(), 4)

    def refused(size: int) -> bool:
        with pytest.raises(InputError):
            checks.report({}, b" " * size)
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(refused, [200_000] * 8))
    assert most == 1


def test_the_api_is_the_deployed_one(served: Served) -> None:
    assert served.ask("GET", "/openapi.json")[2].decode() == openapi()
    first, second = (served.value("POST", "/v1/checks?wait=25", CHECK, Idempotency_Key="k")[1] for _ in range(2))
    assert first == second
    assert served.value("POST", "/v1/checks", {**CHECK, "text": "Another."}, Idempotency_Key="k")[0] == 409
    assert served.value("POST", "/v1/checks", {})[0] == 422
    assert served.value("POST", "/v1/checks?wait=99", CHECK)[0] == 422
    assert [served.value("GET", f"/v1/checks/x?wait={odd}")[0] for odd in ("025", "%2B5", "5.0", "%D9%A3")] == [422] * 4
    found = served.value("POST", "/v1/citations", {"segment": {"text": "parcels"}, "search": {"index": "docs"}})
    assert found[0] == 200


def test_a_corpus_that_is_not_there_is_said_before_the_run(served: Served) -> None:
    status, found = served.value("POST", "/v1/checks", {**CHECK, "search": {"index": "other"}})
    assert (status, found["message"]) == (400, "there is no corpus 'other', or nothing in it")
    assert not served.value("GET", "/app/runs")[1]["runs"]
    assert list((served.entrance.folder / "runs").iterdir()) == []  # its text would stay, and nobody could delete it


def test_a_path_with_a_slash_behind_it_is_the_same_path(served: Served) -> None:
    run_id = served.checked()
    assert served.value("DELETE", f"/v1/checks/{run_id}/")[0] == 200
    assert served.value("POST", f"{NOW}/", CHECK)[0] == 200
    assert not served.value("GET", "/app/runs")[1]["runs"]


def test_what_people_say_of_verdicts_is_a_labelled_set(served: Served) -> None:
    run_id = served.checked()
    path = f"/app/runs/{run_id}/marks"
    assert served.value("POST", path, {"claim_id": "c0001", "label": "supported"})[0] == 200
    assert served.value("POST", path, {"claim_id": "c0002", "label": "weakly_supported"})[0] == 200
    assert served.value("POST", path, {"claim_id": "c0001", "label": "right"})[0] == 400
    assert served.value("POST", path, {"claim_id": "c0009", "label": "supported"})[0] == 400
    rows = served.ask("GET", "/app/labels.jsonl")[2].decode()
    assert [(row.label, "30 days" in row.documents[0]) for row in read_rows(Path("labels"), rows, None, 0)] == [
        ("supported", True),
        ("weakly_supported", True),
    ]
    assert served.value("POST", path, {"claim_id": "c0001", "label": ""})[1]["marks"] == {"c0002": "weakly_supported"}


def test_two_runs_are_compared_by_their_claims(served: Served) -> None:
    first, second = served.checked(), served.checked("Standard parcels to Norway take 4 to 7 days. Boats sink.")
    found = served.value("GET", f"/app/comparison?first={first}&second={second}")[1]
    assert (found["same"], len(found["gone"]), len(found["new"]), found["changed"]) == (1, 1, 1, [])
    assert served.value("GET", f"/app/comparison?first={first}&second=none")[0] == 404


def test_claims_said_twice_are_compared_in_their_order_and_the_worst_change_comes_first() -> None:
    twice = [("Boats sink.", "supported"), ("Boats sink.", "supported"), ("Boats swim.", "supported")]
    first = a_report(twice)
    second = a_report(
        [("Boats sink.", "supported"), ("Boats  sink.", "weakly_supported"), ("boats swim.", "unsupported")]
    )
    found = as_object(changes(first, second))
    assert [(one["before"], one["status"]) for one in found["changed"]] == [
        ("supported", "unsupported"),
        ("supported", "weakly_supported"),
    ]
    assert (found["same"], found["new"], found["gone"]) == (1, [], [])


def test_documents_are_added_searched_and_paged(served: Served) -> None:
    status, added = served.value("PUT", "/app/corpora/more/documents/a%2Fb%20c.md", DOCUMENT)
    assert (status, added["indexed"]) == (200, 1)
    names = {one["name"]: one["passages"] for one in served.value("GET", "/app/corpora")[1]["corpora"]}
    assert names == {"docs": 1, "more": 1}
    (found,) = served.value("GET", "/app/corpora/more/passages?q=parcels+norway")[1]["passages"]
    assert "Norway" in found["content"]
    assert "a/b c.md" in found["id"]
    assert len(served.value("GET", "/app/corpora/more/passages")[1]["passages"]) == 1
    assert served.value("GET", "/app/corpora/more/passages?offset=1")[1]["passages"] == []
    assert served.value("GET", "/app/corpora/none/passages")[0] == 404
    assert served.value("PUT", "/app/corpora/More%2F../documents/a.md", DOCUMENT)[0] == 400
    assert served.value("PUT", "/app/corpora/more/documents/a.exe", b"\0\1")[0] == 400


def test_a_run_is_forgotten_with_its_labels(served: Served) -> None:
    run_id = served.checked()
    served.value("POST", f"/app/runs/{run_id}/marks", {"claim_id": "c0001", "label": "supported"})
    assert served.value("DELETE", f"/v1/checks/{run_id}")[0] == 200
    assert served.value("GET", f"/app/runs/{run_id}")[0] == 404
    assert served.ask("GET", "/app/labels.jsonl")[2] == b""


def test_a_restart_loses_nothing_and_what_was_cut_off_can_be_started_again() -> None:
    with serving() as served:
        run_id = served.checked()
        served.value("POST", f"/app/runs/{run_id}/marks", {"claim_id": "c0001", "label": "supported"})
        cut = served.cut_off()
    with serving() as served:
        assert served.value("GET", f"/app/runs/{run_id}")[1]["marks"] == {"c0001": "supported"}
        assert served.ask("GET", f"/v1/checks/{run_id}/report")[0] == 200
        stood = served.value("GET", f"/v1/checks/{cut}")[1]
        assert (stood["status"], stood["outcome"], stood["error"]) == ("ABORTED", "error", CUT_OFF)
        status, again = served.value("POST", f"/v1/checks/{cut}/rerun?wait=25")
        assert (status, again["outcome"]) == (200, "block")
        assert served.value("POST", f"/v1/checks/{run_id}/rerun?wait=25")[1]["outcome"] == "block"


def test_what_waited_for_its_turn_when_the_server_was_killed_is_done_by_the_next_one() -> None:
    with serving() as served:
        waiting = [served.cut_off(f"api-{number}", begun=False) for number in range(5)]
        cut = served.cut_off()
    with serving() as served:
        found = [served.value("GET", f"/v1/checks/{run_id}?wait=25")[1] for run_id in waiting]
        assert {one["outcome"] for one in found} == {"block"}
        assert served.value("GET", f"/v1/checks/{cut}")[1]["error"] == CUT_OFF
        assert served.entrance.blob_store().exists("runs/api-0/begun.json") is False


def test_a_run_that_fails_says_why_and_the_next_one_is_served(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret")

    with monkeypatch.context() as patch:
        patch.setattr("gate.serving.local_runs.run_locally", broken)
        for _ in range(5):  # one more than there are workers
            _, found = served.value("POST", "/v1/checks?wait=25", CHECK)
            assert (found["status"], found["outcome"], found["error"]) == ("FAILED", "error", "RuntimeError")
    served.checked()


def test_fifty_people_at_once_are_all_served(served: Served) -> None:
    with ThreadPoolExecutor(50) as pool:
        texts = [f"{ANSWER} Boat {number} sinks." for number in range(50)]
        runs = list(pool.map(served.checked, texts))
    assert len(set(runs)) == 50
    assert served.value("GET", "/app/runs")[1]["more"] is False
    assert len(served.value("GET", "/app/runs")[1]["runs"]) == 50


def test_the_page_loads_nothing_from_elsewhere_and_its_policy_allows_no_markup(served: Served) -> None:
    status, headers, page = served.ask("GET", "/")
    assert status == 200
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert b"http://" not in page
    assert b"https://" not in page
    script = served.ask("GET", "/page.js")[2]
    assert b"innerHTML" not in script
    for path in ("/palette.css", "/page.css", "/page.svg"):
        assert served.ask("GET", path)[0] == 200
    assert served.ask("POST", "/", {})[0] == 405


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.2:1"}, 421),
        ({"host": ""}, 421),
        ({"host": "[::1].evil.example"}, 421),
        ({"host": "localhost:80@evil.example"}, 421),
        ({"host": "127.0.0.1:28484, evil.example"}, 421),
        ({"host": "localhost:1", "origin": "evil://localhost:1"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": ""}, 415),
    ],
)
def test_another_site_changes_nothing(headers: dict[str, str], status: int) -> None:
    mine = {"host": "localhost:1", "origin": "http://localhost:1", "content-type": "application/json"}
    mine |= {"content-length": "5", "sec-fetch-site": "same-origin"}
    Entry().check("POST", mine, is_public=False)
    with pytest.raises(Refused) as refused:
        Entry().check("POST", mine | headers, is_public=False)
    assert refused.value.status == status


def test_a_request_of_another_site_starts_nothing(served: Served) -> None:
    status, headers, _ = served.ask("POST", "/v1/checks", CHECK, Origin="http://evil.example")
    assert status == 403
    assert not [name for name in headers if name.startswith("access-control")]
    assert not served.value("GET", "/app/runs")[1]["runs"]


def test_a_path_that_names_nothing_is_refused_in_json(served: Served) -> None:
    for path in ("/app/corpora/../../etc", "/app/runs/..%2f..", "/page.py", "/app/runs/x/progress?seen=-1"):
        status, found = served.value("GET", path)
        assert status in (400, 404), path
        assert found


def test_a_body_larger_than_the_api_takes_is_refused_unread(served: Served) -> None:
    link = socket.create_connection(("127.0.0.1", served.port))
    lines = ["POST /v1/checks HTTP/1.1", "Host: localhost", "Content-Type: application/json"]
    head = "\r\n".join([*lines, "Content-Length: 200000000", "", ""]).encode()
    with link:
        link.sendall(head)
        assert b" 413 " in link.recv(200)
    assert served.value("POST", "/v1/checks", b"x" * 10_000_001, Content_Type="application/json")[0] == 413


def test_with_a_token_nothing_but_the_page_is_had_without_it() -> None:
    with serving(token=TOKEN) as served:
        mine = {"Authorization": f"Bearer {TOKEN}"}
        for path in ("/app/runs", "/v1/checks/x", "/openapi.json", "/app/labels.jsonl"):
            assert served.ask("GET", path)[0] == 401
            assert served.ask("GET", path, Authorization="Bearer another-token-altogether")[0] == 401
        assert served.ask("GET", "/")[0] == 200
        run_id = served.value("POST", "/v1/checks?wait=25", CHECK, **mine)[1]["id"]
        report = f"/v1/checks/{run_id}/report"
        ticket = served.value("POST", f"/app/ticket?run={run_id}", **mine)[1]["ticket"]
        assert served.ask("GET", f"/v1/checks/other/report?ticket={ticket}")[0] == 401
        ticket = served.value("POST", f"/app/ticket?run={run_id}", **mine)[1]["ticket"]
        assert served.ask("GET", f"{report}?ticket={ticket}")[0] == 200
        assert served.ask("GET", f"{report}?ticket={ticket}")[0] == 401, "it is good once"
        assert served.ask("GET", f"{report}?ticket=")[0] == 401


def test_an_address_is_a_name_only_where_there_is_a_token() -> None:
    headers = {"host": "192.0.2.7:8484"}
    Entry(token=TOKEN).check("GET", headers, is_public=True)
    with pytest.raises(Refused):
        Entry().check("GET", headers, is_public=True)
    Entry(hosts=frozenset({"gate.example"})).check("GET", {"host": "Gate.example"}, is_public=False)


def test_off_loopback_a_token_is_needed_and_a_short_one_is_refused(tmp_path: Path) -> None:
    short = tmp_path / "token"
    short.write_text("short\n")
    for arguments in (["--host", "0.0.0.0"], ["--token-file", str(short)]):
        found = CliRunner().invoke(group, ["serve", *arguments])
        assert found.exit_code == 2
        assert "token" in found.output


def test_a_server_that_is_to_keep_tenants_apart_does_not_start(
    entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrance.change(tenant_claim="sub")
    monkeypatch.setattr("gate.serving.serve_command._serve", lambda *_: pytest.fail("it started"))
    found = CliRunner().invoke(group, ["serve", "--port", "0"])
    assert (found.exit_code, "keeps no tenants apart" in found.output) == (2, True)


def test_a_port_in_use_and_a_folder_in_use_are_one_line(served: Served, tmp_path: Path) -> None:
    application = built(
        LocalEntrance(wiring.current().settings.model_copy(update={"home": tmp_path / "b"})), Entry(), 1
    )
    with pytest.raises(InputError, match="address already in use"):
        listening(application, "127.0.0.1", served.port, 1)
    from filelock import FileLock

    with FileLock(served.entrance.folder / "lock"):
        found = CliRunner().invoke(group, ["serve", "--port", "0"])
    assert (found.exit_code, "another server works with this GATE_HOME" in found.output) == (2, True)


def test_runs_of_a_newer_gate_are_left_alone(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "home" / "serve" / "runs.sqlite"
    RunTable(path).close()
    base = sqlite3.connect(path)
    base.execute("pragma user_version = 99")
    base.close()
    with pytest.raises(SettingsError, match="newer gate"):
        RunTable(path)
    path.write_bytes(b"no data base " * 100)
    with pytest.raises(SettingsError, match="cannot be used"):
        RunTable(path)


def test_a_policy_of_its_own_decides() -> None:
    entrance = LocalEntrance(wiring.current().settings, {"version": "ours", "unsupported": "pass"})
    data, version = entrance.uploads().current("given")
    assert (json.loads(data)["version"], len(version)) == ("ours", 12)


def events(data: bytes) -> list[tuple[str, Any]]:
    """What a client of server-sent events sees."""
    lines = [block.split("\n") for block in data.decode().split("\n\n") if block]
    return [(name.removeprefix("event: "), json.loads(value.removeprefix("data: "))) for name, value in lines]


def test_a_check_in_the_request_is_answered_by_its_report_and_nothing_of_it_is_kept(served: Served) -> None:
    status, report = served.value("POST", NOW, CHECK)
    assert (status, report["outcome"]) == (200, "block")
    assert [claim["status"] for claim in report["claims"]] == ["supported", "unsupported"]
    assert not served.value("GET", "/app/runs")[1]["runs"]
    assert not [path for path in served.entrance.folder.rglob("*") if path.is_file() and path.suffix == ".json"]
    _, part = served.value("POST", NOW, {**CHECK, "checked_to": ANSWER.index("Returns")})
    assert [claim["status"] for claim in part["claims"]] == ["unsupported"], "what was checked before is context"
    assert served.value("POST", NOW, {**CHECK, "checked_to": len(ANSWER)})[1]["outcome"] == "review"


def test_sentences_come_one_by_one_and_the_last_event_says_whether_all_passed(served: Served) -> None:
    status, headers, data = served.ask("POST", NOW, {**CHECK, "failing": "hold"}, Accept="text/event-stream")
    assert (status, headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    first, second, end = events(data)
    assert (first[0], first[1]["passed"], second[1]["passed"]) == ("sentence", True, False)
    assert first[1]["shown"] + second[1]["shown"] == f"{ANSWER.partition('Returns')[0]}[held back: unsupported]"
    assert second[1]["claims"][0]["status"] == "unsupported"
    assert end == ("end", {"sentences": 2, "passed": False})


def test_a_stream_that_breaks_off_says_so_and_lets_the_next_one_in(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError("a secret")

    with monkeypatch.context() as patch:
        patch.setattr("gate.serving.checks_now.report_of", broken)
        for _ in range(20):  # more than there are turns
            data = served.ask("POST", NOW, CHECK, Accept="text/event-stream")[2]
            assert events(data) == [("error", {"code": "InternalError", "message": "RuntimeError"})]
        assert served.value("POST", NOW, CHECK)[0] == 500
    assert served.value("POST", NOW, CHECK)[0] == 200


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ({"text": ""}, {}, 400),
        ({**CHECK, "transcript": {}}, {}, 400),
        ({**CHECK, "failing": "show"}, {}, 400),
        ({**CHECK, "search": {"index": "other"}}, {}, 400),
        ({**CHECK, "checked_to": 5}, {"Accept": "text/event-stream"}, 400),
        (b"\xff", {"Content_Type": "application/json"}, 400),
        (b"[" * 100_000, {"Content_Type": "application/json"}, 400),
        (CHECK, {"Origin": "http://evil.example"}, 403),
        (b"text=a", {"Content_Type": "application/x-www-form-urlencoded"}, 415),
        (b"x" * 10_000_001, {"Content_Type": "application/json"}, 413),
    ],
)
def test_what_cannot_be_checked_in_the_request_is_refused(
    served: Served, body: Any, headers: dict[str, str], status: int
) -> None:
    found, answered = served.value("POST", NOW, body, **headers)
    assert found == status
    assert answered["message"]


def test_a_check_that_cannot_start_in_time_says_when_to_come_again() -> None:
    now = ChecksNow(wiring.current(), jobs=1, wait_s=0.0)
    with now.turn():
        with pytest.raises(Refused) as refused, now.turn():
            pass
        assert (refused.value.status, refused.value.retry_after) == (429, 1)
    with now.turn():
        pass


def test_a_stream_reads_no_more_claims_than_a_check(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    few = served.entrance.settings.model_copy(update={"max_claims": 1})
    monkeypatch.setattr(served.entrance, "_given", few)
    first, last = events(served.ask("POST", NOW, CHECK, Accept="text/event-stream")[2])
    assert (first[0], last[0]) == ("sentence", "error")
    assert last[1] == {"code": "InputError", "message": "the text has more claims than one check reads"}


def test_a_stream_that_nobody_reads_to_its_end_gives_its_turn_back(served: Served) -> None:
    with wiring.entered(served.entrance):
        now = ChecksNow(served.entrance, jobs=1, wait_s=0.0)
        for read in (0, 1):
            stream = now.sentences({}, json.dumps(CHECK).encode())
            with pytest.raises(Refused):
                now.report({}, json.dumps(CHECK).encode())
            assert len([next(stream) for _ in range(read)]) == read
            stream.close()
        assert json.loads(now.report({}, json.dumps(CHECK).encode()))["outcome"] == "block"


class LongStream:
    """A stream of events in place of a check's; `made` counts those that were asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made, self.ended = 0, threading.Event()
        monkeypatch.setattr("gate.serving.client_connections.UNREAD_S", 0.5)
        monkeypatch.setattr(ChecksNow, "sentences", lambda *_: self.events())

    def events(self) -> Iterator[bytes]:
        try:
            while self.made < 100:
                self.made += 1
                yield b"x" * 500_000
        finally:
            self.ended.set()


@contextmanager
def asking_for_a_stream(served: Served) -> Iterator[socket.socket]:
    """A client with little room for what it is sent."""
    body = json.dumps(CHECK).encode()
    lines = [f"POST {NOW} HTTP/1.1", "Host: 127.0.0.1", "Accept: text/event-stream", "Connection: close"]
    lines += ["Content-Type: application/json", f"Content-Length: {len(body)}", "", ""]
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        client.connect(("127.0.0.1", served.port))
        client.sendall("\r\n".join(lines).encode() + body)
        assert client.recv(15) == b"HTTP/1.1 200 OK"
        yield client


def test_a_client_that_stops_reading_is_let_go_and_holds_nobody(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = LongStream(monkeypatch)
    with asking_for_a_stream(served):
        assert stream.ended.wait(15)
    assert stream.made < 100


def test_a_client_that_reads_slowly_is_served_to_the_end(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    stream, read = LongStream(monkeypatch), 0
    with asking_for_a_stream(served) as client:
        while data := client.recv(1_000_000):
            if read // 20_000_000 != (read + len(data)) // 20_000_000:
                time.sleep(0.2)
            read += len(data)
    assert stream.made == 100
    assert read > 50_000_000


def is_closed(link: socket.socket) -> bool:
    link.settimeout(10)
    try:
        return link.recv(1) == b""
    except ConnectionError:
        return True


def test_one_address_never_takes_all_connections(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.serving.client_connections.MOST_OF_ONE", 3)
    with ExitStack() as stack:
        links = [stack.enter_context(socket.create_connection(("127.0.0.1", served.port))) for _ in range(4)]
        assert is_closed(links[3])
        source = ("127.0.0.2", 0)
        with socket.create_connection(("127.0.0.1", served.port), source_address=source) as other:
            other.sendall(b"GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert other.recv(15) == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize("piece", [b"\r\n", b"A: b\r\n"])
def test_a_request_that_comes_a_byte_now_and_then_is_not_waited_for(
    served: Served, monkeypatch: pytest.MonkeyPatch, piece: bytes
) -> None:
    monkeypatch.setattr("gate.serving.client_connections.REQUEST_S", 1.0)
    with socket.create_connection(("127.0.0.1", served.port)) as link:
        link.sendall(b"GET /v1/health HTTP/1.1\r\n" if piece[:1] == b"A" else piece)
        until = time.monotonic() + 10
        with suppress(ConnectionError):
            while time.monotonic() < until:
                link.sendall(piece)
                time.sleep(0.2)
        assert time.monotonic() < until


def test_a_check_that_waits_for_its_turn_says_how_many_begin_before_it_and_one_too_many_when_to_come_again(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = threading.Event()

    def slow(*given: Any, **named: Any) -> LocalRun:
        assert done.wait(10)
        return run_locally(*given, **named)

    monkeypatch.setattr(local_runs, "run_locally", slow)
    begun = [served.value("POST", "/v1/checks", CHECK | {"name": f"{at}.md"})[1]["id"] for at in range(4)]
    until = time.monotonic() + 10
    while any(served.value("GET", f"/v1/checks/{run_id}")[1]["queued"] is not None for run_id in begun):
        assert time.monotonic() < until
    waiting = [served.value("POST", "/v1/checks", CHECK | {"name": f"{at}.md"})[1] for at in range(4, 7)]
    assert [one["queued"] for one in waiting] == [0, 1, 2]
    runs = served.entrance.runs()
    assert isinstance(runs, local_runs.LocalRuns)
    runs._waiting.maxsize = len(waiting)
    status, headers, data = served.ask("POST", "/v1/checks", CHECK)
    assert (status, headers["retry-after"], json.loads(data)["message"]) == (429, "10", "3 checks wait already")
    done.set()


def test_a_busy_server_and_a_spent_day_are_429_with_the_time_to_wait(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spent(*_: Any) -> None:
        raise BudgetReachedError("the tenant has spent its tokens")

    for name, raised in (("ChecksNow.turn", refusing), ("refuse_spent", spent)):
        with monkeypatch.context() as patch:
            patch.setattr(f"gate.serving.checks_now.{name}", raised)
            for accept in ("application/json", "text/event-stream"):
                status, headers, _ = served.ask("POST", NOW, CHECK, Accept=accept)
                assert (status, int(headers["retry-after"]) > 0) == (429, True)


@contextmanager
def refusing(_: ChecksNow) -> Iterator[None]:
    """A turn that is not had."""
    raise _busy()
    yield


def test_a_check_in_the_request_needs_the_token_where_there_is_one() -> None:
    with serving(token=TOKEN) as served:
        assert served.ask("POST", NOW, CHECK)[0] == 401
        assert served.ask("POST", NOW, CHECK, Authorization=f"Bearer {TOKEN}")[0] == 200
