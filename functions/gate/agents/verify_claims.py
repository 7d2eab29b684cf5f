"""Has each claim judged against its own evidence, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from gate import wiring
from gate.claims.context import LONGEST
from gate.claims.openers import without_opener
from gate.decision.lookups.names import is_users_file, look_up, look_up_as_asked
from gate.decision.pairings import exchanged
from gate.decision.reckoning import ASKED, NEAR, known_figures
from gate.decision.sources_apart.causes import told_apart
from gate.decision.sources_apart.cited_sources import judged_sources
from gate.errors import AnswerError, BudgetReachedError, SettingsError, UnmeasuredLanguageError
from gate.model import NONE_KNOWN, Check, Claim, ClaimEvidence, Document, Reason, Verdict
from gate.ports import Judged
from gate.prompts.fencing import fence
from gate.prompts.verdicts import UNPARSED, parse_verdict, verdict_question
from gate.retrieval.deduplication import document_id
from gate.retrieval.given_passages import speaks_of
from gate.services import call_llm
from gate.services.audit_log import record
from gate.services.run import source_kind, together
from gate.text.words.negation import plainly

__all__ = ["parse_verdict", "verify_claims"]

NO_EVIDENCE = "No evidence documents found."
NO_CORPUS = "Not checked: there is no corpus, and the repository alone says nothing of it."
BUDGET_REACHED = "Not checked: the run had spent its token budget."
NO_TEXT = "Not checked: no document that was found has a text."
NO_TEXT_RULE = "rule:no-text/1"
NO_EVIDENCE_RULE = "rule:no-evidence/1"
NO_CORPUS_RULE = "rule:no-corpus/1"
NAMES_RULE = "rule:names/1"
NOT_NAMED = 0.12
"""The doubt of a name that no document has as it is written, and none has nearly so: it is reviewed, and blocks nothing
by itself. In 120 honest answers about public documents twenty such names stand, and in 600 that each have one false
sentence four are false; of those with a close name in the documents none and three (2026-11-28)."""


def verify_claims(state: dict[str, Any]) -> None:
    """Write one verdict for each entry of `state["evidence"]` to `state["verdicts"]`, in the same order.

    The verifier sees the claim's text and context and the texts of its documents; without documents it is not asked.
    An entry whose claim has no `claim_id` is put to `call_llm`, once, and gets `claim`, `label` and `justification`
    alone.

    Raises:
        ModelThrottledError, ModelUnavailableError: the state machine tries again.
        SettingsError: of all claims that have evidence; where it is of some, their verdicts say so.
    """
    entries: list[ClaimEvidence] = state["evidence"]
    if (state.get("config") or {}).get("against") == "repository":
        state["verdicts"] = [_verdict(one["claim"], NO_CORPUS, "no_corpus", NO_CORPUS_RULE) for one in entries]
        return
    if all("claim_id" in entry["claim"] for entry in entries):
        state["verdicts"] = _verdicts(entries, together(_verdict_or_refusal, entries))
    else:
        state["verdicts"] = [_verify(entry) if "claim_id" in entry["claim"] else _ask(entry) for entry in entries]


def _ask(entry: ClaimEvidence) -> Verdict:
    """The verdict as the specification has it."""
    claim, documents = entry["claim"]["text"], _with_text(entry)
    label, justification = "unsupported", NO_TEXT if entry["documents"] else NO_EVIDENCE
    if documents:
        question = verdict_question(fence(claim, documents))
        try:
            label, justification = parse_verdict(call_llm(question.text, system=question.system))
        except AnswerError:
            label, justification = UNPARSED
        except BudgetReachedError:
            label, justification = UNPARSED[0], BUDGET_REACHED
    return {"claim": claim, "label": label, "justification": justification}  # type: ignore[typeddict-item]


def _verdict_or_refusal(entry: ClaimEvidence) -> Verdict | SettingsError:
    try:
        return _verify(entry)
    except SettingsError as error:
        return error


def _verdicts(entries: list[ClaimEvidence], found: list[Verdict | SettingsError]) -> list[Verdict]:
    """The verdicts; a service that refused one request may have taken the next."""
    refused = [one for one in found if isinstance(one, SettingsError)]
    if refused and all(isinstance(one, SettingsError) or one["reason"] == "no_evidence" for one in found):
        raise refused[0]
    return [
        _refused(entry["claim"], one) if isinstance(one, SettingsError) else one
        for entry, one in zip(entries, found, strict=True)
    ]


def _refused(claim: Claim, error: SettingsError) -> Verdict:
    return _verdict(claim, f"The claim could not be checked ({error.reason}).", "error", error.code)


def _verify(entry: ClaimEvidence) -> Verdict:
    """The verdict on a claim of ours, and on each source that it cites."""
    entry = {**entry, "claim": _with_known(entry)}
    found = _on_evidence(entry)
    if not entry.get("cited"):
        return found
    judge = partial(_judge_part, entry["claim"])
    sources, usage = judged_sources(found, _with_text(entry), entry["cited"], judge)
    return {**found, "sources": sources, "usage": _added(found["usage"], usage)}


def _on_evidence(entry: ClaimEvidence) -> Verdict:
    """The verdict on a claim by its documents, and its contexts where it is judged against both; where they say
    nothing, by earlier turns."""
    claim, documents = entry["claim"], _with_text(entry)
    if entry["documents"] and not documents:
        return _verdict(claim, NO_TEXT, "error", NO_TEXT_RULE)
    found = _by(claim, documents)
    if found["label"] == "unsupported":
        found = _nowhere_named(entry, found)
    if "contexts" in entry:
        speaks = speaks_of(claim["text"], documents)
        found = told_apart(found, _by(claim, entry["contexts"]), speaks=speaks)
    history = claim.get("history")
    if history and found["reason"] in ("no_evidence", "not_mentioned"):
        return _by_history(found, _judge(claim, history))
    return found


def _with_text(entry: ClaimEvidence) -> list[Document]:
    """The documents that can be read: a foreign index may hold some without a text."""
    return [document for document in entry["documents"] if isinstance(document.get("content"), str)]


def _by(claim: Claim, documents: list[Document]) -> Verdict:
    if documents or claim.get("kind") == "name":
        return _judge(claim, documents)
    return _unfounded(claim, NO_EVIDENCE, "no_evidence", NO_EVIDENCE_RULE)


def _by_history(found: Verdict, said: Verdict) -> Verdict:
    """Where the documents say nothing, earlier user and tool turns may; the transcript is the speaker's own word, so
    what they support is supported weakly."""
    usage = _added(found["usage"], said["usage"])
    if said["label"] == "unsupported":
        return {**found, "usage": usage}
    return {
        **said,
        "label": "weakly_supported",
        "justification": f"Only earlier turns of the conversation say so: {said['justification']}",
        "reason": "partial",
        "scores": {},
        "checks": found["checks"] or said["checks"],
        "doubt": None,
        "usage": usage,
    }


def _added(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


def _with_known(entry: ClaimEvidence) -> Claim:
    """The claim with its figures that need no evidence."""
    claim = entry["claim"]
    if claim.get("kind") == "name":
        return claim
    texts = [document["content"] for document in (*_with_text(entry), *entry.get("contexts", ()))]
    answer = claim.get("source_response", claim["text"])
    start, end = claim.get("start", 0), claim.get("end", 0)
    around = answer[max(0, start - NEAR) : end + NEAR]
    known = known_figures(with_lead(claim), claim.get("source_prompt", ""), around, texts)
    return {**claim, "known": known} if known else claim


def _judge_part(claim: Claim, part: str, documents: list[Document]) -> Verdict:
    return _judge({**claim, "text": part or claim["text"]}, documents)


def _judge(claim: Claim, documents: list[Document]) -> Verdict:
    if claim.get("kind") == "name":
        return _looked_up(claim, documents)
    try:
        verifier = wiring.current().verifier(source_kind())
        judged = verifier.judge(with_lead(claim), _context(claim), documents, claim.get("known", NONE_KNOWN))
    except AnswerError as error:
        why = f"{UNPARSED[1]} {error.reason}"
        return {**_verdict(claim, why, "unreadable_answer", error.model or error.code), "usage": error.usage}
    except UnmeasuredLanguageError as error:
        return _verdict(claim, f"Not checked: {error.safe_message}; {error.hint}.", "language", error.verifier)
    except BudgetReachedError as error:
        record("CeilingReached")
        return _verdict(claim, BUDGET_REACHED, "error", error.code)
    return _held_to_pairs(_judged_verdict(judged, claim, documents), claim, documents)


def _held_to_pairs(found: Verdict, claim: Claim, documents: list[Document]) -> Verdict:
    """The verdict on a row of a table: its words say nothing of which value belongs to which name."""
    table = claim.get("table")
    why = exchanged(table, [document["content"] for document in documents]) if table else ""
    if not why:
        return found
    found = {**found, "checks": [*found["checks"], Check(name="pairs", passed=False, detail=why)]}
    if found["label"] == "unsupported":
        return found
    return {**found, "label": "unsupported", "reason": "not_mentioned", "justification": f"Exchanged: {why}."}


def _context(claim: Claim) -> str:
    """What a claim needs to be understood: the question too where it has the user's own figures, and the sums."""
    context, known = claim.get("context", ""), claim.get("known", NONE_KNOWN)
    asked = claim.get("source_prompt", "")[-LONGEST:] if ASKED in known.values() else ""
    sums = [f"{figure} = {how}." for figure, how in known.items() if how != ASKED]
    return " ".join(part for part in ("" if asked in context else asked, context, *sums) if part)


