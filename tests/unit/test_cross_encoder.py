"""Stage two of the local verifier: the encoder's margins beside the counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.adapters import local_verifier
from gate.adapters.local_verifier import cross_encoder
from gate.adapters.local_verifier.cross_encoder import FURTHEST, CrossEncoder, encoded, margins
from gate.adapters.local_verifier.description import VIEWS
from gate.adapters.local_verifier.lexical import read
from gate.model import Answer
from tests.builders import a_document

BRIDGE = "The Hollow Bridge spans the Rhine near Basel and was opened by the mayor in 1901."


@pytest.fixture(scope="module")
def encoder() -> CrossEncoder:
    return cross_encoder.shipped_encoder()


def judge(claim: str, *texts: str) -> Answer:
    documents = [a_document(text) for text in texts]
    return local_verifier.local_verifier().judge(claim, "", documents).answer  # type: ignore[arg-type]


def test_margins_are_log_odds_against_the_rest_and_bounded() -> None:
    assert margins([0.0, 0.0, 0.0]) == pytest.approx((-0.6931, -0.6931), abs=1e-3)
    assert margins([-50.0, 50.0, -50.0]) == (FURTHEST, -FURTHEST)


@pytest.mark.parametrize(
    ("evidence", "entailed", "not_entailed"),
    [
        ("A dog is sleeping on the sofa.", "An animal is asleep.", "A dog is running in the park."),
        ("The museum has been closed since May.", "The museum is closed.", "The museum is open every day."),
        ("She won the final against Norway.", "She beat Norway in the final.", "She lost the final against Norway."),
    ],
)
def test_what_the_evidence_says_in_other_words_ranks_above_what_it_denies(
    encoder: CrossEncoder, evidence: str, entailed: str, not_entailed: str
) -> None:
    assert encoder.margins(entailed, evidence)[0] > encoder.margins(not_entailed, evidence)[0]


def test_views_that_read_the_same_are_scored_once() -> None:
    class Counting:
        calls = 0

        def margins(self, claim: str, evidence: str) -> tuple[float, float]:
            self.calls += 1
            return float(len(evidence)), 0.0

    one = Counting()
    reading = read("The bridge spans the Rhine.", [BRIDGE], lambda key: 5.0)
    assert encoded(one, reading) == (len(BRIDGE), 0.0) * len(VIEWS)  # type: ignore[arg-type]
    assert one.calls == 1


def test_very_long_claims_and_evidence_are_cut_not_refused(encoder: CrossEncoder) -> None:
    support, refute = encoder.margins("word " * 2000, "text " * 5000)
    assert -FURTHEST <= support <= FURTHEST
    assert -FURTHEST <= refute <= FURTHEST


def test_the_joined_verifier_names_itself_and_is_the_same_each_time() -> None:
    verifier = local_verifier.local_verifier()
    assert verifier.name.startswith("local-joined/")
    assert judge("The Hollow Bridge spans the Rhine.", BRIDGE) == judge("The Hollow Bridge spans the Rhine.", BRIDGE)


def test_a_claim_that_the_evidence_repeats_is_supported() -> None:
    assert judge("The Hollow Bridge spans the Rhine near Basel.", "It rained.", BRIDGE).label == "supported"


def test_without_onnxruntime_the_lexical_stage_answers_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross_encoder, "find_spec", lambda name: None if name == "onnxruntime" else object())
    verifier = local_verifier.local_verifier()
    assert verifier.name.startswith("local-lexical/")
    assert "onnxruntime not installed" in verifier.name


def test_without_weights_the_lexical_stage_answers_and_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cross_encoder, "weights", lambda: tmp_path)
    assert "weights not installed" in local_verifier.local_verifier().name
