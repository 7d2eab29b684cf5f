"""A submission through the committed state machine, with the real runtime and fake agents."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gate import runtime, wiring
from gate.agents.aggregate_evidence import aggregate_evidence
from gate.agents.judge import judge
from gate.catalogue import DETECTIVES
from gate.errors import AnswerError, EventsUnavailableError, InputError, InternalError, SettingsError
from gate.local.run import LocalRun, error_message, run_locally
from gate.reports.stages import stages_of
from gate.settings import Settings
from gate.wiring import Wiring
from tests.entrance import Entrance
from tests.fake_agents import AGENTS, Agent, raising, verify_claims
from tests.stubs.clock import FastClock

SECRET = "a secret of the transcript"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., LocalRun]:
    """Run a submission of `lines`, some agents replaced."""

    def run(lines: str = "one\ntwo\nthree", *, agents: dict[str, Agent] | None = None, **options: Any) -> LocalRun:
        table = AGENTS | (agents or {})
        monkeypatch.setattr(runtime, "agent_function", table.__getitem__)
        submission = {"name": "answer.txt", "text": lines, **options.pop("submission", {})}
        return run_locally(submission, {"elasticsearch": {"index": "trusted_docs"}}, **options)

    return run


Run = Callable[..., LocalRun]


def test_every_claim_comes_out_with_its_verdict_in_order(run: Run) -> None:
    outcome = run()
    assert outcome.status == "SUCCEEDED"
    assert outcome.state["report"] == {"verdicts": ["one", "two", "three"], "run": outcome.run_id}
    assert outcome.state["decision"]["outcome"] == "pass"


@pytest.mark.parametrize("setting", ["model", "redactor"])
def test_a_setting_that_nothing_can_be_made_of_ends_the_run_before_it_begins(
    entrance: Entrance, run: Run, tmp_path: Path, setting: str
) -> None:
    entrance.use(Settings(home=tmp_path, **{setting: "nonsense"}))
    with pytest.raises(SettingsError, match=f"GATE_{setting.upper()}: 'nonsense' is not known"):
        run()


def test_a_text_without_claims_is_judged_all_the_same(run: Run) -> None:
    outcome = run("")
    assert outcome.status == "SUCCEEDED"
    assert outcome.state["checked"] == []


def test_artifacts_and_segment_are_looked_at_where_they_came(run: Run) -> None:
    state = run(submission={"artifacts": True, "segment": True}).state
    assert state["metadata"] == {"pipeline_integrity": "SUCCESS"}
    assert state["citations"]["items"] == 1
    assert (state["artifacts_error"], state["citations_error"]) == (None, None)


@pytest.mark.parametrize(
    ("agent", "key", "value"),
    [
        ("aggregate_evidence", "artifacts_error", "InternalError"),
        ("aggregate_evidence", "metadata", {"pipeline_integrity": "FAILED"}),
        ("retrieve_citations", "citations_error", "InternalError"),
    ],
)
def test_a_side_branch_that_fails_costs_no_verdict(run: Run, agent: str, key: str, value: object) -> None:
    outcome = run(agents={agent: raising(KeyError("x"))}, submission={"artifacts": True, "segment": True})
    assert outcome.state[key] == value
    assert len(outcome.state["report"]["verdicts"]) == 3


@pytest.mark.parametrize("detective", DETECTIVES)
def test_a_detective_that_fails_is_named_and_the_others_are_collected(run: Run, detective: str) -> None:
    collected: list[dict[str, Any]] = []

    def aggregate(state: dict[str, Any]) -> None:
        collected.extend(state["collected"])
        AGENTS["aggregate_evidence"](state)

    agents = {detective: raising(InternalError("broken")), "aggregate_evidence": aggregate}
    assert run(agents=agents, submission={"artifacts": True}).status == "SUCCEEDED"
    failed = [(found["detective"], found["error"], found["why"]) for found in collected if found["error"]]
    assert failed == [(detective, "InternalError", "broken")]


@pytest.mark.parametrize("agent", [*DETECTIVES, "aggregate_evidence", "retrieve_citations"])
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SettingsError("no region is set", hint="set GATE_REGION"), "SettingsError: no region is set; set GATE_REGION"),
        (ValueError(SECRET), "InternalError: ValueError in "),
    ],
)
def test_a_side_branch_that_fails_says_why_and_nothing_of_the_text(
    run: Run, agent: str, error: Exception, reason: str
) -> None:
    agents = {"aggregate_evidence": aggregate_evidence, "judge": judge, agent: raising(error)}
    state = run(agents=agents, submission={"artifacts": True, "segment": True}).state
    (failed,) = [stage for stage in stages_of(state) if stage.status == "failed"]
    (said,) = [one["message"] for one in state["decision"]["reasons"] if one["rule"] == "failed_stage"]
    assert f"{agent} ({reason}" in said
    assert reason in failed.detail
    assert failed.errors == (reason.split(":")[0],)
    assert SECRET not in json.dumps(state)


@pytest.mark.parametrize("agent", ["load_transcript", "extract_claims", "judge", "publish_report"])
def test_a_stage_that_nothing_can_replace_fails_the_run_and_publishes_the_failure(run: Run, agent: str) -> None:
    outcome = run(agents={agent: raising(InputError("the submission is empty"))})
    assert (outcome.status, outcome.error, outcome.cause) == ("FAILED", "InputError", "the submission is empty")
    assert outcome.state["report"]["failure"] == {
        "status": "FAILED",
        "error": "InputError",
        "cause": "the submission is empty",
    }


def test_a_report_that_nobody_can_be_told_of_is_no_failure(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = FastClock(1e6).drive(monkeypatch)
    tries: list[str] = []

    def publish(state: dict[str, Any]) -> None:
        tries.append(state["run_id"])
        raise EventsUnavailableError("the event bus failed")

    outcome = run(agents={"publish_report": publish})
    assert outcome.status == "SUCCEEDED"
    assert outcome.state["decision"]["outcome"] == "pass"
    assert (len(tries), len(clock.slept)) == (8, 7), "the state machine tries again before it gives up"


def test_a_failure_that_cannot_be_published_is_still_the_failure_it_was(run: Run) -> None:
    outcome = run(agents={"judge": raising(InputError("no policy")), "publish_failure": raising(OSError("full"))})
    assert (outcome.status, outcome.cause, outcome.state) == ("FAILED", "no policy", {})


def test_what_an_unexpected_error_said_stays_inside(run: Run) -> None:
    outcome = run(agents={"judge": raising(ValueError(SECRET))})
    assert outcome.error == "InternalError"
    assert "ValueError in judge" in (outcome.cause or "")
    assert SECRET not in repr(outcome)


def test_progress_counts_every_claim_once_failed_ones_too(run: Run) -> None:
    seen: list[tuple[int, int]] = []

    def verify(state: dict[str, Any]) -> None:
        if state["evidence"][0]["claim"]["text"] == "two":
            raise AnswerError("unreadable")
        verify_claims(state)

    run(agents={"verify_claims": verify}, on_claim=lambda done, total: seen.append((done, total)))
    assert sorted(seen) == [(1, 3), (2, 3), (3, 3)]


def test_three_runs_side_by_side_do_not_mix(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runtime, "agent_function", AGENTS.__getitem__)
    texts = {name: "\n".join(f"{name} {n}" for n in range(20)) for name in ("red", "green", "blue")}

    def check(name: str) -> LocalRun:
        with wiring.entered(Wiring(Settings(home=tmp_path / name))):
            return run_locally({"text": texts[name]}, {}, run_id=name)

    with ThreadPoolExecutor(3) as pool:
        runs = dict(zip(texts, pool.map(check, texts), strict=True))
    for name, text in texts.items():
        assert runs[name].state["report"] == {"verdicts": text.splitlines(), "run": name}
        assert [path.name for path in (tmp_path / name / "runs").iterdir()] == [name]


def test_four_hundred_branches_and_a_text_with_quotes_pass(run: Run) -> None:
    lines = "\n".join(f"\"{n}\" \\ $.state States.Format('{n}') {{}}" for n in range(400))
    outcome = run(lines)
    assert outcome.status == "SUCCEEDED"
    assert outcome.state["report"]["verdicts"] == lines.splitlines()


@pytest.mark.parametrize(
    ("cause", "message"),
    [(None, None), ("", ""), ("plain", "plain"), ('{"errorMessage": "short"}', "short"), ("[1]", "[1]")],
)
def test_what_an_error_said_is_found_inside_a_lambdas_cause(cause: str | None, message: str | None) -> None:
    assert error_message(cause) == message
