"""The embedders as they run: MiniLM on onnxruntime, Titan through the real SDK against a stand-in."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gate import wiring
from gate.adapters import minilm
from gate.adapters.aws.bedrock.client import BedrockOptions
from gate.adapters.aws.titan import TitanEmbedder
from gate.adapters.model_protocol.strict_bodies import MAX_REPLY_BYTES
from gate.errors import AnswerError, ModelThrottledError, ModelUnavailableError, SettingsError
from gate.settings import Settings
from tests.availability import unavailable
from tests.entrance import Entrance
from tests.stubs.converse import ConverseStub, Response, direction, failure, running
from tests.stubs.openai import ChatStub

pytestmark = pytest.mark.integration

CACHE = Settings().models.expanduser()


@pytest.fixture(scope="module")
def local() -> minilm.MiniLMEmbedder:
    if not minilm.available(CACHE):
        unavailable(f"no weights: {minilm.INSTALL}")
    return minilm.MiniLMEmbedder(CACHE)


def test_texts_of_like_meaning_are_near_each_other(local: minilm.MiniLMEmbedder) -> None:
    cat, feline, physics = local.embed(
        ["The cat sits on the mat.", "A feline rests upon a rug.", "Quantum chromodynamics is hard."]
    )
    assert cat @ feline > 0.45
    assert abs(cat @ physics) < 0.2


def test_every_row_has_length_one_whatever_the_text(local: minilm.MiniLMEmbedder) -> None:
    texts = ["", " ", "a", "東京", "\x00", "word " * 5_000, *(f"sentence number {n}" for n in range(300))]
    vectors = local.embed(texts)
    assert vectors.shape == (len(texts), local.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)


def test_a_text_gets_the_same_vector_alone_and_among_others(local: minilm.MiniLMEmbedder) -> None:
    texts = ["short", "a rather longer sentence about the weather in spring", "word " * 300]
    together = local.embed(texts)
    for at, text in enumerate(texts):
        assert np.array_equal(local.embed([text])[0], together[at])


def test_no_texts_give_no_rows(local: minilm.MiniLMEmbedder) -> None:
    assert local.embed([]).shape == (0, local.dimension)


def test_embedding_loads_no_torch(local: minilm.MiniLMEmbedder) -> None:
    code = f"import sys; from gate.adapters.minilm import MiniLMEmbedder as M; from pathlib import Path; M(Path({str(CACHE)!r})).embed(['x']); print('torch' in sys.modules, 'transformers' in sys.modules)"  # noqa: E501
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_weights_that_are_not_the_published_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"other")
    with pytest.raises(SettingsError, match="not the published file"):
        minilm.conversion.convert(tmp_path, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_weights_auto_is_no_embedder_and_minilm_says_how_to_get_them(
    entrance: Entrance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == minilm.PACKAGE else found(name))
    entrance.use(Settings(models=tmp_path, embedder="auto"))
    assert wiring.current().embedder() is None
    entrance.use(Settings(models=tmp_path, embedder="minilm"))
    with pytest.raises(SettingsError) as raised:
        wiring.current().embedder()
    assert raised.value.hint == minilm.INSTALL


def test_an_embedder_nobody_knows_is_refused(entrance: Entrance) -> None:
    entrance.use(Settings(embedder="word2vec"))
    with pytest.raises(SettingsError, match="GATE_EMBEDDER"):
        wiring.current().embedder()


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[ConverseStub]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    with running() as server:
        yield server


def titan(stub: ConverseStub, dimension: int = 4) -> TitanEmbedder:
    options = BedrockOptions(region="us-east-1", endpoint=stub.url)
    return TitanEmbedder("amazon.titan-embed-text-v2:0", options, dimension=dimension)


def test_titan_embeds_each_text_in_a_call_of_its_own_and_keeps_their_order(stub: ConverseStub) -> None:
    for at in range(4):
        row = [float(at == other) for other in range(4)]
        stub.on(f"text {at}", Response({"embedding": row, "inputTextTokenCount": 3}))
    vectors = titan(stub).embed([f"text {at}" for at in range(4)])
    assert vectors == np.eye(4).tolist()
    assert {seen.path for seen in stub.seen} == {"/model/amazon.titan-embed-text-v2%3A0/invoke"}
    assert stub.seen[0].body["normalize"] is True
    assert stub.seen[0].body["dimensions"] == 4


def test_titan_is_chosen_by_a_setting(entrance: Entrance, stub: ConverseStub) -> None:
    stub.on("x", Response({"embedding": [1.0] * 1024}))
    entrance.use(Settings(embedder="bedrock:amazon.titan-embed-text-v2:0", region="us-east-1", model_endpoint=stub.url))
    embedder = wiring.current().embedder()
    assert embedder is not None
    assert embedder.name == "amazon.titan-embed-text-v2:0-1024"
    assert [len(row) for row in embedder.embed(["x"])] == [1024]


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (failure(429, "ThrottlingException"), ModelThrottledError),
        (failure(500, "InternalServerException"), ModelUnavailableError),
        (failure(403, "AccessDeniedException"), SettingsError),
        (Response(b'{"message": {"a": [1]}, "__type": 5}', status=400), SettingsError),
        (Response({"embedding": [1.0]}), AnswerError),
        (Response({"nothing": 1}), AnswerError),
        (Response(b"no json"), AnswerError),
        (Response(b" " * MAX_REPLY_BYTES + b'{"embedding": [0, 0, 0, 1]}'), ModelUnavailableError),
    ],
)
def test_what_titan_can_answer_has_its_error(stub: ConverseStub, response: Response, expected: type[Exception]) -> None:
    stub.on("x", response)
    with pytest.raises(expected):
        titan(stub).embed(["x"])


NO_NUMBERS: list[object] = [
    ["x"] * 4, "abcd", {"0": 1, "1": 1, "2": 1, "3": 1}, [None] * 4, [True] * 4, [float("nan")] * 4, [float("inf")] * 4,
    [10**400] * 4, [0] * 4, [1e308] * 4, 7, [[1.0]] * 4,
]  # fmt: skip


@pytest.mark.parametrize("vector", NO_NUMBERS, ids=range(len(NO_NUMBERS)))
def test_what_titan_gives_for_a_vector_is_finite_numbers_of_a_direction(stub: ConverseStub, vector: object) -> None:
    stub.on("x", Response({"embedding": vector}))
    with pytest.raises(AnswerError):
        titan(stub).embed(["x"])


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"embedding": [1, 0, 0, 0], "embedding": [0, 0, 0, 1]}', b"\xff"])
def test_what_titan_gives_for_a_body_is_one_that_all_readers_read_alike(stub: ConverseStub, body: bytes) -> None:
    stub.on("x", Response(body))
    with pytest.raises(AnswerError):
        titan(stub).embed(["x"])


def test_vectors_of_titan_are_made_of_length_one(stub: ConverseStub) -> None:
    stub.on("x", Response({"embedding": [3, 4, 0, 0]}))
    assert titan(stub).embed(["x"]) == [[0.6, 0.8, 0.0, 0.0]]


@pytest.fixture
def served() -> Iterator[ChatStub]:
    with running(ChatStub()) as server:
        assert isinstance(server, ChatStub)
        yield server


def served_by(stub: ConverseStub, **settings: object) -> Settings:
    return Settings.model_validate(
        {"embedder": "openai:nomic-embed-text", "embedder_endpoint": f"{stub.url}/v1", **settings}
    )


def test_a_served_embedder_embeds_many_texts_in_few_calls_and_keeps_their_order(
    entrance: Entrance, served: ChatStub
) -> None:
    entrance.use(served_by(served, embedder_key="k-1"))
    embedder = wiring.current().embedder()
    assert embedder is not None
    assert (embedder.name, embedder.dimension) == ("openai:nomic-embed-text", 64)
    texts = [f"word{at}" for at in range(150)]
    vectors = embedder.embed(texts)
    assert vectors == [direction(text, 64) for text in texts]
    assert len(served.seen) == 1 + 3
    assert {(seen.path, seen.headers["authorization"]) for seen in served.seen} == {("/v1/embeddings", "Bearer k-1")}
    assert embedder.embed([]) == []
    assert embedder.embed([" "]) == embedder.embed([""])


def test_a_served_embedder_is_where_the_model_is_and_has_its_key(entrance: Entrance, served: ChatStub) -> None:
    entrance.use(served_by(served, embedder_endpoint="", model="local>openai:m", model_endpoint=f"{served.url}/v1",
                           model_key="k-2"))  # fmt: skip
    embedder = wiring.current().embedder()
    assert embedder is not None
    embedder.embed(["x"])
    assert served.seen[0].headers["authorization"] == "Bearer k-2"


def test_an_embedder_without_an_address_says_which_setting_it_lacks(entrance: Entrance) -> None:
    entrance.use(Settings(embedder="openai:m"))
    with pytest.raises(SettingsError, match="GATE_EMBEDDER_ENDPOINT: is not set"):
        wiring.current().embedder()


def test_the_key_of_the_model_does_not_go_to_another_service(entrance: Entrance, served: ChatStub) -> None:
    entrance.use(served_by(served, model="openai:m", model_endpoint="https://other.example/v1", model_key="secret"))
    embedder = wiring.current().embedder()
    assert embedder is not None
    embedder.embed(["x"])
    assert "authorization" not in served.seen[0].headers


ROW = {"index": 0, "embedding": [3.0, 4.0]}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ([], AnswerError),
        ([{**ROW, "index": 1}], AnswerError),
        ([ROW, {**ROW, "index": 1}], AnswerError),
        ([{"index": 0, "embedding": []}], AnswerError),
        ([{"index": 0, "embedding": [0.0, 0.0]}], AnswerError),
        ([{"index": 0, "embedding": ["1", "2"]}], AnswerError),
        ([{"index": 0, "embedding": "AACAPw=="}], AnswerError),
        ([{"index": 0, "embedding": [10**400]}], AnswerError),
        ([{"index": 0, "embedding": [1e308] * 64}], AnswerError),
    ],
)
def test_vectors_that_are_none_are_no_answer(
    entrance: Entrance, served: ChatStub, data: object, expected: type[Exception]
) -> None:
    served.on("input", Response({"data": data}))
    entrance.use(served_by(served))
    embedder = wiring.current().embedder()
    assert embedder is not None
    with pytest.raises(expected):
        embedder.embed(["x"])


def test_vectors_are_made_of_length_one(entrance: Entrance, served: ChatStub) -> None:
    served.on("input", Response({"data": [ROW]}))
    entrance.use(served_by(served))
    embedder = wiring.current().embedder()
    assert embedder is not None
    assert embedder.embed(["x"]) == [[0.6, 0.8]]


def test_a_throttled_service_is_told_of_one_query_at_once(entrance: Entrance, served: ChatStub) -> None:
    served.on("input", failure(429, "rate"))
    entrance.use(served_by(served))
    embedder = wiring.current().embedder()
    assert embedder is not None
    with pytest.raises(ModelThrottledError):
        embedder.embed(["x"])
    assert len(served.seen) == 1
