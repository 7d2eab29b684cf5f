"""How a report says things to people; shared by every format, so that a label has one mark and one name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from gate.decision.reckoning import ASKED
from gate.errors import OF_SETTINGS
from gate.model import LABELS, Cause, NonClaimReason, ReadingCounts, SourceOutcome
from gate.reports.model import STATUSES, Report, ReportClaim, ReportSource, Status, TwoVerifiers

MARKS: dict[Status, str] = {"supported": "✓", "weakly_supported": "~", "unsupported": "✗", "unchecked": "?"}
NAMES: dict[Status, str] = {
    "supported": "supported",
    "weakly_supported": "weakly supported",
    "unsupported": "unsupported",
    "unchecked": "unchecked",
}
OUTCOME_MARKS = {"pass": "✓", "review": "~", "block": "✗", "error": "!"}
BY_PEOPLE = {
    "pass": "A person has passed it; the gate had asked for review.",
    "block": "A person has blocked it; the gate had asked for review.",
    "review": "People have passed it, and its evidence has changed since: check it again.",
}
OUTCOME_SENTENCES = {
    "pass": "The policy lets this answer pass.",
    "review": "A person should look at this answer before it is used.",
    "block": "This answer must not be used as it stands.",
    "error": "The run failed, so there is no decision.",
}
HEADS = ("Because of", "What to do now")
HEADS_OF_A_PASS = ("Worth a look", "What would make it better")
"""Over the worst claim and over what to do: an answer that passes does so in spite of that claim."""
UNFINISHED = "Nothing could be checked, so nothing is known about this answer: run the check again."
"""The sentence of a review of which every claim is unchecked: there is nothing that a person could look at."""
REASONS = {
    "entailed": "the evidence says so",
    "partial": "a part is confirmed, the rest is not mentioned",
    "contradicted": "the evidence says otherwise",
    "not_mentioned": "the evidence does not say so",
    "no_evidence": "no evidence was found",
    "no_corpus": "there is no corpus to check it against",
    "unreadable_answer": "the model's answer could not be read",
    "language": "in a language in which the verifier was not measured",
    "error": "the check failed",
}

REFUTED = "the evidence has something else"
"""Instead of the reason, where a check found a figure or a term of the evidence that stands against the claim's."""

Action = Literal[
    "correct", "rewrite", "remove", "narrow", "cite", "repository", "read", "run_again", "mend", "look", "use"
]


class ToDo(NamedTuple):
    """What to do: about one claim, or the run, and about `{}` claims together (where that can be)."""

    one: str
    many: str = ""

    def several(self, count: int) -> str:
        """The sentence about `count` claims."""
        return self.many.format(f"{count} {plural(count, 'claim')}")


TO_DO: dict[Action, ToDo] = {
    "correct": ToDo(
        "Correct it: the evidence has another figure or name.",
        "Correct {}: the evidence has another figure or name.",
    ),
    "rewrite": ToDo(
        "Rewrite or remove it: the evidence says something else.",
        "Rewrite or remove {}: the evidence says something else.",
    ),
    "remove": ToDo(
        "Remove it, or add a document that says so to the corpus.",
        "Remove {}, or add a document that says so to the corpus.",
    ),
    "narrow": ToDo(
        "Keep what the evidence says, and remove the rest.", "Of {} keep what the evidence says, and remove the rest."
    ),
    "cite": ToDo("Cite a source that says so, or none.", "In {} cite a source that says so, or none."),
    "repository": ToDo("Correct what the answer says of the repository: it is listed below with its place."),
    "read": ToDo("Read the parts that the gate did not: they are listed below."),
    "run_again": ToDo("Run the check again: a part of it failed.", "{} could not be checked."),
    "mend": ToDo("Run the check again. `gate doctor` tries each service and says what to do.", ""),
    "look": ToDo("Ask a person to read the answer.", "Ask a person to look at {}."),
    "use": ToDo("Nothing has to be done: every claim holds."),
}
"""What a report tells to do, in this order."""
BY_RULE: dict[str, Action] = {
    "unread": "read",
    "no_claims": "look",
    "integrity": "run_again",
    "vision_conflict": "look",
}
"""What to do about reasons of the decision that no claim is behind."""
SET_RIGHT = "Change the setting that the message names, then run the check again: `gate doctor` tries each of them."
"""What to do after a run that failed for its settings."""
LATER = "Run the check again later: `gate doctor` tries each service. Verdicts that were reached stay paid."
ANSWERS = "Ask another model (`GATE_MODEL`), then run the check again: this one's answers could not be read."
REMEDIES = {
    "no_corpus": "Give documents to check the statements against: `gate check --corpus PATH`.",
    "InputError": "Correct what the message names, then run the check again.",
    "DamagedIndexError": "Delete the corpus and add it again: `gate index delete`, then `gate index add`.",
    "ModelThrottledError": "Run the check again with fewer files at once (`-j 1`): `gate doctor` reads the quotas.",
    "ModelUnavailableError": LATER,
    "SearchUnavailableError": LATER,
    "StorageUnavailableError": LATER,
    "TooSlowError": LATER,
    "UnreachableError": "Set right the address, or start what should answer there: `gate doctor` tries it.",
    "AnswerError": ANSWERS,
    "AnswerRefusedError": "Ask another model, or a milder guardrail: `GATE_MODEL`, `GATE_GUARDRAIL`.",
    "UnmeasuredLanguageError": "Have a language model judge it (`GATE_MODEL`): the verifier here reads English.",
    "BudgetReachedError": "Raise the budget (`GATE_BUDGET_TOKENS`): `gate check --estimate` says what the check needs.",
    "InternalError": "Report the message, which is a defect of the gate, and run the check again.",
}
"""What to do where claims, or a whole run, came to nothing because of an error of this class."""

