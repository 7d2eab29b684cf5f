"""Models behind OpenAI's protocol, spoken to over HTTP: what is sent, how an answer is read, and what goes wrong."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gate import cli, wiring
from gate.adapters.local_files import FolderBlobStore
from gate.adapters.model_protocol.strict_bodies import MAX_REPLY_BYTES, request_id_of
from gate.adapters.model_verifier import ModelVerifier
from gate.adapters.openai import service
from gate.adapters.openai.chat import ChatModel
from gate.adapters.openai.service import ServiceOptions
from gate.adapters.spending.allowance import Allowance, allowing
from gate.agents.verify_claims import verify_claims
from gate.errors import (
    AnswerError,
    AnswerRefusedError,
    ModelThrottledError,
    ModelUnavailableError,
    RequestRefusedError,
    SettingsError,
)
from gate.model import Document
from gate.ports import Completion, Question
from gate.prompts import load
from gate.prompts.fencing import fence, unfence
from gate.prompts.verdicts import parse_verdict, read_verdict, verdict_question
from gate.settings import Settings
from tests.entrance import Entrance
from tests.stubs.converse import BESIDE_A_TOOL, Response, Seen, by_tool, failure, judged, message, running, text
from tests.stubs.openai import ChatStub, completion
from tests.stubs.sockets import dead_port

pytestmark = pytest.mark.integration

CLAIM = "The shop opens at nine."
DOCUMENTS: list[Document] = [{"content": "Note: the shop opens at nine every day."}]
QUESTION = verdict_question(fence(CLAIM, DOCUMENTS))
KEY = "sk-secret-9f27"

Ask = Callable[..., Completion]


@pytest.fixture
def stub() -> Iterator[ChatStub]:
    with running(ChatStub()) as stub:
        assert isinstance(stub, ChatStub)
        yield stub


@pytest.fixture
def model(stub: ChatStub) -> Callable[..., ChatModel]:
    def model(name: str = "llama3.1", **options: Any) -> ChatModel:
        return ChatModel(name, ServiceOptions(**{"endpoint": f"{stub.url}/v1", **options}))

    return model


@pytest.fixture
def ask(model: Callable[..., ChatModel]) -> Ask:
    return lambda name="llama3.1", **options: model(name, **options).complete(QUESTION)


def label(completion: Completion) -> str:
    return read_verdict(completion.text, unfence(QUESTION.text)).label


def sent(stub: ChatStub, place: int = -1) -> dict[str, Any]:
    """What was sent, as it was on the wire."""
    body: dict[str, Any] = stub.seen[place].body["sent"]
    return body


# What is asked


def test_a_model_is_held_to_a_schema_that_strict_servers_take(stub: ChatStub, ask: Ask) -> None:
    reply = ask()
    form = sent(stub)["response_format"]
    assert (form["type"], form["json_schema"]["name"], form["json_schema"]["strict"]) == (
        "json_schema",
        "verdict",
        True,
    )
    schema = form["json_schema"]["schema"]
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"])
    assert label(reply) == "supported"
    assert stub.seen[0].path == "/v1/chat/completions"


def test_what_the_service_calls_the_request_comes_with_the_answer(ask: Ask) -> None:
    assert ask().request_id == "c1"


@pytest.mark.parametrize("told", ["", "Jane Doe", "x" * 129, "-x", "é", "a\n", 7, None, ["c1"]])
def test_what_could_be_no_id_is_none(told: object) -> None:
    assert request_id_of(told) == ""


def test_a_tool_is_forced_and_its_arguments_are_the_answer(stub: ChatStub, ask: Ask) -> None:
    assert label(ask(answers="tool")) == "supported"
    assert sent(stub)["tool_choice"] == {"type": "function", "function": {"name": "verdict"}}
    assert [tool["function"]["name"] for tool in sent(stub)["tools"]] == ["verdict"]


def test_nothing_is_streamed_and_nothing_of_ours_but_the_question_is_sent(stub: ChatStub, ask: Ask) -> None:
    for answers in ("schema", "tool", "text"):
        ask(answers=answers)
    for seen in stub.seen:
        body = seen.body["sent"]
        rest = {"model", "messages", "stream", "max_tokens", "temperature"}
        assert body.keys() <= rest | {"response_format", "tools", "tool_choice"}
        assert (body["stream"], body["temperature"], body["model"]) == (False, 0, "llama3.1")
        assert [one["role"] for one in body["messages"]] == ["system", "user"]
        assert seen.prompt == QUESTION.text
        assert seen.system in (load("verify_claims").in_words, load("verify_claims").by_schema)
        assert "authorization" not in seen.headers


def test_a_model_that_thinks_is_given_room_and_no_temperature(stub: ChatStub, ask: Ask) -> None:
    ask("gpt-5-mini")
    body = sent(stub)
    assert body["max_completion_tokens"] == 2_448
    assert not {"max_tokens", "temperature"} & body.keys()


def test_a_refused_schema_moves_on_to_the_tool_and_stays_there(stub: ChatStub, model: Callable[..., ChatModel]) -> None:
    stub.on('"response_format"', failure(400, "unsupported_parameter"))
    asked = model()
    for _ in range(2):
        assert label(asked.complete(QUESTION)) == "supported"
    assert ["tools" in seen.body["sent"] for seen in stub.seen] == [False, True, True]


def test_a_refused_temperature_ends_in_the_words_of_newer_models(
    stub: ChatStub, model: Callable[..., ChatModel]
) -> None:
    stub.on('"max_tokens"', failure(400, "unsupported_parameter"))
    asked = model("a-deployment")
    assert label(asked.complete(QUESTION)) == label(asked.complete(QUESTION)) == "supported"
    assert len(stub.seen) == 5
    assert "max_completion_tokens" in sent(stub)


def test_a_free_question_is_asked_in_words(stub: ChatStub, model: Callable[..., ChatModel]) -> None:
    stub.on("Hello", text("Hi"))
    assert model().complete(Question("Hello")).text == "Hi"
    assert [one["role"] for one in sent(stub)["messages"]] == ["user"]
    assert "response_format" not in sent(stub)


# Who asks


def test_a_key_travels_as_a_bearer_and_is_in_no_text(
    stub: ChatStub, ask: Ask, entrance: Entrance, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ask(key=KEY)
    assert stub.seen[0].headers["authorization"] == f"Bearer {KEY}"
    stub.on("nine", failure(401, "invalid_api_key"))
    with pytest.raises(SettingsError) as raised:
        ask(key=KEY)
    settings = Settings.model_validate({"model_key": KEY})
    told = [str(raised.value), raised.value.hint, repr(settings), str(settings), settings.model_dump_json()]
    told += [repr(ServiceOptions("http://x", KEY)), caplog.text]
    assert not any(KEY in one for one in told)
    assert "GATE_MODEL_KEY" in raised.value.hint


def test_a_key_is_read_from_a_file(stub: ChatStub, entrance: Entrance, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    entrance.change(model="openai:m", model_endpoint=f"{stub.url}/v1", model_key_file=file, verdict_cache=False)
    wiring.current().verifier().judge(CLAIM, "", DOCUMENTS)
    assert stub.seen[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_verdict_is_not_given_again_for_a_model_of_the_same_name_at_another_address(
    stub: ChatStub, entrance: Entrance, tmp_path: Path
) -> None:
    entrance.give(blob_store=FolderBlobStore(tmp_path))
    with running(ChatStub()) as other:
        for url in (stub.url, stub.url, other.url):
            entrance.change(model="openai:m", model_endpoint=f"{url}/v1")
            wiring.current().verifier().judge(CLAIM, "", DOCUMENTS)
        assert (len(stub.seen), len(other.seen)) == (1, 1)


@pytest.mark.parametrize("content", [None, b"", b" \n", b"\xff"])
def test_a_file_that_holds_no_key_is_said(entrance: Entrance, tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "key"
    if content is not None:
        file.write_bytes(content)
    entrance.change(model="openai:m", model_endpoint="http://localhost:1/v1", model_key_file=file)
    with pytest.raises(SettingsError, match="GATE_MODEL_KEY_FILE: "):
        wiring.current().verifier()


@pytest.mark.parametrize(
    ("endpoint", "key", "said"),
    [
        ("", "", "GATE_MODEL_ENDPOINT: is not set"),
        ("localhost:11434", "", "is no address"),
        ("ftp://x/v1", "", "is no address"),
        ("https://user:pass@x.example/v1", "", "is no address"),
        ("http://x.example:99999/v1", "", "is no address"),
        ("http://models.example/v1", KEY, "a key would travel unencrypted"),
        ("https://models.example/v1", "two\nlines", "GATE_MODEL_KEY: holds no key"),
        ("https://models.example/v1", "schlüssel", "GATE_MODEL_KEY: holds no key"),
    ],
)
def test_an_endpoint_or_key_that_cannot_be_used_is_refused_at_the_start(endpoint: str, key: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        ChatModel("m", ServiceOptions(endpoint, key))


def test_azure_takes_its_key_in_a_header_of_its_own_and_keeps_its_query(stub: ChatStub, ask: Ask) -> None:
    ask(endpoint=f"{stub.url}/openai/deployments/judge?api-version=2024-10-21")
    assert stub.seen[0].path == "/openai/deployments/judge/chat/completions?api-version=2024-10-21"
    azure = service.Service("m", ServiceOptions("https://team.openai.azure.com/openai/v1", KEY))
    assert azure._headers["api-key"] == KEY
    assert "authorization" not in azure._headers


def test_a_redirect_is_not_followed(stub: ChatStub, ask: Ask) -> None:
    stub.on("nine", Response({}, status=307))
    with pytest.raises(SettingsError, match="is elsewhere"):
        ask(key=KEY)
    assert len(stub.seen) == 1


# What comes back


def test_a_reply_says_who_answered_and_what_it_cost(stub: ChatStub, ask: Ask) -> None:
    reply = ask()
    assert reply.model == "openai:llama3.1"
    assert reply.usage == {"input": stub.seen[0].tokens, "output": reply.usage["output"], "calls": 1}


def test_tokens_read_from_the_services_cache_are_counted_apart(stub: ChatStub, ask: Ask) -> None:
    def cached(seen: Seen) -> Response:
        usage = {"prompt_tokens": 90, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 64}}
        return Response(json.dumps({**completion(judged(seen).body), "usage": usage}).encode())

    stub.on("nine", cached)
    assert ask().usage == {"input": 26, "output": 7, "cache_read": 64, "calls": 1}


def test_the_answer_is_found_behind_the_models_thoughts(stub: ChatStub, ask: Ask) -> None:
    stub.on(
        "nine", text("<think>\nLABEL: supported\nJUSTIFICATION: so\n</think>\nLABEL: unsupported\nJUSTIFICATION: no")
    )
    assert parse_verdict(ask(answers="text").text) == ("unsupported", "no")


def test_thoughts_that_never_end_are_no_answer(stub: ChatStub, ask: Ask) -> None:
    stub.on("nine", text("<think>\nLABEL: supported\nJUSTIFICATION: never ended"))
    assert ask(answers="text").text == ""


def test_a_model_that_answers_in_words_instead_of_its_tool_is_understood(stub: ChatStub, ask: Ask) -> None:
    stub.on("nine", text("LABEL: supported\nJUSTIFICATION: Yes."))
    assert label(ask(answers="tool")) == "supported"


@pytest.mark.parametrize("stop", ["refusal", "content_filtered"])
def test_a_refusal_is_told_apart(stub: ChatStub, ask: Ask, stop: str) -> None:
    stub.on("nine", text("LABEL: supported\nJUSTIFICATION: x", stop=stop))
    with pytest.raises(AnswerRefusedError) as raised:
        ask(answers="text")
    assert raised.value.usage["output"] == 40


@pytest.mark.parametrize("stop", ["max_tokens", "something_new", ""])
def test_an_answer_that_did_not_end_well_is_no_answer(stub: ChatStub, ask: Ask, stop: str) -> None:
    stub.on("nine", text("LABEL: supported\nJUSTIFICATION: x", stop=stop))
    with pytest.raises(AnswerError):
        ask(answers="text")


@pytest.mark.parametrize("code", ["context_length_exceeded", "content_filter"])
def test_a_question_that_no_form_helps_is_refused_once(stub: ChatStub, ask: Ask, code: str) -> None:
    stub.on("nine", failure(400, code))
    with pytest.raises(AnswerRefusedError):
        ask()
    assert len(stub.seen) == 1


TOOL = {"toolUse": {"toolUseId": "1", "name": "verdict", "input": {"label": "supported"}}}


@pytest.mark.parametrize(
    "answer",
    [
        message(TOOL),
        text('{"label": "supported", "justification": '),
        text('{"label": "supported"} and {"label": "supported"}'),
        message(TOOL, TOOL),
    ],
)
def test_json_that_does_not_fit_is_asked_for_once_more_and_then_no_answer(
    stub: ChatStub, model: Callable[..., ChatModel], answer: Response
) -> None:
    stub.on("nine", answer)
    with pytest.raises(AnswerError):
        ModelVerifier(model(answers="tool")).judge(CLAIM, "", DOCUMENTS)
    assert len(stub.seen) == 2
    assert "could not be used" in stub.seen[1].system


@pytest.mark.parametrize("beside", BESIDE_A_TOOL.values(), ids=BESIDE_A_TOOL)
def test_a_verdict_by_a_tool_beside_which_something_else_is_said_is_no_answer(
    stub: ChatStub, model: Callable[..., ChatModel], beside: dict[str, str]
) -> None:
    stub.on("nine", lambda seen: by_tool(seen, **beside))
    with pytest.raises(AnswerError):
        ModelVerifier(model(answers="tool")).judge(CLAIM, "", DOCUMENTS)
    assert len(stub.seen) == 2


@pytest.mark.parametrize("beside", ["I will record the verdict.", "<think>LABEL: unsupported</think>", "Label it:"])
def test_a_verdict_by_a_tool_that_is_announced_counts(stub: ChatStub, ask: Ask, beside: str) -> None:
    stub.on("nine", lambda seen: by_tool(seen, beside))
    assert label(ask(answers="tool")) == "supported"
    assert len(stub.seen) == 1


def body_of(**changes: Any) -> dict[str, Any]:
    """A chat completion that supports the claim, with some of its parts changed."""
    reply = "LABEL: supported\nJUSTIFICATION: Yes.\nQUOTE: the shop opens at nine\nDOCUMENTS: "
    return {**completion(message({"text": reply + unfence(QUESTION.text).handles[0]}).body), **changes}


def choice_of(**changes: Any) -> dict[str, Any]:
    [choice] = body_of()["choices"]
    return body_of(choices=[{**choice, **changes}])


NO_ENVELOPE = [
    b"",
    b"{",
    b"<html>",
    b"null",
    b"[]",
    b"7",
    b"\xff\xfe{}",
    b"[" * 100_000 + b"]" * 100_000,
    b" " * (MAX_REPLY_BYTES + 2),
    b'data: {"choices": []}\n\ndata: [DONE]\n\n',
    {"error": {"message": "try later"}},
    body_of(choices=None),
    body_of(choices=[]),
    body_of(choices=[7]),
    choice_of(message=None),
    choice_of(message={"content": 7}),
    choice_of(message={"content": None, "tool_calls": [{"function": {"arguments": {"label": "supported"}}}]}),
    choice_of(finish_reason=None),
    choice_of(finish_reason=7),
]


@pytest.mark.parametrize("body", NO_ENVELOPE, ids=range(len(NO_ENVELOPE)))
def test_a_response_that_is_no_chat_completion_is_worth_another_try(stub: ChatStub, ask: Ask, body: Any) -> None:
    stub.on("nine", Response(body))
    with pytest.raises(ModelUnavailableError):
        ask(answers="text")


def test_two_choices_are_no_answer(stub: ChatStub, ask: Ask) -> None:
    stub.on("nine", Response(body_of(choices=body_of()["choices"] * 2)))
    with pytest.raises(AnswerError, match="more than once"):
        ask(answers="text")


def test_a_key_that_a_reply_names_twice_makes_it_unreadable(stub: ChatStub, ask: Ask) -> None:
    twice = json.dumps(body_of()).replace('"choices":', '"choices": [], "choices":')
    stub.on("nine", Response(twice.encode()))
    with pytest.raises(AnswerError, match="the same key twice"):
        ask(answers="text")


@pytest.mark.parametrize(
    "usage",
    [
        None,
        "many",
        [],
        {},
        {"prompt_tokens": 5},
        {"prompt_tokens": "5", "completion_tokens": 1},
        {"prompt_tokens": 5, "completion_tokens": -1},
        {"prompt_tokens": True, "completion_tokens": 1},
        {"prompt_tokens": 10**30, "completion_tokens": 1},
        {"prompt_tokens": 5, "completion_tokens": float("nan")},
        {"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": "some"}},
    ],
    ids=str,
)
def test_an_odd_usage_throws_no_verdict_away_and_counts_as_unknown(stub: ChatStub, ask: Ask, usage: Any) -> None:
    stub.on("nine", Response(json.dumps(body_of(usage=usage)).encode()))
    reply = ask(answers="text")
    assert label(reply) == "supported"
    assert reply.usage == {"calls": 1, "unknown": 1}


# What goes wrong


@pytest.mark.parametrize(
    ("status", "code", "error"),
    [
        (429, "rate_limit_exceeded", ModelThrottledError),
        (429, "insufficient_quota", SettingsError),
        (408, "timeout", ModelUnavailableError),
        (500, "server_error", ModelUnavailableError),
        (503, "overloaded", ModelUnavailableError),
        (401, "invalid_api_key", SettingsError),
        (403, "unsupported_country", SettingsError),
        (404, "model_not_found", SettingsError),
        (413, "too_large", AnswerRefusedError),
        (422, "invalid_request_error", RequestRefusedError),
    ],
)
def test_each_failure_of_the_service_has_its_class(
    stub: ChatStub, ask: Ask, status: int, code: str, error: type[Exception]
) -> None:
    stub.on("nine", failure(status, code))
    with pytest.raises(error):
        ask(answers="text")


@pytest.mark.parametrize("body", [b"null", b"[]", b"\xff", b"<html>", b"", b"[" * 100_000, b'{"error": "no"}'])
@pytest.mark.parametrize(("status", "error"), [(503, ModelUnavailableError), (429, ModelThrottledError)])
def test_an_error_whose_body_is_damaged_is_known_by_its_status(
    stub: ChatStub, ask: Ask, status: int, error: type[Exception], body: bytes
) -> None:
    stub.on("nine", Response(body, status=status))
    with pytest.raises(error):
        ask()


def test_what_a_service_writes_into_an_error_is_not_repeated(stub: ChatStub, ask: Ask) -> None:
    told = {"error": {"message": f"{CLAIM} {KEY}", "code": f"{CLAIM} {KEY}"}}
    stub.on("nine", Response(told, status=500))
    with pytest.raises(ModelUnavailableError) as raised:
        ask()
    assert str(raised.value) == "openai:llama3.1 failed (500)"


def test_with_more_attempts_a_throttle_is_waited_out(stub: ChatStub, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(service, "sleep", slept.append)
    stub.on("nine", failure(429, "rate_limit_exceeded"), failure(503, "overloaded"), judged)
    assert label(ask(attempts=3)) == "supported"
    assert (len(stub.seen), len(slept)) == (3, 2)
    assert all(0 <= seconds <= 2 for seconds in slept)


@pytest.mark.parametrize(("asked", "most"), [("7", 7), ("9999", 20), ("soon", 1), ("-1", 1), ("9" * 400, 1)])
def test_a_service_that_asks_to_be_left_alone_is_so_for_a_while(asked: str, most: float) -> None:
    assert 0 <= service._pause_s(1, asked) <= most


def test_nobody_listening_is_unavailable(ask: Ask) -> None:
    with dead_port() as url, pytest.raises(ModelUnavailableError):
        ask(endpoint=f"{url}/v1")


def test_sixty_calls_are_in_flight_at_once(stub: ChatStub, model: Callable[..., ChatModel]) -> None:
    stub.delay_s = 0.5
    asked = model()
    threads = [threading.Thread(target=asked.complete, args=(QUESTION,)) for _ in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stub.peak >= 50


# The whole way: agent, cache, repair, budget, adapter


@pytest.fixture
def verify(entrance: Entrance, stub: ChatStub) -> Callable[..., dict[str, Any]]:
    def verify(evidence: str = CLAIM, **changes: Any) -> dict[str, Any]:
        entrance.change(**{"model": "openai:llama3.1", "model_endpoint": f"{stub.url}/v1", **changes})
        claim = {"text": CLAIM, "source_prompt": "P", "source_response": "R", "claim_id": "c0001"}
        state: dict[str, Any] = {
            "evidence": [{"claim": claim, "documents": [{"content": evidence, "id": "doc-a"}]}],
        }
        verify_claims(state)
        [verdict] = state["verdicts"]
        return dict(verdict)

    return verify


def test_a_verdict_names_the_model_and_is_asked_for_once(stub: ChatStub, verify: Callable[..., Any]) -> None:
    first, second = verify(), verify()
    assert (first["label"], first["documents"], first["checked_by"]) == ("supported", ["doc-a"], "openai:llama3.1")
    assert second["usage"] == {"cached": 1}
    verify(model="openai:other")
    assert len(stub.seen) == 2


def test_an_odd_usage_is_paid_for_at_the_estimate(stub: ChatStub, verify: Callable[..., Any]) -> None:
    stub.on("nine", lambda seen: stub.raw({**judged(seen).body, "usage": "many"}))
    with allowing(Allowance("run", 2_000)):
        usage = verify()["usage"]
    assert usage["unknown"] == 1
    assert wiring.current().ledger().spent("run") == usage["estimated"] > 400


def test_personal_data_does_not_reach_the_service(stub: ChatStub, verify: Callable[..., Any]) -> None:
    verify(evidence=f"{CLAIM} Write to ada@lovelace.example.")
    assert "lovelace" not in json.dumps([seen.body for seen in stub.seen])


def test_the_doctor_asks_the_model_and_says_where_claims_go(stub: ChatStub, entrance: Entrance) -> None:
    entrance.change(model="openai:llama3.1", model_endpoint=f"{stub.url}/v1")
    said = CliRunner().invoke(cli.group, ["doctor"]).output
    assert "openai:llama3.1 answers, at 127.0.0.1" in said
    assert "claims and evidence are sent to 127.0.0.1" in said
    stub.on("ready", failure(404, "model_not_found"))
    entrance.change(model="openai:absent")
    found = CliRunner().invoke(cli.group, ["doctor"])
    assert found.exit_code == 2
    assert "openai:absent may not be used (404, model_not_found)" in found.output
    assert "ollama pull" in found.output


def test_claims_are_read_by_the_model_too(stub: ChatStub, entrance: Entrance) -> None:
    entrance.change(model="openai:m", model_endpoint=f"{stub.url}/v1", claims="model", model_answers="text")
    stub.on("s1", text("s1: The shop opens at nine."))
    reader = wiring.current().claim_reader()
    assert reader is not None
    assert reader.read("", ["The shop, they say, opens at nine."]) == (("The shop opens at nine.",),)


def test_a_hundred_calls_use_connections_again(stub: ChatStub, model: Callable[..., ChatModel]) -> None:
    asked, began = model(), time.monotonic()
    for _ in range(100):
        asked.complete(QUESTION)
    assert time.monotonic() - began < 10
    pool = next(iter(asked._service._manager.pools._container.values()))
    assert pool.num_connections == 1
