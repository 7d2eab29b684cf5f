"""Courtesies: greetings, thanks, wishes, offers and their like."""

from __future__ import annotations

import re
from dataclasses import replace

from gate.claims.set_aside.sentence import DENIED, HOLDING, KNOWN, Sentence, closes, embeds
from gate.claims.set_aside.telling import denies, orders, places
from gate.text.words import formulae
from gate.text.words.anaphora import SUBJECTS
from gate.text.words.verbs import ASSERTING

_THIRD = SUBJECTS | {"it", "they", "he", "she", "there", "ell", "el", "het"}
"""Words with which no courtesy begins: somebody else, or something, is spoken of."""
_ASKS_BACK = re.compile(
    r"(?i)^\W*(?:please |just |and |then )*(?:let (?:me|us) know|tell (?:me|us)) (?:if|whether|how|what|which)"
    r"(?: [^\W\d_]+)? (?:you|your)\b[^,;:]*$"
)
_MOST_ASKED = 2
"""New words of "Let me know which colour you would like."."""
_CONDITION = re.compile(
    r"(?i)^\W*(?:if you|wenn du|wenn sie|falls du|falls sie|si vous|si tu)\b[^,]{1,200},\s(?P<rest>.+)"
)
"""An offer's condition, which says nothing by itself: "If you need more detailed estimates, let me know."."""
_WISH = re.compile(
    r"(?i)^\W*(?:(?:happy \w+ing|safe (?:travels|journey|trip|flight)"
    r"|see you (?-i:(?:at|in|on) (?:the |your )?[a-z]+))!|"
    r"(?:(?:please )?feel free to (?:adapt|adjust|change|copy|customi[sz]e|edit|modify|personali[sz]e|rephrase|shorten|"
    r"tweak|use)|thank(?:s| you) for \w+ing) (?:it|this|that|them|us|me)[.!])\W*$"
)
"""Wishes and thanks, any word of doing among them; what one may do with "it" is done to a text."""
_HAVE = re.compile(r"(?i)^\W*(?:have an? (?P<how>\w+) |enjoy (?:the|your) )\w+!\W*$")
_AWAITS = re.compile(
    r"(?i)^\W*(?:(?:I|we)(?:['’]m|['’]re| am| are)? )?look(?:ing)? forward to your (?:visit|stay|arrival|reply"
    r"|response|answer|message|call|feedback)[.!]\W*$"
)
_WISHES_TWICE = re.compile(
    r"(?i)^\W*(?:safe|happy|have an?) (?:\w+ ){0,2}\w+,? and (?:see|hope to see|have) (?:\w+ ){1,3}\w+[!.]\W*$"
)
_WISHED = re.compile(
    r"(?i)\b(?:wish|wünsch|souhait|dese|augur|desej|wens)[^\W\d_]*\s(?:[^\W\d_]+\s){1,4}(?P<word>[^\W\d_]+)\W*$"
)
"""What one is wished, the last word: "Ich wünsche Ihnen eine gute Überfahrt!"."""
_WISH_ABROAD = re.compile(
    r"(?i)^\W*(?:(?:guten?r?|schöne[nrs]?|frohe[sn]?|bonn?e?|buon[ao]?|boa|bom|feliz|buen[ao]?|goede|fijne"
    r"|que tengas?(?: una?)?|que tenha(?: uma?)?|happy(?! to\b))\s(?:[^\W\d_]+\s)?[^\W\d_]+"
    r"|(?:viel|veel)\s(?:spa(?:ß|ss)|erfolg|freude|glück|vergnügen|plezier|succes|geluk)(?:\s[^\W\d_]+){0,3})\s?!\W*$"
)
"""A wish in a few words and an exclamation mark, "Viel Spaß beim Radeln!"; at most one of them is no courtesy."""
_TO_WHOM = re.compile(r"(?i),\s(?:you|all|both|everyone|folks)(?:\s(?:all|both|two|three|guys))?(?=\W*$)")
_OF_ANOTHER = re.compile(
    r"(?i)[,;:.!?–—]\s(?:(?:and|but|so|as)\s)?(?P<clause>(?:it|that|this|they|there)(?:['’]s|['’]re|\s(?:is|are|was|were|will|can|"
    r"may|should|does|do|has|have))\b[^,;:.!?–—]{0,200})"
)
_COURTESIES = frozenset().union(*formulae.GREETING.values(), *formulae.VALUING.values()) - {"no", "not"}
_REGRETS = frozenset({"sorry", "apologies"})
"""Who is sorry about something tells of it: "Sorry about the recall!"; of the user's own knee the user told."""
_SHORT = 8
"""Words of a courtesy that may hold one that is not listed."""

