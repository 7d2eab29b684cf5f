"""Tells what asserts nothing from claims. The default is a claim: that a text asserts nothing has to be shown.

It is shown by what remains: words of courtesy, of announcing, of opinion and those that hold sentences together are
taken away, and where a clause of other words is left it is a claim, whatever introduces it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from gate.claims.markdown import Kind
from gate.claims.source_marks import NUMBERED
from gate.model import NonClaimReason
from gate.text.figures.quantities import find_quantities
from gate.text.questions import QUESTION, asks, asks_whether, begins_asking
from gate.text.tokens import keys
from gate.text.words import formulae
from gate.text.words.anaphora import SUBJECTS
from gate.text.words.imperatives import IMPERATIVES, tells_to_do
from gate.text.words.negation import DENYING, NEGATIONS
from gate.text.words.verbs import ASSERTING, FINITE, FINITE_AUXILIARIES, IRREGULAR

_FIGURE = re.compile(r"\d|https?:|[\w.]@[\w.]|[/\\]\w+[/\\.]|[%$€£¥₹]")
"""Something that can be wrong by itself."""
_FOREIGN = re.compile("[\u0370-\u1dff\u2c00-\ud7ff\uf900-\ufdff\ufe70-\uff00\uff10-\uffef]")
"""Letters of scripts whose courtesies nobody lists here."""
SYMBOLS = re.compile("(?:[\u249c-\u24e9\u2801-\u28ff\U0001f110-\U0001f189]\\s?){2}|(?:[\U0001f1e6-\U0001f1ff]\\s?){3}")
"""Letters in circles or squares, Braille, and more letters for flags than one flag has: read, but no `\\w`."""
_ENDS = re.compile(r"[.!?。！？।։…]['\"”’»)*_\]]*$")
_NUMBERING = re.compile(
    r"(?i)^\W*(?:(?:step|chapter|section|part|phase|figure|table|appendix|rule|tip|question|day|week|version|v|schritt|"
    r"kapitel|abschnitt|étape|chapitre|paso|capítulo|passo|capitolo|stap|hoofdstuk)\s*)?"
    r"\d+(?:\.\d+)*\b[.:)]*|^\W*\d+(?= \w+ (?:you|to|that|we)\b)"
)
"""A heading's own number, and the count of "10 things you need"."""
_COMPLEMENT = re.compile(r"(?i)\b(?:that|dass|daß|che|dat)\s(?P<rest>.+)|(?<!-ce )(?<!plus )\bque\s(?P<que>.+)")
_REASONS = (
    "because|since|although|though|while|whereas|weil|obwohl|denn|car|bien que|porque|aunque|perché|benché|embora|omdat"
)
"""Conjunctions of a clause that gives a reason for another, or speaks against it."""
_SUBORDINATE = re.compile(
    r"(?i)(?:[,;(–—]\s*(?:(?:in|of|for|at|on|to|from|by|with|under)\s)?(?:which|who|whom|whose|where)"
    r"|[,;(–—]\s*(?:der|die|das|dem|den|deren|dessen|welche[rsnm]?|qui|dont|lequel|laquelle|quien|cual|cui|"
    r"quale|waar\w*)"
    rf"|\b(?:{_REASONS}|given|so that|as if|considering|due to|thanks to|after|once|während|parce|puisque|puesto"
    r"|mientras|poiché|mentre|enquanto|hoewel|terwijl))\b(?P<rest>.+)"
)
"""A clause within a sentence that states what it holds."""
_BRACKETS = re.compile(r"[(\[](?P<inside>[^()\[\]]{3,300})[)\]]")
_INSERTED = re.compile(r",\s(?P<inside>[^,]{3,200}),")
_PRESUPPOSING = re.compile(
    r"(?i)\b(?:why|how come|when|where|who|whose|how(?! (?:long|much|many|often|far|high|old|big|large|tall|deep|to|"
    r"can|could|may|should)\b)|warum|wieso|weshalb|wann|wer|pourquoi|quand|qui|por qué|cuándo|quién|perché|quando|chi|"
    r"por que|quem|waarom|wanneer|wie)\b(?P<rest>.*)"
)
"""A question about a part of what it takes for granted."""
_WHY = re.compile(r"(?i)\b(?:why|warum|pourquoi|por qué|perché|waarom)\b(?P<rest>.*)")
_WHOSE = re.compile(r"(?i)\b(?:any|some|no|every)\s?(?:one|body)\s(?:who|whose|that)\b(?P<rest>.*)")
_REDUCED = re.compile(
    r"(?i)^\W*(?:(?:the|some|all|a|an)\s)?(?!(?:to|how|for|of|in|on|at|by|with|from|between|about)\s)[^\W\d_]{1,30}\s"
    r"(?:the|our|their|his|her|its)\s[^\W\d_]{1,30}\s[^\W\d_]"
)
"""A clause behind what is announced, without "that": "the steps the court forbade"."""
_KNOWING = re.compile(
    r"(?i)^\W*(?:saviez|savais|sabías|sabía|sabia|sapevi|sapeva|lo sai|wist|wusstest|wussten|wissen sie)\b"
    r".*\b(?:que|che|dat|dass)\b"
)
_BARE_KNOWING = re.compile(
    r"(?i)^\W*(?:(?:did|do) (?:you|i) (?:know|realise|realize|hear|notice|mention|say)"
    r"|(?:can|could|will|would) (?:you|anybody|anyone|we) (?:\w+ ){0,2}(?:believe|imagine|guess|guessed|thought|think))"
    r"\b\W*(?P<rest>.+)"
)
_TURN = re.compile(
    rf"(?i)[;:–—]|\s-\s|\b(?:{_REASONS}|but|however|so|yet|aber|jedoch|mais|cependant|pero|sin embargo|ma|però|mas|"
    r"porém|maar|echter|want)\b"
)
_THIRD = SUBJECTS | {"it", "they", "he", "she", "there", "ell", "el", "het"}
"""Words with which no courtesy begins: somebody else, or something, is spoken of."""
_OPEN_END = re.compile(
    r"(?i)\b(?:to|by|of|are|is|was|were|be|as|for|with|include|includes|including|need|needs|requires?|sind|ist|zu|est|"
    r"sont|de|son|es|è|sono|são|é|zijn|om)\W*$"
)
_PRESENTS = re.compile(
    r"(?i)^\W*(?:(?:sure|certainly|okay|ok|great|well|so|now|therefore|thus|in short|overall|first|then|finally)\W+)*"
    r"(?:here(?:['’]s| is| are)|below (?:is|are)|the following|these are|this is|there are|there is|to \w+|follow|"
    r"what |how to|hier (?:ist|sind)|folgende|es gibt|um |voici|voilà|il y a|pour |aquí|estos son|hay|para |ecco|"
    r"per |aqui|há|hier (?:is|zijn)|er zijn|om )"
)
_SHOWS = re.compile(
    r"(?i)^(?P<what>[^,;:()]{1,80})\s(?:is|are|looks?|reads?|(?:should|would|will|might|may|could|can)\s(?:be|look|read))"
    r"\s(?:something\s)?(?:as follows|like (?:this|so|the following)|the following)\W*$"
)
"""What is said to be what follows: "The order of severity is as follows:"."""
_NO_PAST = (
    "based|provided|given|listed|related|called|recommended|required|needed|used|asked|described|involved|included"
)
_PAST = re.compile(rf"(?<![\w-])(?!(?:{_NO_PAST})\b)[a-z]{{2,}}ed\b")
_VERB_S = re.compile(
    r"(?<=[\w’'] )[a-z]{2,}(?<![su]s)(?<!i)s(?= (?!of\b|in\b|and\b|or\b|for\b|to\b|on\b|with\b|at\b|by\b|from\b)\w)"
)
"""In a heading: a word that may be a verb of the third person, with something behind it: "Corvex cures cancer"."""
_NAME_ED = re.compile(rf"(?<!\w)[A-Z]\w+(?<!ly) (?:\w+ )?(?!(?:{_NO_PAST}|released)\b)[a-z]{{2,}}ed\b")
_PAST_AFTER = re.compile(
    rf"(?<=\w )(?!(?:{_NO_PAST}|started|learned|advanced|detailed|need|feed|seed|speed|breed)\b)"
    r"[a-z]{2,30}ed\b(?=\s\w)"
)
_YEAR = re.compile(r"(?<![\w.,-])[12]\d{3}(?:[-–/]\d\d(?:\d\d)?(?:-\d\d)?)?(?![\w%]|[.,]\d)(?!\s[a-z$€£])")
_DENIED = re.compile(
    rf"(?i)n['’]t\b|(?<![\w'’-])(?!no\.?\s?\d)(?:{'|'.join(sorted(NEGATIONS - {'personne', 'mai'}))})(?![\w'’])"
)
_OBJECT = re.compile(
    r"(?i)\s(?:the|an?|your|all|every|each|any|this|that|these|those|it|them|on|into|with|without|only|der|die|das|den|"
    r"le|la|les|el|los|las|il|de|het)\s"
)
"""What an order is about, where it is none of "Return policy"."""
_REMARK = re.compile(
    r"(?i)^\W*(?:please )?(?:note|be aware|keep in mind|remember|bear in mind) that\s"
    r"|^\W*(?:\w+,\s)?it(?:['’]s| is) (?:important|worth|also worth|interesting) (?:to (?:note|mention|"
    r"remember)|noting|mentioning)"
    r" that\s|^\W*(?:therefore|however|thus|hence|overall|additionally|unfortunately|sorry|so),?\s"
)
"""What only draws attention to the rest of its sentence."""
_NUMBERED_SOURCE = re.compile(rf"(?i)\b{NUMBERED}")
_STATED = "stated|mentioned|specified|discussed|explained|described"
_NOT_STATED = re.compile(
    rf"(?i)\b(?:is|are|was|were)(?:\snot|n['’]t)\s(?:\w+ly\s)?(?:{_STATED})\b|"
    r"\banswer\b[^,;]{0,40}\b(?:can(?:not|\snot|['’]t)|could(?:\snot|n['’]t))\sbe\s(?:determined|inferred|given)\b|"
    r"\bit(?:['’]s|\sis|\swas)\s(?:difficult|hard|impossible|not\spossible)\sto\s(?:\w+ly\s)?(?:say|tell|determine|answer|"
    r"(?:give|provide)\s(?:an?|any)\s(?:\w+\s){0,2}(?:answer|explanation|estimate))\b"
)
_NONE_STATED = re.compile(
    r"(?i)^\W*(?:none|not|nothing)\s(?:(?:is|are|was|were)\s)?(?:\w+ly\s)?"
    rf"(?:{_STATED})\W*$"
)
"""What is left of "None mentioned in the passages" without its mark."""
_GIVES = re.compile(
    rf"(?i)\b(?P<source>{'|'.join(sorted(formulae.SOURCES))})\s(?:do|does|did)(?:n['’]t|\snot)\s"
    r"(?:give|provide|cover|include|leave|offer)\s(?P<rest>.+)"
)
_ASKED = re.compile(r"(?i)\b(?:what|whether|how|when|where|why|which|who|if|anything|enough)\b")
_COORDINATED = re.compile(r"(?i),\s(?:(?:and|und|et|y|e|en)\s)?|\s(?:and|und|et|y|e|en)\s")
_ABOUT = re.compile(
    r"(?i)^\W*(?:about|regarding|concerning|as (?:for|to|far)|with (?:regard|respect)|for|in|on|of|based|given|"
    r"zu[rm]?|über|sobre|su|over|bezüglich|quant|concernant|en cuanto)\b"
)
"""How the matter is named that nothing is said of."""
_NUMBERED_NAME = re.compile(r"\b[A-Z]\w*\s\d+\b")
_HERE = re.compile(r"(?i)^\W*here(?:['’]s| is| are) (?:what|how|an? (?:overview|summary)|some|the)\b")
QUOTED = re.compile(r"[\"“„«][^\"“”„«»]{1,300}[\"”“»]")
_COUNT = re.compile(r"\s\d{1,2}\W*$")
_LONGEST_LABEL = 300
_LEAST_ANNOUNCED = 3
"""Words behind a label that are a sentence."""
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
    r"(?i)^\W*(?:(?:happy \w+ing|safe (?:travels|journey|trip)|have an? (?:\w+ )?\w+|enjoy (?:the|your) \w+)!|"
    r"(?:(?:please )?feel free to \w+|thank(?:s| you) for \w+ing) (?:it|this|that|them|us|me)[.!])\W*$"
)
_CENTS = re.compile(r"(?i)\bmy two cents\b|\btwo cents\b")
_AFFIRMING_LISTED = """absolutely definitely certainly sure course yes no natürlich selbstverständlich sicher klar
gewiss ja nein absolument certainement sûr oui claro supuesto sí certo certamente sì com
certeza sim natuurlijk zeker
uiteraard nee"""
_AFFIRMING = frozenset(_AFFIRMING_LISTED.split())
_LONGEST_AMOUNT = 60
"""Characters of a heading in which the amount that it begins with stands."""
_SHORT = 8
"""Words of a courtesy that may hold one that is not listed."""


