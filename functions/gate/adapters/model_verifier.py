"""A language model as a verifier: the only place that writes a verdict's prompt and reads the reply."""

from __future__ import annotations

from collections.abc import Sequence

from gate.adapters.repair import answered
from gate.decision.checks import run_checks
from gate.decision.proper_names import check_names
from gate.decision.quotes import deciding, with_evidence
from gate.errors import AnswerError
from gate.model import NONE_KNOWN, Answer, Check, Document, Known
from gate.ports import Completion, Judged, LanguageModel, Question, Verifier
from gate.prompts.fencing import fence, unfence
from gate.prompts.injection import NO_CLAIM, before_instructions
from gate.prompts.verdicts import read_verdict, verdict_prompt, verdict_question, write_verdict


class ModelVerifier:
    """A `Verifier` over a language model."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        prompt = verdict_prompt()
        self.name = f"{model.name}+{prompt.name}:{prompt.sha256[:12]}"

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Ask the model, at the second try if need be; what it says is compared with the passage that it quotes.

        Whoever wrote the answer does not speak to the model: a claim that does so is no statement and is not put to it,
        and of a context it is shown what stands before that.
        """
        if before_instructions(claim) != claim:
            return Judged(NO_CLAIM, self.name)
        texts = [document["content"] for document in documents]
        asked = fence(claim, documents, before_instructions(context))

        def read(reply: str) -> Answer:
            return with_evidence(read_verdict(reply, asked), texts)

        answer, completion = answered(self._model, verdict_question(asked), read)
        checks = self.checks(claim, answer, documents, known)
        return Judged(answer, completion.model, completion.usage, checks, request_id=completion.request_id)

    def checks(
        self, claim: str, answer: Answer, documents: Sequence[Document], known: Known = NONE_KNOWN
    ) -> tuple[Check, ...]:
        """See `CheckingVerifier`: figures, quotations and names, on the passages that decide."""
        passages = deciding(answer, [document["content"] for document in documents])
        return (*run_checks(claim, passages, known), *check_names(claim, passages))


class VerifierModel:
    """A verifier as a `LanguageModel`, for `call_llm`: it judges the claim of a fenced prompt.

    Args:
        otherwise: what answers any other prompt; None: nothing does.
    """

    def __init__(self, verifier: Verifier, otherwise: LanguageModel | None = None) -> None:
        self._verifier, self._otherwise = verifier, otherwise
        self.name = verifier.name

    def complete(self, question: Question) -> Completion:
        """Write the verdict on a fenced claim in the lines that `parse_verdict` reads.

        Raises:
            AnswerError: the prompt is not a fenced one, and nothing else answers.
        """
        try:
            asked = unfence(question.text)
        except AnswerError:
            if self._otherwise is None:
                raise
            return self._otherwise.complete(question)
        documents: list[Document] = [{"content": text} for _, text in asked.documents]
        judged = self._verifier.judge(asked.claim, asked.context, documents)
        said = write_verdict(judged.answer, asked.handles)
        return Completion(said, judged.model, judged.usage, request_id=judged.request_id)
