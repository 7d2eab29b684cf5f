"""Whether a sentence that ends in a question mark asks. "The tower is 5 km high?" states; in doubt it does."""

from __future__ import annotations

import re
from itertools import chain

from gate.text.figures.dates import find_dates
from gate.text.figures.quantities import find_quantities
from gate.text.words.formulae import KNOWING, SAYING
from gate.text.words.function_words import FUNCTION_WORDS
from gate.text.words.verbs import ASSERTING, FINITE_AUXILIARIES

QUESTION = re.compile("[?？؟\u037e]['\"”’»)*_\\]]*$")
_AUXILIARY = "|".join(sorted(FINITE_AUXILIARIES))
_ASKS_WHAT = (
    r"(?:(?:at|by|for|from|in|of|on|to|with|since|until|and|but|so|or|then|also|und|et|y|e|à|de|en|por|para|a|да|а|и)\s)?"
    r"(?:who|whom|whose|what|what['’]s|when|where|which|why|how|how['’]s|who['’]s|"
    r"wer|wen|wem|was|wann|wo|wohin|woher|warum|wieso|wie|welche[rsnm]?|"
    r"qui|que|quoi|quand|où|pourquoi|comment|combien|quel(?:le)?s?|est-ce|qu['’]\w+|"
    r"qué|cuál(?:es)?|cuándo|dónde|quién(?:es)?|cómo|cuánt[oa]s?|"
    r"che|cosa|quando|dove|perché|chi|come|quant[oaie]|qual[ei]?|quem|onde|como|"
    r"кто|что|где|когда|почему|зачем|как|какой|какая|какие|какое|сколько|куда|откуда|чей)"
)
_ASKS_WHETHER = (
    r"(?:(?:and|but|so|or|then|also)\s)?"
    rf"(?:(?:{_AUXILIARY})|"
    r"(?:ist|sind|war|waren|hat|haben|habe|kann|kannst|können|wird|werden|soll|sollen|muss|müssen|darf|gibt|möchten|"
    r"möchtest|brauchen|brauchst|a-t-\w+|\w+-(?:vous|tu|t-il|il|elle|on|ils|nous|je)))(?:\s+not)?"
)
_END = r"(?![\w'’-])"
_FIRST = re.compile(rf"(?i)^\W*(?:{_ASKS_WHAT}|{_ASKS_WHETHER}){_END}")
_WHAT = re.compile(rf"(?i)^\W*{_ASKS_WHAT}{_END}")
_WHETHER = re.compile(rf"(?i)^\W*{_ASKS_WHETHER}{_END}")
_REQUESTS = re.compile(
    r"(?i)^\W*(?:(?:can|could|will|would|may) (?:you|i ask)|(?:kannst|könntest|würdest) du|"
    r"(?:können|könnten|würden) sie|peux-tu|pouvez-vous|pourriez-vous|puedes|puede usted|puoi|podes|você pode|"
    r"kun je|kunt u)\b"
)
_INVERTED = re.compile(
    rf"(?i)(?P<before>(?<![\w'’])(?:[\w'’]+[^\w.!?\n]+){{1,3}})(?P<verb>(?:{_AUXILIARY})\s(?:I|we|you|it|they|he|she|there))(?![\w'’])"
)
"""A verb before its subject, and the few words before it: "hi can i"; "how long can I" asks how long."""
_NEAR = 20
"""Characters in which it is seen whether a question requests."""
_ASKING_WORD = re.compile(r"(?i)\b(?:who|whom|whose|what|when|where|which|why|how|so|nor|neither)\b")
_INDIRECTLY = re.compile(r"(?i)\bwhether\b|\b(?P<verb>[^\W\d_]+)\s(?:(?:me|us|out)\s)?(?:if|ob)\b")
_SEEKING = KNOWING.union(SAYING, ("ask", "check", "see", "wonder", "wondering"))
"""Verbs behind which "if" asks: "I wonder if it is"; "Return it if it is old" only supposes."""
_AFTER_CONDITION = re.compile(rf"(?i),\s*(?:{_ASKS_WHAT}|{_ASKS_WHETHER}){_END}")
_LATER = re.compile(
    rf"(?i)[;:–—…|]\s*{_ASKS_WHAT}{_END}|,\s*(?:and\s|but\s|so\s)?(?:how|what|why|wie|warum|comment|pourquoi|cómo){_END}|"
    rf"[,;:–—…|]\s*{_ASKS_WHETHER}(?=\s(?:I|you|we|they|he|she|it|there|this|that|these|those|the|an?|my|your|our|any)\b)"
)
"""An asking clause that is not the first; after a comma "which" and "is" alone go on stating."""
_ASKING_SIGNS = re.compile(
    "[吗呢谁哪几]|什么|多少|怎|为何|为什么|是否|是不是|か[？?]|何|誰|どこ|いつ|なぜ|どう|いくら|까[？?]|나요|ไหม"
)
_ASKING_ELSEWHERE = re.compile(
    r"(?:^\W*|[،,][^\w،,]*)(?:هل|ما|ماذا|من|أين|متى|كيف|لماذا|كم|क्या)(?!\w)|कौन|कब|कहाँ|कैसे|क्यों|कितन|\bли\b"
)
_ASSERTING = re.compile(r"(?i)^\W*(did you know|isn['’]t it (true|a fact)|is it not true|who would have thought)\b")
_SUGGESTING = re.compile(rf"(?i)^\W*(?:{_AUXILIARY}|ca|wo)n['’]?t\b")
"""How what is held true is asked: "Isn't the tower 5 km high?"."""
_TAG = re.compile(
    rf"(?i),\s*(?:(?:or|and)\s)?(?:(?:{_AUXILIARY}|ca|wo)"
    r"(?:n['’]?t)?\s(?:it|he|she|they|we|you|I|that|this|there)(?:\snot)?|"
    r"right|correct|no|yes|true|ok(?:ay)?|eh|huh|why not|who knew|"
    r"nicht(?: wahr)?|oder|gell|n['’]est-ce pas|non|verdad|vero|né|не так ли|правда)\s*\W*$"
)
_SUPPOSING = "if|when|while|after|before|assuming|suppose|unless|once|wenn|falls|si|quand|cuando|se|если"
_SUPPOSED = re.compile(rf"(?i)^\W*(?:{_SUPPOSING})\b")
"""What is only thought of; "as", "since" and "with" say that it is so."""
_CONDITION = re.compile(
    rf"(?i)^\W*(?:{_SUPPOSING}|since|given|for|in|with|without|at|on|of|as|because|although|hello|hi|thanks|sorry|bei|nach)\b"
)
SENTENCES = re.compile(r"(?<=[.!?])\s|\n")
"""Where a sentence of what a user asks ends."""
_WHY = re.compile(r"(?i)\W*(?:(?:so|then|and)\s)?why\b")
"""Who asks why, takes the condition for granted: "If they can be returned, why wait?"."""


