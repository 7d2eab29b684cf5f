"""How often a check in the request asks the services that it is deployed with."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from infra.app import Synthesized
from tests.aws_events import a_request
from tests.first_calls import FIRST_CALL, OBJECTS, environment_of, missing_modules, run
from tests.infra.templates import functions
from tests.stubs import converse, services

pytestmark = [pytest.mark.infra, pytest.mark.integration]

CLAIMS = [f"The lamp {number} weighs {number}0 g." for number in range(10)]


def kind_of(method: str, path: str, body: bytes) -> str:
    if b"UpdateExpression" in body:
        asked = json.loads(body)
        added = int(asked["ExpressionAttributeValues"][":tokens"]["N"])
        return "give back" if added < 0 else "reserve" if "ConditionExpression" in asked else "read the count"
    if "/cache/verdicts/" in path:
        return f"{method} a verdict"
    if path.startswith("/blobs/"):
        return f"{method} of the run"
    return "search" if path.partition("?")[0].endswith("/_search") else "else"


def test_ten_claims_reserve_once_what_they_may_spend(synthesized: Synthesized) -> None:
    seen: Counter[str] = Counter()

    def noted(method: str, path: str, body: bytes) -> None:
        seen[kind_of(method, path, body)] += 1

    function = functions(synthesized.stateless)["check_now"]
    with converse.running() as model, services.running(OBJECTS, noted) as url:
        environment = environment_of(function, url) | {"AWS_ENDPOINT_URL_BEDROCK_RUNTIME": model.url}
        event = a_request("POST", "/v1/checks:now", {"text": " ".join(CLAIMS)})
        answer = run(FIRST_CALL, environment, json.dumps(["check_now", missing_modules(function), event]))["answer"]
    assert len(json.loads(answer["body"])["claims"]) == len(CLAIMS)
    del seen["else"]  # the policy and the index; of that several claims of a first check may ask at once
    assert seen == {
        "read the count": 3,  # of the day before it is begun, of the run and of the day for the estimate
        "reserve": 2,
        "give back": 2,
        "search": 20,
        "GET a verdict": 10,
        "PUT a verdict": 10,
        "PUT of the run": 6,
    }
