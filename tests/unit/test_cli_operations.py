"""`gate cost` and `gate doctor`."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.errors import StorageUnavailableError
from gate.rules.costs import costs, price_of


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.group, arguments, prog_name="gate")
    return result.exit_code, result.output


def test_the_cost_of_a_thousand_claims_is_the_sum_of_its_lines() -> None:
    code, output = run("cost")
    assert code == 0
    *lines, total = output.splitlines()
    dollars = [float(line.split("$")[1].split()[0]) for line in lines]
    assert float(total.split("$")[1].split()[0]) == pytest.approx(sum(dollars), abs=1e-3)


def test_the_model_s_share_is_tokens_times_price() -> None:
    model = costs(1_000, 20, tokens_in=0.10, tokens_out=0.50)[0]
    assert model.dollars == pytest.approx(1_000 * (2_500 * 0.10 + 250 * 0.50) / 1e6)


def test_a_model_is_priced_by_its_id_whatever_its_geography() -> None:
    assert price_of("eu.anthropic.claude-haiku-5-5") == (0.10, 0.50)
    assert price_of("somebody.else") is None
    code, output = run("cost", "--model", "somebody.else")
    assert code == 2
    assert "--price" in output


def test_the_doctor_names_what_cannot_be_used_and_exits_2() -> None:
    code, output = run("doctor")
    assert code == 2
    assert "failed  search" in output
    assert "ok      storage" in output


def test_the_doctor_finds_everything_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    from gate.cli import doctor

    monkeypatch.setitem(doctor.CHECKS, "search", lambda: "embedded: 3 passages")
    assert run("doctor")[0] == 0


def test_a_machine_that_cannot_be_reached_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    class Down:
        def status(self, run_id: str) -> None:
            raise StorageUnavailableError("the state machine could not be reached")

    arn = "arn:aws:states:us-east-1:123456789012:stateMachine:x"
    wiring.configure(wiring.settings().model_copy(update={"machine": arn}))
    monkeypatch.setattr(wiring, "runs", Down)
    assert "failed  machine    the state machine could not be reached" in run("doctor")[1]