FRAME = re.compile(
    r"(?i)^(?!.*(?<!feel )\bfree\b)\W*(?:(?:[^\W\d_]+ ){0,2}[^\W\d_]+[,!.–—-]+ ?)?(?:and |but |so |please |then )?"
    r"(?:I (?:\w+ )?(?:hope|trust) (?:that )?(?:this|these|that|it|you|the|my|our|your)\b"
    r"|(?P<talk>(?:let me|let['’]s|allow me to)(?: just| quickly)? (?:check|look|see|fix|walk|break|start|dive|"
    r"clarify|recap|"
    r"summari[sz]e|correct|help|lay|take|go|rephrase|compare)|(?:just )?(?:tell|ask|message) me"
    r"|you(?:['’]re| are) (?:absolutely |totally |quite )?(?:right|all set)|that(?:['’]s| is) (?:it|all)"
    r"|I(?: do)?(?: \w+ly)? apologi[sz]e|(?:my|our) apologies|I(?: \w+ly)? understand (?:your|how))\b"
    r"|(?:I(?:['’]d| would|['’]ll| will|['’]m| am) (?:\w+ )?(?:be )?(?:\w+ )?(?:happy|glad|delighted|pleased|"
    rf"excited|here) to (?:help|assist|guide|walk|share|create|write|{'|'.join(sorted(formulae.SAYING))})"
    r"|(?:(?:I|we)(?:['’]m|['’]re| am| are)? )?look(?:ing)? forward to)\b"
    r"|enjoy (?:your|the|this|these|every)\b|happy \w+ing\b|(?:good luck|best of luck|all the best|have fun)\b"
    r"|(?:hope|hopefully|trust) (?:that )?(?:this|these|that|it|you)\b"
    r"|I(?:['’]m| am) (?:so |very |really |truly )*sorry (?:for|(?P<heard>(?:to hear )?about|to hear|that))\b"
    r"|thank(?:s| you)(?: \w+){0,3} for\b|(?:let (?:me|us) know|feel free|do(?:n['’]t| not) hesitate|reach out)\b)"
)
"""How speakers of English begin a hope, an offer to tell more, a wish or thanks."""
_PARTS = re.compile(r"[,;:–—]\s(?:and\s|but\s|so\s)?")


def is_greeting(one: Sentence) -> bool:
    if not replace(one, prompt=frozenset()).new(one.text):
        one = replace(one, text=_TO_WHOM.sub("", one.text))
    if one.figures or embeds(one):
        return False
    if not one.words or one.words[0] in _THIRD:
        return False
    if _ASKS_BACK.match(one.text) and len(one.new(one.text)) <= _MOST_ASKED:
        return True
    offered = _CONDITION.match(one.text)
    if offered and not _CONDITION.match(offered["rest"]):
        rest = replace(one, text=offered["rest"])
        bare = one.text[: offered.start("rest")]
        if (" ".join(rest.words) in formulae.FORMULAE and not one.new(bare)) or is_greeting(rest):
            return True
    if _AWAITS.match(one.text):
        return True
    if _wishes(one) and "free" not in one.words:
        return True
    if orders(one.text) or places(one.text) or _goes_on_of_another(one):
        return False
    if denies(one):
        return _repeats(one)
    if one.words[0] in formulae.SPEAKER and any(HOLDING[language].issuperset(one.words) for language in HOLDING):
        return True
    return closes(one.words, KNOWN, formulae.GREETING, _unlisted(one)) or _repeats(one)


