"""What stands between `call_llm` and a model: one repair, a cache, a budget; and the scripted model itself."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from pathlib import Path

import pytest

from gate import services, wiring
from gate.adapters.allowance import Allowance, allowing, current
from gate.adapters.bedrock_models import capabilities
from gate.adapters.budget import BudgetedModel, LocalLedger
from gate.adapters.local_files import FolderBlobStore
from gate.adapters.repairing import RepairingModel
from gate.adapters.scripted import ScriptedModel
from gate.adapters.verdict_cache import CachedModel
from gate.errors import AnswerError, AnswerRefusedError, BudgetReachedError, ModelThrottledError
from gate.ports import Reply
from gate.prompts import load
from gate.rules.fencing import fence
from gate.settings import Settings

SYSTEM = load("verify_claims")
PROMPT = fence("It opens at nine.", [{"content": "It opens at nine."}])
GOOD = "LABEL: supported\nJUSTIFICATION: Yes."
BAD = "LABEL: supported"


def test_a_script_answers_by_content_first_then_in_order_and_else_not_at_all() -> None:
    model = ScriptedModel({"nine": GOOD}).enqueue("one", "two")
    assert [model.complete(text) for text in ("a", "nine", "b")] == ["one", GOOD, "two"]
    assert model.asked == [("a", ""), ("nine", ""), ("b", "")]
    with pytest.raises(AnswerError):
        model.complete("c")


def test_a_good_answer_is_asked_for_once() -> None:
    model = ScriptedModel().enqueue(Reply(GOOD, model="m", usage={"input": 7}))
    reply = RepairingModel(model).complete(PROMPT, SYSTEM)
    assert (reply, reply.model, reply.usage, len(model.asked)) == (GOOD, "m", {"input": 7}, 1)


@pytest.mark.parametrize("first", [Reply(BAD, usage={"input": 5}), AnswerError("cut off", usage={"input": 5})])
def test_the_second_answer_counts_and_both_are_paid_for(first: str | Exception) -> None:
    model = ScriptedModel().enqueue(first, Reply(GOOD, usage={"input": 6, "output": 1}))
    reply = RepairingModel(model).complete(PROMPT, SYSTEM)
    assert (reply, reply.usage) == (GOOD, {"input": 11, "output": 1})


def test_the_second_question_has_the_same_prompt_and_does_not_show_the_first_answer() -> None:
    model = ScriptedModel().enqueue("IGNORE THE EVIDENCE", GOOD)
    RepairingModel(model).complete(PROMPT, SYSTEM)
    (first, _), (second, note) = model.asked
    assert first == second
    assert "IGNORE" not in note
    assert note.startswith(SYSTEM)


def test_two_bad_answers_are_an_error_with_the_cost_of_both() -> None:
    model = ScriptedModel().enqueue(Reply(BAD, usage={"input": 5}), Reply(BAD, usage={"input": 5}))
    with pytest.raises(AnswerError) as raised:
        RepairingModel(model).complete(PROMPT, SYSTEM)
    assert (raised.value.usage, len(model.asked)) == ({"input": 10}, 2)


@pytest.mark.parametrize("error", [AnswerRefusedError("no"), ModelThrottledError("later")])
def test_a_refusal_and_a_throttle_are_not_repaired(error: Exception) -> None:
    model = ScriptedModel().enqueue(error, GOOD)
    with pytest.raises(type(error)):
        RepairingModel(model).complete(PROMPT, SYSTEM)
    assert len(model.asked) == 1


def test_free_text_passes_unchanged() -> None:
    model = ScriptedModel().enqueue("anything")
    assert RepairingModel(model).complete("hello") == "anything"


def cached(model: ScriptedModel, folder: Path) -> CachedModel:
    return CachedModel(model, FolderBlobStore(folder))


def test_an_answer_is_given_again_without_asking(tmp_path: Path) -> None:
    check = {"name": "grounding", "passed": True, "detail": ""}
    model = ScriptedModel().enqueue(Reply(GOOD, model="m/1", usage={"input": 9}, checks=[check]))  # type: ignore[list-item]
    first, second = (cached(model, tmp_path).complete(PROMPT, SYSTEM) for _ in range(2))
    assert (second, second.model, second.usage) == (first, "m/1", {"cached": 1})
    assert list(second.checks) == [check]


def test_another_claim_prompt_or_model_is_another_answer(tmp_path: Path) -> None:
    model = ScriptedModel({"nine": GOOD, "ten": GOOD})
    other = ScriptedModel({"nine": GOOD})
    other.name = "scripted/2"
    cached(model, tmp_path).complete(PROMPT, SYSTEM)
    cached(model, tmp_path).complete(fence("It opens at ten.", [{"content": "It opens at nine."}]), SYSTEM)
    cached(model, tmp_path).complete(PROMPT, SYSTEM.with_note("x"))
    cached(other, tmp_path).complete(PROMPT, SYSTEM)
    assert (len(model.asked), len(other.asked)) == (3, 1)


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", json.dumps({"text": BAD, "model": "m", "checks": []}).encode()])
def test_a_damaged_entry_is_asked_for_anew(tmp_path: Path, damage: bytes) -> None:
    model = ScriptedModel({"nine": GOOD})
    cached(model, tmp_path).complete(PROMPT, SYSTEM)
    [entry] = (path for path in tmp_path.rglob("*") if path.is_file())
    entry.write_bytes(damage)
    assert cached(model, tmp_path).complete(PROMPT, SYSTEM) == GOOD
    assert len(model.asked) == 2


@pytest.mark.parametrize("answer", [BAD, "prose"])
def test_an_unusable_answer_and_free_text_are_not_kept(tmp_path: Path, answer: str) -> None:
    model = ScriptedModel({"nine": answer})
    cached(model, tmp_path).complete(PROMPT, SYSTEM)
    cached(model, tmp_path).complete("nine")
    assert not any(path.is_file() for path in tmp_path.rglob("*"))


def paid(tokens: int) -> Reply:
    return Reply(GOOD, usage={"input": tokens - 10, "output": 10})


def test_without_an_allowance_nothing_is_held_back() -> None:
    reply = BudgetedModel(ScriptedModel({"nine": paid(100)}), LocalLedger()).complete(PROMPT, SYSTEM)
    assert reply.usage["estimated"] > 100


def test_a_run_stops_before_it_would_spend_more_than_it_may_and_another_run_does_not() -> None:
    model = BudgetedModel(ScriptedModel({"nine": paid(100)}), LocalLedger())
    estimate = model.complete(PROMPT, SYSTEM).usage["estimated"]
    with allowing(Allowance("run-1", estimate + 150)):
        model.complete(PROMPT, SYSTEM)
        model.complete(PROMPT, SYSTEM)
        with pytest.raises(BudgetReachedError):
            model.complete(PROMPT, SYSTEM)
    with allowing(Allowance("run-2", estimate + 150)):
        model.complete(PROMPT, SYSTEM)


def test_calls_side_by_side_cannot_pass_the_limit_together() -> None:
    ledger, limit = LocalLedger(), 5_000
    spent: list[int] = []

    def answer(prompt: str, system: str) -> Reply:
        spent.append(500)
        return paid(500)

    model = BudgetedModel(ScriptedModel({"nine": answer}), ledger)

    def ask(_: int) -> bool:
        try:
            model.complete(PROMPT, SYSTEM)
        except BudgetReachedError:
            return False
        return True

    with allowing(Allowance("run", limit)), ThreadPoolExecutor(16) as pool:
        waiting = [pool.submit(copy_context().run, ask, number) for number in range(40)]
        assert not all(future.result() for future in waiting)
    assert 0 < sum(spent) <= limit


def test_what_a_model_thinks_and_the_schema_of_its_answer_are_reserved_too() -> None:
    plain, thinking = (
        BudgetedModel(ScriptedModel({"nine": GOOD}), LocalLedger(), able).complete(PROMPT, SYSTEM).usage["estimated"]
        for able in (None, capabilities("global.anthropic.claude-haiku-5-5"))
    )
    assert thinking > plain + capabilities("global.anthropic.claude-haiku-5-5").thinking


def test_a_failed_call_gives_its_reservation_back_and_a_bad_answer_is_paid_for() -> None:
    script = ScriptedModel().enqueue(ModelThrottledError("x"), AnswerError("x", usage={"input": 90}), paid(50))
    model = BudgetedModel(script, LocalLedger())
    estimate = BudgetedModel(ScriptedModel({"nine": GOOD}), LocalLedger()).complete(PROMPT, SYSTEM).usage["estimated"]
    with allowing(Allowance("run", estimate + 100)):
        for error in (ModelThrottledError, AnswerError):
            with pytest.raises(error):
                model.complete(PROMPT, SYSTEM)
        model.complete(PROMPT, SYSTEM)


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
    asked: dict, expected: int, tmp_path: Path
) -> None:
    wiring.configure(Settings(home=tmp_path, budget_tokens=900))
    with services.using({**asked, "run_id": "r"}):
        assert current() == Allowance("r", expected)


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
