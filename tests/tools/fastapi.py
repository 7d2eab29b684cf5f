"""FastAPI: sentences are streamed as far as they pass."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib import import_module

from tests.tools.recipes import FALSE, TRUE, run


async def written(question: str) -> AsyncIterator[str]:
    for piece in (TRUE[:5], TRUE[5:], " ", FALSE):
        yield piece


client = import_module("fastapi.testclient").TestClient(run("FastAPI", written=written)["app"])
found = client.post("/ask", params={"question": "When?"})
assert found.status_code == 200
assert found.text == f"{TRUE} [held back: unsupported]", found.text
