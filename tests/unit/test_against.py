"""An answer is judged against the passages that the model was given, the corpus, or both; with both, why it fails."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from click.testing import CliRunner, Result

from gate import cli
from gate.agents.load_transcript import load_transcript
from gate.agents.retrieve_evidence import retrieve_evidence
from gate.decision.sources_apart.causes import told_apart
from gate.errors import InputError
from gate.model import Against, Label, Reason, Verdict
from gate.retrieval.given_passages import nearest, passages_of, speaks_of

QUESTION = "What does shipping to Norway cost?"
TRUE, FALSE = "Shipping to Norway costs a flat 9 euros.", "Shipping to Norway costs a flat 19 euros."
BESIDE = "Paper straws are made in Bergen from recycled cardboard."


def verdict(label: Label, reason: Reason) -> Verdict:
    return Verdict(claim=TRUE, label=label, justification="So it is.", claim_id="c1", reason=reason, usage={"calls": 1})


SUPPORTED, PARTLY = verdict("supported", "entailed"), verdict("weakly_supported", "partial")
SILENT, UNREAD = verdict("unsupported", "not_mentioned"), verdict("unsupported", "unreadable_answer")


@pytest.mark.parametrize(
    ("corpus", "contexts", "speaks", "label", "cause"),
    [
        (SUPPORTED, SUPPORTED, True, "supported", None),
        (PARTLY, SUPPORTED, True, "weakly_supported", None),
        (SUPPORTED, SILENT, True, "supported", "not_retrieved"),
        (SILENT, SUPPORTED, True, "unsupported", "wrong_context"),
        (SILENT, SUPPORTED, False, "weakly_supported", None),
        (SILENT, SILENT, True, "unsupported", "made_up"),
        (SILENT, SILENT, False, "unsupported", "made_up"),
    ],
)
def test_two_verdicts_tell_why_a_claim_fails(
    corpus: Verdict, contexts: Verdict, speaks: bool, label: Label, cause: str | None
) -> None:
    found = told_apart(corpus, contexts, speaks=speaks)
    assert (found["label"], found.get("cause"), found["usage"]) == (label, cause, {"calls": 2})


def test_what_could_not_be_read_of_one_is_unchecked_of_both() -> None:
    for corpus, contexts in ((UNREAD, SUPPORTED), (SUPPORTED, UNREAD)):
        found = told_apart(corpus, contexts, speaks=True)
        assert (found["reason"], found.get("cause")) == ("unreadable_answer", None)


def submitted(contexts: list[str], **config: Any) -> dict[str, Any]:
    row = {"question": QUESTION, "answer": TRUE, **({"contexts": contexts} if contexts else {})}
    state = {"submission": {"name": "a.json", "text": json.dumps(row)}, "config": config}
    load_transcript(state)
    return state


@pytest.mark.parametrize(
    ("asked", "given", "against"),
    [("auto", True, "contexts"), ("auto", False, "corpus"), ("both", True, "both"), ("both", False, "corpus"),
     ("corpus", True, "corpus"), ("contexts", True, "contexts"), (None, True, "both"), (None, False, "corpus")],
)  # fmt: skip
def test_what_is_asked_for_holds_and_a_submission_alone_never_vouches_for_itself(
    asked: str | None, given: bool, against: str
) -> None:
    state = submitted([TRUE] if given else [], **({"against": asked} if asked else {}))
    assert state["config"]["against"] == against


def test_contexts_that_are_not_there_are_refused() -> None:
    with pytest.raises(InputError, match="holds no contexts to check against"):
        submitted([], against="contexts")
    with pytest.raises(InputError, match="there is no corpus"):
        submitted([], against="auto", elasticsearch={"index": ""})


def test_contexts_alone_are_judged_without_a_search_of_the_corpus() -> None:
    state = submitted([BESIDE, TRUE], against="contexts", elasticsearch={"index": ""})
    claims = [{"text": TRUE, "claim_id": "c0001", "sources": [{"mark": "[1]", "title": "Guide", "url": ""}]}]
    part = {"claims": claims, "contexts": state["contexts"], "config": state["config"]}
    retrieve_evidence(part)
    (entry,) = part["evidence"]
    assert [document["id"] for document in entry["documents"]] == ["context-2", "context-1"]
    assert part["ranking"] == [{"claim_id": "c0001", "ids": ["context-2", "context-1"]}]


def test_long_contexts_are_cut_and_the_passages_that_share_most_words_come_first() -> None:
    long = "\n\n".join(f"Paragraph {number} is about kettles and their lids. " * 6 for number in range(12))
    passages = passages_of([{"content": long}, {"content": TRUE, "title": "Shipping"}])
    assert [passage["id"] for passage in passages][:2] == ["context-1.1", "context-1.2"]
    assert all(len(passage["content"]) <= 1_200 for passage in passages)
    assert [one["title"] for one in nearest("What does Norway cost?", passages, most=1)] == ["Shipping"]
    assert speaks_of(FALSE, passages)
    assert not speaks_of("The founder collects stamps from Peru.", passages)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("corpus.jsonl").write_text(json.dumps({"id": "shipping", "title": "Shipping", "content": TRUE}) + "\n")
    return tmp_path


def check(rows: list[tuple[str, list[str]]], *options: str) -> Result:
    lines = [{"question": QUESTION, "answer": answer, "contexts": given, "model": "m-1"} for answer, given in rows]
    Path("rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return CliRunner().invoke(cli.group, ["check", "rows.jsonl", *options])


def test_contexts_need_no_corpus_and_decide_where_there_are_any(here: Path) -> None:
    result = check([(FALSE, [FALSE]), (FALSE, [BESIDE])])
    assert result.stdout.splitlines()[-1].startswith("2 records: 1 pass, 1 ")
    refused = check([(TRUE, [])])
    assert (refused.exit_code, "rows.jsonl, line 1: holds no contexts" in refused.stderr) == (2, True)


def test_with_both_the_three_failures_are_told_apart_and_counted(here: Path) -> None:
    rows = [(TRUE, [TRUE]), (TRUE, [BESIDE]), (FALSE, [FALSE]), (FALSE, [TRUE])]
    result = check(rows, "--corpus", "corpus.jsonl", "--against", "both")
    lines = result.stdout.splitlines()
    counts = "1 made up by the model, 1 missed by retrieval, 1 wrong in the context"
    assert f"of both contexts and corpus: {counts}" in lines
    assert f"  writer m-1: {counts}" in lines
    assert f"  question {QUESTION}: {counts}" in lines
    assert "  source Shipping: 1 missed by retrieval" in lines
    assert [line[0] for line in lines[:2]] == ["✓", "✓"]
    assert {line[0] for line in lines[2:4]} <= {"✗", "~"}


def test_the_command_offers_every_way_to_judge_that_there_is() -> None:
    check = cli.group.get_command(click.Context(cli.group), "check")
    assert check
    [option] = [one for one in check.params if one.name == "against"]
    assert isinstance(option.type, click.Choice)
    assert list(option.type.choices) == list(get_args(Against))
