"""States and reports for the tests of reports: an answer is given as sentences with their label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gate.claims.reading import read_turn
from gate.decision.accounting import account
from gate.decision.checks import run_checks
from gate.decision.policy import Facts, decide
from gate.model import Policy
from gate.ports import Redacted
from gate.reports.building import build_report
from gate.reports.model import Passage, Report, ReportClaim, ReportTurn
from tests.builders import a_numbered_claim, a_verdict

PASSAGE = "The sky over the harbour is blue. Boats leave at nine."

FORMATTING = {"p", "pre", "code", "s", "table", "tr", "th", "td", "div", "span", "a", "sup", "details", "summary"}
"""Elements that an answer may have on its page as its Markdown asks for them."""

Sentence = tuple[str, str]
"""A text and its label; `unchecked` and the reasons of non-claims (`question`, …) count as labels here."""

LABELS = ("supported", "weakly_supported", "unsupported")


def untouched(text: str) -> Redacted:
    """A redactor that hides nothing."""
    return Redacted(text, (), "none/1")


def a_state(sentences: Sequence[Sentence], *, passage: str = PASSAGE, **fields: Any) -> dict[str, Any]:
    """What the judge leaves behind for an answer of these sentences, joined by blanks."""
    text = " ".join(sentence for sentence, _ in sentences)
    claims: list[Any] = []
    non_claims: list[dict[str, Any]] = []
    verdicts: list[dict[str, Any]] = []
    evidence: list[dict[str, Any]] = []
    errors: dict[int, str] = {}
    at = 0
    for sentence, label in sentences:
        span = {"turn": 0, "start": at, "end": at + len(sentence)}
        at += len(sentence) + 1
        if label not in (*LABELS, "unchecked"):
            non_claims.append({"text": sentence, "reason": label, **span})
            continue
        number = len(claims) + 1
        claims.append(a_numbered_claim(number, sentence, source_response=text, **span))
        evidence.append({"claim": claims[-1], "documents": [a_passage(passage)]})
        if label == "unchecked":
            errors[number - 1] = "ModelUnavailableError"
            continue
        verdicts.append(a_verdict(number, label, claim=sentence, documents=["harbour"], quote=passage.split(".")[0]))
    final, accounting = account(claims, verdicts, errors=errors, non_claims=len(non_claims))
    checked = [{"branch": claim["branch"], "error": errors.get(claim["branch"])} for claim in claims]
    return {
        "run_id": "a-run",
        "config": {"elasticsearch": {"index": "docs"}, "name": "answer.md"},
        "transcript": {"id": None, "turns": [{"role": "assistant", "content": text}]},
        "has": {"artifacts": False, "segment": False},
        "claims": claims,
        "non_claims": non_claims,
        "checked": checked,
        "verdicts": final,
        "evidence": evidence,
        "ranking": [{"claim_id": claim["claim_id"], "ids": ["harbour"]} for claim in claims],
        "accounting": accounting,
        "decision": decide(Facts(final, accounting), Policy()),
        **fields,
    }


def a_passage(content: str = PASSAGE, **fields: Any) -> dict[str, Any]:
    """A passage as the search returns it."""
    known = {"id": "harbour", "title": "Harbour guide", "section": "Weather", "url": "https://harbour.example/weather"}
    return {**known, "content": content, "score": 3.2, "rank": 1, "retriever": "keyword", **fields}


def a_report(sentences: Sequence[Sentence] = (("The sky is blue.", "supported"),), **fields: Any) -> Report:
    """The report of a state."""
    return build_report(
        a_state(sentences, **fields),
        run_id="a-run",
        created_at="2026-11-21T09:00:00+00:00",
        corpus={"name": "docs", "engine": "embedded", "passages": 2},
        redact=untouched,
    )


def a_report_of_texts(*texts: str, evidence: Sequence[str], roles: Sequence[str] = (), **fields: Any) -> Report:
    """A report whose claims are those that are read in its texts, each a turn; what stands in no evidence word by word
    is unsupported.

    Args:
        evidence: of every claim.
        roles: of the turns; empty: all are answers.
    """
    base = a_report()
    given = zip(roles or ["assistant"] * len(texts), texts, strict=True)
    turns = [ReportTurn.model_validate({"role": role, "content": text}) for role, text in given]
    passages = {f"p{at}": Passage(content=text, title="Guide", section="Prices") for at, text in enumerate(evidence)}
    claims: list[ReportClaim] = []
    for number, turn in enumerate(turns):
        for one in read_turn(turn.content).statements if turn.role == "assistant" else ():
            if one.reason:
                continue
            place = {"claim_id": f"c{len(claims) + 1:04d}", "turn": number, "start": one.start, "end": one.end}
            status = "supported" if any(one.text in text for text in evidence) else "unsupported"
            found = {"status": status, "passages": tuple(passages), "deciding": (), "quote": "", "quoted": None}
            said = {"text": one.text, "checks": tuple(run_checks(one.text, evidence))}
            claims.append(base.claims[0].model_copy(update=place | found | said))
    changed = {"turns": tuple(turns), "claims": tuple(claims), "passages": passages, "non_claims": ()}
    return base.model_copy(update=changed | fields)
