"""Reciprocal rank fusion."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gate.retrieval.deduplication import document_id
from gate.retrieval.fusion import reciprocal_rank

IDS = st.lists(st.sampled_from("abcdefgh"), max_size=8)


def test_an_id_high_in_both_lists_comes_first() -> None:
    assert [key for key, _ in reciprocal_rank([["a", "b"], ["b", "c"]])] == ["b", "a", "c"]


def test_scores_are_sums_of_one_over_sixty_plus_rank() -> None:
    assert dict(reciprocal_rank([["a", "b"], ["b"]])) == {"b": 1 / 62 + 1 / 61, "a": 1 / 61}


def test_one_list_keeps_its_order() -> None:
    assert [key for key, _ in reciprocal_rank([["c", "a", "b"]])] == ["c", "a", "b"]


@given(st.lists(IDS, max_size=4))
def test_nothing_is_lost_or_added_and_scores_fall(lists: list[list[str]]) -> None:
    fused = reciprocal_rank(lists)
    assert {key for key, _ in fused} == {key for ranked in lists for key in ranked}
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)


@given(IDS)
def test_a_repeated_id_counts_once_at_its_better_rank(ranked: list[str]) -> None:
    assert reciprocal_rank([ranked]) == reciprocal_rank([list(dict.fromkeys(ranked))])


def test_an_empty_id_is_an_id() -> None:
    assert document_id({"id": "", "content": "x"}) == ""
    assert document_id({"content": "x"}).startswith("sha256:")
