"""Tells sentences that state nothing to check from claims. In doubt a sentence is a claim."""

from __future__ import annotations

import re

from gate.model import NonClaimReason
from gate.rules.asking import QUESTION, VERB, asks, begins_asking, states_fact
from gate.rules.blocks import Kind

_FACTS = re.compile(r"\d|https?:|[\w.]+@[\w.]+|[/\\]\w+[/\\.]|%|[$€£¥₹]")
"""Something that can be wrong by itself: whatever holds it is never set aside for its tone."""

_POLITE = re.compile(
    r"(?i)^\W*(hi|hello|hey|dear|greetings|good (morning|afternoon|evening|day)|welcome|thanks?|thank you|"
    r"you['’]re welcome|happy to help|glad to help|no problem|sorry|i apologi[sz]e|my apologies|"
    r"best( regards| wishes)?|kind regards|regards|sincerely|cheers|bye|goodbye|have a (nice|great|good)|"
    r"hallo|guten (morgen|tag|abend)|danke|"
    r"bonjour|bonsoir|merci|hola|gracias|ciao|grazie|olá|obrigad[oa]|привет|здравствуйте|спасибо|"
    r"こんにちは|ありがとう|你好|谢谢|नमस्ते|धन्यवाद|مرحبا|شكرا)(?![^\W_]|['’])"
)
_ASSENT = re.compile(
    r"(?i)^\W*(sure( thing)?|certainly|of course|absolutely|great|good|excellent|yes|no|okay|ok|gerne|natürlich|"
    r"bien sûr|claro|por supuesto|конечно|もちろん|当然)\W*$"
)
_CLOSING = re.compile(
    r"(?i)^\W*(i hope (this|that|it) helps|hope (this|that|it) helps|i['’](m| am) happy to|i would be happy to|"
    r"i['’]d be (happy|glad) to|feel free to|let me know|(great|good|excellent|interesting) question|"
    r"if you have (any )?(other |more |further |additional )?questions)\b"
)
_INSTRUCTION = re.compile(
    r"(?i)^\W*(please|kindly|click|press|tap|open|go to|visit|see|check|try|run|type|enter|select|choose|make sure|"
    r"remember|don['’]t forget|contact|call|email|ask|tell|send|provide|consider|be sure|follow|use|"
    r"add|remove|set|install|download|keep in mind|bitte|s['’]il vous plaît|por favor|пожалуйста)\b"
)
_CANNOT = r"(do not|don['’]t|cannot|can['’]t|could not|couldn['’]t|am unable to|am not able to|am not sure|have no)"
_ABSTENTION = re.compile(
    rf"(?i)^\W*((i['’]m |i am )?(sorry,? (but )?)?(i {_CANNOT}|i['’]m (not sure|unable|not able|not certain)|as an ai|"
    rf"unfortunately,? i {_CANNOT}))\b"
)
_ABSTAINS_FROM = re.compile(
    r"(?i)\b(know|sure|certain|find|found|access|answer|help|confirm|verify|say|tell|provide|information|data|unable|able)\b"
)
_TURNS_ROUND = re.compile(r"(?i)[;:–—]|\b(but|however|though|although|yet|still|nevertheless|because|since|as)\b")
_HEDGE = re.compile(
    r"(?i)^\W*(i (think|believe|feel|would say|guess|suppose|like|love|prefer|recommend|suggest)|in my (opinion|view)|"
    r"personally|imo|imho|to my mind|ich (finde|denke|glaube)|je (pense|trouve|crois)|creo que)\b"
)
_VALUING = re.compile(
    r"(?i)\b(good|great|best|better|nice|worse|worst|bad|love|like|prefer|recommend|suggest|worth|beautiful|ugly|"
    r"interesting|boring|fun|enjoy|amazing|wonderful|lovely|nicest|favou?rite|perfect|should|fine|easy|elegant|useful|"
    r"helpful|gut|schön|beau|bien|bueno)\b"
)
_ANNOUNCEMENT = re.compile(
    r"(?i)^\W*(here(['’]s| is| are)|below (is|are)) (what you|how (to|you)|an? (overview|summary|list)|"
    r"some (tips|information|details|facts)|the (details|steps|key|main|most important|answer))\b[^:;,–—]*[.:!]?$"
)
"""Says that something will be said; it may name the subject, with its number, and still states nothing of it."""
_PLEASE = re.compile(r"(?i)^\W*(please|kindly|bitte)\b(?! (note|be aware|know|mind|be advised))")
_LEAD_IN = re.compile(
    r"(?i)\b(here|following|follows|below|this|these|steps?|points?|summary|overview|details|answer)\b"
)
_FINITE = re.compile(r"(?i)\b(is|are|was|were|has|have|had|does|did|will|would|costs?|contains?|includes?|means?)\b")
"""A verb that asserts: with one of these "Use of the tool is free" is no instruction."""
_NUMBERED = re.compile(
    r"(?i)^\W*(?:(?:step|chapter|section|part|phase|figure|table|appendix|rule|tip|question|day|week|version|v)\s*)?"
    r"\d+(?:\.\d+)*\b[.:)]*|^\W*\d+(?= \w+ (?:you|to|that|we)\b)"
)
"""A heading's own number, and the count of "10 things you need"."""
_LETTERS = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0eff\u1000-\u109f]{3}")
_ENDS_SENTENCE = re.compile(r"[.!。！।։…]['\"”’»)*_\]]*$")


