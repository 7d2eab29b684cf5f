"""What a step of a trace was given and what it answered, in the shapes that tracers keep."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from gate.errors import InputError
from gate.model import Turn
from gate.submission.transcripts.datasets.row import ANSWER, CONTEXTS, QUESTION, plain_name
from gate.submission.transcripts.parts import turn_of
from gate.submission.transcripts.services import any_service
from gate.submission.transcripts.traces import langchain_messages
from gate.submission.transcripts.unread_parts import TEXT_WORDS, UnreadParts, below

ASKED = QUESTION | {"messages", "kwargs", "args"}
ANSWERED = ANSWER | {"generations", "message", "text", "content", "final_output"}
RETRIEVERS = ("retriev", "vectorstore", "vector_search", "similarity_search", "knowledge_base")
"""What stands in the names of steps that look for passages."""


def question(value: Any, place: str, reading: UnreadParts) -> list[Turn]:
    """The turns of an input: a text, messages, or an object with one or the other."""
    if isinstance(value, str):
        return [Turn(role="user", content=value)] if value.strip() else []
    if turns := messages(value, place, reading):
        return turns
    if isinstance(value, dict):
        for key, inner in value.items():
            if plain_name(key) not in ASKED or not inner:
                continue
            if found := question(inner, below(place, key), reading):
                reading.rest(value, place, known=(key,), unshown=list(value))
                return found
    return []


def answer(value: Any, place: str, reading: UnreadParts) -> list[Turn]:
    """The assistant's turns of an output: a text, messages, a service's reply, an object with one of these, or a list
    of them, all of which may have been given."""
    if isinstance(value, str):
        return [Turn(role="assistant", content=value)] if value.strip() else []
    if turns := messages(value, place, reading):
        return _said_last(turns)
    if isinstance(value, list):
        return [turn for at, one in enumerate(value) for turn in answer(one, below(place, at), reading)]
    services = [service for service in any_service.SERVICES if service.matches(value)]
    if len(services) == 1:
        found = any_service.placed(services[0].parse, value, place)
        reading.add(found.not_read)
        return list(found.turns)
    read = {key: turns for key, inner in _answers(value) if (turns := answer(inner, below(place, key), reading))}
    if len({turns[-1].content for turns in read.values()}) > 1:
        raise InputError(f"{below(place, *list(read)[:1])}: another answer stands beside it: which was given?")
    _account(value, read, place, reading)
    return max(read.values(), key=len, default=[])


def _said_last(turns: list[Turn]) -> list[Turn]:
    """What the assistant says behind what was said to it last."""
    found: list[Turn] = []
    for turn in reversed(turns):
        if turn.role == "user" and found:
            break
        if turn.role == "assistant" and turn.content.strip():
            found.append(turn)
    return found[::-1]


def messages(value: Any, place: str, reading: UnreadParts) -> list[Turn]:
    """The turns of a list of messages, of one message, or of an object around a list."""
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        turns = messages(value["messages"], below(place, "messages"), reading)
        if turns:
            _account(value, ("messages",), place, reading)
        return turns
    listed = value if isinstance(value, list) else [value]
    if len(listed) == 1 and isinstance(listed[0], list):  # LangChain keeps a list for each of a batch
        listed = listed[0]
    if not listed or not all(isinstance(one, dict) for one in listed):
        return []
    turns = []
    for number, one in enumerate(listed):
        at = below(place, number) if listed is value else place
        if langchain_messages.is_message(one):
            turns.append(langchain_messages.turn_of_message(one, at, reading))
        elif "role" in one and ("content" in one or "tool_calls" in one):
            turns.append(turn_of(one, at, reading))
        else:
            return []
    return turns


def contexts_in(value: Any, place: str) -> Iterator[tuple[Any, str]]:
    """The passages that an input or output names as such, with their places."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if plain_name(key) in CONTEXTS and inner:
            yield inner, below(place, key)


def looks_up(name: Any, kind: Any) -> bool:
    """Whether a step is one that looks for passages, by its kind or by its name."""
    told = f"{name} {kind}".casefold()
    return any(word in told for word in RETRIEVERS)


def _account(value: Any, read: Collection[str], place: str, reading: UnreadParts) -> None:
    """Name what stands beside an answer, and refuse another one: of two, nobody can say which was given."""
    if isinstance(value, dict):
        others = [name for name in value if plain_name(name) not in ANSWERED and name.casefold() not in TEXT_WORDS]
        reading.rest(value, place, known=read, unshown=others)


def _answers(value: Any) -> Iterator[tuple[str, Any]]:
    for key, inner in value.items() if isinstance(value, dict) else ():
        if plain_name(key) in ANSWERED:
            yield key, inner
