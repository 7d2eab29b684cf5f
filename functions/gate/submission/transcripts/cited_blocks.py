"""The sources that a chat API names beside a text: Converse's and Anthropic's `citations`, OpenAI's `annotations`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gate.model import CitedStretch

_TITLES = ("title", "document_title", "filename")
_INSIDE = ("url_citation", "file_citation", "container_file_citation")
_LONGEST = 500
"""Characters of a title or address."""


class Said(str):
    """A text that is shown, and the sources named beside it, with their places in it."""

    cited: tuple[CitedStretch, ...] = ()


def with_sources(text: str, holder: Mapping[str, Any]) -> str:
    """The text with the sources that its part, or message, names; those that name nothing are left out."""
    found = Said(text)
    known = text.cited if isinstance(text, Said) else ()
    found.cited = (*known, *_stretches(holder, len(text)))
    return found


def placed(texts: list[str], gap: int) -> tuple[CitedStretch, ...]:
    """The sources of texts that are joined with a gap of some characters, with their places in the whole."""
    found, at = list[CitedStretch](), 0
    for text in texts:
        for one in text.cited if isinstance(text, Said) else ():
            found.append({**one, "start": at + one["start"], "end": at + one["end"]})
        at += len(text) + gap
    return tuple(found)


def _stretches(holder: Mapping[str, Any], length: int) -> Iterator[CitedStretch]:
    for key in ("citations", "annotations"):
        listed = holder.get(key)
        for one in listed if isinstance(listed, list) else ():
            if not isinstance(one, dict):
                continue
            told = next((one[name] for name in _INSIDE if isinstance(one.get(name), dict)), one)
            title, url = next(filter(None, (_text(told, name) for name in _TITLES)), ""), _address(told)
            first, last = told.get("start_index"), told.get("end_index")
            if not isinstance(first, int) or not isinstance(last, int) or not 0 <= first < last <= length:
                first, last = 0, length
            if title or url:
                yield CitedStretch(start=first, end=last, title=title, url=url)


def _address(told: Mapping[str, Any]) -> str:
    """Where the source is, as Converse (`location.web.url`), search results (`source`) and the others write it."""
    place = told.get("location")
    web = place.get("web") if isinstance(place, dict) else None
    places = (_text(told, "url"), _text(web, "url") if isinstance(web, dict) else "", _text(told, "source"))
    return next((one for one in places if one.startswith(("https://", "http://"))), "")


def _text(told: Mapping[str, Any], key: str) -> str:
    value = told.get(key)
    return value[:_LONGEST] if isinstance(value, str) else ""
