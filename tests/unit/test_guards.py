"""A guard keeps `supported` from being said of a claim that has the evidence's words and says something else."""

from __future__ import annotations

import pytest

from gate.adapters import local_verifier
from gate.adapters.local_verifier import LocalVerifier, lexicon
from gate.adapters.local_verifier.explanation import explain
from gate.adapters.local_verifier.guards import Stop, stopped
from gate.decision.checks import run_checks
from gate.model import Answer, Check, Known, Label

CARRIERS = "In Ruritania it is handed to Falken, in Borduria and Syldavia to Courierex, and in Grand Fenwick to Bolt."


def guard_of(claim: str, *documents: str) -> str | None:
    stop = stop_of(claim, *documents)
    return stop.guard if stop else None


def stop_of(claim: str, *documents: str) -> Stop | None:
    return stopped(claim, documents, lexicon().read(claim, list(documents)), run_checks(claim, documents))


def judge(verifier: LocalVerifier, claim: str, evidence: str) -> Answer:
    answer = verifier.judge(claim, "", [{"content": evidence}]).answer
    assert answer is not None
    return answer


@pytest.mark.parametrize(
    ("claim", "evidence", "guard"),
    [
        ("The fee is paid in four instalments.", "The fee is paid in three instalments.", "amount"),
        ("The office closed on 15 January.", "The office closed on 31 January.", "amount"),
        ("The lid is dishwasher safe.", "The lid is not dishwasher safe.", None),
        ("Keep up to 100 connections.", "Keep up to 100 connections, or `None` for no limits.", None),
        ("In Ruritania the parcel is delivered by Courierex.", CARRIERS, "names"),
        ("In Ruritania the parcel is delivered by Falken.", CARRIERS, None),
        ("Courierex delivers in Borduria and Syldavia.", CARRIERS, None),
        ("Ring PHONE-9002 for help.", "For help ring PHONE-9001.", "pseudonym"),
        ("Ring PHONE-9001 for help.", "For help ring PHONE-9001.", None),
        ("The fee is paid in three instalments.", "The fee is paid in three instalments.", None),
        ("You are not charged until it ships.", "You are charged only when it ships.", None),
        ("Visa, Courierex and Bolt are partners.", "Our partners are Visa, Bolt and Courierex.", None),
    ],
)
def test_a_guard_objects_to_what_differs_and_to_nothing_else(claim: str, evidence: str, guard: str) -> None:
    assert guard_of(claim, evidence) == guard


