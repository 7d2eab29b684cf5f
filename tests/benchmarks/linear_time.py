"""The long list of hostile texts over every reader and every pattern: minutes, and in no suite (`make linear`)."""

from __future__ import annotations

import pytest

from tests.growth import UNITS, superlinear
from tests.linear_cases import CASES
from tests.linear_patterns import patterns

READERS = CASES | {each.where: each for each in patterns()}


@pytest.mark.parametrize("name", READERS)
def test_no_hostile_text_of_the_list_is_read_slowly(name: str) -> None:
    assert not [str(found) for unit in UNITS if (found := superlinear(READERS[name], unit, 4_096))]
