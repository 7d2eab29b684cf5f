"""What a run may cost is said before the model is asked, by its claims alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gate import cli, wiring
from gate.adapters.aws.bedrock.models import capabilities
from gate.adapters.spending.allowance import Allowance, allowing
from gate.agents.extract_claims import extract_claims
from gate.agents.judge import judge
from gate.decision.costs import EVIDENCE_TOKENS, MODEL_PRICES, MOST_TOKENS, SHORT_EVIDENCE_TOKENS, estimated_cost
from gate.model import Claim
from gate.prompts.fencing import fence
from gate.prompts.verdicts import verdict_question
from gate.services.budgets.estimate import estimate_of
from gate.services.run import using
from tests.builders import a_claim
from tests.entrance import Entrance

MODEL = "us.anthropic.claude-haiku-5-5"


def claims(count: int, **further: Any) -> list[Claim]:
    made: list[Any] = [a_claim(f"Claim {number}.", **further) for number in range(count)]
    return made


@pytest.fixture(autouse=True)
def on_bedrock(entrance: Entrance) -> None:
    entrance.change(model=f"bedrock:{MODEL}")


def call(text: str, evidence: str = " " * 3 * EVIDENCE_TOKENS) -> tuple[int, int]:
    return capabilities(MODEL).call_tokens(verdict_question(fence(text, [{"content": evidence}])))


def test_claims_are_estimated_one_by_one_each_with_evidence_of_the_usual_size() -> None:
    expected = [call(f"Claim {number}.") for number in range(3)]
    found = estimate_of(claims(3))
    assert found is not None
    assert found["input"] >= 3 * EVIDENCE_TOKENS
    assert (found["calls"], found["input"], found["output"]) == (
        3,
        *(sum(side) for side in zip(*expected, strict=True)),
    )
    short = [sum(call(f"Claim {number}.", " " * 3 * SHORT_EVIDENCE_TOKENS)) for number in range(3)]
    assert found["least"] == sum(short)
    assert found["dollars"] == pytest.approx((found["input"] * 0.10 + found["output"] * 0.50) / 1e6, abs=1e-6)


@pytest.mark.parametrize("model", sorted(MODEL_PRICES))
def test_the_budget_of_a_deployed_run_holds_the_most_that_a_usual_claim_takes(model: str) -> None:
    nine_passages = verdict_question(fence("a" * 150, [{"content": " " * 3 * 2_800}]))
    assert sum(capabilities(model).call_tokens(nine_passages)) <= MOST_TOKENS


def test_nothing_is_searched_embedded_or_asked_for_the_estimate(entrance: Entrance) -> None:
    entrance.refuse("search_engine", "embedded_store", "embedder", "verifier", "language_model")
    assert extracted(entrance, budget=100_000)["estimate"]["calls"] == 2


def test_a_claim_with_history_may_cost_two_calls() -> None:
    found = estimate_of(claims(2, history=[{"content": "I said so."}]))
    assert found is not None
    expected = [call(f"Claim {n}.", *more) for n in range(2) for more in ((), ("I said so.",))]
    assert (found["calls"], found["input"]) == (4, sum(tokens for tokens, _ in expected))


def test_the_local_verifier_costs_nothing(entrance: Entrance) -> None:
    entrance.change(model="local")
    assert estimate_of(claims(3)) is None


@pytest.mark.parametrize(("left", "stop", "stopped"), [(300, True, False), (299, True, True), (299, False, False)])
def test_a_run_is_stopped_where_the_least_it_may_need_is_over_what_is_left(
    left: int, stop: bool, stopped: bool
) -> None:
    assert estimated_cost([(900, 50)] * 2, least=300, model="x", left=left, stop=stop)["stopped"] is stopped
    assert estimated_cost([(900, 50)] * 2, least=300, model="x", left=None, stop=stop)["stopped"] is False


def test_what_the_run_has_spent_already_is_not_left() -> None:
    with allowing(Allowance("run", 1_000)):
        wiring.current().ledger().reserve("run", 400, 1_000)
        found = estimate_of(claims(1))
    assert found is not None
    assert found["left"] == 600


def extracted(entrance: Entrance, budget: int) -> dict[str, Any]:
    entrance.change(budget_tokens=budget)
    turns = [{"role": "assistant", "content": "The shop opens at nine. It closes at six."}]
    state: dict[str, Any] = {"transcript": {"turns": turns}, "config": {"run_id": "r"}}
    with using({"run_id": "r"}):
        extract_claims(state)
    return state


def test_a_run_over_its_budget_has_no_branches_and_every_claim_is_unchecked_and_accounted_for(
    entrance: Entrance,
) -> None:
    state = extracted(entrance, budget=500) | {"checked": []}
    assert state["branches"] == []
    judge(state)
    assert state["decision"]["outcome"] != "pass"
    assert (state["accounting"]["unchecked"], state["accounting"]["integrity"]) == (2, "SUCCESS")
    assert all("budget, or the day's, holds 500" in verdict["justification"] for verdict in state["verdicts"])


def test_a_run_within_its_budget_is_branched_as_ever(entrance: Entrance) -> None:
    assert len(extracted(entrance, budget=100_000)["branches"]) == 2


# The command


def gate(*arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["check", "answer.md", "--corpus", "corpus.jsonl", "--estimate", *arguments])


@pytest.fixture
def folder(entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.jsonl").write_text('{"id": "a", "content": "The shop opens at nine."}\n')
    (tmp_path / "answer.md").write_text("The shop opens at nine. The shop closes at six.")
    entrance.refuse("verifier")


def test_the_command_says_what_a_check_may_cost_without_a_call(folder: None) -> None:
    result = gate()
    assert result.exit_code == 0
    assert result.stdout.startswith("answer.md: 2 claims, about 2 calls, ")
    assert "$0.0" in result.stdout


def test_the_command_has_no_model_read_the_claims(entrance: Entrance, folder: None) -> None:
    entrance.change(claims="model")
    assert gate().stdout.startswith("answer.md: 2 claims, about 2 calls, ")


@pytest.mark.parametrize(("tokens", "word"), [(100, "over"), (5_000, "probably over"), (100_000, "within")])
def test_the_command_says_whether_the_budget_holds_it(entrance: Entrance, folder: None, tokens: int, word: str) -> None:
    entrance.change(budget_tokens=tokens)
    assert gate().stdout.rstrip().endswith(f"; {word} the budget of {tokens:,} tokens")


def test_the_command_says_that_the_local_verifier_calls_nobody(entrance: Entrance, folder: None) -> None:
    entrance.change(model="local")
    assert gate().stdout == "answer.md: 2 claims, no call of a model service\n"


def test_a_file_that_cannot_be_estimated_is_one_line_and_exit_2(folder: None) -> None:
    Path("answer.md").write_text("")
    result = gate()
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("gate: answer.md: empty")
