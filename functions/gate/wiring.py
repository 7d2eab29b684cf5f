"""The only place that chooses: Settings in, adapters out. An SDK is loaded when its adapter is first asked for."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakSet

from gate.catalogue import Use
from gate.errors import SettingsError
from gate.once import once
from gate.retrieval.segment_query import Signals
from gate.settings import KNOWLEDGE_BASE, Settings, endpoint_of, speaks, stages

if TYPE_CHECKING:
    from gate.adapters.aws.bedrock.client import BedrockOptions
    from gate.adapters.aws.s3 import S3Uploads
    from gate.adapters.aws.sqs import DocumentQueue
    from gate.adapters.embedded import EmbeddedSearch
    from gate.adapters.model_protocol.capabilities import Capabilities
    from gate.adapters.openai.service import ServiceOptions
    from gate.adapters.remote_gate import RemoteGate
    from gate.adapters.repositories.kept_names import KeptNames
    from gate.adapters.reviews.run_table import RunTable
    from gate.adapters.spending.admission import Admission
    from gate.adapters.spending.budget import Ceilings, Ledger
    from gate.ports import (
        BlobStore,
        CheckingVerifier,
        ClaimReader,
        DocumentVersions,
        Embedder,
        Events,
        ImageReader,
        LanguageModel,
        NoticeChannel,
        Redactor,
        ReviewStore,
        Runs,
        SealingKey,
        SearchEngine,
        Trail,
        Verifier,
    )


_ENTRANCES: WeakSet[Wiring] = WeakSet()
_OF_THE_PARENT: list[dict[Any, Any]] = []
"""What a forked process has from its parent: held, and never used, for the threads that it counts on are not here."""
MODELS = "bedrock:<model id>, or openai:<model>"
"""Those that are language models, as `GATE_MODEL` names them."""


class Wiring:
    """What one entrance works with: its settings, and the adapters that they choose, each made when first asked for.

    Args:
        given: None: the settings are those of the environment, read when they are first needed.
    """

    def __init__(self, given: Settings | None = None) -> None:
        self._given = given
        self.begin()
        _ENTRANCES.add(self)

    def begin(self) -> None:
        """Hold nothing that was made before."""
        self.made: dict[Any, Any] = {}
        self.making = threading.RLock()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._of_environment() if self._given is None else self._given

    @once
    def _of_environment(self) -> Settings:
        return Settings.from_env(os.environ)  # noqa: TID251

    def changed(self, **settings: Any) -> Wiring:
        """Another entrance, with some settings changed and nothing made yet."""
        return Wiring(self.settings.model_copy(update=settings))

    @once
    def searching_here(self) -> Wiring:
        """The entrance that searches the store on this machine: this one, or one beside it that keeps what it makes."""
        return self if self.settings.search == "embedded" else self.changed(search="embedded")

    @once
    def verifier(self, source_kind: str = "") -> Verifier:
        """What judges claims; `source_kind` chooses the local verifier's calibration (empty: the setting's)."""
        found = self._judges(source_kind)
        if not self.settings.pseudonyms:
            return found
        from gate.adapters.pseudonymous import PseudonymousVerifier

        return PseudonymousVerifier(found, self.redactor())

    def _judges(self, source_kind: str) -> Verifier:
        """One verifier, or two in a row."""
        now = self.settings
        verifiers = [self._verifier(source_kind, name) for name in stages(now.model)]
        if now.calibration:
            from gate.adapters.judging.own_labels import with_calibration

            verifiers = with_calibration(verifiers, now.calibration)
        if len(verifiers) == 1:
            return verifiers[0]
        from gate.adapters.judging.cascade import Cascade

        first, second = verifiers
        return Cascade(first, second, now.cascade_low, now.cascade_high)

    def _verifier(self, source_kind: str, model: str) -> Verifier:
        kind, _, name = model.partition(":")
        if kind == "local" and name in ("", "lexical"):
            from gate.adapters.local_verifier import LocalVerifier, local_verifier

            source_kind = source_kind or self.settings.source_kind
            return LocalVerifier(source_kind) if name else local_verifier(source_kind, self._models())
        if kind == "onnx" and name:
            from gate.adapters.local_verifier import onnx_verifier

            return onnx_verifier(Path(name), source_kind or self.settings.source_kind, self._models())
        return self._model_verifier(model)

    @once
    def _model_verifier(self, model: str) -> Verifier:
        """A language model; around it, from the inside out: second opinion, cache."""
        found = self._asking(model)
        if self.settings.grounding_guardrail:
            from gate.adapters.aws.bedrock.grounding import GroundedVerifier

            found = GroundedVerifier(found, self.settings.grounding_guardrail, self._bedrock_options())
        if self.settings.verdict_cache:
            from gate.adapters.verdict_cache import CachedVerifier

            return CachedVerifier(found, self.kept_answers(), self._before(model))
        return found

    def _asking(self, model: str) -> CheckingVerifier:
        """A language model that gives verdicts, or one that says yes or no."""
        if model.startswith("minicheck:"):
            from gate.adapters.openai.minicheck import MiniCheckVerifier

            return MiniCheckVerifier(self._model(model))
        from gate.adapters.model_verifier import ModelVerifier

        return ModelVerifier(self._model(model))

    @once
    def claim_reader(self) -> ClaimReader | None:
        """What splits sentences into claims by a model; around it, from the inside out: cache, pseudonyms.

        None: each sentence is one.
        """
        if self.settings.claims != "model":
            return None
        model = stages(self.settings.model)[-1]
        if not speaks(model):
            raise SettingsError("GATE_CLAIMS=model needs a language model", hint=MODELS)
        from gate.adapters.model_reader import ModelReader

        found: ClaimReader = ModelReader(self._model(model))
        if self.settings.verdict_cache:
            from gate.adapters.verdict_cache import CachedReader

            found = CachedReader(found, self.kept_answers(), self._before(model))
        if self.settings.pseudonyms:
            from gate.adapters.pseudonymous import PseudonymousReader

            found = PseudonymousReader(found, self.redactor())
        return found

    @once
    def language_model(self, source_kind: str = "") -> LanguageModel:
        """What `call_llm` asks: fenced claims go to the verifier, anything else to the model, where there is one."""
        from gate.adapters.model_verifier import VerifierModel

        model = stages(self.settings.model)[-1]
        if not speaks(model):
            return VerifierModel(self.verifier(source_kind))
        if not self.settings.pseudonyms:
            return VerifierModel(self.verifier(source_kind), self._model(model))
        from gate.adapters.pseudonymous import PseudonymousModel

        return VerifierModel(self.verifier(source_kind), PseudonymousModel(self._model(model), self.redactor()))

    @once
    def _model(self, model: str) -> LanguageModel:
        """The language model, held to the run's budget."""
        from gate.adapters.spending.budget import BudgetedModel

        found, able = self._unlimited_model(model)
        now = self.settings
        able = able.asked(now.model_answers)
        if now.model_requests or now.model_tokens:
            from gate.adapters.spending.admission import AdmittedModel

            found = AdmittedModel(found, self._admission(model), able)
        return BudgetedModel(found, self.ledger(), able, ceilings=self.ceilings())

    def _unlimited_model(self, model: str) -> tuple[LanguageModel, Capabilities]:
        kind, _, name = model.partition(":")
        if kind == "bedrock" and name:
            from gate.adapters.aws.bedrock.converse import BedrockModel
            from gate.adapters.aws.bedrock.models import capabilities

            options = self._bedrock_options(answers=self.settings.model_answers, guardrail=self.settings.guardrail)
            return BedrockModel(name, options), capabilities(name)
        if kind in ("openai", "minicheck") and name:
            from gate.adapters.openai.chat import ChatModel
            from gate.adapters.openai.chat_models import capabilities

            return ChatModel(name, self._service_options(model), kind), capabilities(name)
        known = f"local, local:lexical, onnx:<folder>, minicheck:<model>, {MODELS}"
        raise SettingsError(f"GATE_MODEL: {model!r} is not known", hint=known)

    def _admission(self, model: str) -> Admission:
        """What parts the quota of a model between those who call it."""
        from gate.adapters.spending.admission import Admission, Counters, LocalCounters, Quota

        now = self.settings
        counters: Counters = LocalCounters()
        if now.budget_table:
            from gate.adapters.aws.dynamo_counters import DynamoCounters

            counters = DynamoCounters(now.budget_table, now.region)
        return Admission(counters, model, Quota(now.model_requests, now.model_tokens))

    def _before(self, model: str) -> str:
        """What stands between a model and who asks it: its address, and the guardrail around its calls."""
        guardrail = self.settings.guardrail if model.startswith("bedrock:") else ""
        return f"{self._endpoint_of(model)} {guardrail}"

    def _endpoint_of(self, model: str) -> str:
        return endpoint_of(model, self.settings.model, self.settings.model_endpoint)

    def _service_options(self, model: str) -> ServiceOptions:
        """How a service that speaks OpenAI's protocol is reached; of two, the last one gets the key."""
        from gate.adapters.openai.service import ServiceOptions, key_in

        now = self.settings
        is_last = ">" not in now.model_endpoint or model == stages(now.model)[-1]
        return ServiceOptions(
            endpoint=self._endpoint_of(model),
            key=(now.model_key.get_secret_value() or key_in(now.model_key_file)) if is_last else "",
            answers=now.model_answers,
            attempts=now.model_attempts,
            timeout_s=now.model_timeout_s,
            hedge=now.model_hedge,
        )

    def _embedder_options(self) -> ServiceOptions:
        """How an embedder's service is reached: at an address of its own, or where the last such model is."""
        from gate.adapters.openai.service import ServiceOptions, key_in

        now = self.settings
        served = [model for model in stages(now.model) if model.startswith(("openai:", "minicheck:"))]
        if served and not now.embedder_endpoint:
            return replace(self._service_options(served[-1]), setting="GATE_EMBEDDER_ENDPOINT")
        return ServiceOptions(
            endpoint=now.embedder_endpoint,
            key=now.embedder_key.get_secret_value() or key_in(now.embedder_key_file, "GATE_EMBEDDER_KEY_FILE"),
            attempts=now.model_attempts,
            timeout_s=now.model_timeout_s,
            hedge=now.model_hedge,
            setting="GATE_EMBEDDER_ENDPOINT",
        )

    def _bedrock_options(self, **more: Any) -> BedrockOptions:
        """How Bedrock is reached, whatever it is asked for; `more`: how the verifier's model is asked."""
        from gate.adapters.aws.bedrock.client import BedrockOptions

        last = stages(self.settings.model)[-1]
        asked = last if last.startswith("bedrock:") else "bedrock"
        endpoint = self._endpoint_of(asked)
        return BedrockOptions(
            region=self.settings.region,
            endpoint=endpoint,
            attempts=self.settings.model_attempts,
            timeout_s=self.settings.model_timeout_s,
            hedge=self.settings.model_hedge,
            **more,
        )

    @once
    def ledger(self) -> Ledger:
        """What counts the tokens of a run."""
        if self.settings.budget_table:
            from gate.adapters.aws.dynamo_ledger import DynamoLedger

            return DynamoLedger(self.settings.budget_table, self.settings.region)
        from gate.adapters.spending.budget import LocalLedger

        return LocalLedger()

    @once
    def trail(self) -> Trail | None:
        """Where decisions are written down; None: nowhere. What seals them is made with it, so that it is not missed
        at midnight."""
        where = self.settings.ledger
        if not where:
            return None
        if where != "local" and not where.startswith("s3://"):
            raise SettingsError(f"GATE_LEDGER: {where!r} is not known", hint="local, s3://bucket/prefix, or empty")
        self.sealing_key()
        if where == "local":
            from gate.adapters.trails.local_trail import LocalTrail

            return LocalTrail(self.settings.home / "ledger.sqlite")
        from gate.adapters.trails.s3_trail import S3Trail

        return S3Trail(where, region=self.settings.region)

    @once
    def reviews(self) -> ReviewStore:
        """Where runs are kept that wait for a person."""
        if self.settings.reviews_table:
            from gate.adapters.reviews.dynamo_reviews import DynamoReviews

            return DynamoReviews(self.settings.reviews_table, self.settings.region)
        from gate.adapters.reviews.local_reviews import LocalReviews

        return LocalReviews(self.settings.home / "reviews.sqlite")

    @once
    def sealing_key(self) -> SealingKey:
        """What the days of the ledger are sealed with."""
        given = self.settings.ledger_key
        if given.startswith("arn:"):
            from gate.adapters.trails.kms_key import KmsKey

            return KmsKey(given, self.settings.region)
        from gate.adapters.trails.key_file import KeyFile, own_key

        if given:
            return KeyFile(Path(given).expanduser())
        if self.settings.ledger != "local":  # a function's own folder goes with it, and so would the key
            raise SettingsError("GATE_LEDGER_KEY: a ledger in S3 needs one", hint="a file, or the ARN of an HMAC key")
        return own_key(self.settings.home / "ledger.key")

    def ceilings(self) -> Ceilings:
        """What no run, tenant or day may spend more of."""
        from gate.adapters.spending.budget import Ceilings

        now = self.settings
        return Ceilings(now.budget_tokens, now.budget_tenant_day, now.budget_day)

    @once
    def embedded_store(self) -> EmbeddedSearch:
        """The store on this machine: the default engine, and where corpora given as files are indexed."""
        from gate.adapters.embedded import EmbeddedSearch

        return EmbeddedSearch(self.settings.home / "indexes", language=self.settings.language)

    @once
    def search_engine(self) -> SearchEngine:
        """The engine that finds passages."""
        now = self.settings
        if now.search == "embedded":
            return self.embedded_store()
        if now.search == KNOWLEDGE_BASE:
            from gate.adapters.existing_corpora.field_names import field_names
            from gate.adapters.existing_corpora.knowledge_bases import UNNAMED, KnowledgeBases

            return KnowledgeBases(field_names(now.search_fields, UNNAMED), region=now.region)
        if now.search.startswith(("http://", "https://")):
            from gate.adapters.opensearch import OpenSearchEngine
            from gate.adapters.opensearch.opensearch_client import Endpoint

            signed = Endpoint(now.search, now.search_service, now.region, *self._search_login())
            if now.search_fields:
                from gate.adapters.existing_corpora.existing_index import ExistingIndex
                from gate.adapters.existing_corpora.field_names import field_names

                return ExistingIndex(signed, field_names(now.search_fields))
            return OpenSearchEngine(signed, language=now.language)
        raise SettingsError(
            f"GATE_SEARCH: {now.search!r} is not known",
            hint=f"embedded, {KNOWLEDGE_BASE}, or https://<OpenSearch endpoint>",
        )

    def _search_login(self) -> tuple[str, str]:
        """User and password at the search endpoint; both empty where there are none."""
        now = self.settings
        if not now.search_secret:
            return now.search_user, now.search_password
        from gate.adapters.aws.secrets_manager import login

        return login(now.search_secret, now.region)

    def embeds(self) -> bool:
        """Whether there is an embedder; none is made for the answer."""
        return self._embedder_kind() != "none"

    @once
    def embedder(self) -> Embedder | None:
        """What turns text into vectors; None: keyword search alone."""
        now, kind = self.settings, self._embedder_kind()
        if kind == "none":
            return None
        if kind == "minilm":
            from gate.adapters import minilm

            return minilm.MiniLMEmbedder(self._models())
        if kind == "openai":
            from gate.adapters.openai.embedding import ServedEmbedder

            return ServedEmbedder(now.embedder.partition(":")[2], self._embedder_options())
        from gate.adapters.aws.titan import TitanEmbedder

        return TitanEmbedder(now.embedder.partition(":")[2], self._bedrock_options())

    def _models(self) -> Path:
        return self.settings.models.expanduser()

    def _embedder_kind(self) -> Literal["none", "minilm", "bedrock", "openai"]:
        now = self.settings
        kind, _, name = now.embedder.partition(":")
        if kind == "bedrock" and name:
            return "bedrock"
        if kind == "openai" and name:
            return "openai"
        if kind == "none":
            return "none"
        if kind == "minilm":
            return "minilm"
        if kind != "auto":
            raise SettingsError(
                f"GATE_EMBEDDER: {now.embedder!r} is not known", hint="auto, none, minilm, bedrock:<id>, openai:<model>"
            )
        from gate.adapters import minilm

        return "minilm" if minilm.available(self._models()) else "none"

    def kept_answers(self) -> BlobStore:
        """Where answers of models are kept, which outlive a run."""
        return self.blob_store()

    @once
    def blob_store(self) -> BlobStore:
        """Where values too big for the state, and reports, are kept."""
        if self.settings.blobs.startswith("s3://"):
            from gate.adapters.aws.s3 import S3BlobStore

            return S3BlobStore(self.settings.blobs, region=self.settings.region)
        if self.settings.blobs:
            raise SettingsError(
                f"GATE_BLOBS: {self.settings.blobs!r} is not known", hint="s3://bucket/prefix, or empty"
            )
        from gate.adapters.local_files import HELD_BYTES, FolderBlobStore

        keeps = self.settings.keep_runs
        return FolderBlobStore(self.settings.home, held_bytes=0 if keeps else HELD_BYTES, lasting=keeps)

    def served_store(self) -> BlobStore | None:
        """Where `gate serve` keeps its runs on this machine; None: it has none here."""
        from gate.adapters.local_files import SERVED, FolderBlobStore

        folder = self.settings.home / SERVED
        is_here = not self.settings.blobs and folder.is_dir()
        return FolderBlobStore(folder, lasting=True) if is_here else None

    def served_reviews(self) -> ReviewStore:
        """Where `gate serve` keeps what waits for a person, for the commands too that work in another process."""
        from gate.adapters.local_files import SERVED
        from gate.adapters.reviews.local_reviews import LocalReviews

        return LocalReviews(self.settings.home / SERVED / "reviews.sqlite")

    def served_runs(self) -> RunTable | None:
        """The list of the runs of `gate serve`; None: it has none here."""
        from gate.adapters.local_files import SERVED
        from gate.adapters.reviews.run_table import RUNS, RunTable

        path = self.settings.home / SERVED / RUNS
        return RunTable(path) if path.is_file() else None

    @once
    def kept_names(self) -> KeptNames | None:
        """What was read of repositories' files before; None: this machine is not the one that outlives a run."""
        if self.settings.blobs:
            return None
        from gate.adapters.repositories.kept_names import KeptNames

        return KeptNames(self.settings.home / "names.sqlite")

    def remote_gate(self, where: str, seconds: float) -> RemoteGate:
        """A deployed gate, by the URL of its API or the name of its stack, and seconds for all that is asked of it."""
        from gate.adapters.remote_gate import RemoteGate

        now = self.settings
        key = now.remote_key.get_secret_value()
        return RemoteGate(where, region=now.region, token=now.remote_token, api_key=key, seconds=seconds)

    @once
    def uploads(self) -> S3Uploads:
        """Where uploaded objects are read."""
        from gate.adapters.aws.s3 import S3Uploads

        return S3Uploads(region=self.settings.region)

    @once
    def document_versions(self) -> DocumentVersions:
        """Which version of each document a corpus holds."""
        if self.settings.documents_table:
            from gate.adapters.aws.dynamo_versions import DynamoVersions

            now = self.settings
            return DynamoVersions(now.documents_table, now.region, search=now.search)
        from gate.adapters.local_versions import LocalVersions

        return LocalVersions(self.settings.home / "documents.sqlite")

    @once
    def document_queue(self) -> DocumentQueue | None:
        """Where documents wait to be taken in; None: they are taken in at once."""
        if not self.settings.documents_queue:
            return None
        from gate.adapters.aws.sqs import DocumentQueue

        return DocumentQueue(self.settings.documents_queue, region=self.settings.region)

    @once
    def runs(self) -> Runs:
        """What starts checks of one submission."""
        return self._machine("GATE_MACHINE", self.settings.machine)

    @once
    def batch_runs(self) -> Runs:
        """What starts checks of many submissions."""
        return self._machine("GATE_BATCH_MACHINE", self.settings.batch_machine)

    def _machine(self, variable: str, arn: str) -> Runs:
        if ":stateMachine:" not in arn:
            raise SettingsError(f"{variable}: {arn!r} is no state machine", hint="arn:aws:states:…:stateMachine:…")
        from gate.adapters.aws.step_functions import StepFunctionsRuns

        return StepFunctionsRuns(arn, region=self.settings.region)

    @once
    def event_bus(self) -> Events | None:
        """What hears of finished checks; None: nothing does."""
        if not self.settings.event_bus:
            return None
        from gate.adapters.aws.event_bridge import EventBus

        return EventBus(self.settings.event_bus, region=self.settings.region)

    @once
    def webhook(self) -> NoticeChannel | None:
        """Where people are told that a run waits for them; None: nowhere."""
        now = self.settings
        where, is_signed = now.review_webhook.get_secret_value().strip(), now.review_webhook_format == "json"
        if not where:
            return None
        if where.startswith("arn:"):
            from gate.adapters.notices.secret_webhook import SecretWebhook

            return SecretWebhook(where, is_signed=is_signed, region=now.region)
        from gate.adapters.notices.webhook import webhook_of
        from gate.adapters.openai.service import key_in

        file = Path(now.review_webhook_key) if now.review_webhook_key else None
        return webhook_of(where, key_in(file, "GATE_REVIEW_WEBHOOK_KEY"), is_signed=is_signed)

    @once
    def redactor(self) -> Redactor:
        """What hides personal data."""
        from gate.adapters.redactors import redactor_named

        return redactor_named(
            self.settings.redactor,
            region=self.settings.region,
            endpoint=self._endpoint_of("bedrock"),
        )

    @once
    def signals(self) -> Signals:
        """What the domain's words are, for the queries of citations."""
        from gate.adapters.settings_files import read_signals

        path = self.settings.signals
        return read_signals(path) if path else Signals()

    @once
    def image_reader(self) -> ImageReader | None:
        """What reads images; None: vision is not available."""
        now = self.settings
        kind, _, name = now.images.partition(":")
        if now.images == "auto" and stages(now.model)[-1].startswith("bedrock:"):
            kind, name = "bedrock", stages(now.model)[-1].partition(":")[2]
        if kind == "bedrock" and name:
            from gate.adapters.aws.bedrock.image_reader import BedrockReader

            return BedrockReader(name, self._bedrock_options())
        if kind not in ("auto", "none", "tesseract"):
            raise SettingsError(
                f"GATE_IMAGES: {now.images!r} is not known", hint="auto, none, tesseract, bedrock:<model id>"
            )
        from gate.adapters import tesseract

        wanted = kind == "tesseract" or (kind == "auto" and tesseract.installed())
        return tesseract.TesseractReader() if wanted else None

    def preload(self, uses: Iterable[Use]) -> None:
        """Make what an agent will need, so that Lambda pays for it during INIT."""
        self.blob_store()
        for use in uses:
            getattr(self, FACTORIES[use])()

    def documents(self) -> None:
        """Load what reads documents."""
        import_module("gate.adapters.readers.documents")


