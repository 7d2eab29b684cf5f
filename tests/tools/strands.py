"""Strands Agents: what the agent hands on and remembers is what was checked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib import import_module
from typing import Any

from tests.tools.recipes import FALSE, TRUE, run

Model: Any = import_module("strands.models").Model


class Scripted(Model):  # type: ignore[misc]
    """A model that always says the same."""

    def update_config(self, **_: Any) -> None:
        pass

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError
        yield

    async def stream(self, *_: Any, **__: Any) -> AsyncIterator[dict[str, Any]]:
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockDelta": {"delta": {"text": f"{TRUE} {FALSE}"}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


agent = run("Strands Agents", model=Scripted())["agent"]
shown = f"{TRUE} [held back: unsupported]"
assert str(agent("When?")).strip() == shown
assert agent.messages[-1]["content"] == [{"text": shown}]
