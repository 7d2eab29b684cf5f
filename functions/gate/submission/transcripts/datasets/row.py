"""A row of a data set: question, answer, contexts, reference, by the names that ragas, DeepEval and others use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.errors import InputError
from gate.model import Document, Turn
from gate.submission.transcripts.contexts import contexts_of, joined
from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.traces import langchain_messages
from gate.submission.transcripts.unread_parts import ANSWERED, TEXT_WORDS, UnreadParts, below, words_of_key

NAME = "row"
QUESTION = frozenset(
    ("question", "query", "user_input", "input", "prompt", "instruction", "user_query", "user_question")
)
ANSWER = frozenset((
    "answer", "response", "actual_output", "actualoutput", "output", "completion", "generated_answer", "prediction",
    "generated_text", "model_answer", "llm_answer", "llm_response", "model_response", "model_output", "result",
    "generation", "generated_response", "bot_answer", "assistant",
))  # fmt: skip
CONTEXTS = frozenset((
    "contexts", "retrieved_contexts", "retrieval_context", "retrievalcontext", "context", "documents",
    "source_documents", "passages", "retrieved_documents", "retrieved_docs", "chunks", "retrieved_chunks", "evidence",
))  # fmt: skip
REFERENCE = frozenset((
    "reference", "ground_truth", "ground_truths", "expected_output", "expectedoutput", "reference_answer", "expected",
    "target", "gold_answer", "correct_answer", "best_answer",
))  # fmt: skip
_REFERRED = frozenset(word for name in REFERENCE for word in words_of_key(name)) - ANSWERED
WRITER = frozenset(("model", "model_name", "writer", "llm"))
OTHERS = ("source_nodes", "observations", "run_type", "done", "custom_id", "messages", "choices", "turns", "candidates")
"""Keys by which other formats are known that may have a question or an answer too."""

Keys = dict[str, list[str]]


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    if not isinstance(document, dict) or any(key in document for key in OTHERS):
        return False
    keys = _keys(document)
    asked, answered = keys["question"] or keys["contexts"], keys["answer"]
    return bool(asked and answered) and all(isinstance(document[key], str) for key in answered)


def parse(document: Mapping[str, Any]) -> Record:
    """Read a row; the columns that nobody knows are named as not read.

    Raises:
        InputError: there are two answers, or a value does not fit.
    """
    reading, keys = UnreadParts(), _keys(document)
    answer = _the_answer(document, keys["answer"])
    if answer is None:
        raise InputError("no answer: " + ", ".join(keys["answer"]) + " is empty")
    contexts: tuple[Document, ...] = ()
    for key in keys["contexts"]:
        contexts = joined(contexts, contexts_of(document[key], below("", key), reading))
    references = [_reference(document[key]) for key in keys["reference"]]
    turns = [*_asked(document, keys["question"], reading), Turn(role="assistant", content=answer)]
    known = {key for names in keys.values() for key in names}
    nameless = {key: value for key, value in document.items() if not plain_name(key)}
    reading.rest(nameless, "", known=(), unshown=(), shown=True)
    # a column of numbers or notes has any name; one called "text", "messages" or "final answer" may hold what was
    # answered
    unshown = [key for key, value in document.items() if value == answer or not _may_hold_an_answer(key)]
    reading.rest(dict(document), "", known=known | nameless.keys(), unshown=unshown)
    writer = next((document[key] for key in keys["writer"]), None)
    return Record(
        tuple(turns),
        id=str(document["id"])[:200] if isinstance(document.get("id"), str | int) else None,
        not_read=reading.left,
        contexts=contexts,
        reference=next(filter(None, references), ""),
        metadata=about(writer=writer),
    )


def _keys(document: Mapping[str, Any]) -> Keys:
    """The keys of a row by what they hold; names are compared without case, blanks and hyphens."""
    found: Keys = {"question": [], "answer": [], "contexts": [], "reference": [], "writer": []}
    names = (QUESTION, ANSWER, CONTEXTS, REFERENCE, WRITER)
    for key, value in document.items():
        plain = plain_name(key)
        for kind, known in zip(found, names, strict=True):
            if plain in known and value not in (None, ""):
                found[kind].append(key)
    return found


def _may_hold_an_answer(key: str) -> bool:
    """Whether a column is called by what it holds: "final_answer", "answer 2", not "answer_relevancy_reason"."""
    words = [word for word in words_of_key(key) if len(word) > 1]
    answered = bool(words) and words[-1] in TEXT_WORDS and not ANSWERED.isdisjoint(words)
    return key.casefold() in TEXT_WORDS or (answered and _REFERRED.isdisjoint(words))


def plain_name(key: str) -> str:
    """A column's name as it is compared: lower case, words joined by an underscore."""
    return "_".join(key.casefold().replace("-", " ").replace("_", " ").split())


def _the_answer(document: Mapping[str, Any], keys: list[str]) -> str | None:
    """The text under the one key of a kind.

    Raises:
        InputError: several keys hold different texts, or one holds none.
    """
    values = [document[key] for key in keys]
    if not all(isinstance(value, str) for value in values):  # where the format was named
        raise InputError(f"{below('', keys[0])}: should be a text")
    if len(set(values)) > 1:
        raise InputError(f"{' and '.join(below('', key) for key in keys)}: of two answers, which is meant?")
    return str(values[0]) if values else None


def _asked(document: Mapping[str, Any], keys: list[str], reading: UnreadParts) -> list[Turn]:
    """The question; or of several keys (instruction and input) all, in order; or the conversation before the answer."""
    turns = list[Turn]()
    for key in keys:
        value, place = document[key], below("", key)
        if isinstance(value, list):
            read = langchain_messages.turn_of_message if langchain_messages.matches(value) else turn_of
            turns += [read(one, below(place, number), reading) for number, one in enumerate(value)]
        elif isinstance(value, str):
            turns.append(Turn(role="user", content=value))
        else:
            raise InputError(f"{place}: should be a text")
    return turns


def _reference(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(one for one in value if isinstance(one, str))
    return value if isinstance(value, str) else ""
