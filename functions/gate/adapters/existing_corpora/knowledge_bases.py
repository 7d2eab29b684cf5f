"""Knowledge bases of Bedrock, searched by `Retrieve`. They are read, and never written."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import boto3
from botocore import exceptions as sdk
from botocore.config import Config

from gate.adapters.aws.sdk_errors import DENIED, SETUP, code_of, of_setup
from gate.adapters.existing_corpora.field_names import SETTING, FieldNames, text_of, value_at
from gate.adapters.existing_corpora.long_passages import piece_for
from gate.adapters.existing_corpora.read_only import ReadOnlyEngine
from gate.errors import InputError, RequestRefusedError, SearchUnavailableError, SettingsError
from gate.ports import NO_FILTER, SearchFilter
from gate.retrieval.passages import results
from gate.retrieval.query_terms import words
from gate.retrieval.vectors import unit

MOST_RESULTS = 100
MOST_CHARS = 20_000
"""What the service takes of a query."""
PROBE = "ready?"
"""The text that asks whether a base is there; nothing of a submission is ever used."""
PROBED_S = 60.0
OWN_METADATA = "x-amz-bedrock-kb-"
"""How the service's own metadata begin."""
UNNAMED = FieldNames(
    title="title",
    section="section",
    url="url",
    published_date="published_date",
    source="source",
    tenant="tenant",
    classification="classification",
)
"""Metadata where nobody has named any: called as a passage's parts are."""
NOT_FOUND = "ResourceNotFoundException"
_NO_ENTRY = DENIED | {"UnrecognizedClientException", "ExpiredTokenException", "InvalidSignatureException"}
_ID = re.compile(r"[0-9A-Za-z]{10}")


