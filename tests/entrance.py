"""The entrance that a test works with: its settings, and stand-ins for adapters."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import pytest

from gate import wiring
from gate.settings import Settings
from gate.wiring import Wiring


class Entrance:
    """Whatever a test does here holds until its end."""

    def __init__(self, stack: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
        self._stack, self._monkeypatch = stack, monkeypatch

    def use(self, settings: Settings) -> None:
        """Work with these settings; every adapter is made anew."""
        self._stack.enter_context(wiring.entered(Wiring(settings)))

    def change(self, **settings: Any) -> None:
        """Work with these settings changed and the others as they are; every adapter is made anew."""
        self._stack.enter_context(wiring.entered(wiring.current().changed(**settings)))

    def give(self, **adapters: Any) -> None:
        """Work with these adapters, by the name of what makes them, whatever the settings say."""
        for name, adapter in adapters.items():
            self._monkeypatch.setattr(Wiring, name, lambda self, *_, adapter=adapter: adapter)

    def refuse(self, *names: str) -> None:
        """Fail where what these make is asked for."""
        for name in names:
            self._monkeypatch.setattr(Wiring, name, lambda self, *_, name=name: pytest.fail(f"{name} was asked for"))
