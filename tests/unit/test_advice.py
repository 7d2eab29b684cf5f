"""What a report tells a reader: the worst claim first, what is wrong in it, what to do, one probability."""

from __future__ import annotations

import pytest

from gate.reports import advice, render, wording
from gate.reports.corrected.correcting import correct
from gate.reports.html_report import source_link
from gate.reports.model import Passage, Stage
from tests.report_builders import a_report
from tests.report_sentences import DIFFERS, EVEN, WRONG, cases, one


def test_every_sentence_of_the_tables_has_an_example_that_says_it() -> None:
    said = [case.says(case.report) for case in cases()]
    assert "" not in said
    of_one = {words.one for name, words in wording.TO_DO.items() if name != "correct"}
    of_many = {words.several(1) for name, words in wording.TO_DO.items() if words.many and name != "look"}
    assert {*wording.REASONS.values(), wording.REFUTED} <= set(said)
    assert of_one - set(said) == set()
    assert {each for each in of_many if not any(text.startswith(each) for text in said)} == set()
    assert {wording.DECIDED, wording.SET_RIGHT, *wording.REMEDIES.values()} <= set(said)


def test_the_worst_claim_comes_first_and_what_holds_last() -> None:
    report = a_report([("The sky is blue.", "supported"), ("Fish swim.", "unchecked"), ("Boats fly.", "unsupported")])
    assert [claim.claim_id for claim in advice.problems(report)] == ["c0003", "c0002"]
    lead = advice.lead(report)
    assert lead is not None
    assert lead.claim_id == "c0003"
    for form in ("table", "markdown", "html"):
        shown = render(report, form).data.decode()
        decided = shown.rindex if form == "table" else shown.index
        assert decided("lock") < shown.lower().index("because of") < shown.rindex("Remove"), form
        assert shown.index("Boats") < shown.index("Fish"), form


def test_what_the_evidence_has_otherwise_comes_before_what_it_lacks() -> None:
    lacks = one("Boats fly.", "unsupported").claims[0].model_copy(update={"claim_id": "c0002", "doubt": 0.51})
    otherwise = one(WRONG, "unsupported", checks=(DIFFERS,)).claims[0].model_copy(update={"doubt": 0.49})
    report = one(WRONG, "unsupported").model_copy(update={"claims": [lacks, otherwise]})
    assert advice.lead(report) == otherwise


def test_a_probability_is_shown_only_where_it_is_the_labels_own() -> None:
    agreeing, decided = one("Boats leave.", "supported", scores=EVEN), one("Boats leave.", "unsupported", scores=EVEN)
    for report, number in ((agreeing, True), (decided, False)):
        page = render(report, "html").data.decode()
        assert ("79 %" in page) is number
        assert not [label for label in EVEN if f"{EVEN[label]:.2f}" in page]


def test_a_suggested_figure_stands_in_the_claim_on_the_page_and_in_the_comment() -> None:
    report = one(WRONG, "unsupported", checks=(DIFFERS,))
    page = render(report, "html").data.decode()
    assert "<del>12 euros</del> <ins>9 euros</ins>" in page
    assert "Instead of “12 euros” the evidence has “9 euros”." in page
    assert "**12 euros** (the evidence has 9 euros)" in render(report, "markdown").data.decode()


def test_a_name_is_offered_for_a_claim_that_does_not_hold_and_left_to_a_person_to_put_in() -> None:
    report = a_report(
        [("The pass is sold by Holm in town.", "unsupported")], passage="The pass is sold by Moor in town."
    )
    assert advice.to_do(report.claims[0], report) == "Instead of “Holm” the evidence has “Moor”."
    assert "<del>Holm</del> <ins>Moor</ins>" in render(report, "html").data.decode()
    assert correct(report).edits == ()
    holds = a_report([("The pass is sold by Holm in town.", "supported")], passage="The pass is sold by Moor in town.")
    assert advice.suggested(holds.claims[0], holds) == []


