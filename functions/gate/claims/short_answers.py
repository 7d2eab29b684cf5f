"""What "Yes, you do." says: the question before it as a statement, "You get the days back."."""

from __future__ import annotations

import re

from gate.text.words import formulae
from gate.text.words.negation import NEGATIONS
from gate.text.words.verbs import FINITE_AUXILIARIES

_AUXILIARY = "|".join(sorted(FINITE_AUXILIARIES | {"am"}))
_SUBJECT = "i|we|you|it|they|he|she|there|this|that"
_POLITE = r"unfortunately|sorry|I(?:['’]m|\sam)\s(?:afraid|sorry\sto\ssay)"
_OPENS = re.compile(
    rf"(?i)^\W*(?:(?:the\s)?(?:short|simple|quick)\sanswer(?:\sis)?|in\sshort|(?P<polite>{_POLITE}))\b[:,]?\s+"
)
_CLOSES = re.compile(rf"(?i)(?<=\W)(?:absolutely|definitely|certainly|of\scourse|indeed|{_POLITE})\W*$")
_ANSWER = re.compile(
    r"(?i)\W*(?=\w)(?:(?:(?P<yes>yes|yep|yeah)|(?P<no>no|nope))\b)?(?:(?:(?<=\w)[,!.–—\s]+)?"
    rf"(?P<whole>\b(?:(?:that|this|it)['’]s|(?:{_SUBJECT})\s(?:{_AUXILIARY}|ca|wo))(?P<not>n['’]t|not|\snot)?"
    r"(?P<so>\s(?:right|correct|true|the\scase|(?P<able>possible|allowed|permitted)))?))?\W*"
)
"""A yes or no, and what only says it again: "No, that isn't possible."."""
_CALLED = re.compile(r"(?i)\W*(?:the\s)?(?:short|simple|quick)\sanswer\sis\s(?:yes|no)(?P<between>\s?[:;,.–—]\s)(?=\w)")
_ADVISES = re.compile(r"(?i)\W*(?:(?:it['’]s|you['’]d)\s)?better\snot(?:\sto)?\W*")
_ABLE = frozenset({"can", "could", "may", "might"})
"""How one asks what is possible or allowed: "that isn't possible" denies no need."""
_QUESTION = re.compile(
    rf"(?i)(?:^|[.!?,;:\n–—]|\b(?:and|but|so|hi|hello|hey)\b)\W{{0,5}}(?P<verb>{_AUXILIARY})\s+(?P<who>{_SUBJECT})\s+"
    r"(?P<what>[^?.!\n]{2,300})"
)
"""A question that is answered by yes or no and whose subject is a pronoun, so that it is known where that ends."""
_ENDS = re.compile(r"[?.!]\W{0,9}(?:\s|\Z)|\s{0,9}\Z|\n\s{0,9}\n")
"""What such a question ends with: not in the middle of a figure, at the end of a line or after so many characters."""
_BEGINS = re.compile(rf"(?i)(?:^|[.!?,;:\n–—]|\b(?:and|but|so|hi|hello|hey)\b)\W{{0,5}}(?:{_AUXILIARY})\b")
_IF = re.compile(r"(?i)\b(?:if|whether)\b")
_WH = rf"(?:(?:how|what)(?!\sabout\b)|(?:when|where)(?=\s(?:{_AUXILIARY})\b)|which|who|why)\b"
_ASKS_MORE = re.compile(rf"(?i)\W*(?:(?:and|but|so)\s)?{_WH}")
"""A question that nobody answers by yes or no."""
_ANOTHER = re.compile(rf"(?i),?\s(?:(?:and|but)\s{_WH}|so\sthat\b)")
"""What begins such a question within another one, or says what that is for."""
_CLAUSE = re.compile(r"(?i)\b(?:and|but)\s(?:how|what|when|where|which|who|why)\b")
_STOPS = re.compile(r"(?<=[?.!\n])")
_GRANTING = frozenset({"fine", "right", "correct", "true", "possible", "allowed", "permitted"})
_SAYING_NOTHING = _GRANTING.union(*formulae.HOLDING.values(), *formulae.GREETING.values(), *formulae.VALUING.values())
_ASKER = {"i": "you", "me": "you", "my": "your", "mine": "yours", "i'm": "you're", "i've": "you've", "i'd": "you'd"}
_ASKED = _ASKER | {"you": "we", "your": "our", "yours": "ours"}
_OPEN = frozenset({"or", "any", "anything", "anyone"})
"""What leaves it open of what is asked: "Are there any conditions?"."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SHORT = 100
"""Characters of a short answer."""
_LONGEST = 2_000
"""Characters of what was asked: a prompt that holds documents asks nobody knows where."""


def short_answer(text: str, asked: str) -> str:
    """What a yes or no states after what was asked; empty where it is more, or nobody can be certain of the question.

    That is where one question is asked to be answered so, with a pronoun for its subject.
    """
    denies, of = _yes_or_no(text)
    if denies is None or len(asked) > _LONGEST:
        return ""
    question = _the_question(asked)
    if question is None:
        return ""
    verb, who = question["verb"].lower(), question["who"].lower()
    what = _ANOTHER.split(question["what"], maxsplit=1)[0].strip(" ,;")
    words = question["what"].lower().split()
    if _CLAUSE.search(what):
        return ""
    if not _OPEN.isdisjoint(words) or not NEGATIONS.isdisjoint(words) or (of and verb not in _ABLE):
        return ""
    seen = _ASKED if who == "you" else _ASKER
    verb = {"am": "are", "was": "were"}.get(verb, verb) if who == "i" else verb
    verb = "should" if of == "advice" else verb
    denied = "cannot" if verb == "can" else f"{verb} not"
    affirmed = "" if verb == "do" else verb
    what = _WORD.sub(lambda one: _turned(one[0], seen), what)
    return " ".join(f"{_turned(who, seen).capitalize()} {denied if denies else affirmed} {what}.".split())


def leaves_open(text: str, asked: str) -> bool:
    """Whether it says no more than yes or no, to what cannot be stated and is more than one plain question.

    Judged with all that was asked it would be supported by a part of that, and its figures would be nobody's.
    """
    if not _only_answers(text) or short_answer(text, asked):
        return False
    if len(asked) > _LONGEST or re.search(r"\d", asked):
        return True
    return _the_question(asked) is None and (bool(_QUESTION.search(asked)) or asked.count("?") > 1)


def _the_question(asked: str) -> re.Match[str] | None:
    """The one question that is answered by yes or no; None where there may be another one."""
    found = _QUESTION.search(asked)
    if found is None or not _ENDS.match(asked, found.end()):
        return None
    if len(_BEGINS.findall(asked)) > 1 or _IF.search(asked[: found.start()]):
        return None
    beside = asked[: found.start()], asked[found.end() :].lstrip("?!. \n")
    others = [one for part in beside for one in _STOPS.split(part) if one.endswith("?")]
    return found if all(map(_ASKS_MORE.match, others)) and not _IF.search(beside[1]) else None


def _only_answers(text: str) -> bool:
    """Whether it has no word of its own: "You can.", "That's fine."."""
    if len(text) > _SHORT or re.search(r"\d", text):
        return False
    words = formulae.words_of(text)
    plain = _ANSWER.fullmatch(_CLOSES.sub("", _OPENS.sub("", text)))
    return bool(words) and (bool(plain) or _SAYING_NOTHING.issuperset(words))


def answer_apart(text: str, asked: str) -> tuple[int, int] | None:
    """Where an answer ends that is called short, and what follows it begins: "The short answer is no: it is sold."."""
    found = _CALLED.match(text)
    return found.span("between") if found and short_answer(text[: found.start("between")], asked) else None


def _yes_or_no(text: str) -> tuple[bool | None, str]:
    """Whether it only says no or only yes, None where it says more; and whether of what is possible, or as advice."""
    if len(text) > _SHORT:
        return None, ""
    rest = _OPENS.sub("", text)
    if _ADVISES.fullmatch(rest):
        return True, "advice"
    rest, polite = _CLOSES.sub("", rest), _OPENS.match(text)
    if polite and polite["polite"] and rest.strip(" .!").lower() == "not":
        return True, ""
    said = _ANSWER.fullmatch(rest)
    if not said or not (said["yes"] or said["no"] or said["so"]):
        return None, ""
    denies = bool(said["no"] if said["yes"] or said["no"] else said["not"])
    of = "what is possible" if said["able"] else ""
    return (None if said["whole"] and denies != bool(said["not"]) else denies), of


def _turned(word: str, seen: dict[str, str]) -> str:
    return seen.get(word.lower().replace("’", "'"), word)
