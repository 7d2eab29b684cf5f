"""Whether the very documents that a claim cites support it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gate.decision.accounting import is_unchecked
from gate.model import LABELS, CitedEvidence, Document, SourceOutcome, SourceVerdict, Verdict
from gate.retrieval.deduplication import document_id

Judge = Callable[[str, list[Document]], Verdict]
"""Judges a part of the claim, all of it where that is empty, by some passages alone."""

SAID = {
    "unknown_source": "Neither the answer's list nor the corpus has this source.",
    "unresolved": "Nothing says which source this is.",
    "unchecked": "Whether this source supports the claim could not be checked.",
}


def judged_sources(
    verdict: Verdict, evidence: Sequence[Document], cited: Sequence[CitedEvidence], judge: Judge
) -> tuple[list[SourceVerdict], dict[str, int]]:
    """What is thought of each source that a claim cites, and what asking cost.

    A source that holds the passage which decided for the claim backs it; any other is judged alone, the same passages
    once. It backs the claim when it supports it as well as all evidence together does, or, where a claim cites
    several, in part. Of a source that is cited for a part of the claim that part alone is judged.

    Args:
        verdict: on all the evidence.
    """
    known = {document_id(document) for document in evidence}
    usage: dict[str, int] = {}
    judged: dict[tuple[str, tuple[str, ...]], Verdict] = {}
    found: list[SourceVerdict] = []
    several = sum(one["found"] == "document" for one in cited) > 1
    for one in cited:
        own = [document_id(document) for document in one["documents"]]
        part = one["source"].get("part", "")
        if one["found"] != "document":
            found.append(_source_verdict(one, one["found"], [], SAID[one["found"]]))
        elif is_unchecked(verdict):
            found.append(_source_verdict(one, "unchecked", own, SAID["unchecked"]))
        elif verdict["label"] != "unsupported" and not set(own).isdisjoint(verdict["documents"]):
            deciding = [key for key in own if key in verdict["documents"]]
            found.append(_source_verdict(one, "backed", deciding, verdict["justification"]))
        elif not part and verdict["reason"] == "not_mentioned" and known.issuperset(own):
            found.append(_source_verdict(one, "not_backed", own, verdict["justification"]))
        else:
            asked = part, tuple(own)
            if asked not in judged:
                judged[asked] = judge(part, one["documents"])
                for name, count in judged[asked].get("usage", {}).items():
                    usage[name] = usage.get(name, 0) + count
            alone = judged[asked]
            outcome = _outcome(alone, verdict, several=several)
            found.append(_source_verdict(one, outcome, alone["documents"] or own, alone["justification"]))
    return found, usage


def _outcome(alone: Verdict, together: Verdict, *, several: bool) -> SourceOutcome:
    if is_unchecked(alone):
        return "unchecked"
    own, whole = LABELS.index(alone["label"]), LABELS.index(together["label"])
    enough = own < LABELS.index("unsupported") and (several or own <= whole)
    return "backed" if enough else "not_backed"


def _source_verdict(one: CitedEvidence, outcome: SourceOutcome, documents: list[str], why: str) -> SourceVerdict:
    mark, title, url = one["source"]["mark"], one["source"]["title"], one["source"]["url"]
    return SourceVerdict(mark=mark, title=title, url=url, outcome=outcome, documents=documents, justification=why)
