"""The Bedrock adapter through the real SDK, against a stand-in for bedrock-runtime on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gate import __version__, wiring
from gate.adapters.aws.bedrock.client import BedrockOptions
from gate.adapters.aws.bedrock.converse import BedrockModel
from gate.adapters.local_files import FolderBlobStore
from gate.adapters.model_protocol.strict_bodies import MAX_REPLY_BYTES
from gate.adapters.model_protocol.transport import TRIES
from gate.adapters.model_verifier import ModelVerifier
from gate.adapters.spending.allowance import Allowance, allowing
from gate.agents.verify_claims import verify_claims
from gate.errors import (
    AnswerError,
    AnswerRefusedError,
    ModelThrottledError,
    ModelUnavailableError,
    SettingsError,
    TooSlowError,
)
from gate.model import Document
from gate.ports import Completion, Question
from gate.prompts import load
from gate.prompts.fencing import fence, unfence
from gate.prompts.verdicts import parse_verdict, read_verdict, verdict_question
from gate.settings import Settings
from tests.entrance import Entrance
from tests.stubs.converse import BESIDE_A_TOOL, ConverseStub, Response, by_tool, failure, judged, message, running, text

pytestmark = pytest.mark.integration

HAIKU_45 = "us.anthropic.claude-haiku-4-5-20251001-v1:0"
HAIKU_55 = "global.anthropic.claude-haiku-5-5"
NOVA = "amazon.nova-lite-v1:0"
PLAIN = "meta.llama3-70b-instruct-v1:0"
CLAIM = "The shop opens at nine."
DOCUMENTS: list[Document] = [{"content": "Note: the shop opens at nine every day."}]
QUESTION = verdict_question(fence(CLAIM, DOCUMENTS))


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[ConverseStub]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with running() as stub:
        yield stub


@pytest.fixture
def settings(stub: ConverseStub) -> Callable[..., Settings]:
    base = wiring.current().settings

    def with_(**changes: Any) -> Settings:
        values = {"model_endpoint": stub.url, "region": "us-east-1", "model": f"bedrock:{PLAIN}", **changes}
        return base.model_copy(update=values)

    return with_


Ask = Callable[..., Completion]


@pytest.fixture
def options(stub: ConverseStub) -> Callable[..., BedrockOptions]:
    return lambda **changes: BedrockOptions(**{"endpoint": stub.url, "region": "us-east-1", **changes})


@pytest.fixture
def ask(options: Callable[..., BedrockOptions]) -> Ask:
    def ask(model: str = PLAIN, **changes: Any) -> Completion:
        return BedrockModel(model, options(**changes)).complete(QUESTION)

    return ask


def label(completion: Completion) -> str:
    """The label of a verdict in whatever form it was asked for."""
    return read_verdict(completion.text, unfence(QUESTION.text)).label


# What is asked


def test_a_model_that_takes_schemas_gets_one_and_answers_in_json(stub: ConverseStub, ask: Ask) -> None:
    reply = ask(HAIKU_45)
    [seen] = stub.seen
    sent = seen.body["outputConfig"]["textFormat"]
    schema = json.loads(sent["structure"]["jsonSchema"]["schema"])
    assert sent["type"] == "json_schema"
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["documents", "quote", "label", "reason", "justification"]
    assert not any(word in json.dumps(schema) for word in ("minLength", "minimum", "default", "title", "$ref"))
    assert "LABEL:" not in seen.system
    assert json.loads(reply.text)["justification"] == "It is stated."
    assert label(reply) == "supported"


def test_what_bedrock_calls_the_request_comes_with_the_answer(ask: Ask) -> None:
    assert ask(HAIKU_45).request_id == "r-1"


def test_a_model_known_for_tools_is_made_to_use_one(stub: ConverseStub, ask: Ask) -> None:
    reply = ask(NOVA)
    config = stub.seen[0].body["toolConfig"]
    assert config["toolChoice"] == {"tool": {"name": "verdict"}}
    assert [tool["toolSpec"]["name"] for tool in config["tools"]] == ["verdict"]
    assert label(reply) == "supported"


def test_other_models_are_asked_in_words(stub: ConverseStub, ask: Ask) -> None:
    reply = ask(PLAIN)
    assert not {"toolConfig", "outputConfig"} & stub.seen[0].body.keys()
    assert "LABEL:" in stub.seen[0].system
    assert label(reply) == "supported"


@pytest.mark.parametrize(("model", "temperature"), [(HAIKU_45, 0), (NOVA, 0), (HAIKU_55, None), ("arn:aws:x", None)])
def test_a_temperature_is_sent_only_where_the_model_takes_one(
    stub: ConverseStub, ask: Ask, model: str, temperature: float | None
) -> None:
    ask(model)
    assert stub.seen[0].body["inferenceConfig"].get("temperature") == temperature


def test_the_longest_answer_is_always_limited_with_room_for_models_that_think(stub: ConverseStub, ask: Ask) -> None:
    ask(HAIKU_45)
    ask(HAIKU_55)
    assert [seen.body["inferenceConfig"]["maxTokens"] for seen in stub.seen] == [400, 1424]


def test_a_refused_schema_moves_on_to_the_tool_and_stays_there(
    stub: ConverseStub, options: Callable[..., BedrockOptions]
) -> None:
    stub.on('"outputConfig"', failure(400, "ValidationException"))
    model = BedrockModel(HAIKU_45, options())
    for _ in range(2):
        assert label(model.complete(QUESTION)) == "supported"
    assert ["toolConfig" in seen.body for seen in stub.seen] == [False, True, True]


def test_a_refused_temperature_is_left_out(stub: ConverseStub, options: Callable[..., BedrockOptions]) -> None:
    stub.on('"temperature"', failure(400, "ValidationException"))
    model = BedrockModel(NOVA, options())
    model.complete(QUESTION)
    model.complete(QUESTION)
    assert "temperature" not in stub.seen[-1].body["inferenceConfig"]
    assert len(stub.seen) == 4


def test_a_request_refused_in_every_form_is_the_deployers_to_mend(stub: ConverseStub, ask: Ask) -> None:
    stub.on("opens at nine", failure(400, "ValidationException"))
    with pytest.raises(SettingsError, match="refused the request"):
        ask(HAIKU_45)


def test_a_prefix_too_short_to_be_kept_is_not_marked_for_the_cache(stub: ConverseStub, ask: Ask) -> None:
    ask(HAIKU_55)
    assert all("cachePoint" not in block for block in stub.seen[0].body["system"])


def test_a_long_prefix_is_marked_for_the_cache(stub: ConverseStub, options: Callable[..., BedrockOptions]) -> None:
    stub.on("Hello", text("Hi"))
    assert BedrockModel(HAIKU_55, options()).complete(Question("Hello", "Rules. " * 1_000)).text == "Hi"
    assert stub.seen[0].body["system"][-1] == {"cachePoint": {"type": "default"}}


def test_a_guardrail_wraps_everything_that_others_wrote(stub: ConverseStub, ask: Ask) -> None:
    ask(PLAIN, guardrail="gr1abc:3")
    body = stub.seen[0].body
    assert body["guardrailConfig"] == {"guardrailIdentifier": "gr1abc", "guardrailVersion": "3"}
    assert list(body["messages"][0]["content"][0]) == ["guardContent"]


def test_a_verdict_of_before_a_guardrail_is_not_given_again_behind_it(
    stub: ConverseStub, settings: Callable[..., Settings], entrance: Entrance, tmp_path: Path
) -> None:
    entrance.give(blob_store=FolderBlobStore(tmp_path))
    for guardrail in ("", "", "gr1abc:3", "gr1abc:4"):
        entrance.use(settings(guardrail=guardrail))
        wiring.current().verifier().judge(CLAIM, "", DOCUMENTS)
    assert [seen.body.get("guardrailConfig", {}).get("guardrailVersion") for seen in stub.seen] == [None, "3", "4"]


def test_a_guardrail_without_a_version_is_refused_at_the_start(options: Callable[..., BedrockOptions]) -> None:
    with pytest.raises(SettingsError, match="GATE_GUARDRAIL"):
        BedrockModel(PLAIN, options(guardrail="gr1abc"))


def test_every_call_says_who_makes_it(stub: ConverseStub, ask: Ask) -> None:
    ask(PLAIN)
    assert stub.seen[0].headers["user-agent"].startswith(f"llm-reliability-gate/{__version__}")


def test_what_the_service_would_refuse_is_left_to_it(
    stub: ConverseStub, options: Callable[..., BedrockOptions]
) -> None:
    stub.on('"text": ""', failure(400, "ValidationException"))
    with pytest.raises(SettingsError, match="refused the request"):
        BedrockModel(PLAIN, options()).complete(Question(""))


# What comes back


def test_a_reply_says_who_answered_and_what_it_cost(stub: ConverseStub, ask: Ask) -> None:
    reply = ask(PLAIN)
    assert reply.model == f"bedrock:{PLAIN}"
    assert reply.usage == {"input": stub.seen[0].tokens, "output": reply.usage["output"], "calls": 1}


def test_the_answer_is_found_behind_the_models_thoughts(stub: ConverseStub, ask: Ask) -> None:
    thought = {"reasoningContent": {"reasoningText": {"text": "LABEL: supported\nJUSTIFICATION: thought"}}}
    stub.on("nine", message(thought, {"text": "LABEL: unsupported\nJUSTIFICATION: said"}))
    assert parse_verdict(ask(PLAIN).text) == ("unsupported", "said")


def test_a_model_that_answers_in_words_instead_of_its_tool_is_understood(stub: ConverseStub, ask: Ask) -> None:
    stub.on("nine", text("LABEL: supported\nJUSTIFICATION: Yes."))
    assert label(ask(NOVA)) == "supported"


def test_json_in_markdown_fences_is_understood(stub: ConverseStub, ask: Ask) -> None:
    body = {"label": "supported", "reason": "entailed", "justification": "Yes.", "quote": "", "documents": []}
    stub.on("nine", text(f"Here it is:\n```json\n{json.dumps(body)}\n```"))
    assert label(ask(HAIKU_45)) == "supported"


@pytest.mark.parametrize(
    "stop",
    ["refusal", "content_filtered", "guardrail_intervened", "model_context_window_exceeded"],
)
def test_a_refusal_is_told_apart(stub: ConverseStub, ask: Ask, stop: str) -> None:
    stub.on("nine", text("LABEL: supported\nJUSTIFICATION: x", stop=stop))
    with pytest.raises(AnswerRefusedError) as raised:
        ask(PLAIN)
    assert raised.value.usage["output"] == 40


@pytest.mark.parametrize("stop", ["max_tokens", "malformed_model_output", "malformed_tool_use", "something_new", ""])
def test_an_answer_that_did_not_end_well_is_no_answer(stub: ConverseStub, ask: Ask, stop: str) -> None:
    stub.on("nine", text("LABEL: supported\nJUSTIFICATION: x", stop=stop))
    with pytest.raises(AnswerError):
        ask(PLAIN)


@pytest.mark.parametrize(
    "answer",
    [
        message({"toolUse": {"toolUseId": "1", "name": "verdict", "input": {"label": "supported"}}}),
        message({"toolUse": {"toolUseId": "1", "name": "verdict", "input": {"label": "maybe", "justification": "x"}}}),
        text('{"label": "supported", "justification": '),
        text('{"label": "supported"} and {"label": "supported"}'),
        message(*[{"toolUse": {"toolUseId": "1", "name": "verdict", "input": {}}}] * 2),
    ],
)
def test_json_that_does_not_fit_is_no_answer(
    stub: ConverseStub, options: Callable[..., BedrockOptions], answer: Response
) -> None:
    stub.on("nine", answer)
    with pytest.raises(AnswerError):
        ModelVerifier(BedrockModel(NOVA, options())).judge(CLAIM, "", DOCUMENTS)
    assert len(stub.seen) == 2


@pytest.mark.parametrize("beside", BESIDE_A_TOOL.values(), ids=BESIDE_A_TOOL)
def test_a_verdict_by_a_tool_beside_which_something_else_is_said_is_no_answer(
    stub: ConverseStub, options: Callable[..., BedrockOptions], beside: dict[str, str]
) -> None:
    stub.on("nine", lambda seen: by_tool(seen, **beside))
    with pytest.raises(AnswerError):
        ModelVerifier(BedrockModel(NOVA, options())).judge(CLAIM, "", DOCUMENTS)
    assert len(stub.seen) == 2


@pytest.mark.parametrize("beside", ["I will record the verdict.", "<thinking>It is stated.</thinking>\n", "Label it:"])
def test_a_verdict_by_a_tool_that_is_announced_counts(stub: ConverseStub, ask: Ask, beside: str) -> None:
    stub.on("nine", lambda seen: by_tool(seen, beside, behind="That is my verdict."))
    assert label(ask(NOVA)) == "supported"
    assert len(stub.seen) == 1


# What goes wrong


@pytest.mark.parametrize(
    ("status", "name", "error"),
    [
        (429, "ThrottlingException", ModelThrottledError),
        (400, "ThrottlingException", ModelThrottledError),
        (429, "ModelNotReadyException", ModelThrottledError),
        (408, "ModelTimeoutException", ModelUnavailableError),
        (424, "ModelErrorException", ModelUnavailableError),
        (500, "InternalServerException", ModelUnavailableError),
        (503, "ServiceUnavailableException", ModelUnavailableError),
        (403, "AccessDeniedException", SettingsError),
        (404, "ResourceNotFoundException", SettingsError),
    ],
)
def test_each_failure_of_the_service_has_its_class(
    stub: ConverseStub, ask: Ask, status: int, name: str, error: type[Exception]
) -> None:
    stub.on("nine", failure(status, name))
    with pytest.raises(error):
        ask(PLAIN)
    assert len(stub.seen) == 1


def test_with_more_attempts_the_sdk_waits_out_a_throttle_by_itself(stub: ConverseStub, ask: Ask) -> None:
    stub.on("nine", failure(429, "ThrottlingException"), judged)
    assert label(ask(PLAIN, attempts=3)) == "supported"
    assert len(stub.seen) == 2


def test_a_model_that_is_too_slow_is_asked_twice_and_said(stub: ConverseStub, ask: Ask) -> None:
    stub.on("nine", lambda seen: text("LABEL: supported\nJUSTIFICATION: x", delay_s=5))
    with pytest.raises(TooSlowError, match=r"gave no answer within 0\.3 s"):
        ask(PLAIN, timeout_s=0.3)
    assert len(stub.seen) == 2


def body_of(**changes: Any) -> dict[str, Any]:
    """A Converse response that supports the claim, with some of its parts changed."""
    [handle] = unfence(QUESTION.text).handles
    reply = f"LABEL: supported\nJUSTIFICATION: Yes.\nQUOTE: the shop opens at nine\nDOCUMENTS: {handle}"
    return {**message({"text": reply}).body, **changes}


NO_ENVELOPE = [
    b"",
    b"{",
    b"<html>",
    b'{"output": ',
    b"null",
    b"[]",
    b'"supported"',
    b"7",
    b"\xff\xfe{}",
    b"[" * 100_000 + b"]" * 100_000,
    b'{"message": "try later"}',
    body_of(output=None),
    body_of(output=[]),
    body_of(output={"message": None}),
    body_of(output={"message": {"content": "LABEL: supported"}}),
    body_of(output={"message": {**body_of()["output"]["message"], "role": "user"}}),
    body_of(output={"message": {"content": 7}}),
    body_of(output={"message": {"content": ["LABEL: supported"]}}),
    body_of(output={"message": {"content": [{"text": 7}]}}),
    body_of(output={"message": {"content": [{"toolUse": "supported"}]}}),
    body_of(stopReason=None),
    body_of(stopReason=7),
]


@pytest.mark.parametrize("body", NO_ENVELOPE, ids=range(len(NO_ENVELOPE)))
def test_a_response_that_is_none_of_converse_is_worth_another_try(stub: ConverseStub, ask: Ask, body: Any) -> None:
    stub.on("nine", Response(body))
    with pytest.raises(ModelUnavailableError):
        ask(PLAIN)


def test_a_reply_of_any_size_is_not_read_to_its_end(stub: ConverseStub, ask: Ask, verify: Verify) -> None:
    long = b" " * MAX_REPLY_BYTES
    stub.on('"grounding_source"', lambda seen: Response(long + json.dumps(grounding(0.9, "NONE").body).encode()))
    with pytest.raises(ModelUnavailableError, match="more than 10,000,000 bytes"):
        verify(grounding_guardrail="gr1abc:2")
    stub.on("nine", Response(long + json.dumps(body_of()).encode()))
    with pytest.raises(ModelUnavailableError, match="more than 10,000,000 bytes"):
        ask(PLAIN)


@pytest.mark.parametrize("body", [b"null", b"[]", b"\xff", b"<html>", b"", b"[" * 100_000])
@pytest.mark.parametrize(("status", "error"), [(503, ModelUnavailableError), (429, ModelThrottledError)])
def test_an_error_whose_body_is_damaged_is_known_by_its_status(
    stub: ConverseStub, ask: Ask, status: int, error: type[Exception], body: bytes
) -> None:
    stub.on("nine", Response(body, status=status))
    with pytest.raises(error):
        ask(PLAIN)


SAID_OF_ITSELF: list[dict[str, Any]] = [
    {"ResponseMetadata": 5},
    {"ResponseMetadata": {"HTTPHeaders": {TRIES: "abc"}}},
    {"ResponseMetadata": {"HTTPHeaders": {TRIES: "1000000"}, "RequestId": "forged"}},
    {"Error": 5},
]


@pytest.mark.parametrize("said", SAID_OF_ITSELF, ids=str)
def test_what_a_body_says_of_its_own_transport_counts_for_nothing(
    stub: ConverseStub, ask: Ask, said: dict[str, Any]
) -> None:
    stub.on("nine", Response(json.dumps(body_of(**said)).encode()))
    completion = ask(PLAIN)
    assert (label(completion), completion.request_id) == ("supported", "r-1")
    assert completion.usage == {"input": 100, "output": 40, "calls": 1}


@pytest.mark.parametrize("tries", ["abc", "-5", "1000000000000"])
def test_a_service_does_not_say_how_many_tries_a_call_took(stub: ConverseStub, ask: Ask, tries: str) -> None:
    stub.on("nine", Response(body_of(), headers={TRIES: tries}))
    completion = ask(PLAIN)
    assert label(completion) == "supported"
    assert completion.usage["calls"] == 1


@pytest.mark.parametrize("body", [b'{"message":{"a":[1]},"__type":5}', b'{"code":[5]}', b'{"Code":null,"Message":7}'])
@pytest.mark.parametrize(("status", "error"), [(400, SettingsError), (503, ModelUnavailableError)])
def test_an_error_of_other_types_is_known_by_its_status(
    stub: ConverseStub, ask: Ask, status: int, error: type[Exception], body: bytes
) -> None:
    stub.on("nine", Response(body, status=status))
    with pytest.raises(error):
        ask(PLAIN)


USAGE: list[Any] = [
    None,
    "many",
    [],
    7,
    {},
    {"inputTokens": "many", "outputTokens": 5},
    {"inputTokens": 5},
    {"inputTokens": 5, "outputTokens": None},
    {"inputTokens": 5, "outputTokens": -1},
    {"inputTokens": 5.5, "outputTokens": 1},
    {"inputTokens": True, "outputTokens": 1},
    {"inputTokens": 10**30, "outputTokens": 1},
    {"inputTokens": float("inf"), "outputTokens": 1},
    {"inputTokens": float("nan"), "outputTokens": 1},
    {"inputTokens": 5, "outputTokens": 1, "cacheReadInputTokens": "some"},
]


@pytest.mark.parametrize("usage", USAGE, ids=str)
def test_an_odd_usage_throws_no_verdict_away_and_counts_as_unknown(stub: ConverseStub, ask: Ask, usage: Any) -> None:
    stub.on("nine", lambda seen: Response(json.dumps(body_of(usage=usage)).encode()))
    completion = ask(PLAIN)
    assert label(completion) == "supported"
    assert completion.usage == {"calls": 1, "unknown": 1}


def test_an_odd_usage_is_paid_for_at_the_estimate(stub: ConverseStub, verify: Verify) -> None:
    stub.on("nine", lambda seen: Response(json.dumps({**judged(seen).body, "usage": "many"}).encode()))
    with allowing(Allowance("run", 2_000)):
        usage = verify()["usage"]
    assert usage["unknown"] == 1
    assert usage["input"] + usage["output"] == usage["estimated"] > 400
    assert wiring.current().ledger().spent("run") == usage["estimated"]


def test_keys_that_a_tools_input_names_twice_make_it_unreadable(stub: ConverseStub, verify: Verify) -> None:
    def doubled(seen: Any) -> Response:
        honest = json.dumps(judged(seen).body)
        return Response(honest.replace('"label": "supported"', '"label": "unsupported", "label": "supported"').encode())

    stub.on("nine", doubled)
    verdict = verify(model=f"bedrock:{NOVA}")
    assert (verdict["label"], verdict["reason"]) == ("unsupported", "unreadable_answer")
    assert "names the same key twice" in verdict["justification"]
    assert (len(stub.seen), verdict["usage"]["calls"], verdict["usage"]["unknown"]) == (2, 2, 2)
    assert "names the same key twice" in stub.seen[1].system


def test_nobody_listening_is_unavailable(ask: Ask) -> None:
    with pytest.raises(ModelUnavailableError):
        ask(PLAIN, endpoint="http://127.0.0.1:9")


def test_missing_credentials_are_the_deployers_to_mend(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boto3.DEFAULT_SESSION", None)  # it keeps the credentials that it has found once
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    with pytest.raises(SettingsError, match="credentials"):
        ask(PLAIN)


def test_sixty_calls_are_in_flight_at_once(stub: ConverseStub, options: Callable[..., BedrockOptions]) -> None:
    stub.delay_s = 0.5
    model = BedrockModel(PLAIN, options())
    threads = [threading.Thread(target=model.complete, args=(QUESTION,)) for _ in range(60)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stub.peak >= 50


# The whole way: agent, cache, repair, budget, adapter


@pytest.fixture
def verify(entrance: Entrance, settings: Callable[..., Settings]) -> Callable[..., dict[str, Any]]:
    def verify(
        claim: str = "The shop opens at nine.", evidence: str = "The shop opens at nine.", **changes: Any
    ) -> Any:
        entrance.use(settings(**changes))
        state: dict[str, Any] = {
            "evidence": [
                {
                    "claim": {"text": claim, "source_prompt": "P", "source_response": "R", "claim_id": "c0001"},
                    "documents": [{"content": evidence, "id": "doc-a"}],
                }
            ]
        }
        verify_claims(state)
        [verdict] = state["verdicts"]
        return verdict

    return verify


Verify = Callable[..., dict[str, Any]]


def test_a_verdict_names_the_model_and_the_tokens(verify: Verify) -> None:
    verdict = verify()
    assert (verdict["label"], verdict["documents"]) == ("supported", ["doc-a"])
    assert verdict["checked_by"] == f"bedrock:{PLAIN}"
    assert verdict["usage"]["input"] > 0
    assert verdict["usage"]["calls"] == 1


@pytest.mark.parametrize("model", [PLAIN, NOVA, HAIKU_45, HAIKU_55])
@pytest.mark.parametrize(
    "first",
    [
        text("I am not sure."),
        text("LABEL: supported\nJUSTIFICATION: x\nQUOTE: never written"),
        text("LABEL: supported\nJUSTIFICATION: x\nDOCUMENTS: d7"),
        text("LABEL: supp", stop="max_tokens"),
        message({"toolUse": {"toolUseId": "1", "name": "verdict", "input": {"label": "supported"}}}, stop="tool_use"),
    ],
)
def test_an_unusable_answer_is_asked_for_once_more(
    stub: ConverseStub, verify: Verify, model: str, first: Response
) -> None:
    stub.on("nine", first, judged)
    verdict = verify(model=f"bedrock:{model}")
    assert (verdict["label"], verdict["usage"]["calls"]) == ("supported", 2)
    assert [seen.prompt for seen in stub.seen] == [stub.seen[0].prompt] * 2
    assert "could not be used" in stub.seen[1].system


def test_after_two_unusable_answers_the_claim_is_unreadable_and_what_it_cost_is_kept(
    stub: ConverseStub, verify: Verify
) -> None:
    stub.on("nine", text("No idea."))
    verdict = verify()
    assert (verdict["label"], verdict["reason"]) == ("unsupported", "unreadable_answer")
    assert (verdict["checked_by"], verdict["usage"]["calls"]) == (f"bedrock:{PLAIN}", 2)


def test_a_refusal_is_not_asked_again(stub: ConverseStub, verify: Verify) -> None:
    stub.on("nine", text("", stop="refusal"))
    assert verify()["reason"] == "unreadable_answer"
    assert len(stub.seen) == 1


def test_a_throttled_claim_is_left_to_the_state_machine(stub: ConverseStub, verify: Verify) -> None:
    stub.on("nine", failure(429, "ThrottlingException"))
    with pytest.raises(ModelThrottledError):
        verify()


def test_the_same_claim_and_evidence_are_asked_once(stub: ConverseStub, verify: Verify) -> None:
    first, second = verify(), verify()
    assert second["usage"] == {"cached": 1}
    assert {**second, "usage": first["usage"]} == first
    assert len(stub.seen) == 1
    verify(evidence="It opens at ten.")
    verify(model=f"bedrock:{NOVA}")
    verify(verdict_cache=False)
    assert len(stub.seen) == 4


def test_unusable_answers_are_not_kept(stub: ConverseStub, verify: Verify) -> None:
    stub.on("nine", text("?"), text("?"), judged)
    assert [verify()["label"], verify()["label"]] == ["unsupported", "supported"]


def test_a_second_opinion_is_a_check_beside_the_label(stub: ConverseStub, verify: Verify) -> None:
    score = {"type": "GROUNDING", "threshold": 0.7, "score": 0.4, "action": "BLOCKED"}
    assessed = {
        "action": "GUARDRAIL_INTERVENED",
        "outputs": [],
        "usage": {},
        "assessments": [{"contextualGroundingPolicy": {"filters": [score]}}],
    }
    stub.on('"grounding_source"', Response(assessed))
    verdict = verify(grounding_guardrail="gr1abc:2")
    assert verdict["label"] == "supported"
    assert verdict["checks"][-1:] == [{"name": "grounding", "passed": False, "detail": "score 0.40, asked 0.70"}]
    assert stub.seen[-1].path == "/guardrail/gr1abc/version/2/apply"
    assert verify(grounding_guardrail="gr1abc:2")["checks"] == verdict["checks"]
    assert len(stub.seen) == 2


def grounding(score: float, action: str, kind: str = "GROUNDING") -> Response:
    found = {"type": kind, "threshold": 0.7, "score": score, "action": action}
    assessments = [{"contextualGroundingPolicy": {"filters": [found]}}]
    return Response({"action": "NONE", "outputs": [], "usage": {}, "assessments": assessments})


@pytest.mark.parametrize(
    ("opinion", "passed"),
    [
        (grounding(0.9, "NONE"), True),
        (grounding(0.9, "BLOCKED"), False),
        (grounding(0.6, "NONE"), False),
        (grounding(0.9, "NONE", kind="RELEVANCE"), False),
        (Response({"action": "NONE", "outputs": [], "usage": {}, "assessments": []}), False),
    ],
)
def test_a_second_opinion_passes_only_where_it_clearly_agrees(
    stub: ConverseStub, verify: Verify, opinion: Response, passed: bool
) -> None:
    stub.on('"grounding_source"', opinion)
    verdict = verify(grounding_guardrail="gr1abc:2")
    assert [check["passed"] for check in verdict["checks"] if check["name"] == "grounding"] == [passed]


@pytest.mark.parametrize("body", [b"null", b"[]", b"\xff", b"<html>", b""])
def test_a_second_opinion_that_is_none_is_worth_another_try(stub: ConverseStub, verify: Verify, body: bytes) -> None:
    stub.on('"grounding_source"', Response(body))
    with pytest.raises(ModelUnavailableError):
        verify(grounding_guardrail="gr1abc:2")


@pytest.mark.parametrize(
    "assessments",
    [
        "fine",
        7,
        [7],
        [{"contextualGroundingPolicy": []}],
        [{"contextualGroundingPolicy": {"filters": "fine"}}],
        [{"contextualGroundingPolicy": {"filters": [{"type": "GROUNDING"}]}}],
        [{"contextualGroundingPolicy": {"filters": [{"type": "GROUNDING", "score": "high", "action": "NONE"}]}}],
        [{"contextualGroundingPolicy": {"filters": [{"type": "GROUNDING", "score": float("nan"), "action": "NONE"}]}}],
    ],
    ids=str,
)
def test_a_second_opinion_that_cannot_be_read_is_no_consent(
    stub: ConverseStub, verify: Verify, assessments: Any
) -> None:
    stub.on('"grounding_source"', Response(json.dumps({"action": "NONE", "assessments": assessments}).encode()))
    checks = verify(grounding_guardrail="gr1abc:2")["checks"]
    assert [check["passed"] for check in checks if check["name"] == "grounding"] == [False]


def test_a_second_opinion_is_not_asked_of_what_is_unsupported_or_too_long(stub: ConverseStub, verify: Verify) -> None:
    assert verify(claim="The shop sells boats.", grounding_guardrail="gr1abc:2")["label"] == "unsupported"
    long = "The shop opens at nine. " * 300
    [check] = [
        one for one in verify(long, long, grounding_guardrail="gr1abc:2")["checks"] if one["name"] == "grounding"
    ]
    assert (check["passed"], check["detail"]) == (False, "too long for contextual grounding")
    assert not [seen for seen in stub.seen if seen.path.startswith("/guardrail")]


def test_a_second_opinion_that_is_throttled_is_left_to_the_state_machine(stub: ConverseStub, verify: Verify) -> None:
    stub.on('"grounding_source"', failure(429, "ThrottlingException"))
    with pytest.raises(ModelThrottledError):
        verify(grounding_guardrail="gr1abc:2")


def test_everything_sent_is_the_system_prompt_the_claim_and_the_evidence(stub: ConverseStub, verify: Verify) -> None:
    for model in (PLAIN, NOVA, HAIKU_45):
        verify(model=f"bedrock:{model}")
    for seen in stub.seen:
        allowed = {"messages", "system", "inferenceConfig", "toolConfig", "outputConfig"}
        assert seen.body.keys() <= allowed
        assert seen.fenced.claim == "The shop opens at nine."
        assert seen.prompt == fence("The shop opens at nine.", [{"content": "The shop opens at nine."}]).text
        assert seen.system in (load("verify_claims").in_words, load("verify_claims").by_schema)
