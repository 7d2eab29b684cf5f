"""One synthesis for every test of a session."""

from __future__ import annotations

import pytest

from infra.app import Synthesized, synthesize
from tests.infra.templates import WHOLE


@pytest.fixture(scope="session")
def synthesized() -> Synthesized:
    """The stacks' templates, without CDK's own rules: they take most of a synthesis, and one test turns them on."""
    return synthesize(dict(WHOLE))
