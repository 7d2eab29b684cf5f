"""What may be uploaded, and how it is read."""

from __future__ import annotations

import gzip
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import InputError
from gate.submission.events import failed_run, uploaded
from gate.submission.uploads import kind_of, lines_of, plain_name, text_of, unpacked
from tests.aws_events import an_event


def pieces(data: bytes, size: int = 5) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@pytest.mark.parametrize(
    ("key", "kind"),
    [("a/b.md", "check"), ("B.JSON", "check"), ("c.txt.gz", "check"), ("d.jsonl", "batch"), ("e.ndjson.GZ", "batch")],
)
def test_the_name_of_an_upload_says_what_is_done_with_it(key: str, kind: str) -> None:
    assert kind_of(key) == kind


@pytest.mark.parametrize("key", ["a.exe", "a", "a.zip", "a.tar.gz", ".gz", "a.pdf"])
def test_an_upload_of_an_unknown_type_is_refused(key: str) -> None:
    with pytest.raises(InputError, match="unknown type"):
        kind_of(key)


def test_the_name_of_a_packed_upload_is_the_one_it_had_before() -> None:
    assert plain_name("transcripts/x/answer.md.gz") == "answer.md"


@given(st.text(st.characters(codec="utf-8")), st.booleans())
def test_a_text_comes_out_as_it_went_in_packed_or_not(text: str, packed: bool) -> None:
    data = gzip.compress(text.encode()) if packed else text.encode()
    read = text_of(pieces(data), "a.txt.gz" if packed else "a.txt", max_bytes=10_000_000)
    assert read == text.removeprefix("\ufeff")


@pytest.mark.parametrize(
    ("data", "key", "message"),
    [
        (b"x" * 101, "a.txt", "larger than 100 bytes"),
        (gzip.compress(b"x" * 101, mtime=0), "a.txt.gz", "unpacks to more than 100 bytes"),
        (b"abc\xff", "a.txt", "not UTF-8 at byte 3"),
        (b"plain", "a.txt.gz", "not a gzip file"),
        (gzip.compress(bytes(range(60)), mtime=0)[:-9], "a.txt.gz", "cut off"),
    ],
)
def test_an_upload_that_cannot_be_read_is_refused_in_one_line(data: bytes, key: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        text_of(pieces(data), key, max_bytes=100)


@given(st.lists(st.binary(max_size=20), min_size=1, max_size=4), st.integers(1, 30))
def test_every_member_of_a_packed_upload_is_read(members: list[bytes], size: int) -> None:
    packed = b"".join(map(gzip.compress, members))
    assert b"".join(unpacked(pieces(packed, size), max_bytes=1_000)) == b"".join(members)


@pytest.mark.parametrize("behind", [b"garbage", b"\0\0", gzip.compress(b"x" * 60, mtime=0)[:-9]])
def test_something_else_behind_the_last_member_is_refused_and_not_left_out(behind: bytes) -> None:
    with pytest.raises(InputError, match=r"something else behind it|cut off"):
        text_of([gzip.compress(b"first") + behind], "a.txt.gz", max_bytes=1_000)


def test_a_hundred_thousand_members_in_one_piece_take_linear_time() -> None:
    packed, before = gzip.compress(b"") * 100_000, process_time()
    assert not b"".join(unpacked([packed], max_bytes=1_000))
    assert process_time() - before < 2  # 0.1 s; where each member copies what is behind it, 6 s


def test_a_bomb_of_many_members_is_stopped_too() -> None:
    member = gzip.compress(bytes(1_000_000), 9)
    with pytest.raises(InputError, match="times its size"):
        sum(map(len, unpacked([member] * 50, max_bytes=10**12)))


def test_a_bomb_is_stopped_long_before_it_has_gone_off() -> None:
    bomb = gzip.compress(bytes(40_000_000))
    sizes: list[int] = []
    with pytest.raises(InputError, match="times its size"):
        sizes.extend(map(len, unpacked(pieces(bomb, 65_536), max_bytes=10**12)))
    assert sum(sizes) < 10_000_000


@given(st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b"")), max_size=8), st.integers(1, 9))
def test_every_line_is_counted_one_that_is_too_long_as_none(lines: list[bytes], size: int) -> None:
    found = list(lines_of(pieces(b"\n".join(lines), size), "a.jsonl", max_line=8, max_bytes=10_000))
    expected = [line if len(line) <= 8 else None for line in lines if line.strip() or len(line) > 8]
    assert found == expected


def test_an_upload_event_names_the_version_and_the_same_event_the_same_run() -> None:
    upload = uploaded(an_event("s3_transcript_uploaded"))
    assert (upload.key, upload.size) == ("transcripts/support/answer 7.md", 214)
    assert upload.version == "IYV3p45BT0ac8hjHg1houSdS1a.Mro8e"
    assert upload.run_id("1") == uploaded(an_event("s3_transcript_uploaded")).run_id("1") != upload.run_id("2")
    assert len(upload.run_id("1")) <= 80


def s3_event(**item: object) -> dict[str, object]:
    return {"detail": {"bucket": {"name": "b"}, "object": {"key": "k", "size": 1, **item}}}


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"detail": None},
        {"detail": {"object": {"key": "k"}}},
        {"Records": []},
        {"detail": {"bucket": {"name": "b"}, "object": "k"}},
        {"detail": {"bucket": {"name": None}, "object": {"key": "k", "size": 1}}},
        s3_event(key=None),
        s3_event(key=""),
        s3_event(size=float("inf")),
        s3_event(size=-1),
        s3_event(**{"version-id": 5}),
    ],
)
def test_an_event_that_is_no_upload_is_refused(event: dict[str, object]) -> None:
    with pytest.raises(InputError, match="Object Created"):
        uploaded(event)


def test_a_failed_execution_becomes_what_publish_failure_reads() -> None:
    called = failed_run(an_event("execution_failed"))
    assert called is not None
    assert called["run_id"] == "api-5e1d"
    assert called["state"]["failure"]["error"] == "InputError"
    assert failed_run({"run_id": "r", "state": {}}) is None
