"""Which elements the style sheets of a page cross out, those among them that it names and that lie beside it."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from urllib.parse import quote, unquote, unquote_to_bytes, urljoin, urlsplit

from gate.text.formats.html_elements import striking

MOST_SHEETS = 100
"""Style sheets that a page names, with those that they name."""
_IMPORT = re.compile(r"(?i)@import\s{0,100}(?:url\()?\s{0,100}[\"']?([^\"'()\s;]{1,2000})")
_HERE = re.compile(r"/(?!/)")


class StyleSheets:
    """The style sheets that lie beside pages; each is read once.

    Args:
        read: returns what lies at a place, None where nothing does.
    """

    def __init__(self, read: Callable[[str], bytes | None]) -> None:
        self._read = read
        self._of = cache(self._selectors_and_imports)

    def striking(self, base: str, own: Iterable[str], named: Iterable[str]) -> Iterator[str]:
        """The selectors of the rules that cross a page's text out; see `html_elements.striking`.

        Args:
            base: the address of the page, or what it calls its base.
            own: the style sheets that stand in it.
            named: addresses of others. Those that lie elsewhere are not known.

        Raises:
            ValueError: there are too many.
        """
        ahead = [joined(base, told) for told in named]
        for sheet in own:
            yield from striking(sheet)
            ahead += _imported(base, sheet)
        seen = set[str]()
        while ahead:
            address = ahead.pop()
            if address in seen:
                continue
            seen.add(address)
            if len(seen) > MOST_SHEETS:
                raise ValueError(f"a page of more than {MOST_SHEETS} style sheets")
            selectors, imported = self._of(address)
            yield from selectors
            ahead += imported

    def _selectors_and_imports(self, address: str) -> tuple[tuple[str, ...], list[str]]:
        sheet = _decoded(self._data_at(address))
        return tuple(dict.fromkeys(striking(sheet))), _imported(address, sheet)

    def _data_at(self, address: str) -> bytes:
        if address[:5].lower() == "data:":
            return _within(address)
        return (self._read(unquote(urlsplit(address).path)[1:]) or b"") if _HERE.match(address) else b""


def address_of(place: str) -> str:
    """The address of what lies at a place."""
    return quote(f"/{place}")


def joined(base: str, told: str) -> str:
    """Where an address leads from another one; empty: nowhere."""
    with suppress(ValueError):
        return urljoin(base, told.strip())
    return ""


def _imported(base: str, sheet: str) -> list[str]:
    """The addresses of the sheets that one calls for: as many as a page may have, and one more."""
    return list(dict.fromkeys(joined(base, told) for told in _IMPORT.findall(sheet)))[: MOST_SHEETS + 1]


def _within(address: str) -> bytes:
    """The sheet that an address of data holds."""
    about, _, held = address.partition(",")
    data = unquote_to_bytes(held)
    if about.lower().rstrip().endswith("base64"):
        with suppress(ValueError):
            return b64decode(data)
    return data


def _decoded(data: bytes) -> str:
    return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", "replace")
