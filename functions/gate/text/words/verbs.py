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

_NO_NOUNS = """absorbs accommodates acknowledges activates adjusts admits adopts affects allows analyzes announces
appreciates
approves assigns assumes attracts automates bans becomes blames breaks breeds brings bundles burns buys calculates
captures carries catches celebrates combines commits compares compels complements completes comprises computes
concludes confirms considers contradicts corrects creates criticizes cures decides defies defines delays deletes
delivers demonstrates denies deserves destroys determines develops discloses discovers dismisses displays disrupts
distributes divides dominates earns elevates eliminates emits employs enables encloses encourages endangers enhances
enriches ensures enters erases establishes evaluates exacerbates executes expands explains exploits exposes
facilitates fills finds forces fosters fulfills generates grabs guarantees handles harms heals helps hides ignores
implements implies improves incorporates indicates infects infringes injures introduces investigates invests
involves joins keeps kills launches leads lends loses lowers maintains manipulates meets mentions misleads misses
multiplies neglects observes obtains offers operates optimizes outperforms overlooks oversees owns pays poisons
pollutes possesses prescribes preserves prevents produces prohibits promises proposes protects proves provides
publishes pushes recalls receives recognizes recommends redirects reduces refuses regulates rejects releases removes
repeats replaces represents resembles resigns resolves restricts retrieves reveals satisfies saves secures sells
sends settles simplifies solves spends spies steals strengthens submits sues suffers suggests surpasses takes
teaches tells threatens throws tracks transforms tricks understands unveils uses validates verifies violates voids
warns weakens wears worsens yields accepts"""
NO_NOUNS = frozenset(_NO_NOUNS.split())
"""Verbs in -s that are seldom nouns: measured on 30,000 public answers, save those too rare in them to be counted."""
WITH_SUBJECT = FINITE | FINITE_AUXILIARIES | NO_NOUNS
"""Verbs and auxiliaries in a form that has a subject, wherever they stand."""
