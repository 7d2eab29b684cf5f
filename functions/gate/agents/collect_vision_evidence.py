"""The vision detective: what images show."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from gate import wiring
from gate.errors import InputError
from gate.ports import ImageReader
from gate.rules import evidence as rules
from gate.rules.evidence import Record


def collect_vision_evidence(state: dict[str, Any]) -> None:
    """Read the images.

    Reads:
        `artifacts["images"]`: `[{"location", "media_type", "base64"}]`.
    Writes:
        `evidences`: `{"vision": [...]}`, at least one record for each image: its text, or why it was not read.
    """
    images = (state.get("artifacts") or {}).get("images") or []
    reader = wiring.image_reader() if images else None
    state["evidences"] = {"vision": [_evidence(image, reader) for image in images]}


def _evidence(image: Mapping[str, Any], reader: ImageReader | None) -> Record:
    location = str(image.get("location") or "image")
    if reader is None:
        return rules.unreadable("vision", location, "Vision was not available: no image reader is configured.")
    try:
        text = reader.read(base64.b64decode(str(image.get("base64", "")), validate=True), str(image.get("media_type")))
    except binascii.Error:
        return rules.unreadable("vision", location, "The image is not valid Base64.")
    except InputError as error:
        return rules.unreadable("vision", location, error.safe_message)
    return rules.record(
        "vision", rules.IMAGE_TEXT, location, found=True, location=location, rationale="Text seen.", excerpt=text
    )
