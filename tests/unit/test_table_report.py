"""The table in the terminal."""

from __future__ import annotations

from report_builders import a_report

from gate.reports.table_report import render


def test_the_table_names_every_claim_its_label_and_where_the_evidence_stands() -> None:
    shown = render(a_report([("The sky is blue.", "supported"), ("Boats fly.", "unsupported")]))
    assert "c0001  ✓ supported" in shown
    assert "c0002  ✗ unsupported" in shown
    assert "[Harbour guide ›" in shown


def test_the_last_line_is_the_decision() -> None:
    shown = render(a_report([("The sky is blue.", "supported"), ("Boats fly.", "unsupported")]))
    assert shown.splitlines()[-1] == "✗ block: 2 claims, 1 unsupported, 1 supported"


def test_a_text_without_claims_says_so() -> None:
    shown = render(a_report([("Hello!", "greeting")]))
    assert shown.splitlines()[-1] == "~ review: the text holds no claims to check"


def test_text_gives_the_terminal_no_orders() -> None:
    shown = render(a_report([("Red \x1b[31m and \u202eback[bold]wards[/bold].", "supported")]))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[bold]" in shown


def test_claims_in_are_verdicts_and_unchecked_out() -> None:
    shown = render(a_report([("The sky is blue.", "supported"), ("Fish swim.", "unchecked"), ("Hi!", "greeting")]))
    balance = "2 claims in = 1 verdict + 1 unchecked out; 1 other sentence with nothing to check; integrity SUCCESS"
    assert balance in " ".join(shown.split())