def states_fact(text: str) -> bool:
    """Whether it holds an amount, a number or a date."""
    return bool(find_dates(text) or any(not found.vague for found in find_quantities(text)) or re.search(r"\d", text))


def begins_asking(text: str) -> bool:
    """Whether it begins with "who", "how" and the like, or with the verb."""
    return bool(_FIRST.match(text))


def before_asking(sentence: str) -> str:
    """What stands before the clause that asks; empty where nothing does, or it is only supposed."""
    if _FIRST.match(sentence):
        return ""
    asking = (_CONDITION.match(sentence) and _AFTER_CONDITION.search(sentence)) or _LATER.search(sentence)
    if not asking or (_SUPPOSED.match(sentence) and not _WHY.match(sentence, asking.start())):
        return ""
    return sentence[: asking.start()]


def asks_whether(text: str) -> bool:
    """Whether it asks for a yes or no about a matter; "Can you explain it?" requests."""
    for sentence in SENTENCES.split(text):
        sentence = sentence.strip()
        whether = _WHETHER.match(sentence)
        asked = whether or (sentence.count(" ") > 1 and QUESTION.search(sentence) and not begins_asking(sentence))
        if asked and not _REQUESTS.match(sentence):
            return True
    return False


def asks_within(text: str) -> bool:
    """Whether it asks for a yes or no in less than a whole question: "hi can i return it", "Accepted?"."""
    return any(_asks_within(sentence.strip()) for sentence in SENTENCES.split(text))


def _asks_within(sentence: str) -> bool:
    if QUESTION.search(sentence) and not begins_asking(sentence):
        return not FUNCTION_WORDS.issuperset(re.findall(r"[^\W\d_]+", sentence.lower()))
    inverted = ((one["before"] or "", one.start("verb")) for one in _INVERTED.finditer(sentence))
    return any(
        not _ASKING_WORD.search(before) and not _REQUESTS.match(sentence[at : at + _NEAR]) for before, at in inverted
    )


def asks_indirectly(text: str) -> bool:
    """Whether a yes or no is asked for without a question: "Tell me whether it is so", "I wonder if it is"."""
    told = (one for one in SENTENCES.split(text) if not asks_what(one))
    found = chain.from_iterable(map(_INDIRECTLY.finditer, told))
    return any(not one["verb"] or one["verb"].lower() in _SEEKING for one in found)


def asks_what(text: str) -> bool:
    """Whether it begins with "who", "how" and the like."""
    return bool(_WHAT.match(text))


def asks(sentence: str) -> bool:
    """Whether a sentence with a question mark asks something, and states nothing on the way.

    Who asks begins a clause with a word such as "who" or with the verb. A tag ("…, isn't it?"), a fact before the
    asking clause ("It is 5 km high, how is that?") and a verb in its plain place state. Languages whose questions are
    not known here ask where they hold no amount and no verb of the list.
    """
    if _ASSERTING.search(sentence) or _TAG.search(sentence):
        return False
    if _SUGGESTING.search(sentence) and states_fact(sentence):
        return False
    if _ASKING_SIGNS.search(sentence) or _ASKING_ELSEWHERE.search(sentence):
        return True
    if _FIRST.match(sentence) or (_CONDITION.match(sentence) and _AFTER_CONDITION.search(sentence)):
        return True
    later = _LATER.search(sentence)
    if later:
        return not states_fact(sentence[: later.start()])
    return not (states_fact(sentence) or ASSERTING.search(sentence))
