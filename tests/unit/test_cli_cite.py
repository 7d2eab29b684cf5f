"""`gate cite` as it is used, on a real embedded store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gate import cli

PASSAGES = [
    {"id": "p1", "text": "Payment plans: call 555-123-4567 to set one up.", "title": "Plans", "source": "tax_irs"},
    {"id": "p2", "text": "Write to ann@example.com about payment plans.", "title": "Contact", "source": "wiki"},
    {"id": "p3", "text": "The library opens at nine.", "title": "Hours", "source": "wiki"},
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text("".join(json.dumps(each) + "\n" for each in PASSAGES))
    Path("segment.json").write_text(json.dumps({"use_case_label": "Payment Plans", "reasons": ["from b@example.com"]}))
    return tmp_path


def cite(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(cli.group, ["cite", "--segment", "segment.json", *arguments])
    assert result.exit_code == code, result.output + str(result.exception)
    return result


def test_citations_are_printed_redacted(folder: Path) -> None:
    printed = cite("--corpus", "corpus.jsonl", "-k", "2").output
    assert "query: Payment Plans | from [REDACTED_EMAIL]" in printed
    assert "1. Plans\n   tax_irs\n   Payment plans: call [REDACTED_PHONE] to set one up." in printed
    assert "[REDACTED_EMAIL] about payment plans" in printed
    assert "555-123-4567" not in printed
    assert "example.com" not in printed


def test_json_has_scores_and_what_was_redacted_and_no_stored_text(folder: Path) -> None:
    answer = json.loads(cite("--corpus", "corpus.jsonl", "--json").output)
    first = answer["citations"][0]
    assert first["text"] == first["redacted_text"]
    assert first["score"] > 0
    assert [each["kind"] for each in first["redactions"]] == ["PHONE"]
    assert "555-123-4567" not in json.dumps(answer)


def test_only_the_allowed_sources_are_searched(folder: Path) -> None:
    answer = json.loads(cite("--corpus", "corpus.jsonl", "--source", "wiki", "--json").output)
    assert [one["id"] for one in answer["citations"]] == ["p2"]


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("--min-score", "999"), "threshold"),
        (("--source", "nobody"), "filter"),
    ],
)
def test_an_empty_result_says_why_and_what_to_do(folder: Path, options: tuple[str, ...], cause: str) -> None:
    assert f"nothing found ({cause}): " in cite("--corpus", "corpus.jsonl", *options).output


def test_a_query_that_nothing_matches_is_shown(folder: Path) -> None:
    Path("segment.json").write_text(json.dumps({"use_case": "zebra"}))
    printed = cite("--corpus", "corpus.jsonl").output
    assert "query: zebra" in printed
    assert "nothing found (no_match): " in printed


def test_a_corpus_that_is_not_there_is_one_line(folder: Path) -> None:
    said = cite("--corpus", "nope.jsonl", code=2).output
    assert said.startswith("gate: nope.jsonl: neither a file nor a folder nor a corpus\nhint: ")


def test_signals_from_a_file_enrich_the_query(folder: Path) -> None:
    Path("segment.json").write_text(json.dumps({"use_case": "opening times"}))
    Path("signals.yaml").write_text("synonyms:\n  opening times: [library]\n")
    answer = json.loads(cite("--corpus", "corpus.jsonl", "--signals", "signals.yaml", "--json").output)
    assert [one["id"] for one in answer["citations"]] == ["p3"]
    Path("signals.yaml").write_text("synonyms: 3\n")
    assert "synonyms: " in cite("--corpus", "corpus.jsonl", "--signals", "signals.yaml", code=2).output
