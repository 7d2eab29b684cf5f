"""Services that hang, drip or are not there, on real sockets: every call ends in its time, and says so."""

from __future__ import annotations

import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

import pytest

from gate.adapters import call_deadlines, remote_gate
from gate.adapters.aws.bedrock.client import BedrockOptions
from gate.adapters.aws.bedrock.converse import BedrockModel
from gate.adapters.openai.chat import ChatModel
from gate.adapters.openai.service import ServiceOptions
from gate.adapters.opensearch import OpenSearchEngine, opensearch_client
from gate.adapters.opensearch.opensearch_client import Endpoint
from gate.adapters.spending.allowance import Allowance, allowing
from gate.adapters.spending.budget import BudgetedModel, Ceilings, LocalLedger
from gate.errors import GateError, ModelUnavailableError, SearchUnavailableError, TooSlowError, UnreachableError
from gate.model import Document
from gate.ports import LanguageModel
from gate.prompts.fencing import fence
from gate.prompts.verdicts import verdict_question
from tests.memory import most_memory
from tests.stubs.converse import ConverseStub, Response, Seen, failure, judged, running
from tests.stubs.openai import ChatStub
from tests.stubs.sockets import black_hole, dead_port, drip, drip_headers, hang, serving

pytestmark = pytest.mark.integration

DOCUMENTS: list[Document] = [{"content": "Note: the shop opens at nine every day."}]
QUESTION = verdict_question(fence("The shop opens at nine.", DOCUMENTS))
MODEL = "meta.llama3-70b-instruct-v1:0"


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")


@pytest.fixture(params=["converse", "openai"])
def protocol(request: pytest.FixtureRequest) -> str:
    """How the model is spoken to."""
    return str(request.param)


@pytest.fixture
def stub(protocol: str) -> Iterator[ConverseStub]:
    with running(ChatStub() if protocol == "openai" else ConverseStub()) as stub:
        yield stub


Model = Callable[..., LanguageModel]


@pytest.fixture
def model(protocol: str) -> Model:
    def model(url: str, **options: Any) -> LanguageModel:
        if protocol == "openai":
            return ChatModel("m", ServiceOptions(endpoint=f"{url}/v1", answers="text", **options))
        return BedrockModel(MODEL, BedrockOptions(region="us-east-1", endpoint=url, **options))

    return model


def took(work: Callable[[], object]) -> tuple[float, GateError | None]:
    """Seconds until it ended, and with what error."""
    began = time.monotonic()
    try:
        work()
    except GateError as error:
        return time.monotonic() - began, error
    return time.monotonic() - began, None


@pytest.mark.parametrize("serve", [hang, drip, drip_headers])
def test_a_call_ends_at_its_deadline_whatever_the_connection_does(serve: Callable[..., None], model: Model) -> None:
    with serving(serve) as url:
        asked = model(url, timeout_s=0.5)
        seconds, error = took(lambda: asked.complete(QUESTION))
    assert isinstance(error, TooSlowError)
    assert "gave no answer within 0.5 s" in error.safe_message
    assert 1 <= seconds < 3  # the second try has the same time


def test_a_service_that_has_never_answered_is_given_up_and_named(monkeypatch: pytest.MonkeyPatch, model: Model) -> None:
    monkeypatch.setattr(call_deadlines, "GIVE_UP_AFTER_S", 0.2)
    with serving(hang) as url:
        asked = model(url, timeout_s=0.3)
        _, error = took(lambda: asked.complete(QUESTION))
        seconds, again = took(lambda: asked.complete(QUESTION))
    assert isinstance(error, UnreachableError)
    assert isinstance(again, UnreachableError)
    assert again.safe_message == f"nobody answers at {url}"
    assert "GATE_MODEL_ENDPOINT" in again.hint
    assert seconds < 0.2


@pytest.mark.parametrize("place", [dead_port, black_hole])
def test_an_address_where_nobody_is_is_known_within_twenty_seconds(
    place: Callable[[], AbstractContextManager[str]],
    model: Model,
) -> None:
    with place() as url:
        asked, began = model(url), time.monotonic()
        while time.monotonic() < began + 20:
            _, error = took(lambda: asked.complete(QUESTION))
            if isinstance(error, UnreachableError):
                break
            assert isinstance(error, ModelUnavailableError)  # the state machine tries again, in 5 s at most
            time.sleep(1)
    assert isinstance(error, UnreachableError)