@dataclass(frozen=True)
class Sentence:
    """A sentence, with what is asked of it again and again."""

    text: str
    kind: Kind
    prompt: frozenset[str]
    followed: bool

    @cached_property
    def words(self) -> list[str]:
        return formulae.words_of(self.text)

    @cached_property
    def figures(self) -> bool:
        """Whether it holds a figure, an address or a path that the user has not named."""
        text = _NUMBERED_SOURCE.sub(" ", self.text)
        if not _FIGURE.search(text) and not any(not one.vague for one in find_quantities(text)):
            return False
        named = re.findall(r"\d+", text)
        return not named or not set(named) <= self.prompt

    @cached_property
    def announces(self) -> bool:
        """Whether it ends in a colon, and more comes after it."""
        return self.followed and self.text.rstrip("*_ ").endswith((":", "："))

    def new(self, text: str) -> list[str]:
        """The words of a part of it that tell something, and that the user has not said."""
        return [word for word in formulae.words_of(text) if word not in _NOTHING and not self.asked(word)]

    def asked(self, word: str) -> bool:
        """Whether the user has said it, in whatever form: "tells" is the user's "tell"."""
        return word in self.prompt or not self.prompt.isdisjoint(keys(word))


_NOTHING = frozenset().union(
    *(
        table[language]
        for table in (formulae.HOLDING, formulae.COURTESY, formulae.LEADING, formulae.OPINION)
        for language in formulae.LANGUAGES
    ),
    formulae.SOURCES,
    formulae.SAYING,
    formulae.KNOWING,
    formulae.LACKING,
)


