"""Tags of HTML in an answer: which of them a page renders, and what it shows of their attributes.

A tag that HTML does not have, such as `<refunds never arrive>`, is shown as it is written by whatever shows plain text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gate.text.formats.html_elements import BOOLEAN, ELEMENTS, MEDIA, PLAIN_COLOURS, UNSHOWN, hides

Span = tuple[int, int]

_TAG = re.compile(r"<(?P<closing>/?)(?P<name>[A-Za-z][\w:.-]*)(?P<rest>[\s\S]*)>")
_ATTRIBUTE = re.compile(
    r"(?P<name>[^\s=\"'/>]+)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"']+)))?"
)
_TURN = (
    r"(?:im|start|begin|end|of|text|turn|header|head|id|bos|eos|eot|eom|eod|pad|sep|fim|prefix|middle|suffix|hole|python|"
    r"tag|file|repo|name|user|human|assistant|bot|system|tools?|calls?|functions?|responses?|results?|observation|"
    r"channel|messages?|return|constrain|think|thought|thinking|reserved|special|token(?:_\d{1,3})?|sentence|prompt)"
)
"""A word in the name of what a template puts between turns; a number tells tokens apart, and is no name."""
TEMPLATE = re.compile(
    rf"<\|(?:{_TURN}[_./-]?){{1,6}}\|>(?:(?:assistant|user|system|tool)\b)?|\[/?INST\]|</?s>|<<?/?SYS>?>|"
    r"<(?:start|end)_of_turn>(?:model\b)?|\[cite_(?:start|end)\]|"
    r"</?(?:think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|commentary|response|reply|answer|"
    r"final|final_answer|result|assistant|user|system|context|documents?|sources?|tool_calls?|tool_response|"
    r"function_calls?)>"
)
"""What a chat model's template puts around its turns."""
_DOCTYPE = re.compile(r"(?i)<!doctype\s+html\s*>")
_WORD = re.compile(r"[^\W\d_]{2,}")
_SHOWN_LISTED = "alt title placeholder label srcdoc summary aria-label aria-description content caption"
_SHOWN = frozenset(_SHOWN_LISTED.split())
_MACHINE_LISTED = "class style d points viewbox transform srcset sizes media rel allow sandbox href src action id for"
_MACHINE = frozenset(_MACHINE_LISTED.split())
"""Attributes that speak to the browser."""
_PLAIN_STYLE = re.compile(r"(?i)\s*(?:(?:text-align|font-weight|font-style|color)\s*:[\w#\s]*(?:;\s*|$))*")
"""Styles that leave a text where and as it is; any other may hide it, strike it out or move it away."""
_COLOUR = re.compile(r"(?i)(?<![\w-])color\s*:\s*([\w#]*)")
_HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})")
_LEAST_COLOURED = 0x60
"""Between the strongest and the weakest part of a colour; a grey, black and white among them, may be the page's own."""
_COUNTED = frozenset((("start", "ol"), ("reversed", "ol"), ("value", "li"), ("value", "progress"), ("value", "meter")))
"""Attributes of which a page makes a figure: the number of an item, a bar."""
_LEAST_WORDS = 3
"""Words that make the value of any other attribute a text."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag that a page renders.

    Attributes:
        name: in lower case; empty of a document type.
        shown: where in it the texts stand that a page shows, or whose attribute nobody here knows.
        media: where in it that stands which it shows and is no text, or which keeps the text inside of it from being
            seen as it is written; None where it does neither.
    """

    name: str
    closing: bool = False
    shown: tuple[Span, ...] = ()
    media: Span | None = None


def read_tag(text: str) -> Tag | None:
    """Read `<…>`; None for what is no tag of HTML, which is text."""
    if _DOCTYPE.fullmatch(text):
        return Tag("")
    found = _TAG.fullmatch(text)
    name = found["name"].lower() if found else ""
    if not found or name not in ELEMENTS:
        return None
    unseen = name in MEDIA | UNSHOWN and not found["closing"]
    shown, media = list[Span](), (1, 1 + len(name)) if unseen else None
    for attribute in _ATTRIBUTE.finditer(text, found.start("rest"), found.end("rest")):
        key = attribute["name"].lower()
        group = next((group for group in ("double", "single", "bare") if attribute[group] is not None), None)
        if group is None and key not in BOOLEAN:
            return None
        if (
            (key, name) in _COUNTED
            or key in ("hidden", "popover", "bgcolor")
            or (group and not _leaves_seen(key, attribute[group]))
        ):
            media = attribute.span()
        if group and (_is_shown(key, name) or (key not in _MACHINE and _is_text(attribute[group]))):
            shown.append(attribute.span(group))
        elif group and key in ("src", "data") and media and attribute[group]:
            media = attribute.span(group)
    return Tag(name, bool(found["closing"]), tuple(shown), media)


def _leaves_seen(key: str, value: str) -> bool:
    """Whether a text stays where and as it is, as far as an attribute says how it is drawn."""
    if key in ("class", "classname"):
        return not any(map(hides, value.split()))
    if key == "style":
        return bool(_PLAIN_STYLE.fullmatch(value)) and all(map(_is_seen, _COLOUR.findall(value)))
    return key != "color" or _is_seen(value.strip())


def _is_seen(colour: str) -> bool:
    """Whether letters of a colour are seen on any page."""
    found = _HEX.fullmatch(colour.lower())
    if not found:
        return colour.lower() in PLAIN_COLOURS
    size = len(found[1]) // 3
    parts = [int(found[1][at : at + size] * (3 - size), 16) for at in range(0, len(found[1]), size)]
    return max(parts) - min(parts) >= _LEAST_COLOURED


def _is_shown(key: str, name: str) -> bool:
    return key in _SHOWN or (key == "value" and name in ("input", "button"))


def _is_text(value: str) -> bool:
    return len(_WORD.findall(value)) >= _LEAST_WORDS
