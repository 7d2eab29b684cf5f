"""From the state that the judge leaves to the report. Pure: what redacts and what tells of the corpus is handed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from gate import __version__
from gate.decision.accounting import is_unchecked
from gate.decision.checks import CHECK_NAMES, run_checks
from gate.decision.costs import dollars_of
from gate.decision.risk import risk_of
from gate.errors import TELLING, AnswerError, BudgetReachedError, UnmeasuredLanguageError
from gate.model import UNCHECKED_REASONS, Check, Verdict
from gate.ports import Redacted
from gate.privacy.origins import shown_origin
from gate.privacy.patterns import hidden_id
from gate.privacy.redaction import relocated
from gate.reports.model import (
    ModelCost,
    Passage,
    Replaced,
    Report,
    ReportClaim,
    ReportNonClaim,
    ReportReview,
    ReportSource,
    ReportTurn,
    Status,
    Stretch,
    TwoVerifiers,
)
from gate.reports.stages import stages_of
from gate.repository.records import summarised
from gate.retrieval.deduplication import document_id
from gate.trail.review_items import ReviewItem

State = Mapping[str, Any]
Redact = Callable[[str], Redacted]

NOT_SHOWN = "in personal data, which is not shown"

IDS = ("id", "evidence_id", "mentioned_by")
"""Keys of evidence and citations that others refer to: they stay as they are."""


def build_report(
    state: State,
    *,
    run_id: str,
    created_at: str,
    corpus: Mapping[str, Any],
    redact: Redact,
    review: ReviewItem | None = None,
) -> Report:
    """Return the report of a run that reached its decision; every shown text has gone through `redact`.

    Args:
        review: what people were asked, where the policy has them asked.
    """
    redact = cache(redact)
    turns = [redact(turn["content"]) for turn in state["transcript"]["turns"]]
    documents = _documents(state)
    passages = {key: redact(document["content"]) for key, document in documents.items()}
    entries = _by_claim_id(state)
    report = Report(
        run_id=run_id,
        created_at=created_at,
        gate_version=__version__,
        name=redact((state.get("config") or {}).get("name") or state["transcript"].get("id") or "").text,
        writer=redact(state["transcript"].get("writer") or "").text,
        against=(state.get("config") or {}).get("against", "corpus"),
        outcome=state["decision"]["outcome"],
        decision=state["decision"],
        risk=risk_of(state.get("verdicts") or []),
        accounting=state["accounting"],
        integrity=state["accounting"]["integrity"],
        pipeline_integrity=(state.get("metadata") or {}).get("pipeline_integrity"),
        turns=tuple(_turn(turn, shown) for turn, shown in zip(state["transcript"]["turns"], turns, strict=True)),
        claims=tuple(
            _claim(claim, entries.get(claim["claim_id"], {}), state, turns, passages, redact)
            for claim in state.get("claims") or []
        ),
        non_claims=tuple(_non_claim(one, turns) for one in state.get("non_claims") or []),
        not_read=tuple(
            {**one, "place": redact(one["place"]).text} for one in state["transcript"].get("not_read") or []
        ),
        passages={key: _passage(document, passages[key], redact) for key, document in documents.items()},
        evidences=_redacted(summarised(state.get("evidences") or {}), redact),
        citations=[_shown_citation(one, redact) for one in state.get("citations") or []],
        corpus={key: value for key, value in corpus.items() if key != "left_out"} | _limited(state, redact),
        corpus_gaps=_redacted(corpus.get("left_out"), redact),
        stages=stages_of(state),
        causes=_causes(state),
        usage=_usage(state),
        **_costs(state),
        verifiers=_two_verifiers(state),
        redaction=turns[0].policy if turns else "",
        review=_review(review, redact) if review else None,
        marks=review.labels if review else {},
    )
    return _with_shown_ids(report)


def _limited(state: State, redact: Redact) -> dict[str, str]:
    """What of the corpus the run was let see: who asks for a check may look away from what stands against it."""
    search = (state.get("config") or {}).get("search") or {}
    told = (
        f"{name} {', '.join(value) if isinstance(value, list | tuple) else value}" for name, value in search.items()
    )
    return {"limited_to": redact("; ".join(told)).text} if search else {}


def _review(review: ReviewItem, redact: Redact) -> ReportReview:
    decisions = [one.model_copy(update={"comment": redact(one.comment).text}) for one in review.decisions]
    return ReportReview(
        gate="review",
        state=review.state,
        since=review.since,
        until=review.until,
        four_eyes=review.four_eyes,
        outcome=review.outcome,
        decisions=tuple(decisions),
    )


def _by_claim_id(state: State) -> dict[str, dict[str, Any]]:
    """Verdict, documents and fused order of each claim; of repeated entries the first counts."""
    found: dict[str, dict[str, Any]] = {}
    for verdict in state.get("verdicts") or []:
        found.setdefault(verdict["claim_id"], {}).setdefault("verdict", verdict)
    for entry in state.get("evidence") or []:
        found.setdefault(entry["claim"]["claim_id"], {}).setdefault(
            "documents", [*entry["documents"], *entry.get("contexts", ())]
        )
    for entry in state.get("ranking") or []:
        found.setdefault(entry["claim_id"], {}).setdefault("ids", entry["ids"])
    return found


def _documents(state: State) -> dict[str, Mapping[str, Any]]:
    documents: dict[str, Mapping[str, Any]] = {}
    for entry in state.get("evidence") or []:
        cited = (document for one in entry.get("cited") or () for document in one["documents"])
        for document in (*entry["documents"], *entry.get("contexts", ()), *cited):
            documents.setdefault(document_id(document), document)
    return documents


def _claim(
    claim: Mapping[str, Any],
    entry: Mapping[str, Any],
    state: State,
    turns: list[Redacted],
    passages: Mapping[str, Redacted],
    redact: Redact,
) -> ReportClaim:
    verdict = entry.get("verdict") or {}
    considered = _considered(entry)
    quote, deciding = verdict.get("quote") or "", [key for key in verdict.get("documents") or [] if key in passages]
    deciding, quoted = _place_quote(quote, deciding, considered, entry, passages)
    start, end = relocated(turns[claim["turn"]], claim["start"], claim["end"])
    return ReportClaim(
        claim_id=claim["claim_id"],
        text=redact(claim["text"]).text,
        turn=claim["turn"],
        start=start,
        end=end,
        status=_status(claim["claim_id"], verdict, state),
        label=verdict.get("label"),
        reason=verdict.get("reason"),
        justification=redact(verdict.get("justification") or "").text,
        passages=tuple(considered),
        deciding=tuple(deciding),
        quote=passages[deciding[0]].text[quoted.start : quoted.end] if quoted else "",
        quoted=quoted,
        scores=verdict.get("scores") or {},
        checks=_checks(verdict, redact(claim["text"]), [passages[key] for key in considered], redact),
        sources=tuple(_source(one, passages, redact) for one in verdict.get("sources") or ()),
        doubt=verdict.get("doubt"),
        known={redact(figure).text: redact(how).text for figure, how in (verdict.get("known") or {}).items()},
        before=verdict.get("before"),
        cause=verdict.get("cause"),
        checked_by=verdict.get("checked_by") or "",
    )


def _source(one: Mapping[str, Any], passages: Mapping[str, Redacted], redact: Redact) -> ReportSource:
    shown = {key: redact(one[key]).text for key in ("mark", "title", "url", "justification")}
    return ReportSource(
        **shown, outcome=one["outcome"], passages=tuple(key for key in one["documents"] if key in passages)
    )


def _checks(
    verdict: Mapping[str, Any], claim: Redacted, evidence: Sequence[Redacted], redact: Redact
) -> tuple[Check, ...]:
    """The verdict's checks, with details that speak of shown text alone.

    A check reads the text as written and names parts of it, such as the three numbers of a phone number, which nobody
    could recognise as personal on their own: the same check of the shown texts names only what they hold. The detail of
    a name that was looked up is the name.
    """
    checks: Sequence[Check] = verdict.get("checks") or ()
    is_looked_up = str(verdict.get("checked_by") or "").startswith("rule:")
    hidden = not is_looked_up and any(text.redactions for text in (claim, *evidence))
    shown = run_checks(claim.text, [text.text for text in evidence], verdict.get("known") or {}) if hidden else []
    details = {check["name"]: check["detail"] or NOT_SHOWN for check in shown}

    def detail(check: Check) -> str:
        if hidden and not check["passed"] and check["name"] in CHECK_NAMES:
            return details.get(check["name"], NOT_SHOWN)
        return redact(check["detail"]).text

    return tuple({"name": check["name"], "passed": check["passed"], "detail": detail(check)} for check in checks)


def _status(claim_id: str, verdict: Mapping[str, Any], state: State) -> Status:
    missed = state["accounting"].get("unchecked_claims") or ()
    if not verdict or claim_id in missed or verdict.get("reason") in UNCHECKED_REASONS:
        return "unchecked"
    label: Status = verdict["label"]
    return label


def _considered(entry: Mapping[str, Any]) -> list[str]:
    keys = [document_id(document) for document in entry.get("documents") or []]
    order = {key: position for position, key in enumerate(entry.get("ids") or [])}
    return sorted(keys, key=lambda key: order.get(key, len(order)))


def _place_quote(
    quote: str,
    deciding: list[str],
    considered: Iterable[str],
    entry: Mapping[str, Any],
    passages: Mapping[str, Redacted],
) -> tuple[list[str], Stretch | None]:
    """Put the passage that holds the quote first, and say where in it, as shown, the quote stands."""
    source = {document_id(document): document["content"] for document in entry.get("documents") or []}
    for key in (*deciding, *considered) if quote else ():
        at = source.get(key, "").find(quote)
        if at >= 0:
            start, end = relocated(passages[key], at, at + len(quote))
            return [key, *(other for other in deciding if other != key)], Stretch(start=start, end=end)
    return deciding, None


def _turn(turn: Mapping[str, Any], shown: Redacted) -> ReportTurn:
    replaced = (Replaced(kind=one.kind, rule=one.rule, start=one.start, end=one.end) for one in shown.redactions)
    return ReportTurn(role=turn["role"], content=shown.text, redactions=tuple(replaced))


def _non_claim(one: Mapping[str, Any], turns: list[Redacted]) -> ReportNonClaim:
    start, end = relocated(turns[one["turn"]], one["start"], one["end"])
    return ReportNonClaim(turn=one["turn"], start=start, end=end, reason=one["reason"])


def _passage(document: Mapping[str, Any], shown: Redacted, redact: Redact) -> Passage:
    origin = shown_origin(document, redact)
    return Passage(content=shown.text, **{key: value for key, value in origin.items() if key in Passage.model_fields})


def _shown_citation(citation: Mapping[str, Any], redact: Redact) -> dict[str, Any]:
    """A citation without its stored text: a report shows the redacted one."""
    rest = {key: value for key, value in citation.items() if key not in ("text", "published_date")}
    return {**_redacted(rest, redact), **shown_origin(citation, redact)}


def _with_shown_ids(report: Report) -> Report:
    """The report with the ids of its passages as they may be shown: some are the name of a file, or an address."""
    names = {key: named for key in report.passages if (named := hidden_id(key)) != key}
    if not names:
        return report

    def shown(keys: Iterable[str]) -> tuple[str, ...]:
        return tuple(names.get(key, key) for key in keys)

    claims = [
        claim.model_copy(
            update={
                "passages": shown(claim.passages),
                "deciding": shown(claim.deciding),
                "sources": tuple(one.model_copy(update={"passages": shown(one.passages)}) for one in claim.sources),
            }
        )
        for claim in report.claims
    ]
    passages = {names.get(key, key): passage for key, passage in report.passages.items()}
    return report.model_copy(update={"claims": tuple(claims), "passages": passages})


def _redacted(value: Any, redact: Redact) -> Any:
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, list):
        return [_redacted(element, redact) for element in value]
    if isinstance(value, dict):
        return {key: element if key in IDS else _redacted(element, redact) for key, element in value.items()}
    return value


def _causes(state: State) -> dict[str, int]:
    """Errors that left claims unchecked, by class: of branches, and of single claims."""
    found = Counter(str(branch["error"]) for branch in state.get("checked") or [] if branch.get("error"))
    verdicts = state.get("verdicts") or []
    found.update(filter(None, (_cause(one) for one in verdicts)))
    if (state.get("estimate") or {}).get("stopped"):
        found[BudgetReachedError.__name__] += len(verdicts)
    return dict(found)


def _cause(verdict: Verdict) -> str:
    """The class of the error that left one claim unchecked; empty where it was not this claim's own."""
    if verdict.get("reason") == "unreadable_answer":
        return AnswerError.__name__
    if verdict.get("reason") == "language":
        return UnmeasuredLanguageError.__name__
    if verdict.get("reason") == "no_corpus":
        return "no_corpus"
    by = verdict.get("checked_by") or ""
    return by if is_unchecked(verdict) and by in TELLING else ""


