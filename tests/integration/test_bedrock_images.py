"""The image reader through the real SDK, against a stand-in for bedrock-runtime on loopback."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from gate import wiring
from gate.adapters.aws.bedrock.image_reader import BedrockReader
from gate.adapters.tesseract import TesseractReader, installed
from gate.errors import InputError, ModelThrottledError, SettingsError
from tests.entrance import Entrance
from tests.stubs.converse import ConverseStub, failure, message, running, text

pytestmark = pytest.mark.integration

IMAGE = (Path(__file__).parents[1] / "unit" / "data" / "diagram.png").read_bytes()


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[ConverseStub]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with running() as stub:
        yield stub


@pytest.fixture
def reader(entrance: Entrance, stub: ConverseStub) -> BedrockReader:
    entrance.change(images="bedrock:stub.vision", model_endpoint=stub.url, region="us-east-1")
    made = wiring.current().image_reader()
    assert isinstance(made, BedrockReader)
    return made


def test_the_image_travels_as_it_is_and_its_text_comes_back(reader: BedrockReader, stub: ConverseStub) -> None:
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
) -> None:
    stub.on("", response)  # type: ignore[arg-type]

    with pytest.raises(error):
        reader.read(IMAGE, "image/png")


def test_an_image_bomb_is_not_sent(reader: BedrockReader, stub: ConverseStub) -> None:
    with pytest.raises(InputError, match="kind that is not known"):
        reader.read(b"no image", "image/png")

    assert stub.seen == []


def test_the_reader_follows_the_settings(
    entrance: Entrance, stub: ConverseStub, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entrance.change(images="none")
    assert wiring.current().image_reader() is None
    entrance.change(images="auto", model="bedrock:stub.model", region="us-east-1")
    assert isinstance(wiring.current().image_reader(), BedrockReader)
    entrance.change(images="auto", model="local")
    assert isinstance(wiring.current().image_reader(), TesseractReader) == installed()
    monkeypatch.setenv("PATH", str(tmp_path))
    entrance.change(images="auto", model="local")
    assert wiring.current().image_reader() is None
    entrance.change(images="crystal ball")
    with pytest.raises(SettingsError, match="GATE_IMAGES"):
        wiring.current().image_reader()
