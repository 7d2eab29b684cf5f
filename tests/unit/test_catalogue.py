"""The catalogue says what each function may touch and which settings it reads: as much as its code does, no more."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from gate.catalogue import BY_NAME, DETECTIVES, EVERYWHERE, SETTINGS, SOURCES, Agent, Machine, Use
from gate.model import GateState
from gate.wiring import FACTORIES, Wiring
from tests.settings_read import FIELDS, figures_recorded, made_by, settings_read

EVERY = pytest.mark.parametrize("agent", BY_NAME.values(), ids=lambda agent: agent.name)
MAKES = {
    "search_engine": {Use.SEARCH, Use.INDEX},
    "embedded_store": {Use.SEARCH, Use.INDEX},
    "embedder": {Use.EMBEDDER},
    "verifier": {Use.MODEL},
    "language_model": {Use.MODEL},
    "claim_reader": {Use.MODEL},
    "ledger": {Use.MODEL, Use.BUDGET},
    "redactor": {Use.REDACTOR},
    "image_reader": {Use.IMAGES},
    "documents": {Use.DOCUMENTS},
    "runs": {Use.RUNS},
    "batch_runs": {Use.RUNS},
    "uploads": {Use.UPLOADS, Use.POLICY, Use.VERSIONS, Use.FORMS},
    "document_versions": {Use.VERSIONS},
    "document_queue": {Use.QUEUE},
    "event_bus": {Use.EVENTS},
    "reviews": {Use.REVIEWS},
    "webhook": {Use.WEBHOOK},
    "trail": {Use.TRAIL},
    "sealing_key": {Use.TRAIL},
}
"""What may touch the outside, and the uses of which one allows it; the blobs of its run are every agent's."""


@EVERY
def test_a_function_reads_the_settings_that_its_line_names_and_no_others(agent: Agent) -> None:
    read = settings_read(agent)
    assert agent.all_settings == read, f"not named: {read - agent.all_settings}; not read: {agent.all_settings - read}"


@EVERY
def test_a_function_makes_only_what_its_line_says_that_it_uses(agent: Agent) -> None:
    for made in made_by(agent) & set(MAKES):
        assert MAKES[made] & set(agent.uses), f"{agent.name} asks for {made}"


def test_every_use_is_made_by_the_wiring_and_its_settings_exist() -> None:
    assert set(FACTORIES) == set(Use)
    assert all(callable(getattr(Wiring, name)) for name in FACTORIES.values())
    assert {name for names in SETTINGS.values() for name in names} | set(EVERYWHERE) <= FIELDS


@EVERY
def test_a_setting_is_named_once(agent: Agent) -> None:
    taken = {name for use in agent.uses for name in SETTINGS.get(use, ())} | set(EVERYWHERE)
    assert not taken & set(agent.settings)


def test_the_type_of_the_state_has_every_key_that_agents_hand_on_and_no_other() -> None:
    handed_on = {key for agent in BY_NAME.values() for key in (*agent.reads, *agent.writes)}
    assert set(GateState.__annotations__) == handed_on


def test_a_detective_reads_what_came_with_the_answer_and_has_a_source_of_its_own() -> None:
    assert len(set(SOURCES)) == len(DETECTIVES)
    for name in DETECTIVES:
        assert "artifacts" in BY_NAME[name].reads
        assert BY_NAME[name].writes == ("evidences",)


@EVERY
def test_the_figures_of_a_line_are_those_that_its_module_records(agent: Agent) -> None:
    assert set(agent.figures) == figures_recorded(agent)


def test_what_starts_runs_looks_at_them_too() -> None:
    for agent in BY_NAME.values():
        assert not agent.starts or Use.RUNS in agent.uses
    assert {machine for agent in BY_NAME.values() for machine in agent.starts} == set(Machine)


def test_no_agent_is_named_in_the_deployment_but_where_the_machines_are_defined() -> None:
    infra = Path(__file__).parents[2] / "infra"
    named = {
        f"{path.name}:{node.lineno} {node.value}"
        for path in infra.rglob("*.py")
        if path.name not in ("pipeline.py", "batch.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in BY_NAME
    }
    assert named == set()