def test_a_service_that_has_answered_before_is_tried_again_as_ever(
    stub: ConverseStub, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    monkeypatch.setattr(call_deadlines, "GIVE_UP_AFTER_S", 0.0)
    asked = model(stub.url, timeout_s=0.3)
    asked.complete(QUESTION)
    stub.on("nine", lambda seen: Response(delay_s=5))
    for _ in range(2):
        assert isinstance(took(lambda: asked.complete(QUESTION))[1], TooSlowError)


def test_an_address_given_up_is_tried_again_after_a_while(
    stub: ConverseStub, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    monkeypatch.setattr(call_deadlines, "GIVE_UP_AFTER_S", 0.0)
    monkeypatch.setattr(call_deadlines, "GIVE_UP_FOR_S", 0.5)
    stub.on("nine", *[lambda seen: Response(delay_s=5)] * 2, judged)
    asked = model(stub.url, timeout_s=0.3)
    assert isinstance(took(lambda: asked.complete(QUESTION))[1], UnreachableError)
    time.sleep(0.6)
    assert "LABEL: supported" in asked.complete(QUESTION).text


def test_the_deadline_is_learnt_from_what_was_seen_and_follows_what_becomes_slower() -> None:
    known = call_deadlines.CallDeadlines("x", 60, least_s=0.2, hint="")
    assert known.allowed_s() == 60
    for _ in range(20):
        with known.call():
            time.sleep(0.1)
    learnt = known.allowed_s()
    assert 0.3 <= learnt < 1
    for _ in range(2):
        with pytest.raises(TooSlowError), known.call():
            time.sleep(learnt + 0.15)
    assert known.allowed_s() > 2 * learnt


def test_a_second_try_answers_for_a_first_that_hangs(stub: ConverseStub, model: Model) -> None:
    stub.on("nine", lambda seen: Response(delay_s=30), judged)
    reply = model(stub.url, timeout_s=0.5).complete(QUESTION)
    assert "LABEL: supported" in reply.text
    assert (reply.usage["calls"], reply.usage["repeated"], len(stub.seen)) == (2, 1, 2)
    assert reply.usage["input"] == 2 * stub.seen[0].tokens


def slow_every(number: int, seconds: float) -> Callable[[Seen], Response]:
    """Answers, of which every so manieth takes its time; a request that is sent again is answered at once."""
    seen_before: list[int] = []
    lock = threading.Lock()

    def answer(seen: Seen) -> Response:
        with lock:
            seen_before.append(1)
            is_slow = len(seen_before) == number
        return Response(judged(seen).body, delay_s=seconds if is_slow else 0)

    return answer


@pytest.mark.parametrize("hedge", [True, False])
def test_a_slow_answer_is_asked_for_once_more_and_the_first_one_counts(
    stub: ConverseStub, monkeypatch: pytest.MonkeyPatch, hedge: bool, model: Model
) -> None:
    monkeypatch.setattr("gate.adapters.model_protocol.transport.HEDGE_LEAST_S", 0.3)
    stub.on("nine", slow_every(21, 3))
    asked = model(stub.url, hedge=hedge)
    for _ in range(20):
        assert asked.complete(QUESTION).usage["calls"] == 1
    began = time.monotonic()
    reply = asked.complete(QUESTION)
    assert "LABEL: supported" in reply.text
    if hedge:
        assert time.monotonic() - began < 2.5
        assert (reply.usage["calls"], reply.usage["repeated"], len(stub.seen)) == (2, 1, 22)
    else:
        assert time.monotonic() - began >= 3
        assert (reply.usage["calls"], len(stub.seen)) == (1, 21)


def test_a_budget_that_holds_no_second_try_allows_none_and_counts_the_first_in_full(
    stub: ConverseStub, model: Model
) -> None:
    stub.on("nine", lambda seen: Response(delay_s=30))
    ledger = LocalLedger()
    asked = BudgetedModel(model(stub.url, timeout_s=0.5), ledger)
    estimate = sum(asked._able.call_tokens(QUESTION))
    with allowing(Allowance("run", int(1.5 * estimate))), pytest.raises(TooSlowError):
        asked.complete(QUESTION)
    assert len(stub.seen) == 1
    assert ledger.spent("run") == estimate
    with allowing(Allowance("other", 3 * estimate)), pytest.raises(TooSlowError):
        asked.complete(QUESTION)
    assert len(stub.seen) == 3
    assert ledger.spent("other") == 2 * estimate
    limited = BudgetedModel(model(stub.url, timeout_s=0.5), ledger, ceilings=Ceilings(run=3 * estimate))
    with allowing(Allowance("held by the settings alone", 0)), pytest.raises(TooSlowError):
        limited.complete(QUESTION)
    assert len(stub.seen) == 5


def test_a_second_try_that_is_throttled_does_not_end_the_first(
    stub: ConverseStub, monkeypatch: pytest.MonkeyPatch, model: Model
) -> None:
    monkeypatch.setattr("gate.adapters.model_protocol.transport.HEDGE_LEAST_S", 0.3)
    slow = slow_every(21, 2)
    stub.on("nine", lambda seen: failure(429, "ThrottlingException") if len(stub.seen) == 22 else slow(seen))
    asked = model(stub.url, hedge=True)
    for _ in range(20):
        asked.complete(QUESTION)
    assert "LABEL: supported" in asked.complete(QUESTION).text
    assert len(stub.seen) == 22


@pytest.mark.parametrize("serve", [hang, drip, drip_headers])
def test_a_search_ends_in_its_time_whatever_the_connection_does(
    serve: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opensearch_client, "TIMEOUT_S", 0.4)
    with serving(serve) as url:
        engine = OpenSearchEngine(Endpoint(url))
        seconds, error = took(lambda: engine.search_docs("x", "corpus"))
    assert isinstance(error, TooSlowError)
    assert error.safe_message == "the search engine gave no answer in its time, 3 times"
    assert 1.2 <= seconds < 4


@pytest.mark.parametrize("serve", [hang, drip, drip_headers])
def test_a_deployed_gate_is_asked_in_its_time_whatever_the_connection_does(
    serve: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_gate, "ANSWER_S", 1.0)
    monkeypatch.setattr(remote_gate, "TRIES", 2)
    with serving(serve) as url:
        asked = remote_gate.RemoteGate(url, token="t")
        seconds, error = took(lambda: asked.status("r", wait=1))
    assert isinstance(error, TooSlowError)
    assert error.safe_message == f"{url} gave no answer within 1 s"
    assert 2 <= seconds < 20


@pytest.mark.parametrize("serve", [hang, drip, drip_headers])
def test_where_a_stack_has_its_gate_is_asked_in_the_time_of_the_command(
    serve: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"ACCESS_KEY_ID": "x", "SECRET_ACCESS_KEY": "x", "DEFAULT_REGION": "eu-north-1"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    with serving(serve) as url:
        monkeypatch.setenv("AWS_ENDPOINT_URL_SSM", url)
        seconds, error = took(lambda: remote_gate.RemoteGate("Team", token="t", seconds=1))
    assert isinstance(error, TooSlowError)
    assert error.hint == "--timeout"
    assert seconds < 6


def test_no_try_begins_after_the_time_for_all_of_them() -> None:
    with serving(drip) as url:
        asked = remote_gate.RemoteGate(url, token="t", seconds=1)
        seconds, error = took(lambda: asked.status("r", wait=1))
    assert isinstance(error, TooSlowError)
    assert seconds < 20


def test_an_answer_of_a_search_that_unpacks_to_any_size_is_not_read_to_its_end() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    body = b"".join([*(packer.compress(b" " * 1_000_000) for _ in range(400)), packer.flush()])
    head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)

    def bomb(connection: socket.socket, stop: threading.Event) -> None:
        connection.recv(65_536)
        connection.sendall(head + body)

    with serving(bomb) as url:
        engine, before = OpenSearchEngine(Endpoint(url)), most_memory()
        _, error = took(lambda: engine.search_docs("x", "corpus"))

    assert isinstance(error, SearchUnavailableError)
    assert most_memory() - before < 250_000_000


def test_a_search_that_is_not_there_is_known_within_twenty_seconds() -> None:
    with dead_port() as url:
        engine, began = OpenSearchEngine(Endpoint(url)), time.monotonic()
        while time.monotonic() < began + 20:
            _, error = took(lambda: engine.search_docs("x", "corpus"))
            if isinstance(error, UnreachableError):
                break
            assert isinstance(error, SearchUnavailableError)
            time.sleep(1)
    assert isinstance(error, UnreachableError)
    assert error.safe_message == f"nobody answers at {url}"


def test_a_call_that_hangs_while_others_are_answered_ends_at_the_deadline_that_they_teach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(call_deadlines, "LOOK_S", 0.2)
    known = call_deadlines.CallDeadlines("x", 60, least_s=0.5, hint="")
    hung: list[call_deadlines.Call] = []

    def hanging() -> None:
        with suppress(TooSlowError), known.call() as call:
            hung.append(call)
            while not call.is_cut:
                time.sleep(0.05)

    thread = threading.Thread(target=hanging)
    thread.start()
    for _ in range(20):
        with known.call():
            pass
    thread.join(timeout=5)
    assert hung[0].is_cut
