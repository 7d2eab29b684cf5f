"""A deployed gate takes another search, or other ceilings: no stack holds on to what the other is to give up."""

from __future__ import annotations

import json
import re
from itertools import permutations
from typing import Any

import pytest

from infra.app import Synthesized, synthesize
from tests.infra.templates import Template, functions, of_type

pytestmark = pytest.mark.infra
CHANGES: dict[str, dict[str, Any]] = {
    "serverless": {},
    "domain": {"gate:search": "domain"},
    "endpoint": {"gate:search": "https://search.internal"},
    "no ceiling": {"gate:budget_tokens": "0", "gate:budget_day": "0", "gate:budget_tenant_day": "0"},
    "no events in the request": {"gate:checks_now": "false"},
}


@pytest.fixture(scope="module")
def made() -> dict[str, Synthesized]:
    return {name: synthesize(context) for name, context in CHANGES.items()}


def imported(template: Template) -> set[str]:
    return set(re.findall(r'"Fn::ImportValue": "([^"]+)"', json.dumps(template)))


def exported(template: Template) -> set[str]:
    return {one["Export"]["Name"] for one in template["Outputs"].values() if "Export" in one}


def test_the_stack_of_data_may_be_changed_while_the_other_is_as_it_was(made: dict[str, Synthesized]) -> None:
    for before, after in permutations(made, 2):
        missing = imported(made[before].stateless) - exported(made[after].stateful)
        assert not missing, f"{before} to {after}"


def test_what_the_search_is_reached_by_is_read_at_each_deployment(made: dict[str, Synthesized]) -> None:
    for name in ("serverless", "domain"):
        gate, data = made[name].stateless, made[name].stateful
        written = {one["Properties"]["Name"] for one in of_type(data, "AWS::SSM::Parameter").values()}
        assert written == {f"/reliability-gate/ReliabilityGateData/Search{end}" for end in ("Arn", "Endpoint")}
        read = {id: one for id, one in gate["Parameters"].items() if one["Type"].startswith("AWS::SSM::Parameter::")}
        assert written <= {one["Default"] for one in read.values()}
        endpoint = functions(gate)["retrieve_evidence"]["Environment"]["Variables"]["GATE_SEARCH"]["Ref"]
        assert gate["Parameters"][endpoint]["Default"].endswith("/SearchEndpoint")
        assert not any("Search" in name for name in imported(gate))
    assert not of_type(made["endpoint"].stateful, "AWS::SSM::Parameter"), "an endpoint is known before"


def test_a_gate_that_was_deployed_when_it_imported_its_search_can_be_upgraded(made: dict[str, Synthesized]) -> None:
    assert sum("SearchCollection" in name for name in exported(made["serverless"].stateful)) == 2


def test_who_compares_corpora_knows_which_search_holds_them(made: dict[str, Synthesized]) -> None:
    told = functions(made["endpoint"].stateless)
    readers = ("ingest_corpus", "publish_report", "reconcile_corpus")
    assert {told[name]["Environment"]["Variables"]["GATE_SEARCH"] for name in readers} == {"https://search.internal"}
