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
MAKERS = "def|function|class|fn|func"
"""What a function or type begins with where it is made."""
MADE = re.compile(rf"\b(?:{MAKERS}|const|let|var)\s+(?P<name>\w+)|^[ \t]*(?P<set>\w+)[ \t]*=[^=]", re.MULTILINE)
"""A name that code gives to what it makes."""