class KnowledgeBases(ReadOnlyEngine):
    """A `SearchEngine` whose indexes are knowledge bases, by their ids.

    A base searches by texts alone, in the way that it is set up to (by meaning, or also by words): that is what keyword
    search finds here, and there are no vectors to compare.

    Args:
        fields: metadata that hold the parts of a passage.
    """

    name = "knowledge-base"

    def __init__(self, fields: FieldNames, *, region: str = "") -> None:
        if fields.content or fields.search or fields.vector:
            hint = "title, section, url, published_date, source, tenant, classification, document"
            raise SettingsError(f"{SETTING}: a knowledge base has metadata, and no other fields", hint=hint)
        self._fields = fields
        config = Config(
            connect_timeout=5,
            read_timeout=30,
            max_pool_connections=64,
            retries={"mode": "standard", "total_max_attempts": 4},
        )
        with _translated("any"):
            self._client: Any = boto3.client("bedrock-agent-runtime", region_name=region or None, config=config)
        self._probed: dict[str, tuple[float, bool | None]] = {}

    def search_docs(
        self, query: str, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages as the base does; a query without a word finds none. At most a hundred are looked at."""
        if not words(query):
            return []
        asked = {"numberOfResults": min(k, MOST_RESULTS)}
        if where.published_from is not None or where.published_to is not None:
            asked["numberOfResults"] = MOST_RESULTS  # a base compares numbers alone: dates are compared here
        found = self._retrieve(index, query[:MOST_CHARS], {**asked, **_filter(self._fields, where)})
        hits = [(piece_for(query, record), score) for record, score in self._passages(found, index)]
        return results(hits, "hybrid", where)[:k]

    def vector_search(
        self, vector: Sequence[float], index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find nothing: a base takes no vectors."""
        unit(vector, None, index)
        self._there(index)
        return []

    def hybrid_search(
        self, query: str, vector: Sequence[float] | None, index: str, *, k: int = 5, where: SearchFilter = NO_FILTER
    ) -> list[dict[str, Any]]:
        """Find passages as the base does."""
        return self.search_docs(query, index, k=k, where=where)

    def origins(self, ids: Sequence[str], index: str) -> dict[str, str]:
        """Return the document that each of these passages was cut from, by its id: a base cannot be asked for one."""
        return {key: key.partition("#")[0] for key in ids}

    def exists(self, index: str) -> bool:
        """Whether there is such a base; remembered for a minute."""
        return self._probe(index) is not None

    def count(self, index: str) -> int | None:
        """None: a base does not tell how much it holds; 0 where it holds nothing."""
        return None if self._there(index) else 0

    def embedder_of(self, index: str) -> str | None:
        """None: what embeds a query is the base's own."""
        return None

    def describe(self, index: str) -> dict[str, Any]:
        """What the report says of the corpus; a base has no version."""
        return {"name": index, "version": "", "engine": self.name, "passages": self.count(index), "embedder": None,
                "retrieval": "as the knowledge base searches"}  # fmt: skip

    def analyze(self, query: str, index: str) -> list[str]:
        """Return the words of a query: what the base makes of them it does not tell."""
        self._there(index)
        return words(query).split()

    # ---------------------------------------------------------------- asking

    def _probe(self, index: str) -> bool | None:
        """Whether a base finds anything at all; None: there is no such base."""
        known = self._probed.get(index)
        if known is None or time.monotonic() - known[0] > PROBED_S:
            found: bool | None = None
            with _translated(_base(index)):
                try:
                    found = bool(self._ask(index, PROBE, {"numberOfResults": 1})["retrievalResults"])
                except sdk.ClientError as error:
                    if code_of(error) != NOT_FOUND:
                        raise
            known = self._probed[index] = (time.monotonic(), found)
        return known[1]

    def _there(self, index: str) -> bool:
        """Whether a base finds anything at all.

        Raises:
            SettingsError: there is none.
        """
        found = self._probe(index)
        if found is None:
            raise _missing(index)
        return found

    def _retrieve(self, index: str, query: str, how: Mapping[str, Any]) -> list[dict[str, Any]]:
        with _translated(_base(index)):
            found = self._ask(index, query, how).get("retrievalResults")
        if not isinstance(found, list):
            raise SearchUnavailableError("the knowledge base gave no usable answer")
        return found

    def _ask(self, index: str, query: str, how: Mapping[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = self._client.retrieve(
            knowledgeBaseId=index,
            retrievalQuery={"text": query},
            retrievalConfiguration={"vectorSearchConfiguration": dict(how)},
        )
        return answer

    def _passages(self, found: Sequence[Mapping[str, Any]], index: str) -> Iterator[tuple[dict[str, Any], float]]:
        """Each result that is a text, with its score; pictures are none."""
        for one in found:
            text = _text(one.get("content") or {})
            if text.strip():
                yield self._record(text, one, index), float(one.get("score") or 0.0)

    def _record(self, text: str, found: Mapping[str, Any], index: str) -> dict[str, Any]:
        metadata = found.get("metadata") or {}
        place = _place(found.get("location") or {})
        record: dict[str, Any] = {"content": text}
        for part, field in self._fields.parts().items():
            try:
                record[part] = text_of(value_at(metadata, field))
            except (ValueError, RecursionError):
                raise SettingsError(f"{index}: metadata `{field}` is neither text nor number", hint=SETTING) from None
        document = record.get("document") or place or str(found.get("documentId") or "")
        own = (
            metadata.get(f"{OWN_METADATA}chunk-id") or hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        )
        page = metadata.get(f"{OWN_METADATA}document-page-number")
        page = f"page {page:.0f}" if isinstance(page, int | float) else None
        return {
            **record,
            "id": f"{document.replace('#', '%23')}#{own}" if document else str(own),
            "document": document or str(own),
            "title": record.get("title") or _last_name(place) or None,
            "section": record.get("section") or page,
            "url": record.get("url") or (place if "://" in place else None),
        }


def _filter(fields: FieldNames, where: SearchFilter) -> dict[str, Any]:
    """What a base is asked to leave out."""
    clauses = [{"in": {"key": getattr(fields, part), "value": values}} for part, values in fields.limits(where).items()]
    if not clauses:
        return {}
    return {"filter": clauses[0] if len(clauses) == 1 else {"andAll": clauses}}


def _text(content: Mapping[str, Any]) -> str:
    """What a result says: its text, the cells of a row, or what was said in a recording."""
    if row := content.get("row"):
        return "\n".join(f"{cell.get('columnName')}: {cell.get('columnValue')}" for cell in row)
    spoken = (content.get("audio") or {}).get("transcription") or (content.get("video") or {}).get("summary")
    return str(content.get("text") or spoken or "")


def _place(location: Mapping[str, Any]) -> str:
    """Where a result comes from: the one address that its location holds."""
    values = [about for about in location.values() if isinstance(about, Mapping)]
    return next((str(value) for about in values for value in about.values() if isinstance(value, str)), "")


def _last_name(place: str) -> str:
    return PurePosixPath(unquote(urlsplit(place).path)).name if "://" in place else place[:120]


def _base(index: str) -> str:
    """Return the id of a base.

    Raises:
        InputError: it cannot be one.
    """
    if not _ID.fullmatch(index):
        raise InputError(f"{index[:128]!r} cannot be a knowledge base", hint="its id: ten letters and digits")
    return index


def _missing(index: str) -> SettingsError:
    return SettingsError(f"there is no knowledge base {index!r} here", hint="GATE_INDEX, --corpus ID, or GATE_REGION")


@contextmanager
def _translated(index: str) -> Iterator[None]:
    """Turn what the SDK raises inside into the gate's errors."""
    try:
        yield
    except sdk.ClientError as error:
        code = code_of(error)
        if code == NOT_FOUND:
            raise _missing(index) from None
        if code in _NO_ENTRY:
            hint = "does the role allow bedrock:Retrieve on it?"
            raise SettingsError(f"the knowledge base {index!r} may not be used ({code})", hint=hint) from None
        if code == "ValidationException":
            hint = f"is it one of vectors, and are its metadata called so? {SETTING}"
            raise RequestRefusedError(f"the knowledge base {index!r} refused the search", hint=hint) from None
        raise SearchUnavailableError(f"the knowledge base failed ({code})") from None
    except SETUP as error:
        raise of_setup(error) from None
    except sdk.BotoCoreError as error:
        raise SearchUnavailableError(f"the knowledge base could not be reached ({type(error).__name__})") from None
