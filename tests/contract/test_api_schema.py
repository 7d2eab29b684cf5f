"""Requests made from the API's own OpenAPI document, fitting and unfitting ones: none is answered with 5xx."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.generation import GenerationMode

from gate import runtime
from gate.agents.api import openapi
from tests.aws_events import FakeRuns, a_request
from tests.entrance import Entrance

pytestmark = pytest.mark.integration

schema = schemathesis.openapi.from_dict(json.loads(openapi()))
schema.config.generation.update(modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE])


@pytest.fixture(autouse=True)
def executions(entrance: Entrance, monkeypatch: pytest.MonkeyPatch) -> None:
    """Executions in memory that end at once; no corpus is searched."""
    runs = FakeRuns()
    entrance.give(runs=runs, batch_runs=FakeRuns())
    monkeypatch.setattr("gate.agents.api.POLL_S", 0.0)
    monkeypatch.setattr("gate.agents.api.time.monotonic", iter(range(0, 10**9, 60)).__next__)
    monkeypatch.setattr("gate.agents.retrieve_citations.retrieve_citations", lambda *_, **__: [])


@schema.parametrize()
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_makes_the_service_fail(case: Any) -> None:
    query = urlencode(case.query or {}, doseq=True)
    path = f"{case.formatted_path}?{query}" if query else case.formatted_path
    body = case.body if isinstance(case.body, (dict, list, str, int, float, bool, type(None))) else None
    headers: Any = {name: str(value) for name, value in (case.headers or {}).items()}
    event = a_request(case.method, path, body, **headers)
    assert int(runtime.handle("api", event)["statusCode"]) < 500
