"""axe, which finds on a page what stands in the way of people who do not see it, or see it otherwise."""

from __future__ import annotations

import json
from importlib import resources

from tests.browser.driver import Browser

AXE = resources.files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
SCREENS = {"a desk": (1280, 800, "light"), "a phone at night": (375, 667, "dark")}
ASK = """axe.run().then(found => found.violations.map(
  one => one.id + ": " + one.nodes.slice(0, 3).map(node => node.target.join(" ")).join(", ")))"""


def look_from(browser: Browser, screen: str) -> None:
    """Give the page a screen of `SCREENS`."""
    width, height, scheme = SCREENS[screen]
    browser.screen(width, height)
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.painted()


def barriers(browser: Browser) -> list[str]:
    """What axe finds on the page as it is shown: rule and places."""
    browser.run(f"{AXE}; 0")
    found = browser.run(ASK)
    assert isinstance(found, list), json.dumps(found)
    return [str(one) for one in found]