_BY_KIND: dict[Kind, NonClaimReason] = {"code": "code", "unseen": "markup", "template": "template"}


def non_claim_reason(
    sentence: str, kind: Kind = "paragraph", *, prompt: str = "", followed: bool = True, before: str = ""
) -> NonClaimReason | None:
    """Why `sentence` states nothing to check; None when it is a claim.

    Args:
        kind: the block that it stands in.
        prompt: what the user asked: a question or a lead-in that repeats it presupposes nothing of its own.
        followed: whether more of the answer comes right after it.
    """
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    asked = frozenset([*formulae.words_of(prompt), *re.findall(r"\d+", prompt), *keys(prompt)])
    one = Sentence(_REMARK.sub("", _CENTS.sub("opinion", sentence)), kind, asked, followed)
    if not one.words and not _FIGURE.search(sentence) and not SYMBOLS.search(sentence):
        return "fragment"
    if _FOREIGN.search(sentence) or SYMBOLS.search(sentence):
        return None
    if kind in ("heading", "head") and not _ENDS.search(sentence):
        return None if _heading_states(one) else "heading"
    if QUESTION.search(sentence):
        return "question" if _pure_question(one) else None
    reason = _by_what_remains(one, before)
    return None if reason == "greeting" and _answers(one, prompt, before) else reason


