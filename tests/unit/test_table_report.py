"""The table in the terminal."""

from __future__ import annotations

from gate import reports
from gate.reports.building import build_report
from gate.reports.table_report import render
from tests.report_builders import a_report, a_state, untouched


def test_the_table_names_every_claim_its_label_and_where_the_evidence_stands() -> None:
    shown = render(a_report([("The sky is blue.", "supported"), ("Boats fly.", "unsupported")]))
    assert "c0001  ✓ supported" in shown
    assert "c0002  ✗ unsupported" in shown
    assert "[Harbour guide ›" in shown


def test_the_last_line_is_the_decision_and_says_on_what() -> None:
    shown = render(a_report([("The sky is blue.", "supported"), ("Boats fly.", "unsupported")]))
    assert shown.splitlines()[-1] == "✗ answer.md: block: 2 claims, 1 unsupported, 1 supported"


def test_a_failed_check_that_the_verifier_names_is_said_once() -> None:
    state = a_state([("It has 64 GB.", "unsupported")])
    detail = "not in the evidence: 64 GB; the evidence has 32 GB"
    state["verdicts"][0]["justification"] = f"The evidence does not support the claim: units differ: {detail}."
    state["verdicts"][0]["checks"] = [{"name": "units", "passed": False, "detail": detail}]
    report = build_report(state, run_id="a-run", created_at="now", corpus={}, redact=untouched)
    for form in ("table", "markdown", "sarif", "junit"):
        shown = " ".join(reports.render(report, form).data.decode().split())
        assert shown.count("64 GB; the") <= 1, form
    assert "units differ" in render(report)


def test_a_text_without_claims_says_so() -> None:
    shown = render(a_report([("Hello!", "greeting")]))
    assert shown.splitlines()[-1] == "~ answer.md: review: the text holds no claims to check"


def test_text_gives_the_terminal_no_orders() -> None:
    shown = render(a_report([("Red \x1b[31m and \u202eback[bold]wards[/bold].", "supported")]))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[bold]" in shown


def test_claims_in_are_verdicts_and_unchecked_out() -> None:
    shown = render(a_report([("The sky is blue.", "supported"), ("Fish swim.", "unchecked"), ("Hi!", "greeting")]))
    balance = "2 claims in = 1 verdict + 1 unchecked out; 1 other sentence with nothing to check; integrity SUCCESS"
    assert balance in " ".join(shown.split())


def test_what_was_set_aside_is_counted_and_listed() -> None:
    report = a_report([("Hello!", "greeting"), ("The sky is blue.", "supported"), ("rm -rf /", "code")])
    assert report.accounting
    reading = {"characters": 27, "claims": 14, "marks": 0, "set_aside": {"greeting": 6, "code": 7}, "unread": 7}
    table = render(report.model_copy(update={"accounting": {**report.accounting, "reading": reading}}))
    assert "greetings 22.2%, code without a name to look up 25.9%; not read: 25.9%" in table
    assert "– greeting: Hello!" in table
    assert "– code: rm -rf /" in table
