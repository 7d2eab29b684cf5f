"""Words that call untrue what stands beside them: "it is a myth that", "That is wrong.", "# Myths"."""

from __future__ import annotations

import re

from gate.text.words.formulae import words_of
from gate.text.words.negation import negated
from gate.text.words.verbs import BE, FINITE, IRREGULAR

_UNTRUE = (
    r"(?:false|wrong|untrue|incorrect|mistaken|inaccurate|baseless|unfounded|an?\ lie|fiction|fictitious|fabricated)"
)
_SO = r"(?:true|so|right|correct|accurate|valid|the\ case)"
_ELSEWHERE = (
    r"(?:falsch|unwahr|gelogen|nicht\ (?:wahr|richtig)|stimmt\ nicht|faux|fausse|pas\ vrai|falso|falsa|mentira|onwaar|"
    r"niet\ waar|неправда|неверно|ложь)"
)
_BELIEF = r"(?:claims?|belief|idea|notion|assumption|impression|view|theory|statement|assertion|suggestion|reports?)"
_DENIAL = re.compile(
    rf"""(?ix)
    (?:^\W*|\b(?:an?|the|this|that|common|popular|widespread|old)\ (?:\w+\ )?)myths?\b
    | \b(?:it['’]?s|it\ is|it\ was|the)\ (?:an?\ )?(?:\w+\ )?fallacy\ (?:that|to|of\ (?:believ|think|assum)ing)\b
    | \b(?:misconceptions?|hoax(?:es)?|urban\ legends?|old\ wives['’]\ tales?)\b
    | \b(?:debunk|disprov|refut|discredit)\w*
    | \b(?:falsely|wrongly|mistakenly|erroneously|incorrectly)\b
    | \b(?:is|are|was|were|be|been|as|prov\w+)\ (?:\w+ly\ |just\ |also\ )?{_UNTRUE}\b(?!\ (?:with|about|for|to)\b)
    | \b{_UNTRUE}(?:\ \w+)?\ that\b
    | ^\W*(?:{_UNTRUE}|not\ true)\s*[:–—-]
    | \bcontrary\ to\ (?:\w+\ ){{0,3}}{_BELIEF}\ that\b
    | \b(?:refus|declin|neglect|omitt|ceas)\w*\ to\b
    | \bdenie[sd]\ (?:that|having|any|being)\b
    | \b(?:anything\ but|far\ from\ being|rumou?rs?\ (?:to\ the\ contrary))\b
    """
)
_THIS = r"(?:this|that|these|those|it|they|he|she|(?:the|this|that|these|such\ an?)\ (?:\w+\ ){1,2})"
_TAKEN_BACK = re.compile(
    rf"""(?ix)
    ^\W*(?:(?:but|however|yet|in\ fact|in\ reality|actually|unfortunately|later|today|now|of\ course),?\ )*
    (?:
      (?:this|that|all\ (?:this|that))\ (?:\w+\ )?(?:is|was|were|are|has|had|proved|turned\ out)
        \ (?:\w+\ ){{0,4}}?{_UNTRUE}\b
      | (?:this|that|it)\ (?:\w+\ )?(?:is|was|has\ been|had\ been)(?:n['’]t|\ not|\ never|\ hardly)\ (?:\w+\ )?
        (?:{_SO}|any\ ?more)\b
      | none\ of\ (?:this|that|it|these)\b
      | {_THIS}\s?(?:is|are|was|were|has|have|had)\ (?:\w+\ ){{0,3}}?(?:no\ longer|since\ (?:been\ )?\w+|repealed|
          revoked|withdrawn|abolished|cancelled|canceled|reversed|overturned|retracted|rescinded|debunked|disproved|disproven|
          superseded|discontinued|scrapped|abandoned|dropped)\b
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
        (?:{_UNTRUE}|not\ {_SO}|{_ELSEWHERE})
      | no\ way | as\ if | not\ (?:really|quite|exactly|at\ all)
      | i\ (?:do\ not|don['’]t|would\ not|wouldn['’]t)\ (?:think|believe|buy)\ (?:so|that|this|it)
      | (?:i|we)(?:\ was|\ were|['’]m|\ am|['’]re|\ are|\ stand)\ (?:wrong|mistaken|lying|corrected)
      | (?:except|only)\ (?:that\ )?(?:it|they|this|that)\ (?:is|are|does|do)(?:n['’]t|\ not)
    )
    (?:\W+(?:though|however|of\ course|at\ all|actually|i['’]m\ afraid))?\W*$
    """
)
"""A sentence that does nothing else than to deny the one before it."""
_LIES = (
    r"(?:myths?|misconceptions?|lies?|falsehoods?|hoax(?:es)?|fakes?|fake\ news|urban\ legends?|nonsense|"
    r"rumou?rs?|misinformation|disinformation|fiction|"
    r"mythen|irrtümer|irrtum|lügen|mythes?|idées\ reçues|mensonges?|mitos?|mentiras?|bulos?|miti|bufale|leugens?|"
    r"fabels?|мифы|миф|заблуждения)"
)
_TITLE = re.compile(
    rf"""(?ix)
    ^\W*(?:\d+\W+)?
    (?:(?:some|the|these|this|that|other|more|few|a|an|all|top|biggest|common|popular|widespread|old|persistent|
        frequent|clearly|plainly|simply|totally|completely|entirely|partly|mostly|is|are|here|
        following|häufige|les|los|las|i)\W+)*
    (?:
      (?:{_UNTRUE}|{_ELSEWHERE})
        (?:\ (?:claims?|statements?|answers?|beliefs?|ideas?|information|facts?|advice|sentences?))?
      | not\ {_SO}
      | (?:what|things)\ (?:\w+\ ){{1,3}}gets?\ wrong
      | {_LIES}
    )
    (?:\ (?:about|on|of|around|regarding|über|sur|sobre|su|over|о)\ .{{1,80}})?\W*$
    """
)
"""A heading or label that says of all beneath it that it is untrue; "Myths and facts" and "What went wrong" do not."""
_TOLD_LIES = re.compile(rf"(?i)\b(?:some|of|the|these|following|more|few|common|popular)\s(?:\w+\s)?{_LIES}\b(?!\W*\w)")
"""The end of "Here are some lies:"."""
_ASKS_FOR_LIES = re.compile(r"(?i)^\W*(?:which|what|welche[rs]?|was|quel(?:le)?s?|cuál(?:es)?|qual[ei]?)\b.*\?\W*$")
_CROSS = (
    "(?:[\u2717\u2718\u274c\u26d4\U0001f6ab\U0001f44e\U0001f645]"
    "|:(?:x|no_entry|no_entry_sign|no_good|thumbsdown|-1|cross_mark|heavy_ballot_x):)"
)
"""What crosses a statement out without a word: a cross, a thumb that points down; with the names that windows draw."""
_SIGN, _SIGN_BEFORE, _SIGN_BEHIND = (
    re.compile(pattern) for pattern in (_CROSS, rf"{_CROSS}\W{{0,3}}$", rf"\W{{0,3}}{_CROSS}\W*$")
)
_ANY_SIGN = re.compile(f"{_CROSS}|[\u2705\u2713\u2714\u2611\U0001f44d]")
_DRAWBACKS = re.compile(
    r"(?i)\b(?:cons|disadvantages?|drawbacks?|downsides?|limitations?|weakness(?:es)?|avoid|don['’]?ts?|do not|never|"
    r"missing|lacks?|nachteile?|inconvénients?|desventajas?|svantaggi|desvantagens|nadelen|минусы)\b"
)
"""Above a list in which a cross says that something is bad, not that it is untrue."""
_LONGEST_TITLE = 160
_DISBELIEVED = re.compile(
    r"(?i)(?:\b(?:never|not|nobody|no one)|n['’]t)\s(?:[^\W\d_]+\s){0,2}"
    r"(?:believe|fall for|be (?:fooled|misled|deceived) by|take at face value)\b"
)
"""What no one is to believe: "Things you should never believe about us:"."""
_REASONS = re.compile(r"(?i)\b(?:why|reasons?|how)\b")
"""Of what stands beneath "Here's why that is a myth:" the truth is told."""
_CORRECTION = re.compile(r"(?i)^\W*(?:however|but|actually|in (?:fact|reality|truth)|the (?:truth|reality|fact) is)\b")
_THEN = re.compile(r"\s(?:(?:[^\W\d_]{1,20}ly|also|still|then|once)\s){0,2}(?P<verb>[^\W\d_]+)(?P<rest>.*)")
_VERBS = FINITE | IRREGULAR | {"arose", "came", "went", "stems", "originates", "persists", "spreads"}
_NAMED = frozenset({"", "this", "these", "as follows", "the following"})
"""What is left of "A common myth is the following:"."""


