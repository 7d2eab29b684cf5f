"""Models on Amazon Bedrock, through Converse."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, ValidationError

from gate.adapters.aws.bedrock.bedrock_errors import translated
from gate.adapters.aws.bedrock.client import BedrockOptions, guardrail_parts, runtime_client
from gate.adapters.aws.bedrock.models import capabilities
from gate.adapters.model_protocol.capabilities import Mode
from gate.adapters.model_protocol.strict_bodies import request_id_of, usage_of
from gate.adapters.model_protocol.transport import TRIES
from gate.errors import AnswerError, AnswerRefusedError, ModelUnavailableError, RequestRefusedError, SettingsError
from gate.ports import Completion, Form, Question
from gate.prompts.lengths import estimated_tokens

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

    An answer that has a form is asked for by JSON schema, else by a forced tool, else in the prompt's own words:
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

    def complete(self, question: Question) -> Completion:
        """Ask once."""
        ways = self._ways if question.form else [*dict.fromkeys(_in_text(way) for way in self._ways)]
        refused: RequestRefusedError | None = None
        for way in ways:
            try:
                with translated(self.name):
                    response = self._client.converse(**self._request(question, way))
            except RequestRefusedError as error:
                refused = error
                continue
            except AnswerError as error:
                error.model = self.name
                raise
            if refused and question.form:
                self._ways = ways[ways.index(way) :]
            return self._completion(response, question.form.name if question.form and way[0] != "text" else "")
        raise refused or SettingsError(f"{self.name} takes no request")

    def _request(self, question: Question, way: Way) -> dict[str, Any]:
        mode, temperature = way
        inference: dict[str, Any] = {"maxTokens": question.most_tokens + self._able.thinking}
        if temperature:
            inference["temperature"] = 0.0
        content = {"guardContent": {"text": {"text": question.text}}} if self._guardrail else {"text": question.text}
        request: dict[str, Any] = {
            "modelId": self._id,
            "messages": [{"role": "user", "content": [content]}],
            "inferenceConfig": inference,
            **(_asking(question.form, mode) if question.form else {}),
        }
        system = question.form.system if question.form and mode != "text" else question.system
        if system:
            request["system"] = self._system(system)
        if self._guardrail:
            name, version = self._guardrail
            request["guardrailConfig"] = {"guardrailIdentifier": name, "guardrailVersion": version}
        return request

    def _system(self, text: str) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]] = [{"text": text}]
        # A prefix below the model's minimum is not kept, and a write costs more than a read saves.
        if self._able.cache_from is not None and estimated_tokens(text) * 0.8 >= self._able.cache_from:
            blocks.append({"cachePoint": {"type": "default"}})
        return blocks

    def _completion(self, response: dict[str, Any], form: str) -> Completion:
        try:
            reply = _Reply.model_validate(response)
        except ValidationError:
            raise ModelUnavailableError(f"{self.name} answered, but not as Converse does") from None
        usage = _usage(reply.usage, int(response["ResponseMetadata"]["HTTPHeaders"].get(TRIES, 1)))
        try:
            said_id = request_id_of(response["ResponseMetadata"].get("RequestId"))
            return Completion(_text(reply, form), self.name, usage, request_id=said_id)
        except AnswerError as error:
            raise type(error)(error.safe_message, model=self.name, usage=usage) from None


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, defer_build=True)


class _Tool(_Part):
    name: InstanceOf[str]
    input: Any


class _Block(_Part):
    text: InstanceOf[str] | None = None  # whether it is text that can be written is for its reader to say
    tool: _Tool | None = Field(None, alias="toolUse")


class _Message(_Part):
    role: Literal["assistant"]
    content: list[_Block]


class _Output(_Part):
    message: _Message


class _Reply(_Part):
    """The parts of a response of Converse that count; others are passed over, such as a model's thoughts."""

    output: _Output
    stop: str = Field(alias="stopReason")
    usage: Any = None


def _in_text(way: Way) -> Way:
    return "text", way[1]


def _asking(form: Form, mode: Mode) -> dict[str, Any]:
    """The part of a request that makes a model answer in form."""
    if mode == "schema":
        schema = {"name": form.name, "schema": json.dumps(form.schema, separators=(",", ":"))}
        return {"outputConfig": {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": schema}}}}
    if mode == "tool":
        tool = {"name": form.name, "inputSchema": {"json": form.schema}}
        return {"toolConfig": {"tools": [{"toolSpec": tool}], "toolChoice": {"tool": {"name": form.name}}}}
    return {}


def _text(reply: _Reply, form: str) -> str:
    """The answer's text; a reason to stop that is not known is not trusted.

    Args:
        form: that the answer was asked for in; empty: in words. What a tool is given stands on lines of its own among
            the text beside it, so that a reader sees where the two differ.
    """
    if reply.stop in _REFUSED:
        raise AnswerRefusedError(_REFUSED[reply.stop])
    if reply.stop not in _COMPLETE:
        raise AnswerError(_BROKEN.get(reply.stop, "the model stopped for a reason that is not known"))
    blocks = reply.output.message.content
    used = [block.tool for block in blocks if block.tool] if form else []
    if len(used) > 1:
        raise AnswerError("the model answered more than once")
    if used and used[0].name != form:
        raise AnswerError("the model used a tool that it was not given")
    return "".join(
        f"\n{json.dumps(block.tool.input)}\n" if block.tool and form else block.text or "" for block in blocks
    )


def _usage(told: Any, tries: int) -> dict[str, int]:
    return usage_of(
        {ours: told.get(theirs) for theirs, ours in _USAGE.items()} if isinstance(told, dict) else {}, tries
    )
