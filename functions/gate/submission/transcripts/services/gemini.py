"""What Gemini answers (`candidates`), and the contents that it is asked with."""

from __future__ import annotations

from typing import Any

from gate.errors import InputError
from gate.model import Document, Turn
from gate.submission.transcripts.contexts import contexts_of, joined
from gate.submission.transcripts.parts import spoken, turn_of
from gate.submission.transcripts.record import Record, about
from gate.submission.transcripts.unread_parts import UnreadParts, below

NAME = "gemini"
_UNSHOWN = """\
citationMetadata citation_metadata generationConfig generation_config groundingMetadata grounding_metadata
logprobsResult promptFeedback prompt_feedback safetyRatings safety_ratings safetySettings systemInstruction
system_instruction toolConfig tools urlContextMetadata usageMetadata usage_metadata"""
UNSHOWN = frozenset(_UNSHOWN.split())
ROLES = {"model": "assistant", "function": "tool"}
_CALLS = (
    "functionCall", "functionResponse", "executableCode", "codeExecutionResult", "thoughtSignature", "function_call",
    "function_response", "executable_code", "code_execution_result", "thought_signature",
)  # fmt: skip
_MEDIA = ("inlineData", "fileData", "inline_data", "file_data")


def matches(document: Any) -> bool:
    """Whether a JSON document is meant to be in this format."""
    return isinstance(document, dict) and ("candidates" in document or "contents" in document)


def parse(document: dict[str, Any]) -> Record:
    """Read contents and candidates; passages that a search grounded the answer on are its contexts.

    Raises:
        InputError: naming what does not fit.
    """
    reading, turns, contexts = UnreadParts(), list[Turn](), tuple[Document, ...]()
    for number, content in enumerate(_list(document, "contents")):
        turns.append(content_turn(content, below("contents", number), reading))
    for number, candidate in enumerate(_list(document, "candidates")):
        place = below("candidates", number)
        if not isinstance(candidate, dict) or "content" not in candidate:
            raise InputError(f"{place}: should be an object with a content")
        content = candidate["content"]
        given = {"role": "model", **content} if isinstance(content, dict) else content
        at = below(place, "content")
        turns.append(spoken(content_turn(given, at, reading), at))
        contexts = joined(contexts, _grounding(candidate, place, reading))
        reading.rest(candidate, place, known=("content",), unshown=UNSHOWN)
    reading.rest(document, "", known=("candidates", "contents"), unshown=UNSHOWN)
    writer = about(writer=document.get("modelVersion", document.get("model_version")))
    return Record(tuple(turns), not_read=reading.left, contexts=contexts, metadata=writer)


def content_turn(content: Any, place: str, reading: UnreadParts) -> Turn:
    """Read one content: its parts are those of a message of any other service, by other names."""
    if not isinstance(content, dict) or not isinstance(content.get("parts", []), list):
        raise InputError(f"{place}: should be an object with parts")
    parts = [_part(part) for part in content.get("parts", [])]
    role = content.get("role", "user")
    role = ROLES.get(str(role), role)
    reading.rest(content, place, known=("parts", "role"), unshown=(), shown=role == "assistant")
    return turn_of({"role": role, "content": parts}, place, reading)


def _part(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    if part.get("thought") is True:
        return {"type": "thinking", **part}
    if any(key in part for key in _CALLS) and "text" not in part:
        return {"type": "tool_use", **part}
    if any(key in part for key in _MEDIA):
        return {"type": "file", **part}
    return {key: value for key, value in part.items() if key not in ("thoughtSignature", "thought_signature")}


def _grounding(candidate: dict[str, Any], place: str, reading: UnreadParts) -> tuple[Document, ...]:
    """Chunks that hold a text; those of a web search are an address alone."""
    found = candidate.get("groundingMetadata", candidate.get("grounding_metadata"))
    chunks = found.get("groundingChunks", found.get("grounding_chunks")) if isinstance(found, dict) else None
    texts = [
        chunk for chunk in chunks or ()
        if isinstance(chunk, dict) and isinstance(chunk.get("retrievedContext"), dict)
        and isinstance(chunk["retrievedContext"].get("text"), str)
    ] if isinstance(chunks, list) else []  # fmt: skip
    return contexts_of(texts, below(place, "groundingMetadata", "groundingChunks"), reading)


def _list(document: dict[str, Any], key: str) -> list[Any]:
    value = document.get(key, [])
    if not isinstance(value, list):
        raise InputError(f"{key}: should be a list")
    return value
