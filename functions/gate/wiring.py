"""The only place that chooses: Settings in, adapters out. An SDK is loaded when its adapter is first asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

from gate.errors import SettingsError
from gate.once import Once
from gate.rules.query_building import Signals
from gate.settings import Settings

if TYPE_CHECKING:
    from gate.adapters.budget import Ledger
    from gate.adapters.embedded import EmbeddedSearch
    from gate.adapters.event_bridge import EventBus
    from gate.adapters.s3 import S3Uploads
    from gate.ports import BlobStore, Embedder, ImageReader, LanguageModel, Redactor, Runs, SearchEngine

_configured: Settings | None = None


def settings() -> Settings:
    """Return the settings in force: those given to `configure`, else the environment's."""
    return _configured if _configured is not None else _settings_from_environment()


@Once
def _settings_from_environment() -> Settings:
    return Settings.from_env(os.environ)  # noqa: TID251


def configure(new: Settings | None) -> None:
    """Put `new` in force (None: the environment again) and forget every adapter made so far."""
    global _configured
    _configured = new
    for factory in FACTORIES:
        factory.cache_clear()
    _settings_from_environment.cache_clear()


@Once
def language_model(source_kind: str = "") -> LanguageModel:
    """The model that verifies claims; `source_kind` chooses the local verifier's calibration (empty: the setting's)."""
    model = _model(source_kind)
    if not settings().pseudonyms:
        return model
    from gate.adapters.pseudonymous import PseudonymousModel

    return PseudonymousModel(model, redactor())


def _model(source_kind: str) -> LanguageModel:
    kind, _, name = settings().model.partition(":")
    if kind == "local" and name in ("", "lexical"):
        from gate.adapters.local_verifier import LocalVerifier, local_verifier

        return (LocalVerifier if name else local_verifier)(source_kind or settings().source_kind)
    if kind == "bedrock" and name:
        return _bedrock_model(name)
    raise SettingsError(
        f"GATE_MODEL: {settings().model!r} is not known", hint="local, local:lexical, or bedrock:<model id>"
    )


@Once
def _bedrock_model(name: str) -> LanguageModel:
    """A model on Bedrock; around it, from the inside out: budget, repair, second opinion, cache."""
    from gate.adapters.bedrock import BedrockModel
    from gate.adapters.bedrock_client import BedrockOptions
    from gate.adapters.bedrock_models import capabilities
    from gate.adapters.budget import BudgetedModel
    from gate.adapters.repairing import RepairingModel

    options = BedrockOptions(
        region=settings().region,
        endpoint=settings().model_endpoint,
        answers=settings().model_answers,
        attempts=settings().model_attempts,
        timeout_s=settings().model_timeout_s,
        guardrail=settings().guardrail,
    )
    model: LanguageModel = RepairingModel(BudgetedModel(BedrockModel(name, options), ledger(), capabilities(name)))
    if settings().grounding_guardrail:
        from gate.adapters.grounding import GroundedModel

        model = GroundedModel(model, settings().grounding_guardrail, options)
    if settings().verdict_cache:
        from gate.adapters.verdict_cache import CachedModel

        model = CachedModel(model, blob_store())
    return model


@Once
def ledger() -> Ledger:
    """What counts the tokens of a run."""
    if settings().budget_table:
        from gate.adapters.dynamo_ledger import DynamoLedger

        return DynamoLedger(settings().budget_table, settings().region)
    from gate.adapters.budget import LocalLedger

    return LocalLedger()


@Once
def embedded_store() -> EmbeddedSearch:
    """The store on this machine: the default engine, and where corpora given as files are indexed."""
    from gate.adapters.embedded import EmbeddedSearch

    return EmbeddedSearch(settings().home / "indexes", language=settings().language)


@Once
def search_engine() -> SearchEngine:
    """The engine that finds passages."""
    if settings().search == "embedded":
        return embedded_store()
    if settings().search.startswith(("http://", "https://")):
        from gate.adapters.opensearch import OpenSearchEngine
        from gate.adapters.opensearch.client import Endpoint

        now = settings()
        signed = Endpoint(now.search, now.search_service, now.region, now.search_user, now.search_password)
        return OpenSearchEngine(signed, language=now.language)
    raise SettingsError(
        f"GATE_SEARCH: {settings().search!r} is not known", hint="embedded, or https://<OpenSearch endpoint>"
    )


