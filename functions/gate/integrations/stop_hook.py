"""`gate hook`: what a coding agent says of a repository is checked before it ends its turn."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gate.cli.options import A_FILE
from gate.errors import InputError

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
    reason. It is stopped once: an event with `stop_hook_active` is let through.

    \b
    gate hook --repo . --corpus docs/

    \b
    0  the event was answered
    2  it cannot be read, or the repository cannot
    """
    event = _event(sys.stdin.buffer.read(MOST_BYTES + 1))
    message = "" if event.get("stop_hook_active") else _last_message(event)
    reasons = _reasons(message, repo, corpus) if message.strip() else []
    if reasons:
        click.echo(json.dumps({"decision": "block", "reason": "\n".join(reasons)}))


def _reasons(message: str, repo: Path, corpus: str | None) -> list[str]:
    from gate.integrations.mcp_server import missing_in
    from gate.text.visible import one_line

    said = []
    for each in missing_in(repo, message):
        if each["certain"]:
            meant = f" Did you mean {each['did_you_mean']}?" if each["did_you_mean"] else ""
            said.append(one_line(f"{each['name']} does not exist in the repository.{meant}"))
    if corpus is not None:
        from gate.integrations.chain_values import as_said
        from gate.local.gate import Gate
        from gate.reports.findings import message as about
        from gate.reports.findings import objections

        report = Gate(corpus).check(as_said(message))
        if report.outcome == "block":
            objected = objections(report)
            said += [one_line(about(claim, report)) for claim in report.claims if claim.claim_id in objected]
    return ["Correct what you said, or say that it is to be made:", *said] if said else []


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


def _last_message(event: Mapping[str, Any]) -> str:
    """What the agent said last; empty where it said nothing."""
    if isinstance(said := event.get("last_assistant_message"), str):
        return said
    path = event.get("transcript_path")
    if not isinstance(path, str):
        raise InputError("the event has neither last_assistant_message nor transcript_path")
    try:
        with Path(path).expanduser().open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or type(error).__name__).lower()}") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"{path}: larger than {MOST_BYTES} bytes")
    for line in reversed(data.splitlines()):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and (said := _text_of(entry)):
            return said
    return ""


def _text_of(entry: Mapping[str, Any]) -> str:
    """What the agent said in an entry of its transcript; empty where somebody else did, or it is no text."""
    message = entry.get("message", entry)
    if not isinstance(message, dict) or message.get("role") != "assistant":
        return ""
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
