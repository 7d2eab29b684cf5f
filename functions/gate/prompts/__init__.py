"""The system prompts, one Markdown file each: loaded, never inlined.

A file begins with `version: N` and a blank line; a heading `## Format`, which is not sent, divides what to do from how
to write the answer, because a model that answers by schema is told the former only.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

_FORMAT = "\n\n## Format\n\n"


class Prompt(str):
    """A system prompt: the text sent, and where it came from.

    It is a `str`, so that `call_llm` needs to know nothing of it.

    Attributes:
        name: the file's name without its ending.
        version: the version the file states.
        task: the text without its section on the format.
    """

    name: str
    version: str
    task: str

    def __new__(cls, text: str, *, name: str, version: str) -> Prompt:
        task, _, form = text.partition(_FORMAT)
        prompt = super().__new__(cls, f"{task}\n{form}".strip())
        prompt.name = name
        prompt.version = version
        prompt.task = task
        return prompt

    def with_note(self, note: str) -> Prompt:
        """The same prompt with a remark at the end of both its forms."""
        prompt = Prompt(f"{self}\n{note}", name=self.name, version=self.version)
        prompt.task = f"{self.task}\n{note}"
        return prompt

    @property
    def sha256(self) -> str:
        """Hash of the text: part of the key under which a verdict is cached."""
        return hashlib.sha256(self.encode()).hexdigest()


@cache
def load(name: str) -> Prompt:
    """Return the prompt `name`, as it ships with this package."""
    source = resources.files(__package__).joinpath(f"{name}.md").read_text("utf-8")
    head, _, text = source.partition("\n\n")
    return Prompt(text.strip(), name=name, version=head.removeprefix("version:").strip())
