"""How a report says things to people; shared by every format, so that a label has one mark and one name."""

from __future__ import annotations

from collections.abc import Iterable

from gate.model import NonClaimReason, ReadingCounts, SourceOutcome
from gate.reports.model import STATUSES, Report, ReportClaim, ReportSource, Status

MARKS: dict[Status, str] = {"supported": "✓", "weakly_supported": "~", "unsupported": "✗", "unchecked": "?"}
NAMES: dict[Status, str] = {
    "supported": "supported",
    "weakly_supported": "weakly supported",
    "unsupported": "unsupported",
    "unchecked": "unchecked",
}
OUTCOME_MARKS = {"pass": "✓", "review": "~", "block": "✗", "error": "!"}
OUTCOME_SENTENCES = {
    "pass": "The policy lets this answer pass.",
    "review": "A person should look at this answer before it is used.",
    "block": "This answer must not be used as it stands.",
    "error": "The run failed, so there is no decision.",
}
REASONS = {
    "entailed": "the evidence says so",
    "partial": "a part is confirmed, the rest is not mentioned",
    "contradicted": "the evidence says otherwise",
    "not_mentioned": "the evidence does not say so",
    "no_evidence": "no evidence was found",
    "unreadable_answer": "the model's answer could not be read",
    "error": "the check failed",
}

ASIDE: dict[NonClaimReason, str] = {
    "question": "questions",
    "greeting": "greetings",
    "opinion": "opinions",
    "abstention": "what the answer says it cannot tell",
    "heading": "headings",
    "lead_in": "lead-ins",
    "fragment": "fragments",
    "code": "code without a name to look up",
    "image": "images and other media",
    "struck": "what is crossed out",
    "markup": "markup",
    "sources": "lists of sources",
    "template": "marks of a chat template",
    "too_long": "sentences longer than may be checked",
    "too_many": "what came after as many claims as may be checked",
}
"""What was set aside, by reason."""


SOURCES: dict[SourceOutcome, str] = {
    "backed": "backed",
    "not_backed": "not backed by it",
    "unknown_source": "not in the corpus",
    "unresolved": "not resolved",
    "unchecked": "not checked",
}
"""What is thought of a source that a claim cites."""
SOURCE_MARKS: dict[SourceOutcome, str] = {
    "backed": "✓",
    "not_backed": "✗",
    "unknown_source": "✗",
    "unresolved": "?",
    "unchecked": "?",
}


def counts(claims: Iterable[ReportClaim]) -> dict[Status, int]:
    """Return how many claims have each status, the worst first."""
    found = [claim.status for claim in claims]
    return {status: found.count(status) for status in STATUSES}


def headline(report: Report) -> str:
    """Return the report in one line: the outcome and the figures behind it."""
    if report.failure:
        return f"error: {report.failure.error}" + (f": {report.failure.message}" if report.failure.message else "")
    if not report.claims:
        return f"{report.outcome}: the text holds no claims to check"
    figures = ", ".join(f"{count} {NAMES[status]}" for status, count in counts(report.claims).items() if count)
    return f"{report.outcome}: {len(report.claims)} {plural(len(report.claims), 'claim')}, {figures}"


def balance(report: Report) -> str:
    """Return the accounting as a sum that a reader can check."""
    claims, others = len(report.claims), len(report.non_claims)
    unchecked = counts(report.claims)["unchecked"]
    verdicts = claims - unchecked
    incoming, outgoing = f"{claims} {plural(claims, 'claim')}", f"{verdicts} {plural(verdicts, 'verdict')}"
    rest = f"{others} other {plural(others, 'sentence')} with nothing to check"
    return f"{incoming} in = {outgoing} + {unchecked} unchecked out; {rest}"


def risk(report: Report) -> str:
    """Return the answer's risk in one sentence; empty where nothing was checked."""
    if report.risk is not None:
        return f"risk that a claim is unsupported: {report.risk * 100:.0f} %"
    checked = any(claim.status != "unchecked" for claim in report.claims)
    return "no risk is told, for not every verdict is calibrated: the labels decide" if checked else ""


def not_read(report: Report) -> str:
    """Return what of the submission was not read, in one sentence; empty where all of it was."""
    named = [
        f"{one['count']} × {one['kind']}{' in the answer' if one['shown'] else ''} "
        f"({one['characters']:,} characters, {'first ' if one['count'] > 1 else ''}at {one['place']})"
        for one in report.not_read
    ]
    return f"not read: {', '.join(named)}" if named else ""


def set_aside(report: Report) -> str:
    """Return how much of the answer was set aside, and why, in one sentence; empty where nothing was counted."""
    reading = report.accounting.get("reading") if report.accounting else None
    if not reading or not reading["set_aside"]:
        return ""
    parts = [f"{ASIDE[why]} {_share(size, reading)}" for why, size in reading["set_aside"].items()]
    return f"set aside, by characters: {', '.join(parts)}; not read: {_share(reading['unread'], reading)}"


def _share(size: int, reading: ReadingCounts) -> str:
    return f"{size / reading['characters']:.1%}"


def reason(claim: ReportClaim) -> str:
    """Return in words why the claim has its label; empty where nobody said."""
    return REASONS.get(claim.reason or "", "") if claim.reason or claim.label else "no verdict came back"


def differences(claim: ReportClaim) -> list[str]:
    """Return in words which checks failed; such a claim is flagged whatever its label."""
    return [f"{check['name']} differ: {check['detail']}" for check in claim.checks if not check["passed"]]


def cited(report: Report) -> str:
    """Return what became of the cited sources, in one line; empty where the answer cites none."""
    found = [source.outcome for claim in report.claims for source in claim.sources]
    parts = [f"{found.count(outcome)} {name}" for outcome, name in SOURCES.items() if outcome in found]
    return f"cited sources: {', '.join(parts)}" if parts else ""


def source_name(source: ReportSource) -> str:
    """Return how a reader knows a source: its title or address, with the mark where that is another."""
    name = source.title or source.url
    return f"[{source.mark}] {name}" if name and source.mark not in (name, source.url) else name or source.mark


def misnamed(claim: ReportClaim) -> list[str]:
    """Return in words which cited sources do not hold: those that a person should look at."""
    return [
        f"cites {source_name(source)}: {SOURCES[source.outcome]}"
        for source in claim.sources
        if source.outcome not in ("backed", "unresolved")
    ]


def objection(claim: ReportClaim) -> list[str]:
    """Return what is said of the claim, then the failed checks (one that the verifier itself names is said once), then
    the cited sources that do not hold."""
    said = claim.justification or reason(claim)
    return [said, *(one for one in differences(claim) if one not in said), *misnamed(claim)]


def cost(calls: int, tokens_in: int, tokens_out: int, dollars: float | None) -> str:
    """Return what a model costs: calls, tokens, and dollars by list price where it is known."""
    money = "" if dollars is None else f", ${dollars:.4f}"
    return f"{calls} {plural(calls, 'call')}, {tokens_in:,} tokens in and {tokens_out:,} out{money}"


def joined(parts: Iterable[str]) -> str:
    """Return the sentences as one, parted by semicolons."""
    return "; ".join(part.rstrip(".") for part in parts if part)


def plural(count: int, noun: str) -> str:
    """Return the noun as `count` asks for it."""
    return noun if count == 1 else noun + "s"
