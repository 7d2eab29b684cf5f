"""Models on Amazon Bedrock, through Converse."""

from __future__ import annotations

import json
from typing import Any

from gate.adapters.bedrock_client import BedrockOptions, guardrail_parts, runtime_client
from gate.adapters.bedrock_errors import RequestRefused, translated
from gate.adapters.bedrock_models import Mode, capabilities
from gate.errors import AnswerError, AnswerRefusedError, SettingsError
from gate.ports import Reply
from gate.prompts import Prompt
from gate.rules.answer_formats import AnswerFormat, estimated_tokens, format_for, most_tokens

Way = tuple[Mode, bool]
"""How to ask: the form of the answer, and whether a temperature is sent."""

_USAGE = {
    "inputTokens": "input",
    "outputTokens": "output",
    "cacheReadInputTokens": "cache_read",
    "cacheWriteInputTokens": "cache_write",
}
_COMPLETE = frozenset({"end_turn", "stop_sequence", "tool_use"})
_REFUSED = {
    "refusal": "the model refused to answer",
    "content_filtered": "the answer was filtered",
    "guardrail_intervened": "the guardrail stepped in",
    "model_context_window_exceeded": "claim and evidence are too long for the model",
}
_BROKEN = {
    "max_tokens": "the answer was cut off at its token limit",
    "malformed_model_output": "the answer was malformed",
    "malformed_tool_use": "the answer was malformed",
}


class BedrockModel:
    """A `LanguageModel` on Bedrock.

    An answer that has a format is asked for by JSON schema, else by a forced tool, else in the prompt's own words:
    whichever is the first that the model takes. A refused request (400) moves on to the next way, and in the end does
    without a temperature; the way that worked is the first one from then on.

    Args:
        model_id: model, inference profile or ARN.
    """

    def __init__(self, model_id: str, options: BedrockOptions) -> None:
        self.name = f"bedrock:{model_id}"
        self._id = model_id
        self._able = capabilities(model_id)
        self._guardrail = guardrail_parts(options.guardrail, "GATE_GUARDRAIL") if options.guardrail else None
        self._client = runtime_client(options)
        self._ways = self._all_ways(options)

    def _all_ways(self, options: BedrockOptions) -> list[Way]:
        modes = self._able.answers if options.answers == "auto" else (options.answers,)
        known = self._client.meta.service_model.operation_model("Converse").input_shape.members
        modes = tuple(mode for mode in modes if mode != "schema" or "outputConfig" in known) or ("text",)
        temperatures = (True, False) if self._able.temperature else (False,)
        return [(mode, temperature) for temperature in temperatures for mode in modes]

    def complete(self, prompt: str, system: str = "") -> Reply:
        """Ask once; the answer comes back in the format that the prompt's text form describes."""
        answers = format_for(system)
        ways = self._ways if answers else [*dict.fromkeys(_in_text(way) for way in self._ways)]
        refused: RequestRefused | None = None
        for way in ways:
            try:
                with translated(self.name):
                    response = self._client.converse(**self._request(prompt, system, answers, way))
            except RequestRefused as error:
                refused = error
                continue
            if refused and answers:
                self._ways = ways[ways.index(way) :]
            return self._reply(response, answers, way[0])
        raise refused or SettingsError(f"{self.name} takes no request")

    def _request(self, prompt: str, system: str, answers: AnswerFormat | None, way: Way) -> dict[str, Any]:
        mode, temperature = way
        inference: dict[str, Any] = {"maxTokens": most_tokens(prompt, system) + self._able.thinking}
        if temperature:
            inference["temperature"] = 0.0
        content = {"guardContent": {"text": {"text": prompt}}} if self._guardrail else {"text": prompt}
        request: dict[str, Any] = {
            "modelId": self._id,
            "messages": [{"role": "user", "content": [content]}],
            "inferenceConfig": inference,
            **(_asking(answers, mode) if answers else {}),
        }
        if system:
            request["system"] = self._system(system, mode)
        if self._guardrail:
            name, version = self._guardrail
            request["guardrailConfig"] = {"guardrailIdentifier": name, "guardrailVersion": version}
        return request

    def _system(self, system: str, mode: Mode) -> list[dict[str, Any]]:
        text = system.task if isinstance(system, Prompt) and mode != "text" else str(system)
        blocks: list[dict[str, Any]] = [{"text": text}]
        # A prefix below the model's minimum is not kept, and a write costs more than a read saves.
        if self._able.cache_from is not None and estimated_tokens(text) * 0.8 >= self._able.cache_from:
            blocks.append({"cachePoint": {"type": "default"}})
        return blocks

    def _reply(self, response: dict[str, Any], answers: AnswerFormat | None, mode: Mode) -> Reply:
        usage = {ours: count for theirs, ours in _USAGE.items() if (count := response.get("usage", {}).get(theirs))}
        usage["calls"] = 1
        try:
            text = _text(response, answers, mode)
        except AnswerError as error:
            raise type(error)(error.safe_message, model=self.name, usage=usage) from None
        return Reply(text, model=self.name, usage=usage)


def _in_text(way: Way) -> Way:
    return "text", way[1]


def _asking(answers: AnswerFormat, mode: Mode) -> dict[str, Any]:
    """The part of a request that makes a model answer in form."""
    if mode == "schema":
        schema = {"name": answers.name, "schema": json.dumps(answers.schema, separators=(",", ":"))}
        return {"outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": schema}}}}
    if mode == "tool":
        tool = {"name": answers.name, "inputSchema": {"json": answers.schema}}
        return {"toolConfig": {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": answers.name}}}}
    return {}


def _text(response: dict[str, Any], answers: AnswerFormat | None, mode: Mode) -> str:
    """The answer's text, whatever stands before or after it; a reason to stop that is not known is not trusted."""
    reason = response.get("stopReason", "")
    if reason in _REFUSED:
        raise AnswerRefusedError(_REFUSED[reason])
    if reason not in _COMPLETE:
        raise AnswerError(_BROKEN.get(reason, "the model stopped for a reason that is not known"))
    blocks = response.get("output", {}).get("message", {}).get("content", [])
    used = [block["toolUse"]["input"] for block in blocks if "toolUse" in block]
    text = "".join(block["text"] for block in blocks if "text" in block)
    if answers is None or mode == "text":
        return text
    if len(used) > 1:
        raise AnswerError("the model answered more than once")
    if used:
        return answers.from_json(used[0])
    return answers.from_json(text) if "{" in text else text
