"""Writes down what was decided, deleted, waived and changed: entries of the trail, one chain a tenant.

Nothing is written where `GATE_LEDGER` is empty. Where it is set, what cannot be written down does not happen.
"""

from __future__ import annotations

import getpass
import json
import secrets
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

from gate import wiring
from gate.errors import SettingsError, StorageUnavailableError
from gate.model import Policy
from gate.ports import SealingKey, Trail
from gate.prompts.verdicts import verdict_prompt
from gate.reports.model import Report
from gate.trail.review_items import ReviewItem
from gate.trail.seals import SEALS, Seal, read_seal, seal_behind
from gate.trail.trail_entries import (
    REFUSED_TODAY,
    Act,
    DeletionReason,
    TrailEntry,
    canonical,
    chain_of,
    committed,
    digest_of,
    following,
    read_entry,
    short,
)

ReviewStep = Literal[
    "requested", "unannounced", "assigned", "approved", "overruled", "blocked", "timed_out", "refused", "late"
]
ATTEMPTS = 200
"""Times that another writer may be faster."""
MOST_IDS = 100
"""Ids of requests that an entry names; its hash is over all of them."""
MARK = "+calibration:"
"""What stands before a calibration's hash in a verifier's name."""


def write_down(act: Act, tenant: str = "") -> TrailEntry | None:
    """Add an entry to a tenant's chain; before it one for each thing in force that it says has changed.

    Returns it; None where no ledger is kept.

    Raises:
        StorageUnavailableError: try again later.
        SettingsError: the ledger cannot be used, or its end is damaged.
    """
    trail = wiring.current().trail()
    if trail is None:
        return None
    chain = chain_of(tenant)
    for _ in range(ATTEMPTS):
        last = last_entry(trail, chain)
        change = _change(last, act)
        entry = following(last, chain, change or act, _now())
        if last and last.day != entry.day:
            seal(trail, last)
        if trail.add(chain, entry.number, entry.line) and change is None:
            return entry
    raise StorageUnavailableError("the ledger is written to by too many at once", hint="try again")


def _refused(act: Act, tenant: str) -> None:
    """Write down what somebody was refused: of one kind, actor and day the first time, the second, the fourth and so
    on, and how many times that makes. Whoever may call could else grow a ledger that nobody may shorten.
    """
    if wiring.current().trail() is None:
        return
    store, whose = wiring.current().blob_store(), [chain_of(tenant), act.kind, act.actor, _now().date().isoformat()]
    key = f"runs/.refused/{digest_of(whose)}"  # no run has that name, so nobody can ask for its deletion
    before = store.find(key) or b""
    count = 1 + (int(before) if before.isdigit() else 0)
    if count.bit_count() == 1:
        write_down(replace(act, facts={**act.facts, REFUSED_TODAY: count}), tenant)
    store.put(key, str(count).encode())


def seal(trail: Trail, last: TrailEntry) -> Seal | None:
    """Seal what of a chain is under no seal yet, up to its last entry; None: all of it is, or somebody was faster."""
    name, key = f"{last.chain}{SEALS}", _key()
    line = trail.last(name)
    before = read_seal(line) if line else None
    if line and before is None:
        raise SettingsError("the ledger's last seal is not as it was written", hint="gate ledger verify")
    if before and before.last >= last.number:
        return None
    bare = seal_behind(before, last, key.name)
    made = Seal(**{**{name: getattr(bare, name) for name in Seal.__slots__}, "mac": key.sign(bare.content)})
    return made if trail.add(name, made.number, made.line) else None


def last_entry(trail: Trail, chain: str) -> TrailEntry | None:
    """The last entry of a chain; None: there is none.

    Raises:
        SettingsError: it is damaged: nothing can follow it.
    """
    line = trail.last(chain)
    entry = read_entry(line) if line else None
    if line and entry is None:
        raise SettingsError("the ledger's last entry is not as it was written", hint="gate ledger verify")
    return entry


def decided(report: Report, rendered: Mapping[str, bytes], state: Mapping[str, Any]) -> None:
    """Write down a run's decision, before its report is stored.

    Args:
        rendered: the report as it will be stored, by format.
        state: what the run leaves.
    """
    if wiring.current().trail() is None:
        return
    salt, config = secrets.token_hex(32), state.get("config") or {}
    kept = _keep_state(report.run_id, state.get("by_reference"))
    facts = {**_decision(report), **_made_by(report), **_requests(state), **_commitments(salt, rendered, state, kept)}
    in_force = _in_force(report, state)
    act = Act("decision", _actor(config), report.run_id, facts, in_force)
    entry = write_down(act, str((config.get("search") or {}).get("tenant") or ""))
    if entry is not None:
        found = {"salt": salt, "chain": entry.chain, "number": entry.number, "state": kept}
        wiring.current().blob_store().put(salt_key(report.run_id), json.dumps(found).encode())


def deletion(
    run_id: str, caller: str | None, tenant: str, *, allowed: bool, reason: DeletionReason | None = None
) -> None:
    """Write down that a run's data is about to be removed, or that somebody was refused that.

    Args:
        caller: None: whoever works on this machine.
    """
    actor = _account() if caller is None else caller
    act = Act("deletion", actor, run_id, {"what": "run", "allowed": allowed, **_why(reason)})
    if allowed:
        write_down(act, tenant)
    else:
        _refused(act, tenant)


def reviewed(item: ReviewItem, step: ReviewStep, actor: str = "", **facts: object) -> None:
    """Write down a step of a review: who was asked, refused or late, what they decided, that nobody could be told, that
    the time was over."""
    act = Act("review", actor, item.run, {"step": step, **facts})
    if step in ("refused", "late"):
        _refused(act, item.tenant)
    else:
        write_down(act, item.tenant)