def with_lead(claim: Claim) -> str:
    """What a claim says where it stands, as a reader sees it.

    An item of a list with the lead-in that it completes, a sentence without what opens it and tells nothing.
    """
    lead, text = claim.get("lead"), without_opener(claim["text"])
    return plainly(f"{lead} {text}" if lead else text)


def _looked_up(claim: Claim, documents: list[Document]) -> Verdict:
    """The verdict on a name in code: it stands in the evidence as it is written, or it does not."""
    texts = [document["content"] for document in documents]
    found = look_up(claim["text"], texts) or look_up_as_asked(claim["text"], claim.get("source_prompt", ""), texts)
    if found is not None:
        place, quote = found
        return {
            **_supported(claim, f"The evidence names `{claim['text']}`."),
            "documents": [document_id(documents[place])],
            "quote": quote,
        }
    if is_users_file(claim["text"], claim.get("source_prompt", "")):
        return _supported(claim, f"The user tells of `{claim['text']}`; nobody says that the evidence names it.")
    absent = _unfounded(claim, f"The evidence does not name `{claim['text']}`.", "not_mentioned", NAMES_RULE)
    return {**absent, "doubt": NOT_NAMED, "checks": [Check(name="names", passed=False, detail="nothing names it")]}


def _supported(claim: Claim, justification: str) -> Verdict:
    return {**_verdict(claim, justification, "entailed", NAMES_RULE), "label": "supported", "doubt": 0.0}


