"""A page from a template of this folder: it needs nothing else, loads nothing and runs nothing."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

from gate.text.visible import visible

HERE = Path(__file__).parent


def page(template: str, **values: Any) -> str:
    """Return the page; every value in it is escaped, and a content security policy lets nothing but its style in."""
    css, policy = _style()
    return visible(_environment().get_template(template).render(css=css, policy=policy, **values))


@cache
def _environment() -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


@cache
def _style() -> tuple[str, str]:
    css = "".join(path.read_text(encoding="utf-8") for path in (HERE.parent / "palette.css", HERE / "overviews.css"))
    digest = b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return css, f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