FACTORIES: dict[Use, str] = {
    Use.SEARCH: "search_engine",
    Use.INDEX: "search_engine",
    Use.EMBEDDER: "embedder",
    Use.MODEL: "verifier",
    Use.REDACTOR: "redactor",
    Use.IMAGES: "image_reader",
    Use.DOCUMENTS: "documents",
    Use.REPORTS: "blob_store",
    Use.RUNS: "runs",
    Use.UPLOADS: "uploads",
    Use.POLICY: "uploads",
    Use.EVENTS: "event_bus",
    Use.VERSIONS: "document_versions",
    Use.QUEUE: "document_queue",
    Use.BUDGET: "ledger",
    Use.TRAIL: "trail",
    Use.REVIEWS: "reviews",
    Use.FORMS: "uploads",
    Use.WEBHOOK: "webhook",
}
"""The method that makes what a use takes."""


PROCESS = Wiring()
"""The entrance of a process that enters no other: a Lambda, a command, a function of `gate.services` called by hand."""

_entered: ContextVar[Wiring] = ContextVar("entered", default=PROCESS)


@contextmanager
def entered(wiring: Wiring) -> Iterator[Wiring]:
    """Work with `wiring` inside (in this context; copy it into threads)."""
    token = _entered.set(wiring)
    try:
        yield wiring
    finally:
        _entered.reset(token)


def _begin_anew() -> None:
    """In a forked process: every entrance makes its adapters again; the locks may be held by threads that are gone."""
    for each in list(_ENTRANCES):
        _OF_THE_PARENT.append(each.made)
        each.begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def current() -> Wiring:
    """The entrance on whose behalf work is done."""
    return _entered.get()
