"""A conversation as plain text: `User: …`, `Assistant: …`, also as Slack and WhatsApp export it."""

from __future__ import annotations

import re
from typing import Any

from gate.errors import InputError
from gate.model import Role

NAME = "speakers"
SPEAKERS: dict[str, Role] = {
    **dict.fromkeys(("user", "human", "customer", "client", "visitor", "you", "me", "question", "q"), "user"),
    **dict.fromkeys(
        ("assistant", "ai", "bot", "chatbot", "agent", "model", "llm", "chatgpt", "gpt", "claude", "gemini", "copilot",
         "support bot", "answer", "a"), "assistant",
    ),
    **dict.fromkeys(("system", "tool"), "system"),
}  # fmt: skip
_STAMP = r"(?:\[[^\[\]\n]{4,40}\]\s?|\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])? - )"
_LINE = re.compile(rf"(?:\u200e?{_STAMP})?\*{{0,2}}([^\W\d_][\w .'-]{{0,39}}?)\*{{0,2}}:\*{{0,2}}(?:\s|$)")
_STAMPED = re.compile(rf"\u200e?{_STAMP}")
LEAST = 2
"""Messages with a time before them that make an export."""


def matches(text: str) -> bool:
    """Whether a text is a conversation: it begins with a line of a known speaker, and both sides speak in it."""
    lines = [line for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    if not lines or (_name(lines[0]) not in SPEAKERS and not _STAMPED.match(lines[0])):
        return False
    roles = {SPEAKERS[name] for name in map(_name, lines) if name in SPEAKERS}
    stamped = sum(1 for line in lines if _STAMPED.match(line) and _name(line))
    return {"user", "assistant"} <= roles or (bool(_STAMPED.match(lines[0])) and stamped >= LEAST)


def document(text: str) -> dict[str, Any]:
    """Read it into turns.

    In an export whose lines begin with a time everybody who is not known as an assistant is a user; elsewhere a line
    that begins with no known name goes on with what was said before.

    Raises:
        InputError: nobody in it is known as an assistant.
    """
    turns: list[dict[str, Any]] = []
    held: list[list[str]] = []
    for line in text.removeprefix("\ufeff").splitlines():
        name = _name(line)
        role = SPEAKERS.get(name) or ("user" if name and _STAMPED.match(line) else None)
        if role is not None:
            found = _LINE.match(line)
            turns.append({"role": role})
            held.append([line[found.end() :] if found else line])
        elif turns:
            held[-1].append(line)
        elif line.strip():
            raise InputError("line 1: should begin with who speaks, as in `User: …`")
    for turn, lines in zip(turns, held, strict=True):
        turn["content"] = "\n".join(lines).strip()
    if not any(turn["role"] == "assistant" for turn in turns):
        raise InputError("nobody in it is known as an assistant", hint="name the answering side `Assistant:`")
    return {"turns": turns}


def _name(line: str) -> str:
    found = _LINE.match(line)
    return " ".join(found[1].casefold().split()) if found else ""
