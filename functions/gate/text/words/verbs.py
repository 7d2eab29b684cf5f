"""Verbs: auxiliaries, forms that assert something, and irregular forms, as far as lists go."""

from __future__ import annotations

import re

_COPULAS = "is are was were"
_BE = f"{_COPULAS} am"
_HAVE = "has have had"
_DO = "do does did"
_MODALS = "will would can could may might must shall should"
MODALS = frozenset(_MODALS.split())
BE, HAVE = frozenset(f"{_BE} be been being".split()), frozenset(f"{_HAVE} having".split())
FINITE_AUXILIARIES = frozenset(f"{_BE} {_HAVE} {_DO} {_MODALS}".split())
"""Auxiliaries in the form that has a subject: a question begins with one of them."""
AUXILIARIES = FINITE_AUXILIARIES | BE | HAVE | {"doing"}

COPULAS = {"de": "ist sind war waren", "fr": "sont était", "es": "es son fue", "it": "è sono", "pt": "é são"}
"""Language → forms of its "be" that are no other word; "est." is an abbreviation too."""
_ELSEWHERE = f"{' '.join(COPULAS.values())} hat ha"
_MEASURING = """takes took lasts needs requires weighs measures holds exceeds equals reaches reached contains includes
kostet dauert dauern beträgt betragen wiegt misst coûte coûtent dure durent pèse mesure cuesta cuestan dura duran tiene
pesa mide costa costano custa custam tem стоит стоят длится составляет равно равна"""
_FINITE = """does did will would must means opens opened closes closed starts ends began
expires gets rises rose falls fell grew owns earns won became gives makes comes goes
hatte haben wird werden muss ont doit está"""
_BASE = "contain include take need require weigh expire get exceed earn"
_COST = r"costs?(?=\s(?:(?:about|around|only|just|up to|at least|EUR|USD|GBP)\s)?[$€£¥₹\d])|kosten(?=\s\d)|est(?!\.)"

MEASURING = frozenset(f"{_MEASURING} {_ELSEWHERE} {_BE} {_HAVE} cost costs total totals est".split())
"""Verbs that an amount follows."""
FINITE = frozenset(f"{_MEASURING} {_ELSEWHERE} {_COPULAS} {_HAVE} {_FINITE} costs".split())
"""Verbs in the form that has a subject: none of them is an order or an infinitive."""
ASSERTING = re.compile(rf"(?i)\b(?:{'|'.join(sorted(FINITE.union(_BASE.split()) - {'costs'}))}|{_COST})\b")
"""A verb that asserts, in any form, where it is not plainly a noun."""

_IRREGULAR = """beat beats won wins sold bought gave sent wrote built made led lost paid hit told taught saw took sued
owns owes held kept left caught found brought struck drew drove ate fed shot threw shook chose stole hid hurt cut put
set let read lent began became knew grew flew broke spoke overtook understood outsold withdrew beaten given taken
written driven eaten chosen stolen hidden drawn thrown shaken seen known"""
IRREGULAR = frozenset(_IRREGULAR.split())
"""Forms that no ending tells to be verbs."""
_RECIPROCAL = """marry married met meet wed border borders face faced play played fight fought date dated equal equals
resemble resembles resembled join joined merge merged differ tied match matched collaborate partner overlap accompany
accompanied adjoin adjoins complement intersect touch touches kissed hugged"""
RECIPROCAL = frozenset(_RECIPROCAL.split())
"""Verbs that say the same whoever comes first."""
