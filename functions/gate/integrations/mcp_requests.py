"""The standard streams of `gate mcp`: what an agent sends there is answered, also where it is no message.

The SDK drops a line that it cannot read, and a client that waits for the answer to it waits for ever.
"""

from __future__ import annotations

import io
import json
import logging
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from gate.text.encodable import encodable
from gate.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Awaitable, Callable

    from anyio.streams.memory import MemoryObjectSendStream
    from mcp.server import MCPServer
    from mcp.shared.message import SessionMessage

MOST_LINE_BYTES = 20_000_000
"""Of one message: a hundred of the longest texts that a tool takes."""
TOO_LONG = f"longer than {MOST_LINE_BYTES} bytes"
"""Stands for a line that is: no JSON, so that it is answered as what cannot be read is."""


class RequestLines(io.TextIOWrapper):
    """The lines of a stream, none of them longer than a message may be."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream, encoding="utf-8")
        self._bytes = stream

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        """The next line, empty at the end; `TOO_LONG` for one that is."""
        line = self._bytes.readline(MOST_LINE_BYTES + 1)
        if len(line) <= MOST_LINE_BYTES:
            return line.decode("utf-8", "replace")
        while line and not line.endswith(b"\n"):
            line = self._bytes.readline(MOST_LINE_BYTES)
        return TOO_LONG


class _VisibleLines(logging.Formatter):
    """What the SDK logs holds words of the agent: none of them steers a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


def log_visibly() -> None:
    """Log warnings to the standard error; called before the SDK sets up a log of its own."""
    handler = logging.StreamHandler()
    handler.setFormatter(_VisibleLines("gate: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def serve(made: MCPServer) -> None:
    """Serve one client on the standard streams, until it closes them."""
    import anyio

    anyio.run(_serve, made)


async def _serve(made: MCPServer) -> None:
    import anyio
    from mcp.server.stdio import stdio_server

    server = made._lowlevel_server  # `made.run` takes no streams
    async with stdio_server(stdin=anyio.wrap_file(RequestLines(_own_input()))) as (read, write):
        forward, forwarded = anyio.create_memory_object_stream["SessionMessage | Exception"](0)
        async with anyio.create_task_group() as group:
            group.start_soon(_forward, read, forward, write.send)
            await server.run(forwarded, write, server.create_initialization_options())


def _own_input() -> BinaryIO:
    """The standard input under another descriptor; what is started besides reads nothing of it."""
    wire = os.fdopen(os.dup(0), "rb", closefd=False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return wire


async def _forward(
    read: AsyncIterable[SessionMessage | Exception],
    forward: MemoryObjectSendStream[SessionMessage | Exception],
    answer: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    import anyio

    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        async with forward:
            async for item in read:
                if not isinstance(item, Exception):
                    await forward.send(item)
                elif (refused := refusal(item)) is not None:
                    await answer(refused)


def refusal(error: Exception) -> SessionMessage | None:
    """The answer to a line that is no message; None: it asks for none, as it is empty or an answer itself."""
    from mcp.shared.message import SessionMessage
    from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
    from pydantic import ValidationError

    faults = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    if faults and faults[0]["type"] == "json_invalid":
        line = faults[0]["input"]
        if isinstance(line, str) and not line.strip():
            return None
        code, message = PARSE_ERROR, TOO_LONG if line == TOO_LONG else faults[0]["msg"]
        asked = _read_loosely(line)
    else:
        code, message = INVALID_REQUEST, "this is no JSON-RPC 2.0 message"
        asked = next((fault["input"] for fault in faults if fault["type"] == "missing"), None)
    if isinstance(asked, dict) and "method" not in asked and ("result" in asked or "error" in asked):
        return None
    about = ErrorData(code=code, message=message)
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=_id_of(asked), error=about))


def _read_loosely(line: Any) -> Any:
    """What Python reads of a line that is refused: half a surrogate pair, for one, beside an id that is well."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _id_of(asked: Any) -> int | str | None:
    found = asked.get("id") if isinstance(asked, dict) else None
    if type(found) is int:
        return found
    return found if isinstance(found, str) and encodable(found) else None