def _wishes(one: Sentence) -> bool:
    """Whether it wishes something, and tells of nothing but that."""
    had = _HAVE.match(one.text)
    if had:
        return len(one.new(one.text)) <= 1 and not (had["how"] and one.new(had["how"]))
    wishes = _WISH.match(one.text) or _WISH_ABROAD.match(one.text)
    if wishes and len(one.new(one.text)) <= 1:
        return True
    return bool(_WISHES_TWICE.match(one.text)) and not one.untold(one.text)


def offers_on_condition(text: str) -> bool:
    """Whether an offer stands behind a condition: "If you get stuck, just tell me where."."""
    offered = _CONDITION.match(text)
    return bool(offered and FRAME.match(offered["rest"]))


def _goes_on_of_another(one: Sentence) -> bool:
    """Whether a later clause says of something what is no courtesy: "No need to worry, it's safe with it."."""
    clauses = (formulae.words_of(found["clause"]) for found in _OF_ANOTHER.finditer(one.text))
    return any(_COURTESIES.isdisjoint(words) and " ".join(words) not in formulae.FORMULAE for words in clauses)


def _repeats(one: Sentence) -> bool:
    """Whether it hopes, offers, wishes or thanks in words that are judged elsewhere, or were asked for.

    What one is sorry to hear the user has said: "I'm sorry to hear refunds are refused" tells it otherwise.
    """
    offered = _CONDITION.match(one.text)
    if one.told and offered and not one.untold(one.text[: offered.start("rest")]):
        one = replace(one, text=offered["rest"])
    begins = FRAME.match(one.text) if one.told else None
    if not begins or ("forward" in one.words and DENIED.search(one.text)) or (begins["heard"] and one.new(one.text)):
        return False
    told = one.text[begins.end() :] if begins["talk"] else one.text
    if one.untold(told):
        return False
    _, *others = _PARTS.split(one.text[begins.end() :])
    return all(FRAME.match(part) or not one.new(part) for part in others)


def _unlisted(one: Sentence) -> list[str]:
    """Words of a short courtesy that no list holds and that tell nothing: whom it greets, what it is about."""
    names = re.match(
        r"(?i)\W*(?:(?:hi|hello|hey|dear|hallo|liebe[r]?|sehr geehrte[r]?|ch(?:er|ère)|estimad[oa]|gentile|prezad[oa]|"
        r"geachte|bonjour|hola|ciao|olá|beste|best|kind|warm|"
        r"wishes|guten|tag|morgen|abend|regards|sincerely|cheers|mit|freundlichen|grüßen|grüße|cordialement|saludos|saluti|"
        r"groet(?:en)?)\b[\s,!]*){1,4}(?P<name>(?-i:(?:[A-ZÀ-Þ][\w.'’-]*[\s,!]*){1,4}))(?P<rest>.*)$",
        one.text,
    )
    found = formulae.words_of(names["name"]) if names and not ASSERTING.search(names["name"]) else []
    whom = re.match(r"(?i)^\W*(?:dear|hello|hi)\s(?P<whom>(?:[^\W\d_]+\s){0,2}[^\W\d_]+),\W*$", one.text)
    found += formulae.words_of(whom["whom"]) if whom and not ASSERTING.search(one.text) else []
    if len(one.words) <= _SHORT:
        about = re.search(
            r"(?i)\b(?:about|with|for|to(?=\s(?:the|your|our|my|an?|(?-i:[A-ZÀ-Þ]\w*))\b)|at|in|mit|für|pour|avec|con|per|para|com|voor|met)"
            r"\s(?:the|your|our|my|"
            r"a|an|der|die|das|den|dem|Ihre[rn]?|"
            r"deine[rn]?|le|la|les|votre|el|los|su|il|lo|tua|o|as|sua|de|het|uw|"
            r"je)?\s?(?P<word>[^\W\d_]+)(?:\s(?:support|service|team))?\W*$",
            one.text,
        )
        words = formulae.words_of(about["word"]) if about else []
        found += [word for word in words if one.asked(word) or _REGRETS.isdisjoint(one.words)]
        wish = _WISHED.search(one.text)
        found += formulae.words_of(wish["word"]) if wish else []
        team = re.search(r"(?i)\byour\s(?P<word>[^\W\d_]+)\steam\W*$", one.text)
        found += formulae.words_of(team["word"]) if team else []
    return found
