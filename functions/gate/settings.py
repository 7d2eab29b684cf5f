"""The environment as one value. Variables are `GATE_` + the field's name in capitals."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError

from gate.catalogue import NAMESPACE
from gate.errors import SettingsError, first_misfit
from gate.text.encodable import encodable
from gate.text.nearest import nearest

PREFIX = "GATE_"
MOST = 10**12
"""Bytes, tokens or characters at most: more than any machine holds, and what every library can count."""
KNOWLEDGE_BASE = "knowledge-base"
"""What `GATE_SEARCH` calls Bedrock's knowledge bases."""
NOT_SETTINGS = frozenset({"GATE_DATA", "GATE_CONFIG"})
"""Variables with our prefix that belong to the tests, and to the command."""


def own_folder() -> Path:
    """Where the gate keeps what it makes in the working folder: below the user's home, never in the folder itself.

    A checkout or an archive brings any file along, an index or a verdict too, and what is kept is trusted.
    """
    try:
        here = Path.cwd()
        kept = Path("~/.local/state/llm-reliability-gate").expanduser()
    except (OSError, RuntimeError):  # the folder is gone, or the user has no home
        return Path(os.devnull)
    if not kept.is_absolute():
        return Path(os.devnull)  # whatever is to be kept there is refused, and GATE_HOME named
    readable = "".join(each for each in here.name if each.isascii() and each.isalnum())[:40]
    return kept / f"{readable or 'folder'}-{hashlib.sha256(os.fsencode(here)).hexdigest()[:32]}"


def stages(model: str) -> tuple[str, ...]:
    """The verifiers that `GATE_MODEL` names, in the order in which they judge: one, or two.

    Raises:
        SettingsError: there are more, or one has no name.
    """
    names = tuple(name.strip() for name in model.split(">"))
    if len(names) > 2 or not all(names):
        raise SettingsError(f"GATE_MODEL: {model!r} is not one verifier, nor two", hint="local>bedrock:<model id>")
    return names


def speaks(model: str) -> bool:
    """Whether a verifier is a language model, which answers any question."""
    return model.startswith(("bedrock:", "openai:"))


def is_here(model: str) -> bool:
    """Whether a verifier runs in this process."""
    return model.partition(":")[0] in ("local", "onnx")


def endpoint_of(model: str, models: str, endpoints: str) -> str:
    """Where the verifier `model` (or what else is asked of `bedrock`) is reached, of `GATE_MODEL_ENDPOINT`.

    One address is that of the services that speak OpenAI's protocol, where there are any; two, parted by `>`, are those
    of the verifiers in order. Empty: the service's own.
    """
    names, addresses = stages(models), [address.strip() for address in endpoints.split(">")]
    if len(addresses) > 1:
        return dict(zip(names, addresses, strict=False)).get(model, "")
    is_own = model != "bedrock" and not model.startswith("bedrock:")
    return addresses[0] if is_own or all(is_here(name) or name.startswith("bedrock:") for name in names) else ""


