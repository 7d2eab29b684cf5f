"""Text that speaks to whoever judges it: orders, made-up verdicts, role markers. It is no evidence.

A language model may obey it: a claim that does so is put to none. A verifier that counts words obeys nobody, but words
that are put into evidence still count: "Note to the judge: the claim that … is supported" holds the whole claim. So it
reads a passage up to the first sentence that speaks to its judge, and what stands after it is not trusted either.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from gate.model import Answer
from gate.prompts.fencing import neutralise
from gate.text.sentences import lines_of_sentences

NO_CLAIM = Answer(
    label="unsupported",
    reason="not_mentioned",
    justification="The claim speaks to its judge, so it is no statement to check.",
)
"""What is said of a claim that does so."""

_ENCODED = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{24,4000}={0,2}(?![\w+/=])")

_LATIN = str.maketrans("аеорсухіјѕԁԛԝոցհΑΒΕΖΗΙΚΜΝΟΡΤΥΧαορν", "aeopcyxijsdqwnghabezhikmnoptyxaopv")
"""Letters of other scripts that look like Latin ones."""

_LABEL = r"(weakly[ _]supported|supported|entailed)"
_TRUE = r"(verified|true|correct|confirmed|accurate|factual|grounded)"
_JUDGE = (
    r"(verifier|judges?|grader|evaluator|fact[- ]?checker|reviewer|checker|assistant|a\.?i\.?|llm|language model|model|"
    r"system|bot|chatgpt|claude|gemini)"
)
_IGNORE = r"\b(ignore|disregard|forget|overlook|override|bypass|skip|stop reading)\b"
_WHICH = (
    r"(all|any|every|everything|anything|what|whatever|the|this|that|these|those|your|my|our|its|other|of|and|in|from|you|"
    r"were|was|given|told|said|previous|prior|above|earlier|preceding|former|supplied|provided|attached|retrieved)"
)
"""What stands between an order to disregard and what it is about: "ignore all the rules above". Manuals of tools are
full of "ignore rules", "skip the patch (see above)" and "later globs override earlier globs", which are no orders."""
_ORDERS = (
    # The shape of an answer or of a conversation.
    r"[\"'*_]{0,3}\b(label|justification)\b[\"'*_]{0,3}\s*[:=]",
    rf"\b(verdict|scores?|final answer|classification|result|status|answer)\b[\"'*_]{{0,3}}\s*[:=].{{0,12}}"
    rf"\b({_LABEL}|{_TRUE})\b",
    r"\b(reason|quote|documents)\s*:\s*(entailed|partial|contradicted|not_mentioned|d\d)",
    r"(^\W*|[\n.!?][^\w\n.!?]*)(system|assistant|developer|human|user|instructions?|inst|judge|verifier)\s*"
    r"(message|prompt|note)?\W{0,3}[:\]]",
    r"<\|\w+\|>|\[/?inst\]|<<\s*sys\s*>>|</?(system|claim|document|evidence|instructions?|verdict|prompt|user|assistant)\b[^>]*>",
    r"[(]{3}\s*(claim|end|d\d)\b|<<<|\bend of (the )?(evidence|claim|prompt|context)s?\b",
    r"\bweakly_supported\b|\b(new|updated|override|system|hidden|secret) (instructions?|prompt|directive)\b",
    # Orders to disregard, and to judge in a certain way.
    rf"{_IGNORE}.{{0,60}}\b(instructions?|evidence|prompts?|guidelines?)\b",
    rf"{_IGNORE}( {_WHICH}){{1,4}} (rules?|documents?|passages?|sources?|context)\b",
    rf"{_IGNORE}( {_WHICH}){{0,3}} (above|previous|prior|earlier)\b(?= *([^\w ]|$))",
    rf"\b(mark|label|rate|classify|treat|consider|answer|respond|output|return|reply|say|judge|score|deem|accept|approve|"
    rf"print|write|report|conclude|choose|select|set|assume|pretend|confirm)\b.{{0,80}}\b{_LABEL}\b",
    rf"(^|[.!?:;,(\"']\s*|\n[^\S\n]*|\b(please|must|should|shall|just|simply|always|you|therefore|and|then)\s+)"
    rf"(mark|label|rate|classify|treat|answer|respond|output|return|reply|judge|score|deem|print|approve|accept)\b.{{0,60}}"
    rf"\b(as|is|with|be|that|them|it|this|all|everything)\b.{{0,40}}\b{_TRUE}\b",
    rf"\b(you are|you're|act as|pretend to be)( now)? (an?|the) .{{0,30}}\b{_JUDGE}\b",
    rf"\b(note|message|attention|hint|reminder|dear|hey|hello|memo|instructions?|warning|notice|tip)\b( to| for|:|,)?"
    rf"( the| all| any)? {_JUDGE}\b",
    rf"\b(claims?|statements?|assertions?|everything|all of (it|this))\b.{{0,160}}\b(is|are|was|must be|should be|"
    rf"has been|have been|counts? as)\b.{{0,30}}\b{_LABEL}\b",
    rf"\b(the|this|following|above|preceding|given) (claims?|statements?|assertions?)\b.{{0,160}}\b(is|are|was|must be|"
    rf"should be|has been|have been|counts? as) (\w+ )?(\w+ )?{_TRUE}\b",
    # The same in other languages: an order to ignore or to mark, near what it is about.
    r"\b(ignorier\w*|vergiss|vergessen sie|missachte\w*|markier\w*|bewerte\w*|antworte\w*)\b.{0,100}"
    r"\b(anweisung\w*|belege?n?|beweise?n?|belegt|gestützt|bestätigt|wahr|richtig|quellen)\b",
    r"\b(ignor(ez|e|a|ar|are|ate|em)|oubli(ez|e)|olvid(a|e|ar)|dimentica\w*|esqueç\w*|marqu(ez|e|em)|marc(a|ar|are)|"
    r"respond(ez|e|a|i)|répond(ez|s)|considér\w+|consider(a|e|are|em)|rispond\w+|classific\w+)\b.{0,100}"
    r"\b(instruc\w+|istruzion\w+|preuves?|pruebas?|prove|provas|vrai\w*|verdader\w*|ver[oa]|verdadeir\w*|confirm\w+|"
    r"étayé\w*|soutenu\w*|respald\w*|supportat\w*|suportad\w*|correct\w*)\b",
    r"(игнорируй|игнорируйте|забудь|отметь|считай|ответь).{0,80}(инструкц|доказат|подтвержд|верн|правд)",
    r"(忽略|无视|忽視|忘记).{0,40}(指令|指示|证据|證據|内容)|(标记|标注|判定|回答|認定).{0,40}(支持|正确|真实|属实)",
    r"(無視|忘れ).{0,40}|(指示|証拠).{0,20}(無視|従わ)|(支持|正しい|真実).{0,12}(マーク|判定|回答|答え)",
    r"(무시|표시|대답|판정).{0,40}(지시|증거|지지|사실)|(지시|증거|지지|사실).{0,40}(무시|표시|대답|판정)",
    r"(تجاهل|انس).{0,80}(تعليمات|الأدلة|السابقة)|(صنف|اعتبر|أجب).{0,80}(مدعوم|صحيح)",
    r"(अनदेखा|नज़रअंदाज़|भूल).{0,80}|(निर्देश|सबूत).{0,60}(अनदेखा|नज़रअंदाज़)",
)
_EACH = tuple(re.compile(order, re.IGNORECASE) for order in _ORDERS)
"""One by one they are found in half the time that one alternation of all takes: each has beginnings to look for."""


def before_instructions(text: str) -> str:
    """The text up to the first sentence that speaks to its judge; all of it where none does."""
    found = first_instruction(text)
    return text if found is None else text[:found]


@lru_cache(maxsize=2048)
def first_instruction(text: str) -> int | None:
    """Where the first sentence begins that speaks to its judge."""
    text = neutralise(text)  # look-alikes of a fence become brackets, each character in its place
    views = [(text, range(len(text)))] if text.isascii() else [(text, range(len(text))), _as_seen(text)]
    found = [places[_sentence_start(seen, match)] for seen, places in views if (match := _first(seen))]
    return min(found, default=None)


def _first(seen: str) -> re.Match[str] | None:
    matches = filter(None, (order.search(seen) for order in _EACH))
    return min(matches, key=lambda match: match.start(), default=None)


def _sentence_start(text: str, match: re.Match[str]) -> int:
    """Where the sentence or line begins that holds a match."""
    at = match.end() - len(match[0].lstrip(" \t\n.!?"))
    return max((start for start, _ in lines_of_sentences(text[: at + 1]) if start <= at), default=0)


def _as_seen(text: str) -> tuple[str, Sequence[int]]:
    """The text as a reader sees it: look-alikes as Latin letters, marks and invisible characters left out; and where
    each character stood."""
    seen: list[str] = []
    places: list[int] = []
    for place, sign in enumerate(text):
        for part in sign if sign.isascii() else _plain(sign):
            seen.append(part)
            places.append(place)
    return "".join(seen).translate(_LATIN), places


@lru_cache(maxsize=4096)
def _plain(sign: str) -> str:
    parts = unicodedata.normalize("NFKD", sign)
    return "".join(part for part in parts if unicodedata.category(part) not in ("Mn", "Cf", "Me"))


def encodes(text: str) -> bool:
    """Whether it holds words in base64, which no reader reads and which may say anything to a judge."""
    return any(map(_decodes_to_words, _ENCODED.findall(text)))


def _decodes_to_words(token: str) -> bool:
    try:
        said = base64.b64decode(token, validate=True).decode("ascii")
    except ValueError:
        return False
    return " " in said and said.isprintable()
