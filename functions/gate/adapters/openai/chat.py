"""Models behind OpenAI's chat completions: OpenAI, Azure OpenAI, Ollama, vLLM, llama.cpp, LM Studio, LiteLLM."""

from __future__ import annotations

import contextlib
import math
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, ValidationError

from gate.adapters.model_protocol.capabilities import Mode
from gate.adapters.model_protocol.strict_bodies import request_id_of, usage_of
from gate.adapters.openai.chat_models import capabilities
from gate.adapters.openai.service import Service, ServiceOptions, ServiceReply
from gate.errors import AnswerError, AnswerRefusedError, ModelUnavailableError, RequestRefusedError, SettingsError
from gate.ports import Completion, Form, Question

Way = tuple[Mode, bool]
"""How to ask: the form of the answer, and whether a temperature and `max_tokens` are sent; models that think take no
temperature, and call the limit `max_completion_tokens`."""

PATH = "chat/completions"
WORDS_OF_ODDS = 5
_COMPLETE = frozenset({"stop", "tool_calls", "function_call"})
_THOUGHT, _THOUGHT_ENDS = "<think>", "</think>"


class ChatModel:
    """A `LanguageModel` behind chat completions.

    An answer that has a form is asked for by JSON schema, else by a forced tool, else in the prompt's own words. A
    refused request (400, 422) moves on to the next way; the way that worked is the first one from then on.

    A service that refuses to give odds is asked without them from then on.

    Args:
        model: the name that the service knows it by.
        kind: what the settings call it, before the name.
    """

    def __init__(self, model: str, options: ServiceOptions, kind: str = "openai") -> None:
        self.name = f"{kind}:{model}"
        self._id = model
        self._able = capabilities(model)
        self._service = Service(self.name, options)
        modes = self._able.answers if options.answers == "auto" else (options.answers,)
        plain = (True, False) if self._able.temperature else (False,)
        self._ways: list[Way] = [(mode, is_plain) for is_plain in plain for mode in modes]
        self._gives_odds = True

    def complete(self, question: Question) -> Completion:
        """Ask once."""
        if not question.odds:
            return self._complete(question)
        if self._gives_odds:
            with contextlib.suppress(RequestRefusedError):
                return self._complete(question)
        found = self._complete(replace(question, odds=False))
        self._gives_odds = False
        return found

    def _complete(self, question: Question) -> Completion:
        ways = self._ways if question.form else [*dict.fromkeys(_in_text(way) for way in self._ways)]
        refused: RequestRefusedError | None = None
        for way in ways:
            try:
                reply = self._service.post(PATH, self._request(question, way))
            except RequestRefusedError as error:
                refused = error
                continue
            if refused and question.form:
                self._ways = ways[ways.index(way) :]
            return self._completion(reply, question.form.name if question.form and way[0] != "text" else "")
        raise refused or SettingsError(f"{self.name} takes no request")

    def _request(self, question: Question, way: Way) -> dict[str, Any]:
        mode, is_plain = way
        system = question.form.system if question.form and mode != "text" else question.system
        most = question.most_tokens + self._able.thinking
        return {
            "model": self._id,
            "messages": [
                *([{"role": "system", "content": system}] if system else []),
                {"role": "user", "content": question.text},
            ],
            "stream": False,
            **({"max_tokens": most, "temperature": 0} if is_plain else {"max_completion_tokens": most}),
            **(_asking(question.form, mode) if question.form else {}),
            **({"logprobs": True, "top_logprobs": WORDS_OF_ODDS} if question.odds else {}),
        }

    def _completion(self, reply: ServiceReply, form: str) -> Completion:
        try:
            read = _Completion.model_validate(reply.document)
        except ValidationError:
            raise ModelUnavailableError(f"{self.name} answered, but not as chat completions do") from None
        usage = _usage(read.usage, reply.tries)
        try:
            odds, said_id = _odds(read.choices[0].odds), request_id_of(read.id)
            return Completion(_text(read, form), self.name, usage, odds, said_id)
        except AnswerError as error:
            raise type(error)(error.safe_message, model=self.name, usage=usage) from None


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, defer_build=True)