FRAMED = [
    ("The moon is hollow.", "Is the moon hollow?", "question"),
    ("The moon is hollow.", "People ask: the moon is hollow?", "question"),
    ("The colonists boycotted tea.", "How did the colonists who boycotted tea live?", None),
    ("The lid is dishwasher safe.", "Is the lid dishwasher safe? Yes, at any heat.", None),
    ("The lid is dishwasher safe.", "Is the lid dishwasher safe? The lid is dishwasher safe.", None),
    ("Ned asks whether the lid is safe.", "Ned: is the lid safe?", None),
    ("Bees sleep in winter.", "It is a popular myth that bees sleep in winter.", "untrue"),
    ("Bees sleep in winter.", "Myth: bees sleep in winter.", "untrue"),
    ("Bees sleep in winter.", "It is a common fallacy that bees sleep in winter.", "untrue"),
    ("The ad hominem fallacy attacks the speaker.", "An ad hominem attacks the speaker.", None),
    ("Bees sleep in winter.", "The idea that bees sleep in winter is simply wrong.", "untrue"),
    ("The baker sold the mill.", "The baker refused to sell the mill.", "untrue"),
    ("That bees sleep in winter is a myth.", "Bees sleep in winter.", "untrue"),
    ("Bees do not sleep in winter.", "Contrary to popular belief, bees do not sleep in winter.", None),
    ("Bees do not sleep in winter.", "It is false that bees sleep in winter.", None),
    ("The mill has a red door.", "It is a myth that the mill is old, but the mill has a red door.", None),
    ("Zeus threw the mountain.", "In Greek myth, Zeus threw the mountain.", None),
    ("Refunds are sent to the wrong address.", "Refunds are sent to the wrong address.", None),
    ("The bridge needs a permit.", "The bridge needs a permit. This is no longer the case.", "taken back"),
    ("The bridge needs a permit.", "The bridge needs a permit. This rule was repealed in spring.", "taken back"),
    ("The bridge needs a permit.", "The bridge needs a permit. This is the case all year.", None),
    ("The bridge needs a permit.", "The bridge needs a permit. It is not blue.", None),
    ("The fee is 5 EUR.", "The fee used to be 5 EUR.", "past"),
    ("The fee is 5 EUR.", "Formerly, the fee was 5 EUR.", "past"),
    ("The fee is 5 EUR.", "Until 2019 the fee was 5 EUR.", "past"),
    ("Dogs are allowed in the mill.", "Dogs were previously allowed in the mill.", "past"),
    ("Lund leads the board.", "Lund previously led the board.", "past"),
    ("Old policy: The fee is 5 EUR.", "The fee is 5 EUR.", "past"),
    ("The fee is 5 EUR.", "# Old policy\n\nThe fee is 5 EUR.", "past"),
    ("The fee is 5 EUR.", "# Old policy\n\n## Fees ##\n\nIt is dear. The fee is 5 EUR.", "past"),
    ("Old policy: The fee is 5 EUR.", "## Old policy\n\nThe fee is 5 EUR.", None),
    ("The fee is 5 EUR.", "# Old policy\n\nThe fee is 3 EUR.\n\n# Policy\n\nThe fee is 5 EUR.", None),
    ("The fee is 5 EUR.", "# Old policy\n\nThe fee is 5 EUR.\n\n# Policy\n\nThe fee is 5 EUR.", None),
    ("The fee is 5 EUR.", "# Old town\n\nThe fee is 5 EUR.", None),
    ("The fee is 5 EUR.", "#Old policy of the house was to ask\n\nThe fee is 5 EUR.", None),
    ("The fee was 5 EUR.", "The fee used to be 5 EUR.", None),
    ("The fee used to be 5 EUR.", "The fee used to be 5 EUR.", None),
    ("A radar measures speed.", "A radar is a device used to measure speed.", None),
    ("The mill makes flour.", "The mill (formerly Moor Ltd.) makes flour.", None),
    ("The herb cures gout.", "The previously unknown herb cures gout.", None),
    ("Old rules: The fee was 5 EUR.", "Under the old rules the fee was 5 EUR.", None),
    ("The clerk stole the van.", "The clerk allegedly stole the van.", "supposed"),
    ("The city built a tunnel.", "The city planned to build a tunnel.", "supposed"),
    ("The bridge is closed.", "If it were cheaper to do so, the bridge would be closed.", "supposed"),
    ("The herb may cure gout.", "The herb might cure gout.", None),
    ("He won the race in 1966.", "In 1966 he would win the race.", None),
]
TURNED = [
    ("The landlord pays the tenant.", "The tenant pays the landlord.", "roles"),
    ("Falken was bought by Bolt.", "Falken bought Bolt.", "roles"),
    ("Bolt was bought by Falken.", "Falken bought Bolt.", None),
    ("The judge was appointed by the mayor.", "The mayor has appointed the judge.", None),
    ("North Aalen beat South Aalen.", "South Aalen beat North Aalen.", "roles"),
    ("Falken married Bolt.", "Bolt married Falken.", None),
    ("The lynx is heavier than the fox.", "The fox is heavier than the lynx.", "roles"),
    ("The ferry goes from Aalen to Brook.", "The ferry goes from Brook to Aalen.", "roles"),
    ("The fee rose from 5 EUR to 12 EUR.", "The fee rose from 12 EUR to 5 EUR.", "roles"),
    ("The fee rose from 5 EUR to 12 EUR.", "From 5 EUR the fee rose to 12 EUR.", None),
    ("Aalen is the capital of Borduria.", "The capital of Borduria is Aalen.", None),
    ("Children pay 12 EUR.", "Adults pay 12 EUR, children 5 EUR.", "exchanged"),
    ("Children pay 5 EUR.", "Adults pay 12 EUR, children 5 EUR.", None),
    ("The shed holds 12 bikes and 5 scooters.", "The shed holds 5 bikes and 12 scooters.", "exchanged"),
    ("The club closed in 1990.", "The club was founded in 1990 and closed in 2005.", "exchanged"),
    ("Founded in 1990, the club closed in 2005.", "The club was founded in 1990 and closed in 2005.", None),
    ("Prices fell in spring.", "Prices rose in spring.", "contrary"),
    ("The mill closed before the strike.", "The mill closed after the strike.", "contrary"),
    ("The strike came before the mill closed.", "The mill closed after the strike came.", None),
    ("The trade in shells is legal.", "The trade in shells is illegal.", "contrary"),
    ("The offer is unlimited.", "The offer is limited.", "contrary"),
    ("The spray is harmless to bees.", "The spray is harmful to bees.", "contrary"),
    ("He may come until noon.", "He may come til noon.", None),
    ("All rooms have a view.", "Most rooms have a view.", "all"),
    ("All rooms have a view.", "All rooms have a view except those below.", "all"),
    ("Most rooms have a view.", "Most rooms have a view.", None),
    ("All rooms face the store.", "The rooms face the general store.", None),
    ("All rooms are on the hill.", "The rooms are on the hill near the lift.", None),
    ("Any room may be let.", "Rooms on the ground floor may be let. Letting is not allowed elsewhere.", "all"),
    ("Everyone may park here.", "Residents may park here. Nobody else may do so.", "all"),
    ("Residents may park here.", "Residents may park here. Nobody else may do so.", None),
    ("Any room may be let.", "Any room may be let. It is also common elsewhere.", None),
    ("The pump runs only if it is primed.", "The pump runs unless it is not primed.", None),
]


