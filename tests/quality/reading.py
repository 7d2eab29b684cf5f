"""How answers are read, measured: `python -m tests.quality.reading answers [N]` and `… snippets FILE`.

`answers`: whole answers of language models with people's marks of what is unsupported (GATE_DATA). Every mark must lie
in claims, or in a lead-in that is their context; of the sentences that nobody marked, few may come out unsupported.
`snippets`: short texts, each with what must be a claim and what must not be one.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gate.adapters.local_verifier import local_verifier
from gate.agents import verify_claims
from gate.agents.extract_claims import extract_claims
from gate.claims.context import UNTRUE
from gate.model import UNREAD, Claim, Document, NonClaim

WIDTH = 100
_MARKER = re.compile(r"\b\d+\.(?=\s)")
"""What numbers an item of a list, which no reader takes for a statement."""


def read(answer: str, question: str = "") -> dict[str, Any]:
    """What `extract_claims` leaves for an answer to a question."""
    turns = [{"role": "user", "content": question}] if question else []
    state: dict[str, Any] = {"transcript": {"turns": [*turns, {"role": "assistant", "content": answer}]}}
    extract_claims(state)
    return state


@dataclass(slots=True)
class Answers:
    """Counts over whole answers."""

    marked: int = 0
    leading: int = 0
    missed: list[str] = field(default_factory=list)
    plain: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    aside: Counter[str] = field(default_factory=Counter)
    unsupported: list[str] = field(default_factory=list)


def answers(rows: Iterable[dict[str, Any]]) -> Answers:
    """Read each answer, and judge its claims against the passages that it was made from."""
    verifier, found = local_verifier(), Answers()
    for row in rows:
        state = read(row["answer"], row["question"])
        marks = [(mark["start"], mark["end"]) for mark in row["unsupported_spans"]]
        places = [(claim["start"], claim["end"]) for claim in state["claims"]]
        leading = [(one["start"], one["end"]) for one in state["non_claims"] if _leads(one, state["claims"])]
        for start, end in marks:
            found.marked += 1
            inside = {at for first, last in places for at in range(max(first, start), min(last, end))}
            judged = inside | {at for first, last in leading for at in range(first, last)}
            lost, beside = (
                any(letter.isalnum() for letter in _MARKER.sub("", _without(row["answer"], start, end, places_of)))
                for places_of in (judged, inside)
            )
            found.leading += beside and not lost
            if lost:
                found.missed.append(f"{row['id']}: {_without(row['answer'], start, end, judged)}")
        found.aside.update(one["reason"] for one in state["non_claims"])
        for claim in state["claims"]:
            if any(claim["start"] < end and start < claim["end"] for start, end in marks):
                continue
            found.plain += 1
            label = _label(verifier, claim, row["passages"])
            found.labels[label] += 1
            if label == "unsupported":
                found.unsupported.append(f"{row['id']}: {claim['text']}")
    return found


def _leads(one: NonClaim, claims: list[Claim]) -> bool:
    """Whether it is a lead-in that claims have for their context: it is judged with what it leads to."""
    text = " ".join(one["text"].split())
    return one["reason"] == "lead_in" and any(
        claim["context"] and (text.endswith(claim["context"]) or text in claim["context"]) for claim in claims
    )


def _without(answer: str, start: int, end: int, places: set[int]) -> str:
    return "".join(answer[at] for at in range(start, end) if at not in places)


def _label(verifier: Any, claim: Claim, passages: list[str]) -> str:
    documents = [Document(id=str(number), content=text) for number, text in enumerate(passages, 1)]
    label: str = verifier.judge(verify_claims.with_lead(claim), claim.get("context", ""), documents).answer.label
    return label


def snippets(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Each snippet, and what is wrong with its reading."""
    for row in rows:
        state = read(row["text"], row.get("question", ""))
        claims, wrong = state["claims"], []
        unread = " ".join(one["text"] for one in state["non_claims"] if one["reason"] in UNREAD)
        for said in row["claims"]:
            if not any(said in claim["text"] or said in row["text"][claim["start"] : claim["end"]] for claim in claims):
                wrong.append(f"{'unread' if said in unread else 'hidden'}: {said}")
        wrong += [f"judged: {one}" for one in row["aside"] if any(one in claim["text"] for claim in claims)]
        wrong += _taken_at_its_word(row, claims)
        for key in ("context", "cites", "kinds"):
            wrong += _details(key, row.get(key, {}), claims)
        yield row, wrong


def _taken_at_its_word(row: dict[str, Any], claims: list[Claim]) -> Iterator[str]:
    """What the reader is told is untrue and is judged as if it were said, and the reverse."""
    for said in row["claims"]:
        leads = {claim.get("lead") for claim in claims if said in claim["text"]}
        if said in row.get("untrue", []):
            if leads - {UNTRUE}:
                yield f"hidden: untrue: {said}"
        elif UNTRUE in leads:
            yield f"judged: untrue: {said}"


def _details(key: str, wanted: dict[str, Any], claims: list[Claim]) -> Iterator[str]:
    for said, value in wanted.items():
        own = [claim for claim in claims if said in claim["text"]]
        if key == "context":
            held = any(value in f"{claim.get('context', '')} {claim['text']}" for claim in own)
        elif key == "cites":
            held = any(set(value) <= set(claim.get("cites", [])) for claim in own)
        else:
            held = any(claim.get("kind") == value for claim in own)
        if own and not held:
            yield f"{key}: {said} → {value}"


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["snippets"]:
        rows = [json.loads(line) for line in Path(arguments[1]).read_text(encoding="utf-8").splitlines()]
        _print_snippets(list(snippets(rows)))
    else:
        path = Path(os.environ["GATE_DATA"]) / "rag-answers-a.jsonl"
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        step = max(1, len(rows) // int(arguments[1])) if len(arguments) > 1 else 1
        _print_answers(answers(rows[::step]), verbose="-v" in arguments)


def _print_answers(found: Answers, *, verbose: bool) -> None:
    for line in found.unsupported if verbose else ():
        print(line[: 2 * WIDTH].replace("\n", " "))
    print(f"marked spans {found.marked}, partly in a lead-in that is context of its claims {found.leading}")
    print(f"not within claims {len(found.missed)}")
    print("\n".join(found.missed))
    print(f"claims without a mark {found.plain}: {dict(found.labels)}")
    print(f"unsupported among them {found.labels['unsupported'] / max(1, found.plain):.3f}")
    print(f"set aside: {dict(found.aside)}")


def _print_snippets(found: list[tuple[dict[str, Any], list[str]]]) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for row, wrong in found:
        grave = [one for one in wrong if one.startswith(("hidden", "judged"))]
        counts[row["role"], "all"] += 1
        counts[row["role"], "grave"] += bool([one for one in grave if row["role"] == "honest" or "hidden" in one])
        counts[row["role"], "other"] += bool(wrong) and not grave
        for one in wrong:
            print(f"{row['id']} {row['role'][:1].upper()} {one[:WIDTH]!r} in {row['text'][:WIDTH]!r}")
    for role in ("attack", "honest"):
        print(f"{role}: {counts[role, 'grave']} wrong, {counts[role, 'other']} in details, of {counts[role, 'all']}")


if __name__ == "__main__":
    main(sys.argv[1:])
