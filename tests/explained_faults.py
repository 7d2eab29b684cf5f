"""Faults as a user of the command meets them: what is put in, the exit code, the sentence, and what to do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.adapters.embedded import EmbeddedSearch
from gate.errors import (
    AnswerError,
    AnswerRefusedError,
    BudgetReachedError,
    DamagedIndexError,
    GateError,
    InternalError,
    ModelThrottledError,
    ModelUnavailableError,
    SearchUnavailableError,
    SettingsError,
    StorageUnavailableError,
    TooSlowError,
    UnreachableError,
)
from gate.model import NONE_KNOWN, Document, Known
from gate.ports import Judged
from tests.entrance import Entrance
from tests.fakes.model import WordVerifier
from tests.stubs.converse import failure, message, text

Patch = Callable[..., None]
CORPUS = [{"id": "sky", "title": "Almanac", "content": "The sky over the harbour is blue. Boats leave at nine."}]


@dataclass(frozen=True, slots=True)
class Given:
    """Where a fault is put in: a folder with an answer and a corpus, the settings, and a model behind HTTP."""

    folder: Path
    entrance: Entrance
    patch: Patch
    model: Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault.

    Attributes:
        name: what is wrong.
        put: does it; returns the arguments of `gate check`, where they are not the usual ones.
        code, says, to_do: exit code, and parts of the standard error.
        page: whether there is a report that says so too.
    """

    name: str
    put: Callable[[Given], Sequence[str] | None]
    code: int
    says: str
    to_do: str = ""
    page: bool = True


def model(error: GateError) -> Callable[[Given], None]:
    """Every question to the verifier ends so."""

    class Broken(WordVerifier):
        def judge(self, claim: str, context: str, documents: Sequence[Document], known: Known = NONE_KNOWN) -> Judged:
            raise error

    return lambda given: given.entrance.give(verifier=Broken())


def search(error: GateError) -> Callable[[Given], None]:
    """Every search ends so."""

    def broken(*_: Any, **__: Any) -> Any:
        raise error

    return lambda given: given.patch(EmbeddedSearch, "search_docs", broken)


def answers(response: Any) -> Callable[[Given], None]:
    """The model's service answers so."""
    return lambda given: given.model(response)


def written(name: str, data: bytes, *arguments: str) -> Callable[[Given], Sequence[str]]:
    """A file that cannot be used, and how it is named."""

    def put(given: Given) -> Sequence[str]:
        (given.folder / name).write_bytes(data)
        return arguments

    return put


def told(*arguments: str) -> Callable[[Given], Sequence[str]]:
    """Arguments that cannot be used."""
    return lambda given: arguments


def a_dead_address(given: Given) -> None:
    """Nobody listens where the model should be."""
    given.entrance.change(model="bedrock:m", model_endpoint="http://127.0.0.1:9", region="us-east-1")


