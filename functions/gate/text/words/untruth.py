"""Words that call untrue what stands beside them: "it is a myth that", "That is wrong.", "# Myths"."""

from __future__ import annotations

import re
from typing import Literal

from gate.text.words.negation import negated
from gate.text.words.untrue_titles import ELSEWHERE, SO, UNTRUE, WRONGLY

Told = Literal["said", "untrue", "unclear"]
"""How a statement is told: as it stands, as its opposite, or so that nobody can say which."""

_BELIEF = r"(?:claims?|belief|idea|notion|assumption|impression|view|theory|statement|assertion|suggestion|reports?)"
_DENIAL = re.compile(
    rf"""(?ix)
    (?:^\W*|\b(?:an?|the|this|that|common|popular|widespread|old)\ (?:\w+\ )?)myths?\b
    | \b(?:it['’]?s|it\ is|it\ was|the)\ (?:an?\ )?(?:\w+\ )?fallacy\ (?:that|to|of\ (?:believ|think|assum)ing)\b
    | \b(?:misconceptions?|hoax(?:es)?|urban\ legends?|old\ wives['’]\ tales?)\b
    | \b(?:debunk|disprov|refut|discredit)\w*
    | \b{WRONGLY}\b
    | \b(?:is|are|was|were|be|been|as|prov\w+)\ (?:\w+ly\ |just\ |also\ )?{UNTRUE}\b(?!\ (?:with|about|for|to)\b)
    | \b{UNTRUE}(?:\ \w+)?\ that\b
    | ^\W*(?:{UNTRUE}|not\ true)\s*[:–—-]
    | \bcontrary\ to\ (?:\w+\ ){{0,3}}{_BELIEF}\ that\b
    | \b(?:refus|declin|neglect|omitt|ceas)\w*\ to\b
    | \bdenie[sd]\ (?:that|having|any|being)\b
    | \b(?:anything\ but|far\ from\ being|rumou?rs?\ (?:to\ the\ contrary))\b
    """
)
_REFUSES = re.compile(
    r"(?i)\b(?:(?:refus|declin|neglect|omitt?|ceas)\w*\sto|denie[sd](?:\s(?:that|having|any|being))?)\W*$"
)
_THIS = r"(?:this|that|these|those|it|they|he|she|(?:the|this|that|these|such\ an?)\ (?:\w+\ ){1,2})"
REVOKED = (
    "repealed|revoked|withdrawn|abolished|cancelled|canceled|reversed|overturned|retracted|rescinded|debunked|disproved|"
    "disproven|superseded|discontinued|scrapped|abandoned|dropped"
)
"""What holds no more."""
_TAKEN_BACK = re.compile(
    rf"""(?ix)
    ^\W*(?:(?:but|however|yet|in\ fact|in\ reality|actually|unfortunately|later|today|now|of\ course),?\ )*
    (?:
      (?:this|that|all\ (?:this|that))\ (?:\w+\ )?(?:is|was|were|are|has|had|proved|turned\ out)
        \ (?:\w+\ ){{0,4}}?{UNTRUE}\b
      | (?:this|that|it)\ (?:\w+\ )?(?:is|was|has\ been|had\ been)(?:n['’]t|\ not|\ never|\ hardly)\ (?:\w+\ )?
        (?:{SO}|any\ ?more)\b
      | none\ of\ (?:this|that|it|these)\b
      | {_THIS}\s?(?:is|are|was|were|has|have|had)\ (?:\w+\ ){{0,3}}?(?:no\ longer|since\ (?:been\ )?\w+|{REVOKED})\b
      | {_THIS}\s?no\ longer\b
    )
    """
)
_OBJECTION = re.compile(
    rf"""(?ix)
    ^\W*(?:(?:sorry|well|oh|oops|ha(?:ha)?|lol|hm+|ah|no|nope|but|actually|alas|unfortunately|sadly|entirely|totally|
        completely|utterly|simply|plain|so|very|quite|just|obviously|clearly|of\ course)\W+)*
    (?:
      (?:(?:that|this|which|it|all\ (?:of\ )?(?:that|this))(?:['’]s|\ is|\ was|\ would\ be)\ (?:\w+\ ){{0,2}}?)?
        (?:{UNTRUE}|not\ {SO}|{ELSEWHERE})
      | (?:(?:that|this|it)(?:['’]s|\ is|\ was)\ )?(?:an?|my)\ (?:error|mistake|slip|typo|lie)(?:\W+sorry)?
      | no\ way | as\ if | (?:not\ (?:really|quite|exactly|at\ all)|(?:perhaps|maybe|probably)\ not)
      | (?:or\ )?so\ (?:they|people)\ (?:say|claim)
      | (?:i|we)\ (?:must\ |have\ to\ )?(?:take|took)\ (?:that|this|it)\ (?:all\ )?back
      | (?:(?:i|we|my|our)\ )?(?:\w+ly\ )?(?:sorry|apologi[sz]e|apologies)\ for\ (?:the|that|this|my|our)\ (?:\w+\ )?
        (?:errors?|mistakes?|slip|inaccurac(?:y|ies)|misinformation)(?:\ (?:above|there|earlier|before))?
      | i\ (?:do\ not|don['’]t|would\ not|wouldn['’]t)\ (?:think|believe|buy)\ (?:so|that|this|it)
      | (?:i|we)(?:\ was|\ were|['’]m|\ am|['’]re|\ are|\ stand)\ (?:wrong|mistaken|lying|corrected)
      | (?:except|only)\ (?:that\ )?(?:it|they|this|that)\ (?:is|are|does|do)(?:n['’]t|\ not)
    )
    (?:\W+(?:though|however|of\ course|at\ all|actually|i['’]m\ afraid))?\W*$
    """
)
"""A sentence that does nothing else than to deny the one before it."""
_CROSS = (
    "(?:[\u2717\u2718\u274c\u26d4\U0001f6ab\U0001f44e\U0001f645]"
    "|:(?:x|no_entry|no_entry_sign|no_good|thumbsdown|-1|cross_mark|heavy_ballot_x):)"
)
"""What crosses a statement out without a word: a cross, a thumb that points down; with the names that windows draw."""
_SIGN, _SIGN_BEFORE, _SIGN_BEHIND = (
    re.compile(pattern) for pattern in (_CROSS, rf"{_CROSS}\W{{0,3}}$", rf"\W{{0,3}}{_CROSS}\W*$")
)
_TICK = "[\u2705\u2713\u2714\u2611\U0001f44d]"
_ANY_SIGN = re.compile(f"{_CROSS}|{_TICK}")
_YES_OR_NO = re.compile(rf"(?i)\s*+(?:(?P<no>{_CROSS}|no)|{_TICK}|yes)[\s\ufe0f.]*+(?(no)(?:no)?|(?:yes)?)[\s.]*+")
"""A cell that says yes or no, by a sign, a word or both."""
_DRAWBACKS = re.compile(
    r"(?i)\b(?:cons|disadvantages?|drawbacks?|downsides?|limitations?|weakness(?:es)?|avoid|don['’]?ts?|do not|never|"
    r"missing|lacks?|nachteile?|inconvénients?|desventajas?|svantaggi|desvantagens|nadelen|минусы)\b"
)
"""Above a list in which a cross says that something is bad, not that it is untrue."""
_LONGEST_TITLE = 160
_CORRECTION = re.compile(
    r"(?i)^\W*(?:however|but|actually|in (?:actual )?(?:fact|reality|truth)|the (?:truth|reality|fact) is|"
    r"(?:the )?(?:facts?|reality|truth|correction)\s?[:–—-])"
)
_CLOSING = re.compile(
    r"(?i)^\W*(?:in (?:summary|short|conclusion|brief|sum)|to (?:sum up|summari[sz]e|conclude)|overall)\b"
)
_VERDICT = re.compile(
    rf"""(?ix)
    \b(?:myth|misconception|fallacy|hoax)\b
    | \b(?:is|are|was|were)\ (?:\w+ly\ |just\ |also\ )?{UNTRUE}\b(?!\ (?:with|about|for|to)\b)
    """
)
_QUOTED = re.compile(r"^\W*[\"“„«](?P<quoted>[^\"“”„«»]{3,200})[\"”“»]\W*\s(?P<rest>\w.*)")
_BELIEVED = re.compile(rf"(?i)\b(?:(?:believ|think|assum|claim)\w*|thought|says?|said|{WRONGLY})\b")