def _answers(one: Sentence, prompt: str, before: str) -> bool:
    """Whether a courtesy such as "Absolutely!" answers what is asked before it: it says yes or no."""
    first = frozenset(one.words[:1])
    if not first & (_AFFIRMING | NEGATIONS | {"of", "bien", "por"}) or not _AFFIRMING.intersection(one.words):
        return False
    return asks_whether(before) or asks_whether(prompt)


def _by_what_remains(one: Sentence, before: str) -> NonClaimReason | None:
    if " ".join(one.words) in formulae.FORMULAE:
        return "greeting"
    label, colon, rest = one.text.partition(":")
    if colon and rest.strip(" *_") and not _FIGURE.search(label) and _announces(formulae.words_of(label)):
        one = replace(one, text=rest.strip())
        if QUESTION.search(one.text):
            return "question" if _pure_question(one) else None
    if _is_abstention(one):
        return "abstention"
    if not one.announces and _is_greeting(one):
        return "greeting"
    if _is_label(one) and not QUESTION.search(before):
        return "heading"
    if _is_opinion(one):
        return "opinion"
    if _is_lead_in(one):
        return "lead_in"
    return None


def _closes(words: Sequence[str], known: formulae.Lists, core: formulae.Lists, free: Sequence[str] = ()) -> bool:
    """Whether, in one of the languages, every word is known or free, and one is of `core`."""
    return any(
        not core[language].isdisjoint(words) and all(word in known[language] or word in free for word in words)
        for language in formulae.LANGUAGES
    )


