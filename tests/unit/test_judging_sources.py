"""A claim that cites a source is judged against that source alone: the right fact of the wrong document is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gate.agents.extract_claims import extract_claims
from gate.agents.retrieve_evidence import retrieve_evidence
from gate.decision.accounting import account
from gate.decision.policy import Facts, decide
from gate.decision.sources_apart.cited_sources import judged_sources
from gate.local.gate import check
from gate.model import MOST_SOURCES, MOST_SOURCES_OF_A_RUN, CitedEvidence, Document, NamedSource, Policy, Verdict
from gate.reports import html_report, markdown_report, sarif_report, table_report
from gate.reports.model import Report
from gate.retrieval.cited_documents import is_told, matching, names_something
from tests.builders import a_claim, a_numbered_claim, a_verdict
from tests.entrance import Entrance
from tests.fakes.search import MemorySearch
from tests.report_builders import a_report

REFUNDS: Document = {"id": "policies/refund-policy.md#a", "title": "Refund policy", "content": "Refunds take 30 days."}
SHIPPING: Document = {
    "id": "s1",
    "title": "Shipping guide",
    "url": "https://www.corvex.example/shipping/",
    "content": "Shipping to Norway costs 9 euros.",
}
HANDBOOK: Document = {"id": "h#1", "title": "Staff handbook", "content": "Overtime is paid."}
CORPUS = [REFUNDS, SHIPPING, HANDBOOK]


def a_source(title: str = "", url: str = "", mark: str = "1") -> NamedSource:
    return NamedSource(mark=mark, title=title, url=url)


@pytest.mark.parametrize(
    ("source", "document"),
    [
        (a_source("Refund policy"), REFUNDS),
        (a_source("refund-policy.md"), REFUNDS),
        (a_source("policies/refund-policy.md"), REFUNDS),
        (a_source(url="https://example.org/docs/refund-policy.md"), REFUNDS),
        (a_source("Moor, A. (2021). Refund policy. Corvex Press"), REFUNDS),
        (a_source(url="http://corvex.example/shipping#norway"), SHIPPING),
        (a_source("The guide", "https://corvex.example/shipping"), SHIPPING),
        (a_source("s1"), SHIPPING),
        (a_source("handbook"), HANDBOOK),
        (a_source("Pump manual"), None),
        (a_source(url="https://corvex.example/refunds"), None),
        (a_source(url="https://[broken"), None),
        (a_source(), None),
    ],
)
def test_a_source_is_found_by_address_id_file_or_title(source: NamedSource, document: Document | None) -> None:
    assert matching(source, CORPUS) == ([document] if document else [])


def test_a_word_for_any_source_names_the_one_document_whose_title_ends_with_it() -> None:
    other: Document = {"id": "o", "title": "Refund guide", "content": "Refunds take 30 days."}
    retention: Document = {"id": "r", "title": "Document retention policy", "content": "Files are kept."}
    assert matching(a_source("guide"), [*CORPUS, retention]) == [SHIPPING]
    assert matching(a_source("guide"), [*CORPUS, other]) == []
    assert matching(a_source("document"), [*CORPUS, retention]) == []


def test_what_names_nothing_and_what_the_corpus_never_tells_is_not_unknown() -> None:
    assert names_something(a_source("Pump manual"))
    assert not names_something(a_source("passages"))
    assert is_told(a_source(url="https://a.example"), CORPUS)
    assert not is_told(a_source(url="https://a.example"), [REFUNDS])


def test_only_a_source_that_the_evidence_lacks_is_searched_for(entrance: Entrance) -> None:
    engine = MemorySearch()
    engine.index_documents(CORPUS, "docs")
    entrance.give(search_engine=engine)
    claim = a_claim(
        "Refunds take 30 days.", claim_id="c1", sources=[a_source("Staff handbook"), a_source("Pump manual")]
    )
    state: dict[str, Any] = {"config": {"elasticsearch": {"index": "docs"}}, "claims": [claim]}
    retrieve_evidence(state)
    found = [
        (one["source"]["title"], one["found"], [d["id"] for d in one["documents"]])
        for one in state["evidence"][0]["cited"]
    ]
    assert found == [("Staff handbook", "document", ["h#1"]), ("Pump manual", "unknown_source", [])]


def judged(
    verdict: dict[str, Any], *alone: dict[str, Any], cited: list[CitedEvidence] | None = None
) -> tuple[list[str], int]:
    """The outcomes, and how often the verifier was asked again."""
    left, asked = list(alone), 0

    def judge(part: str, documents: list[Document]) -> Verdict:
        nonlocal asked
        asked += 1
        return {"documents": [], **left.pop(0)}  # type: ignore[typeddict-item]

    cited = cited or [CitedEvidence(source=a_source("Refund policy"), documents=[REFUNDS], found="document")]
    found, _ = judged_sources(verdict, [REFUNDS, SHIPPING], cited, judge)  # type: ignore[arg-type]
    return [one["outcome"] for one in found], asked


SUPPORTED_HERE = a_verdict(documents=[REFUNDS["id"]])
SUPPORTED_ELSEWHERE = a_verdict(documents=[SHIPPING["id"]])
NOT_MENTIONED = a_verdict(label="unsupported", documents=[])


def test_the_passage_that_decides_backs_its_document_at_no_cost() -> None:
    assert judged(SUPPORTED_HERE) == (["backed"], 0)


def test_the_right_fact_of_the_wrong_document_is_found() -> None:
    assert judged(SUPPORTED_ELSEWHERE, NOT_MENTIONED) == (["not_backed"], 1)
    assert judged(SUPPORTED_ELSEWHERE, a_verdict(label="weakly_supported")) == (["not_backed"], 1)


def test_a_document_that_says_the_same_as_another_backs_as_well() -> None:
    assert judged(SUPPORTED_ELSEWHERE, a_verdict()) == (["backed"], 1)


def test_evidence_that_says_nothing_is_not_asked_again() -> None:
    assert judged(NOT_MENTIONED) == (["not_backed"], 0)
    contradicted = a_verdict(label="unsupported", reason="contradicted", documents=[])
    assert judged(contradicted, a_verdict()) == (["backed"], 1)


def test_of_several_sources_each_may_carry_a_part() -> None:
    cited = [
        CitedEvidence(source=a_source("Refund policy"), documents=[REFUNDS], found="document"),
        CitedEvidence(source=a_source("Staff handbook"), documents=[HANDBOOK], found="document"),
    ]
    assert judged(SUPPORTED_HERE, a_verdict(label="weakly_supported"), cited=cited) == (["backed", "backed"], 1)


def test_a_source_of_a_part_is_judged_by_that_part_alone() -> None:
    source = NamedSource(mark="1", title="Refund policy", url="", part="Refunds take 30 days")
    cited = [CitedEvidence(source=source, documents=[REFUNDS], found="document")]
    assert judged(NOT_MENTIONED, a_verdict(), cited=cited) == (["backed"], 1)
    assert judged(SUPPORTED_ELSEWHERE, NOT_MENTIONED, cited=cited) == (["not_backed"], 1)


def test_a_document_that_is_cited_by_many_names_is_judged_once() -> None:
    cited = [
        CitedEvidence(source=a_source(f"Refund policy {number}"), documents=[REFUNDS], found="document")
        for number in range(20)
    ]
    unsupported = a_verdict(label="unsupported", documents=[])
    assert judged(SUPPORTED_ELSEWHERE, unsupported, cited=cited) == (["not_backed"] * 20, 1)


def test_what_could_not_be_checked_is_never_backed() -> None:
    failed = a_verdict(label="unsupported", reason="error")
    assert judged(SUPPORTED_ELSEWHERE, failed) == (["unchecked"], 1)
    assert judged(failed) == (["unchecked"], 0)


def test_a_run_looks_at_so_many_sources_and_leaves_the_rest_unchecked(entrance: Entrance) -> None:
    engine = MemorySearch()
    engine.index_documents(CORPUS, "docs")
    entrance.give(search_engine=engine)
    marks = ", ".join(map(str, range(1, MOST_SOURCES + 1)))
    answer = f"Refunds take 30 days [{marks}].\n\n" * (MOST_SOURCES_OF_A_RUN // MOST_SOURCES + 1)
    state: dict[str, Any] = {
        "config": {"elasticsearch": {"index": "docs"}},
        "transcript": {"turns": [{"role": "assistant", "content": answer}]},
    }
    extract_claims(state)
    state["claims"] = state["claims"][-2:]
    retrieve_evidence(state)
    found = [{one["found"] for one in entry["cited"]} for entry in state["evidence"]]
    assert found == [{"unresolved"}, {"unchecked"}]


def test_a_source_beyond_those_that_are_looked_at_is_unchecked(entrance: Entrance) -> None:
    engine = MemorySearch()
    engine.index_documents(CORPUS, "docs")
    entrance.give(search_engine=engine)
    answer = f"Refunds take 30 days [{', '.join(map(str, range(1, 23)))}]."
    state: dict[str, Any] = {
        "config": {"elasticsearch": {"index": "docs"}},
        "transcript": {"turns": [{"role": "assistant", "content": answer}]},
    }
    extract_claims(state)
    retrieve_evidence(state)
    cited = state["evidence"][0]["cited"]
    assert [one["found"] for one in cited] == ["unresolved"] * MOST_SOURCES + ["unchecked"]
    assert judged(SUPPORTED_HERE, cited=cited[-1:]) == (["unchecked"], 0)


def a_source_verdict(outcome: str) -> dict[str, Any]:
    return {"mark": "1", "title": "Pump manual", "url": "", "outcome": outcome, "documents": [], "justification": "So."}


@pytest.mark.parametrize(
    ("outcome", "policy", "decision"),
    [
        ("backed", {}, "pass"),
        ("not_backed", {}, "review"),
        ("not_backed", {"not_backed": "block"}, "block"),
        ("not_backed", {"not_backed": "pass"}, "pass"),
        ("unknown_source", {}, "review"),
        ("unknown_source", {"unknown_source": "block"}, "block"),
        ("unresolved", {}, "pass"),
        ("unresolved", {"unresolved_source": "review"}, "review"),
        ("unchecked", {"combine": "majority"}, "review"),
        ("unchecked", {"unchecked": "block"}, "block"),
    ],
)
def test_the_policy_has_a_key_for_each_outcome(outcome: str, policy: dict[str, Any], decision: str) -> None:
    verdict = a_verdict(sources=[a_source_verdict(outcome)])
    final, accounting = account([a_numbered_claim()], [verdict], errors={}, non_claims=0)  # type: ignore[list-item]
    assert accounting["integrity"] == "SUCCESS"
    assert decide(Facts(final, accounting), Policy(**policy))["outcome"] == decision


@pytest.fixture
def reported() -> Report:
    report = a_report()
    source = {**a_source_verdict("not_backed"), "passages": ("harbour",)}
    del source["documents"]
    claim = report.claims[0].model_dump() | {"sources": (source,)}
    return Report.model_validate(report.model_dump() | {"claims": (claim,)})


def test_every_report_shows_what_became_of_a_cited_source(reported: Report) -> None:
    assert "cited sources: 1 not backed by it" in table_report.render(reported)
    assert "Pump manual" in table_report.render(reported)
    assert markdown_report.render(reported).count("1 not backed by it") == 1
    assert "cites &#91;1&#93; Pump manual" in markdown_report.render(reported)
    assert "not backed by it" in html_report.render(reported)
    reason = {"rule": "not_backed", "outcome": "review", "message": "m", "claims": ["c0001"], "evidence": []}
    decision = {**(reported.decision or {}), "reasons": [reason]}
    objected = Report.model_validate(reported.model_dump() | {"decision": decision})
    assert "cites [1] Pump manual: not backed by it" in sarif_report.render(objected)


def test_an_answer_that_cites_the_wrong_document_is_sent_to_review(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATE_HOME", str(tmp_path / "home"))
    corpus = tmp_path / "docs"
    corpus.mkdir()
    for name, title, text in (
        ("refund-policy.md", "Refund policy", "Refunds take 30 days. They are paid to the card that was used."),
        ("shipping.md", "Shipping guide", "Shipping to Norway costs 9 euros. Parcels leave Utrecht at nine."),
    ):
        (corpus / name).write_text(f"# {title}\n\n{text}\n")
    sources = "\n\nSources:\n1. Refund policy\n2. Shipping guide\n3. Pump manual\n"
    right = check(f"Refunds take 30 days [1]. Shipping to Norway costs 9 euros [2].{sources}", corpus)
    wrong = check(f"Refunds take 30 days [1]. Shipping to Norway costs 9 euros [1].{sources}", corpus)
    unknown = check(f"Refunds take 30 days [3]. Shipping to Norway costs 9 euros [9].{sources}", corpus)
    bare = check("Refunds take 30 days [1]. Shipping to Norway costs 9 euros [2].", corpus)
    assert [one.outcome for one in (right, wrong, unknown, bare)] == ["pass", "review", "review", "pass"]
    outcomes = [
        [source.outcome for claim in one.claims for source in claim.sources] for one in (right, wrong, unknown, bare)
    ]
    assert outcomes == [
        ["backed", "backed"],
        ["backed", "not_backed"],
        ["unknown_source", "unknown_source"],
        ["unresolved", "unresolved"],
    ]
