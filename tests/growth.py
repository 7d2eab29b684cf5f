"""Texts that make a careless reader slow, and how its time grows when they double."""

from __future__ import annotations

import gc
import itertools
import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

CORE = (
    *("a", "漢", "\n", "“", "(", "[", "@", ".", "!", "-", "a ", "a@"),
    *("9", " ", "\t", '"', "<", "`", "|", "*", "a.", '“"', "](", "- ", "> ", "**a", "is ", ", is "),
)
"""One character, alternating pairs and deep markup."""
UNITS = (
    *CORE,
    # one character
    *"aAé9 \n\t!?.,:;@#%&*+-_/\\|~^=$€'\"`<>()[]{}“«„「漢かкอ… ",
    *("\x00", "\r\n", "\u200b", "\u0301", "\u3000", "１"),
    # pairs and runs
    *("a ", "A ", "Aa ", "a\n", "a.", ".a", "a@", "@a", "a-", "a_", "a'", 'a"', "a/", "./", "a, ", "a: ", "A. ", "! "),
    *(
        "- ",
        "* ",
        "# ",
        "> ",
        "| ",
        "|-",
        "--|",
        "1. ",
        "9 ",
        "9,",
        "9.",
        "9-",
        "9,999",
        "1.5 ",
        "$1",
        "(1",
        "1)",
        "()",
    ),
    *("[1]", " [1]", "【1", "†a", "[a](", "](", "[^1]: ", "![", "<a", "<a>", "</a", "<!--", "-->", "<<<", "{{", "${"),
    *(
        "**",
        "**a",
        "`a",
        "`` ",
        "```\n",
        "~~~\n",
        "\\a",
        "&a;",
        "::",
        ".. _",
        "\n\n",
        " \n",
        "\n ",
        "\n- ",
        "\n|",
        "...",
        "?!",
    ),
    # words that patterns begin with
    *(
        "is ",
        "the ",
        "not ",
        "no ",
        "one ",
        "twenty-one hundred ",
        "if ",
        "of ",
        "from to ",
        "than ",
        "or more ",
        ", is ",
    ),
    *("1 Jan ", "May ", "2024-", "12:30 ", "about 5 kg ", "http://", "www.", "a.b.", "s1: NONE ", "LABEL: ", "label: "),
    *(
        "ignore ",
        "mark ",
        "claim is ",
        "note to ",
        "you are the ",
        "answer: ",
        "and answer as ",
        "claims was ",
        "忘れ",
        "支持",
    ),
    *(
        "무시",
        "تجاهل ",
        "भूल ",
        "无视",
        "считай ",
        "ignorier ",
        "marca ",
        "but ",
        "while ",
        "unless ",
        "contrary to ",
        "said ",
    ),
    *(
        "DE12",
        "+49 ",
        "123-45-",
        "(123) ",
        "4111 ",
        "ff:",
        "1.2.",
        "X-9",
        "CamelCase",
        "snake_case",
        "A-B ",
        "$ cd a\n",
        "/*",
        "<script>",
        "“a. ",
    ),
)
"""What is repeated; none longer than 24 characters."""
STEP = 4
"""How much longer each text is than the one before."""
LINEAR = 4.8
"""Growth of the time in a step up to which it is taken for linear: 4 is, and 16 is quadratic."""
MOST_GROWTH = 6.25
"""Of the time in the last step: 2.5 a doubling; what is above 4 is for caches and a busy machine."""
LONG, FAST = 1_048_576, 10.0
"""Characters, and seconds of CPU that they may take: what is faster at fewer, even were it quadratic, is not slow."""
GIVE_UP = 6.0
"""Seconds of CPU after which a call is ended."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A step that took too long: characters, and seconds for a fourth of them and for all."""

    unit: str
    size: int
    fourth: float
    whole: float

    def __str__(self) -> str:
        return f"{self.unit!r} × {self.size}: {self.fourth:.4f} s for a fourth, {self.whole:.3f} s for all"


class TookTooLong(BaseException):
    """A call was ended."""


_NUMBERS = itertools.count()


def text(unit: str, size: int) -> str:
    """`unit` repeated to `size` characters, with an end that no pattern expects, and that no cache has seen."""
    return (unit * (size // len(unit) + 1))[: size - 6] + f"x{next(_NUMBERS) % 10_000:04}\x01"


def superlinear(reads: Callable[[str], Any], unit: str, first: int) -> Growth | None:
    """The step that makes `reads` too much slower, of texts of `first`, four and sixteen times as many characters.

    None: none does. The time is CPU of this process, and the least of several before anything is called slow: a
    machine that does other things too slows one call, not all.
    """
    before = _seconds(reads, text(unit, first))
    for size in (first, first * STEP):
        if before * (LONG / size) ** 2 < FAST:
            return None
        whole = _seconds(reads, text(unit, size * STEP))
        if whole <= LINEAR * before:
            return None
        before = whole
    last = first * STEP**2
    return _grows(reads, unit, last) and _grows(reads, unit, last * STEP)  # what is bounded grows fast up to its bound


def _grows(reads: Callable[[str], Any], unit: str, size: int) -> Growth | None:
    fourth = whole = math.inf
    for _ in range(5):
        fourth = min(fourth, _seconds(reads, text(unit, size // STEP)))
        whole = min(whole, _seconds(reads, text(unit, size)))
        if whole == math.inf:
            break
        if whole <= MOST_GROWTH * fourth or whole * (LONG / size) ** 2 < FAST:
            return None
    return Growth(unit, size, fourth, whole)


def _seconds(reads: Callable[[str], Any], given: str) -> float:
    """Seconds of CPU of one call; without end where it took more than `GIVE_UP`."""
    gc.disable()  # its passes over what other tests hold are no part of the reading
    began = time.process_time()
    try:
        with ended_after(GIVE_UP):
            reads(given)
    except TookTooLong:
        return math.inf
    else:
        return time.process_time() - began
    finally:
        gc.enable()


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """End what runs inside after so much CPU; a pattern looks for signals as it runs."""

    def end(*_: object) -> None:
        raise TookTooLong

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
