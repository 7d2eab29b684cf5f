"""Spans of OpenTelemetry as OTLP writes them in JSON: GenAI conventions, OpenInference, OpenLLMetry. One trace."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from gate.errors import InputError
from gate.model import Document, Role, Turn
from gate.submission.transcripts.contexts import contexts_of, joined
from gate.submission.transcripts.parts import spoken
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.services.gemini import content_turn
from gate.submission.transcripts.traces import steps
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "otel"
_NUMBERED = re.compile(
    r"(gen_ai\.prompt|gen_ai\.completion|llm\.input_messages|llm\.output_messages)\.(\d{1,4})\.(?:message\.)?"
    r"(?:(role|content)|contents\.(\d{1,4})\.message_content\.text)"
)
_ANSWERS = re.compile(r"gen_ai\.output\.messages|output\.value|(?:gen_ai\.completion|llm\.output_messages)\..*")
"""Attributes that hold what a model said."""
_SPEAKER = re.compile(r"^\s*assistant:\s")
"""What LlamaIndex writes before what was said."""
_RETRIEVED = re.compile(r"retrieval\.documents\.(\d{1,4})\.document\.(content|id)")
_WRITERS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")

Attributes = dict[str, Any]


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and isinstance(document.get("resourceSpans"), list)


def traces(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The traces of an export, each as a document of its own, with its id.

    Raises:
        InputError: a span is none.
    """
    found: dict[str, list[Any]] = {}
    for span in _spans(document):
        found.setdefault(str(span.get("traceId", "")), []).append(span)
    for key, spans in found.items():
        yield key, {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}


def parse(document: dict[str, Any]) -> Record:
    """Read one trace: its answers are those of each span that holds one and stands in no other that does; passages are
    those that any span found.

    Raises:
        InputError: it holds no answer, or several traces.
    """
    reading, spans = UnreadParts(), list(_spans(document))
    if len({str(span.get("traceId", "")) for span in spans}) > 1:
        raise InputError("resourceSpans: holds several traces: give one, or have all read with `gate check`")
    contexts, turns, writer = tuple[Document, ...](), list[Turn](), ""
    answered = list[tuple[dict[str, Any], list[Turn]]]()
    for number, span in enumerate(_outermost_last(spans)):
        place, held = below("span", number), _attributes(span)
        contexts = joined(contexts, _contexts(held, span, place, reading))
        found = _turns(held, place, reading)
        if any(turn.role == "assistant" for turn in found):
            answered.append((span, found))
        writer = next((str(held[key]) for key in _WRITERS if key in held), "") or writer
    for found in _outermost(spans, answered):
        turns += [turn for turn in found if turn not in turns]
    if not turns:
        raise InputError("resourceSpans: no span holds an answer: looked for gen_ai.output.messages, output.value, "
                         "gen_ai.completion.0.content")  # fmt: skip
    reading.leave(document, "spans", "resourceSpans")
    name = str(spans[0].get("traceId", ""))[:200] or None
    return Record(tuple(turns), id=name, not_read=reading.left, contexts=contexts, metadata=about(writer=writer))