def removal(corpus: str, count: int | None = None, reason: DeletionReason | None = None) -> None:
    """Write down that a corpus, or so many documents and passages of it, is about to be removed by a command."""
    what = {"what": "corpus"} if count is None else {"what": "documents", "count": count}
    facts = {**what, "corpus": short(corpus), "allowed": True, **_why(reason)}
    write_down(Act("deletion", _account(), facts=facts))


def _why(reason: DeletionReason | None) -> dict[str, str]:
    return {"reason": reason} if reason else {}


def waiver(baseline: str, accepted: int, outcomes: tuple[str, str] | None = None, run_id: str = "") -> None:
    """Write down that a list of accepted findings is about to change, or changes what a check answers.

    Args:
        baseline: hash of the list.
        accepted: how many findings are on it; of a check, how many of its own.
        outcomes: of a check, before and after.
    """
    changed = dict(zip(("before", "after"), outcomes or (), strict=False))
    write_down(Act("waiver", _account(), run_id, {"baseline": baseline, "accepted": accepted, **changed}))


def fitted(calibration: bytes, verifier: str, labels: int, accepted: Mapping[str, Any]) -> None:
    """Write down that a calibration is about to be written to a file, of so many labels.

    Args:
        accepted: of one that was proposed from reviews and that somebody takes: what was expected of it; else empty.
    """
    own = {"fitted": digest_of(calibration)[:12], "verifier": short(verifier), "labels": labels}
    facts = {**own, **({"accepted": dict(accepted)} if accepted else {})}
    write_down(Act("calibration", _account(), facts=facts))


def correction(run_id: str, facts: Mapping[str, Any]) -> TrailEntry | None:
    """Write down that somebody accepts edits of a run's answer, before the edited answer is handed out."""
    return write_down(Act("correction", _account(), run_id, facts))


def salt_key(run_id: str) -> str:
    """Where the salt of a run's entry lies, and which entry that is: with its report, and goes with it."""
    return f"reports/{run_id}/salt.json"


def _change(last: TrailEntry | None, act: Act) -> Act | None:
    """What an act says is in force, and the chain's last entry does not: to be written down before it."""
    before = last.in_force if last else {}
    for kind, now in act.in_force.items():
        if before.get(kind, now) != now:
            return Act(kind, act.actor, act.run, {"before": before[kind], "after": now}, {kind: now})
    return None


def _now() -> datetime:
    return datetime.now(UTC)


def _key() -> SealingKey:
    return wiring.current().sealing_key()


def _decision(report: Report) -> dict[str, Any]:
    return {
        "outcome": report.outcome,
        "error": short(report.failure.error) if report.failure else None,
        "integrity": report.integrity,
        "claims": len(report.claims),
        "unchecked": report.accounting["unchecked"] if report.accounting else 0,
    }


def _made_by(report: Report) -> dict[str, Any]:
    """What the decision came from, by name and version."""
    if report.decision is None:
        return {"gate": report.gate_version}
    prompt, policy = verdict_prompt(), report.decision["policy"]
    return {
        "gate": report.gate_version,
        "policy": {key: short(str(policy[key])) for key in ("name", "version")},
        "prompt": {"name": prompt.name, "version": prompt.version, "sha256": prompt.sha256},
        "verifiers": sorted({short(claim.checked_by) for claim in report.claims if claim.checked_by}),
        "corpus": {key: short(str(report.corpus[key])) for key in ("name", "version") if key in report.corpus},
    }


def _requests(state: Mapping[str, Any]) -> dict[str, Any]:
    """What the model's provider calls the requests that verdicts came from: how many, a hash over all, the first."""
    verdicts = state.get("verdicts") or ()
    ids = sorted({str(one["request_id"]) for one in verdicts if one.get("request_id")})
    if not ids:
        return {}
    return {"requests": {"count": len(ids), "sha256": digest_of(ids), "ids": [short(one) for one in ids[:MOST_IDS]]}}


def _keep_state(run_id: str, state: Mapping[str, Any] | None) -> str:
    """Keep the state that was decided on among the run's blobs; returns its hash, empty where there is none.

    Values stand in it by reference, and a reference is a hash: who has this one can prove every blob below it.
    """
    if state is None:
        return ""
    data = canonical(state)
    wiring.current().blob_store().put(f"runs/{run_id}/{digest_of(data)}", data)
    return digest_of(data)


def _commitments(salt: str, rendered: Mapping[str, bytes], state: Mapping[str, Any], kept: str) -> dict[str, Any]:
    """Hashes of what holds text."""
    digests = {f"report_{form}": digest_of(data) for form, data in rendered.items()}
    if kept:
        digests["state"] = kept
    submission = state.get("submission")
    if isinstance(submission, Mapping) and "$blob" in submission:
        digests["submission"] = str(submission["$blob"])
    digests |= {key: digest_of(state[key]) for key in ("transcript", "evidence", "verdicts") if key in state}
    return {"commitments": {name: committed(salt, digest) for name, digest in digests.items()}}


def _in_force(report: Report, state: Mapping[str, Any]) -> dict[str, str]:
    if report.decision is None:
        return {}
    judged = [claim.checked_by for claim in report.claims if claim.scores]
    marks = {one.partition(MARK)[2] for one in judged if MARK in one}
    policy = digest_of(Policy.model_validate(state.get("policy") or {}).model_dump(mode="json"))
    return {"policy": policy} | ({"calibration": ",".join(sorted(marks)) or "none"} if judged else {})


def _actor(config: Mapping[str, Any]) -> str:
    return str(config.get("caller") or "") or _account()


def _account() -> str:
    """Who works on this machine; nobody where a service does."""
    if wiring.current().settings.ledger != "local":
        return ""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return ""
