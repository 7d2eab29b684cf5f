"""Reads images with a multimodal model on Bedrock."""

from __future__ import annotations

from gate.adapters.aws.bedrock.bedrock_errors import translated
from gate.adapters.aws.bedrock.client import BedrockOptions, runtime_client
from gate.adapters.images import checked
from gate.errors import InputError, RequestRefusedError
from gate.prompts import load

MOST_TOKENS = 4_096
_FORMATS = {"image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif", "image/webp": "webp"}


class BedrockReader:
    """An `ImageReader` over a multimodal model on Bedrock, through Converse."""

    def __init__(self, model_id: str, options: BedrockOptions) -> None:
        self.name = f"bedrock:{model_id}"
        self._id = model_id
        self._client = runtime_client(options)

    def read(self, image: bytes, media_type: str) -> str:
        """Return the text seen, and a line `COMPONENT: name` for each part of a diagram."""
        del media_type
        content = [
            {"image": {"format": _FORMATS[checked(image)], "source": {"bytes": image}}},
            {"text": "Read this image."},
        ]
        try:
            with translated(self.name):
                answer = self._client.converse(
                    modelId=self._id,
                    system=[{"text": load("read_image").in_words}],
                    messages=[{"role": "user", "content": content}],
                    inferenceConfig={"maxTokens": MOST_TOKENS, "temperature": 0.0},
                )
        except RequestRefusedError:
            raise InputError(f"{self.name} would not take the image") from None
        if answer.get("stopReason") not in ("end_turn", "stop_sequence"):
            raise InputError("the image's text was cut off or filtered")
        blocks = answer["output"]["message"]["content"]
        return "\n".join(block["text"] for block in blocks if "text" in block).strip()