def _spans(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for resource in document["resourceSpans"]:
        scopes = resource.get("scopeSpans", []) if isinstance(resource, dict) else None
        for scope in scopes if isinstance(scopes, list) else [None]:
            spans = scope.get("spans") if isinstance(scope, dict) else None
            if not isinstance(spans, list) or not all(isinstance(span, dict) for span in spans):
                raise InputError("resourceSpans: should hold scopeSpans with spans")
            yield from spans


def _outermost_last(spans: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """By when they ended: the root ends last."""
    return sorted(
        spans, key=lambda span: (not span.get("parentSpanId"), str(span.get("endTimeUnixNano", "")).zfill(20))
    )


def _outermost(spans: list[dict[str, Any]], answered: list[tuple[dict[str, Any], list[Turn]]]) -> Iterator[list[Turn]]:
    """What is said in spans that stand in none that says something: two beside each other may both have been given."""
    parents = {name: _id(span, "parentSpanId") for span in spans if (name := _id(span, "spanId"))}
    says = {name for span, _ in answered if (name := _id(span, "spanId"))}
    free = set[str]()  # nothing around it says anything
    for span, found in answered:
        path, at = {_id(span, "spanId")}, _id(span, "parentSpanId")
        while at in parents and at not in says and at not in path and at not in free:
            path.add(at)
            at = parents[at]
        if at not in says or at in path:
            free |= path
            yield found


def _id(span: dict[str, Any], key: str) -> str:
    """An id of a span; empty where it has none, which is the id of no span."""
    return str(span.get(key) or "")


def _attributes(span: dict[str, Any]) -> Attributes:
    """The attributes of a span and of its events, as plain values.

    Raises:
        InputError: one that holds what a model said is there twice, and differs.
    """
    listed = span.get("attributes")
    found = list(listed) if isinstance(listed, list) else []
    for event in span.get("events") or []:
        inner = event.get("attributes") if isinstance(event, dict) else None
        found += inner if isinstance(inner, list) else []
    held: Attributes = {}
    for one in found:
        if not isinstance(one, dict) or not isinstance(one.get("key"), str):
            continue
        key, value = one["key"], _plain(one.get("value"), 0)
        if held.get(key, value) != value and _ANSWERS.fullmatch(key):
            raise InputError(f"{below('', key)}: stands there twice")
        held[key] = value
    return held


def _plain(value: Any, depth: int) -> Any:
    """OTLP's typed value as JSON; a text that is JSON is read."""
    if not isinstance(value, dict) or depth > 16:
        return value
    if "stringValue" in value:
        return _parsed(value["stringValue"])
    if isinstance(array := value.get("arrayValue"), dict):
        return [_plain(one, depth + 1) for one in array.get("values") or []]
    if isinstance(held := value.get("kvlistValue"), dict):
        pairs = [one for one in held.get("values") or [] if isinstance(one, dict)]
        return {str(one.get("key")): _plain(one.get("value"), depth + 1) for one in pairs}
    return next(iter(value.values()), None)


def _parsed(text: Any) -> Any:
    if isinstance(text, str) and text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def _turns(held: Attributes, place: str, reading: UnreadParts) -> list[Turn]:
    """Question and answer of one span, in whichever convention it has."""
    asked = _messages(held.get("gen_ai.input.messages"), below(place, "gen_ai.input.messages"), reading)
    asked = asked or _numbered(held, "gen_ai.prompt", "user") or _numbered(held, "llm.input_messages", "user")
    asked = asked or steps.question(held.get("input.value"), below(place, "input.value"), reading)
    return [*asked, *_answered(held, place, reading)]


def _answered(held: Attributes, place: str, reading: UnreadParts) -> list[Turn]:
    """What the model of a span said.

    Raises:
        InputError: two conventions have it say two things.
    """
    at, whole = below(place, "gen_ai.output.messages"), held.get("output.value")
    ways = (
        [spoken(turn, at) for turn in _messages(held.get("gen_ai.output.messages"), at, reading)],
        _numbered(held, "gen_ai.completion", "assistant"),
        _numbered(held, "llm.output_messages", "assistant"),
    )
    found = [turns for turns in ways if turns]
    if not found:
        looks_up = steps.looks_up("", held.get("openinference.span.kind", ""))
        return [] if looks_up else steps.answer(whole, below(place, "output.value"), reading)
    said = [[_plain_text(turn.content) for turn in turns] for turns in found]
    again = _plain_text(_SPEAKER.sub("", _said_by(whole, below(place, "output.value"), reading), count=1))
    if any(one != said[0] for one in said) or again not in ("", *said[0], " ".join(said[0])):
        raise InputError(f"{place}: says one thing in one convention and another in the next: which was given?")
    return found[0]


def _said_by(whole: Any, place: str, reading: UnreadParts) -> str:
    """The answer that an `output.value` holds beside messages; one that none can be read in is named as not read."""
    if isinstance(whole, str) or whole is None:
        return whole or ""
    try:
        turns = steps.answer(whole, place, reading)
    except InputError:
        reading.leave(whole, "output", place)
        return ""
    return turns[-1].content if turns else ""


def _plain_text(text: str) -> str:
    return " ".join(text.split())


def _messages(value: Any, place: str, reading: UnreadParts) -> list[Turn]:
    if not isinstance(value, list):
        return []
    turns = list[Turn]()
    for number, one in enumerate(value):
        if not isinstance(one, dict) or not isinstance(one.get("parts"), list):
            raise InputError(f"{below(place, number)}: should be a message with parts")
        parts = [_part(part) for part in one["parts"]]
        turns.append(content_turn({"role": one.get("role"), "parts": parts}, below(place, number), reading))
    return turns


def _part(part: Any) -> Any:
    """A part of the GenAI conventions: its text stands under `content`."""
    if isinstance(part, dict) and part.get("type") == "text" and isinstance(part.get("content"), str):
        return {"type": "text", "text": part["content"]}
    if isinstance(part, dict) and str(part.get("type", "")).startswith("tool_call"):
        return {**part, "type": "tool_use"}
    return part


def _numbered(held: Attributes, name: str, role: Role) -> list[Turn]:
    """Messages whose parts are attributes of their own: `gen_ai.prompt.0.content`; what a model said is its own.

    Raises:
        InputError: two attributes stand for one part.
    """
    roles, texts = dict[int, Any](), dict[int, dict[int, Any]]()
    for key, value in held.items():
        match = _NUMBERED.fullmatch(key)
        if not match or match[1] != name:
            continue
        number, part = int(match[2]), int(match[4] or 0)
        kept, at = (roles, number) if match[3] == "role" else (texts.setdefault(number, {}), part)
        if kept.get(at, value) != value:
            raise InputError(f"{below('', key)}: stands there twice")
        kept[at] = value
    return [
        Turn(
            role=_role(roles.get(number), role), content="\n".join(_as_text(text) for _, text in sorted(parts.items()))
        )
        for number, parts in sorted(texts.items())
    ]


def _as_text(value: Any) -> str:
    """What was said, also where it is JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _role(given: Any, role: Role) -> Role:
    return role if role == "assistant" or given not in ("system", "user", "assistant", "tool") else given


def _contexts(held: Attributes, span: dict[str, Any], place: str, reading: UnreadParts) -> tuple[Document, ...]:
    numbered: dict[int, dict[str, Any]] = {}
    for key, value in held.items():
        if match := _RETRIEVED.fullmatch(key):
            numbered.setdefault(int(match[1]), {})[match[2]] = value
    listed = [one for _, one in sorted(numbered.items()) if isinstance(one.get("content"), str)]
    given = held.get("gen_ai.retrieval.documents")
    if isinstance(given, list):
        listed += [one for one in given if isinstance(one, dict) and isinstance(one.get("content"), str)]
    if not listed and steps.looks_up(span.get("name"), held.get("openinference.span.kind")):
        found = held.get("output.value", held.get("traceloop.entity.output"))
        listed = found if isinstance(found, list) else []
    return contexts_of(listed, below(place, "retrieval.documents"), reading)