def _either(*tables: formulae.Lists) -> formulae.Lists:
    return {language: frozenset().union(*(table[language] for table in tables)) for language in formulae.LANGUAGES}


_HOLDING = _either(formulae.HOLDING, formulae.COURTESY)
_ANNOUNCING = _either(formulae.LEADING, formulae.COURTESY, formulae.OPINION)
_KNOWN = _either(formulae.HOLDING, _ANNOUNCING)
_TASTE = _either(formulae.HOLDING, formulae.OPINION, formulae.COURTESY)


def _announces(words: Sequence[str]) -> bool:
    return _closes(words, _KNOWN, _ANNOUNCING)


def announced(text: str) -> int:
    """Where begins what a label announces, such as "Short answer:" or "Step 2:"; 0 where nothing does.

    The label tells nothing by itself, and what follows is a sentence; a value of a word or two stays with its label. So
    does what words of courtesy alone may name: "Free: 5 GB on two devices", "Morning: open from nine to twelve".
    """
    label, colon, rest = text.partition(":")
    bare = QUOTED.sub(" ", _COUNT.sub("", label))
    if not colon or len(label) > _LONGEST_LABEL or len(rest.split()) < _LEAST_ANNOUNCED or _FIGURE.search(bare):
        return 0
    return len(text) - len(rest.lstrip(" *_")) if _closes(formulae.words_of(bare), _KNOWN, formulae.LEADING) else 0


def is_shown_by(order: str, code: str) -> bool:
    """Whether code shows all that an order with a colon says: "Turn on logging:" before `import logging`."""
    one = Sentence(order, "paragraph", frozenset(formulae.words_of(code)), followed=True)
    told = [word for word in one.new(order) if word not in IMPERATIVES]
    return one.announces and tells_to_do(order) and not told and not one.figures and not _DENIED.search(order)


def _is_greeting(one: Sentence) -> bool:
    if one.figures or embeds(one):
        return False
    if not one.words or one.words[0] in _THIRD:
        return False
    if _ASKS_BACK.match(one.text) and len(one.new(one.text)) <= _MOST_ASKED:
        return True
    offered = _CONDITION.match(one.text)
    if offered and not _CONDITION.match(offered["rest"]) and _is_greeting(replace(one, text=offered["rest"])):
        return True
    if _WISH.match(one.text) and len(one.new(one.text)) <= 1:
        return True
    if one.words[0] in formulae.SPEAKER and any(_HOLDING[language].issuperset(one.words) for language in _HOLDING):
        return True
    return _closes(one.words, _KNOWN, formulae.GREETING, _unlisted(one))


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
            r"(?i)\b(?:about|with|for|to|at|in|mit|für|pour|avec|con|per|para|com|voor|met)\s(?:the|your|our|my|"
            r"a|an|der|die|das|den|dem|Ihre[rn]?|"
            r"deine[rn]?|le|la|les|votre|el|los|su|il|lo|tua|o|as|sua|de|het|uw|"
            r"je)?\s?(?P<word>[^\W\d_]+)(?:\s(?:support|service|team))?\W*$",
            one.text,
        )
        found += formulae.words_of(about["word"]) if about else []
        team = re.search(r"(?i)\byour\s(?P<word>[^\W\d_]+)\steam\W*$", one.text)
        found += formulae.words_of(team["word"]) if team else []
    return found


