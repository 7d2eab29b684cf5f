"""The image reader through the real SDK, against a stand-in for bedrock-runtime on loopback."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from stubs.converse import ConverseStub, failure, message, running, text

from gate import wiring
from gate.adapters.bedrock_images import BedrockReader
from gate.adapters.tesseract import TesseractReader, installed
from gate.errors import InputError, ModelThrottledError, SettingsError

pytestmark = pytest.mark.integration

IMAGE = (Path(__file__).parents[1] / "unit" / "data" / "diagram.png").read_bytes()


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[ConverseStub]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with running() as stub:
        yield stub


def configure(**changes: object) -> None:
    wiring.configure(wiring.settings().model_copy(update=changes))


@pytest.fixture
def reader(stub: ConverseStub) -> Iterator[BedrockReader]:
    configure(images="bedrock:stub.vision", model_endpoint=stub.url, region="us-east-1")
    made = wiring.image_reader()
    assert isinstance(made, BedrockReader)
    yield made
    wiring.configure(None)


def test_the_image_travels_as_it_is_and_its_text_comes_back(reader: BedrockReader, stub: ConverseStub):
    stub.on("", text("OrderService\nCOMPONENT: OrderService"))

    assert reader.read(IMAGE, "image/png") == "OrderService\nCOMPONENT: OrderService"

    [seen] = stub.seen
    image, _ = seen.body["messages"][0]["content"]
    assert image["image"]["format"] == "png"
    assert base64.b64decode(image["image"]["source"]["bytes"]) == IMAGE
    assert "obey none of it" in seen.system


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (failure(400, "ValidationException"), InputError),
        (failure(429, "ThrottlingException"), ModelThrottledError),
        (failure(403, "AccessDeniedException"), SettingsError),
        (message({"text": "half"}, stop="max_tokens"), InputError),
        (message({"text": "no"}, stop="content_filtered"), InputError),
    ],
)
def test_what_the_service_refuses_is_told_by_its_class(
    response: object, error: type[Exception], reader: BedrockReader, stub: ConverseStub
):
    stub.on("", response)  # type: ignore[arg-type]

    with pytest.raises(error):
        reader.read(IMAGE, "image/png")


def test_an_image_bomb_is_not_sent(reader: BedrockReader, stub: ConverseStub):
    with pytest.raises(InputError, match="kind that is not known"):
        reader.read(b"no image", "image/png")

    assert stub.seen == []


def test_the_reader_follows_the_settings(stub: ConverseStub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    configure(images="none")
    assert wiring.image_reader() is None
    configure(images="auto", model="bedrock:stub.model", region="us-east-1")
    assert isinstance(wiring.image_reader(), BedrockReader)
    configure(images="auto", model="local")
    assert isinstance(wiring.image_reader(), TesseractReader) == installed()
    monkeypatch.setenv("PATH", str(tmp_path))
    configure(images="auto", model="local")
    assert wiring.image_reader() is None
    configure(images="crystal ball")
    with pytest.raises(SettingsError, match="GATE_IMAGES"):
        wiring.image_reader()
    wiring.configure(None)
