"""A Jupyter notebook as Markdown: its texts, its code as code, and what it printed."""

from __future__ import annotations

import re
from typing import Any

from gate.adapters.readers.html import text_of as text_of_page
from gate.adapters.readers.layout import parsed_json

_COLOURS = re.compile(r"\x1b\[[0-9;]{0,20}m")


def markdown_of(text: str) -> str:
    """Return the notebook's cells as one Markdown text.

    Raises:
        ValueError: it is no notebook.
    """
    document = parsed_json(text)
    cells = document.get("cells") if isinstance(document, dict) else None
    if cells is None and isinstance(document, dict):
        sheets = _items(document.get("worksheets"))  # before version 4
        cells = [cell for sheet in sheets for cell in _items(sheet.get("cells"))] if sheets else None
    if not isinstance(cells, list):
        raise ValueError("no notebook: it has no cells")
    return "\n\n".join(part for cell in _items(cells) for part in _parts(cell) if part.strip())


def _items(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _parts(cell: dict[str, Any]) -> list[str]:
    source = _text(cell.get("source", cell.get("input")))
    kind = cell.get("cell_type")
    if kind == "heading":
        level = cell.get("level")
        return [f"{'#' * (level if isinstance(level, int) and 0 < level < 7 else 1)} {source}"]
    if kind == "code":
        return [_fenced(source), *map(_output, _items(cell.get("outputs")))]
    return [source] if kind in ("markdown", "raw") else []


def _output(output: dict[str, Any]) -> str:
    """What a cell showed, in the form in which a notebook shows it, or the error that it ended in."""
    data = output.get("data")
    shown = data if isinstance(data, dict) else {}
    if page := _text(shown.get("text/html")):
        return _fenced(text_of_page(page, whole=True).text)
    if markdown := _text(shown.get("text/markdown")):
        return markdown
    printed = output.get("text", shown.get("text/plain", output.get("traceback")))
    return _fenced(_COLOURS.sub("", _text(printed)))


def _fenced(text: str) -> str:
    return f"~~~~~~\n{text.replace('~~~~~~', '~~~~')}\n~~~~~~" if text.strip() else ""


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "".join(part for part in value if isinstance(part, str))
    return value if isinstance(value, str) else ""
