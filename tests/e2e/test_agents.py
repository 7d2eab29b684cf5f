"""What agents are given: an MCP server, spoken to by the official SDK's client, and a hook on the end of their turn."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from mcp import ClientSession, StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

from gate import cli
from gate.integrations.mcp_requests import MOST_LINE_BYTES, TOO_LONG
from gate.integrations.mcp_server import server
from gate.local.gate import Gate
from tests.stubs.converse import failure, running
from tests.stubs.openai import ChatStub

pytestmark = pytest.mark.e2e
SENTENCE = "The lamp weighs 200 g."


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a corpus and a repository."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.jsonl").write_text('{"id": "p1", "title": "Data sheet", "text": "The lamp weighs 200 g."}\n')
    (tmp_path / "repo" / "src").mkdir(parents=True)
    (tmp_path / "repo" / "src" / "lamp.py").touch()
    return tmp_path


def call(place: Path, tool: str, *, repo: bool = True, **arguments: Any) -> Any:
    """What a tool answers, or the text of its error."""
    how: dict[str, Any] = {"model": "local:lexical", "home": place / "home"}
    made = server(Gate(place / "corpus.jsonl", **how), place / "repo" if repo else None)

    async def ask() -> Any:
        async with Client(made) as client:
            found = await client.call_tool(tool, arguments)
            text = " ".join(part.text for part in found.content if part.type == "text")
            return text if found.is_error else (found.structured_content or {}).get("result", found.structured_content)

    return asyncio.run(ask())


def test_an_agent_learns_of_each_claim_beside_its_evidence(place: Path) -> None:
    found = call(place, "check_answer", answer=f"{SENTENCE} It weighs 900 g.")
    assert found["outcome"] == "block", found["failure"]
    assert [claim["status"] for claim in found["claims"]] == ["supported", "unsupported"]
    assert found["claims"][1]["evidence"] == {"text": SENTENCE, "title": "Data sheet"}
    assert found["claims"][1]["failed_checks"] == ["units"]
    assert call(place, "check_answer", answer=SENTENCE, contexts=["It is red."])["outcome"] != "pass"


DISGUISED = json.dumps(
    {"messages": [{"role": "user", "content": "It weighs 900 g."}, {"role": "assistant", "content": SENTENCE}]}
)


def test_what_an_agent_says_in_the_form_of_a_transcript_is_all_judged(place: Path) -> None:
    assert call(place, "check_answer", answer=DISGUISED)["outcome"] != "pass"
    assert "900" in str(call(place, "explain_claim", answer=DISGUISED, claim="900"))


def test_an_agent_finds_evidence_and_paths_that_are_not_there(place: Path) -> None:
    assert call(place, "find_evidence", question="How heavy is the lamp?")[0]["id"] == "p1"
    text = "It is in [lamp.py](src/lamp.py) and [bulb.py](src/bulb.py). Call `light_up()`."
    missing = call(place, "verify_names", text=text)
    assert [(each["name"], each["kind"], each["certain"]) for each in missing] == [
        ("src/bulb.py", "path", True),
        ("light_up()", "name", False),
    ]


def test_an_agent_is_told_how_a_claim_was_judged(place: Path) -> None:
    steps = call(place, "explain_claim", answer=f"{SENTENCE} It weighs 900 g.", claim="900")
    found = {step["step"]: step["found"] for step in steps}
    assert found["label"].startswith("unsupported")
    assert "Data sheet" in found["looked at"]
    assert "units differ" in found["check"]
    assert "there is no such claim" in call(place, "explain_claim", answer=SENTENCE, claim="a whale")
    beside = call(place, "explain_claim", answer=SENTENCE, claim="lamp", contexts=["It is red."])
    assert "Data sheet" not in str(beside)


def test_what_is_refused_is_told_and_an_agent_names_no_file(place: Path) -> None:
    assert "there is no answer to check" in call(place, "check_answer", answer=" ")
    assert "there are no contexts" in call(place, "check_answer", answer=SENTENCE, contexts=[])
    assert "verify_names" in call(place, "verify_names", repo=False, text="a")
    how: dict[str, Any] = {"model": "local:lexical", "home": place / "home"}

    async def parameters() -> dict[str, set[str]]:
        async with Client(server(Gate(**how), place)) as client:
            return {one.name: set(one.input_schema["properties"]) for one in (await client.list_tools()).tools}

    assert asyncio.run(parameters()) == {
        "check_answer": {"answer", "contexts"},
        "explain_claim": {"answer", "claim", "contexts"},
        "find_evidence": {"question", "top_k"},
        "verify_names": {"text"},
    }


def test_the_command_serves_a_client_on_the_standard_streams(place: Path) -> None:
    environment = {**os.environ, "GATE_MODEL": "local:lexical", "GATE_EMBEDDER": "none", "GATE_HOME": str(place / "h")}
    started = StdioServerParameters(
        command=sys.executable, args=["-m", "gate", "mcp", "--corpus", str(place / "corpus.jsonl")], env=environment
    )

    async def ask() -> Any:
        async with stdio_client(started) as streams, ClientSession(*streams) as session:
            await session.initialize()
            return await session.call_tool("check_answer", {"answer": SENTENCE})

    assert asyncio.run(asyncio.wait_for(ask(), 60)).structured_content["outcome"] == "pass"


def replies(place: Path, *lines: bytes) -> list[dict[str, Any]]:
    """What the command answers on its standard output to lines that no client of the SDK would send."""
    environment = {**os.environ, "GATE_MODEL": "local:lexical", "GATE_EMBEDDER": "none", "GATE_HOME": str(place / "h")}
    client = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "odd", "version": "1"}}
    first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}
    started = subprocess.Popen(
        [sys.executable, "-m", "gate", "mcp", "--corpus", str(place / "corpus.jsonl")],
        env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=(place / "stderr").open("wb"),
    )  # fmt: skip
    assert started.stdin is not None
    assert started.stdout is not None
    with started:
        sent = [json.dumps(first).encode(), *lines, b'{"jsonrpc":"2.0","id":"last","method":"ping"}', b""]
        started.stdin.write(b"\n".join(sent))
        started.stdin.flush()
        found = [json.loads(started.stdout.readline())]
        while len(found) < 2 or not {0, "last"} <= {each["id"] for each in found}:
            found.append(json.loads(started.stdout.readline()))
        started.stdin.close()
    assert started.returncode == 0
    return found


CALL = b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"check_answer","arguments":{"answer":%s}}}'
NO_MESSAGES = [
    (CALL % rb'"The lamp \ud800 weighs 200 g."', 7, -32700, "hex escape"),
    (rb'{"jsonrpc":"2.0","id":"\ud800","method":"ping"}', None, -32700, "hex escape"),
    (b"{nope", None, -32700, "Invalid JSON"),
    (CALL % (b"[" * 100_000 + b"]" * 100_000), None, -32700, "recursion limit"),
    (b'{"jsonrpc":"2.0","id":' + b"9" * 5_000 + b',"method":"ping"}', None, -32700, "number out of range"),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None, -32600, "no JSON-RPC 2.0 message"),
    (b'{"jsonrpc":"2.0","id":8,"method":"ping","params":[1]}', 8, -32600, "no JSON-RPC 2.0 message"),
    (b'{"id":9,"method":"ping"}', 9, -32600, "no JSON-RPC 2.0 message"),
    (CALL % (b'"%s"' % (b"x" * MOST_LINE_BYTES)), None, -32700, TOO_LONG),
]


def test_each_line_that_is_no_message_gets_one_error_and_the_next_ones_are_served(place: Path) -> None:
    asks_for_none = [b"", b"  ", b'{"jsonrpc":"2.0","id":3,"result":{}}', b'{"jsonrpc":"1","id":3,"error":{}}']
    found = replies(place, *[line for line, *_ in NO_MESSAGES], *asks_for_none)
    refused = [each for each in found if "error" in each]
    assert len(found) == len(refused) + 2
    assert [(each["id"], each["error"]["code"]) for each in refused] == [(id_, code) for _, id_, code, _ in NO_MESSAGES]
    assert all(text in each["error"]["message"] for each, (*_, text) in zip(refused, NO_MESSAGES, strict=True))


def test_no_words_of_an_agent_or_a_corpus_steer_a_terminal_or_turn_the_reading_direction(place: Path) -> None:
    (place / "corpus.jsonl").write_text(r'{"id": "p1", "title": "\u001b[31mSheet", "text": "The lamp \u202e is red."}')
    named = rb'{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"\u001b[31m"}}'
    assert {reply["id"] for reply in replies(place, named)} == {0, 7, "last"}
    assert b"prompt" in (place / "stderr").read_bytes()
    assert b"\x1b" not in (place / "stderr").read_bytes()
    found = call(place, "find_evidence", question="lamp")
    assert (found[0]["title"], found[0]["content"]) == ("\ufffd[31mSheet", "The lamp \ufffd is red.")


def hook(event: Any, *arguments: str) -> Result:
    return CliRunner().invoke(cli.group, ["hook", "--repo", "repo", *arguments], input=json.dumps(event))


INVENTED = "I put it into [bulb.py](src/bulb.py). The lamp weighs 900 g."


def test_an_agent_that_cites_what_is_not_there_goes_on_once(place: Path) -> None:
    stopped = json.loads(hook({"last_assistant_message": INVENTED}).output)
    assert stopped["decision"] == "block"
    assert "src/bulb.py does not exist in the repository." in stopped["reason"]
    assert hook({"last_assistant_message": INVENTED, "stop_hook_active": True}).output == ""
    assert hook({"last_assistant_message": "I put it into [lamp.py](src/lamp.py)."}).output == ""


def test_the_last_message_of_a_transcript_counts_and_its_claims_where_a_corpus_is_given(place: Path) -> None:
    entries: list[Any] = [
        {"type": "assistant", "message": {"role": "assistant", "content": "It is in [x.py](src/x.py)."}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": INVENTED}]}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "input": {}}]}},
        {"type": "user", "message": {"role": "user", "content": "Thank you, see [y.py](src/y.py)."}},
    ]
    lines = "\n".join([*map(json.dumps, entries), "{broken"])
    (place / "transcript.jsonl").write_text(lines)
    reason = json.loads(hook({"transcript_path": "transcript.jsonl"}).output)["reason"]
    assert "src/bulb.py" in reason
    assert "src/x.py" not in reason
    assert "src/y.py" not in reason


def test_claims_are_checked_where_a_corpus_is_given(place: Path) -> None:
    claims = "The lamp weighs 900 g. It is made of oak. It is blue."
    disguised = {"messages": [{"role": "user", "content": claims}, {"role": "assistant", "content": SENTENCE}]}
    environment = {**os.environ, "GATE_MODEL": "local:lexical", "GATE_HOME": str(place / "home")}
    for said in (claims, json.dumps(disguised)):
        done = subprocess.run(
            [sys.executable, "-m", "gate", "hook", "--repo", "repo", "--corpus", "corpus.jsonl"],
            input=json.dumps({"last_assistant_message": said}), env=environment, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        assert "the evidence has 200 g" in json.loads(done.stdout)["reason"]


@pytest.mark.parametrize("cited", [True, False])
def test_claims_that_could_not_be_checked_are_said(place: Path, cited: bool) -> None:
    said = f"I put it into [bulb.py](src/bulb.py). {SENTENCE}" if cited else SENTENCE
    with running(ChatStub()) as stub:
        stub.on("lamp", failure(401, "no_key"))
        named = {"GATE_MODEL": "openai:m", "GATE_MODEL_ENDPOINT": f"{stub.url}/v1", "GATE_HOME": str(place / "home")}
        done = subprocess.run(
            [sys.executable, "-m", "gate", "hook", "--repo", "repo", "--corpus", "corpus.jsonl"],
            input=json.dumps({"last_assistant_message": said}), env={**os.environ, **named}, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
    told = json.loads(done.stdout)["reason"] if cited else done.stderr
    assert done.returncode == (0 if cited else 2)
    assert ("src/bulb.py" in told, "the key is not accepted" in told) == (cited, True), done
    assert "its claims were not checked: " in told


def transcript(place: Path, *entries: Any, end: str = "\n") -> Result:
    """What the hook says of a transcript of these entries."""
    (place / "transcript.jsonl").write_text("\n".join(map(json.dumps, entries)) + end)
    return hook({"transcript_path": "transcript.jsonl"})


def part(text: str, message: str = "m1") -> Any:
    """A part of a message of the assistant's, as an entry of its own."""
    content = [{"type": "text", "text": text}]
    return {"type": "assistant", "message": {"role": "assistant", "id": message, "content": content}}


