"""The environment as settings: what cannot be used is one line that says what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.errors import SettingsError
from gate.settings import Settings


def test_variables_are_read_and_others_are_left_alone() -> None:
    settings = Settings.from_env({"GATE_HOME": "/srv/gate", "GATE_BUDGET_TOKENS": "5", "PATH": "/bin"})
    assert (settings.home, settings.budget_tokens) == (Path("/srv/gate"), 5)


@pytest.mark.parametrize(
    ("variable", "value", "says", "hint"),
    [
        ("GATE_MODLE", "local", "GATE_MODLE: there is no such setting", "did you mean GATE_MODEL?"),
        ("GATE_ZEBRA", "1", "GATE_ZEBRA: there is no such setting", "known: GATE_HOME, "),
        ("GATE_MAX_TURNS", "many", "GATE_MAX_TURNS: Input should be a valid integer", ""),
        ("GATE_CLAIMS", "words", "GATE_CLAIMS: Input should be 'sentences' or 'model'", ""),
        ("GATE_HOME", "", "GATE_HOME: is empty", "name a folder"),
        ("GATE_HOME", " ", "GATE_HOME: is empty", "name a folder"),
    ],
)
def test_a_variable_that_cannot_be_used_stops_the_start(variable: str, value: str, says: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({variable: value})
    assert caught.value.safe_message.startswith(says)
    assert caught.value.hint.startswith(hint)
    assert bool(caught.value.hint) is bool(hint)
