"""What stands between two marks, such as quotation marks, in linear time whatever the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping


def pairs(
    text: str, opening: re.Pattern[str], closing: Mapping[str, re.Pattern[str]], *, least: int = 0
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each stretch from an opening mark to the first that closes it, marks included.

    A pattern of both would seek the end anew from each mark that nothing closes; here it is sought once for each kind.

    Args:
        opening: its first group, in lower case, names the kind.
        closing: kind → its closing mark.
        least: characters between the two marks at least.
    """
    unclosed: set[str] = set()
    at = 0
    while begin := opening.search(text, at):
        at, kind = begin.end(), begin[1].lower()
        end = None if kind in unclosed else closing[kind].search(text, at)
        if end is None:
            unclosed.add(kind)
        elif end.start() - at >= least:
            at = end.end()
            yield begin.start(), at
