"""Agents that do as little as the state machine needs of them; a test replaces the ones it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gate.catalogue import DETECTIVES
from tests.builders import a_numbered_claim, a_verdict

State = dict[str, Any]
Agent = Callable[[State], None]


def load_transcript(state: State) -> None:
    submission = state["submission"]
    state["transcript"] = {"turns": [{"role": "assistant", "content": submission["text"]}]}
    state["has"] = {"artifacts": submission.get("artifacts", False), "segment": submission.get("segment", False)}
    state["contexts"], state["artifacts"], state["segment"], state["policy"] = [], {}, None, {}


def extract_claims(state: State) -> None:
    """One claim a line."""
    lines = state["transcript"]["turns"][0]["content"].splitlines()
    state["claims"] = [a_numbered_claim(number, text) for number, text in enumerate(lines, start=1)]
    state["non_claims"] = []
    state["estimate"] = None
    state["reading"] = {"characters": 0, "claims": 0, "marks": 0, "set_aside": {}, "unread": 0}
    state["branches"] = [[claim] for claim in state["claims"]]


def retrieve_evidence(state: State) -> None:
    state["evidence"] = [{"claim": claim, "documents": [{"content": "passage"}]} for claim in state["claims"]]
    state["ranking"] = []


def verify_claims(state: State) -> None:
    state["verdicts"] = [
        {**a_verdict(), "claim": entry["claim"]["text"], "claim_id": entry["claim"]["claim_id"]}
        for entry in state["evidence"]
    ]


def collect(state: State) -> None:
    state["evidences"] = {"repo": []}


def aggregate_evidence(state: State) -> None:
    state["evidences"] = {"repo": [], "docs": []}
    state["metadata"] = {"pipeline_integrity": "SUCCESS"}


def attach_citations(state: State) -> None:
    state["citations"] = [{"text": "passage"}]


def judge(state: State) -> None:
    branches = state["checked"]
    state["verdicts"] = [verdict for branch in branches for verdict in branch["verdicts"]]
    unchecked = [branch["error"] for branch in branches if branch["error"]]
    state["decision"] = {"outcome": "review" if unchecked else "pass", "reasons": unchecked}
    state["review"] = {"wanted": False, "limit_s": 1}


def publish_report(state: State) -> None:
    state["report"] = {"verdicts": [verdict["claim"] for verdict in state["verdicts"]], "run": state["run_id"]}


def publish_failure(state: State) -> None:
    state["report"] = {"failure": state["failure"]}


AGENTS: dict[str, Agent] = {
    "load_transcript": load_transcript,
    "extract_claims": extract_claims,
    "retrieve_evidence": retrieve_evidence,
    "verify_claims": verify_claims,
    **dict.fromkeys(DETECTIVES, collect),
    "aggregate_evidence": aggregate_evidence,
    "retrieve_citations": attach_citations,
    "judge": judge,
    "publish_report": publish_report,
    "publish_failure": publish_failure,
}


def raising(error: Exception) -> Agent:
    """An agent that always fails."""

    def agent(state: State) -> None:
        raise error

    return agent
