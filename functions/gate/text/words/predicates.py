"""Words that tell something of a thing without a verb: "Dogs forbidden", "Refunds only in cash"."""

from __future__ import annotations

import re

_TELLING = """allowed banned forbidden prohibited permitted mandatory compulsory obligatory optional guaranteed
cancelled canceled suspended abolished impossible refundable unlimited unwelcome unnecessary illegal legal unavailable
free erlaubt verboten pflicht kostenlos gratis garantiert unmöglich untersagt autorisé autorisée autorisés interdit
interdite interdits interdites obligatoire obligatoires gratuit gratuite gratuits garanti garantie permitido permitida
permitidos prohibido prohibida prohibidos obligatorio obligatoria gratuito gratuita imposible vietato vietata vietati
permesso obbligatorio obbligatoria proibido proibida proibidos obrigatório obrigatória toegestaan verplicht
verboden"""
_ONLY = (
    "only|solely|exclusively|except|nur|ausschließlich|außer|seulement|uniquement|sauf|solamente|únicamente|excepto|"
    "soltanto|tranne|somente|exceto|alleen|behalve"
)
_AT_END = re.compile(rf"(?i)[^\W_]\W*\s(?:{'|'.join(_TELLING.split())})[\s*_:：.!]*$")
_LIMITS = re.compile(
    rf"(?i)[^\W_]\W*\s(?:{_ONLY})\s\w|^\W*(?:{_ONLY})\s[^\W_]+\s[^\W_]|[^\W_][\s-](?:{_ONLY})[\s*_:：.!]*$"
)

_DONE = re.compile(
    r"(?i)[^\W_]\W*\s(?!(?:united|limited|accessed|retrieved|updated|published|revised|needed|used|related|started|learned|"
    r"explained|required|ltd)\b)[a-z]{3,30}(?<!e)ed"
    r"(?=\W*$|\s(?:worldwide|everywhere|anywhere|always|anytime|by|for|in|with|within|at|on)\b)"
)


def tells_without_verb(title: str) -> bool:
    """Whether a heading, label or lead-in ends with such a word, or leaves others out with an "only" or "except"."""
    return bool(_AT_END.search(title) or _LIMITS.search(title))


def ends_done(title: str) -> bool:
    """Whether a name ends with what was done, or may be: "Cash on Delivery Accepted", "Bitcoin Accepted Worldwide"."""
    return bool(_DONE.search(title))