@Once
def embedder() -> Embedder | None:
    """What turns text into vectors; None: keyword search alone."""
    now = settings()
    kind, _, name = now.embedder.partition(":")
    if kind == "bedrock" and name:
        from gate.adapters.bedrock_client import BedrockOptions
        from gate.adapters.titan import TitanEmbedder

        options = BedrockOptions(
            region=now.region, endpoint=now.model_endpoint, attempts=now.model_attempts, timeout_s=now.model_timeout_s
        )
        return TitanEmbedder(name, options)
    if kind not in ("auto", "none", "minilm"):
        raise SettingsError(f"GATE_EMBEDDER: {now.embedder!r} is not known", hint="auto, none, minilm, bedrock:<id>")
    if kind == "none":
        return None
    from gate.adapters import minilm

    cache = now.models.expanduser()
    return minilm.MiniLMEmbedder(cache) if kind == "minilm" or minilm.available(cache) else None


@Once
def blob_store() -> BlobStore:
    """Where values too big for the state, and reports, are kept."""
    if settings().blobs.startswith("s3://"):
        from gate.adapters.s3 import S3BlobStore

        return S3BlobStore(settings().blobs, region=settings().region)
    if settings().blobs:
        raise SettingsError(f"GATE_BLOBS: {settings().blobs!r} is not known", hint="s3://bucket/prefix, or empty")
    from gate.adapters.local_files import FolderBlobStore

    return FolderBlobStore(settings().home)


@Once
def uploads() -> S3Uploads:
    """Where uploaded objects are read."""
    from gate.adapters.s3 import S3Uploads

    return S3Uploads(region=settings().region)


@Once
def runs() -> Runs:
    """What starts checks of one submission."""
    return _machine("GATE_MACHINE", settings().machine)


@Once
def batch_runs() -> Runs:
    """What starts checks of many submissions."""
    return _machine("GATE_BATCH_MACHINE", settings().batch_machine)


def _machine(variable: str, arn: str) -> Runs:
    if ":stateMachine:" not in arn:
        raise SettingsError(f"{variable}: {arn!r} is no state machine", hint="arn:aws:states:…:stateMachine:…")
    from gate.adapters.step_functions import StepFunctionsRuns

    return StepFunctionsRuns(arn, region=settings().region)


@Once
def event_bus() -> EventBus | None:
    """What hears of finished checks; None: nothing does."""
    if not settings().event_bus:
        return None
    from gate.adapters.event_bridge import EventBus

    return EventBus(settings().event_bus, region=settings().region)


@Once
def redactor() -> Redactor:
    """What hides personal data."""
    from gate.adapters.redactors import redactor_named

    return redactor_named(settings().redactor, region=settings().region, endpoint=settings().model_endpoint)


@Once
def signals() -> Signals:
    """What the domain's words are, for the queries of citations."""
    from gate.adapters.signals import read_signals

    path = settings().signals
    return read_signals(path) if path else Signals()


@Once
def image_reader() -> ImageReader | None:
    """What reads images; None: vision is not available."""
    now = settings()
    kind, _, name = now.images.partition(":")
    if now.images == "auto" and now.model.startswith("bedrock:"):
        kind, name = "bedrock", now.model.partition(":")[2]
    if kind == "bedrock" and name:
        from gate.adapters.bedrock_client import BedrockOptions
        from gate.adapters.bedrock_images import BedrockReader

        options = BedrockOptions(
            region=now.region, endpoint=now.model_endpoint, attempts=now.model_attempts, timeout_s=now.model_timeout_s
        )
        return BedrockReader(name, options)
    if kind not in ("auto", "none", "tesseract"):
        raise SettingsError(
            f"GATE_IMAGES: {now.images!r} is not known", hint="auto, none, tesseract, bedrock:<model id>"
        )
    from gate.adapters import tesseract

    wanted = kind == "tesseract" or (kind == "auto" and tesseract.installed())
    return tesseract.TesseractReader() if wanted else None


FACTORIES = (
    language_model,
    _bedrock_model,
    ledger,
    embedded_store,
    search_engine,
    embedder,
    blob_store,
    redactor,
    signals,
    image_reader,
    uploads,
    runs,
    batch_runs,
    event_bus,
)


def preload(uses: tuple[str, ...]) -> None:
    """Build what an agent will need, so that Lambda pays for it during INIT."""
    by_use: dict[str, Callable[[], object]] = {
        "model": language_model,
        "search": search_engine,
        "index": search_engine,
        "embedder": embedder,
        "redactor": redactor,
        "images": image_reader,
        "reports": blob_store,
        "documents": lambda: import_module("gate.adapters.documents"),
        "uploads": uploads,
        "runs": runs,
        "events": event_bus,
    }
    blob_store()
    for use in uses:
        by_use[use]()
