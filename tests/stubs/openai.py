"""A stand-in for a service that speaks OpenAI's protocol, on loopback and over HTTP: chat completions and embeddings.

What it answers is said as Converse says it, so that one script serves both stand-ins; on the wire everything is
OpenAI's.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, replace
from typing import Any

from tests.stubs.converse import ConverseStub, Response, Seen, direction, main, text

_STOPS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "content_filtered": "content_filter",
    "guardrail_intervened": "content_filter",
}


DOCUMENT_AND_CLAIM = re.compile("Document: (?P<document>.*)\nClaim: (?P<claim>.*)")


def yes_or_no(is_so: bool, share: float = 0.9) -> Response:
    """The answer of a model that was trained on document and claim, as sure of it as `share`."""
    said, other = ("Yes", "No") if is_so else ("No", "Yes")
    top = [{"token": said, "logprob": math.log(share)}, {"token": other, "logprob": math.log(1 - share)}]
    response = text(said, tokens=1)
    response.body["odds"] = {"content": [{**top[0], "top_logprobs": top}]}
    return response


@dataclass
class ChatStub(ConverseStub):
    """The server; use `running(ChatStub())`. The base URL is `url` and `/v1`."""

    def read(self, path: str, body: dict[str, Any], headers: dict[str, str]) -> Seen:
        """A chat request as a request of Converse; `seen.body["sent"]` is what was sent."""
        if "messages" not in body:
            return Seen(path, {"sent": body, "messages": [{"content": []}]}, headers)
        said = {one["role"]: one["content"] for one in body["messages"]}
        asked: dict[str, Any] = {"sent": body, "messages": [{"content": [{"text": said["user"]}]}]}
        asked["system"] = [{"text": said["system"]}] if "system" in said else []
        if "tools" in body:
            asked["toolConfig"] = {"toolChoice": {"tool": body["tool_choice"]["function"]}, "tools": body["tools"]}
        if "response_format" in body:
            asked["outputConfig"] = body["response_format"]
        return Seen(path, asked, headers)

    def unscripted(self, seen: Seen) -> Response:
        """An embedding of each text; yes or no to a document and a claim; else a verdict."""
        sent = seen.body["sent"]
        if "messages" not in sent:
            rows = [{"index": at, "embedding": direction(one, 64)} for at, one in enumerate(sent["input"])]
            return Response({"object": "list", "data": rows, "model": sent["model"], "usage": {"prompt_tokens": 1}})
        found = DOCUMENT_AND_CLAIM.fullmatch(seen.prompt)
        return yes_or_no(found["claim"].rstrip(".") in found["document"]) if found else super().unscripted(seen)

    def written(self, response: Response, seen: Seen) -> Response:
        """A response of Converse as a chat completion; bodies that are none of Converse's stay as they are."""
        body = response.body
        if response.error:
            return replace(response, body={"error": {"message": "no", "type": "x", "code": response.error}}, error="")
        if not isinstance(body, dict) or "output" not in body:
            return response
        asks = seen.body["sent"].get("logprobs", False)
        return replace(response, body=completion(body if asks else {**body, "odds": None}))

    def raw(self, body: dict[str, Any]) -> Response:
        """The same of a chat completion."""
        return Response(json.dumps(completion(body)).encode())


def completion(body: dict[str, Any]) -> dict[str, Any]:
    """A chat completion that says what a body of Converse says."""
    blocks = body["output"]["message"]["content"]
    texts = [block["text"] for block in blocks if "text" in block]
    message: dict[str, Any] = {"role": "assistant", "content": "".join(texts) if texts else None}
    calls = [block["toolUse"] for block in blocks if "toolUse" in block]
    if calls:
        message["tool_calls"] = [
            {
                "id": call["toolUseId"],
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["input"])},
            }
            for call in calls
        ]
    stop = body["stopReason"]
    if stop == "refusal":
        message, stop = {"role": "assistant", "content": None, "refusal": "I cannot."}, "end_turn"
    usage = body.get("usage")
    if isinstance(usage, dict):
        usage = {"prompt_tokens": usage.get("inputTokens"), "completion_tokens": usage.get("outputTokens")}
    choice = {"index": 0, "message": message, "finish_reason": _STOPS.get(stop, stop), "logprobs": body.get("odds")}
    return {"id": "c1", "object": "chat.completion", "model": "stub", "choices": [choice], "usage": usage}


if __name__ == "__main__":
    main(ChatStub)
