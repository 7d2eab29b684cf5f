"""What programs and shells look like in the blocks of a document."""

from __future__ import annotations

import re

SHELL = (
    "sh",
    "bash",
    "zsh",
    "shell",
    "console",
    "shell-session",
    "terminal",
    "powershell",
    "ps1",
    "cmd",
    "bat",
    "fish",
)
"""Names of languages that are commands, as fences give them."""
MADE = re.compile(
    r"\b(?:def|function|class|fn|func|const|let|var)\s+(?P<name>\w+)|^[ \t]*(?P<set>\w+)[ \t]*=[^=]", re.MULTILINE
)
"""A name that code gives to what it makes."""
