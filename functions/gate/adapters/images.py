"""What an image is, told from its first bytes: an image bomb is refused before anything unpacks it."""

from __future__ import annotations

import io

import imagesize

from gate.errors import InputError

MAX_BYTES = 20_000_000
MAX_PIXELS = 40_000_000
"""About 6,300 by 6,300: a poster at 150 dots an inch; 160 MB once unpacked."""
_MAGIC = {b"\x89PNG": "image/png", b"\xff\xd8": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}


def checked(image: bytes) -> str:
    """Return the media type that an image's first bytes say.

    Raises:
        InputError: not an image that can be read, too large, or too many pixels; said from its header alone.
    """
    if len(image) > MAX_BYTES:
        raise InputError(f"the image is larger than {MAX_BYTES} bytes")
    kind = next((kind for magic, kind in _MAGIC.items() if image.startswith(magic)), None)
    if kind is None:
        raise InputError("the image is of a kind that is not known (PNG, JPEG, GIF, WebP)")
    try:
        width, height = imagesize.get(io.BytesIO(image))
    except ValueError:
        width = height = -1
    if width <= 0 or height <= 0:
        raise InputError("the image is damaged")
    if width * height > MAX_PIXELS:
        raise InputError(f"the image has {width} by {height} pixels; {MAX_PIXELS} are the most")
    return kind