def _is_label(one: Sentence) -> bool:
    """A word or two on a line of their own, that name what follows: "Background"; never an item of a list."""
    if (
        one.kind in ("item", "row")
        or _ENDS.search(one.text)
        or one.figures
        or one.text.rstrip("*_ ").endswith((",", ";"))
    ):
        return False
    if one.kind in ("alternative", "footnote"):
        return len(one.words) == 1 or (len(one.words) <= 3 and one.followed and not _heading_states(one))
    return len(one.words) == 1 and one.followed


def embeds(one: Sentence) -> bool:
    """Whether a clause within it, or what stands in brackets, states something."""
    for pattern in (_COMPLEMENT, _SUBORDINATE):
        for found in pattern.finditer(one.text):
            rest = next((part for part in found.groups() if part), "")
            relative = (pattern is _SUBORDINATE and found[0][0] in ",;(–—") or _PAST.match(rest)
            if len(one.new(rest)) >= (1 if relative else 2):
                return True
    return any(
        len(one.new(found["inside"])) > 1 or _FIGURE.search(found["inside"]) for found in _BRACKETS.finditer(one.text)
    )


def _pure_question(one: Sentence) -> bool:
    if not asks(one.text) or _KNOWING.search(one.text):
        return False
    bare = _BARE_KNOWING.match(one.text)
    if (bare and _states(one, bare["rest"])) or embeds(one):
        return False
    if any(_FIGURE.search(found["inside"]) and one.new(found["inside"]) for found in _INSERTED.finditer(one.text)):
        return False
    if _takes_for_granted(one):
        return False
    polar = not begins_asking(one.text) or one.words[0] in FINITE_AUXILIARIES
    return polar or not _PRESUPPOSING.search(one.text) or not _names(one)


def _states(one: Sentence, text: str) -> bool:
    """Whether a part of it tells something: two words, or one beside a verb."""
    verb = ASSERTING.search(text) or not IRREGULAR.isdisjoint(formulae.words_of(text))
    return len(one.new(text)) > (0 if verb else 1)


def _takes_for_granted(one: Sentence) -> bool:
    """Whether it asks, or says that it will tell, why or how something is that nobody has said."""
    found = _PRESUPPOSING.search(one.text)
    new = one.new(found["rest"]) if found else []
    return len(new) > 2 or bool(one.figures and new)


def _names(one: Sentence) -> list[str]:
    found = re.findall(r"(?<=[\w,] )[A-ZÀ-Þ]\w+", one.text)
    return [name for name in found if name.casefold() not in _NOTHING and not one.asked(name.casefold())]


def _heading_states(one: Sentence) -> bool:
    """Whether a heading, or a cell of one, asserts: it has a verb and something beside it, or figures in brackets."""
    cells = one.text.split(", ") if one.kind == "head" else [one.text]
    return any(_begins_with_amount(cell) or _cell_states(one, _NUMBERING.sub("", cell)) for cell in cells)


def _begins_with_amount(cell: str) -> bool:
    """Whether what looks like a heading's number has a unit: "900 days to return"."""
    return (
        bool(re.match(r"\W*\d[\d.,]*(?:\s?[%€£$]|\s[^\W\d_])", cell))
        and any(found.measures for found in find_quantities(cell[:_LONGEST_AMOUNT]))
        and not re.match(r"\W*\d+(?:\.\d+)*[.:)]\s", cell)
    )


def _cell_states(one: Sentence, cell: str) -> bool:
    words = one.new(cell)
    inner = [found["inside"] for found in _BRACKETS.finditer(cell)]
    if any(_PAST.search(inside) or ASSERTING.search(inside) for inside in inner) or (inner and ":" in cell):
        return True
    if begins_asking(cell):
        presupposes = len(words) > 2 and (_names(one) or one.figures)
        return bool(_PRESUPPOSING.match(cell) and (presupposes or (len(words) > 1 and _DENIED.search(cell))))
    if _holds_a_figure(cell) or _tells_a_value(one, cell) or (words and _DENIED.search(cell)) or _tells(words, cell):
        return True
    if len(words) < 2 and not (_FIGURE.search(cell) and ASSERTING.search(cell)):
        return False
    return bool(ASSERTING.search(cell) or _VERB_S.search(cell) or (_NAME_ED.search(cell) and not cell.istitle()))


