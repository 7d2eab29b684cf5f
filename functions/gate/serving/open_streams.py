"""Answers that are checked while they are written: pieces come request by request, and sentences go back."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from time import monotonic
from typing import Annotated, Any

from pydantic import Field, ValidationError

from gate.errors import ConflictError, InputError, first_misfit
from gate.local.sentence_stream import StreamedSentence
from gate.model import Frozen
from gate.services import callers
from gate.serving.checks_now import AnswerInPieces, ChecksNow, told
from gate.serving.entry_guard import Refused
from gate.serving.own_routes import NoSuchThing
from gate.text.formats import strict_json

PATH = "/v1/streams"
OPEN = 100
"""Streams at most."""
IDLE_S = 120.0
"""Seconds after which a stream to which nothing comes is closed."""


class AnswerPiece(Frozen):
    """More of an answer. `at`: characters that came before it; one that has come already is answered as it was."""

    text: Annotated[str, Field(min_length=1, max_length=1_000_000)]
    at: Annotated[int, Field(ge=0)] | None = None


class OpenStream:
    """One answer that is being written; `writer`: who began it."""

    def __init__(self, answer: AnswerInPieces, most: int, writer: str) -> None:
        self.used_at, self.writer = monotonic(), writer
        self.lock = threading.Lock()
        self._answer, self._most, self._received = answer, most, 0
        self._last: tuple[AnswerPiece, dict[str, Any]] | None = None

    def is_idle(self) -> bool:
        """Whether nothing has come for too long."""
        return not self.lock.locked() and monotonic() - self.used_at > IDLE_S

    def take(self, piece: AnswerPiece) -> dict[str, Any]:
        """Check what ends with a piece; returns its sentences, and how many characters have come.

        Raises:
            ConflictError: others came before it than it says.
            InputError: there are more than an answer may have.
        """
        if self._last is not None and piece.at is not None and self._last[0] == piece:
            return self._last[1]
        if piece.at not in (None, self._received):
            raise ConflictError(f"{self._received} characters have come, not {piece.at}")
        if self._received + len(piece.text) > self._most:
            raise InputError(f"an answer has {self._most} characters at most", hint="GATE_MAX_TURN_CHARS")
        self._received += len(piece.text)
        found = self._said(self._answer.feed(piece.text))
        self._last = (piece, found)
        return found

    def end(self) -> dict[str, Any]:
        """Check the rest; says also how many sentences there were, and whether all passed."""
        found = self._said(self._answer.end())
        return {**found, "count": self._answer.count, "passed": self._answer.passed}

    def _said(self, sentences: Iterable[StreamedSentence]) -> dict[str, Any]:
        return {"sentences": [told(one) for one in sentences], "received": self._received}


class OpenStreams:
    """The streams of a server; may be called by many threads.

    Args:
        now: what checks their sentences.
        most: characters of an answer.
    """

    def __init__(self, now: ChecksNow, most: int) -> None:
        self._now, self._most = now, most
        self._open: dict[str, OpenStream] = {}
        self._lock = threading.Lock()

    def answer(self, path: str, event: Mapping[str, Any], body: bytes) -> tuple[int, dict[str, Any]]:
        """The status and the value that answer a POST.

        What goes wrong once a piece is taken closes the stream: without an end that says `passed` no answer passed.

        Raises:
            NoSuchThing: there is no such stream of whoever asks, or not any more.
            Refused: too many are open, or checked, at this moment; nothing of the piece was taken.
            GateError: it cannot be checked.
        """
        if path == PATH:
            return HTTPStatus.CREATED, self._begin(event, body)
        caller = callers.caller_of(event)
        caller.must("submit", "read")
        id, _, verb = path.removeprefix(f"{PATH}/").partition(":")
        if verb == "append":
            piece = _piece(body)
            return HTTPStatus.OK, self._work(id, caller.identity, lambda stream: stream.take(piece))
        if verb == "end":
            ended = self._work(id, caller.identity, OpenStream.end)
            self._close(id)
            return HTTPStatus.OK, ended
        raise NoSuchThing("there is nothing at that path")

    def _begin(self, event: Mapping[str, Any], body: bytes) -> dict[str, Any]:
        """Open a stream with its first piece."""
        request, answer = self._now.begun(event, body)
        id, writer = secrets.token_urlsafe(16), callers.caller_of(event).identity
        with self._lock:
            self._open = {key: one for key, one in self._open.items() if not one.is_idle()}
            if len(self._open) >= OPEN:
                raise Refused(HTTPStatus.TOO_MANY_REQUESTS, f"{OPEN} streams are open", retry_after=1)
            self._open[id] = OpenStream(answer, self._most, writer)
        piece = AnswerPiece(text=request.text or "", at=0)
        try:
            return {"id": id, **self._work(id, writer, lambda stream: stream.take(piece))}
        except Refused:  # nobody knows its name
            self._close(id)
            raise

    def _work(self, id: str, writer: str, work: Callable[[OpenStream], dict[str, Any]]) -> dict[str, Any]:
        stream = self._found(id, writer)
        if not stream.lock.acquire(blocking=False):
            raise ConflictError("its last piece is still being checked")
        try:
            with self._now.turn():
                return work(stream)
        except (ConflictError, Refused):  # nothing was taken
            raise
        except BaseException:
            self._close(id)
            raise
        finally:
            stream.used_at = monotonic()
            stream.lock.release()

    def _found(self, id: str, writer: str) -> OpenStream:
        with self._lock:
            stream = self._open.get(id)
            if stream is None or stream.is_idle() or stream.writer != writer:
                raise NoSuchThing("there is no such stream, or not any more")
            return stream

    def _close(self, id: str) -> None:
        with self._lock:
            self._open.pop(id, None)


def _piece(body: bytes) -> AnswerPiece:
    try:
        return AnswerPiece.model_validate(strict_json.load(body.decode()))
    except ValidationError as error:
        raise InputError(str(first_misfit(error))) from None
    except (UnicodeDecodeError, RecursionError):
        raise InputError("the body cannot be read") from None
