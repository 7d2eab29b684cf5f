"""What a run, a tenant's day and everybody's day may spend on a model."""

from __future__ import annotations

import json
from threading import Barrier
from typing import Any

import pytest

from gate import wiring
from gate.adapters.spending.allowance import Allowance, allowing
from gate.adapters.spending.budget import BudgetedModel, Ceilings, LocalLedger, left
from gate.agents.split_batch import split_batch
from gate.errors import BudgetReachedError, InputError
from gate.ports import Completion, Question
from gate.services.run import using
from tests.aws_events import FakeUploads
from tests.entrance import Entrance

ASKED = Question("Is it so?", most_tokens=100)


class Model:
    name = "m"

    def complete(self, question: Question) -> Completion:
        return Completion("yes", "m", {"input": 50, "output": 50})


def ask(model: BudgetedModel, *runs: str, tenant: str = "") -> None:
    for run_id in runs:
        with allowing(Allowance(run_id, 0, tenant)):
            model.complete(ASKED)


def test_a_tenant_at_its_day_s_ceiling_does_not_stop_another() -> None:
    ledger = LocalLedger()
    model = BudgetedModel(Model(), ledger, ceilings=Ceilings(tenant_day=350, day=10_000))
    ask(model, "a1", "a2", tenant="acme")
    with pytest.raises(BudgetReachedError, match="the tenant's day may spend 350 tokens"):
        ask(model, "a3", "a4", "a5", tenant="acme")
    ask(model, "b1", tenant="umbrella")
    with allowing(Allowance("b2", 0, "umbrella")):
        assert left(ledger, Ceilings(tenant_day=350, day=10_000)) == (250, "the tenant's day")


def test_everybody_s_day_ends_for_all_and_a_refused_call_is_paid_from_nowhere() -> None:
    ledger = LocalLedger()
    ceilings = Ceilings(run=10_000, day=350)
    model = BudgetedModel(Model(), ledger, ceilings=ceilings)
    with pytest.raises(BudgetReachedError, match="this deployment's day"):
        ask(model, "a", "b", "c", "d", "e")
    with allowing(Allowance("e", 0)):
        assert ledger.spent("e") == 0
        assert left(ledger, Ceilings(run=10_000)) == (10_000, "the run")


def test_all_that_a_run_is_paid_from_is_asked_at_the_same_time() -> None:
    class Far(LocalLedger):
        all_three = Barrier(3)

        def spent(self, run_id: str) -> int:
            self.all_three.wait(5)
            return super().spent(run_id)

    ledger = Far()
    with allowing(Allowance("a", 0, "acme")):
        ledger.reserve("a", 5, 10)
        assert left(ledger, Ceilings(run=20, tenant_day=30, day=40)) == (15, "the run")


def test_no_ceiling_holds_nobody() -> None:
    assert left(LocalLedger(), Ceilings()) is None


def test_the_tenant_of_a_run_pays_for_it(entrance: Entrance) -> None:
    entrance.change(budget_tenant_day=100)
    with using({"run_id": "r", "search": {"tenant": "acme"}}):
        wiring.current().ledger()
        held = left(wiring.current().ledger(), wiring.current().ceilings())
    assert held == (100, "the tenant's day")


def test_a_batch_that_the_day_does_not_hold_is_refused_with_its_estimate(entrance: Entrance) -> None:
    uploads = FakeUploads()
    line = json.dumps({"turns": [{"role": "assistant", "content": "It costs ten euros. " * 480}]}).encode()
    uploads.objects["many.jsonl", "v1"] = b"\n".join([line] * 100)
    entrance.give(uploads=uploads)
    entrance.change(model="bedrock:us.anthropic.claude-haiku-5-5", budget_day=1_000_000)
    state: dict[str, Any] = {"run_id": "batch", "upload": {"bucket": "uploads", "key": "many.jsonl", "version": "v1"}}
    with using({"run_id": "batch"}), pytest.raises(InputError) as refused:
        split_batch(dict(state))
    assert refused.value.safe_message == (
        "about 10,052 claims need 27,643,000 tokens, $3.77; this deployment's day has 1,000,000 left"
    )
    entrance.change(budget_day=100_000_000)
    with using({"run_id": "batch"}):
        split_batch(state)
    assert state["batch"]["transcripts"] == 100