def framed(text: str) -> bool:
    """Whether a word calls the statement untrue: "it is a myth that", "falsely", "refused to"."""
    return bool(_DENIAL.search(text))


def denies(text: str) -> bool:
    """Whether it denies something, with a "not" or by calling it untrue; with both it is taken to do so too."""
    return framed(text) or negated(text)


def takes_back(text: str) -> bool:
    """Whether it begins by saying that what stood before it does not hold, or holds no more."""
    return bool(_TAKEN_BACK.search(text)) or objects(text)


def objects(text: str) -> bool:
    """Whether it does no more than deny what stands before it: "That is wrong.", "Not really."."""
    return len(text) <= _LONGEST_TITLE and bool(_OBJECTION.match(text))


def calls_untrue(title: str) -> bool:
    """Whether a heading, label or lead-in says that what stands beneath it is untrue: "Myths", "Not true:"."""
    asks = title.rstrip("*_ ").endswith("?")
    if len(title) > _LONGEST_TITLE or (asks and not _ASKS_FOR_LIES.match(title)):
        return False
    if _TITLE.match(title):
        return True
    leads = asks or title.rstrip("*_ ").endswith((":", "："))
    return leads and (bool(_TOLD_LIES.search(title)) or _calls_what_follows(title))


def _calls_what_follows(lead: str) -> bool:
    """Whether a lead-in calls what follows untrue; not where it tells of a myth, or why it is one."""
    *_, last = [None, *_DENIAL.finditer(lead), *_DISBELIEVED.finditer(lead)]
    if last is None or _REASONS.search(lead[: last.start()]):
        return False
    then = _THEN.match(lead[last.end() :])
    if not then or not (then["verb"].casefold() in _VERBS or then["verb"].endswith("ed")):
        return True
    words = words_of(then["rest"])
    return then["verb"].casefold() in BE and (words[:1] == ["that"] or " ".join(words) in _NAMED)


def corrects(text: str) -> bool:
    """Whether it sets the truth against what stands before it: "In reality, …"."""
    return bool(_CORRECTION.match(text))


def crossed(before: str, text: str, behind: str) -> bool:
    """Whether a sign says that a statement is untrue; one that denies something by itself agrees with the sign.

    Args:
        before, behind: what stands beside it in its block.
    """
    alone = len(_ANY_SIGN.findall(text)) == 1 and _SIGN.search(text)  # a table's row has one for each column
    return bool(alone or _SIGN_BEFORE.search(before) or _SIGN_BEHIND.match(behind)) and not denies(text)


def lists_drawbacks(title: str) -> bool:
    """Whether what stands beneath a heading or lead-in is bad rather than untrue: "Cons:"."""
    return bool(_DRAWBACKS.search(title[:_LONGEST_TITLE]))
