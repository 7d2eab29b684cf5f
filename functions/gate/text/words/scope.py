"""Words that join two statements, and words that govern more than their own phrase, by language.

A sentence that holds one that governs does not state its parts: "If it rains, the shop is closed and the bar is open."
does not say that the bar is open.
"""

from __future__ import annotations

from gate.text.words.function_words import RELATIVES, SUBORDINATORS
from gate.text.words.quantifiers import EXCEPTING, PARTIAL, UNIVERSAL
from gate.text.words.verbs import MODALS

_COORDINATORS = {
    "en": "and but",
    "de": "und aber sondern",
    "fr": "et mais",
    "es": "y e pero sino",
    "it": "e ed ma",
    "pt": "e mas",
    "nl": "en maar",
    "sv": "och men",
    "da": "og men",
}
_GOVERNING = {
    "en": """provided assuming supposing whenever until than between respectively unlike instead besides according
        allegedly reportedly supposedly perhaps maybe possibly probably apparently say says said claim claims claimed
        think thinks thought believe believes believed report reports reported suggest suggests suggested deny denies
        denied doubt doubts hope hopes want wants seem seems seemed appears that both""",
    "de": """wenn falls sofern solange bis bevor nachdem während weil da obwohl ob dass als sobald welche welcher
        welches sowohl zwischen jeweils alle jeder jede jedes manche einige viele nur beide außer statt laut zufolge
        angeblich vielleicht möglicherweise vermutlich wahrscheinlich soll sollen sollte kann können könnte mag muss
        würde sagt sagte sagen behauptet behauptete meint meinte glaubt glaubte denkt berichtet bestreitet scheint""",
    "fr": """si quand lorsque tandis puisque parce car bien quoique que qui dont où entre respectivement tous toutes
        tout toute chaque certains plusieurs seul seule seulement sauf excepté hormis selon peut pourrait devrait doit
        probablement dit disait affirme affirmait prétend pense croit nie semble""",
    "es": """si cuando mientras hasta porque pues aunque que quien quienes cual donde entre respectivamente todos todas
        todo toda cada algunos algunas muchos solo sólo solamente salvo excepto según puede podría debe debería quizás
        quizá probablemente supuestamente dice dijo afirma afirmó cree piensa niega parece""",
    "it": """se quando mentre finché perché poiché sebbene che chi cui dove tra fra rispettivamente tutti tutte tutto
        tutta ogni alcuni alcune molti solo soltanto salvo eccetto tranne secondo può potrebbe deve dovrebbe forse
        probabilmente presumibilmente dice disse detto afferma crede pensa nega sembra""",
    "pt": """se quando enquanto até porque pois embora que quem onde entre respectivamente todos todas todo toda cada
        alguns algumas muitos só somente salvo exceto segundo pode poderia deve deveria talvez provavelmente
        supostamente diz disse afirma acredita nega parece""",
    "nl": """als indien wanneer terwijl tot omdat want hoewel of dat die wie waar tussen respectievelijk alle elke elk
        ieder iedere sommige enkele veel alleen slechts beide behalve volgens kan kon zou moet misschien wellicht
        waarschijnlijk vermoedelijk zegt zei beweert beweerde denkt gelooft ontkent lijkt""",
    "sv": """om när medan tills eftersom därför fastän trots att som vilken vilka var där mellan respektive alla varje
        några många bara endast båda utom enligt kan kunde skulle bör måste kanske möjligen troligen påstås säger sade
        sa hävdar hävdade tror förnekar verkar""",
    "da": """hvis når mens indtil fordi selvom at som der hvor mellem henholdsvis alle hver nogle mange kun begge
        undtagen ifølge kan kunne ville bør må måske muligvis sandsynligvis angiveligt siger sagde hævder tror benægter
        synes""",
}
COORDINATORS = {language: frozenset(listed.casefold().split()) for language, listed in _COORDINATORS.items()}
"""Language → words that join two statements and make both; "or" is none."""
GOVERNING = {language: frozenset(listed.casefold().split()) for language, listed in _GOVERNING.items()}
"""Language → conditions, reports, hedges, modals, quantifiers, relatives: each may hold for what follows an "and"."""
GOVERNING["en"] |= SUBORDINATORS | RELATIVES | MODALS | EXCEPTING | PARTIAL | UNIVERSAL
