"""Has each claim judged against its own evidence, and nothing else."""

from __future__ import annotations

from typing import Any

from gate.errors import AnswerError, BudgetReachedError
from gate.model import Claim, ClaimEvidence, Document, Reason, Verdict
from gate.prompts import load
from gate.rules.checks import run_checks
from gate.rules.deduplication import document_id
from gate.rules.fencing import fence, handles
from gate.rules.verdict_parsing import UNPARSED, find_quote, parse_answer, parse_verdict, problem_with
from gate.services import call_llm, together

__all__ = ["parse_verdict", "verify_claims"]

NO_EVIDENCE = "No evidence documents found."
BUDGET_REACHED = "Not checked: the run had spent its token budget."
NO_EVIDENCE_RULE = "rule:no-evidence/1"


def verify_claims(state: dict[str, Any]) -> None:
    """Write one verdict for each entry of `state["evidence"]` to `state["verdicts"]`, in the same order.

    The model sees the claim's text and the texts of its documents, fenced; without documents it is not asked.
    An entry whose claim has no `claim_id` gets `claim`, `label` and `justification` alone.

    Raises:
        ModelThrottledError, ModelUnavailableError: the state machine tries again.
    """
    entries: list[ClaimEvidence] = state["evidence"]
    if all("claim_id" in entry["claim"] for entry in entries):
        state["verdicts"] = together(_verify, entries)
    else:
        state["verdicts"] = [_verify(entry) for entry in entries]


def _verify(entry: ClaimEvidence) -> Verdict:
    claim, documents = entry["claim"], entry["documents"]
    plain: Verdict = {"claim": claim["text"], "label": "unsupported", "justification": NO_EVIDENCE}
    found = _facts("no_evidence", NO_EVIDENCE_RULE)
    if documents:
        label, justification, found = _ask(claim["text"], documents, full="claim_id" in claim)
        plain = {"claim": claim["text"], "label": label, "justification": justification}  # type: ignore[typeddict-item]
    if "claim_id" not in claim:
        return plain
    if claim.get("history") and found["reason"] in ("no_evidence", "not_mentioned"):
        return _by_history(claim, {**plain, **found})
    return {**plain, "claim_id": claim["claim_id"], **found}  # type: ignore[typeddict-item]


def _by_history(claim: Claim, found: dict[str, Any]) -> Verdict:
    """Where the documents say nothing, earlier user and tool turns may; the transcript is the speaker's own word, so
    what they support is supported weakly."""
    label, justification, said = _ask(claim["text"], claim["history"], full=True)
    usage = {
        name: found["usage"].get(name, 0) + said["usage"].get(name, 0) for name in {**found["usage"], **said["usage"]}
    }
    if label == "unsupported":
        said = found
    else:
        said = {
            **found,
            **said,
            "label": "weakly_supported",
            "reason": "partial",
            "scores": {},
            "checks": found["checks"] or said["checks"],
        }
        said["justification"] = f"Only earlier turns of the conversation say so: {justification}"
    return {**said, "claim_id": claim["claim_id"], "usage": usage}  # type: ignore[typeddict-item]


def _ask(claim: str, documents: list[Document], *, full: bool) -> tuple[str, str, dict[str, Any]]:
    try:
        reply = call_llm(fence(claim, documents), system=load("verify_claims"))
    except AnswerError as error:
        return *UNPARSED, _facts("unreadable_answer", error.model or error.code, usage=error.usage)
    except BudgetReachedError as error:
        return UNPARSED[0], BUDGET_REACHED, _facts("error", error.code)
    found = _read(reply, claim, documents)
    if full and found["reason"] == "unreadable_answer":
        return *UNPARSED, found
    return *parse_verdict(reply), found


def _read(reply: str, claim: str, documents: list[Document]) -> dict[str, Any]:
    """What the reply says beside label and justification; ids and quotes that do not exist make it unreadable."""
    checked_by, usage = getattr(reply, "model", "") or "unnamed model", getattr(reply, "usage", {})
    by_handle = dict(zip(handles(len(documents)), documents, strict=True))
    texts = {handle: document["content"] for handle, document in by_handle.items()}
    answer = parse_answer(reply)
    if answer is None or problem_with(answer, texts):
        return _facts("unreadable_answer", checked_by, usage=usage)
    return _facts(
        answer.reason,
        checked_by,
        documents=[document_id(by_handle[handle]) for handle in answer.documents],
        quote=find_quote(answer.quote, texts.values()),
        scores=answer.scores,
        checks=[*run_checks(claim, list(texts.values())), *getattr(reply, "checks", ())],
        usage=usage,
    )


def _facts(reason: Reason, checked_by: str, **further: Any) -> dict[str, Any]:
    empty = {"documents": [], "quote": "", "scores": {}, "checks": [], "usage": {}}
    return {"reason": reason, "checked_by": checked_by, **empty, **further}
