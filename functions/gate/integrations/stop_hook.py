"""`gate hook`: what a coding agent says of a repository is checked before it ends its turn."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from io import BufferedReader
from pathlib import Path
from typing import Any

import click

from gate.cli.options import A_FILE
from gate.errors import GateError, InputError

MOST_BYTES = 50_000_000
"""Of a transcript; its last message counts alone."""


@click.command(short_help="Stop a coding agent that cites paths which do not exist.")
@click.option("--repo", type=A_FILE, default=Path(), show_default="here", help="The repository.")
@click.option("--corpus", metavar="NAME|PATH", help="Check its claims against these documents too.")
def hook(repo: Path, corpus: str | None) -> None:
    """Check the last message of a coding agent, as a hook on its stop event.

    The standard input holds the event (JSON) with `last_assistant_message`, or with `transcript_path`, a transcript
    with a message a line. Where the message cites paths that the repository does not hold, or with --corpus makes
    claims that the policy blocks, the answer is `{"decision": "block", "reason": …}`, and the agent goes on with the
    reason. What could not be checked is said in one line, with exit code 2, which holds an agent up as well. It is held
    up once: an event with `stop_hook_active` is let through, before anything else is looked at.

    \b
    gate hook --repo . --corpus docs/

    \b
    0  the event was answered
    2  the event, the transcript, the repository or the corpus cannot be read, or no claim could be judged
    """
    try:
        said, missed = _looked_at(_event(sys.stdin.buffer.read(MOST_BYTES + 1)), repo, corpus)
    except GateError as error:
        raise InputError(f"nothing was checked: {error.safe_message}", hint=error.hint) from None
    if said:
        reasons = ["Correct what you said, or say that it is to be made:", *said, *missed]
        click.echo(json.dumps({"decision": "block", "reason": "\n".join(reasons)}))
    elif missed:
        raise InputError(missed[0])


def _looked_at(event: Mapping[str, Any], repo: Path, corpus: str | None) -> tuple[list[str], list[str]]:
    """What is wrong with what an agent said, and what of it could not be looked at."""
    if event.get("stop_hook_active") is True:  # first of all: a hook that fails for ever would hold it up for ever
        return [], []
    message, is_cut = _last_message(event)
    missed = ["the last message was not checked: the transcript is cut at its end"] if is_cut else []
    if not message.strip():
        return [], missed
    said = _missing(message, repo)
    objected, unjudged = _objections(message, corpus) if corpus is not None else ([], [])
    return [*said, *objected], [*missed, *unjudged]


def _missing(message: str, repo: Path) -> list[str]:
    from gate.integrations.mcp_server import missing_in
    from gate.text.visible import one_line

    said = []
    for each in missing_in(repo, message):
        if each["certain"]:
            meant = f" Did you mean {each['did_you_mean']}?" if each["did_you_mean"] else ""
            said.append(one_line(f"{each['name']} does not exist in the repository.{meant}"))
    return said


def _objections(message: str, corpus: str) -> tuple[list[str], list[str]]:
    """What the policy blocks of a message, and why its claims could not be judged."""
    from gate.integrations.chain_values import as_said
    from gate.local.gate import Gate
    from gate.reports.findings import message as about
    from gate.reports.findings import objections
    from gate.reports.wording import nothing_checked
    from gate.text.visible import one_line

    try:
        report = Gate(corpus).check(as_said(message))
    except GateError as error:
        return [], [one_line(f"its claims were not checked: {error.safe_message}")]
    if failed := report.failure.message or report.failure.error if report.failure else nothing_checked(report):
        return [], [one_line(f"its claims were not checked: {failed}")]
    objected = objections(report) if report.outcome == "block" else {}
    return [one_line(about(claim, report)) for claim in report.claims if claim.claim_id in objected], []


def _event(data: bytes) -> Mapping[str, Any]:
    from gate.text.formats import strict_json

    if len(data) > MOST_BYTES:
        raise InputError(f"the event is larger than {MOST_BYTES} bytes")
    try:
        event = strict_json.load(data.decode())
    except UnicodeDecodeError:
        raise InputError("the event is not UTF-8") from None
    if not isinstance(event, dict):
        raise InputError("the event is no JSON object")
    return event


def _last_message(event: Mapping[str, Any]) -> tuple[str, bool]:
    """What the agent said last, empty where it said nothing; and whether something behind it cannot be read.

    A message stands in a transcript in as many entries as it has parts: those of one id are one.
    """
    if isinstance(said := event.get("last_assistant_message"), str):
        return said, False
    path = event.get("transcript_path")
    if not isinstance(path, str):
        raise InputError("the event has neither last_assistant_message nor transcript_path")
    parts: list[str] = []
    said_id: Any = None
    is_cut = False
    for line in reversed(_transcript(path).splitlines()):
        try:
            message = _of_assistant(json.loads(line))
        except (ValueError, RecursionError):
            is_cut = is_cut or bool(line.strip() and not parts)
            continue
        text = _text_of(message)
        if parts and message and (said_id is None or message.get("id") != said_id):
            break
        if text:
            parts.append(text)
            said_id = message.get("id")
    return "\n\n".join(reversed(parts)), is_cut


def _transcript(path: str) -> bytes:
    from gate.adapters.local_files import open_plain

    try:
        with BufferedReader(open_plain(Path(path).expanduser())) as opened:
            data = opened.read(MOST_BYTES + 1)
    except (OSError, ValueError, RuntimeError) as error:  # a name with a NUL; a home that nobody has
        raise InputError(f"{path}: {(getattr(error, 'strerror', '') or type(error).__name__).lower()}") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"{path}: larger than {MOST_BYTES} bytes")
    return data


def _of_assistant(entry: Any) -> Mapping[str, Any]:
    """The message of an entry of a transcript; empty where it is none of the agent's."""
    message = entry.get("message", entry) if isinstance(entry, dict) else None
    return message if isinstance(message, dict) and message.get("role") == "assistant" else {}


def _text_of(message: Mapping[str, Any]) -> str:
    """What a message says; empty where it is no text."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