def test_the_parts_of_a_claim_are_the_claim() -> None:
    for case in cases():
        for claim in case.report.claims:
            assert "".join(part.text for part in advice.parts(claim, case.report)) == claim.text


def test_a_review_of_which_nothing_could_be_checked_sends_nobody_to_read_it() -> None:
    report = a_report([("The sky is blue.", "unchecked")])
    assert report.outcome == "review"
    assert wording.sentence(report) == wording.UNFINISHED
    assert "A person should look" not in render(report, "html").data.decode()


def test_what_failed_beside_the_claims_is_told_with_what_to_do_about_it() -> None:
    def steps(*errors: str) -> list[str]:
        stages = tuple(Stage(name="artifacts", status="failed", errors=(error,)) for error in errors)
        return [step.sentence for step in advice.steps(a_report().model_copy(update={"stages": stages}))]

    assert wording.LATER in steps("TooSlowError")
    assert wording.SET_RIGHT in steps("SettingsError", "SettingsError")
    assert wording.TO_DO["run_again"].one in steps("SettingsError", "TooSlowError")


def test_integrity_is_never_told_without_the_claims_that_could_not_be_checked() -> None:
    report = a_report([("The sky is blue.", "supported"), ("Fish swim.", "unchecked")])
    for form in ("table", "markdown", "html"):
        shown = " ".join(render(report, form).data.decode().split())
        assert "very claim is accounted for, 1 of them as unchecked" in shown, form


@pytest.mark.parametrize(
    ("url", "quote", "link"),
    [
        ("https://a.example/p", "Boats leave.", "https://a.example/p#:~:text=Boats%20leave."),
        ("https://a.example/p#top", "A-B", "https://a.example/p#top:~:text=A%2DB"),
        ("https://a.example", "a b c d e f g h i", "https://a.example#:~:text=a%20b%20c%20d,f%20g%20h%20i"),
        ("https://a.example", "", "https://a.example"),
        ("javascript:alert(1)", "Boats", ""),
        (None, "Boats", ""),
    ],
)
def test_a_source_is_opened_at_the_quote(url: str | None, quote: str, link: str) -> None:
    assert source_link(Passage(content="", url=url), quote) == link


def test_that_the_evidence_says_something_else_is_said_only_with_its_words() -> None:
    shown = one("Boats fly at noon.", "unsupported", checks=(DIFFERS,), quote="Boats leave at nine.")
    bare = one("Boats fly at noon.", "unsupported", checks=(DIFFERS,), quote="")
    assert advice.action(shown.claims[0], shown) == "rewrite"
    assert advice.action(bare.claims[0], bare) == "remove"
    assert wording.REFUTED not in render(bare, "html").data.decode()


def test_what_nobody_read_is_quoted_on_the_first_screen_and_listed_open() -> None:
    report = a_report([("The sky is blue.", "supported"), ("Hello!", "greeting"), ("chart.png", "image")])
    reason = {"rule": "unread", "outcome": "review", "message": "", "claims": [], "evidence": []}
    report = report.model_copy(update={"decision": {"outcome": "review", "reasons": [reason], "policy": {}}})
    (step,) = advice.steps(report)
    assert step.sentence.endswith("The first of 1, images and other media: “chart.png”.")
    page = render(report, "html").data.decode()
    assert '<a href="#set-aside">' in page
    listed = page[page.index('<details id="set-aside" open>') :]
    assert "2 set aside, 1 of them not read" in listed
    assert listed.index("chart.png") < listed.index("Hello!")


def test_a_claim_that_could_not_be_checked_says_what_its_one_cause_asks_for() -> None:
    report = a_report([("Die Boote fahren um neun.", "unchecked")])
    report = report.model_copy(update={"causes": {"no_corpus": 1}})
    assert advice.to_do(report.claims[0], report) == wording.REMEDIES["no_corpus"]
    assert "<code>gate check --corpus PATH</code>" in render(report, "html").data.decode()
