"""A text that tries everything on whoever shows it, and what no output may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e"
    "\u2066-\u206f\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Characters that steer a terminal, turn the reading direction or hide text; line feed and tab do not."""

SHA = "0123456789abcdef0123456789abcdef01234567"
NASTY = (
    "start \x1b[31m\x1b]0;title\x07 \x9b2J \x00\x08\x7f \u202ereversed\u202c \u2066\u2067 \u200f\u061c \u2028\r\n"
    "<script>alert(1)</script> <img src=x onerror=alert(1)> &lt;b&gt; [bold red]rich[/] {{ 7*7 }} `code` **b** _e_\n"
    f"| a | b |\n\n# head\n\n- item\n\n@octocat @org/team #12 GH-34 gh-5 owner/repo#6 !7 %8 $9 JIRA-10 {SHA} {SHA[:7]} "
    "https://evil.example www.evil.example WWW.evil.example a@evil.example mailto:b@evil.example :tada: $x^2$ "
    "[link](https://evil.example) ![image](https://evil.example) [ref][1] \\| \\"
    "\U000e0041\ufff9 end"
)

LINKS = re.compile(
    r"@[\w-]|#\d|\bGH-\d|[!%$]\d|\b[A-Z]{2,}-\d|\b[0-9a-f]{7,40}\b|https?:/|mailto:\w|www\.\w|:\w+:", re.IGNORECASE
)
"""What GitHub or GitLab turns into a mention, a link or a picture, wherever it stands in rendered text."""


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings(inner)
