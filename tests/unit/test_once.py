"""What is made once is made once, however many threads ask for it at the same moment."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gate.once import once


class Maker:
    def __init__(self) -> None:
        self.made: dict[Any, Any] = {}
        self.making = threading.RLock()
        self.calls: list[str] = []

    @once
    def model(self, kind: str = "") -> int:
        time.sleep(0.01)
        self.calls.append(kind)
        return len(self.calls)

    @once
    def pair(self) -> tuple[int, int]:
        return self.model("a"), self.model("b")


def test_forty_threads_that_ask_at_once_get_the_same_thing() -> None:
    maker, together = Maker(), threading.Barrier(40)

    def ask(_: int) -> int:
        together.wait()
        return maker.model()

    with ThreadPoolExecutor(40) as pool:
        assert set(pool.map(ask, range(40))) == {1}
    assert maker.calls == [""]


def test_each_argument_and_each_maker_has_its_own() -> None:
    maker = Maker()
    assert [maker.model("a"), maker.model("b"), maker.model("a"), maker.model(kind="a")] == [1, 2, 1, 3]
    assert Maker().model("b") == 1


def test_what_is_made_of_other_things_waits_for_them_and_not_for_itself() -> None:
    assert Maker().pair() == (1, 2)
