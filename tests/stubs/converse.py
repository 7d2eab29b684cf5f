"""A stand-in for bedrock-runtime on loopback, over HTTP, for the real SDK to talk to: Converse, ApplyGuardrail, and
InvokeModel of Titan's embeddings.

Answers are keyed by what the request says, so that order and concurrency do not matter. What no key fits is judged:
a claim that stands word for word in its evidence is supported, everything else is not. Texts that share words get
vectors that are near each other.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from gate.model import Answer
from gate.prompts.fencing import Fenced, unfence
from gate.prompts.verdicts import write_verdict

COUNTS = "/counts"
"""A GET here answers, and sets back, what a stub in a process of its own has counted."""


@dataclass(frozen=True)
class Response:
    """What the stub sends: `body` is JSON, or bytes as they are."""

    body: Any = None
    status: int = 200
    error: str = ""
    delay_s: float = 0.0
    request_id: str = "r-1"
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Seen:
    """One request that arrived."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        """The user's message, whether guarded or not."""
        blocks = self.body["messages"][0]["content"]
        guarded = [block["guardContent"]["text"]["text"] for block in blocks if "guardContent" in block]
        return "".join([*guarded, *(block["text"] for block in blocks if "text" in block)])

    @property
    def system(self) -> str:
        """The system prompt."""
        return "".join(block.get("text", "") for block in self.body.get("system", []))

    @property
    def fenced(self) -> Fenced:
        """Claim and evidence."""
        return unfence(self.prompt)

    @property
    def tokens(self) -> int:
        """Characters of all text that was sent, over four."""
        parts = [self.prompt, self.system]
        parts += [json.dumps(self.body[key]) for key in ("toolConfig", "outputConfig") if key in self.body]
        return sum(map(len, parts)) // 4


Script = Response | Callable[[Seen], Response]
Key = str | Callable[[Seen], bool]


def message(*blocks: dict[str, Any], stop: str = "end_turn", tokens: int = 40, delay_s: float = 0.0) -> Response:
    """A complete Converse response of these content blocks."""
    usage = {"inputTokens": 100, "outputTokens": tokens, "totalTokens": 100 + tokens}
    output = {"message": {"role": "assistant", "content": list(blocks)}}
    return Response(
        {"output": output, "stopReason": stop, "usage": usage, "metrics": {"latencyMs": 1}}, delay_s=delay_s
    )


def text(value: str, **how: Any) -> Response:
    """An answer of one text block."""
    return message({"text": value}, **how)


def failure(status: int, name: str) -> Response:
    """An error response of the service."""
    return Response({"message": "no"}, status=status, error=name)


