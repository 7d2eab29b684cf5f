"""The deployment as data: one line per Lambda. Stdlib only; read by the runtime, the local run and `infra`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, get_args


class Use(StrEnum):
    """What an agent may touch beside the blobs of its run."""

    SEARCH = "search"
    """Read the corpus."""
    INDEX = "index"
    """Write to the corpus."""
    EMBEDDER = "embedder"
    MODEL = "model"
    """Ask the verifier's model; keep its answers."""
    REDACTOR = "redactor"
    IMAGES = "images"
    """Have images read."""
    DOCUMENTS = "documents"
    """Read PDF and HTML."""
    REPORTS = "reports"
    """Read and write reports."""
    RUNS = "runs"
    """Look at executions."""
    UPLOADS = "uploads"
    """Read what was uploaded: transcripts, and documents of the corpus."""
    POLICY = "policy"
    """Read the policy in force."""
    EVENTS = "events"
    """Announce what is done."""
    VERSIONS = "versions"
    """Know which version of each document a corpus holds, and look which one its bucket holds."""
    BUDGET = "budget"
    """Count what is spent on models."""
    QUEUE = "queue"
    """Have documents taken in, and what failed come again."""
    TRAIL = "trail"
    """Write down decisions and deletions for good."""
    REVIEWS = "reviews"
    """Keep what people decide of runs that wait for them."""
    FORMS = "forms"
    """Let callers upload by a form, and remove what came."""
    WEBHOOK = "webhook"
    """Tell a webhook of people's."""


class Machine(StrEnum):
    """The state machines."""

    GATE = "gate"
    """Checks one submission."""
    BATCH = "batch"
    """Checks the submissions of one upload."""


class Event(StrEnum):
    """What calls an agent that no state machine calls."""

    REQUEST = "request"
    """Of the REST API."""
    REQUEST_NOW = "request now"
    """Of the REST API, where a check is answered with its report."""
    TRANSCRIPT = "transcript"
    """Uploaded."""
    DOCUMENT = "document"
    """Of the corpus, uploaded or removed: messages of the queue that such events go to."""
    SCHEDULE = "schedule"
    """Now and then."""
    FAILURE = "failure"
    """Of an execution."""
    REVIEW = "review"
    """A run begins to wait for a person."""


NAMESPACE = "ReliabilityGate"
"""Of the metrics, where no setting says another."""

EVENT_SOURCE = "reliability-gate"
"""Of the events on the bus."""

EVERYWHERE: tuple[str, ...] = ("blobs", "home", "keep_runs", "log_level", "metrics", "region")
"""Settings that every function reads."""

_BEDROCK = ("model_attempts", "model_endpoint", "model_hedge", "model_timeout_s")
_ENGINE = (
    "language",
    "search",
    "search_fields",
    "search_password",
    "search_secret",
    "search_service",
    "search_user",
)
_BUDGET = ("budget_day", "budget_table", "budget_tenant_day", "budget_tokens")
_CAPS = ("max_bytes", "max_depth", "max_turn_chars", "max_turns")

Grant = Literal["submit", "read", "review", "delete", "administer"]
"""What callers may do beside seeing how a check stands. `read`: text of answers and evidence; `administer`: change what
answers are judged by."""
ROLES: dict[Grant, str] = {grant: f"{grant}_role" for grant in get_args(Grant)}
"""By what callers may do, the setting that names the groups or scopes of tokens that may."""

_CALLERS = (*ROLES.values(), "tenant_claim", "tenant_field")

SETTINGS: dict[Use, tuple[str, ...]] = {
    Use.SEARCH: _ENGINE,
    Use.INDEX: _ENGINE,
    Use.EMBEDDER: (
        "embedder",
        "embedder_endpoint",
        "embedder_key",
        "embedder_key_file",
        "model",
        "model_answers",
        "model_key",
        "model_key_file",
        "models",
        *_BEDROCK,
    ),
    Use.BUDGET: _BUDGET,
    Use.MODEL: (
        *_BUDGET,
        "calibration",
        "cascade_high",
        "cascade_low",
        "grounding_guardrail",
        "guardrail",
        "model",
        "model_answers",
        "model_key",
        "model_key_file",
        "model_requests",
        "model_tokens",
        "models",
        "pseudonyms",
        "source_kind",
        "verdict_cache",
        *_BEDROCK,
    ),
    Use.REDACTOR: ("redactor", "model", "model_endpoint"),
    Use.IMAGES: ("images", "model", *_BEDROCK),
    Use.RUNS: ("batch_machine", "machine"),
    Use.POLICY: ("policy",),
    Use.EVENTS: ("event_bus",),
    Use.VERSIONS: ("documents_table", "search"),
    Use.QUEUE: ("documents_queue",),
    Use.TRAIL: ("ledger", "ledger_key"),
    Use.REVIEWS: ("reviews_table",),
    Use.FORMS: ("upload_key", "upload_minutes", "upload_to"),
    Use.WEBHOOK: ("review_webhook", "review_webhook_format", "review_webhook_key"),
}
"""Settings that choose what is made for a use; uses without a line take none."""


