"""How many tokens texts will cost, from their length: counting them exactly is a call of its own."""

from __future__ import annotations

import math

CHARS_PER_TOKEN = 3.0
"""Characters a token holds, on the careful side (3.5 in English prose, 30 % fewer with newer tokenizers)."""


def estimated_tokens(*texts: str) -> int:
    """Tokens that texts will cost at most."""
    return math.ceil(sum(map(len, texts)) / CHARS_PER_TOKEN)
