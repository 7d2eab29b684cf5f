"""The functions that agents call. What a run asks of them (filters, k, thresholds) is set around the agent's call."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import ValidationError

from gate import searching, wiring
from gate.adapters.allowance import Allowance, allowing
from gate.errors import GateError, InputError, SettingsError
from gate.model import Claim, Document, Estimate, Policy
from gate.ports import Redacted, SearchEngine, SearchFilter
from gate.rules.citing import CitationOptions
from gate.rules.deduplication import unique_documents
from gate.rules.passages import day
from gate.rules.transcripts.table import Caps

if TYPE_CHECKING:
    from gate.adapters.documents import Part
    from gate.rules.manifest import Repository

DEFAULT_JSONL_PATH = "corpus.jsonl"
"""The corpus that `similarity_search` reads when it is given none and no index is configured."""

TOP_K = 5
CALLS_AT_ONCE = 16
"""Calls of one agent that wait for the model at the same time."""

T = TypeVar("T")
R = TypeVar("R")

_config: ContextVar[Mapping[str, Any]] = ContextVar("config")


@contextmanager
def using(config: Mapping[str, Any]) -> Iterator[None]:
    """Apply a run's `config` to the calls made inside (in this context; copy it into threads)."""
    token = _config.set(config)
    limits = (wiring.settings().budget_tokens, (config.get("budget") or {}).get("tokens", 0))
    limit = min((tokens for tokens in limits if tokens > 0), default=0)  # a run may ask for less, never for more
    try:
        with allowing(Allowance(config.get("run_id", ""), limit)):
            yield
    finally:
        _config.reset(token)


def search_options() -> Mapping[str, Any]:
    """The `search` part of the run's config; empty outside a run."""
    options: Mapping[str, Any] = _config.get({}).get("search") or {}
    return options


def search_filter() -> SearchFilter:
    """What the run may see of the corpus.

    Raises:
        InputError: a date that is none; it must not widen what may be seen.
    """
    options = search_options()
    for name in ("published_from", "published_to"):
        if options.get(name) is not None and not day(str(options[name])):
            raise InputError(f"config.search.{name} is no date", hint="YYYY-MM-DD")
    return SearchFilter(
        tenant=options.get("tenant"),
        sources=tuple(options.get("sources", ())),
        classifications=tuple(options.get("classifications", ())),
        published_from=options.get("published_from"),
        published_to=options.get("published_to"),
    )


def caps() -> Caps:
    """What a submission may measure."""
    settings = wiring.settings()
    return Caps(settings.max_bytes, settings.max_turns, settings.max_turn_chars, settings.max_depth)


def default_index() -> str:
    """The index to search when a submission names none."""
    return wiring.settings().index


def team_policy() -> tuple[dict[str, Any], str]:
    """The policy that this deployment decides by, and what names its version; without one the default policy.

    Raises:
        SettingsError: what lies at GATE_POLICY is no policy.
    """
    url = wiring.settings().policy
    found = wiring.uploads().current(url) if url else None
    if found is None:
        return Policy().model_dump(), "default"
    data, version = found
    try:
        policy = Policy.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "the document"
        raise SettingsError(f"GATE_POLICY: {place}: {first['msg']}", hint=url) from None
    return policy.model_dump() | {"version": f"{policy.version} ({version})"}, version