@dataclass(frozen=True, slots=True)
class Agent:
    """One Lambda.

    Attributes:
        name: folder `functions/<name>/`, module `gate.<package>.<name>` and, in PascalCase, Task state.
        function: the function in that module that the handler calls.
        reads: state keys whose references are resolved before the call.
        writes: state keys whose values are stored by reference after the call.
        memory_mb, timeout_s: the Lambda's size.
        uses: what it may touch beside the blobs of its run.
        settings: what it reads of `gate.settings` beside what every function reads and what its uses take.
        detective: runs beside the other detectives in the Detect state, which is built from them.
        on: what calls it where no state machine does.
        entrance: called with that event as it is, and answers with what its caller expects.
        starts: state machines that it starts.
        audits: keeps audit records.
        forgets: removes what runs have stored.
        figures: metrics that it records.
        package: where its module is: what runs a machine in its own process stands above the agents.
    """

    name: str
    function: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    memory_mb: int = 512
    timeout_s: int = 60
    uses: tuple[Use, ...] = ()
    settings: tuple[str, ...] = ()
    detective: bool = False
    on: Event | None = None
    entrance: bool = False
    starts: tuple[Machine, ...] = ()
    audits: bool = False
    forgets: bool = False
    figures: tuple[str, ...] = ()
    package: str = "agents"

    @property
    def module(self) -> str:
        """Import path of the agent's module."""
        return f"gate.{self.package}.{self.name}"

    @property
    def state_name(self) -> str:
        """Name of the agent's Task state."""
        return "".join(part.capitalize() for part in self.name.split("_"))

    @property
    def source(self) -> str:
        """Key of a detective's evidence: `repo` of `collect_repo_evidence`."""
        return self.name.removeprefix("collect_").removesuffix("_evidence")

    @property
    def all_settings(self) -> frozenset[str]:
        """Every setting that its function reads, and is given: fields of `gate.settings.Settings`."""
        own = (*EVERYWHERE, *self.settings, *(("audit",) if self.audits else ()))
        return frozenset(own).union(*(SETTINGS.get(use, ()) for use in self.uses))


_JUDGED = (
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
    "policy",
)
"""What the judge leaves, and a report is made of."""

