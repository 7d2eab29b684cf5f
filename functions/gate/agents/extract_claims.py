"""Splits the assistant's turns into claims and accounts for every sentence that is none."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from gate.catalogue import MAX_BRANCHES
from gate.model import Claim, NonClaim
from gate.rules.non_claims import non_claim_reason
from gate.rules.sentences import sentences


def extract_claims(state: dict[str, Any]) -> None:
    """Find the claims of every assistant turn: each sentence is one claim, or a non-claim with its reason.

    Reads:
        `transcript`.
    Writes:
        `claims`: with `claim_id`, `turn`, offsets and `branch`; `non_claims`; `branches`: the claims again, one list a
        Map iteration, at most `MAX_BRANCHES` of them.
    """
    claims: list[Claim] = []
    non_claims: list[NonClaim] = []
    prompt = ""
    for number, turn in enumerate(state["transcript"]["turns"]):
        if turn["role"] == "user":
            prompt = turn["content"]
        elif turn["role"] == "assistant":
            _read_turn(turn["content"], number, prompt, claims, non_claims)
    branches = grouped(claims, MAX_BRANCHES)
    for branch, group in enumerate(branches):
        for claim in group:
            claim["branch"] = branch
    state["claims"] = claims
    state["non_claims"] = non_claims
    state["branches"] = branches


def _read_turn(text: str, turn: int, prompt: str, claims: list[Claim], non_claims: list[NonClaim]) -> None:
    for sentence in sentences(text):
        stretch = text[sentence.start : sentence.end]
        reason = non_claim_reason(stretch, sentence.kind)
        if reason is not None:
            place = NonClaim(text=stretch, reason=reason, turn=turn, start=sentence.start, end=sentence.end)
            non_claims.append(place)
            continue
        claims.append(
            Claim(
                text=claim_text(stretch),
                source_prompt=prompt,
                source_response=text,
                claim_id=f"c{len(claims) + 1:04d}",
                turn=turn,
                start=sentence.start,
                end=sentence.end,
            )
        )


def claim_text(stretch: str) -> str:
    """The stretch as one line: a table row's cells joined, line breaks and emphasis signs taken out."""
    if stretch.startswith("|"):
        stretch = ", ".join(cell.strip() for cell in stretch.strip("|").split("|") if cell.strip())
    return " ".join(stretch.replace("**", "").replace("__", "").split())


def grouped(claims: list[Claim], most: int) -> list[list[Claim]]:
    """Cut `claims` into at most `most` runs of nearly equal length, in order."""
    count = min(most, len(claims))
    bounds = [len(claims) * number // count for number in range(count + 1)] if count else [0]
    return [claims[start:end] for start, end in pairwise(bounds)]