def _nowhere_named(entry: ClaimEvidence, found: Verdict) -> Verdict:
    """The verdict on a name that stands nowhere in the corpus, which is certain where a close one does.

    Supported weakly, for a person to look at: a setting that the corpus has with another value, and a name all of whose
    words the corpus or the question names apart, which the answer may have put together rightly.
    """
    name = entry["claim"]["text"]
    if "other_value" in entry:
        other = entry["other_value"]
        return _named_in_part(
            found, f"Nothing in the corpus has `{name}`. It has `{other}`.", f"another value: {other}"
        )
    if "apart" in entry:
        told = f"Nothing in the corpus has `{name}`. The corpus or the question names its words, apart."
        return _named_in_part(found, told, "its words stand apart")
    if "near" not in entry:
        return found
    said = f"Nothing in the corpus names `{name}`."
    if not entry["near"]:
        return {**found, "justification": said}
    return {**found, "justification": f"{said} It names `{entry['near']}`.", "doubt": 1.0}


def _named_in_part(found: Verdict, justification: str, detail: str) -> Verdict:
    return {
        **found,
        "label": "weakly_supported",
        "reason": "partial",
        "justification": justification,
        "doubt": NOT_NAMED,
        "checks": [Check(name="names", passed=False, detail=detail)],
    }


def _judged_verdict(judged: Judged, claim: Claim, documents: list[Document]) -> Verdict:
    answer = judged.answer
    found: Verdict = {
        "claim": claim["text"],
        "label": answer.label,
        "justification": answer.justification,
        "claim_id": claim["claim_id"],
        "reason": answer.reason,
        "checked_by": judged.model,
        "documents": [document_id(documents[place]) for place in answer.documents],
        "quote": answer.quote,
        "scores": {str(label): share for label, share in answer.scores.items()},
        "checks": list(judged.checks),
        "doubt": judged.doubt,
        "usage": dict(judged.usage),
    }
    if known := claim.get("known"):
        found["known"] = known
    if judged.before:
        found["before"] = judged.before
    if judged.request_id:
        found["request_id"] = judged.request_id
    return found


def _verdict(claim: Claim, justification: str, reason: Reason, checked_by: str) -> Verdict:
    """A verdict without an answer: nothing supports the claim, and nothing is known of it."""
    return {
        "claim": claim["text"],
        "label": "unsupported",
        "justification": justification,
        "claim_id": claim["claim_id"],
        "reason": reason,
        "checked_by": checked_by,
        "documents": [],
        "quote": "",
        "scores": {},
        "checks": [],
        "doubt": None,
        "usage": {},
    }


def _unfounded(claim: Claim, justification: str, reason: Reason, checked_by: str) -> Verdict:
    """A verdict of a rule that leaves no doubt: the evidence is silent."""
    return {**_verdict(claim, justification, reason, checked_by), "doubt": 1.0}