@pytest.mark.parametrize(("claim", "evidence", "guard"), FRAMED + TURNED)
def test_a_guard_objects_to_evidence_that_has_the_words_and_does_not_say_so(
    claim: str, evidence: str, guard: str
) -> None:
    assert guard_of(claim, evidence) == guard


def test_one_sentence_that_says_it_outweighs_another_that_only_asks() -> None:
    claim = "The lid of the pan is dishwasher safe."
    assert guard_of(claim, "Is the lid of the pan dishwasher safe?") == "question"
    assert guard_of(claim, "Is the lid of the pan dishwasher safe?", "The lid of the pan is dishwasher safe.") is None


def test_a_guard_says_what_it_saw() -> None:
    stop = stop_of("The trade is legal.", "The trade is illegal.")
    assert stop is not None
    assert stop.why == 'it has "illegal" for "legal"'


def test_without_evidence_no_guard_has_anything_to_say() -> None:
    assert guard_of("The lid is safe.") is None


def test_a_stopped_claim_is_unsupported_says_why_and_keeps_its_probabilities() -> None:
    evidence = "The annual fee of the garden club is paid in three monthly instalments."
    claim = "The annual fee of the garden club is paid in four monthly instalments."
    assert judge(LocalVerifier(), claim, evidence).label != "supported"
    assert sum(judge(LocalVerifier("article"), claim, evidence).scores.values()) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(
    ("sure", "guard", "label"),
    [
        (0.49, "contrary", "unsupported"),
        (0.5, "contrary", "weakly_supported"),
        (0.9, "contrary", "weakly_supported"),
        (0.9, "amount", "unsupported"),
        (0.9, "names", "unsupported"),
    ],
)
def test_words_that_differ_outweigh_only_a_verifier_that_is_not_sure(sure: float, guard: str, label: str) -> None:
    found = lexicon().read("The lid is safe.", ["The lid is not safe."])
    scores: dict[Label, float] = {"supported": sure, "weakly_supported": (1 - sure) / 2, "unsupported": (1 - sure) / 2}
    answer = explain(found, scores, Stop(guard, "unsupported", "something differs"))
    assert answer.label == label
    assert "something differs" in answer.justification
    assert ("has the claim's words, but" in answer.justification) is (label == "weakly_supported")


def test_a_guard_never_makes_a_verdict_milder() -> None:
    claim, evidence = "The club was founded by 300 astronauts in 1830.", "The garden club meets on Sundays."
    assert judge(LocalVerifier(), claim, evidence).label == "unsupported"


def test_guards_are_asked_only_where_a_verdict_could_become_stricter(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(local_verifier, "stopped", lambda claim, texts, reading, checks: asked.append(claim))
    evidence = "The annual fee of the garden club is paid in three monthly instalments."
    for claim in (evidence, "The club was founded by astronauts in a submarine."):
        judge(LocalVerifier(), claim, evidence)
    assert asked == [evidence]


def test_claim_and_evidence_are_compared_once_for_guards_and_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []

    def noted(claim: str, texts: list[str], known: Known) -> list[Check]:
        compared.append((claim, texts))
        return run_checks(claim, texts, known)

    monkeypatch.setattr(local_verifier, "run_checks", noted)
    evidence = "The annual fee of the reading club is paid in three monthly instalments."
    judged = LocalVerifier().judge(evidence, "", [{"content": evidence}])
    assert judged.answer.label == "supported"
    assert judged.checks == ({"name": "numbers", "passed": True, "detail": ""},)
    assert compared == [(evidence, [evidence])]