def non_claim_reason(sentence: str, kind: Kind = "prose") -> NonClaimReason | None:
    """Why `sentence` states nothing to check; None when it is a claim.

    Whatever holds a number, an amount, an address or a path is a claim, whatever its tone: a false figure does not
    become harmless by being put politely.
    """
    if kind == "code":
        return "code"
    if not _LETTERS.search(sentence) and not re.search(r"\d", sentence):
        return "fragment"
    if kind == "heading" and not _ENDS_SENTENCE.search(sentence) and not _heading_states(sentence):
        return "heading"
    if QUESTION.search(sentence) and asks(sentence):
        return "question"
    if _ANNOUNCEMENT.search(sentence):
        return "fragment"
    if _is_abstention(sentence):
        return "abstention"
    if _FACTS.search(sentence):
        return None
    return _by_tone(sentence, len(_LETTERS.findall(sentence)))


def _heading_states(heading: str) -> bool:
    """Whether a heading, or a cell of one, has a verb and a fact beside its own number: "Refunds take 90 days"."""
    cells = [_NUMBERED.sub("", cell) for cell in heading.split("|")]
    return any(VERB.search(cell) and states_fact(cell) and not begins_asking(cell) for cell in cells)


def _by_tone(sentence: str, words: int) -> NonClaimReason | None:
    asserts = bool(_FINITE.search(sentence))
    if _ASSENT.search(sentence) or (_CLOSING.search(sentence) and words <= 20):
        return "greeting"
    if _POLITE.search(sentence) and words <= 6 and not asserts:
        return "greeting"
    if _PLEASE.search(sentence) or (_INSTRUCTION.search(sentence) and not asserts):
        return "instruction"
    if _HEDGE.search(sentence) and _VALUING.search(sentence):
        return "opinion"
    if sentence.rstrip("*_ ").endswith((":", "：")) and (words <= 4 or _LEAD_IN.search(sentence)):
        return "fragment"
    if words < 2 and not _UNSPACED.search(sentence):
        return "fragment"
    return None


def _is_abstention(sentence: str) -> bool:
    """The speaker cannot tell, and goes on to tell nothing: "I am not sure, but it costs 5 EUR" is a claim."""
    opening = _ABSTENTION.search(sentence)
    if not opening:
        return False
    rest = sentence[opening.end() :]
    return bool(_ABSTAINS_FROM.search(opening[0] + rest[:60])) and not _TURNS_ROUND.search(rest)
