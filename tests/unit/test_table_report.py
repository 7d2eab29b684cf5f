"""The table in the terminal."""

from __future__ import annotations

from gate import reports
from gate.decision.reckoning import ASKED
from gate.reports.building import build_report
from gate.reports.table_report import render
from tests.report_builders import a_report, a_state, untouched


def test_the_table_names_every_claim_its_label_and_where_the_evidence_stands() -> None:
    shown = render(a_report([("The sky is blue.", "supported"), ("Boats fly.", "unsupported")]))
    assert "✓ supported: 1 of 2 (c0001)" in shown
    assert "c0002  ✗ unsupported" in shown
    assert "[Harbour guide ›" in shown


def test_the_end_says_the_decision_because_of_what_and_what_to_do() -> None:
    shown = render(a_report([("The sky is blue.", "supported"), ("Boats fly.", "unsupported")]))
    decision, because, quoted, to_do = (line.strip() for line in shown.split("\n\n")[-1].splitlines())
    assert decision == "✗ answer.md: block: 2 claims, 1 unsupported, 1 supported"
    assert because == "because of c0002: “Boats fly.”: Because [Harbour guide › Weather]"
    assert quoted == "Closest passage: “The sky over the harbour is blue”"
    assert to_do == "→ Remove 1 claim, or add a document that says so to the corpus. (c0002)"


def test_an_answer_that_passes_in_spite_of_a_claim_does_not_say_because_of_it() -> None:
    state = a_state([("The sky is blue.", "supported"), ("Boats fly.", "unsupported")])
    state["decision"] = {**state["decision"], "outcome": "pass", "reasons": []}
    report = build_report(state, run_id="a-run", created_at="now", corpus={}, redact=untouched)
    table, markdown, page = (reports.render(report, form).data.decode() for form in ("table", "markdown", "html"))
    assert "  worth a look c0002: “Boats fly.”" in table
    for shown in (markdown, page):
        assert "Worth a look" in shown
        assert "What would make it better" in shown
        assert "Because of" not in shown
    assert "What to do now" in reports.render(a_report([("The sky is blue.", "supported")]), "markdown").data.decode()


def test_a_failed_check_that_the_verifier_names_is_said_once() -> None:
    state = a_state([("It has 64 GB.", "unsupported")])
    detail = "not in the evidence: 64 GB; the evidence has 32 GB"
    state["verdicts"][0]["justification"] = f"The evidence does not support the claim: units differ: {detail}."
    state["verdicts"][0]["checks"] = [{"name": "units", "passed": False, "detail": detail}]
    report = build_report(state, run_id="a-run", created_at="now", corpus={}, redact=untouched)
    for form in ("table", "markdown", "sarif", "junit"):
        shown = " ".join(reports.render(report, form).data.decode().split())
        places = 2 if form in ("table", "markdown") else 1  # on the first screen, and in the list
        assert shown.count("64 GB; the") <= places, form
    assert "units differ" in render(report)


def test_a_reader_is_told_which_figures_need_no_evidence_and_why() -> None:
    state = a_state([("At 68 you pay £98.", "unsupported")])
    state["verdicts"][0]["known"] = {"68": ASKED, "£98": "£20 + £78"}
    report = build_report(state, run_id="a-run", created_at="now", corpus={}, redact=untouched)
    for form in ("table", "csv"):
        shown = " ".join(reports.render(report, form).data.decode().split())
        assert "needs no evidence: 68 (in the question), £98 (£20 + £78)" in shown, form
    assert "needs no evidence&#58; 68" in reports.render(report, "markdown").data.decode()
    page = reports.render(report, "html").data.decode()
    assert "needs no evidence: <bdi>68</bdi> (<bdi>in the question</bdi>)" in page
    assert "needs no evidence: <bdi>£98</bdi> (<bdi>£20 + £78</bdi>)" in page


def test_a_text_without_claims_says_so() -> None:
    shown = render(a_report([("Hello!", "greeting")]))
    assert "~ answer.md: review: the text holds no claims to check\n" in shown
    assert shown.splitlines()[-1] == "  → Ask a person to read the answer."


def test_text_gives_the_terminal_no_orders() -> None:
    shown = render(a_report([("Red \x1b[31m and \u202eback[bold]wards[/bold].", "unsupported")]))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[bold]" in shown


def test_claims_in_are_verdicts_and_unchecked_out() -> None:
    shown = render(a_report([("The sky is blue.", "supported"), ("Fish swim.", "unchecked"), ("Hi!", "greeting")]))
    balance = "2 claims in = 1 verdict + 1 unchecked out; 1 other sentence with nothing to check; "
    balance += "every claim is accounted for, 1 of them as unchecked"
    assert balance in " ".join(shown.split())


def test_what_was_set_aside_is_counted_and_listed() -> None:
    report = a_report([("Hello!", "greeting"), ("The sky is blue.", "supported"), ("rm -rf /", "code")])
    assert report.accounting
    reading = {"characters": 27, "claims": 14, "marks": 0, "set_aside": {"greeting": 6, "code": 7}, "unread": 7}
    table = render(report.model_copy(update={"accounting": {**report.accounting, "reading": reading}}))
    assert "greetings 22.2%, code without a name to look up 25.9%; not read: 25.9%" in table
    assert "– greeting: Hello!" in table
    assert "– code: rm -rf /" in table