AGENTS: tuple[Agent, ...] = (
    Agent(
        "load_transcript",
        "load_transcript",
        reads=("submission",),
        writes=("transcript", "contexts", "segment", "artifacts", "policy", "has", "config"),
        settings=("index", *_CAPS),
    ),
    Agent(
        "extract_claims",
        "extract_claims",
        reads=("transcript", "contexts"),
        writes=("claims", "non_claims", "reading", "branches", "estimate"),
        timeout_s=300,
        uses=(Use.MODEL, Use.REDACTOR),
        settings=("budget_stop", "claims", "history", "max_claim_chars", "max_claims"),
    ),
    Agent(
        "retrieve_evidence",
        "retrieve_evidence",
        reads=("claims", "contexts"),
        writes=("evidence", "ranking"),
        timeout_s=120,
        uses=(Use.SEARCH, Use.EMBEDDER),
    ),
    Agent(
        "verify_claims",
        "verify_claims",
        reads=("evidence",),
        writes=("verdicts",),
        timeout_s=300,
        uses=(Use.MODEL, Use.REDACTOR),
        figures=("CeilingReached",),
    ),
    Agent(
        "collect_repo_evidence",
        "collect_repo_evidence",
        reads=("artifacts",),
        writes=("evidences",),
        memory_mb=1024,
        timeout_s=300,
        detective=True,
    ),
    Agent(
        "collect_docs_evidence",
        "collect_docs_evidence",
        reads=("artifacts", "transcript"),
        writes=("evidences",),
        memory_mb=1024,
        timeout_s=300,
        uses=(Use.DOCUMENTS,),
        detective=True,
    ),
    Agent(
        "collect_vision_evidence",
        "collect_vision_evidence",
        reads=("artifacts",),
        writes=("evidences",),
        memory_mb=2048,
        timeout_s=300,
        uses=(Use.IMAGES,),
        detective=True,
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
        uses=(Use.SEARCH, Use.EMBEDDER, Use.REDACTOR),
        settings=("index", "signals"),
        audits=True,
        figures=("CitationsFound", "EmptyResults", "Redactions", "RetrievalQueries", "RetrievalTime"),
    ),
    Agent(
        "judge",
        "judge",
        reads=("claims", "non_claims", "checked", "policy", "evidences", "citations"),
        writes=("verdicts", "non_claims", "evidence", "ranking", "decision", "accounting", "review"),
        memory_mb=1024,
        figures=("Claims", "UncheckedClaims"),
    ),
    Agent(
        "request_review",
        "request_review",
        reads=_JUDGED,
        memory_mb=1024,
        uses=(Use.REPORTS, Use.REDACTOR, Use.SEARCH, Use.EVENTS, Use.TRAIL, Use.REVIEWS),
        settings=("embedder", "models", "store_page"),
        figures=("ReviewUnannounced", "ReviewsRequested"),
    ),
    Agent(
        "publish_report",
        "publish_report",
        reads=_JUDGED,
        writes=("report",),
        memory_mb=1024,
        uses=(Use.REPORTS, Use.REDACTOR, Use.SEARCH, Use.VERSIONS, Use.EVENTS, Use.TRAIL, Use.REVIEWS),
        settings=("documents", "embedder", "models", "store_page"),
        figures=(
            "FalseAlarms",
            "Misses",
            "Outcomes",
            "ReviewersDiffer",
            "ReviewsTimedOut",
            "SupersededClaims",
            "VerdictsMarked",
            "VerdictsMarkedTwice",
        ),
    ),
    Agent(
        "publish_failure",
        "publish_failure",
        writes=("report",),
        uses=(Use.REPORTS, Use.RUNS, Use.EVENTS, Use.TRAIL),
        settings=("store_page",),
        on=Event.FAILURE,
        figures=("Outcomes",),
    ),
)
"""The agents of the state machine, in the order of the diagram."""

BATCH: tuple[Agent, ...] = (
    Agent(
        "split_batch",
        "split_batch",
        writes=("batch",),
        memory_mb=1024,
        timeout_s=900,
        uses=(Use.UPLOADS, Use.REPORTS, Use.BUDGET, Use.TRAIL),
        settings=("batch_part", "max_batch_bytes", "max_transcripts", "model", "store_page", *_CAPS),
        figures=("Outcomes",),
    ),
    Agent(
        "summarize_batch",
        "summarize_batch",
        writes=("batch",),
        memory_mb=1024,
        timeout_s=900,
        uses=(Use.REPORTS, Use.EVENTS, Use.TRAIL),
        settings=("store_page",),
        figures=("Outcomes",),
    ),
)
"""What stands around the same chain when one upload holds many transcripts."""

IN_THE_REQUEST: tuple[Agent, ...] = tuple(agent for agent in AGENTS if not agent.on and agent.name != "request_review")
"""The path of a check that waits for nobody, which `check_now` goes in its own process."""


def _of_the_path(*more: Use) -> tuple[Use, ...]:
    """What the whole path of a check uses, and more; nobody is asked on it."""
    used = dict.fromkeys((*(use for agent in IN_THE_REQUEST for use in agent.uses), *more))
    return tuple(use for use in used if use != Use.REVIEWS)


def _settings_of_the_path(uses: tuple[Use, ...], *more: str) -> tuple[str, ...]:
    """What the agents of the path read beside what these uses take, and more."""
    read = dict.fromkeys((*(name for agent in IN_THE_REQUEST for name in agent.settings), *more))
    return tuple(name for name in read if all(name not in SETTINGS.get(use, ()) for use in uses))


_NOW = _of_the_path(Use.POLICY, Use.BUDGET)