def store_value(run_id: str, value: Any) -> dict[str, Any]:
    """Store a JSON value among a run's blobs, as the runtime does, and return its reference."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    sha = hashlib.sha256(data).hexdigest()
    wiring.blob_store().put(f"runs/{run_id}/{sha}", data)
    return {"$blob": sha, "items": len(value)}


def model_reads_claims() -> bool:
    """Whether a model splits sentences into claims.

    Raises:
        SettingsError: it should, and there is none that could.
    """
    if wiring.settings().claims != "model":
        return False
    if wiring.settings().model == "local":
        raise SettingsError("GATE_CLAIMS=model needs a language model", hint="GATE_MODEL=bedrock:<model id>")
    return True


def history_counts() -> bool:
    """Whether earlier user and tool turns are evidence of a weak kind."""
    return wiring.settings().history


def together(work: Callable[[T], R], items: Sequence[T]) -> list[R]:
    """Apply `work` to every item, several at a time, each under this run's settings; the first error ends it."""
    if len(items) < 2:
        return [work(item) for item in items]
    pool = ThreadPoolExecutor(min(CALLS_AT_ONCE, len(items)))
    try:
        waiting = [pool.submit(copy_context().run, work, item) for item in items]
        return [future.result() for future in waiting]
    finally:
        pool.shutdown(cancel_futures=True)


def call_llm(prompt: str, system: str = "") -> str:
    """Answer `prompt` under `system` with the configured model."""
    return wiring.language_model(source_kind()).complete(prompt, system)


def estimate_of(claims: Sequence[Claim]) -> Estimate | None:
    """What verifying claims of this run may cost on the model, at most; None: the verifier costs nothing."""
    index = str((_config.get({}).get("elasticsearch") or {}).get("index") or default_index())

    def look_up(text: str) -> list[Document] | None:
        try:
            found = unique_documents([*search_docs(text, index), *vector_search(text, index)])
        except GateError:
            return None
        return cast(list[Document], found)

    from gate import estimating

    return estimating.estimate_of(claims, lambda texts: together(look_up, texts))


def source_kind() -> str:
    """The run's kind of source (`config.verifier.source_kind`); empty: the deployment's setting."""
    return str((_config.get({}).get("verifier") or {}).get("source_kind") or "")


def search_docs(query: str, index: str = "trusted_docs") -> list[dict[str, Any]]:
    """Find passages by keywords, best first."""
    options = search_options()
    found = wiring.search_engine().search_docs(query, index, k=options.get("top_k", TOP_K), where=search_filter())
    return [document for document in found if document["score"] >= options.get("min_score", 0.0)]


def vector_search(text: str, index: str = "trusted_docs", k: int = TOP_K) -> list[dict[str, Any]]:
    """Find passages by meaning, best first; without an embedder, or in an index without vectors, there are none."""
    engine = wiring.search_engine()
    vector = query_vector(text, engine, index)
    if vector is None:
        return []
    options = search_options()
    found = engine.vector_search(vector, index, k=options.get("top_k", k), where=search_filter())
    return [document for document in found if document["score"] >= options.get("min_similarity", -1.0)]


