"""The demonstration: an answer whose claims a person has labelled, checked as a new user checks it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.reports.model import Report
from gate.settings import Settings
from gate.wiring import Wiring
from tests.documents import ROOT, example, renewed
from tests.entrance import Entrance

pytestmark = pytest.mark.e2e

DEMO = Path(__file__).parents[2] / "events" / "demo"
LABELS: dict[str, Any] = json.loads((DEMO / "labels.json").read_text(encoding="utf-8"))
BY_HAND = {claim["text"]: claim["label"] for claim in LABELS["claims"]}
BLIND = {claim["text"]: claim["label"] for claim in LABELS["claims"] if "labelled" not in claim}
"""Labelled before any verifier was seen; only these say how good one is."""
SHARE = re.compile(r"(\d+) ?%")
"""A probability as it is printed: the encoder's rounding differs by the processor, by a point or two of a hundred."""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """What `make demo` finds, with the settings that a new user has."""
    command = ["check", str(DEMO / "answer.md"), "--corpus", str(DEMO / "corpus.jsonl"), "--format", "json"]
    with wiring.entered(Wiring(Settings(home=tmp_path_factory.mktemp("demo")))):
        result = CliRunner().invoke(cli.group, command)
    assert result.exit_code == 1, result.output
    return Report.model_validate_json(result.stdout)


def test_the_sample_is_what_its_description_says() -> None:
    passages = [json.loads(line) for line in (DEMO / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    answer = (DEMO / "answer.md").read_text(encoding="utf-8")
    assert len(passages) >= 30
    assert set(BY_HAND.values()) == {"supported", "weakly_supported", "unsupported"}
    assert all(text in answer for text in BY_HAND)
    assert {key for claim in LABELS["claims"] for key in claim["passages"]} <= {one["id"] for one in passages}


def test_the_decision_is_block(report: Report) -> None:
    assert report.outcome == LABELS["decision"] == "block"


def test_every_labelled_claim_is_a_claim_and_every_sentence_is_accounted_for(report: Report) -> None:
    assert BY_HAND.keys() <= {claim.text for claim in report.claims}
    text = report.turns[0].content
    spans = [(claim.start, claim.end) for claim in report.claims]
    spans += [(sentence.start, sentence.end) for sentence in report.non_claims]
    left = [text[end:start] for (_, end), (start, _) in zip(sorted(spans), sorted(spans)[1:], strict=False)]
    assert not [gap for gap in left if any(letter.isalnum() for letter in gap)]


def test_nothing_is_unchecked(report: Report) -> None:
    assert not [claim.claim_id for claim in report.claims if claim.status == "unchecked"]
    assert report.integrity == "SUCCESS"


def test_at_least_three_labels_in_four_are_those_of_a_careful_person(report: Report) -> None:
    matching = [claim for claim in report.claims if BLIND.get(claim.text) == claim.status]
    assert len(BLIND) == 26
    assert len(matching) / len(BLIND) >= 3 / 4, f"{len(matching)} of {len(BLIND)} match"


def test_no_false_claim_is_called_supported(report: Report) -> None:
    found = [c.text for c in report.claims if BY_HAND.get(c.text) == "unsupported" and c.status == "supported"]
    assert not found, f"{len(found)}: {found}"


def test_the_example_in_the_readme_prints_what_it_says() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    printed = renewed(readme, {"example": example})
    assert SHARE.sub("%", readme) == SHARE.sub("%", printed), "run `make documents`"
    assert _shares(readme) == pytest.approx(_shares(printed), abs=5), "run `make documents`"


def _shares(text: str) -> list[int]:
    return [int(share) for share in SHARE.findall(text)]


@pytest.mark.parametrize(("name", "turns", "claims"), [("own", 5, 4), ("messages", 5, 3)])
def test_the_sample_transcripts_are_checked(
    entrance: Entrance, name: str, turns: int, claims: int, tmp_path: Path
) -> None:
    entrance.use(Settings(home=tmp_path, embedder="none"))
    command = ["check", str(DEMO.parent / "transcripts" / f"{name}.json"), "--corpus", str(DEMO / "corpus.jsonl")]
    report = Report.model_validate_json(CliRunner().invoke(cli.group, [*command, "-f", "json"]).stdout)
    assert len(report.turns) == turns
    assert len(report.claims) == claims
    assert {report.turns[claim.turn].role for claim in report.claims} == {"assistant"}
    assert "kari.nordmann" not in report.model_dump_json()
    assert bool(report.citations) == (name == "own")
