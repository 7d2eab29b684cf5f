"""The vision detective: what images show."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from typing import Any

from gate import wiring
from gate.errors import InputError
from gate.ports import ImageReader
from gate.repository import records
from gate.repository.diagrams import components, paths
from gate.repository.paths import printable
from gate.repository.records import Record


def collect_vision_evidence(state: dict[str, Any]) -> None:
    """Read the images.

    Reads:
        `artifacts["images"]`: `[{"location", "media_type", "base64"}]`.
    Writes:
        `evidences`: `{"vision": [...]}`: for each image its text, and a record for each path and component in it; or
        one that says why it was not read.
    """
    images = (state.get("artifacts") or {}).get("images") or []
    reader = wiring.current().image_reader() if images else None
    state["evidences"] = {"vision": [entry for image in images for entry in _evidence(image, reader)]}


def _evidence(image: Mapping[str, Any], reader: ImageReader | None) -> Iterator[Record]:
    location = printable(str(image.get("location") or "image"))
    if reader is None:
        yield records.unreadable("vision", location, "vision was not available: no image reader is configured")
        return
    try:
        data = base64.b64decode(str(image.get("base64") or ""), validate=True)
        text = reader.read(data, str(image.get("media_type") or ""))
    except binascii.Error:
        yield records.unreadable("vision", location, "the image is not valid Base64")
        return
    except InputError as error:
        yield records.unreadable("vision", location, error.safe_message)
        return
    yield records.image_record(location, text, reader.name)
    for path in paths(text):
        yield records.seen_record(records.DIAGRAM_PATH, path, location)
    for component in components(text):
        yield records.seen_record(records.DIAGRAM_COMPONENT, component, location)
