"""The cards of thirty labelled answers: the sentence that is marked, the number, the correction."""

from __future__ import annotations

import pytest

from tests.quality.marked_sentences import counted

pytestmark = pytest.mark.quality


def test_cards_of_answers_labelled_beforehand_mark_the_right_sentence_and_offer_right_corrections() -> None:
    counts, wrong = counted()
    claims, refuted = counts["claims refuted"] + counts["claims supported"], counts["claims refuted"]
    assert (claims, refuted) == (49, 30)
    assert counts["sentence right"] >= 0.95 * claims, wrong
    assert counts["number agrees"] == claims, wrong
    offered = refuted - counts["correction none"]
    assert offered >= 0.6 * refuted, wrong
    assert counts["correction right"] >= 0.95 * offered, wrong
