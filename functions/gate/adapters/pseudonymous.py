"""Verifier, reader and model that see tokens where personal data stands, and whose answers hold the values again.

They stand outermost: what is cached, logged by a service or put to a second opinion has pseudonyms too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from gate.decision.quotes import deciding, with_quote
from gate.errors import AnswerError
from gate.model import NONE_KNOWN, Check, Document, Known
from gate.ports import (
    ClaimReader,
    Completion,
    Judged,
    LanguageModel,
    Question,
    Redactor,
    Verifier,
)
from gate.privacy.pseudonyms import Pseudonyms, pseudonymize
from gate.privacy.redaction import Finding

Hide = Callable[[Sequence[str]], tuple[list[str], Pseudonyms]]


def _hiding(redactor: Redactor) -> Hide:
    """What replaces everything that a redactor finds, in texts that share their tokens."""

    def find(text: str) -> Iterable[Finding]:
        for one in redactor.redact(text).redactions:
            yield Finding(one.kind, one.rule, one.source_start, one.source_end)

    return lambda texts: pseudonymize(texts, find)


class PseudonymousVerifier:
    """A `Verifier` that is shown pseudonyms in place of what the redactor finds."""

    def __init__(self, verifier: Verifier, redactor: Redactor) -> None:
        self._verifier, self._hide = verifier, _hiding(redactor)
        self.name = verifier.name

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Judge; justification, quote and the details of checks hold the values again.

        Raises:
            AnswerError: the quote with its values is not in the documents.
        """
        contents = [document["content"] for document in documents]
        texts = [claim, context, *contents]
        hidden, pseudonyms = self._hide(texts)
        if hidden == texts:
            return self._verifier.judge(claim, context, documents, known)
        shown: list[Document] = [{"content": text} for text in hidden[2:]]
        judged = self._verifier.judge(hidden[0], hidden[1], shown, known)
        said = {
            "justification": " ".join(pseudonyms.restore(judged.answer.justification).split()),
            "quote": pseudonyms.restore(judged.answer.quote),
        }
        try:
            answer = with_quote(judged.answer.model_copy(update=said), contents)
        except AnswerError as error:
            raise AnswerError(error.safe_message, model=judged.model, usage=judged.usage) from None
        there = pseudonyms.tokens_in("\n".join(deciding(judged.answer, hidden[2:])))
        checks = [*judged.checks, *_check_values(pseudonyms.tokens_in(hidden[0]), there)]
        restored = (Check(**{**check, "detail": pseudonyms.restore(check["detail"])}) for check in checks)
        return replace(judged, answer=answer, checks=tuple(restored))


def _check_values(claimed: Sequence[str], there: Sequence[str]) -> list[Check]:
    """Personal data of the claim must be that of the passage that decides: other checks see neither value."""
    missing = [token for token in claimed if token not in there]
    detail = f"not in the evidence: {', '.join(missing)}" if missing else ""
    return [{"name": "personal_data", "passed": not missing, "detail": detail}] if claimed else []


class PseudonymousReader:
    """A `ClaimReader` that is shown pseudonyms in place of what the redactor finds."""

    def __init__(self, reader: ClaimReader, redactor: Redactor) -> None:
        self._reader, self._hide = reader, _hiding(redactor)
        self.name = reader.name

    def read(self, context: str, sentences: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """Read; claims hold the values again."""
        hidden, pseudonyms = self._hide([context, *sentences])
        found = self._reader.read(hidden[0], hidden[1:])
        return tuple(tuple(map(pseudonyms.restore, claims)) for claims in found)


class PseudonymousModel:
    """A `LanguageModel` that is shown pseudonyms in the user's message."""

    def __init__(self, model: LanguageModel, redactor: Redactor) -> None:
        self._model, self._hide = model, _hiding(redactor)
        self.name = model.name

    def complete(self, question: Question) -> Completion:
        """Answer; the text holds the values again."""
        [hidden], pseudonyms = self._hide([question.text])
        completion = self._model.complete(replace(question, text=hidden))
        return replace(completion, text=pseudonyms.restore(completion.text))
