"""Two hundred real claims over the real articles: what goes in comes out, and nothing is lost on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gate import cli
from gate.reports.model import Report
from gate.settings import Settings
from tests.entrance import Entrance

pytestmark = pytest.mark.e2e

CLAIMS = 200


def test_two_hundred_claims_come_out_as_two_hundred_verdicts(
    entrance: Entrance, labelled_data: Path, tmp_path: Path
) -> None:
    lines = (labelled_data / "wice-claim-doc-dev.jsonl").read_text(encoding="utf-8").splitlines()[:CLAIMS]
    rows = [json.loads(line) for line in lines]
    articles = tmp_path / "articles"
    articles.mkdir()
    for row in rows:
        (articles / f"{row['id']}.txt").write_text("\n".join(row["evidence"]), encoding="utf-8")
    answer = tmp_path / "answer.md"
    answer.write_text("\n\n".join(row["claim"] for row in rows), encoding="utf-8")
    # Keywords alone: embedding the articles takes minutes on two cores, and the accounting is the same.
    entrance.use(Settings(home=tmp_path / "home", embedder="none"))

    result = CliRunner().invoke(cli.group, ["check", str(answer), "--corpus", str(articles), "--format", "json"])

    assert result.exit_code == 1, result.output
    report = Report.model_validate_json(result.stdout)
    accounting = report.accounting
    assert accounting is not None
    assert len(report.claims) >= CLAIMS
    assert accounting["verdicts"] + accounting["unchecked"] + accounting["non_claims"] == accounting["sentences"]
    assert (accounting["claims"], accounting["unchecked"]) == (len(report.claims), 0)
    assert accounting["integrity"] == "SUCCESS"
    assert [claim.claim_id for claim in report.claims] == [f"c{n:04d}" for n in range(1, len(report.claims) + 1)]
    text = report.turns[0].content
    assert all(text[claim.start : claim.end].strip() for claim in report.claims)