def _holds_a_figure(cell: str) -> bool:
    """Whether a figure is left without years and numbered names such as "Heron 2"."""
    cell = _YEAR.sub(" ", cell)
    return any(found.measures for found in find_quantities(cell)) or bool(
        re.search(r"(?<![^\W_])\d", _NUMBERED_NAME.sub(" ", cell))
    )


def _tells_a_value(one: Sentence, cell: str) -> bool:
    """Whether something new follows a colon: "Refunds: never"."""
    label, colon, value = cell.replace("：", ":").partition(":")
    return bool(colon and formulae.words_of(label) and (one.new(value) or _DENIED.search(value)))


def _tells(words: Sequence[str], cell: str) -> bool:
    """Whether it orders, or tells what somebody did; "Return policy" and "Known issues" do not."""
    if len(words) < 2:
        return False
    named = not cell.istitle() and re.search(r"\s[A-ZÀ-Þ]", cell)
    if tells_to_do(cell) and (len(words) > 2 or named or _OBJECT.search(cell)):
        return True
    done = _PAST_AFTER.search(cell)
    return bool(done) or not IRREGULAR.isdisjoint(formulae.words_of(cell)[1:])


def _is_abstention(one: Sentence) -> bool:
    """The speaker, or a source, cannot tell, and nothing is told beside that."""
    if _NONE_STATED.match(one.text):
        return True
    whose = _WHOSE.search(one.text)
    if one.figures or embeds(one) or _why(one) or (whose and len(one.new(whose["rest"])) > 1):
        return False
    if _tells_of_one(one.text) or _withholds(one):
        return False
    told = spoken = False
    for member in _members(one.text):
        words = formulae.words_of(member)
        denied = _cannot_tell(words, spoken=spoken) or bool(_NOT_STATED.search(member))
        spoken = spoken or denied or _about_sources(words)
        told = told or denied
        if denied and _tells_beside(one, member):
            return False
        if not denied and not _about_sources(words) and one.new(member) and not (spoken and _elliptic(words)):
            return False
    return told


def _tells_of_one(text: str) -> bool:
    """Whether it speaks of one source by its number: people marked two of five such denials as wrong."""
    found = _NUMBERED_SOURCE.search(text)
    return bool(found) and len(re.findall(r"\d+", found[0] if found else "")) == 1


def _withholds(one: Sentence) -> bool:
    """Whether a rule, and no text that a model was given, does not give what is no information: "The handbook does not
    give a discount."."""
    found = _GIVES.search(one.text)
    if not found or formulae.words_of(found["source"])[-1] in formulae.GIVEN:
        return False
    told = formulae.words_of(found["rest"])
    return bool(one.new(found["rest"])) and formulae.INFORMATION.isdisjoint(told) and not _ASKED.search(found["rest"])


def _tells_beside(one: Sentence, member: str) -> bool:
    """Whether another part of a coordination states something: "X never pays, and the handbook does not say why"."""
    parts = _COORDINATED.split(member)
    denies = [bool(_cannot_tell(formulae.words_of(part), spoken=False) or _NOT_STATED.search(part)) for part in parts]
    if True not in denies:
        return False
    place = denies.index(True)
    return any(len(one.new(part)) > 1 and not _ABOUT.match(part) for part in parts[:place]) or any(
        one.new(part) and ASSERTING.search(part) and not begins_asking(part) for part in parts[place + 1 :]
    )


def _elliptic(words: Sequence[str]) -> bool:
    """Whether what is said goes on of the sources: ", but rather describe …"."""
    return bool(formulae.SAYING.intersection(words[:4])) and words[0] in ("only", "rather", "they", "it", "instead")


def _why(one: Sentence) -> bool:
    """Whether it speaks of why something is so, or when or how it was, that the user has not said."""
    found = _WHY.search(one.text)
    if found and len(one.new(found["rest"])) > 2:
        return True
    asked = _PRESUPPOSING.search(one.text)
    rest = asked["rest"] if asked else ""
    was = _PAST_AFTER.search(rest) or not IRREGULAR.isdisjoint(formulae.words_of(rest))
    return bool(was and len(one.new(rest)) > 2)


def _members(text: str) -> list[str]:
    return [member for member in _TURN.split(text) if member and member.strip(" ,.")]