SILENT = ("not_mentioned", "no_evidence")
"""Reasons with which no passage decides: the closest one is shown, and called so."""

LIKELIEST = "{} % by the verifier, the likeliest of the three labels"
DECIDED = "decided by a comparison of the texts, not by a probability"
"""How sure the label is: the probability of the label itself, or that no probability decided."""

CAUSES: dict[Cause, str] = {
    "made_up": "made up by the model",
    "not_retrieved": "missed by retrieval",
    "wrong_context": "wrong in the context",
}
"""Why a claim fails, where it was judged against contexts and corpus both."""

ASIDE: dict[NonClaimReason, str] = {
    "question": "questions",
    "greeting": "greetings",
    "opinion": "opinions",
    "abstention": "what the answer says it cannot tell",
    "heading": "headings",
    "lead_in": "lead-ins",
    "fragment": "fragments",
    "code": "code without a name to look up",
    "shown": "code that the evidence shows",
    "image": "images and other media",
    "struck": "what is crossed out",
    "unclear": "what its title may call untrue",
    "markup": "markup",
    "sources": "lists of sources",
    "template": "marks of a chat template",
    "too_long": "sentences longer than may be checked",
    "too_many": "what came after as many claims as may be checked",
}
"""What was set aside, by reason."""
BESIDE = {
    "alternative": "in place of an image, or beside",
    "image": "address or look of what is shown",
    "unseen": "not seen by a reader",
    "template": "mark of a chat template",
}
"""What of an answer stands beside its text, by kind of block."""


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


def sentence(report: Report) -> str:
    """Return what the outcome means, in one sentence."""
    if report.review and report.review.state == "decided":
        return BY_PEOPLE[report.outcome]
    if report.outcome == "review" and report.claims and counts(report.claims)["unchecked"] == len(report.claims):
        return UNFINISHED
    return OUTCOME_SENTENCES[report.outcome]


def reviewed(report: Report) -> list[str]:
    """Return what a person was asked, who decided what, when and why, in lines; none where nobody was asked."""
    asked = report.review
    if asked is None:
        return []
    lines = [f"the gate's own outcome: {asked.gate}; a person was asked {asked.since[:16]} UTC"]
    for one in asked.decisions:
        what = f"overruled the gate: {one.outcome}" if one.overrules else one.outcome
        lines.append(f"{one.reviewer}, {one.at[:16]} UTC: {what}" + (f" – {one.comment}" if one.comment else ""))
    if asked.state == "waiting":
        lines.append(f"it waits for {'two people' if asked.four_eyes else 'a person'} until {asked.until[:16]} UTC")
    if asked.state == "timed_out":
        lines.append(f"not decided until {asked.until[:16]} UTC: {asked.outcome}")
    return lines


def integrity(report: Report) -> str:
    """Return whether every claim is accounted for, in words; never without those that could not be checked."""
    if report.integrity != "SUCCESS":
        return "claims and verdicts do not match one to one"
    missed = counts(report.claims)["unchecked"]
    return "every claim is accounted for" + (f", {missed} of them as unchecked" if missed else "")


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


def languages(counts: Mapping[str, int]) -> str:
    """Return how many passages of the corpus are in each language."""
    from gate.text.languages import counted_languages  # with its lists of words

    return counted_languages(counts)


def left_out(report: Report, *, notable: bool | None = None) -> str:
    """Return what of the corpus's folder is not in the corpus, in one sentence; empty where all of it is.

    Args:
        notable: only where it is more than a tenth (True) or is not (False).
    """
    gaps = report.corpus_gaps
    if gaps is None or not gaps.sentence or (notable is not None and gaps.notable is not notable):
        return ""
    return f"not in the corpus: {gaps.sentence}"


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
    return f"{size / max(1, reading['characters']):.1%}"


