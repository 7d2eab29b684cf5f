"""What stands around a model and a verifier: one repair, a cache, a budget; and the scripted model itself."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from gate.adapters.aws.bedrock.models import capabilities
from gate.adapters.local_files import FolderBlobStore
from gate.adapters.model_verifier import ModelVerifier, VerifierModel
from gate.adapters.repair import answered
from gate.adapters.scripted import ScriptedModel
from gate.adapters.spending.allowance import Allowance, allowing, current
from gate.adapters.spending.budget import BudgetedModel, LocalLedger
from gate.adapters.verdict_cache import PREFIX, CachedReader, CachedVerifier, _Entries
from gate.decision.checks import run_checks
from gate.errors import AnswerError, AnswerRefusedError, BudgetReachedError, ModelThrottledError
from gate.model import Answer, Check, Document
from gate.ports import Completion, Judged, Question
from gate.prompts.fencing import fence
from gate.prompts.verdicts import verdict_prompt, verdict_question
from gate.services.run import using
from tests.fakes.model import replying

CLAIM = "It opens at nine."
DOCUMENTS: list[Document] = [{"content": "It opens at nine."}]
QUESTION = verdict_question(fence(CLAIM, DOCUMENTS))


def read(reply: str) -> str:
    """What can be read is in capitals."""
    if not reply.isupper():
        raise AnswerError("it is not in capitals")
    return reply


def test_a_script_answers_by_content_first_then_in_order_and_else_not_at_all() -> None:
    model = ScriptedModel({"nine": "YES"}).enqueue("one", "two")
    asked = [Question("a"), Question("nine", "be kind"), Question("b")]
    assert [model.complete(question).text for question in asked] == ["one", "YES", "two"]
    assert model.asked == asked
    with pytest.raises(AnswerError):
        model.complete(Question("c"))


# One repair


def test_a_good_answer_is_asked_for_once() -> None:
    model = ScriptedModel().enqueue(Completion("YES", "m", {"input": 7}))
    assert answered(model, QUESTION, read) == ("YES", Completion("YES", "m", {"input": 7}))
    assert len(model.asked) == 1


@pytest.mark.parametrize("first", [Completion("no", "m", {"input": 5}), AnswerError("cut off", usage={"input": 5})])
def test_the_second_answer_counts_and_both_are_paid_for(first: Completion | AnswerError) -> None:
    model = ScriptedModel().enqueue(first, Completion("YES", "m", {"input": 6, "output": 1}))
    value, completion = answered(model, QUESTION, read)
    assert (value, completion.usage) == ("YES", {"input": 11, "output": 1})


def test_the_second_question_has_the_same_message_and_does_not_show_the_first_answer() -> None:
    model = ScriptedModel().enqueue("ignore the evidence", "YES")
    answered(model, QUESTION, read)
    first, second = model.asked
    assert (first, second.text) == (QUESTION, QUESTION.text)
    assert "ignore" not in second.system
    assert second.system.startswith(QUESTION.system)
    assert "it is not in capitals" in second.system
    assert second.form is not None
    assert "it is not in capitals" in second.form.system


def test_two_bad_answers_are_an_error_with_the_cost_of_both() -> None:
    model = ScriptedModel().enqueue(Completion("no", "m", {"input": 5}), Completion("no", "m", {"input": 6}))
    with pytest.raises(AnswerError, match="second try: it is not in capitals") as raised:
        answered(model, QUESTION, read)
    assert (raised.value.usage, raised.value.model, len(model.asked)) == ({"input": 11}, "m", 2)


def test_an_answer_far_longer_than_what_was_asked_for_is_not_read() -> None:
    model = ScriptedModel().enqueue(f"YES{' ' * 100_000}", "YES")
    assert answered(model, replace(QUESTION, most_tokens=400), read)[0] == "YES"
    assert len(model.asked) == 2


@pytest.mark.parametrize("error", [AnswerRefusedError("no"), ModelThrottledError("later")])
def test_a_refusal_and_a_throttle_are_not_repaired(error: Exception) -> None:
    model = ScriptedModel().enqueue(error, "YES")
    with pytest.raises(type(error)):
        answered(model, QUESTION, read)
    assert len(model.asked) == 1


def test_a_refusal_at_the_second_try_is_one_and_both_are_paid_for() -> None:
    refusal = AnswerRefusedError("the model refused", usage={"input": 6})
    model = ScriptedModel().enqueue(Completion("no", "m", {"input": 5}), refusal)
    with pytest.raises(AnswerRefusedError, match=r"^the model refused$") as raised:
        answered(model, QUESTION, read)
    assert raised.value.usage == {"input": 11}


# A verifier as a model


def test_a_verifier_answers_fenced_claims_and_leaves_other_questions_to_a_model() -> None:
    reply = "LABEL: supported\nJUSTIFICATION: Yes.\nREASON: entailed\nQUOTE: It opens at nine\nDOCUMENTS: {d1}"
    verifier = ModelVerifier(ScriptedModel({"nine": replying(reply)}))
    model = VerifierModel(verifier, ScriptedModel({"Hello": "Hi"}))
    prompt = fence(CLAIM, DOCUMENTS)
    assert model.complete(Question(prompt.text)).text == reply.replace("{d1}", prompt.handles[0])
    assert model.complete(Question("Hello")).text == "Hi"


# The cache


class CountingVerifier:
    """Gives one verdict, and says how often it was asked."""

    def __init__(self, judged: Judged, name: str = "counting/1") -> None:
        self._judged, self.name, self.asked = judged, name, 0

    def judge(self, claim: str, context: str, documents: Any, known: Any = None) -> Judged:
        self.asked += 1
        return self._judged

    def checks(self, claim: str, answer: Answer, documents: Any, known: Any = None) -> tuple[Check, ...]:
        return tuple(run_checks(claim, [document["content"] for document in documents]))


YES = Judged(
    Answer(label="supported", justification="Yes.", reason="entailed", quote="It opens at nine", documents=(0,)),
    "m/1",
    {"input": 9},
    ({"name": "grounding", "passed": True, "detail": ""},),
)


def test_a_verdict_is_given_again_without_asking(tmp_path: Path) -> None:
    verifier = CountingVerifier(YES)
    first, second = (CachedVerifier(verifier, FolderBlobStore(tmp_path)).judge(CLAIM, "", DOCUMENTS) for _ in range(2))
    checked = (*run_checks(CLAIM, ["It opens at nine."]), *YES.checks)
    assert (first, second) == (YES, replace(YES, usage={"cached": 1}, checks=checked))
    assert verifier.asked == 1


def test_another_claim_context_evidence_or_verifier_has_another_verdict(tmp_path: Path) -> None:
    verifier, other = CountingVerifier(YES), CountingVerifier(YES, "counting/2")
    store = FolderBlobStore(tmp_path)
    CachedVerifier(verifier, store).judge(CLAIM, "", DOCUMENTS)
    CachedVerifier(verifier, store).judge("It opens at ten.", "", DOCUMENTS)
    CachedVerifier(verifier, store).judge(CLAIM, "On Sundays", DOCUMENTS)
    CachedVerifier(verifier, store).judge(CLAIM, "", [{"content": "It opens at nine or ten."}])
    CachedVerifier(other, store).judge(CLAIM, "", DOCUMENTS)
    assert (verifier.asked, other.asked) == (4, 1)


def test_another_prompt_is_another_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ModelVerifier(ScriptedModel()).name
    monkeypatch.setattr(
        "gate.adapters.model_verifier.verdict_prompt", lambda: replace(verdict_prompt(), task="Judge kindly.")
    )
    assert ModelVerifier(ScriptedModel()).name != before


def stored(**changes: Any) -> bytes:
    answer = {**YES.answer.model_dump(), **changes}
    return json.dumps({"answer": answer, "model": "m", "usage": {}, "checks": []}).encode()


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        stored(label="fine"),
        stored(reason="partial"),
        stored(quote="It opens at ten."),
        stored(quote="opens at nine"),
        stored(quote=""),
        stored(documents=[]),
        stored(documents=[1]),
        stored(documents=["d1"]),
        stored(justification=""),
        stored(more=""),
    ],
)
def test_a_damaged_entry_is_asked_for_anew(tmp_path: Path, damage: bytes) -> None:
    verifier = CountingVerifier(YES)
    CachedVerifier(verifier, FolderBlobStore(tmp_path)).judge(CLAIM, "", DOCUMENTS)
    [entry] = (path for path in tmp_path.rglob("*") if path.is_file())
    entry.write_bytes(damage)
    assert CachedVerifier(verifier, FolderBlobStore(tmp_path)).judge(CLAIM, "", DOCUMENTS) == YES
    assert verifier.asked == 2


def test_an_entry_in_which_a_bit_changed_or_that_lies_under_another_key_is_asked_for_anew(tmp_path: Path) -> None:
    verifier, store = CountingVerifier(YES), FolderBlobStore(tmp_path)
    CachedVerifier(verifier, store).judge(CLAIM, "", DOCUMENTS)
    [entry] = (path for path in tmp_path.rglob("*") if path.parent.name == "verdicts")
    whole = entry.read_bytes()
    for at in range(0, len(whole), 5):
        entry.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert CachedVerifier(verifier, store).judge(CLAIM, "", DOCUMENTS) == YES
    asked = verifier.asked
    CachedVerifier(verifier, store).judge(CLAIM, "On Sundays", DOCUMENTS)
    [other] = (path for path in entry.parent.iterdir() if path != entry)
    other.write_bytes(whole)
    assert CachedVerifier(verifier, store).judge(CLAIM, "On Sundays", DOCUMENTS) == YES
    assert verifier.asked == asked + 2


def test_a_check_that_fails_is_found_again_whatever_an_entry_says(tmp_path: Path) -> None:
    claim = "It opens at nine and costs 7 euros."
    verifier, store = CountingVerifier(YES), FolderBlobStore(tmp_path)
    for _ in range(2):
        judged = CachedVerifier(verifier, store).judge(claim, "", DOCUMENTS)
    assert judged.usage == {"cached": 1}
    assert {check["name"] for check in judged.checks if not check["passed"]} >= {"currencies"}


EXPRESS: list[Document] = [
    {"content": "A parcel by express costs 9 euros at most."},
    {"content": "A parcel sent by express costs 12 euros."},
]


def quoting(first: str) -> ModelVerifier:
    """A model that calls everything supported by the first document, of which it quotes this."""
    reply = f"LABEL: supported\nJUSTIFICATION: Yes.\nREASON: entailed\nQUOTE: {first}\nDOCUMENTS: {{d1}}"
    return ModelVerifier(ScriptedModel({"express": replying(reply)}))


@pytest.mark.parametrize("claim", ["A parcel sent by express costs 9 euros.", "Ann Kay sends express for 9 euros."])
def test_a_verdict_that_is_given_again_has_the_checks_of_the_first_time(tmp_path: Path, claim: str) -> None:
    verifier = quoting("A parcel by express costs 9 euros at most.")
    first, again = (CachedVerifier(verifier, FolderBlobStore(tmp_path)).judge(claim, "", EXPRESS) for _ in range(2))
    assert again == replace(first, usage={"cached": 1})


def test_no_entry_hides_a_name_that_the_evidence_does_not_have(tmp_path: Path) -> None:
    store, claim = FolderBlobStore(tmp_path), "Ann Kay sends express for 9 euros."
    verifier = CachedVerifier(quoting("A parcel by express costs 9 euros at most."), store)
    verifier.judge(claim, "", EXPRESS)
    [key] = store.keys(PREFIX)
    entries = _Entries(store, TypeAdapter(Judged), "")
    planted = entries.get(key, lambda _: True)
    assert planted is not None
    entries.put(key, replace(planted, checks=()))
    judged = verifier.judge(claim, "", EXPRESS)
    assert judged.usage == {"cached": 1}
    assert [check["name"] for check in judged.checks if not check["passed"]] == ["names"]


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    verifier = CachedVerifier(ModelVerifier(ScriptedModel({"nine": "prose"})), FolderBlobStore(tmp_path))
    with pytest.raises(AnswerError):
        verifier.judge(CLAIM, "", DOCUMENTS)
    assert not any(path.is_file() for path in tmp_path.rglob("*"))


def test_what_sentences_state_is_given_again_without_asking(tmp_path: Path) -> None:
    class Counting:
        name, asked = "reader/1", 0

        def read(self, context: str, sentences: Any) -> tuple[tuple[str, ...], ...]:
            self.asked += 1
            return ("It is high.",), ("Nice!",), ()

    reader = Counting()
    cached = CachedReader(reader, FolderBlobStore(tmp_path))
    first, second = (cached.read("", ["It is high.", "Nice!", "So?"]) for _ in range(2))
    assert first == second
    cached.read("Before.", ["It is high.", "Nice!", "So?"])
    assert reader.asked == 2


# The budget


def paid(tokens: int) -> Completion:
    return Completion("YES", "m", {"input": tokens - 10, "output": 10})


def estimate_of(question: Question = QUESTION) -> int:
    model = BudgetedModel(ScriptedModel({"": "YES"}), LocalLedger())
    return model.complete(question).usage["estimated"]


def test_without_an_allowance_nothing_is_held_back() -> None:
    assert estimate_of() > 100


def test_a_run_stops_before_it_would_spend_more_than_it_may_and_another_run_does_not() -> None:
    model = BudgetedModel(ScriptedModel({"nine": paid(100)}), LocalLedger())
    with allowing(Allowance("run-1", estimate_of() + 150)):
        model.complete(QUESTION)
        model.complete(QUESTION)
        with pytest.raises(BudgetReachedError):
            model.complete(QUESTION)
    with allowing(Allowance("run-2", estimate_of() + 150)):
        model.complete(QUESTION)


def test_calls_side_by_side_cannot_pass_the_limit_together() -> None:
    ledger, limit = LocalLedger(), 5_000
    spent: list[int] = []

    def answer(question: Question) -> Completion:
        spent.append(500)
        return paid(500)

    model = BudgetedModel(ScriptedModel({"nine": answer}), ledger)

    def ask(_: int) -> bool:
        try:
            model.complete(QUESTION)
        except BudgetReachedError:
            return False
        return True

    with allowing(Allowance("run", limit)), ThreadPoolExecutor(16) as pool:
        waiting = [pool.submit(copy_context().run, ask, number) for number in range(40)]
        assert not all(future.result() for future in waiting)
    assert 0 < sum(spent) <= limit


def test_what_a_model_thinks_and_the_schema_of_its_answer_are_reserved_too() -> None:
    plain, thinking = (
        BudgetedModel(ScriptedModel({"nine": "YES"}), LocalLedger(), able).complete(QUESTION).usage["estimated"]
        for able in (None, capabilities("global.anthropic.claude-haiku-5-5"))
    )
    assert thinking > plain + capabilities("global.anthropic.claude-haiku-5-5").thinking


def test_a_failed_call_gives_its_reservation_back_and_a_bad_answer_is_paid_for() -> None:
    script = ScriptedModel().enqueue(ModelThrottledError("x"), AnswerError("x", usage={"input": 90}), paid(50))
    model = BudgetedModel(script, LocalLedger())
    with allowing(Allowance("run", estimate_of() + 100)):
        for error in (ModelThrottledError, AnswerError):
            with pytest.raises(error):
                model.complete(QUESTION)
        model.complete(QUESTION)


def test_both_tries_of_one_verdict_are_held_to_the_budget() -> None:
    model = BudgetedModel(ScriptedModel({"nine": Completion("prose", "m", {"input": 90})}), LocalLedger())
    with allowing(Allowance("run", estimate_of() + 50)), pytest.raises(BudgetReachedError):
        ModelVerifier(model).judge(CLAIM, "", DOCUMENTS)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, 900),
        ({"budget": {"tokens": 100}}, 100),
        ({"budget": {"tokens": 10**9}}, 900),
        ({"budget": {"tokens": 0}}, 900),
    ],
)
def test_a_run_may_ask_for_a_smaller_budget_but_not_for_a_larger_one(
    asked: dict[str, dict[str, int]], expected: int
) -> None:
    with using({**asked, "run_id": "r"}):
        allowance = current()
    assert allowance is not None
    assert (allowance.run_id, allowance.within(900)) == ("r", expected)


@pytest.mark.parametrize(
    ("model", "first", "temperature"),
    [
        ("global.anthropic.claude-haiku-5-5", "tool", False),
        ("eu.anthropic.claude-opus-5-5-v1:0", "tool", False),
        ("anthropic.claude-haiku-4-5-20251001-v1:0", "schema", True),
        ("us.anthropic.claude-sonnet-4-6", "tool", True),
        ("anthropic.claude-3-5-sonnet-20241022-v2:0", "tool", True),
        ("us.amazon.nova-2-lite-v1:0", "tool", True),
        ("arn:aws:bedrock:us-east-1:1:application-inference-profile/x", "text", False),
    ],
)
def test_models_are_asked_in_the_way_they_are_known_for(model: str, first: str, temperature: bool) -> None:
    able = capabilities(model)
    assert (able.answers[0], able.answers[-1], able.temperature) == (first, "text", temperature)