def framed(text: str) -> bool:
    """Whether a word calls the statement untrue: "it is a myth that", "falsely", "refused to"."""
    return bool(_DENIAL.search(text))


def denies(text: str) -> bool:
    """Whether it denies something, with a "not" or by calling it untrue; with both it is taken to do so too."""
    return framed(text) or negated(text)


def refuses(lead: str) -> bool:
    """Whether a lead-in ends by denying what completes it: "They refused to:", "She denied having:"."""
    return bool(_REFUSES.search(lead))


def takes_back(text: str) -> bool:
    """Whether it begins by saying that what stood before it does not hold, or holds no more."""
    return bool(_TAKEN_BACK.search(text)) or objects(text)


def objects(text: str) -> bool:
    """Whether it does no more than deny what stands before it: "That is wrong.", "Not really."."""
    return len(text) <= _LONGEST_TITLE and bool(_OBJECTION.match(text))


def corrects(text: str) -> bool:
    """Whether it sets the truth against what stands before it: "In reality, …"."""
    return bool(_CORRECTION.match(text))


def closes(text: str) -> bool:
    """Whether it sums up what stands before it: "In summary, …"."""
    return bool(_CLOSING.match(text))


def told_beneath(text: str) -> Told:
    """How a reader takes what a title calls untrue: as its opposite, unless it speaks against itself.

    "It is a myth that …" and ""Octane cleans engines": False." say what holds. Of a denial, of what people believe and
    of a quotation with something behind it nobody can say which half the title means.
    """
    quoted = _QUOTED.match(text)
    rest = quoted["rest"] if quoted else text.rpartition(":")[2]
    if _VERDICT.search(text) or objects(rest) or (quoted and denies(rest)):
        return "said"
    return "unclear" if quoted or denies(text) or _BELIEVED.search(text) else "untrue"


def crossed(before: str, text: str, behind: str) -> bool:
    """Whether a sign says that a statement is untrue; one that denies something by itself agrees with the sign.

    Args:
        before, behind: what stands beside it in its block.
    """
    alone = len(_ANY_SIGN.findall(text)) == 1 and _SIGN.search(text)  # a table's row has one for each column
    return bool(alone or _SIGN_BEFORE.search(before) or _SIGN_BEHIND.match(behind)) and not denies(text)


def says_yes(cell: str) -> bool | None:
    """Whether a cell of a table says yes; None where it says neither yes nor no, or more than that."""
    said = _YES_OR_NO.fullmatch(cell)
    return said["no"] is None if said else None


def lists_drawbacks(title: str) -> bool:
    """Whether what stands beneath a heading or lead-in is bad rather than untrue: "Cons:"."""
    return bool(_DRAWBACKS.search(title[:_LONGEST_TITLE]))
