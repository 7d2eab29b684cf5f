"""Patterns of `.gitignore` files as regular expressions that take linear time. Pure.

Each star is followed by something of known width, up to the next star or slash. The first place where that fits is the
best one, so that it stands in an atomic group and is never tried again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_CLASSES = {
    b"alnum": rb"[0-9A-Za-z]",
    b"alpha": rb"[A-Za-z]",
    b"blank": rb"[ \t]",
    b"cntrl": rb"[\x00-\x1f\x7f]",
    b"digit": rb"[0-9]",
    b"graph": rb"[!-~]",
    b"lower": rb"[a-z]",
    b"print": rb"[ -~]",
    b"punct": rb"[!-/:-@\[-`{-~]",
    b"space": rb"[ \t-\r]",
    b"upper": rb"[A-Z]",
    b"xdigit": rb"[0-9A-Fa-f]",
}
_NOTHING = re.compile(rb"(?!)")
_ANY, _STAR, _DEEP, _REST = b"[^/]", b"*", b"**/", b".*"


def compiled(pattern: bytes, literal: int) -> re.Pattern[bytes]:
    """Translate a pattern to match a path, or a name.

    Args:
        pattern: the rule without `!` and the slashes at its ends.
        literal: how many bytes at its start are no wildcards; a `**` behind them may stand for folders."""
    try:
        tokens = list(_tokens(pattern, literal))
    except (IndexError, KeyError, ValueError):  # it ends within brackets, or names a class that is none
        return _NOTHING
    groups: list[list[bytes]] = [[]]
    for token in tokens:
        groups.append([]) if token == _DEEP else groups[-1].append(token)
    first, *middle = (_group(group) for group in groups)
    whole = b"(?>" + first + b")"
    for group in middle[:-1]:
        whole += b"(?>(?:[^/]*/)*?" + group + b")"
    if middle:
        whole += b"(?:[^/]*/)*" + middle[-1]
    return re.compile(whole + rb"\Z", re.DOTALL)


def _group(tokens: list[bytes]) -> bytes:
    """What stands between two `**/`."""
    chunks: list[list[bytes]] = [[]]
    for token in tokens:
        chunks.append([]) if token == _STAR else chunks[-1].append(token)
    out = b"".join(chunks[0])
    for number, chunk in enumerate(chunks[1:], 2):
        end = chunk.index(b"/") + 1 if b"/" in chunk else len(chunk)
        if b"/" in chunk:
            out += b"(?>[^/]*" + b"".join(chunk[:end]) + b")" + b"".join(chunk[end:])
        elif number < len(chunks):
            out += b"(?>[^/]*?" + b"".join(chunk) + b")"
        else:
            out += b"[^/]*" + b"".join(chunk)
    return out


def _tokens(pattern: bytes, literal: int) -> Iterator[bytes]:
    """Pieces of a pattern: one byte each, or `*`, `**/`, `**` at the end; an error where it breaks off."""
    for each in pattern[:literal]:
        yield re.escape(bytes([each]))
    at = literal
    while at < len(pattern):
        byte = pattern[at : at + 1]
        if byte == b"*":
            end = at + len(pattern[at:]) - len(pattern[at:].lstrip(b"*"))
            alone = end - at > 1 and (at == literal or pattern[at - 1 : at] == b"/")
            if alone and pattern[end : end + 1] in (b"/", b""):
                yield _DEEP if end < len(pattern) else _REST
                end += 1
            else:
                yield _STAR
            at = end
        elif byte == b"[":
            token, at = _bracket(pattern, at + 1)
            yield token
        elif byte == b"?":
            yield _ANY
            at += 1
        else:
            at += byte == b"\\"
            yield re.escape(bytes([pattern[at]]))
            at += 1


def _is_class(pattern: bytes, at: int) -> bool:
    end = pattern.index(b"]", at)
    return end > at + 2 and pattern[end - 1] == ord(":")


def _bracket(pattern: bytes, at: int) -> tuple[bytes, int]:
    """A set of bytes as a regular expression, and where it ends."""
    negated = pattern[at] in b"!^"
    at += negated
    found = bytearray(256)
    before = 0
    first = True
    while first or pattern[at] != ord("]"):
        first = False
        byte = pattern[at]
        if byte == ord("-") and before and pattern[at + 1] != ord("]"):
            at += 1 + (pattern[at + 1] == ord("\\"))
            for each in range(before, pattern[at] + 1):
                found[each] = 1
            byte = 0
        elif byte == ord("[") and pattern[at + 1] == ord(":") and _is_class(pattern, at):
            end = pattern.index(b"]", at)
            named = re.compile(_CLASSES[pattern[at + 2 : end - 1]])
            for each in range(256):
                found[each] |= bool(named.match(bytes([each])))
            at, byte = end, 0
        else:
            at += byte == ord("\\")
            byte = pattern[at]
            found[byte] = 1
        before = byte
        at += 1
    chosen = b"".join(
        b"\\x%02x" % each for each in range(256) if bool(found[each]) != bool(negated) and each != ord("/")
    )
    return (b"[" + chosen + b"]" if chosen else b"(?!)"), at + 1
