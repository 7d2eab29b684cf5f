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

    A label that nobody has spoken under before may be a word of the answer that it stands in, "Customer: always pays",
    where the user is called otherwise or a tool or system would speak. What stands behind it is handed on as a part
    of the answer that cannot be read.

    Raises:
        InputError: nobody in it is known as an assistant.
    """
    turns: list[tuple[Role, list[list[str]]]] = []
    names: dict[str, Role] = {}
    for line in text.removeprefix("\ufeff").splitlines():
        name, stamped = _name(line), bool(_STAMPED.match(line))
        role = SPEAKERS.get(name) or ("user" if name and stamped else None)
        if role is not None:
            found = _LINE.match(line)
            said = [line[found.end() :] if found else line]
            if turns and turns[-1][0] == "assistant" and not stamped and _may_be_said(name, role, names):
                turns[-1][1].append(said)
                continue
            names[name] = role
            turns.append((role, [said]))
        elif turns:
            turns[-1][1][-1].append(line)
        elif line.strip():
            raise InputError("line 1: should begin with who speaks, as in `User: …`")
    if not any(role == "assistant" for role, _ in turns):
        raise InputError("nobody in it is known as an assistant", hint="name the answering side `Assistant:`")
    texts = [(role, ["\n".join(lines).strip() for lines in parts]) for role, parts in turns]
    if all(len(parts) == 1 for _, parts in texts):
        return {"turns": [{"role": role, "content": parts[0]} for role, parts in texts]}
    return {"messages": [{"role": role, "content": _content(*parts)} for role, parts in texts]}


def _may_be_said(name: str, role: Role, names: dict[str, Role]) -> bool:
    """Whether a label within an answer is new, and its role a tool's or taken by another name."""
    return role != "assistant" and name not in names and (role == "system" or role in names.values())


def _content(said: str, *unread: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": said}, *({"type": "another speaker", "behind": text} for text in unread)]


def _name(line: str) -> str:
    found = _LINE.match(line)
    return " ".join(found[1].casefold().split()) if found else ""
