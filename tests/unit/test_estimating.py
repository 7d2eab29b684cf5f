"""What a run may cost is said before the model is asked, and never too little."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import cli, estimating, services, wiring
from gate.adapters.allowance import Allowance, allowing
from gate.adapters.bedrock_models import capabilities
from gate.agents.extract_claims import extract_claims
from gate.agents.judge import judge
from gate.errors import SearchUnavailableError
from gate.model import Claim
from gate.prompts import load
from gate.rules.costs import TOKENS_IN, estimate
from gate.rules.fencing import fence

MODEL = "us.anthropic.claude-haiku-5-5"
PASSAGE = "The shop opens at nine. " * 20


def claims(count: int, **further: Any) -> list[Claim]:
    return [Claim(text=f"Claim {number}.", source_prompt="", source_response="", **further) for number in range(count)]


@pytest.fixture(autouse=True)
def on_bedrock(tmp_path: Path) -> None:
    wiring.configure(wiring.settings().model_copy(update={"model": f"bedrock:{MODEL}"}))


def each(look_up: Callable[[str], Any]) -> estimating.LookUp:
    return lambda texts: [look_up(text) for text in texts]


def call(text: str, passage: str = PASSAGE) -> tuple[int, int]:
    return capabilities(MODEL).call_tokens(fence(text, [{"content": passage}]), load("verify_claims"))


def test_a_few_claims_are_estimated_one_by_one() -> None:
    found = estimating.estimate_of(claims(3), each(lambda text: [{"content": PASSAGE}]))
    expected = [call(f"Claim {number}.") for number in range(3)]
    assert found is not None
    assert (found["calls"], found["input"], found["output"]) == (
        3,
        *(sum(side) for side in zip(*expected, strict=True)),
    )
    assert found["dollars"] == pytest.approx((found["input"] * 0.10 + found["output"] * 0.50) / 1e6, abs=1e-6)


def test_of_many_claims_some_are_looked_up_and_the_dearest_stands_for_the_rest() -> None:
    asked: list[str] = []

    def look_up(text: str) -> list[Any]:
        asked.append(text)
        return [{"content": PASSAGE * (3 if len(asked) == 2 else 1)}]

    found = estimating.estimate_of(claims(100), each(look_up))
    assert found is not None
    assert len(asked) <= estimating.SAMPLE
    dearest, plain = call(asked[1], PASSAGE * 3)[0], call(asked[0])[0]
    assert found["input"] >= dearest * (100 - len(asked) + 1) + plain * (len(asked) - 1)


def test_a_claim_without_evidence_costs_nothing_and_one_with_history_may_cost_two_calls() -> None:
    history = [{"content": "I said so."}]
    found = estimating.estimate_of(claims(2, history=history), each(lambda text: []))
    assert found is not None
    assert (found["calls"], found["input"]) == (2, sum(call(f"Claim {n}.", "I said so.")[0] for n in range(2)))


def test_evidence_that_cannot_be_looked_up_is_taken_to_be_as_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str, index: str) -> list[Any]:
        raise SearchUnavailableError("asleep")

    monkeypatch.setattr(services, "search_docs", fail)
    found = services.estimate_of(claims(2))
    assert found is not None
    assert found["input"] >= 2 * TOKENS_IN


def test_the_local_verifier_costs_nothing() -> None:
    wiring.configure(wiring.settings().model_copy(update={"model": "local"}))
    assert services.estimate_of(claims(3)) is None


@pytest.mark.parametrize(("left", "stop", "stopped"), [(300, True, False), (299, True, True), (299, False, False)])
def test_a_run_is_stopped_where_its_estimate_is_over_what_is_left(left: int, stop: bool, stopped: bool) -> None:
    assert estimate([(100, 50)], 2, model="x", left=left, stop=stop)["stopped"] is stopped
    assert estimate([(100, 50)], 2, model="x", left=None, stop=stop)["stopped"] is False


def test_what_the_run_has_spent_already_is_not_left() -> None:
    with allowing(Allowance("run", 1_000)):
        wiring.ledger().reserve("run", 400, 1_000)
        found = estimating.estimate_of(claims(1), each(lambda text: []))
    assert found is not None
    assert found["left"] == 600


def extracted(budget: int) -> dict[str, Any]:
    wiring.configure(wiring.settings().model_copy(update={"budget_tokens": budget}))
    turns = [{"role": "assistant", "content": "The shop opens at nine. It closes at six."}]
    state: dict[str, Any] = {"transcript": {"turns": turns}, "config": {"run_id": "r"}}
    with pytest.MonkeyPatch.context() as patch, services.using({"run_id": "r"}):
        patch.setattr(services, "search_docs", lambda text, index: [{"content": PASSAGE}])
        patch.setattr(services, "vector_search", lambda text, index: [])
        extract_claims(state)
    return state


def test_a_run_over_its_budget_has_no_branches_and_every_claim_is_unchecked_and_accounted_for() -> None:
    state = extracted(budget=500) | {"checked": []}
    assert state["branches"] == []
    judge(state)
    assert state["decision"]["outcome"] != "pass"
    assert (state["accounting"]["unchecked"], state["accounting"]["integrity"]) == (2, "SUCCESS")
    assert all("token budget holds 500" in verdict["justification"] for verdict in state["verdicts"])


def test_a_run_within_its_budget_is_branched_as_ever() -> None:
    assert len(extracted(budget=100_000)["branches"]) == 2


# The command


def gate(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["check", "answer.md", "--corpus", "corpus.jsonl", "--estimate", *arguments])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.jsonl").write_text('{"id": "a", "content": "The shop opens at nine."}\n')
    (tmp_path / "answer.md").write_text("The shop opens at nine. The shop closes at six.")
    monkeypatch.setattr(wiring, "language_model", lambda *kind: pytest.fail("the model was asked"))


def test_the_command_says_what_a_check_may_cost_without_a_call(folder: None) -> None:
    result = gate()
    assert result.exit_code == 0
    assert result.stdout.startswith("answer.md: 2 claims, 2 calls, ")
    assert result.stdout.rstrip().endswith(" at most")
    assert "$0.0" in result.stdout


def test_the_command_has_no_model_read_the_claims(folder: None) -> None:
    wiring.configure(wiring.settings().model_copy(update={"claims": "model"}))
    assert gate().stdout.startswith("answer.md: 2 claims, 2 calls, ")


@pytest.mark.parametrize(("tokens", "word"), [(100, "over"), (100_000, "within")])
def test_the_command_says_whether_the_budget_holds_it(folder: None, tokens: int, word: str) -> None:
    wiring.configure(wiring.settings().model_copy(update={"budget_tokens": tokens}))
    assert gate().stdout.rstrip().endswith(f"; {word} the budget of {tokens:,} tokens")


def test_the_command_says_that_the_local_verifier_calls_nobody(folder: None) -> None:
    wiring.configure(wiring.settings().model_copy(update={"model": "local"}))
    assert gate().stdout == "answer.md: 2 claims, no call of a model service\n"


def test_a_file_that_cannot_be_estimated_is_one_line_and_exit_2(folder: None) -> None:
    Path("answer.md").write_text("")
    result = gate()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("gate: answer.md: empty")