USUAL = ("answer.md", "--corpus", "corpus.jsonl")
DOCTOR, ADDRESS = "`gate doctor` tries each", "Set right the address"
FAULTS = (
    Fault(
        "credentials have expired",
        answers(failure(403, "ExpiredTokenException")),
        2,
        "credentials have expired",
        DOCTOR,
    ),
    Fault(
        "credentials are not valid", answers(failure(403, "UnrecognizedClientException")), 2, "may not be used", DOCTOR
    ),
    Fault("no access to the model", answers(failure(403, "AccessDeniedException")), 2, "AccessDeniedException", DOCTOR),
    Fault(
        "no such model in the region",
        answers(failure(400, "ValidationException")),
        2,
        "GATE_MODEL names no such model",
        DOCTOR,
    ),
    Fault(
        "the model is throttled", answers(failure(429, "ThrottlingException")), 3, "is throttled", "fewer files at once"
    ),
    Fault(
        "the model's service fails",
        answers(failure(500, "InternalServerException")),
        3,
        "failed (InternalServerException)",
        "later",
    ),
    Fault("nobody at the model's address", a_dead_address, 3, "could not be reached", "later"),
    Fault(
        "a guardrail steps in",
        answers(message({"text": "no"}, stop="guardrail_intervened")),
        3,
        "nothing could be checked",
        "another model",
    ),
    Fault(
        "answers are cut off",
        answers(message({"text": "The"}, stop="max_tokens")),
        3,
        "nothing could be checked",
        "another model",
    ),
    Fault(
        "answers nobody can read",
        answers(text("I would rather talk about boats.")),
        3,
        "nothing could be checked",
        "another model",
    ),
    Fault(
        "the model is set up wrongly",
        model(SettingsError("no region is set", hint="GATE_REGION")),
        2,
        "no region is set; GATE_REGION",
        DOCTOR,
    ),
    Fault("the model refuses", model(AnswerRefusedError("the model refused")), 3, "the model refused", "another model"),
    Fault(
        "an answer in two",
        model(AnswerError("the model answered twice")),
        3,
        "nothing could be checked",
        "another model",
    ),
    Fault(
        "the quota is used up",
        model(ModelThrottledError("the quota is used up")),
        3,
        "the quota is used up",
        "fewer files at once",
    ),
    Fault("the model is away", model(ModelUnavailableError("the model is away")), 3, "the model is away", "later"),
    Fault("the model hangs", model(TooSlowError("no answer in time")), 3, "no answer in time", ADDRESS),
    Fault(
        "the budget is spent",
        model(BudgetReachedError("the budget is spent")),
        3,
        "nothing could be checked",
        "GATE_BUDGET_TOKENS",
    ),
    Fault("a defect in the verifier", model(InternalError("a defect")), 3, "a defect", "which is a defect of the gate"),
    Fault("the search is away", search(SearchUnavailableError("the search is away")), 3, "the search is away", "later"),
    Fault("nobody at the search's address", search(UnreachableError("nobody answers")), 3, "nobody answers", ADDRESS),
    Fault("the search may not be used", search(SettingsError("no right to search")), 2, "no right to search", DOCTOR),
    Fault(
        "blobs cannot be read", search(StorageUnavailableError("the store is away")), 3, "the store is away", "later"
    ),
    Fault(
        "an index is damaged",
        search(DamagedIndexError("docs", "a byte is lost")),
        2,
        "gate index delete docs, then add the corpus again",
        DOCTOR,
    ),
    Fault("an answer that is not there", told("none.md", *USUAL[1:]), 2, "none.md: no such file", page=False),
    Fault("an answer that is empty", written("answer.md", b"", *USUAL), 2, "answer.md: empty", page=False),
    Fault(
        "an answer that is not UTF-8",
        written("answer.md", b"\xff\xfe\xfa", *USUAL),
        2,
        "not UTF-8",
        "save it as UTF-8",
        page=False,
    ),
    Fault("a corpus that is not there", told("answer.md", "--corpus", "none.jsonl"), 2, "none.jsonl", page=False),
    Fault(
        "a policy with an unknown key",
        written("p.json", b'{"unsuported": "block"}', *USUAL, "--policy", "p.json"),
        2,
        "unsuported",
        page=False,
    ),
    Fault(
        "a repository that is not there", told(*USUAL, "--repo", "nowhere"), 2, "there is no such folder", page=False
    ),
    Fault(
        "a report that would replace the answer",
        told(*USUAL, "-o", "answer.md"),
        2,
        "would be replaced",
        "another place",
        page=False,
    ),
)


def a_folder(folder: Path) -> None:
    """An answer, and a corpus that supports it."""
    (folder / "answer.md").write_text("The sky is blue. Boats leave at nine.")
    (folder / "corpus.jsonl").write_text("".join(json.dumps(one) + "\n" for one in CORPUS))


def faults_table() -> str:
    """The faults with what is said of them."""
    rows = ["| fault | exit code | what is said | what to do |", "| --- | --- | --- | --- |"]
    for one in FAULTS:
        rows.append(f"| {one.name} | {one.code} | … {one.says} … | {f'… {one.to_do} …' if one.to_do else ''} |")
    return "\n".join(rows) + "\n"
