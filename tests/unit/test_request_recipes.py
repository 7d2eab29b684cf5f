"""The recipes of docs/integrations.md that check before an answer is shown, run as they stand there.

The tools themselves are not here: their shapes stand in for them.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from gate.errors import InputError
from gate.services import corpora
from tests.entrance import Entrance

DOCUMENT = Path(__file__).parents[2] / "docs" / "integrations.md"
RECIPES = dict(re.findall(r"^### (.+?)\n.*?```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL | re.MULTILINE))
ANSWER = "Boats leave at nine. Boats leave at eleven."
SHOWN = "Boats leave at nine. [held back: unsupported]"


@pytest.fixture(autouse=True)
def corpus(entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entrance.change(model="local:lexical", index="docs")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "harbour.md").write_text("Boats leave at nine.", encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_each_tool_has_its_recipe() -> None:
    assert list(RECIPES) == ["FastAPI", "Strands Agents", "Bedrock Agents"]


def run(name: str, monkeypatch: pytest.MonkeyPatch, modules: dict[str, dict[str, Any]], **names: Any) -> dict[str, Any]:
    """Run a recipe with stand-ins for modules; returns what it defines."""
    for module, parts in modules.items():
        stand_in = ModuleType(module)
        stand_in.__dict__.update(parts)
        monkeypatch.setitem(sys.modules, module, stand_in)
    exec(compile(RECIPES[name], f"{DOCUMENT.name}: {name}", "exec"), names)
    return names


def test_fastapi_streams_what_was_checked_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    class Application:
        def post(self, path: str) -> Callable[[Any], Any]:
            assert path == "/ask"
            return lambda function: function

    async def written(question: str) -> AsyncIterator[str]:
        for piece in re.findall(r".{1,5}", ANSWER):
            yield piece
        if question == "broken":
            raise ConnectionError

    def streaming(body: AsyncIterator[str], media_type: str) -> AsyncIterator[str]:
        assert media_type == "text/plain"
        return body

    modules: dict[str, dict[str, Any]] = {
        "fastapi": {"FastAPI": Application},
        "fastapi.responses": {"StreamingResponse": streaming},
    }
    found = run("FastAPI", monkeypatch, modules, written=written)

    async def sent(question: str) -> list[str]:
        parts = []
        try:
            async for part in await found["ask"](question):
                parts.append(part)
        except ConnectionError:
            parts.append("broken off")
        return parts

    assert asyncio.run(sent("When?")) == ["Boats leave at nine. ", "[held back: unsupported]"]
    assert asyncio.run(sent("broken")) == ["Boats leave at nine. ", "broken off"]


def test_an_agent_of_strands_keeps_what_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    class MessageAdded:
        pass

    callbacks: dict[Any, Any] = {}

    def agent(model: Any, hooks: list[Any], callback_handler: Any) -> None:
        registry = SimpleNamespace(add_callback=lambda event, work: callbacks.update({event: work}))
        for hook in hooks:
            hook.register_hooks(registry)

    modules: dict[str, dict[str, Any]] = {
        "strands": {"Agent": agent},
        "strands.hooks": {"HookProvider": object, "MessageAddedEvent": MessageAdded},
    }
    run("Strands Agents", monkeypatch, modules, model=None)
    asked = {"role": "user", "content": [{"text": ANSWER}]}
    answered = {"role": "assistant", "content": [{"text": ANSWER}, {"toolUse": {"name": "clock"}}]}
    for message in (asked, answered):
        callbacks[MessageAdded](SimpleNamespace(message=message))
    assert asked["content"] == [{"text": ANSWER}]
    assert answered["content"] == [{"text": SHOWN}, {"toolUse": {"name": "clock"}}]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (f"<final_response>\n{ANSWER}\n</final_response>", SHOWN),
        (ANSWER, SHOWN),
        ("<final_response></final_response>", "[held back: nothing was answered]"),
    ],
)
def test_an_agent_of_bedrock_answers_what_was_checked(
    monkeypatch: pytest.MonkeyPatch, written: str, shown: str
) -> None:
    corpora.replace_document(b"Boats leave at nine.", "harbour.md", "docs")
    handler = run("Bedrock Agents", monkeypatch, {})["handler"]
    event = {"messageVersion": "1.0", "promptType": "POST_PROCESSING", "invokeModelRawResponse": written}
    assert handler(event, None) == {
        "messageVersion": "1.0",
        "promptType": "POST_PROCESSING",
        "postProcessingParsedResponse": {"responseText": shown},
    }


def test_an_agent_of_bedrock_without_a_corpus_fails(monkeypatch: pytest.MonkeyPatch, entrance: Entrance) -> None:
    entrance.change(index="elsewhere")
    handler = run("Bedrock Agents", monkeypatch, {})["handler"]
    with pytest.raises(InputError, match="no corpus"):
        handler({"promptType": "POST_PROCESSING", "invokeModelRawResponse": ANSWER}, None)
