"""The gate in LangChain and LangGraph: a runnable that checks, and a node that notes what came of it in the state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import Runnable, RunnableLambda

from gate.integrations.chain_values import answer_of, as_said, contexts_of
from gate.local.gate import Gate
from gate.reports.model import Report

State = Mapping[str, Any]


def checking(gate: Gate | None = None) -> Runnable[Any, Report]:
    """Make a runnable: an answer in, its report out; `chain | checking(Gate("docs/"))`.

    What it takes: text, a message with `content`, a document of a parser, or a mapping with `answer` and, where the
    answer is to be held against them, `contexts`: texts, or documents with `page_content` and `metadata`.
    """
    gate = gate or Gate()

    def check(given: Any) -> Report:
        return gate.check(as_said(answer_of(given)), contexts=contexts_of(given))

    async def acheck(given: Any) -> Report:
        return await gate.acheck(as_said(answer_of(given)), contexts=contexts_of(given))

    return RunnableLambda(check, afunc=acheck, name="gate")


def checking_node(
    gate: Gate | None = None, *, answer: str = "answer", contexts: str = "contexts"
) -> Runnable[Any, dict[str, Any]]:
    """Make a node of a graph: it reads the answer from the state (or its last message) and writes `gate`.

    What it writes is JSON, so that a checkpoint can hold it: `outcome`, `risk`, `passed` and the claims that do not
    hold, each with `text`, `status` and `justification`. `route` tells the edges.
    """
    gate = gate or Gate()

    def node(state: State) -> dict[str, Any]:
        given = state.get(answer)
        if given is None and state.get("messages"):
            given = state["messages"][-1]
        report = gate.check(as_said(answer_of(given)), contexts=contexts_of(state, contexts))
        wrong = [claim.model_dump(include={"text", "status", "justification"}) for claim in report.claims
                 if claim.status != "supported"]  # fmt: skip
        found = {"outcome": report.outcome, "passed": report.passed, "risk": report.risk, "claims": wrong}
        return {"gate": found}

    return RunnableLambda(node, name="gate")


def route(state: State) -> str:
    """Where a graph goes after the node: the outcome (`pass`, `review`, `block` or `error`)."""
    return str(state["gate"]["outcome"])
