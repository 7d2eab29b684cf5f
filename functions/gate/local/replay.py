"""Makes a decision again from what it was made on, and names what differs, then and since. No model is asked."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate import __version__, wiring
from gate.agents.judge import judge
from gate.agents.verify_claims import with_lead
from gate.decision.checks import run_checks
from gate.decision.risk import risk_of
from gate.errors import GateError, InputError
from gate.model import Policy
from gate.prompts.verdicts import verdict_prompt
from gate.retrieval.deduplication import document_id
from gate.runtime import RunBlobs
from gate.services.indexes import describe_corpus
from gate.services.trail.acts import MARK
from gate.services.trail.kept_runs import kept_run
from gate.services.trail.proofs import removes, store_of, story
from gate.trail.trail_entries import TrailEntry, digest_of

Difference = tuple[str, str, str]
"""What differs, as it was, and as it is."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A decision that was made again.

    Attributes:
        entry: the decision's.
        outcome: what it is again, by the judge; a run may have been held back afterwards, which `entry` then says.
        differs: what came out otherwise than it was decided; empty: the same.
        since: what a check of today would have otherwise: the program, prompt, policy, calibration, verifier, corpus.
    """

    entry: TrailEntry
    outcome: str
    differs: tuple[Difference, ...]
    since: tuple[Difference, ...]


def replayed(run: str, tenant: str | None = None) -> Replay:
    """Make the latest decision of a run again.

    Checks, accounting, risk and decision are worked out anew from the evidence and the verdicts that were kept.

    Raises:
        InputError: there is no decision, it was deleted, or what it was made on is not there as it was.
    """
    found = story(run, tenant)
    telling = [entry for entry in found.entries if entry.kind == "decision" or removes(entry)]
    entry = telling[-1] if telling else None
    if entry is None or entry.kind != "decision":
        raise InputError(f"{run}: {'it was deleted' if entry else 'nothing was decided'}", hint="gate ledger show")
    if not found.holds:
        raise InputError(f"{run}: what the ledger says of it does not hold", hint="gate ledger show")
    kept = kept_run(entry)
    if kept.state is None:
        hint = "gate ledger verify --blobs" if kept.places else "GATE_KEEP_RUNS=1 keeps what it takes on this machine"
        raise InputError(f"{run}: what it was decided on is {kept.how}", hint=hint)
    state = RunBlobs(store_of(run), run).resolve(kept.state)
    if "decision" not in state:
        raise InputError(f"{run}: it failed before anything was decided", hint="gate ledger show")
    again = copy.deepcopy(state)
    judge(again)
    differs = (*_decision(entry, state, again), *_risk(run, again), *_checks(state))
    return Replay(entry, again["decision"]["outcome"], differs, tuple(_since(entry, state)))


def _decision(entry: TrailEntry, state: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[Difference]:
    """What the judge finds otherwise; what came after the judge can only have made it stricter."""
    policy = digest_of(Policy.model_validate(state.get("policy") or {}).model_dump(mode="json"))
    if policy != entry.in_force.get("policy"):
        yield "policy", entry.in_force.get("policy", "")[:12], policy[:12]
    for name in ("verdicts", "accounting"):
        if again[name] != state[name]:
            yield name, digest_of(state[name])[:12], digest_of(again[name])[:12]
    before, now = state["decision"], again["decision"]
    if now["outcome"] != before["outcome"]:
        yield "outcome", before["outcome"], now["outcome"]
    elif now != before:
        yield "reasons", _rules(before), _rules(now)


def _rules(decision: Mapping[str, Any]) -> str:
    return ", ".join(one["rule"] for one in decision["reasons"]) or "none"


def _risk(run: str, again: Mapping[str, Any]) -> Iterator[Difference]:
    data = store_of(run).find(f"reports/{run}/report.json")
    if data is None:
        return
    before, now = json.loads(data).get("risk"), risk_of(again["verdicts"])
    if before != now:
        yield "risk", str(before), str(now)


def _checks(state: Mapping[str, Any]) -> Iterator[Difference]:
    """Checks that come out otherwise on the kept evidence, by claim."""
    verdicts = {verdict["claim_id"]: verdict for verdict in state["verdicts"]}
    for entry in state.get("evidence") or ():
        verdict = verdicts.get(entry["claim"].get("claim_id"), {})
        before, figures = _outcomes(verdict.get("checks") or ()), verdict.get("known") or {}
        found = [_outcomes(run_checks(with_lead(entry["claim"]), texts, figures)) for texts in _read_by(entry, verdict)]
        known = {name for one in found for name in one}
        kept = {name: passed for name, passed in before.items() if name in known}
        if verdict.get("checks") and kept not in [{name: one[name] for name in one if name in before} for one in found]:
            yield f"checks of {verdict['claim_id']}", _told(kept), _told(found[0])


def _read_by(entry: Mapping[str, Any], verdict: Mapping[str, Any]) -> list[list[str]]:
    """The texts that a verifier may have compared a claim with: all of a kind, or those that decide."""
    kinds = [entry["documents"], entry.get("contexts") or (), entry["claim"].get("history") or ()]
    deciding = set(verdict.get("documents") or ())
    kinds += [[one for one in kind if document_id(one) in deciding] for kind in kinds]
    return [[str(one["content"]) for one in kind if isinstance(one.get("content"), str)] for kind in kinds if kind]


def _outcomes(checks: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for check in checks:
        found[check["name"]] = found.get(check["name"], True) and check["passed"]
    return found


def _told(checks: Mapping[str, bool]) -> str:
    return ", ".join(f"{name} {'holds' if passed else 'fails'}" for name, passed in checks.items()) or "none"


def _since(entry: TrailEntry, state: Mapping[str, Any]) -> Iterator[Difference]:
    """What a check of today would be made by that this one was not."""
    facts, prompt = entry.facts, verdict_prompt()
    pairs = [
        ("program version", str(facts.get("gate", "")), __version__),
        ("prompt", str((facts.get("prompt") or {}).get("sha256", ""))[:12], prompt.sha256[:12]),
        *_policy_of_today(entry),
        *_verifier_of_today(entry),
        *_corpus_of_today(entry, state),
    ]
    yield from (one for one in pairs if one[1] and one[1] != one[2])


def _policy_of_today(entry: TrailEntry) -> list[Difference]:
    from gate.services.submissions import team_policy

    if not wiring.current().settings.policy:
        return []
    now = digest_of(Policy.model_validate(team_policy().document).model_dump(mode="json"))
    return [("policy", entry.in_force.get("policy", "")[:12], now[:12])]


def _verifier_of_today(entry: TrailEntry) -> list[Difference]:
    """Model and calibration; a rule that answered without either is no verifier that could change."""
    before = [name for name in entry.facts.get("verifiers") or () if not name.startswith("rule:")]
    try:
        now = wiring.current().verifier().name
    except GateError as error:
        return [("model", ", ".join(before), error.safe_message)]
    if not before:
        return []
    marks = [", ".join(sorted({one.partition(MARK)[2] or "none" for one in names})) for names in (before, [now])]
    models = [", ".join(sorted({one.partition(MARK)[0] for one in names})) for names in (before, [now])]
    return [("model", models[0], models[1]), ("calibration", marks[0], marks[1])]


def _corpus_of_today(entry: TrailEntry, state: Mapping[str, Any]) -> list[Difference]:
    before = str((entry.facts.get("corpus") or {}).get("version", ""))
    index = (state.get("config") or {}).get("elasticsearch", {}).get("index", "")
    if not before or not index:
        return []
    about = describe_corpus(index)
    return [("corpus version", before, str(about.get("version") or about.get("error") or "none"))]
