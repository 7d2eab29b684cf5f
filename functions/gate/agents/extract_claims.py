"""Splits the assistant's turns into claims and accounts for every sentence that is none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from gate import services
from gate.catalogue import MAX_BRANCHES
from gate.errors import AnswerError, BudgetReachedError
from gate.model import Claim, NonClaim, NonClaimReason
from gate.prompts import load
from gate.rules.claim_reading import CONTEXT_CHARS, SENTENCES_A_CALL, claim_prompt, parse_reading, settled
from gate.rules.history import history_documents
from gate.rules.non_claims import non_claim_reason
from gate.rules.sentences import Sentence, sentences
from gate.rules.source_marks import without_marks
from gate.services import call_llm


def extract_claims(state: dict[str, Any]) -> None:
    """Find the claims of every assistant turn: each sentence is one claim, or a non-claim with its reason.

    Where the settings say so a model reads the sentences: several claims may then point at the same one.

    Reads:
        `transcript`.
    Writes:
        `claims`: with `claim_id`, `turn`, offsets and `branch`; `non_claims`; `branches`: the claims again, one list a
        Map iteration, at most `MAX_BRANCHES` of them; `estimate`: what verifying them may cost, None where it costs
        nothing. Where that is more than the budget holds there are no branches: nothing is spent on half an answer.
    """
    claims: list[Claim] = []
    non_claims: list[NonClaim] = []
    turns = state["transcript"]["turns"]
    for number, turn in enumerate(turns):
        if turn["role"] == "assistant":
            _read_turn(turns, number, claims, non_claims)
    branches = grouped(claims, MAX_BRANCHES)
    for branch, group in enumerate(branches):
        for claim in group:
            claim["branch"] = branch
    state["claims"] = claims
    state["non_claims"] = non_claims
    state["estimate"] = services.estimate_of(claims)
    state["branches"] = [] if state["estimate"] and state["estimate"]["stopped"] else branches


def _read_turn(turns: list[dict[str, Any]], number: int, claims: list[Claim], non_claims: list[NonClaim]) -> None:
    text = turns[number]["content"]
    prompt = next((turn["content"] for turn in reversed(turns[:number]) if turn["role"] == "user"), "")
    spans = sentences(text)
    for span, reading in zip(spans, _readings(turns, number, spans), strict=True):
        if isinstance(reading, str):
            stretch = text[span.start : span.end]
            non_claims.append(NonClaim(text=stretch, reason=reading, turn=number, start=span.start, end=span.end))
            continue
        for statement in reading:
            claim = Claim(
                text=statement,
                source_prompt=prompt,
                source_response=text,
                claim_id=f"c{len(claims) + 1:04d}",
                turn=number,
                start=span.start,
                end=span.end,
            )
            if services.history_counts():
                claim["history"] = history_documents(statement, turns[:number])
            claims.append(claim)


def _readings(turns: list[dict[str, Any]], number: int, spans: Sequence[Sentence]) -> list[list[str] | NonClaimReason]:
    """For each sentence its claims, or why it makes none."""
    text = turns[number]["content"]
    stretches = [text[span.start : span.end] for span in spans]
    found: list[list[str] | NonClaimReason] = [
        non_claim_reason(stretch, span.kind) or [claim_text(stretch)]
        for stretch, span in zip(stretches, spans, strict=True)
    ]
    if services.model_reads_claims():
        places = [place for place, reading in enumerate(found) if not isinstance(reading, str)]
        before = "\n".join(turn["content"][-CONTEXT_CHARS:] for turn in turns[:number])
        groups = [places[start : start + SENTENCES_A_CALL] for start in range(0, len(places), SENTENCES_A_CALL)]
        work = [
            (f"{before}\n{text[: spans[group[0]].start]}", [claim_text(stretches[at]) for at in group])
            for group in groups
        ]
        read = [reading for readings in services.together(_ask, work) for reading in readings]
        for place, reading in zip(places, read, strict=True):
            found[place] = reading
    return found


def _ask(group: tuple[str, list[str]]) -> list[list[str] | NonClaimReason]:
    """Have a model read some sentences in their context; where its answer is of no use they stand as they are."""
    context, texts = group[0][-CONTEXT_CHARS:], group[1]
    try:
        reply = call_llm(claim_prompt(context, texts), system=load("extract_claims"))
    except (AnswerError, BudgetReachedError):
        reply = ""
    return [*settled(texts, context, {one.sentence: one for one in parse_reading(reply).sentences})]


def claim_text(stretch: str) -> str:
    """The stretch as one line: a table row's cells joined; line breaks, emphasis and marks of sources taken out."""
    if stretch.startswith("|"):
        stretch = ", ".join(cell.strip() for cell in stretch.strip("|").split("|") if cell.strip())
    return without_marks(" ".join(stretch.replace("**", "").replace("__", "").split()))


def grouped(claims: list[Claim], most: int) -> list[list[Claim]]:
    """Cut `claims` into at most `most` runs of nearly equal length, in order."""
    count = min(most, len(claims))
    bounds = [len(claims) * number // count for number in range(count + 1)] if count else [0]
    return [claims[start:end] for start, end in pairwise(bounds)]
