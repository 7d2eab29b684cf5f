"""Verdicts that were given before: the same claim, context, evidence and verifier give the same one, at no cost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from gate import __version__
from gate.adapters.later import put_off
from gate.decision.quotes import with_evidence
from gate.errors import AnswerError
from gate.model import NONE_KNOWN, Document, Known
from gate.ports import BlobStore, CheckingVerifier, ClaimReader, Judged

PREFIX = "cache/verdicts"
_SHAPE = "6"
"""Part of the key, as the gate's version is; raised when the meaning of a stored value changes."""

T = TypeVar("T")


class CachedVerifier:
    """A `Verifier` that keeps verdicts in the blob store (a folder, or S3) and gives them again.

    The key is a hash of claim, context, evidence texts and the verifier's name, which names its model and prompt.
    Failures are never kept.

    Args:
        behind: what stands before the model: where it is reached, since a name may stand for another one elsewhere, and
            the guardrail around its calls.
    """

    def __init__(self, verifier: CheckingVerifier, store: BlobStore, behind: str = "") -> None:
        self._verifier = verifier
        self._entries = _Entries(store, TypeAdapter(Judged), behind)
        self.name = verifier.name

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Judge from the store, or have it judged and keep that; what was stored has the usage `{"cached": 1}`."""
        texts = [document["content"] for document in documents]
        key = self._entries.key(self.name, claim, context, *texts)
        kept = self._entries.get(key, lambda judged: _fits(judged, texts))
        judged = kept or self._verifier.judge(claim, context, documents, known)
        found = self._verifier.checks(claim, judged.answer, documents, known)
        if kept is not None:
            return replace(kept, usage={"cached": 1}, checks=(*found, *kept.checks))
        # What code can find out is not kept but found out again: no entry can hide a check that fails.
        entry = replace(judged, checks=tuple(check for check in judged.checks if check not in found))
        put_off(partial(self._entries.put, key, entry))
        return judged


def _fits(judged: Judged, texts: Sequence[str]) -> bool:
    """Whether a stored verdict could be one on these texts: who can write to the store is not trusted more than a
    model."""
    try:
        return with_evidence(judged.answer, texts) == judged.answer
    except (AnswerError, IndexError):
        return False


class CachedReader:
    """A `ClaimReader` that keeps what it read, as `CachedVerifier` does."""

    def __init__(self, reader: ClaimReader, store: BlobStore, behind: str = "") -> None:
        self._reader = reader
        self._entries = _Entries(store, TypeAdapter(tuple[tuple[str, ...], ...]), behind)
        self.name = reader.name

    def read(self, context: str, sentences: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Read from the store, or have it read and keep that."""
        key = self._entries.key(self.name, context, *sentences)
        known = self._entries.get(key, lambda found: len(found) == len(sentences))
        if known is not None:
            return known
        found = self._reader.read(context, sentences)
        self._entries.put(key, found)
        return found


class _Entries(Generic[T]):
    """Values in a blob store by a hash of what they depend on; an entry that is damaged or does not fit is none.

    An entry is two lines: a checksum over its key and its value, and the value as JSON. So a changed bit is noticed,
    and an entry that lies under another key than its own. It is no signature: who may write to the store is trusted
    to write what `fits`.
    """

    def __init__(self, store: BlobStore, shape: TypeAdapter[T], behind: str) -> None:
        self._store, self._shape, self._behind = store, shape, behind

    def key(self, *parts: str) -> str:
        whole = json.dumps([_SHAPE, __version__, self._behind, *parts])
        return f"{PREFIX}/{hashlib.sha256(whole.encode()).hexdigest()}"

    def get(self, key: str, fits: Callable[[T], bool]) -> T | None:
        entry = self._store.find(key)
        if entry is None:
            return None
        try:
            checksum, _, data = entry.partition(b"\n")
            if checksum != _checksum(key, data):
                return None
            found = self._shape.validate_json(data, strict=True)
        except ValidationError:
            return None
        return found if fits(found) else None

    def put(self, key: str, value: T) -> None:
        data = self._shape.dump_json(value)
        self._store.put(key, _checksum(key, data) + b"\n" + data)


def _checksum(key: str, data: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\n" + data).hexdigest().encode()
