"""Every function answers a first event with the settings, and from the packages, that it is deployed with."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from gate.catalogue import BY_NAME
from infra.app import Synthesized
from tests.first_calls import OBJECTS, OBSERVED_CALL, first_call
from tests.infra.templates import functions
from tests.stubs import services

pytestmark = [pytest.mark.infra, pytest.mark.integration]


@pytest.fixture(scope="module")
def aws() -> Iterator[str]:
    with services.running(OBJECTS) as url:
        yield url


@pytest.mark.parametrize("name", BY_NAME)
def test_a_function_answers_from_its_own_layers(synthesized: Synthesized, aws: str, name: str) -> None:
    called = first_call(name, functions(synthesized.stateless)[name], aws, OBSERVED_CALL)
    answer = called["answer"]
    assert set(called["read"]) <= BY_NAME[name].all_settings
    if name == "api":
        assert answer["statusCode"] == 202, answer
    elif name == "check_now":
        report = json.loads(answer["body"])
        assert "names documents that are not there" in report["claims"][0]["justification"], report  # the stub does not
    elif name == "start_check":
        assert answer["started"] is True
    elif name == "ingest_corpus":
        assert (answer["indexed"], answer["problems"]) == (1, [])
    elif name == "tell_reviewers":
        assert answer == {"run_id": "cold", "told": False}  # the stub knows of no review
    elif name == "reconcile_corpus":
        assert set(answer) == {"trusted_docs"}
    else:
        assert {*(BY_NAME[name].writes or ("config",))} & {*answer}, answer