def reason(claim: ReportClaim) -> str:
    """Return in words why the claim has its label; empty where nobody said."""
    if claim.status == "unsupported" and refuted(claim):
        return REASONS["contradicted"] if claim.reason == "contradicted" else REFUTED
    return REASONS.get(claim.reason or "", "") if claim.reason or claim.label else "no verdict came back"


def differences(claim: ReportClaim) -> list[str]:
    """Return in words which checks failed; such a claim is flagged whatever its label."""
    return [f"{check['name']} differ: {check['detail']}" for check in claim.checks if not check["passed"]]


def decided(claim: ReportClaim) -> bool:
    """Whether a comparison of the texts gave the label, and not its probability."""
    label = claim.label
    return bool(claim.scores) and label in LABELS and claim.scores.get(label, 0.0) < max(claim.scores.values())


def refuted(claim: ReportClaim) -> bool:
    """Whether the evidence stands against the claim, as far as anybody could tell."""
    shown = bool(claim.quote) and (bool(differences(claim)) or decided(claim))  # never said without the words
    return claim.status in ("unsupported", "weakly_supported") and (claim.reason == "contradicted" or shown)


def likelihood(claim: ReportClaim) -> str:
    """Return how sure the label is, in words: one number at most, and none that speaks for another label."""
    if claim.status == "unchecked" or not claim.scores or claim.label not in LABELS:
        return ""
    return DECIDED if decided(claim) else LIKELIEST.format(round(100 * claim.scores[claim.label]))


def quoted_as(claim: ReportClaim) -> str:
    """Return what the quote is to the claim: what supports it, what stands against it, or the closest there is."""
    if refuted(claim):
        return "What the evidence says instead"
    return "Closest passage" if claim.reason in SILENT else "Evidence"


def after_failure(error: str) -> str:
    """Return what to do after a run, or claims, that came to nothing because of an error of this class."""
    return REMEDIES.get(error) or (SET_RIGHT if error in OF_SETTINGS else TO_DO["mend"].one)


def after_parts_failed(report: Report) -> str:
    """Return what to do after parts of the run failed beside its claims: by their one cause, where it is one."""
    causes = {error for stage in report.stages for error in stage.errors}
    return after_failure(causes.pop()) if len(causes) == 1 else TO_DO["run_again"].one


def nothing_checked(report: Report) -> str:
    """Return why no claim at all could be checked, in one sentence; empty where one could, or there is none."""
    if not report.claims or counts(report.claims)["unchecked"] < len(report.claims):
        return ""
    said = list(dict.fromkeys(claim.justification for claim in report.claims))
    return f"nothing could be checked: {said[0]}" + (f" And {len(said) - 1} more causes." if len(said) > 1 else "")


def remedy(report: Report) -> str:
    """Return what to do about the claims that could not be checked: by their one cause, where it is one."""
    return after_failure(next(iter(report.causes))) if len(report.causes) == 1 else TO_DO["mend"].one


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
    """Return what is said of the claim, then the failed checks (one that the verifier itself names is said once), the
    figures that need no evidence, and the cited sources that do not hold."""
    said = claim.justification or reason(claim)
    figures = ", ".join(f"{figure} ({how})" for figure, how in known(claim))
    needless = [f"needs no evidence: {figures}"] if figures else []
    return [said, *(one for one in differences(claim) if one not in said), *needless, *misnamed(claim)]


def known(claim: ReportClaim) -> list[tuple[str, str]]:
    """Return the figures that need no evidence, each with how it is known."""
    return [(figure, "in the question" if how == ASKED else how) for figure, how in claim.known.items()]


def cost(calls: int, tokens_in: int, tokens_out: int, dollars: float | None) -> str:
    """Return what a model costs: calls, tokens, and dollars by list price where it is known."""
    money = "" if dollars is None else f", ${dollars:.4f}"
    return f"{calls} {plural(calls, 'call')}, {tokens_in:,} tokens in and {tokens_out:,} out{money}"


def shared(verifiers: TwoVerifiers) -> str:
    """Return who of two verifiers judged what."""
    changed = f", which changed {len(verifiers.changed)}" if verifiers.second else ""
    if verifiers.changed:
        changed += f" ({', '.join(verifiers.changed[:5])}{', …' if len(verifiers.changed) > 5 else ''})"
    money = f"; about ${verifiers.dollars:.4f} saved" if verifiers.dollars else ""
    first = f"{verifiers.first} {plural(verifiers.first, 'claim')} judged by the first verifier"
    return f"{first}, {verifiers.second} by the second{changed}{money}"


def joined(parts: Iterable[str]) -> str:
    """Return the sentences as one, parted by semicolons."""
    return "; ".join(part.rstrip(".") for part in parts if part)


def shortened(text: str, most: int) -> str:
    """Return the text, at most so many characters of it."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def plural(count: int, noun: str) -> str:
    """Return the noun as `count` asks for it."""
    return noun if count == 1 else noun + "s"
