"""The verifier's whole prompt: one claim, its evidence, and a fence that neither can forge.

    <<<CLAIM P3q_Zk81vA>>>
    The library opens at nine.
    <<<d1 P3q_Zk81vA>>>
    Opening hours: 9 to 17.
    <<<END P3q_Zk81vA>>>

The mark is a hash of everything inside, so a text cannot hold its own mark; runs of angle brackets inside are
replaced, so it cannot hold a look-alike either. Documents have short handles (`d1`, `d2`, …): file names, titles and
ids of a corpus are other people's text too, and the verifier has no use for them.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.errors import AnswerError
from gate.model import Document

MARK_LENGTH = 10
"""Characters of six bits each; the fence costs tokens in every call, so it is no longer than it has to be."""
_OPENING = "<＜﹤‹«〈⟨《⟪≪⋘❮˂ᐸ"
_CLOSING = ">＞﹥›»〉⟩》⟫≫⋙❯˃ᐳ"
_INVISIBLE = "\u00ad\u034f\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff"
_FENCE_LIKE = re.compile(rf"(?:[{_OPENING}][{_INVISIBLE}]*){{3,}}|(?:[{_CLOSING}][{_INVISIBLE}]*){{3,}}")
# Tag characters and direction overrides show nothing, or something else, to a person and are read by a model.
_SMUGGLED = re.compile("[\u202d\u202e\U000e0000-\U000e007f]")
_BRACKETS = str.maketrans({**dict.fromkeys(_OPENING, "("), **dict.fromkeys(_CLOSING, ")")})
_NAME = "[A-Z]+|[a-z][0-9]+"
_OPEN = re.compile(rf"<<<(?P<name>{_NAME}) (?P<mark>[A-Za-z0-9_-]{{{MARK_LENGTH}}})>>>\n")


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
    contents = [document["content"] for document in documents]
    return fence_parts([("CLAIM", claim), *zip(handles(len(contents)), contents, strict=True)])


def unfence(prompt: str) -> Fenced:
    """Read a prompt that `fence` wrote.

    Raises:
        AnswerError: it is not one of ours, or was changed on the way.
    """
    (name, claim), *documents = unfence_parts(prompt)
    if name != "CLAIM" or [handle for handle, _ in documents] != handles(len(documents)):
        raise AnswerError("the prompt holds other parts than a claim and its documents")
    return Fenced(claim, documents)


def fence_parts(parts: Sequence[tuple[str, str]]) -> str:
    """Fence named texts; a name is a word in capitals, or a handle where there are several of a kind."""
    texts = [neutralise(text) for _, text in parts]
    mark = _mark(texts)
    lines = [line for (name, _), text in zip(parts, texts, strict=True) for line in (f"<<<{name} {mark}>>>", text)]
    return "\n".join([*lines, f"<<<END {mark}>>>"])


def unfence_parts(prompt: str) -> list[tuple[str, str]]:
    """Read what `fence_parts` wrote: names and texts, at least one.

    Raises:
        AnswerError: it is not one of ours, or was changed on the way.
    """
    opening = _OPEN.match(prompt)
    if opening is None:
        raise AnswerError("the prompt is not a fenced one")
    mark = opening["mark"]
    ending = f"\n<<<END {mark}>>>"
    if not prompt.endswith(ending):
        raise AnswerError("the fence of the prompt does not close")
    inside = prompt[opening.end() : len(prompt) - len(ending)]
    first, *rest = re.split(rf"\n<<<({_NAME}) {mark}>>>\n", inside)
    if mark != _mark([first, *rest[1::2]]):
        raise AnswerError("the fence of the prompt does not fit what it holds")
    return [(opening["name"], first), *zip(rest[::2], rest[1::2], strict=True)]


def _mark(texts: Sequence[str]) -> str:
    content = json.dumps(texts).encode()  # ASCII with escapes: any string encodes, and the parts stay apart
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest())[:MARK_LENGTH].decode()