def _costs(state: State) -> dict[str, Any]:
    """What the model was expected to cost, beside what it did."""
    expected, used = state.get("estimate"), _usage(state)
    if not expected:
        return {}
    model = next((one["checked_by"] for one in state["verdicts"] if "calls" in one.get("usage", {})), "")
    read = used.get("input", 0) + used.get("cache_read", 0) + used.get("cache_write", 0)
    spent = {"calls": used.get("calls", 0), "input": read, "output": used.get("output", 0)}
    dollars = dollars_of(model, spent["input"], spent["output"]) if spent["calls"] else 0.0
    return {
        "estimate": ModelCost(**{name: expected[name] for name in ModelCost.model_fields}),
        "spent": ModelCost(**spent, dollars=dollars),
        "budget_left": expected["left"],
    }


def _two_verifiers(state: State) -> TwoVerifiers | None:
    verdicts = state.get("verdicts") or []
    saved = sum((one.get("usage") or {}).get("saved", 0) for one in verdicts)
    second = [one for one in verdicts if one.get("before")]
    if not saved and not second:
        return None
    spent = _costs(state).get("spent")
    each = spent.dollars / spent.calls if spent and spent.calls and spent.dollars is not None else None
    return TwoVerifiers(
        first=sum("saved" in (one.get("usage") or {}) and not one.get("before") for one in verdicts),
        second=len(second),
        changed=tuple(one["claim_id"] for one in second if one["before"] != one["label"]),
        dollars=None if each is None else round(each * saved, 6),
    )


def _usage(state: State) -> dict[str, int]:
    total: Counter[str] = Counter()
    for verdict in state.get("verdicts") or []:
        total.update(verdict.get("usage") or {})
    del total["saved"]  # calls that were not made: `verifiers` says it
    return dict(total)
