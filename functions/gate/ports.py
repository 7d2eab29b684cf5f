"""The doors to the outside world. A port exists only where there are two implementations."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol

from gate.model import NONE_KNOWN, Answer, Check, Document, Known, Label, Share


@dataclass(frozen=True, slots=True)
class Judged:
    """What a verifier thinks of one claim.

    Attributes:
        answer: label, reason, quote; `answer.documents` are places in the documents that it was given.
        model: who answered, with version.
        usage: token counts by name (`input`, `output`, …); empty where nothing was spent.
        checks: what code found when it compared the claim with those documents, and second opinions.
        doubt: chance that the claim is unsupported, calibrated on whole answers; None where it was not calibrated.
        before: label that the first of two verifiers gave, where the second judged.
        request_id: what the model's provider calls the request that the answer came from; empty where nobody says.
    """

    answer: Answer
    model: str
    usage: Mapping[str, int] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    doubt: Share | None = None
    before: Label | None = None
    request_id: str = ""


class Verifier(Protocol):
    """Judges a claim by documents, and by nothing else."""

    name: str
    """Everything that shapes its verdicts, with versions: part of the key under which they are kept."""

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Judge one claim.

        Args:
            context: what the claim needs to be understood (a heading, a question); no evidence; may be empty.
            documents: at least one; only their `content` is read.
            known: figures of the claim that its checks do not look for in the documents.

        Raises:
            ModelThrottledError, ModelUnavailableError: try again later.
            AnswerError: there was an answer, and it cannot be used (refusal, cut off, unreadable).
            BudgetReachedError: the run may spend no more.
        """
        ...


class CheckingVerifier(Verifier, Protocol):
    """A `Verifier` whose checks can be made again without another verdict."""

    def checks(
        self, claim: str, answer: Answer, documents: Sequence[Document], known: Known = NONE_KNOWN
    ) -> tuple[Check, ...]:
        """Those of its checks that code makes on an answer of its own; among those of `judge`, as they stand there."""
        ...


