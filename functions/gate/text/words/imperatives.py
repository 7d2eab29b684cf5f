"""Verbs in the form in which people tell each other what to do."""

from __future__ import annotations

import re

COURTEOUS = frozenset(("ask", "contact", "let", "look", "see", "tell", "warm"))
"""Those with which a speaker asks for a word back or takes leave, and the one of "Warm regards"."""
_ENGLISH = """add adjust allow apply assemble attach avoid back bake boil book bring brush build buy call change
charge check choose clean clear click close combine configure connect consider continue cook copy cover create
cut deduct delete deploy disable disconnect discard do don download drain drink drive drop eat edit email enable
ensure enter export fill find flip fold follow force give go grab grill hang heat hold import insert inspect
install invoke keep lay leave lift light lock log make mark measure mention mix mount move multiply name navigate
never note open order pack park paste pay peel pick place plug pour preheat prepare press print proceed pull push
put read rebase reboot record reduce refer refrigerate register release remember remove repeat replace reply
reset restart return rinse roll run save scan scroll search season select send serve set shake show shut sign
skip slice soak specify spray spread sprint start stay step stir stop store submit switch take tap test tighten
toast transfer trim try turn type unplug update upgrade upload use verify visit wait walk wash watch wear whisk
wipe withdraw wrap write"""
_OTHERS = """öffnen klicken drücken wählen geben senden schicken nehmen setzen stellen legen prüfen verwenden nutzen
installieren starten drücke klicke öffne wähle nimm sende schicke
cliquez ouvrez appuyez choisissez envoyez ajoutez prenez utilisez installez vérifiez mettez
haga haz abra abre pulse pulsa elija envíe envía añada añade tome use utilice instale
clicca apri premi scegli invia aggiungi prendi usa installa mescola servi
clique abra prima escolha envie adicione pegue use instale
klik open druk kies stuur voeg neem gebruik installeer"""
IMPERATIVES = COURTEOUS.union(_ENGLISH.split(), _OTHERS.split())
_FIRST = re.compile(
    r"(?i)^\W*(?:(?:please|kindly|simply|just|then|now|first|next|finally|also|always|remember|bitte|por favor|"
    r"s['’]il vous plaît)\b[\s,:]*){0,3}(?P<verb>[^\W\d_]+)"
)
_CONDITION = re.compile(
    r"(?i)^\W*(?:before|after|if|when|once|should|to|in order to|for|wenn|bevor|si|se|als)\b[^,:]{1,200}[,:]\s"
)


def ordered(text: str) -> str:
    """The verb of the order that a sentence begins with, after a condition or by itself; empty where it has none."""
    condition = _CONDITION.match(text)
    first = _FIRST.match(text[condition.end() :] if condition else text)
    verb = first["verb"].lower() if first else ""
    return verb if verb in IMPERATIVES else ""


def tells_to_do(text: str) -> bool:
    """Whether a sentence begins with an order, after a condition or by itself."""
    return bool(ordered(text))
