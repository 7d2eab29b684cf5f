"""How a model says that it will not do what it was asked."""

from __future__ import annotations

import re

_DOING = (
    r"help|assist|comply|answer|respond|judge|verify|confirm|evaluate|assess|determine|decide|provide|give|process|"
    r"fulfil|continue|engage|discuss|make|say|tell|do\s(?:that|this|so)"
)
_REFUSAL = re.compile(
    rf"""(?ix)
    \b(?:i|we)\s*+(?:(?:['’]?m|am|['’]?re|are)\s*+)?(?:really\s|very\s|so\s|truly\s)?sorry\b
    | \b(?:i|we)\s(?:can\s?not|can['’]?t|could\snot|couldn['’]t|will\snot|won['’]t|may\snot)\s(?:\w+\s)?(?:{_DOING})\b
    | \b(?:i|we)\s*(?:['’]m|am|['’]re|are)\s(?:\w+\s)?(?:unable|not\s(?:able|allowed|permitted))\sto\s(?:{_DOING})\b
    | \b(?:i|we)\s(?:must\s|have\sto\s|will\s)?(?:refuse|decline)\b
    | \bas\san?\s(?:ai|artificial|language\smodel|large\slanguage)\b
    | \bes\stut\smir\sleid\b | \bich\s(?:kann|darf|werde)\s(?:\w+\s){{0,3}}nicht\b | \bich\slehne\b
    | \b(?:kann|darf)\sich\s(?:\w+\s){{0,3}}nicht\b
    | \bje\s(?:suis\sdésolée?|ne\s(?:peux|puis)\spas|refuse)\b | \bdésolée?,
    | \blo\ssiento\b | \bno\spuedo\b | \bme\sniego\b
    | \b(?:sinto\smuito|não\sposso|desculpe)\b | \bmi\sdispiace\b | \bnon\sposso\b
    | (?:抱歉|对不起|無法|无法|我不能|拒绝|申し訳|できません|お答えでき|죄송|할\s?수\s없|извините|не\sмогу|отказываюсь)
    """
)


def refuses(text: str) -> bool:
    """Whether a text refuses to answer, in the first person; "the document cannot say more" does not."""
    return _REFUSAL.search(text) is not None
