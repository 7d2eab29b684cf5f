"""The verifier's whole prompt: one claim, its evidence, and a fence that neither can forge.

    <<<CLAIM 3f2a9c1b7d5e8a60>>>
    The library opens at nine.
    <<<DOCUMENT d1 3f2a9c1b7d5e8a60>>>
    Opening hours: 9 to 17.
    <<<END 3f2a9c1b7d5e8a60>>>

The mark is a hash of everything inside, so a text cannot hold its own mark; runs of angle brackets inside are
replaced, so it cannot hold a look-alike either. Documents have short handles (`d1`, `d2`, …): file names, titles and
ids of a corpus are other people's text too, and the verifier has no use for them.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.errors import AnswerError
from gate.model import Document

MARK_LENGTH = 16
_OPENING = "<＜﹤‹«〈⟨《⟪≪⋘❮˂ᐸ"
_CLOSING = ">＞﹥›»〉⟩》⟫≫⋙❯˃ᐳ"
_INVISIBLE = "\u00ad\u034f\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff"
_FENCE_LIKE = re.compile(rf"(?:[{_OPENING}][{_INVISIBLE}]*){{3,}}|(?:[{_CLOSING}][{_INVISIBLE}]*){{3,}}")
# Tag characters and direction overrides show nothing, or something else, to a person and are read by a model.
_SMUGGLED = re.compile("[\u202d\u202e\U000e0000-\U000e007f]")
_BRACKETS = str.maketrans({**dict.fromkeys(_OPENING, "("), **dict.fromkeys(_CLOSING, ")")})
_OPEN = re.compile(rf"<<<CLAIM ([0-9a-f]{{{MARK_LENGTH}}})>>>\n")


@dataclass(frozen=True, slots=True)
class Fenced:
    """What a fenced prompt holds, as the verifier saw it.

    Attributes:
        claim: the claim's text.
        documents: handle (`d1`, …) and text of each passage, in order.
    """

    claim: str
    documents: list[tuple[str, str]]


def neutralise(text: str) -> str:
    """Replace what could pass for a fence, and characters that hide text; every character keeps its place."""
    text = _FENCE_LIKE.sub(lambda run: run[0].translate(_BRACKETS), text)
    return _SMUGGLED.sub("\ufffd", text)


def handles(count: int) -> list[str]:
    """Name `count` documents as the prompt does: `d1`, `d2`, …"""
    return [f"d{number}" for number in range(1, count + 1)]


def fence(claim: str, documents: Sequence[Document]) -> str:
    """Write the user prompt: claim and evidence texts, fenced, and nothing else."""
    texts = [neutralise(claim), *(neutralise(document["content"]) for document in documents)]
    mark = _mark(texts)
    parts = [f"<<<CLAIM {mark}>>>", texts[0]]
    for handle, text in zip(handles(len(documents)), texts[1:], strict=True):
        parts += [f"<<<DOCUMENT {handle} {mark}>>>", text]
    return "\n".join([*parts, f"<<<END {mark}>>>"])


def unfence(prompt: str) -> Fenced:
    """Read a prompt that `fence` wrote.

    Raises:
        AnswerError: it is not one of ours, or was changed on the way.
    """
    opening = _OPEN.match(prompt)
    if opening is None:
        raise AnswerError("the prompt is not a fenced one")
    mark = opening[1]
    ending = f"\n<<<END {mark}>>>"
    if not prompt.endswith(ending):
        raise AnswerError("the fence of the prompt does not close")
    inside = prompt[opening.end() : len(prompt) - len(ending)]
    claim, *rest = re.split(rf"\n<<<DOCUMENT (d[0-9]+) {mark}>>>\n", inside)
    if mark != _mark([claim, *rest[1::2]]) or rest[::2] != handles(len(rest) // 2):
        raise AnswerError("the fence of the prompt does not fit what it holds")
    return Fenced(claim, list(zip(rest[::2], rest[1::2], strict=True)))


def _mark(texts: Sequence[str]) -> str:
    content = json.dumps(texts).encode()  # ASCII with escapes: any string encodes, and the parts stay apart
    return hashlib.sha256(content).hexdigest()[:MARK_LENGTH]