class ClaimReader(Protocol):
    """Says what sentences state."""

    name: str

    def read(self, context: str, sentences: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """The claims of each sentence, in order; none where nothing was said of it.

        Args:
            context: the text before the sentences.

        Raises:
            Like `Verifier.judge`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Form:
    """How an answer is to look, for models that can be held to a form.

    Attributes:
        name: of the tool or schema that carries the answer.
        schema: JSON Schema of the answer, in the subset that Bedrock compiles.
        system: the system prompt for a model that is held to it.
    """

    name: str
    schema: Mapping[str, Any]
    system: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a language model is asked.

    Attributes:
        text: the user's message.
        system: the system prompt, the format of the answer in words included.
        form: the same format as a schema; None: free text.
        most_tokens: the longest answer; reserved against the quota on every call, so kept small.
        odds: whether to ask for the odds of its first word too, of a service that may give them.
    """

    text: str
    system: str = ""
    form: Form | None = None
    most_tokens: int = 1_024
    odds: bool = False

    def with_note(self, note: str) -> Question:
        """The same question with a remark at the end of the system prompt."""
        form = self.form and replace(self.form, system=f"{self.form.system}\n{note}")
        return replace(self, system=f"{self.system}\n{note}", form=form)


@dataclass(frozen=True, slots=True)
class Completion:
    """What a language model answered: the text (JSON where it kept to the form), who did, and what it cost.

    `odds`: log probabilities of words that it could have begun with; empty where nobody asked, or the service gives
    none. `request_id`: what the service calls the request; empty where it does not say.
    """

    text: str
    model: str
    usage: Mapping[str, int] = field(default_factory=dict)
    odds: Mapping[str, float] = field(default_factory=dict)
    request_id: str = ""


class LanguageModel(Protocol):
    """Answers questions in text."""

    name: str
    """Model id and version."""

    def complete(self, question: Question) -> Completion:
        """Answer a question.

        Raises:
            ModelThrottledError, ModelUnavailableError: try again later.
            AnswerError: it answered, and not in a way that can be used (refusal, cut off, guardrail).
        """
        ...


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    name: str
    """Model id, version and hash: names the index that its vectors live in."""

    @property
    def dimension(self) -> int:
        """Numbers of each vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return a row of `dimension` numbers for each text, of length one: lists, or a float32 array."""
        ...


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """What a search may return.

    Attributes:
        tenant: only this tenant's documents.
        sources: only these sources; empty allows all.
        classifications: only documents so classified; empty allows all.
        published_from, published_to: ISO dates, inclusive; documents without a date drop out when either is set.
    """

    tenant: str | None = None
    sources: tuple[str, ...] = ()
    classifications: tuple[str, ...] = ()
    published_from: str | None = None
    published_to: str | None = None


NO_FILTER = SearchFilter()


@dataclass(frozen=True, slots=True)
class IndexOutcome:
    """What became of documents handed to `index_documents`: `failed` maps document id to the reason."""

    indexed: int
    unchanged: int = 0
    failed: dict[str, str] = field(default_factory=dict)


class SearchEngine(Protocol):
    """Finds passages in an index.

    Results are dicts, best first: `content`, `id`, `title`, `section`, `url`, `published_date`, `source`,
    `score`, `rank` (from 1), `retriever` (`keyword`, `vector` or `hybrid`).
    """

    name: str
    """`embedded`, `opensearch`, …: shown in the report."""

    def search_docs(
        self, query: str, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by keywords (BM25). An unknown index is a SettingsError; an empty one has no results."""
        ...

    def vector_search(
        self, vector: Sequence[float], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages by cosine similarity. A wrong dimension or a zero vector is an InputError."""
        ...

    def hybrid_search(
        self,
        query: str,
        vector: Sequence[float] | None,
        index: str,
        *,
        k: int = 5,
        where: SearchFilter = NO_FILTER,
    ) -> list[dict[str, Any]]:
        """Find passages by both, fused by rank over 100 candidates of each (`retriever`: `hybrid`).

        Without a vector: keywords alone.
        """
        ...

    def naming(
        self, names: Collection[str], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]] | None:
        """Find passages in which each of these stands as a name (`repository.names.corpus_names`), as it is written.

        None: the index was made before names were kept, so nobody can say.
        """
        ...

    def names_like(self, names: Collection[str], index: str, *, where: SearchFilter = NO_FILTER) -> list[str]:
        """Return the names of passages whose names share most words with these: among them what is close to one."""
        ...

    def ensure_index(self, index: str, *, embedder: str | None = None, dimension: int | None = None) -> None:
        """Make an empty index for an embedder's vectors (or for none), unless there is one."""
        ...

    def index_documents(
        self,
        documents: Iterable[Mapping[str, Any]],
        index: str,
        *,
        vectors: Any = None,
        embedder: str | None = None,
        replace: bool = False,
    ) -> IndexOutcome:
        """Add or replace documents by `id`; one whose `chunk_sha` is stored already is left alone.

        One whose id a passage of another `document` bears is not stored, also where both come at once: `failed` says
        whose the id is.

        Args:
            vectors: rows of `embedder` in the same order, as it gives them; None for an index without vectors.
            replace: afterwards the index holds exactly these documents; readers see the old ones until then.
        """
        ...

    def delete_documents(self, ids: Sequence[str], index: str, *, of: Collection[str] | None = None) -> int:
        """Remove passages by id, or by the id of the document they were cut from; returns how many were there.

        Args:
            of: remove by the ids of passages alone, and only such as were cut from these documents.
        """
        ...

    def chunk_shas(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Return the `chunk_sha` of those ids that the index holds."""
        ...

    def ids(self, index: str, *, documents: Sequence[str] | None = None) -> Iterator[str]:
        """Return the id of every passage that the index holds, or of those cut from these documents."""
        ...

    def origins(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Return the document that each of these passages was cut from; the index may hold some of them only."""
        ...

    def exists(self, index: str) -> bool:
        """Whether there is such an index."""
        ...

    def embedder_of(self, index: str) -> str | None:
        """Name of the embedder whose vectors the index holds; cheap, asked for with every query."""
        ...

    def analyze(self, query: str, index: str) -> list[str]:
        """Return the terms that keyword search looks up."""
        ...

    def count(self, index: str) -> int | None:
        """How many passages the index holds; None: some, and the engine does not tell."""
        ...

    def describe(self, index: str) -> dict[str, Any]:
        """What the report says of a corpus: `name`, `version`, `engine`, how many `passages`, `embedder` (or None).

        An engine that searches in a way of its own says which in `retrieval`.
        """
        ...


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """What a corpus holds of a document of its bucket.

    Attributes:
        document: its name.
        version: of the object (its ETag); empty: the object is gone, and so is the document.
        sequencer: S3's, of the latest event that is covered; empty where none was.
        is_whole: the index holds exactly this version; False while somebody is changing that, or died doing so.
    """

    document: str
    version: str
    sequencer: str = ""
    is_whole: bool = True


class DocumentVersions(Protocol):
    """Which version of each document a corpus holds, and who is working on one: at most one at a time."""

    def claim(self, corpus: str, document: str, seconds: float) -> str:
        """Have a document to oneself for so long; returns the claim, empty where somebody else has it."""
        ...

    def note(self, corpus: str, found: DocumentVersion, claim: str) -> bool:
        """Write down what the index holds of a document; False, and nothing, where the claim has passed to another."""
        ...

    def extend(self, corpus: str, document: str, claim: str, seconds: float) -> bool:
        """Have it for so long from now; False where the claim has passed to another."""
        ...

    def release(self, corpus: str, document: str, claim: str) -> None:
        """Let others have it."""
        ...

    def known(self, corpus: str, documents: Sequence[str]) -> dict[str, DocumentVersion]:
        """What is known of these documents."""
        ...

    def every(self, corpus: str) -> Iterator[DocumentVersion]:
        """What is known of every document, the gone ones too."""
        ...


class BlobStore(Protocol):
    """Bytes under keys such as `runs/<run_id>/<sha256>`."""

    def put(self, key: str, data: bytes, *, content_type: str = "application/json") -> None:
        """Store `data`, atomically: a reader sees all of it or nothing."""
        ...

    def add(self, key: str, data: bytes) -> bool:
        """Store `data` unless the key is there already; says whether it did."""
        ...

    def get(self, key: str) -> bytes:
        """Return what is stored; a missing key is an InternalError."""
        ...

    def find(self, key: str) -> bytes | None:
        """Return what is stored; None: the key is not there."""
        ...

    def pieces(self, key: str) -> Generator[bytes]:
        """Yield what is stored piece by piece, as far as it is asked for: somebody else may have put anything there."""
        ...

    def exists(self, key: str) -> bool:
        """Whether the key is there."""
        ...

    def keys(self, prefix: str) -> list[str]:
        """Every key of the folder `prefix`, in order."""
        ...

    def delete_prefix(self, prefix: str) -> int:
        """Remove every key of the folder `prefix`; returns how many there were."""
        ...

    def link(self, key: str) -> str:
        """A URL that lets its holder read `key` for a few minutes."""
        ...


class Redaction(NamedTuple):
    """One replacement, without the value.

    Attributes:
        kind: what it was (`EMAIL`, …); the token says the same.
        rule: which rule of which redactor found it.
        start, end: where the token stands in the redacted text.
        source_start, source_end: where the value stood, so that other offsets can be carried over.
    """

    kind: str
    rule: str
    start: int
    end: int
    source_start: int
    source_end: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text after redaction, and what was replaced in it, in order."""

    text: str
    redactions: tuple[Redaction, ...]
    policy: str
    """Name and version of the rules that were applied."""


class Redactor(Protocol):
    """Replaces personal data."""

    def redact(self, text: str) -> Redacted:
        """Return `text` with personal data replaced by tokens such as `[REDACTED_EMAIL]`."""
        ...


class ImageReader(Protocol):
    """Says what is written and drawn in an image."""

    name: str

    def read(self, image: bytes, media_type: str) -> str:
        """Return the text seen in the image."""
        ...


@dataclass(frozen=True, slots=True)
class RunStatus:
    """How a run stands: RUNNING, SUCCEEDED, FAILED, TIMED_OUT or ABORTED; error and cause where it failed; of one that
    waits for its turn how many are `queued` before it."""

    status: str
    error: str | None = None
    cause: str | None = None
    queued: int | None = None


class Runs(Protocol):
    """Starts runs of a state machine and says how they stand."""

    def start(self, run_id: str, state: Mapping[str, Any]) -> bool:
        """Start a run of `state`, unless it was started before; False where it has ended since.

        While it goes on, starting it again succeeds as if it were the first time.

        Raises:
            ConflictError: a run of that id was started with another state.
        """
        ...

    def status(self, run_id: str) -> RunStatus | None:
        """How the run stands; None: there is none of that id."""
        ...

    def answer(self, token: str) -> bool:
        """Let the run go on that waits under a token; False where none does any more."""
        ...


class Trail(Protocol):
    """Lines under numbers, by name: each is written once, and never changed or removed."""

    def last(self, name: str) -> bytes | None:
        """The line under the highest number; None: there is none.

        Raises:
            StorageUnavailableError: try again later. Every method does.
            SettingsError: it may not be used, or is damaged. Every method does.
        """
        ...

    def line(self, name: str, number: int) -> bytes | None:
        """The line under a number; None: there is none."""
        ...

    def add(self, name: str, number: int, line: bytes) -> bool:
        """Keep a line for good, unless there is one under that number; says whether it did."""
        ...

    def lines(self, name: str, start: int = 1) -> Iterator[tuple[int, bytes]]:
        """Every line from the number `start` on, with its number, in order; empty where it cannot be read."""
        ...

    def names(self) -> list[str]:
        """The names that there are lines of, in order."""
        ...


class KeptReview(NamedTuple):
    """A review as it is kept.

    Attributes:
        document: what is known of it, as JSON.
        revision: counts its changes, from 1.
    """

    document: str
    revision: int


class ReviewStore(Protocol):
    """Reviews by run; each is changed by one writer at a time."""

    def get(self, run: str) -> KeptReview | None:
        """The review of a run; None: there is none.

        Raises:
            StorageUnavailableError: try again later. Every method does.
            SettingsError: it may not be used. Every method does.
        """
        ...

    def put(self, run: str, document: str, revision: int, *, waiting: bool) -> bool:
        """Keep a document where its revision is still this one (0: there is none); says whether it did.

        Args:
            waiting: whether a person is still to decide.
        """
        ...

    def waiting(self) -> list[str]:
        """The documents of all that wait."""
        ...

    def forget(self, run: str) -> None:
        """Remove a review, if there is one."""
        ...


class Events(Protocol):
    """Hears that something is done, for whoever subscribes."""

    def send(self, kind: str, detail: Mapping[str, Any]) -> None:
        """Take one event; `detail` holds ids and counts, never text.

        Raises:
            EventsUnavailableError: it was not taken.
        """
        ...


class NoticeChannel(Protocol):
    """Takes notices to people who are not here."""

    def send(self, id: str, body: bytes) -> None:
        """Send a notice, once.

        Args:
            id: of the notice, the same however often it is sent.

        Raises:
            EventsUnavailableError: it was not taken; to be sent again later.
            SettingsError: it never will be.
        """
        ...


class SealingKey(Protocol):
    """A key that seals are made with."""

    name: str
    """Says which key it is, and nothing of it."""

    def sign(self, content: bytes) -> str:
        """The code of some bytes under this key."""
        ...

    def verify(self, content: bytes, code: str) -> bool:
        """Whether the code is that of these bytes under this key."""
        ...