def _about_sources(words: Sequence[str]) -> bool:
    return bool(formulae.SOURCES.intersection(words) and formulae.SAYING.intersection(words))


_DENIES = DENYING | {"t", "n"}
"""Apostrophes part words here: "don't", "n'est"."""


_TELLING = formulae.SAYING | formulae.KNOWING


_ABLE = {"able", "unable"}
_HANDING = {"provide", "give"}


def _cannot_tell(words: Sequence[str], *, spoken: bool) -> bool:
    """A denial of saying, early in the member, of a source; of knowing, of the speaker; or that there is anything."""
    early = frozenset(words[:14])
    lacks = early & (formulae.UNCLEAR if early.isdisjoint(_TELLING) else formulae.LACKING)
    if not early & _DENIES and not (lacks and words[0] not in formulae.LACKING):
        return words[:1] == ["unable"] and _knows(early)
    sources = bool(formulae.SOURCES.intersection(words[:9]) or ({"them", "they"} & early and "none" in early))
    sources = sources or (spoken and bool({"do", "does", "did", "don", "doesn"}.intersection(words[:1])))
    if sources and (lacks or early & formulae.SAYING):
        return True
    if formulae.SPEAKER.intersection(words[:8]) or words[0] == "unable" or (words[0] == "no" and "dispongo" in early):
        return _knows(early)
    if words[0] not in ("there", "es", "no", "hay", "ci", "há", "er", "il"):
        return False
    behind = [words[at + 1 : at + 2] for at, word in enumerate(words[:14]) if word in formulae.INFORMATION]
    return any(not following or following[0] in _NOTHING for following in behind)


def _knows(words: frozenset[str]) -> bool:
    """Whether knowing is spoken of; to provide or give is that of information alone, not of refunds."""
    known = words & formulae.KNOWING - _ABLE
    return bool(known - _HANDING or (known and words & formulae.INFORMATION))


def _is_opinion(one: Sentence) -> bool:
    """A judgement of taste about something named by a pronoun, or an exclamation: "What a beautiful dish!"."""
    if one.figures or embeds(one) or _names(one) or tells_to_do(one.text):
        return False
    for language in formulae.LANGUAGES:
        known = _TASTE[language]
        core = formulae.VALUING[language] | (formulae.HEDGING[language] if known.issuperset(one.words) else frozenset())
        if not core.intersection(one.words):
            continue
        left = [at for at, word in enumerate(one.words) if word not in known]
        valued = formulae.VALUING[language]
        if len(left) <= 1 and all(
            (at and one.words[at - 1] in valued) or (at > 1 and at + 1 < len(one.words) and one.words[at + 1] in valued)
            for at in left
        ):
            return True
    return False


def _is_lead_in(one: Sentence) -> bool:
    """It announces what follows. Whatever it says of the matter itself, the user has said or the rest completes."""
    if embeds(one) or (one.figures and _FIGURE.search(_NUMBERED_NAME.sub("", one.text))) or _takes_for_granted(one):
        return False
    if _closes(one.words, _KNOWN, formulae.LEADING):
        return True
    if not one.announces and not _HERE.match(one.text):
        return False
    new = one.new(one.text)
    if not new or (len(new) == 1 and len(one.words) <= 3):
        return True
    if _PAST.search(one.text) or _why(one) or _DENIED.search(one.text):
        return False
    if _OPEN_END.search(one.text.rstrip("*_: ：")):
        return True
    if (shows := _SHOWS.match(one.text)) and not _tells_of(shows["what"]):
        return True
    if _PRESENTS.search(one.text):
        body = _PRESENTS.sub("", one.text, count=1)
        states = FINITE.intersection(formulae.words_of(body)) - {"have"} or re.search(
            r"(?i)\b(?:that|which|who)\b", body
        )
        return not states and not _REDUCED.match(body)
    return len(new) <= 2 and bool(_ANY_LEADING.intersection(one.words)) and FINITE.isdisjoint(one.words)


def _tells_of(subject: str) -> bool:
    """Whether what is shown is told something of, by a verb or a clause of its own."""
    words = formulae.words_of(subject)
    return bool(_VERB_S.search(subject) or not (FINITE | IRREGULAR).isdisjoint(words) or _REDUCED.match(subject))


_ANY_LEADING = frozenset().union(*formulae.LEADING.values())
