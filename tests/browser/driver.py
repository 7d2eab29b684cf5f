"""A browser that is driven over a pipe (the DevTools protocol): no package, no port."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

FLAGS = [
    f"--{flag}"
    for flag in (
        "headless",
        "no-sandbox",
        "disable-gpu",
        "disable-quic",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
        "hide-scrollbars",
    )
]


class Browser:
    """One page of a headless Chromium.

    Args:
        command: the program with its flags.
        profile: a folder for what the browser writes.
    """

    def __init__(self, command: Sequence[str], profile: Path) -> None:
        orders, self._orders = os.pipe()
        self._replies, replies = os.pipe()
        # the browser reads its orders from descriptor 3 and answers on 4
        shell = f'exec "$@" 3<&{orders} 4>&{replies}'
        flags = [*command, "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            ["/bin/bash", "-c", shell, "browser", *flags], pass_fds=(orders, replies), stderr=subprocess.DEVNULL
        )
        os.close(orders)
        os.close(replies)
        self._rest, self._number, self._session = b"", 0, ""
        self.requests: list[str] = []
        targets = self.call("Target.getTargets")["targetInfos"]
        (page,) = [one["targetId"] for one in targets if one["type"] == "page"][:1]
        self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.terminate()
        self._process.wait(timeout=20)
        os.close(self._orders)
        os.close(self._replies)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Give an order and return its result."""
        self._number += 1
        order: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            order["sessionId"] = self._session
        os.write(self._orders, json.dumps(order).encode() + b"\0")
        while True:
            reply = self._next()
            if reply.get("id") == self._number:
                assert "error" not in reply, reply
                result: dict[str, Any] = reply["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            read = os.read(self._replies, 1 << 20)
            assert read, "the browser is gone"
            self._rest += read
        line, _, self._rest = self._rest.partition(b"\0")
        reply: dict[str, Any] = json.loads(line)
        if reply.get("method") == "Network.requestWillBeSent":
            self.requests.append(reply["params"]["request"]["url"])
        return reply

    def wait(self, event: str) -> None:
        """Read on until an event comes."""
        while self._next().get("method") != event:
            pass

    def screen(self, width: int, height: int) -> None:
        """Give the page a size."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, address: str) -> None:
        """Go to an address and wait until it has been loaded."""
        self.call("Page.navigate", url=address)
        self.wait("Page.loadEventFired")
        self.painted()

    def run(self, script: str) -> Any:
        """The value of an expression, JSON; a promise is waited for."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def painted(self) -> None:
        """Wait for two frames."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def press(self, key: str) -> None:
        """Press a key and let go."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=key if kind == "keyDown" else "")

    def cpu_s(self) -> float:
        """CPU seconds that the page's main thread has worked."""
        metrics = {one["name"]: one["value"] for one in self.call("Performance.getMetrics")["metrics"]}
        return float(metrics["TaskDuration"])