def query_vector(text: str, engine: SearchEngine, index: str) -> Sequence[float] | None:
    """Embed a query for an index; None where the process or the index has no embedder.

    Raises:
        SettingsError: the index was made with another embedder.
    """
    if wiring.embedder() is None:
        return None
    from gate.indexing import index_embedder

    embedder = index_embedder(index, engine)
    return embedder.embed([text])[0] if embedder else None


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A passage as retrievers know it: its text, and everything else about it."""

    page_content: str
    metadata: dict[str, Any]


def similarity_search(query: str, k: int = TOP_K, jsonl_path: str | None = None) -> list[FoundDocument]:
    """Find the k passages that answer a query best, by keywords and meaning together.

    Below the run's thresholds (`min_similarity`, `min_score`) nothing is returned; where either is set, or the run
    asks for details, each passage's `similarity` (cosine) is in its metadata.

    Args:
        jsonl_path: a corpus file or folder to search; None: the index that the run names, outside a run the configured
            engine's default index, or, where there is none, `DEFAULT_JSONL_PATH`.
    """
    options = search_options()
    found = searching.above_thresholds(
        _search(query, jsonl_path),
        k,
        similarity=options.get("min_similarity"),
        score=options.get("min_score"),
        details=citation_options().details,
    )
    return [
        FoundDocument(document["content"], {key: value for key, value in document.items() if key != "content"})
        for document in found
    ]


def why_nothing(query: str, jsonl_path: str | None = None) -> tuple[str, str]:
    """Say why `similarity_search` found nothing, in a word, and what to do about it, in a line without the query."""
    try:
        return searching.why_nothing(_search(query, jsonl_path))
    except (InputError, SettingsError) as error:
        return "not_indexed", f"{error.safe_message}: {error.hint}" if error.hint else error.safe_message


def _search(query: str, jsonl_path: str | None) -> searching.Search:
    engine, index = _corpus(jsonl_path)
    return searching.Search(engine, index, query, query_vector(query, engine, index), search_filter())


def citation_options() -> CitationOptions:
    """What the run asks of its citations; signals that it does not bring are the deployment's.

    Raises:
        InputError: an option that is not known or does not fit.
    """
    asked = _config.get({}).get("citations") or {}
    try:
        options = CitationOptions.model_validate(asked)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in ("config.citations", *first["loc"]))
        raise InputError(f"{place}: {first['msg']}", hint=", ".join(CitationOptions.model_fields)) from None
    return options if options.signals else options.model_copy(update={"signals": wiring.signals()})


def who() -> dict[str, str]:
    """On whose behalf work is done: the caller that the run names, and the run."""
    config = _config.get({})
    return {"caller": str(config.get("caller") or ""), "run_id": str(config.get("run_id") or "")}


def _corpus(path: str | None) -> tuple[SearchEngine, str]:
    default = wiring.settings().index
    named = (_config.get({}).get("elasticsearch") or {}).get("index")
    if path is None and named:
        return wiring.search_engine(), str(named)
    if path is None and (wiring.search_engine().exists(default) or not Path(DEFAULT_JSONL_PATH).is_file()):
        return wiring.search_engine(), default
    return wiring.embedded_store(), index_corpus(path or DEFAULT_JSONL_PATH)


def index_corpus(path: str) -> str:
    """Index a corpus in the embedded store; see `gate.indexing.index_corpus`."""
    from gate import indexing

    return indexing.index_corpus(path)


def open_repository(artifact: Mapping[str, Any], root: str | None = None) -> Repository:
    """Read the names in a repository that a submission brings along; see `gate.adapters.repositories`."""
    from gate.adapters import repositories

    return repositories.open_repository(artifact, root)


def read_document(artifact: Mapping[str, Any]) -> list[Part]:
    """Read a document that a submission brings along; see `gate.adapters.documents`."""
    from gate.adapters import documents

    return documents.read_document(artifact)


def redact(text: str) -> Redacted:
    """Hide personal data in `text` with the configured redactor."""
    return wiring.redactor().redact(text)


def describe_corpus(index: str) -> dict[str, Any]:
    """Say what the report says of a corpus; where the engine cannot tell, the name and the error's class.

    `retrieval` says whether it was searched by meaning too: that takes an embedder here and vectors there.
    """
    try:
        about = wiring.search_engine().describe(index)
        by_meaning = wiring.embedder() is not None and about["embedder"] is not None
        return {**about, "retrieval": "keywords and vectors" if by_meaning else "keywords alone"}
    except GateError as error:
        return {"name": index, "error": error.code}


def store(key: str, data: bytes, *, content_type: str) -> None:
    """Keep `data`, such as a report, under `key` in the blob store."""
    wiring.blob_store().put(key, data, content_type=content_type)


def announce(kind: str, detail: Mapping[str, Any]) -> None:
    """Tell the event bus, where there is one, that something is done; `detail` holds ids and counts, never text.

    Raises:
        EventsUnavailableError: it did not take the event.
    """
    bus = wiring.event_bus()
    if bus is not None:
        bus.send(kind, detail)


def location(key: str) -> str:
    """Where what is stored under `key` lies: an `s3://` URL, or on this machine the key alone."""
    root = wiring.settings().blobs
    return f"{root.rstrip('/')}/{key}" if root else key
