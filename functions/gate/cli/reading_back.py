"""A report that somebody brings, as JSON: it may hold anything, and point anywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gate.reports.model import Report, ReportClaim, ReportNonClaim, Stretch


def read_back(data: str | bytes) -> Report:
    """Read a report, of which every part that another names is there, and whose outcome is its decision's.

    Raises:
        ValueError: it is none (pydantic's), names what it does not hold, or was changed into another outcome.
    """
    report = Report.model_validate_json(data)
    if report.outcome != (report.decision["outcome"] if report.decision else "error"):
        raise ValueError("the outcome is not that of the decision")
    if broken := next(_broken(report), ""):
        raise ValueError(f"{broken} names what the report does not hold")
    return report


def _broken(report: Report) -> Iterator[str]:
    for number, turn in enumerate(report.turns):
        if not all(_is_within(each, turn.content) for each in turn.redactions):
            yield f"turns.{number}"
    stretches: dict[str, Sequence[ReportClaim | ReportNonClaim]]
    stretches = {"claims": report.claims, "non_claims": report.non_claims}
    for name, found in stretches.items():
        for number, one in enumerate(found):
            if not (0 <= one.turn < len(report.turns) and _is_within(one, report.turns[one.turn].content)):
                yield f"{name}.{number}"
    for number, claim in enumerate(report.claims):
        if not _is_founded(claim, report):
            yield f"claims.{number}"
    known = {claim.claim_id for claim in report.claims}
    for number, reason in enumerate(report.decision["reasons"] if report.decision else ()):
        if not known.issuperset(reason["claims"]):
            yield f"decision.reasons.{number}"
    languages = report.corpus.get("languages")
    if languages is not None and not (
        isinstance(languages, dict) and all(type(count) is int for count in languages.values())
    ):
        yield "corpus.languages"
    if not _are_shares([report.risk]):
        yield "risk"


def _is_founded(claim: ReportClaim, report: Report) -> bool:
    named = {*claim.passages, *claim.deciding, *(key for source in claim.sources for key in source.passages)}
    if not named <= report.passages.keys() or not _are_shares([*claim.scores.values(), claim.doubt]):
        return False
    if not claim.deciding:
        return not claim.quote and claim.quoted is None
    return claim.quoted is None or _is_within(claim.quoted, report.passages[claim.deciding[0]].content)


def _is_within(found: Stretch | ReportClaim, text: str) -> bool:
    return 0 <= found.start <= found.end <= len(text)


def _are_shares(values: list[float | None]) -> bool:
    return all(value is None or 0 <= value <= 1 for value in values)
