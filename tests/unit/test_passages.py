"""What a passage is, what of a query is looked up, and which filter lets a passage through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.adapters.embedded.analysis import query_terms
from gate.adapters.embedded.part_files import PartReader, PartWriter
from gate.ports import SearchFilter
from gate.retrieval.passages import allowed, canonical, day, last_day, passage
from gate.retrieval.query_terms import LANGUAGES, MAX_WORDS, words

TEXT = st.text(max_size=30)
NAMES = st.sampled_from(["", "a", "b", "ä", "a b"])
DATES = st.sampled_from(["", "2023", "2024-02", "2024-02-29", "2024-12-31T23:59:59Z", "soon"])
RECORDS = st.fixed_dictionaries(
    {"content": st.just("text")},
    optional={"tenant": NAMES, "source": NAMES, "classification": NAMES, "published_date": DATES},
)
FILTERS = st.builds(
    SearchFilter,
    tenant=st.none() | NAMES.filter(bool),
    sources=st.lists(NAMES.filter(bool), max_size=2).map(tuple),
    classifications=st.lists(NAMES.filter(bool), max_size=2).map(tuple),
    published_from=st.none() | DATES.filter(day),
    published_to=st.none() | DATES.filter(day),
)


@given(st.dictionaries(st.sampled_from(["id", "title", "text", "content", "url", "date", "odd", "metadata"]), TEXT))
def test_a_passage_stays_the_same_when_it_is_read_again(raw: dict[str, Any]) -> None:
    try:
        once = passage(raw)
    except ValueError:
        return
    assert passage(once) == once
    assert json.loads(canonical(once)) == once


def test_other_names_for_fields_are_understood() -> None:
    found = passage({"_id": 7, "page_content": "x", "metadata": {"title": "T", "date": "2024"}})
    assert {key: found[key] for key in ("id", "content", "title", "published_date")} == {
        "id": "7",
        "content": "x",
        "title": "T",
        "published_date": "2024",
    }


@pytest.mark.parametrize(
    "raw",
    [{}, {"content": ""}, {"content": 5}, {"content": "x", "id": ""}, {"content": "x", "title": ["t"]},
     {"content": "x", "start": "1"}, {"content": "x", "id": "i" * 513}],
)  # fmt: skip
def test_what_is_no_passage_is_refused_with_a_reason(raw: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"`\w+`"):
        passage(raw)


def test_two_passages_of_the_same_text_and_another_id_have_the_same_hash() -> None:
    assert passage({"id": "a", "content": "x"})["chunk_sha"] == passage({"id": "b", "content": "x"})["chunk_sha"]
    assert passage({"id": "a", "content": "x"})["chunk_sha"] != passage({"id": "a", "content": "y"})["chunk_sha"]


def test_dates_without_a_day_begin_with_the_first_and_end_with_the_last() -> None:
    assert (day("2024"), last_day("2024")) == (20240101, 20249999)
    assert (day("2024-06"), last_day("2024-06")) == (20240601, 20240699)
    assert day("2024-06-05T10:00:00Z") == last_day("2024-06-05") == 20240605
    assert day("June 2024") == last_day(None) == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(RECORDS, max_size=8), FILTERS)
def test_the_columns_on_disk_filter_as_the_passages_themselves(
    tmp_path: Path, records: list[dict[str, Any]], where: SearchFilter
) -> None:
    passages = [passage({**record, "id": str(at)}) for at, record in enumerate(records)]
    writer = PartWriter(tmp_path, "part", None)
    writer.add(passages, None)
    writer.close()
    part = PartReader(tmp_path, "part", len(passages), None)
    assert np.flatnonzero(part.passes(where)).tolist() == [
        at for at, each in enumerate(passages) if allowed(each, where)
    ]
    assert [part.passage(at) for at in range(len(passages))] == passages


@given(st.text(max_size=300))
def test_only_words_are_left_of_a_query_each_once(query: str) -> None:
    found = words(query).split()
    assert len(found) == len(set(found)) <= MAX_WORDS
    assert not set("".join(found)) & set('+-:"()[]{}^~*?/\\|&!<>=@#$%;')


def test_numbers_and_apostrophes_stay_whole() -> None:
    assert words("It’s 3.5 %, or 1,000.50: don't (C-3) x=y") == "It's 3.5 or 1,000.50 don't C 3 x y"


def test_what_is_written_without_spaces_is_looked_up_by_two_signs() -> None:
    assert words("返品は30日以内、サーバー側 수도는") == "返品 品は 30 日以 以内 サーバー 側 수도는"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_of_a_corpus_can_be_analysed_here(language: str) -> None:
    assert query_terms("server 3.5 Łódź", language)
