"""Tells what asserts nothing from claims. The default is a claim: that a text asserts nothing has to be shown.

It is shown by what remains: words of courtesy, of announcing, of opinion and those that hold sentences together are
taken away, and where a clause of other words is left it is a claim, whatever introduces it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gate.claims.markdown import Kind
from gate.claims.openers import HEED, WORTH
from gate.claims.set_aside.abstentions import is_abstention
from gate.claims.set_aside.answering import answers, stands_for_an_answer
from gate.claims.set_aside.congratulating import congratulates
from gate.claims.set_aside.courtesies import FRAME, is_greeting, offers_on_condition
from gate.claims.set_aside.headings import heading_states, is_heading_line, is_label
from gate.claims.set_aside.lead_ins import HERE, announces, is_lead_in
from gate.claims.set_aside.opinions import is_opinion
from gate.claims.set_aside.pure_questions import pure_question
from gate.claims.set_aside.sentence import ENDS, FIGURE, QUOTED, SYMBOLS, Sentence
from gate.claims.set_aside.user_prompt import NO_PROMPT, UserPrompt
from gate.model import NonClaimReason
from gate.text.questions import QUESTION
from gate.text.tokens import keys
from gate.text.words import formulae
from gate.text.words.untruth import objects

_FOREIGN = re.compile("[\u0370-\u1dff\u2c00-\ud7ff\uf900-\ufdff\ufe70-\uff00\uff10-\uffef]")
"""Letters of scripts whose courtesies nobody lists here."""
_REMARK = re.compile(
    rf"(?i)^\W*(?:please )?{HEED}|^\W*(?:\w+,\s)?{WORTH}"
    r"|^\W*(?:therefore|however|thus|hence|overall|additionally|unfortunately|sorry(?! (?:about|for|to hear)\b)|so),?\s"
)
"""What only draws attention to the rest of its sentence."""
_SUBJECT = re.compile(r"(?i)^\W*(?:subject(?: line)?|betreff|objet|asunto|oggetto|assunto|onderwerp)\s?[:：]\W*(?=\w)")
"""What begins the line that is the heading of a letter. "Lifetime warranty for all lamps" is none where neither the
user nor a claim of the letter has its words."""
_MOST_UNTOLD = 1
"""Such words that a subject may have."""
_LAST_QUOTED = re.compile(rf"{QUOTED.pattern}\W*$")
_OPINION = re.compile(
    r"(?i)\b(?:my )?two cents\b|\b(?:i|we) (?:may|might|could) (?:well )?be (?:wrong|mistaken)\b"
    r"|\b(?:correct me )?if (?:i['’]m|i am|we['’]re|we are) (?:wrong|mistaken)\b"
)
"""What tells that an opinion is given."""
_BY_KIND: dict[Kind, NonClaimReason] = {"code": "code", "unseen": "markup", "template": "template"}


def non_claim_reason(
    sentence: str,
    kind: Kind = "paragraph",
    *,
    prompt: UserPrompt = NO_PROMPT,
    followed: bool = True,
    before: str = "",
    alone: bool = False,
    told: frozenset[str] = frozenset(),
) -> NonClaimReason | None:
    """Why `sentence` states nothing to check; None when it is a claim.

    Args:
        kind: the block that it stands in.
        prompt: what the user asked: a question or a lead-in that repeats it presupposes nothing of its own.
        followed: whether more of the answer comes right after it.
        alone: whether it is all of its line or item.
        told: `forms` of the words that are judged elsewhere in the answer: a lead-in or a courtesy may repeat them.
    """
    if kind in _BY_KIND:
        return _BY_KIND[kind]
    sentence = _LAST_QUOTED.sub(lambda quote: "question" if _is_asked(quote[0], prompt) else quote[0], sentence)
    one = Sentence(_REMARK.sub("", _OPINION.sub("opinion", sentence)), kind, prompt.words, followed, alone, told)
    if not one.words and not FIGURE.search(sentence) and not SYMBOLS.search(sentence):
        return "fragment"
    if _FOREIGN.search(sentence) or SYMBOLS.search(sentence):
        return None
    subject = _SUBJECT.match(sentence) if alone and kind == "paragraph" else None
    if subject:
        kind, one = "heading", replace(one, kind="heading", text=sentence[subject.end() :])
    if kind in ("heading", "head") and not ENDS.search(sentence):
        tells = subject and ("free" in one.words or one.figures or len(one.untold(one.text)) > _MOST_UNTOLD)
        given = replace(one, prompt=prompt.given)
        answered = kind == "heading" and not subject and stands_for_an_answer(given, prompt, before)
        states = tells or answered or heading_states(given)
        return None if states else "heading"
    if QUESTION.search(sentence):
        return "question" if pure_question(one) else None
    if before and objects(one.text):
        return None
    reason = _by_what_remains(one, prompt, before)
    return None if reason and answers(one, reason, prompt, before) else reason


def _is_asked(quote: str, prompt: UserPrompt) -> bool:
    """Whether a quotation is of the user's question."""
    words = formulae.words_of(quote)
    return len(words) > 1 and QUESTION.search(quote.strip('"“”„«»')) is not None and prompt.words.issuperset(words)


def _by_what_remains(one: Sentence, prompt: UserPrompt, before: str) -> NonClaimReason | None:
    if " ".join(one.words) in formulae.FORMULAE:
        return "greeting"
    label, colon, rest = one.text.partition(":")
    if colon and rest.strip(" *_") and not FIGURE.search(label) and announces(label):
        one = replace(one, text=rest.strip())
        if QUESTION.search(one.text):
            return "question" if pure_question(one) else None
    if is_abstention(one, prompt.given):
        return "abstention"
    one = replace(one, prompt=prompt.given)
    if not one.announces and (is_greeting(one) or congratulates(one, prompt.text)):
        return "greeting"
    if is_label(one) and not (stands_for_an_answer(one, prompt, before) or QUESTION.search(before)):
        return "heading"
    if is_opinion(one):
        return "opinion"
    if is_lead_in(one):
        return "lead_in"
    return "heading" if is_heading_line(one) and not stands_for_an_answer(one, prompt, before) else None


def may_repeat(sentence: str) -> bool:
    """Whether it has the form of a lead-in, a courtesy or a subject: the rest of the answer may have all its words."""
    colon = sentence.rstrip("*_ ").endswith((":", "："))
    return colon or bool(
        _SUBJECT.match(sentence) or FRAME.match(sentence) or HERE.match(sentence) or offers_on_condition(sentence)
    )


def forms(text: str) -> frozenset[str]:
    """The words of a text as they stand and as keys, figures aside."""
    return frozenset(one for one in (*formulae.words_of(text), *keys(text)) if not one.isdecimal())