def judged(seen: Seen, verdict: Answer | None = None) -> Response:
    """A verdict in whatever form the request asks for."""
    answer, handles = verdict or honest(seen.fenced), seen.fenced.handles
    lines = write_verdict(answer, handles)
    fields = {**answer.model_dump(exclude={"scores"}), "documents": [handles[place] for place in answer.documents]}
    if "toolConfig" in seen.body:
        name = seen.body["toolConfig"]["toolChoice"]["tool"]["name"]
        block = {"toolUse": {"toolUseId": "t1", "name": name, "input": fields}}
        return message(block, stop="tool_use", tokens=len(lines) // 4)
    content = json.dumps(fields) if "outputConfig" in seen.body else lines
    return text(content, tokens=len(lines) // 4)


def by_tool(seen: Seen, before: str = "", behind: str = "", name: str = "verdict") -> Response:
    """An honest verdict given by a tool, with text beside it."""
    [block] = judged(seen).body["output"]["message"]["content"]
    used = {"toolUse": {**block["toolUse"], "name": name}}
    texts = [{"text": before}] if before else [], [{"text": behind}] if behind else []
    return message(*texts[0], used, *texts[1], stop="tool_use")


BESIDE_A_TOOL = {
    "lines": {"behind": "LABEL: unsupported\nJUSTIFICATION: The evidence says ten.\nREASON: contradicted"},
    "JSON": {"behind": '{"label": "unsupported", "reason": "contradicted", "justification": "Ten."}'},
    "refusal": {"before": "I cannot confirm this."},
    "name": {"name": "other"},
}
"""What takes away from a verdict of `by_tool` that it counts."""


def embedded(seen: Seen) -> Response:
    """The text's words, each hashed to a direction of the vector."""
    vector = direction(seen.body["inputText"], int(seen.body["dimensions"]))
    return Response({"embedding": vector, "inputTextTokenCount": 1})


def direction(text: str, size: int) -> list[float]:
    """The words of a text, each hashed to a direction: a vector of length one."""
    vector = [0.0] * size
    for word in re.findall(r"\w+", text.casefold()):
        vector[zlib.crc32(word.encode()) % size] += 1.0
    length = math.hypot(*vector) or 1.0
    return [value / length for value in vector]


def honest(fenced: Fenced) -> Answer:
    """The verdict of somebody who looks for the claim word for word."""
    wanted = fenced.claim.rstrip(".")
    for place, (_, content) in enumerate(fenced.documents):
        at = content.casefold().find(wanted.casefold())
        if at >= 0:
            quote = content[at : at + len(wanted)]
            return Answer(
                label="supported", justification="It is stated.", reason="entailed", quote=quote, documents=(place,)
            )
    return Answer(label="unsupported", justification="It is not stated.", reason="not_mentioned")


@dataclass
class ConverseStub:
    """The server; use `running()`.

    Attributes:
        url: for `endpoint_url`.
        delay_s, token_s: seconds an answer takes, in all and for each output token.
        seen: every request, in order of arrival.
        peak: most requests in progress at once.
        output: tokens answered.
    """

    url: str = ""
    delay_s: float = 0.0
    token_s: float = 0.0
    seen: list[Seen] = field(default_factory=list)
    peak: int = 0
    output: int = 0
    _keyed: list[tuple[Key, list[Script]]] = field(default_factory=list)
    _now: int = 0

    def on(self, key: Key, *answers: Script) -> ConverseStub:
        """Give these answers, one after the other and the last for ever, to requests that hold `key` in their text, or
        for which it is true."""
        self._keyed.append((key, list(answers)))
        return self

    def answer(self, seen: Seen) -> Response:
        """Choose the response to a request."""
        content = json.dumps(seen.body, ensure_ascii=False)
        for key, answers in self._keyed:
            if key(seen) if callable(key) else key in content:
                chosen = answers.pop(0) if len(answers) > 1 else answers[0]
                return chosen(seen) if callable(chosen) else chosen
        return self.unscripted(seen)

    def unscripted(self, seen: Seen) -> Response:
        """What is answered where no key fits."""
        return embedded(seen) if "inputText" in seen.body else judged(seen)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                first, *lines = head.decode().split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                sent = await reader.readexactly(int(headers.get("content-length", 0)))
                path = first.split()[1]
                if path == COUNTS:
                    writer.write(_http(self._counted()))
                else:
                    seen = self.read(path, json.loads(sent), headers)
                    writer.write(_http(self.written(await self._respond(seen), seen)))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # the client has gone, or the stub is stopping
        finally:
            writer.close()

    def read(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Seen:
        """What arrived, as Converse says it."""
        return Seen(path, body, headers)

    def written(self, response: Response, seen: Seen) -> Response:
        """A response of Converse in the words of this stub's protocol."""
        return response

    def raw(self, body: dict[str, Any]) -> Response:
        """A body of Converse that is sent as it is: neither counted nor corrected."""
        return Response(json.dumps(body).encode())

    async def _respond(self, seen: Seen) -> Response:
        self.seen.append(seen)
        self._now += 1
        self.peak = max(self.peak, self._now)
        try:
            response = self.answer(seen)
            tokens = response.body.get("usage", {}).get("outputTokens", 0) if isinstance(response.body, dict) else 0
            await asyncio.sleep(self.delay_s + response.delay_s + self.token_s * tokens)
        finally:
            self._now -= 1
        if isinstance(response.body, dict) and "inputTokens" in response.body.get("usage", {}):
            response.body["usage"]["inputTokens"] = seen.tokens
        if isinstance(response.body, dict):
            self.output += response.body.get("usage", {}).get("outputTokens", 0)
        return response

    def _counted(self) -> Response:
        """What was counted since the last time somebody asked."""
        counts = {"calls": len(self.seen), "peak": self.peak, "output": self.output}
        counts["prompt"] = sum(seen.tokens for seen in self.seen)
        self.seen, self.peak, self.output = [], 0, 0
        return Response(counts)


def _http(response: Response) -> bytes:
    payload = response.body if isinstance(response.body, bytes) else json.dumps(response.body).encode()
    error = f"x-amzn-ErrorType: {response.error}\r\n" if response.error else ""
    head = f"HTTP/1.1 {response.status} X\r\ncontent-type: application/json\r\ncontent-length: {len(payload)}\r\n"
    head += f"x-amzn-requestid: {response.request_id}\r\n"
    others = "".join(f"{name}: {value}\r\n" for name, value in response.headers.items())
    return f"{head}{error}{others}\r\n".encode() + payload


@contextmanager
def running(stub: ConverseStub | None = None, port: int = 0) -> Iterator[ConverseStub]:
    """Run a stub in a thread of its own."""
    stub = stub or ConverseStub()
    started, stopping = threading.Event(), threading.Event()
    thread = threading.Thread(target=asyncio.run, args=(_serve_until(stub, port, started, stopping),), daemon=True)
    thread.start()
    assert started.wait(10)
    try:
        yield stub
    finally:
        stopping.set()
        thread.join(timeout=10)


async def _serve_until(stub: ConverseStub, port: int, started: threading.Event, stopping: threading.Event) -> None:
    server = await asyncio.start_server(stub.serve, "127.0.0.1", port, limit=2**24, backlog=512)
    stub.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    started.set()
    await asyncio.to_thread(stopping.wait)
    server.close()


def main(stub: type[ConverseStub]) -> None:
    """Run a stub in this process until it is ended; the first line of output is its URL."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--delay", type=float, default=0.0, help="seconds an answer takes")
    parser.add_argument("--token", type=float, default=0.0, help="seconds for each output token")
    asked = parser.parse_args()
    with running(stub(delay_s=asked.delay, token_s=asked.token)) as running_stub:
        print(running_stub.url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main(ConverseStub)