class _Function(_Part):
    name: InstanceOf[str]
    arguments: InstanceOf[str]


class _Call(_Part):
    function: _Function


class _Message(_Part):
    content: InstanceOf[str] | None = None  # whether it is text that can be written is for its reader to say
    refusal: InstanceOf[str] | None = None
    calls: list[_Call] | None = Field(None, alias="tool_calls")


class _Choice(_Part):
    message: _Message
    stop: str = Field(alias="finish_reason")
    odds: Any = Field(None, alias="logprobs")


class _Completion(_Part):
    """The parts of a chat completion that count; others are passed over, such as a model's thoughts."""

    choices: list[_Choice] = Field(min_length=1)
    usage: Any = None
    id: Any = None


def _in_text(way: Way) -> Way:
    return "text", way[1]


def _asking(form: Form, mode: Mode) -> dict[str, Any]:
    """The part of a request that makes a model answer in form."""
    if mode == "schema":
        schema = {"name": form.name, "schema": form.schema, "strict": True}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    if mode == "tool":
        tool = {"name": form.name, "parameters": form.schema}
        chosen = {"type": "function", "function": {"name": form.name}}
        return {"tools": [{"type": "function", "function": tool}], "tool_choice": chosen}
    return {}


def _text(reply: _Completion, form: str) -> str:
    """The answer's text; a reason to stop that is not known is not trusted.

    Args:
        form: that the answer was asked for in; empty: in words. What a tool is given stands on lines of its own behind
            the text beside it, so that a reader sees where the two differ.
    """
    if len(reply.choices) > 1:
        raise AnswerError("the model answered more than once")
    [choice] = reply.choices
    if choice.stop == "content_filter":
        raise AnswerRefusedError("the answer was filtered")
    if choice.message.refusal:
        raise AnswerRefusedError("the model refused to answer")
    if choice.stop == "length":
        raise AnswerError("the answer was cut off at its token limit")
    if choice.stop not in _COMPLETE:
        raise AnswerError("the model stopped for a reason that is not known")
    used = [call.function for call in choice.message.calls or []] if form else []
    if len(used) > 1:
        raise AnswerError("the model answered more than once")
    if used and used[0].name != form:
        raise AnswerError("the model used a tool that it was not given")
    said = _after_thoughts(choice.message.content or "")
    return f"{said}\n{used[0].arguments}" if used else said


def _after_thoughts(content: str) -> str:
    """An answer behind the thoughts that some servers leave in it."""
    if not content.lstrip().startswith(_THOUGHT):
        return content
    return content.rpartition(_THOUGHT_ENDS)[2] if _THOUGHT_ENDS in content else ""


def _odds(told: Any) -> dict[str, float]:
    """The log probabilities of first words; whatever is not told as the protocol says is told of none."""
    try:
        first = told["content"][0]
        found = {one["token"]: one["logprob"] for one in [first, *first.get("top_logprobs", ())]}
        are_odds = all(map(_is_odds, found, found.values()))
    except (KeyError, IndexError, TypeError, AttributeError, OverflowError):  # of a number of 400 digits
        return {}
    return found if are_odds else {}


def _is_odds(word: Any, odds: Any) -> bool:
    return isinstance(word, str) and type(odds) in (int, float) and not math.isnan(odds)


def _usage(told: Any, tries: int) -> dict[str, int]:
    if not isinstance(told, dict):
        return usage_of({}, tries)
    details = told.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    sent = told.get("prompt_tokens")
    if type(cached) is int and type(sent) is int and 0 < cached <= sent:
        sent -= cached  # they are counted among the prompt's, at another price
    return usage_of({"input": sent, "output": told.get("completion_tokens"), "cache_read": cached}, tries)