ENTRANCES: tuple[Agent, ...] = (
    Agent(
        "start_check",
        "start_check",
        memory_mb=1024,
        timeout_s=60,
        uses=(Use.UPLOADS, Use.POLICY, Use.RUNS, Use.REPORTS, Use.EVENTS, Use.TRAIL),
        entrance=True,
        settings=("store_page", "upload_to", *_CAPS),
        on=Event.TRANSCRIPT,
        starts=(Machine.GATE, Machine.BATCH),
        figures=("PolicyUnreadable",),
    ),
    Agent(
        "api",
        "answer_request",
        memory_mb=1024,
        timeout_s=29,
        uses=(
            Use.POLICY,
            Use.RUNS,
            Use.REPORTS,
            Use.SEARCH,
            Use.EMBEDDER,
            Use.REDACTOR,
            Use.BUDGET,
            Use.TRAIL,
            Use.REVIEWS,
            Use.FORMS,
        ),
        entrance=True,
        settings=("cors_origins", "index", "indexes", "signals", *_CALLERS, *_CAPS),
        on=Event.REQUEST,
        starts=(Machine.GATE,),
        audits=True,
        forgets=True,
        figures=("CeilingReached", "PolicyUnreadable"),
    ),
    Agent(
        "check_now",
        "check_now",
        memory_mb=2048,
        timeout_s=29,
        uses=_NOW,
        entrance=True,
        settings=_settings_of_the_path(_NOW, "cors_origins", "indexes", *_CALLERS),
        on=Event.REQUEST_NOW,
        audits=True,
        figures=(*(name for agent in IN_THE_REQUEST for name in agent.figures), "PolicyUnreadable"),
        package="local",
    ),
    Agent(
        "ingest_corpus",
        "ingest_corpus",
        memory_mb=2048,
        timeout_s=900,
        uses=(Use.UPLOADS, Use.INDEX, Use.EMBEDDER, Use.REDACTOR, Use.VERSIONS, Use.QUEUE),
        entrance=True,
        settings=("max_document_bytes", "redact_corpus"),
        on=Event.DOCUMENT,
        figures=("DocumentProblems", "DocumentsTaken", "DocumentsTriedAgain", "DocumentsUnreadable"),
    ),
    Agent(
        "reconcile_corpus",
        "reconcile_corpus",
        timeout_s=900,
        uses=(Use.VERSIONS, Use.QUEUE),
        entrance=True,
        settings=("documents", "index", "indexes"),
        on=Event.SCHEDULE,
        figures=("CorpusBehind", "CorpusLag"),
    ),
    Agent(
        "tell_reviewers",
        "tell_reviewers",
        timeout_s=120,
        uses=(Use.REVIEWS, Use.TRAIL, Use.WEBHOOK),
        entrance=True,
        settings=("review_page",),
        on=Event.REVIEW,
        figures=("ReviewUnannounced",),
    ),
)
"""The functions that events from outside reach."""

DETECTIVES: tuple[str, ...] = tuple(agent.name for agent in AGENTS if agent.detective)
"""The agents that run side by side in the Detect state, in the order of their lines."""

SOURCES: tuple[str, ...] = tuple(agent.source for agent in AGENTS if agent.detective)
"""Where evidence comes from: each detective writes under its own key, and a policy names it by that."""

INLINE: tuple[str, ...] = (
    "has",
    "config",
    "branches",
    "estimate",
    "reading",
    "metadata",
    "decision",
    "accounting",
    "review",
    "report",
    "batch",
)
"""Keys that stay in the state as values: routing reads them, or they hold counts and ids alone."""

BY_REFERENCE: tuple[str, ...] = (
    "submission",
    "transcript",
    "contexts",
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

STATE_SCHEMA = 1
"""Form of the state that travels between the functions (`config.schema`; 0: before it was counted).

One more where a function of an earlier release could not read what those of this one leave."""

MAX_BRANCHES = 400
"""Map iterations at most: 25,000 history events hold 400 with two tasks and every retry."""

MOST_REVIEW_HOURS = 168
"""Hours that a run may wait for a person: a week."""

MAX_CONCURRENCY = 40
"""Inline Map iterations at once; the service's own limit."""

BY_NAME: dict[str, Agent] = {agent.name: agent for agent in (*AGENTS, *BATCH, *ENTRANCES)}
