"""The system prompts, one Markdown file each: loaded, never inlined.

A file begins with `version: N` and a blank line. Headings, which are not sent, divide what to do from how to write the
answer: what stands under `## Format` is for a model that answers in words, what stands under `## Schema` for one that
answers by schema, and what stands under `## Context` is sent where there is a context.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Prompt:
    """A system prompt, and where it came from.

    Attributes:
        name: the file's name without its ending.
        version: the version the file states.
        task: what to do.
        format: how to write the answer in words; may be empty.
        schema: what the schema does not say; may be empty.
        context: what a context is for; may be empty.
    """

    name: str
    version: str
    task: str
    format: str = ""
    schema: str = ""
    context: str = ""

    def in_context(self) -> Prompt:
        """The same prompt for a question that has a context."""
        return replace(self, task=f"{self.task}\n{self.context}")

    @property
    def in_words(self) -> str:
        """What is sent to a model that answers in words."""
        return f"{self.task}\n{self.format}".strip()

    @property
    def by_schema(self) -> str:
        """What is sent to a model that answers by schema."""
        return f"{self.task}\n{self.schema}".strip()

    @property
    def sha256(self) -> str:
        """Hash of all of it: part of the key under which a verdict is kept."""
        return hashlib.sha256("\n".join((self.task, self.format, self.schema, self.context)).encode()).hexdigest()


@cache
def load(name: str) -> Prompt:
    """Return the prompt `name`, as it ships with this package."""
    source = resources.files(__package__).joinpath(f"{name}.md").read_text("utf-8")
    head, _, text = source.strip().partition("\n\n")
    task, *sections = re.split(r"\n\n## ", text)
    named = {title.lower(): body for title, _, body in (section.partition("\n\n") for section in sections)}
    return Prompt(name, head.removeprefix("version:").strip(), task, **named)