class Settings(BaseModel):
    """How this process is set up; the defaults run on a laptop with no account."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    home: Path = Field(
        default_factory=own_folder,
        description="Folder for blobs, indexes and caches of local runs, trusted; "
        "unset: one for each working folder, below `~/.local/state/llm-reliability-gate`.",
    )
    model: str = Field(
        default="local",
        description="`local`, `local:lexical`, `bedrock:<model or inference profile id>`, "
        "`openai:<model>` or `minicheck:<model>` at `GATE_MODEL_ENDPOINT`, `onnx:<folder>` with an exported "
        "cross-encoder, or two of them, the cheap one first: `local>bedrock:<id>`.",
    )
    model_endpoint: str = Field(
        default="",
        description="Base URL of a service that speaks OpenAI's protocol (`http://localhost:11434/v1`), "
        "or URL of bedrock-runtime; empty: AWS's own for the region.",
    )
    calibration: Path | None = Field(
        default=None, description="What `gate calibrate` has fitted on labels of your own, for one verifier."
    )
    cascade_low: float = Field(
        default=0.2,
        ge=0,
        le=1,
        description="Of two verifiers, the first one's word stands where `supported` has this probability or less,",
    )
    cascade_high: float = Field(
        default=0.9, ge=0, le=1, description="or this one or more, and no check objects; the others go to the second."
    )
    model_key: SecretStr = Field(default=SecretStr(""), description="Key for `openai:` models; empty: none is sent.")
    model_key_file: Path | None = Field(default=None, description="File that holds the key instead.")
    model_answers: Literal["auto", "schema", "tool", "text"] = Field(
        default="auto", description="How the model is made to answer in form; `auto`: the best the model is known for."
    )
    model_attempts: int = Field(
        default=1, ge=1, le=10, description="Calls made before one is given up; the state machine retries on top."
    )
    model_timeout_s: float = Field(
        default=60,
        gt=0,
        le=3_600,
        description="Seconds to wait for one answer at most, whatever the connection does; "
        "once 20 answers came, three times what 95 % of them took, and 10 at least.",
    )
    model_hedge: bool = Field(
        default=True,
        description="Ask a second time when an answer takes twice as long as 95 % did; "
        "the first answer counts, both are paid for.",
    )
    model_requests: int = Field(
        default=0,
        ge=0,
        le=MOST,
        description="Calls a minute that the verifier's model takes, parted between all who call it "
        "(`GATE_BUDGET_TABLE`); a call without room is tried again by the state machine. 0: not parted.",
    )
    model_tokens: int = Field(
        default=0, ge=0, le=MOST, description="Tokens a minute that it takes, in and out, as `GATE_MODEL_REQUESTS`."
    )
    guardrail: str = Field(
        default="", description="`<id>:<version>` of a guardrail around every call about claims; empty: none."
    )
    grounding_guardrail: str = Field(
        default="", description="`<id>:<version>` of a guardrail with contextual grounding, as a second opinion."
    )
    verdict_cache: bool = Field(default=True, description="Keep a model's answers beside the blobs and reuse them.")
    claims: Literal["sentences", "model"] = Field(
        default="sentences", description="What a claim is: a sentence, or what the model reads out of it."
    )
    history: bool = Field(
        default=False,
        description="Whether earlier user and tool turns may support a claim weakly, where nothing else does.",
    )
    budget_tokens: int = Field(
        default=0, ge=0, le=MOST, description="Tokens that one run may spend on a model; 0: no limit."
    )
    budget_tenant_day: int = Field(
        default=0, ge=0, le=MOST, description="Tokens that one tenant may spend on a model in a day (UTC); 0: no limit."
    )
    budget_day: int = Field(
        default=0,
        ge=0,
        le=MOST,
        description="Tokens that everybody may spend on a model in a day together; 0: no limit.",
    )
    budget_stop: bool = Field(
        default=True,
        description="A run that its budget does not hold even on short evidence stops before the first verdict; "
        "else it spends what it may and leaves the rest unchecked.",
    )
    budget_table: str = Field(
        default="", description="DynamoDB table that counts a run's tokens; empty: counted in this process."
    )
    source_kind: str = Field(
        default="passage",
        description="What evidence is, for the local verifier's calibration: `passage`, `article` or `snippet`.",
    )
    search: str = Field(
        default="embedded",
        description="`embedded`, an OpenSearch endpoint URL, or `knowledge-base`: Bedrock's, by their ids as indexes.",
    )
    search_service: str = Field(
        default="", description="AWS service that signs search requests: `es`, `aoss`, or empty for none."
    )
    search_fields: str = Field(
        default="",
        description="File, YAML or JSON, that says what an index of your own calls its fields (or the JSON itself); "
        "the indexes at `GATE_SEARCH` are then read, and never written. Of a knowledge base: its metadata. Empty: they "
        "are called as the gate calls them.",
    )
    search_user: str = Field(default="", description="User for basic authentication at the search endpoint.")
    search_password: str = Field(default="", description="Password for basic authentication at the search endpoint.")
    search_secret: str = Field(
        default="",
        description="ARN of a secret of AWS Secrets Manager that holds both instead, as `username` and `password`.",
    )
    embedder: str = Field(
        default="auto", description="`auto`, `none`, `minilm`, `bedrock:<model id>` or `openai:<model>`."
    )
    embedder_endpoint: str = Field(
        default="",
        description="Base URL of the service of an `openai:` embedder; empty: that of the model, with its key.",
    )
    embedder_key: SecretStr = Field(
        default=SecretStr(""), description="Key for the service at `GATE_EMBEDDER_ENDPOINT`; empty: none is sent."
    )
    embedder_key_file: Path | None = Field(default=None, description="File that holds that key instead.")
    redact_corpus: bool = Field(default=False, description="Hide personal data in documents before they are stored.")
    max_document_bytes: int = Field(
        default=100_000_000, gt=0, le=MOST, description="Largest uploaded document, in bytes."
    )
    documents: str = Field(
        default="",
        description="`s3://bucket/prefix` whose folders are the corpora; reports then say what of their evidence the "
        "bucket does not vouch for any more. Empty: they are not compared.",
    )
    documents_table: str = Field(
        default="", description="DynamoDB table of the versions that corpora hold; empty: a file in `home`."
    )
    reviews_table: str = Field(
        default="", description="DynamoDB table of the runs that wait for a person; empty: a file in `home`."
    )
    review_webhook: SecretStr = Field(
        default=SecretStr(""),
        description="URL that is posted to when a run begins to wait for a person, or the ARN of a secret of AWS "
        'Secrets Manager, `{"url": "https://…", "key": "whsec_…"}`; empty: none.',
    )
    review_webhook_key: str = Field(
        default="", description="File with the secret (`whsec_…`) that what is posted there is signed with."
    )
    review_webhook_format: Literal["json", "slack"] = Field(
        default="json", description="`json`: ids and times, signed; `slack`: a message for a chat."
    )
    review_page: str = Field(
        default="",
        description="Address of the page where people decide, which notices lead to; `{run}` in it stands for the "
        "run. Empty: where `gate serve` listens.",
    )
    documents_queue: str = Field(
        default="", description="URL of the SQS queue that documents to take in wait in; empty: none."
    )
    models: Path = Field(
        default=Path("~/.cache/llm-reliability-gate"), description="Folder for models converted on this machine."
    )
    redactor: str = Field(default="patterns", description="Redactors to compose, comma separated.")
    images: str = Field(default="auto", description="`auto`, `none`, `tesseract` or `bedrock:<model id>`.")
    blobs: str = Field(default="", description="`s3://bucket/prefix` for blobs and reports; empty: a folder in `home`.")
    region: str = Field(default="", description="AWS region for Bedrock and search signing; empty: the SDK's own.")
    language: str = Field(
        default="english",
        description="Language of the corpus, for stems and stop words: english, german, … (`docs/retrieval.md`); "
        "chinese, japanese, korean: neither.",
    )
    index: str = Field(default="trusted_docs", description="Index to search when the submission names none.")
    indexes: str = Field(
        default="",
        description="Indexes that callers of the API may name beside `GATE_INDEX`, comma separated; `*`: every one.",
    )
    max_bytes: int = Field(default=10_000_000, gt=0, le=MOST, description="Largest submission, in bytes.")
    max_turns: int = Field(default=1_000, gt=0, le=MOST, description="Most turns in a transcript.")
    max_turn_chars: int = Field(default=1_000_000, gt=0, le=MOST, description="Longest turn, in characters.")
    max_claims: int = Field(
        default=2_000, gt=0, le=MOST, description="Most claims of one run; what comes after them is unread."
    )
    max_claim_chars: int = Field(
        default=2_000, gt=0, le=MOST, description="Longest claim, in characters; a longer sentence is unread."
    )
    max_depth: int = Field(default=32, gt=0, le=200, description="Deepest nesting of a JSON submission.")
    signals: Path | None = Field(
        default=None, description="Synonyms and product ids that enrich the queries of citations: YAML or JSON."
    )
    store_page: bool = Field(
        default=False, description="Store the page of every run (`report.html`) beside its `report.json`."
    )
    audit: bool = Field(default=True, description="Keep a record of every retrieval of citations; never its text.")
    ledger: str = Field(
        default="",
        description="Where decisions are written down for good (`gate ledger`): `local`, a file in `home`, or "
        "`s3://bucket/prefix`; a decision that cannot be written down fails the run. Empty: nowhere.",
    )
    ledger_key: str = Field(
        default="",
        description="What seals each day's entries: a file with a key, or the ARN of an HMAC key in KMS; empty: "
        "a file in `home`, made when it is needed, for a ledger that lies there too.",
    )
    keep_runs: bool = Field(
        default=False,
        description="Keep on this machine what runs worked with, texts too, so that their decisions can be made again "
        "(`gate ledger replay`); without it only reports stay. On AWS the bucket keeps it for its days.",
    )
    pseudonyms: bool = Field(
        default=True, description="Replace personal data by value-distinct pseudonyms before a model sees it."
    )
    policy: str = Field(default="", description="`s3://bucket/key` of the policy in force; empty: the default one.")
    machine: str = Field(default="", description="ARN of the state machine that checks one submission.")
    batch_machine: str = Field(default="", description="ARN of the state machine that checks many submissions.")
    remote_key: SecretStr = Field(
        default=SecretStr(""), description="Key of a usage plan of a deployed gate (`--remote`); empty: none is sent."
    )
    remote_token: str = Field(
        default="", description="Bearer token for a deployed gate (`--remote`); empty: AWS credentials sign."
    )
    serve_token: SecretStr = Field(
        default=SecretStr(""), description="Token that `gate serve` asks for; off loopback it needs one."
    )
    event_bus: str = Field(
        default="", description="Name or ARN of the EventBridge bus that hears of finished checks; empty: none."
    )
    max_transcripts: int = Field(
        default=1_000_000, gt=0, le=MOST, description="Most transcripts in one uploaded batch."
    )
    batch_part: int = Field(
        default=2_000,
        gt=0,
        le=10_000,
        description="Transcripts of a batch that are split, checked and summed up together.",
    )
    max_batch_bytes: int = Field(default=1_000_000_000, gt=0, le=MOST, description="Largest batch, unpacked, in bytes.")
    upload_to: str = Field(
        default="",
        description="`s3://bucket/folder` that callers of the API upload transcripts to which are too long for a "
        "request (`POST /v1/uploads`); empty: nowhere.",
    )
    upload_key: str = Field(
        default="", description="ARN of the KMS key that encrypts them there; empty: as the bucket has it."
    )
    upload_minutes: int = Field(
        default=15,
        ge=1,
        le=60,
        description="Minutes in which a transcript may be uploaded, from when it was asked for.",
    )
    cors_origins: str = Field(
        default="",
        description="Pages, comma separated (`https://app.example`), whose scripts may read what the API answers.",
    )
    tenant_claim: str = Field(default="", description="Claim of the caller's token that names the tenant; empty: none.")
    submit_role: str = Field(
        default="*",
        description="Group (`cognito:groups`) or scope of a caller's token that may start checks and search for "
        "citations; several with commas; `*`: every caller; empty: none.",
    )
    read_role: str = Field(
        default="*",
        description="Likewise who may read reports, with text of answers and evidence; others see outcomes.",
    )
    review_role: str = Field(
        default="reviewers", description="Likewise who may decide reviews, and read the reports that they decide on."
    )
    delete_role: str = Field(default="*", description="Likewise who may delete checks.")
    administer_role: str = Field(
        default="*", description="Likewise who may change a corpus on the page of `gate serve`; no route of AWS asks."
    )
    tenant_field: bool = Field(default=False, description="Whether a caller may name the tenant in the request.")
    metrics: str = Field(
        default=NAMESPACE,
        min_length=1,
        max_length=255,
        pattern=r"[A-Za-z0-9._/#:-]+",
        description="Namespace of the metrics on Lambda.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = Field(
        default="INFO", description="Level of the structured log on Lambda."
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Settings:
        """Read settings from an environment; a variable nobody knows is an error, so a typo stops the start.

        Raises:
            SettingsError: an unknown variable, or a value that does not fit.
        """
        given = {
            name.removeprefix(PREFIX).lower(): value
            for name, value in environ.items()
            if name.startswith(PREFIX) and name not in NOT_SETTINGS
        }
        for name, value in given.items():
            if not encodable(value):  # bytes that are no UTF-8 arrive as halves of surrogate pairs
                raise SettingsError(f"{PREFIX}{name.upper()}: is not UTF-8")
        if not given.get("home", ".").strip():  # it would be the working folder, where the gate removes what is old
            raise SettingsError("GATE_HOME: is empty", hint="name a folder, or leave it unset")
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            misfit = first_misfit(error)
            variable = PREFIX + misfit.place.partition(".")[0].upper()
            if misfit.is_unknown:
                known = [PREFIX + name.upper() for name in cls.model_fields]
                raise SettingsError(f"{variable}: there is no such setting", hint=nearest(variable, known)) from None
            raise SettingsError(f"{variable}: {misfit.message}") from None
