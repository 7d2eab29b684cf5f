"""Models trained on one question: does this document support this claim, yes or no? MiniCheck, and others like it.

They know one prompt and no other, so that nothing of ours stands around claim and document; line breaks, with which
either could begin the other's part, are taken out.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence

from gate.adapters.local_verifier import lexicon
from gate.adapters.local_verifier.explanation import explain, held_to_quote, likeliest
from gate.adapters.local_verifier.guards import objections, stopped
from gate.adapters.repair import answered
from gate.decision.checks import run_checks
from gate.errors import AnswerError, UnmeasuredLanguageError
from gate.model import NONE_KNOWN, Answer, Check, Document, Known, Label
from gate.ports import Judged, LanguageModel, Question
from gate.prompts.injection import NO_CLAIM, before_instructions
from gate.text.languages import ENGLISH, NAMES, language_of

TEMPLATE = "Document: {}\nClaim: {}"
WORDS = 400
"""Of evidence: such models were trained on stretches of 500 tokens."""
ANSWER_TOKENS = 8
SIDES = {"yes": True, "no": False}


class MiniCheckVerifier:
    """A `Verifier` over a model that answers yes or no.

    The sentences that cover the claim best are put to it as one document. Its log probabilities, where the service
    gives them, become the probability of `supported`; quote, checks and guards are those of the local verifier. It
    tells no partial support: that is what support is called for which nothing can be quoted, or a guard objects.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.name = f"{model.name}+document-and-claim:{hashlib.sha256(TEMPLATE.encode()).hexdigest()[:12]}"

    def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
        """Judge a claim by its words alone: the context is not looked at.

        Raises:
            AnswerError: the model says neither yes nor no, or one of them while it holds the other for likelier.
            UnmeasuredLanguageError: the claim is plainly in another language than English.
        """
        if (language := language_of(claim)) not in ("", ENGLISH):
            raise UnmeasuredLanguageError(NAMES[language], self.name)
        texts, checks = _read(documents), self.checks(claim, NO_CLAIM, documents, known)
        if before_instructions(claim) != claim or not claim.strip():
            return Judged(NO_CLAIM, self.name, checks=checks)
        reading = lexicon().read(claim, texts)
        document = _one_line(" ".join(sentence.text for sentence in reading.within(WORDS)))
        question = Question(TEMPLATE.format(document, _one_line(claim)), most_tokens=ANSWER_TOKENS, odds=True)
        says_yes, completion = answered(self._model, question, read_side)
        chance = chance_of_yes(completion.odds)
        if chance is not None and (chance >= 0.5) is not says_yes:
            raise AnswerError(
                "it says one thing and holds the other for likelier", model=self.name, usage=completion.usage
            )
        share = chance if chance is not None else float(says_yes)
        scores: dict[Label, float] = {"supported": share, "weakly_supported": 0.0, "unsupported": 1 - share}
        stop = stopped(claim, texts, reading, checks) if likeliest(scores) != "unsupported" else None
        answer = held_to_quote(explain(reading, scores, stop, known))
        if chance is None:
            answer = answer.model_copy(update={"scores": {}})
        found = (*checks, *objections(stop))
        return Judged(answer, self.name, completion.usage, found, request_id=completion.request_id)

    def checks(
        self, claim: str, answer: Answer, documents: Sequence[Document], known: Known = NONE_KNOWN
    ) -> tuple[Check, ...]:
        """See `CheckingVerifier`: on all that is read, whatever the answer."""
        del answer
        return tuple(run_checks(claim, _read(documents), known))


def _read(documents: Sequence[Document]) -> list[str]:
    return [before_instructions(document["content"]) for document in documents]


def read_side(reply: str) -> bool:
    """Whether a reply says yes.

    Raises:
        AnswerError: it says neither yes nor no.
    """
    said = SIDES.get(_word(reply))
    if said is None:
        raise AnswerError("it is neither yes nor no")
    return said


def chance_of_yes(odds: Mapping[str, float]) -> float | None:
    """The share of yes in the log probabilities of a first word; None: they tell of neither."""
    shares = {True: 0.0, False: 0.0}
    for word, chance in odds.items():
        side = SIDES.get(_word(word))
        if side is not None:
            shares[side] += math.exp(min(0.0, chance))
    both = sum(shares.values())
    return shares[True] / both if both > 0 else None


def _word(text: str) -> str:
    return text.strip().strip(".*\"'").casefold()


def _one_line(text: str) -> str:
    return " ".join(text.split())
