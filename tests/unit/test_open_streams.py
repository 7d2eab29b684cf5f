"""An answer that is sent to `gate serve` while it is written: its sentences come back request by request."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http import HTTPStatus
from threading import Event
from typing import Any

import pytest

from gate.serving import open_streams
from gate.serving.checks_now import AnswerInPieces, ChecksNow
from gate.serving.entry_guard import Refused
from tests.local_server import ANSWER, Served, serving

STREAMS = "/v1/streams"
FIRST, SECOND = "Standard parcels to Norway take 4 to 7 days. ", "Returns are free for 90 days."


@pytest.fixture
def served() -> Iterator[Served]:
    with serving() as found:
        yield found


def begin(served: Served, text: str = FIRST, **more: Any) -> dict[str, Any]:
    body = {"text": text, "failing": "hold", "search": {"index": "docs"}, **more}
    status, found = served.value("POST", STREAMS, body)
    assert status == 201, found
    began: dict[str, Any] = found
    return began


def append(served: Served, id: str, text: str, **more: Any) -> tuple[int, Any]:
    return served.value("POST", f"{STREAMS}/{id}:append", {"text": text, **more})


def end(served: Served, id: str) -> tuple[int, Any]:
    return served.value("POST", f"{STREAMS}/{id}:end", {})


@pytest.mark.parametrize("size", [7, 30, len(ANSWER)])
def test_sentences_come_back_as_they_end_and_the_end_says_whether_all_passed(served: Served, size: int) -> None:
    pieces = [ANSWER[at : at + size] for at in range(0, len(ANSWER), size)]
    began = begin(served, pieces[0])
    answers = [began, *(append(served, began["id"], piece)[1] for piece in pieces[1:])]
    status, last = end(served, began["id"])
    sentences = [one for answer in [*answers, last] for one in answer["sentences"]]
    assert [(one["text"], one["passed"]) for one in sentences] == [(FIRST, True), (SECOND, False)]
    assert "".join(one["shown"] for one in sentences) == f"{FIRST}[held back: unsupported]"
    assert (status, last["count"], last["passed"], last["received"]) == (200, 2, False, len(ANSWER))
    assert end(served, began["id"])[0] == 404


def test_a_sentence_comes_back_before_the_answer_has_ended(served: Served) -> None:
    began = begin(served)
    assert not began["sentences"]
    _, found = append(served, began["id"], SECOND[:15])
    assert [one["text"] for one in found["sentences"]] == [FIRST]


def test_a_piece_that_is_sent_again_is_answered_as_it_was_and_one_that_is_missing_is_told(served: Served) -> None:
    id = begin(served)["id"]
    once, again = (append(served, id, SECOND, at=len(FIRST)) for _ in range(2))
    assert once == again
    assert once[1]["received"] == len(ANSWER)
    status, refused = append(served, id, "More.", at=len(ANSWER) + 5)
    assert (status, refused["code"]) == (409, "ConflictError")
    assert refused["message"] == f"{len(ANSWER)} characters have come, not {len(ANSWER) + 5}"
    assert end(served, id)[1]["count"] == 2


def test_an_answer_of_nothing_but_blanks_has_not_passed(served: Served) -> None:
    assert end(served, begin(served, "  ")["id"])[1] == {
        "sentences": [], "received": 2, "count": 0, "passed": False,
    }  # fmt: skip


def test_what_goes_wrong_inside_closes_the_stream(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    id = begin(served)["id"]
    with monkeypatch.context() as patch:
        patch.setattr("gate.serving.checks_now.report_of", broken)
        assert append(served, id, SECOND)[0] == 500
    assert append(served, id, "More.")[0] == 404
    assert end(served, id)[0] == 404


def broken(*_: Any, **__: Any) -> None:
    raise RuntimeError("a secret")


def test_a_stream_has_no_more_characters_and_claims_than_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(max_turn_chars=60, max_claims=1) as served:
        long, many = begin(served)["id"], begin(served, FIRST[:20])["id"]
        status, refused = append(served, long, "x" * 60)
        assert (status, refused["message"]) == (400, "an answer has 60 characters at most")
        append(served, many, "ay take 3 days. Yes, it is.")
        status, refused = end(served, many)
        assert (status, refused["message"]) == (400, "the text has more claims than one check reads")
        assert {end(served, id)[0] for id in (long, many)} == {404}


def test_a_stream_to_which_nothing_comes_is_closed(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    id = begin(served)["id"]
    monkeypatch.setattr(open_streams, "IDLE_S", 0.0)
    assert append(served, id, SECOND)[0] == 404


def test_no_more_streams_are_open_than_may_be_and_idle_ones_make_room(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(open_streams, "OPEN", 1)
    monkeypatch.setattr(open_streams, "monotonic", lambda: clock[0])
    first = begin(served)["id"]
    status, headers, _ = served.ask("POST", STREAMS, {"text": FIRST, "search": {"index": "docs"}})
    assert (status, headers["retry-after"]) == (429, "1")
    clock[0] = 121.0
    assert begin(served)["id"]
    assert append(served, first, SECOND)[0] == 404


def test_a_piece_for_which_there_is_no_turn_was_not_taken(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    id = begin(served)["id"]
    with monkeypatch.context() as patch:
        patch.setattr(ChecksNow, "turn", refusing)
        assert append(served, id, SECOND, at=len(FIRST))[0] == 429
        assert served.value("POST", STREAMS, {"text": FIRST, "search": {"index": "docs"}})[0] == 429
    assert append(served, id, SECOND, at=len(FIRST))[1]["received"] == len(ANSWER)


@contextmanager
def refusing(_: ChecksNow) -> Iterator[None]:
    raise Refused(HTTPStatus.TOO_MANY_REQUESTS, "too many", retry_after=1)
    yield


def test_two_pieces_at_once_are_not_taken_for_one_after_the_other(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    id, begun, go_on = begin(served)["id"], Event(), Event()
    feed = AnswerInPieces.feed

    def waiting(answer: AnswerInPieces, piece: str) -> Any:
        begun.set()
        assert go_on.wait(10)
        return feed(answer, piece)

    monkeypatch.setattr(AnswerInPieces, "feed", waiting)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(append, served, id, SECOND)
        assert begun.wait(10)
        assert append(served, id, "More.")[0] == 409
        go_on.set()
        assert first.result()[0] == 200


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (STREAMS, {"text": ""}, 400),
        (STREAMS, {"text": "It is.", "checked_to": 1}, 400),
        (STREAMS, {"transcript": {"messages": []}}, 400),
        (STREAMS, {"text": "It is.", "search": {"index": "other"}}, 400),
        (f"{STREAMS}/x:append", {"text": ""}, 400),
        (f"{STREAMS}/x:append", {"text": "a", "at": -1}, 400),
        (f"{STREAMS}/x:append", {"text": "a"}, 404),
        (f"{STREAMS}/x:append", b"\xff", 400),
        (f"{STREAMS}/x:read", {}, 404),
        (f"{STREAMS}/", {}, 400),
    ],
)
def test_what_is_no_stream_is_refused(served: Served, path: str, body: Any, status: int) -> None:
    found, answer = served.value("POST", path, body, Content_Type="application/json")
    assert found == status
    assert answer["message"]
