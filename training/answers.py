"""Whole answers with people's marks, and single claims, judged by the product itself; kept outside of this repository.

An answer's claims are those that `extract_claims` reads; each is judged by `verify_claims` against all passages that
the answer was made from. What the hard rules of the policy say of it is asked of `judge`.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gate import wiring
from gate.adapters.local_verifier import doubt, lexicon, local_verifier
from gate.agents.extract_claims import extract_claims
from gate.agents.judge import judge
from gate.agents.verify_claims import verify_claims, with_lead
from gate.model import Claim, Outcome, Verdict
from gate.prompts.injection import before_instructions
from gate.services.run import using
from gate.settings import Settings
from gate.text.languages import ENGLISH, language_of
from gate.wiring import Wiring
from training import data

SET = "rag-answers-a"
SHARED = (
    "wice-claim-doc-dev", "wice-claim-oracle-dev", "factcheckgpt-train", "fever-rte-dev",
    "fm2-dev", "scifact-rte-train", "begin-wow-dev", "begin-cmu-dev", *data.OURS,
)  # fmt: skip
"""Sets of single claims, those that the default calibration is fitted on."""
MOST = 150
WEIGHTS = Path("functions/gate/adapters/local_verifier/weights")
RISK_PASSES = {"review_risk": 1, "block_risk": 1}


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim: what `doubt` weighs, its label, and whether a person marked it, or called it unsupported."""

    features: list[float]
    label: str
    marked: bool


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer, read and judged.

    Attributes:
        question: what a fold keeps together.
        bad: a person marked a part of it as unsupported.
        by_rules: what comes out where no risk is too high: of the hard rules alone.
        by_labels: what comes out where the labels decide.
    """

    question: str
    bad: bool
    by_rules: Outcome
    by_labels: Outcome
    claims: list[JudgedClaim]


def judged(kept: Path | None = None) -> tuple[list[JudgedAnswer], list[JudgedClaim]]:
    """Every answer, and single claims of the open sets that the encoder did not see, by the verifier that ships.

    From the file `kept` where that verifier wrote it.
    """
    stamp = _stamp()
    if kept and kept.is_file():
        first, whole, single = kept.read_text(encoding="utf-8").splitlines()
        if first == stamp:
            return [_read(one) for one in json.loads(whole)], [JudgedClaim(**one) for one in json.loads(single)]
    path = data.folder() / f"{SET}.jsonl"
    with wiring.entered(Wiring(Settings(model="local"))), using({}):
        found = [_judged(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    claims = _single_claims()
    if kept:
        parts = (json.dumps([asdict(one) for one in part]) for part in (found, claims))
        kept.write_text("\n".join([stamp, *parts]), encoding="utf-8")
    return found, claims


def _single_claims() -> list[JudgedClaim]:
    """Claims beside their own evidence, as many of each set as there are, up to `MOST`."""
    rows, _ = data.training(SHARED)
    _, held = data.split(rows)
    data.check_clean(held)
    verifier, taken, found = local_verifier(), Counter[str](), []
    english = (row for row in held if language_of(row.claim) in ("", ENGLISH))  # the verifier refuses the others
    for row in sorted(english, key=lambda row: data.claim_hash(row.claim)):
        taken[row.set] += 1
        if taken[row.set] <= MOST:
            judged = verifier.judge(row.claim, "", [{"content": text} for text in row.evidence])
            reading = lexicon().read(row.claim, list(map(before_instructions, row.evidence)))
            features = doubt.features(reading, judged.answer.label, judged.answer.scores, judged.checks)
            found.append(JudgedClaim(features, judged.answer.label, not row.supported))
    return found


def _stamp() -> str:
    """What the judgements depend on: the code, and all weights but those that are fitted on them."""
    digest = hashlib.sha256()
    for path in (*sorted(Path("functions/gate").rglob("*.py")), *sorted(WEIGHTS.iterdir())):
        if path.name != "doubt.json":
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(line: dict[str, Any]) -> JudgedAnswer:
    return JudgedAnswer(**{**line, "claims": [JudgedClaim(**claim) for claim in line["claims"]]})


def _judged(row: Mapping[str, Any]) -> JudgedAnswer:
    turns = [{"role": "user", "content": row["question"]}, {"role": "assistant", "content": row["answer"]}]
    state: dict[str, Any] = {"transcript": {"turns": turns}}
    extract_claims(state)
    documents = [{"id": str(place), "content": text} for place, text in enumerate(row["passages"], start=1)]
    state["evidence"] = [{"claim": claim, "documents": documents} for claim in state["claims"]]
    verify_claims(state)
    texts = [before_instructions(text) for text in row["passages"]]
    return JudgedAnswer(
        question=row["source_id"],
        bad=bool(row["unsupported_spans"]),
        by_rules=_outcome(state, RISK_PASSES),
        by_labels=_outcome(state, {"unsupported": "block", "weakly_supported": "review"}),
        claims=[
            JudgedClaim(_features(claim, verdict, texts), verdict["label"], _is_marked(claim, row["unsupported_spans"]))
            for claim, verdict in zip(state["claims"], state["verdicts"], strict=True)
            if verdict["scores"]  # a name in code is looked up, which leaves no doubt to weigh
        ],
    )


def _outcome(state: Mapping[str, Any], policy: Mapping[str, Any]) -> Outcome:
    checked = [{"branch": claim["branch"], "verdicts": [], "evidence": [], "ranking": []} for claim in state["claims"]]
    for entry, verdict in zip(checked, state["verdicts"], strict=True):
        entry["verdicts"] = [verdict]
    asked = {**state, "checked": checked, "policy": policy}
    judge(asked)
    outcome: Outcome = asked["decision"]["outcome"]
    return outcome


def _features(claim: Claim, verdict: Verdict, texts: Sequence[str]) -> list[float]:
    reading = lexicon().read(with_lead(claim), list(texts))
    scores: Any = verdict["scores"]
    return doubt.features(reading, verdict["label"], scores, verdict["checks"])


def _is_marked(claim: Mapping[str, Any], marks: Sequence[Mapping[str, int]]) -> bool:
    return any(claim["start"] < mark["end"] and mark["start"] < claim["end"] for mark in marks)
