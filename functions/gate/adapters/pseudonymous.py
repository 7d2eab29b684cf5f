"""A model that sees tokens where personal data stands, and whose answer holds the values again."""

from __future__ import annotations

from collections.abc import Iterable

from gate.errors import AnswerError
from gate.ports import LanguageModel, Redactor, Reply
from gate.rules.fencing import fence_parts, unfence_parts
from gate.rules.pseudonyms import pseudonymize
from gate.rules.redaction import Finding


class PseudonymousModel:
    """A `LanguageModel` whose prompts have pseudonyms in place of what the redactor finds.

    It stands outermost: what is cached, logged by a service or put to a second opinion has pseudonyms too.
    """

    def __init__(self, model: LanguageModel, redactor: Redactor) -> None:
        self._model = model
        self._redactor = redactor
        self.name = model.name

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Answer; the parts of a fenced prompt share their tokens, and the new prompt is fenced anew."""
        parts = _parts(prompt)
        texts = [text for _, text in parts]
        hidden, pseudonyms = pseudonymize(texts, self._find)
        if hidden == texts:
            return self._model.complete(prompt, system)
        names = [name for name, _ in parts]
        asked = fence_parts(list(zip(names, hidden, strict=True))) if names[0] else hidden[0]
        reply = self._model.complete(asked, system)
        return Reply(pseudonyms.restore(reply), model=reply.model, usage=reply.usage, checks=reply.checks)

    def _find(self, text: str) -> Iterable[Finding]:
        for one in self._redactor.redact(text).redactions:
            yield Finding(one.kind, one.rule, one.source_start, one.source_end)


def _parts(prompt: str) -> list[tuple[str, str]]:
    """Names and texts of a fenced prompt; any other prompt is one text without a name."""
    try:
        return unfence_parts(prompt)
    except AnswerError:
        return [("", prompt)]
