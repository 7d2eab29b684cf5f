"""The report as a value: nothing lost, nothing shown that must stay hidden, every offset true."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import wiring
from gate.agents.publish_failure import publish_failure, store_failure
from gate.agents.publish_report import publish_report
from gate.reports import FORMATS, render
from gate.reports.building import build_report
from gate.reports.highlighting import pieces
from gate.reports.model import STATUSES, Report, ReportClaim, ReportNonClaim
from gate.reports.stages import stages_of
from tests.report_builders import PASSAGE, a_report, a_state, untouched

MIXED = [
    ("Hello!", "greeting"),
    ("The sky is blue.", "supported"),
    ("Boats leave at nine and ten.", "weakly_supported"),
    ("Boats leave at four.", "unsupported"),
    ("Fish are silver.", "unchecked"),
]


def test_every_claim_of_the_state_is_in_the_report_with_its_status() -> None:
    statuses = [claim.status for claim in a_report(MIXED).claims]
    assert statuses == ["supported", "weakly_supported", "unsupported", "unchecked"]


def test_a_claim_that_lost_its_verdict_is_unchecked_and_never_supported() -> None:
    state = a_state(MIXED)
    state["verdicts"] = []
    report = _built(state)
    assert {claim.status for claim in report.claims} == {"unchecked"}


def test_offsets_find_every_claim_and_every_sentence_that_is_none() -> None:
    report = a_report(MIXED)
    text = report.turns[0].content
    assert [text[claim.start : claim.end] for claim in report.claims] == [claim.text for claim in report.claims]
    assert [text[one.start : one.end] for one in report.non_claims] == ["Hello!"]


def test_the_quote_is_found_in_the_passage_that_decided() -> None:
    claim = a_report(MIXED).claims[0]
    assert claim.deciding == ("harbour",)
    assert claim.quoted is not None
    assert PASSAGE[claim.quoted.start : claim.quoted.end] == claim.quote == "The sky over the harbour is blue"


def test_a_passage_found_for_many_claims_is_kept_once() -> None:
    assert list(a_report(MIXED).passages) == ["harbour"]


def test_personal_data_is_hidden_everywhere_and_offsets_still_resolve() -> None:
    address = "jo.vermeer@harbour.example"
    passage = f"Write to {address} for tickets. Boats leave at nine."
    state = a_state(
        [(f"You can write to {address} for tickets.", "supported"), ("Boats leave at nine.", "supported")],
        passage=passage,
        evidences={"docs": [{"evidence_id": "d1", "found": True, "location": "a.md", "rationale": f"by {address}"}]},
        citations=[{"id": "x", "text": address, "redacted_text": "[REDACTED_EMAIL]"}],
    )
    state["verdicts"][0]["quote"] = f"Write to {address}"
    report = _built(state, redact=wiring.current().redactor().redact)
    assert address not in report.model_dump_json()
    first, second = report.claims
    text = report.turns[0].content
    assert text[first.start : first.end] == first.text == "You can write to [REDACTED_EMAIL] for tickets."
    assert text[second.start : second.end] == "Boats leave at nine."
    assert first.quote == "Write to [REDACTED_EMAIL]"


def test_where_a_passage_comes_from_holds_no_personal_data() -> None:
    address = "jo.vermeer@harbour.example"
    state = a_state([("The sky is blue.", "supported")], citations=[{"id": address, "source": address}])
    text = json.dumps(state).replace('"harbour"', f'"{address}#1"')
    state = json.loads(text)
    for document in state["evidence"][0]["documents"]:
        document |= {"source": address, "published_date": f"2026-01-01 {address}"}
    report = _built(state, redact=wiring.current().redactor().redact)
    assert address not in report.model_dump_json()
    (key,) = report.passages
    assert report.claims[0].deciding == report.claims[0].passages == (key,)
    assert report.claims[0].quote in report.passages[key].content


def test_a_failed_check_does_not_spell_out_what_was_hidden() -> None:
    state = a_state(
        [("Call 415-555-0123 within 30 days.", "unsupported")], passage="Call 415-555-9876 within 20 days or on day 5."
    )
    detail = "not in the evidence: 0123; the evidence has 415, 555, 9876"
    other = "not in the evidence: 30 days; the evidence has 20 days"
    checks = [
        {"name": "numbers", "passed": False, "detail": detail},
        {"name": "units", "passed": False, "detail": other},
    ]
    state["verdicts"][0]["checks"] = checks
    report = _built(state, redact=wiring.current().redactor().redact)
    assert [check["detail"] for check in report.claims[0].checks] == ["in personal data, which is not shown", other]
    assert not any(part in report.model_dump_json() for part in ("0123", "9876"))


def test_a_row_of_exchanged_values_does_not_spell_out_what_was_hidden() -> None:
    state = a_state([("Jo, 415-555-0123", "unsupported")], passage="Ann: 415-555-0123. Jo: 415-555-9876.")
    detail = "the evidence has 0123 for Ann, and 9876 for Jo"
    state["verdicts"][0]["checks"] = [{"name": "pairs", "passed": False, "detail": detail}]
    report = _built(state, redact=wiring.current().redactor().redact)
    assert [check["detail"] for check in report.claims[0].checks] == ["in personal data, which is not shown"]


def test_the_detail_of_a_name_that_was_looked_up_is_shown_beside_personal_data() -> None:
    state = a_state([("tern_mail", "weakly_supported")], passage="Write to ann@moor.example.")
    details = ["its words stand apart", "another value: tern_mail: ann@moor.example"]
    state["verdicts"][0] |= {
        "checked_by": "rule:names/1",
        "checks": [{"name": "names", "passed": False, "detail": detail} for detail in details],
    }
    (claim,) = _built(state, redact=wiring.current().redactor().redact).claims
    assert claim.checks[0]["detail"] == "its words stand apart"
    assert "ann@moor.example" not in claim.checks[1]["detail"]


def test_a_check_of_texts_without_personal_data_keeps_its_words() -> None:
    state = a_state([("Boats leave at ten.", "unsupported")])
    state["verdicts"][0]["checks"] = [{"name": "numbers", "passed": False, "detail": "not in the evidence: ten"}]
    (claim,) = _built(state, redact=wiring.current().redactor().redact).claims
    assert claim.checks[0]["detail"] == "not in the evidence: ten"


def test_personal_data_in_the_name_of_an_answer_is_hidden() -> None:
    state = a_state([("Boats leave at ten.", "supported")])
    state["config"]["name"] = "to jane@example.com.md"
    assert "jane" not in _built(state, redact=wiring.current().redactor().redact).name
    failed = {"run_id": "r", "failure": {"status": "FAILED"}, "config": {"name": "415-555-0123.md"}}
    assert store_failure(failed).name == "[REDACTED_PHONE].md"


def test_the_report_says_how_much_of_the_corpus_the_run_could_see() -> None:
    search = {"sources": ["faq", "news"], "published_to": "2020-01-01", "top_k": 3}
    report = a_report(config={"name": "a.md", "search": search})
    assert report.corpus["limited_to"] == "sources faq, news; published_to 2020-01-01; top_k 3"
    assert "published_to 2020-01-01" in render(report, "html").data.decode()
    assert "limited_to" not in a_report().corpus


def test_a_report_reads_back_as_the_same_value() -> None:
    report = a_report(MIXED)
    assert Report.model_validate_json(render(report, "json").data) == report


def test_stages_say_what_ran_what_was_not_asked_for_and_what_failed() -> None:
    state = a_state(MIXED, citations_error="SearchUnavailableError", has={"segment": True, "artifacts": False})
    stages = {stage.name: (stage.status, stage.detail) for stage in stages_of(state)}
    assert stages["claims"] == ("ran", "")
    assert stages["verification"] == ("failed", "1 of 4 branches failed: ModelUnavailableError × 1")
    assert stages["artifacts"] == ("skipped", "")
    assert stages["citations"] == ("failed", "SearchUnavailableError")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_every_kind_of_report(name: str) -> None:
    for report in (a_report(MIXED), a_report([("Hello!", "greeting")]), a_report([])):
        assert render(report, name).data


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_names_what_was_not_read(name: str) -> None:
    left = {"kind": "image_url", "place": "messages.0.content.1", "count": 2, "characters": 1204, "shown": True}
    turns = [{"role": "assistant", "content": "The sky is blue."}]
    report = a_report([("The sky is blue.", "supported")], transcript={"id": None, "turns": turns, "not_read": [left]})
    shown = render(report, name).data.decode()
    assert "image" in shown
    assert "messages.0.content.1" in " ".join(shown.split())


def test_publishing_stores_the_reports_and_keeps_no_text_in_the_state() -> None:
    state = a_state(MIXED)
    publish_report(state)
    assert state["report"]["outcome"] == "block"
    assert state["report"]["counts"] == {
        "claims": 4,
        "non_claims": 1,
        "supported": 1,
        "weakly_supported": 1,
        "unsupported": 1,
        "unchecked": 1,
    }
    assert state["report"]["keys"] == {"json": "reports/a-run/report.json"}
    stored = json.loads(wiring.current().blob_store().get(state["report"]["keys"]["json"]))
    assert stored["outcome"] == "block"
    assert "sky" not in json.dumps(state["report"])


def test_the_page_of_a_run_is_stored_where_the_settings_say_so() -> None:
    state = a_state(MIXED)
    publish_report(state)
    assert not wiring.current().blob_store().exists("reports/a-run/report.html")
    with wiring.entered(wiring.current().changed(store_page=True)):
        publish_report(state)
        assert state["report"]["keys"]["html"] == "reports/a-run/report.html"
        assert wiring.current().blob_store().get("reports/a-run/report.html").startswith(b"<!doctype html>")


def test_a_failed_run_is_an_error_and_never_a_pass() -> None:
    cause = json.dumps({"errorMessage": "the model is asleep", "errorType": "X", "stackTrace": ["secret line"]})
    state: dict[str, Any] = {
        "run_id": "r",
        "failure": {"status": "FAILED", "error": "ModelUnavailableError", "cause": cause},
    }
    publish_failure(state)
    assert state["report"]["outcome"] == "error"
    stored = wiring.current().blob_store().get("reports/r/report.json").decode()
    report = Report.model_validate_json(stored)
    assert report.integrity == "FAILED"
    assert report.failure is not None
    assert (report.failure.error, report.failure.message) == ("ModelUnavailableError", "the model is asleep")
    assert "secret line" not in stored


def test_a_failure_of_which_nothing_is_known_is_still_published() -> None:
    state: dict[str, object] = {"run_id": "r"}
    publish_failure(state)
    assert Report.model_validate_json(wiring.current().blob_store().get("reports/r/report.json")).failure is not None


spans = st.tuples(st.integers(0, 60), st.integers(0, 60)).map(sorted)


@given(
    st.text(max_size=50), st.lists(st.tuples(spans, st.sampled_from(STATUSES)), max_size=6), st.lists(spans, max_size=4)
)
def test_highlighted_pieces_are_the_text_again_and_show_the_worst_label(
    text: str, marked: list[tuple[list[int], str]], aside: list[list[int]]
) -> None:
    template = a_report().claims[0]
    claims: list[ReportClaim] = [
        template.model_copy(update={"claim_id": f"c{n}", "start": start, "end": end, "status": status})
        for n, ((start, end), status) in enumerate(marked)
    ]
    others = [ReportNonClaim(turn=0, start=start, end=end, reason="question") for start, end in aside]
    found = pieces(text, claims, others)
    assert "".join(piece.text for piece in found) == text
    at = 0
    for piece in found:
        covering = [claim.status for claim in claims if claim.start <= at < claim.end]
        assert piece.status == (min(covering, key=STATUSES.index) if covering else None)
        at += len(piece.text)


def _built(state: dict[str, object], redact: object = untouched) -> Report:
    return build_report(state, run_id="a-run", created_at="now", corpus={}, redact=redact)  # type: ignore[arg-type]
