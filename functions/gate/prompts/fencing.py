"""The verifier's whole prompt: one claim, its evidence, and a fence that neither can forge.

    <<<CLAIM P3q_Zk81vA>>>
    The library opens at nine.
    <<<d417 P3q_Zk81vA>>>
    Opening hours: 9 to 17.
    <<<END>>>

The mark is a hash of everything inside, so a text cannot hold its own mark; runs of angle brackets inside are
replaced, so it cannot hold a look-alike either. Documents have short handles (`d417`, `d418`, …): file names, titles
and ids of a corpus are other people's text too, and the verifier has no use for them. Where their numbers begin
follows from the same hash, so that a reply to another question names documents that this one has not.
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gate.errors import AnswerError
from gate.model import Document
from gate.text.scripts import INVISIBLE

MARK_LENGTH = 10
"""Characters of six bits each; the fence costs tokens in every call, so it is no longer than it has to be."""
_OPENING = "<＜﹤‹«〈⟨《⟪≪⋘❮˂ᐸ"
_CLOSING = ">＞﹥›»〉⟩》⟫≫⋙❯˃ᐳ"
_FENCE_LIKE = re.compile(rf"(?:[{_OPENING}][{INVISIBLE}]*){{3,}}|(?:[{_CLOSING}][{INVISIBLE}]*){{3,}}")
# Tag characters and direction overrides show nothing, or something else, to a person and are read by a model.
_HIDING = "\u202d\u202e\U000e0000-\U000e007f"
_SMUGGLED = re.compile(f"[{_HIDING}]")
_SUSPICIOUS = re.compile(f"[{_OPENING}{_CLOSING}{_HIDING}]")
"""One of these stands in every text that is changed; to look for it takes a tenth of the time."""
_BRACKETS = str.maketrans({**dict.fromkeys(_OPENING, "("), **dict.fromkeys(_CLOSING, ")")})
_NAME = "[A-Z]+|[a-z][0-9]+"
_OPEN = re.compile(rf"<<<(?P<name>{_NAME}) (?P<mark>[A-Za-z0-9_-]{{{MARK_LENGTH}}})>>>\n")


@dataclass(frozen=True, slots=True)
class Fenced:
    """A fenced prompt and what it holds, as the verifier sees it.

    Attributes:
        text: the prompt.
        claim: the claim's text.
        documents: handle and text of each passage, in order.
        context: what the claim needs to be understood; may be empty.
    """

    text: str
    claim: str
    documents: tuple[tuple[str, str], ...]
    context: str = ""

    @property
    def handles(self) -> list[str]:
        """How the prompt names the documents, in order."""
        return [handle for handle, _ in self.documents]


def neutralise(text: str) -> str:
    """Replace what could pass for a fence, and characters that hide text; every character keeps its place."""
    if text.isascii() and "<<<" not in text and ">>>" not in text:
        return text
    if not _SUSPICIOUS.search(text):
        return text
    text = _FENCE_LIKE.sub(lambda run: run[0].translate(_BRACKETS), text)
    return _SMUGGLED.sub("\ufffd", text)


def fence(claim: str, documents: Sequence[Document], context: str = "") -> Fenced:
    """Write the user prompt: claim and evidence texts, fenced, and nothing else but the context, if there is one."""
    claim, context = neutralise(claim), neutralise(context)
    texts = [neutralise(document["content"]) for document in documents]
    before = [("CONTEXT", context)] if context else []
    handles = _handles([claim, *texts, context])
    passages = tuple(zip(handles, texts, strict=False))
    return Fenced(_written([*before, ("CLAIM", claim), *passages]), claim, passages, context)


def unfence(prompt: str) -> Fenced:
    """Read a prompt that `fence` wrote.

    Raises:
        AnswerError: it is not one of ours, or was changed on the way.
    """
    parts = unfence_parts(prompt)
    context = parts.pop(0)[1] if parts[0][0] == "CONTEXT" and len(parts) > 1 else ""
    (name, claim), *documents = parts
    expected = _handles([claim, *(text for _, text in documents), context])
    if name != "CLAIM" or any(handle != next(expected) for handle, _ in documents):
        raise AnswerError("the prompt holds other parts than a claim and its documents")
    return Fenced(prompt, claim, tuple(documents), context)


def fence_parts(parts: Sequence[tuple[str, str]]) -> str:
    """Fence named texts; a name is a word in capitals, or a handle where there are several of a kind."""
    return _written([(name, neutralise(text)) for name, text in parts])


def _written(parts: Sequence[tuple[str, str]]) -> str:
    mark = _mark([text for _, text in parts])
    lines = [line for name, text in parts for line in (f"<<<{name} {mark}>>>", text)]
    return "\n".join([*lines, "<<<END>>>"])


def unfence_parts(prompt: str) -> list[tuple[str, str]]:
    """Read what `fence_parts` wrote: names and texts, at least one.

    Raises:
        AnswerError: it is not one of ours, or was changed on the way.
    """
    opening = _OPEN.match(prompt)
    if opening is None:
        raise AnswerError("the prompt is not a fenced one")
    mark = opening["mark"]
    ending = "\n<<<END>>>"
    if not prompt.endswith(ending):
        raise AnswerError("the fence of the prompt does not close")
    inside = prompt[opening.end() : len(prompt) - len(ending)]
    first, *rest = re.split(rf"\n<<<({_NAME}) {mark}>>>\n", inside)
    if mark != _mark([first, *rest[1::2]]):
        raise AnswerError("the fence of the prompt does not fit what it holds")
    return [(opening["name"], first), *zip(rest[::2], rest[1::2], strict=True)]


def _mark(texts: Sequence[str]) -> str:
    return base64.urlsafe_b64encode(_digest(texts))[:MARK_LENGTH].decode()


def _handles(texts: Sequence[str]) -> Iterator[str]:
    """Names of documents, without end; of 900 places to begin, two prompts of five documents share one in a hundred."""
    first = 100 + int.from_bytes(_digest(texts)[-4:], "big") % 900
    return (f"d{number}" for number in itertools.count(first))


def _digest(texts: Sequence[str]) -> bytes:
    content = json.dumps(texts).encode()  # ASCII with escapes: any string encodes, and the parts stay apart
    return hashlib.sha256(content).digest()