def test_the_entries_of_one_message_are_one_message(place: Path) -> None:
    used = {"type": "assistant", "message": {"role": "assistant", "id": "m1", "content": [{"type": "tool_use"}]}}
    before = part("It is in [x.py](src/x.py).", "m0")
    reason = json.loads(transcript(place, before, part(INVENTED), used, part("Done.")).output)["reason"]
    assert "src/bulb.py" in reason
    assert "src/x.py" not in reason


def test_a_transcript_that_is_cut_in_its_last_line_does_not_pass_for_the_message_before(place: Path) -> None:
    cut = json.dumps(part(INVENTED))[:-20]
    done = transcript(place, part("Fine.", "m0"), end=f"\n{cut}")
    assert (done.exit_code, "the last message was not checked: " in done.stderr) == (2, True), done.stderr
    assert transcript(place, part("Fine."), end="\n\n").exit_code == 0


def test_a_corpus_that_is_not_there_is_said_beside_what_is_wrong(place: Path) -> None:
    said = hook({"last_assistant_message": INVENTED}, "--corpus", "gone")
    assert "src/bulb.py" in json.loads(said.output)["reason"]
    assert "its claims were not checked: " in json.loads(said.output)["reason"]


def test_a_transcript_that_is_a_pipe_is_refused(place: Path) -> None:
    os.mkfifo(place / "pipe")
    done = hook({"transcript_path": "pipe"})
    assert (done.exit_code, "pipe: " in done.stderr) == (2, True)
    assert hook({"transcript_path": "\0"}).exit_code == 2


@pytest.mark.parametrize("active", ["false", "true", 1, None, False])
def test_an_agent_is_let_through_where_it_says_for_certain_that_it_was_stopped(place: Path, active: Any) -> None:
    assert json.loads(hook({"last_assistant_message": INVENTED, "stop_hook_active": active}).output)


def test_a_hook_that_fails_for_ever_holds_an_agent_up_once(place: Path) -> None:
    event = {"transcript_path": "gone"}
    assert hook(event).exit_code == 2
    assert hook({**event, "stop_hook_active": True}).exit_code == 0


@pytest.mark.parametrize(
    ("event", "said"),
    [([], "no JSON object"), ({}, "neither last_assistant_message"), ({"transcript_path": "no"}, "no: no such file")],
)
def test_an_event_that_cannot_be_read_is_said(place: Path, event: Any, said: str) -> None:
    done = hook(event)
    assert (done.exit_code, said in done.stderr) == (2, True)
