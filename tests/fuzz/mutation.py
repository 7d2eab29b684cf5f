"""Mutants of seeds, the same each time for the same seed of chance: where there is no atheris, and in CI."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

LONGEST = 65_536
TOKENS = (
    *(
        b"\0",
        b"\xff",
        b"\xff" * 8,
        b"\x80",
        b"\n",
        b"\r\n",
        b'"',
        b"'",
        b"\\",
        b"{",
        b"}",
        b"[",
        b"]",
        b"<",
        b">",
        b"|",
    ),
    *(b"null", b"true", b"-1", b"0", b"1e999", b"NaN", b"9" * 40, b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xe2\x80\xae"),
    *(b"![", b"](", b"```", b"<!--", b"&#0;", b"$blob", b"../", b"content", b"role", b"text"),
)


def mutants(seeds: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
    """Mutants without end; the seeds themselves come first."""
    yield from seeds
    while True:
        data = bytearray(chance.choice(seeds))
        for _ in range(1 << chance.randrange(5)):
            chance.choice(_OPERATIONS)(data, seeds, chance)
        yield bytes(data[:LONGEST])


def _flip(data: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _replace(data: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    if data:
        data[chance.randrange(len(data))] = chance.randrange(256)


def _drop(data: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    start = chance.randint(0, len(data))
    del data[start : start + chance.randint(1, 16)]


def _insert(data: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    at = chance.randint(0, len(data))
    data[at:at] = chance.choice(TOKENS)


def _repeat(data: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    start = chance.randint(0, len(data))
    piece = data[start : start + chance.randint(1, 32)]
    data[start:start] = piece * chance.randint(1, 64)


def _splice(data: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    other = chance.choice(seeds)
    start = chance.randint(0, len(other))
    at = chance.randint(0, len(data))
    data[at : at + chance.randint(0, 64)] = other[start : start + chance.randint(1, 256)]


_OPERATIONS = (_flip, _flip, _replace, _drop, _insert, _repeat, _splice)
