"""The deployment as data: one line per Lambda. Stdlib only; read by the runtime, the local run and `infra`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agent:
    """One Lambda.

    Attributes:
        name: folder `functions/<name>/`, module `gate.agents.<name>` and, in PascalCase, Task state.
        function: the function in that module that the handler calls.
        reads: state keys whose references are resolved before the call.
        writes: state keys whose values are stored by reference after the call.
        memory_mb, timeout_s: the Lambda's size.
        uses: what it may touch beside the blobs of its run: `search`, `model`, `embedder`, `redactor`, `images`,
            `documents` (reads PDF), `reports`, `runs` (executions), `uploads`, `index` (write to the corpus), `events`
            (announces what is done).
        entrance: called with an event from outside as it is, and answers with what its caller expects.
    """

    name: str
    function: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    memory_mb: int = 512
    timeout_s: int = 60
    uses: tuple[str, ...] = ()
    entrance: bool = False

    @property
    def module(self) -> str:
        """Import path of the agent's module."""
        return f"gate.agents.{self.name}"

    @property
    def state_name(self) -> str:
        """Name of the agent's Task state."""
        return "".join(part.capitalize() for part in self.name.split("_"))


AGENTS: tuple[Agent, ...] = (
    Agent(
        "load_transcript",
        "load_transcript",
        reads=("submission",),
        writes=("transcript", "segment", "artifacts", "policy", "has", "config"),
    ),
    Agent(
        "extract_claims",
        "extract_claims",
        reads=("transcript",),
        writes=("claims", "non_claims", "branches", "estimate"),
        timeout_s=300,
        uses=("model", "search", "embedder"),
    ),
    Agent(
        "retrieve_evidence",
        "retrieve_evidence",
        reads=("claims",),
        writes=("evidence", "ranking"),
        timeout_s=120,
        uses=("search", "embedder"),
    ),
    Agent(
        "verify_claims",
        "verify_claims",
        reads=("evidence",),
        writes=("verdicts",),
        timeout_s=300,
        uses=("model", "redactor"),
    ),
    Agent(
        "collect_repo_evidence",
        "collect_repo_evidence",
        reads=("artifacts",),
        writes=("evidences",),
        memory_mb=1024,
        timeout_s=300,
    ),
    Agent(
        "collect_docs_evidence",
        "collect_docs_evidence",
        reads=("artifacts", "transcript"),
        writes=("evidences",),
        memory_mb=1024,
        timeout_s=300,
        uses=("documents",),
    ),
    Agent(
        "collect_vision_evidence",
        "collect_vision_evidence",
        reads=("artifacts",),
        writes=("evidences",),
        memory_mb=2048,
        timeout_s=300,
        uses=("images",),
    ),
    Agent(
        "aggregate_evidence",
        "aggregate_evidence",
        reads=("collected", "evidences"),
        writes=("evidences", "metadata"),
        memory_mb=1024,
        timeout_s=120,
    ),
    Agent(
        "retrieve_citations",
        "attach_citations",
        reads=("segment",),
        writes=("citations",),
        timeout_s=120,
        uses=("search", "embedder", "redactor"),
    ),
    Agent(
        "judge",
        "judge",
        reads=("claims", "checked", "policy", "evidences", "citations"),
        writes=("verdicts", "evidence", "ranking", "decision", "accounting"),
        memory_mb=1024,
    ),
    Agent(
        "publish_report",
        "publish_report",
        reads=(
            "transcript",
            "claims",
            "non_claims",
            "verdicts",
            "evidence",
            "ranking",
            "evidences",
            "citations",
            "decision",
            "accounting",
        ),
        writes=("report",),
        memory_mb=1024,
        uses=("reports", "redactor", "search", "events"),
    ),
    Agent(
        "publish_failure",
        "publish_failure",
        reads=(),
        writes=("report",),
        uses=("reports", "runs", "events"),
    ),
)
"""The agents of the state machine, in the order of the diagram."""

BATCH: tuple[Agent, ...] = (
    Agent(
        "split_batch",
        "split_batch",
        reads=(),
        writes=("batch",),
        memory_mb=1024,
        timeout_s=900,
        uses=("uploads", "reports"),
    ),
    Agent(
        "summarize_batch",
        "summarize_batch",
        reads=(),
        writes=("batch",),
        memory_mb=1024,
        timeout_s=900,
        uses=("reports", "events"),
    ),
)
"""What stands around the same chain when one upload holds many transcripts."""

ENTRANCES: tuple[Agent, ...] = (
    Agent(
        "start_check",
        "start_check",
        reads=(),
        writes=(),
        memory_mb=1024,
        timeout_s=60,
        uses=("uploads", "runs", "reports", "events"),
        entrance=True,
    ),
    Agent(
        "api",
        "answer_request",
        reads=(),
        writes=(),
        memory_mb=1024,
        timeout_s=29,
        uses=("runs", "reports", "search", "embedder", "redactor"),
        entrance=True,
    ),
    Agent(
        "ingest_corpus",
        "ingest_corpus",
        reads=(),
        writes=(),
        memory_mb=2048,
        timeout_s=900,
        uses=("uploads", "index", "embedder", "redactor"),
        entrance=True,
    ),
)
"""The functions that events from outside reach."""

DETECTIVES: tuple[str, ...] = ("collect_repo_evidence", "collect_docs_evidence", "collect_vision_evidence")
"""The agents that run side by side in the Detect state; one line here adds a branch."""

INLINE: tuple[str, ...] = (
    "has",
    "config",
    "branches",
    "estimate",
    "metadata",
    "decision",
    "accounting",
    "report",
    "batch",
)
"""Keys that stay in the state as values: routing reads them, or they hold counts and ids alone."""

BY_REFERENCE: tuple[str, ...] = (
    "submission",
    "transcript",
    "segment",
    "artifacts",
    "policy",
    "claims",
    "non_claims",
    "evidence",
    "ranking",
    "verdicts",
    "evidences",
    "citations",
)
"""Keys that are stored and replaced by a reference whatever their size: they can hold text, or a Map joins them."""

MAX_BRANCHES = 400
"""Map iterations at most: 25,000 history events hold 400 with two tasks and every retry."""

MAX_CONCURRENCY = 40
"""Inline Map iterations at once; the service's own limit."""

BY_NAME: dict[str, Agent] = {agent.name: agent for agent in (*AGENTS, *BATCH, *ENTRANCES)}
