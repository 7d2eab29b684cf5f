"""What is made once is made once, however many threads ask for it at the same moment."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from gate.once import Once


def test_forty_threads_that_ask_at_once_get_the_same_thing():
    made = []
    together = threading.Barrier(40)

    @Once
    def model() -> object:
        time.sleep(0.01)
        made.append(object())
        return made[-1]

    def ask(_: int) -> object:
        together.wait()
        return model()

    with ThreadPoolExecutor(40) as pool:
        assert set(pool.map(ask, range(40))) == set(made)
    assert len(made) == 1


def test_each_argument_has_its_own_and_forgetting_makes_anew():
    calls = []

    @Once
    def model(kind: str = "") -> int:
        calls.append(kind)
        return len(calls)

    assert [model("a"), model("b"), model("a"), model(kind="a")] == [1, 2, 1, 3]
    model.cache_clear()
    assert model("a") == 4
