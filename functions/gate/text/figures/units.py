"""Units, currencies, eras and periods, with what they measure and their size: English, and the common words of German,
French and Spanish.

No library serves: pint and quantulum3 weigh more than this table's user, and read no rates, eras or German.
"""

from __future__ import annotations

from typing import NamedTuple


class Unit(NamedTuple):
    """A unit: what it measures, and its size in that dimension's base unit.

    Attributes:
        zero: where its scale begins, in the base unit (°C and °F).
        per: what it is a rate of, as a name of `PERIODS`.
    """

    dimension: str
    size: float = 1.0
    zero: float = 0.0
    per: str = ""


Units = tuple[Unit, ...]
"""What a name may stand for: "pounds" are money or a weight."""


def _spelled(dimension: str, *groups: tuple[str, float]) -> dict[str, Units]:
    """Names by their size; a `|` parts those that hold a blank."""
    return {
        name: (Unit(dimension, size),)
        for names, size in groups
        for name in (names.split("|") if "|" in names else names.split())
    }


def _prefixed(dimension: str, symbol: str, *words: str, **sizes: float) -> dict[str, Units]:
    """A unit of the metric system under its prefixes: `k` and `kilo` for a thousand."""
    found: dict[str, Units] = {}
    for prefix, size in sizes.items():
        short, long = _PREFIXES[prefix]
        names = [short + symbol, *(long + word + end for word in words for end in ("", "s", "n", "en"))]
        if prefix == "micro":
            names += ["u" + symbol, "µ" + symbol, *(f"mikro{word}" for word in words)]
        found |= dict.fromkeys(names, (Unit(dimension, size),))
    return found


_PREFIXES = {
    "nano": ("n", "nano"),
    "micro": ("μ", "micro"),
    "milli": ("m", "milli"),
    "centi": ("c", "centi"),
    "deci": ("d", "deci"),
    "one": ("", ""),
    "hecto": ("h", "hecto"),
    "kilo": ("k", "kilo"),
    "mega": ("m", "mega"),
    "giga": ("g", "giga"),
    "tera": ("t", "tera"),
}
_POUND_MASS = 0.45359237

UNITS: dict[str, Units] = {
    **_prefixed(
        "length",
        "m",
        "metre",
        "meter",
        "mètre",
        "metro",
        nano=1e-9,
        micro=1e-6,
        milli=1e-3,
        centi=1e-2,
        one=1,
        kilo=1e3,
    ),
    **_spelled(
        "length",
        ("inch inches zoll pouces pulgadas", 0.0254),
        ("ft foot feet fuß", 0.3048),
        ("yd yard yards", 0.9144),
        ("mi mile miles meile meilen millas", 1609.344),
        ("nautical mile|nautical miles|seemeilen", 1852),
    ),
    **_prefixed(
        "mass",
        "g",
        "gram",
        "gramme",
        "gramm",
        "gramo",
        nano=1e-12,
        micro=1e-9,
        milli=1e-6,
        one=1e-3,
        kilo=1,
    ),
    **_spelled(
        "mass",
        ("mcg", 1e-9),
        ("kilo kilos", 1),
        ("t ton tons tonne tonnes tonnen toneladas", 1000),
        ("lb lbs", _POUND_MASS),
        ("oz ounce ounces unzen onces onzas", 0.028349523),
    ),
    **_spelled(
        "time",
        ("ns nanosecond nanoseconds nanosekunden", 1e-9),
        ("μs µs microsecond microseconds mikrosekunden", 1e-6),
        ("ms millisecond milliseconds millisekunden", 1e-3),
        ("s sec secs second seconds sekunde sekunden seconde secondes segundo segundos", 1),
        ("min mins minute minutes minuten minuto minutos", 60),
        ("h hr hrs hour hours stunde stunden std heure heures hora horas", 3600),
        ("day days tag tage tagen jour jours día días", 86400),
        ("week weeks woche wochen semaine semaines semana semanas", 604800),
        ("fortnight fortnights", 1209600),
    ),
    **_spelled(
        "month",
        ("month months monat monate monaten mois mes meses", 1),
        ("year years yr yrs jahr jahre jahren ans année années año años", 12),
        ("decade decades jahrzehnt jahrzehnte jahrzehnten décennies décadas", 120),
    ),
    **_prefixed(
        "volume",
        "l",
        "litre",
        "liter",
        "litro",
        micro=1e-6,
        milli=1e-3,
        centi=1e-2,
        deci=0.1,
        one=1,
        hecto=100,
    ),
    **_spelled(
        "volume",
        ("cc|cubic centimetre|cubic centimetres|cubic centimeter|cubic centimeters|cm³|cm3", 1e-3),
        ("m³|m3|cubic metre|cubic metres|cubic meter|cubic meters|kubikmeter", 1e3),
        ("cubic foot|cubic feet|cu ft", 28.316847),
        ("gallon gallons gallonen", 3.785411784),
        ("quart quarts", 0.946352946),
        ("pint pints", 0.473176473),
        ("cup cups tassen tasses", 0.236588236),
        ("fl oz|fluid ounce|fluid ounces", 0.0295735296),
        ("tbsp tablespoon tablespoons esslöffel", 0.0147867648),
        ("tsp teaspoon teaspoons teelöffel", 0.00492892159),
    ),
    **_spelled("drops", ("drop drops tropfen gouttes gotas", 1)),
    **_spelled(
        "data",
        ("kb kilobyte kilobytes", 1),
        ("mb megabyte megabytes", 1e3),
        ("gb gigabyte gigabytes", 1e6),
        ("tb terabyte terabytes", 1e9),
        ("kib", 1.024),
        ("mib", 1.024**2 * 1e3),
        ("gib", 1.024**3 * 1e6),
        ("kbit kilobit kilobits", 1 / 8),
        ("mbit megabit megabits", 1e3 / 8),
        ("gbit gigabit gigabits", 1e6 / 8),
        ("tbit terabit terabits", 1e9 / 8),
    ),
    **{name: (Unit("data", size / 8, per="s"),) for name, size in (("kbps", 1), ("mbps", 1e3), ("gbps", 1e6))},
    **_prefixed("power", "w", "watt", one=1, kilo=1e3, mega=1e6, giga=1e9, tera=1e12),
    **_spelled("power", ("hp horsepower", 745.7), ("ps", 735.5)),
    **_prefixed("energy", "wh", one=3600, kilo=3.6e6, mega=3.6e9, giga=3.6e12),
    **_prefixed("energy", "j", "joule", one=1, kilo=1e3, mega=1e6),
    **_spelled("energy", ("kcal kilocalorie kilocalories calorie calories kalorien kilokalorien", 4184)),
    **_prefixed("voltage", "v", "volt", milli=1e-3, kilo=1e3),
    **_spelled("voltage", ("volt volts", 1)),
    **_prefixed("current", "a", "amp", "ampere", "ampère", milli=1e-3, kilo=1e3),
    **_spelled("current", ("amp amps ampere amperes ampère ampères", 1)),
    **_prefixed("frequency", "hz", "hertz", one=1, kilo=1e3, mega=1e6, giga=1e9),
    **_prefixed("pressure", "pa", "pascal", one=1, hecto=100, kilo=1e3, mega=1e6),
    **_spelled(
        "pressure",
        ("bar bars", 1e5),
        ("mbar millibar millibars", 100),
        ("psi", 6894.757),
        ("atm atmosphere atmospheres", 101325),
        ("mmhg|mm hg|torr", 133.322),
    ),
    **{name: (Unit("length", 1000, per="h"),) for name in ("kph", "kmh")},
    "mph": (Unit("length", 1609.344, per="h"),),
    **dict.fromkeys(("knot", "knots", "knoten"), (Unit("length", 1852, per="h"),)),
    **_spelled(
        "area",
        ("km²|km2|square km|square kilometre|square kilometres|square kilometer|square kilometers|sq km", 1e6),
        ("quadratkilometer|kilomètres carrés", 1e6),
        ("ha hectare hectares hektar", 1e4),
        ("acre acres", 4046.8564),
        ("m²|m2|square metre|square metres|square meter|square meters|sq m|quadratmeter|mètres carrés", 1),
        ("square mile|square miles|sq mi|sq miles", 2589988.1),
        ("square foot|square feet|sq ft|sq feet|sqft", 0.09290304),
        ("square inch|square inches|sq in", 6.4516e-4),
        ("square yard|square yards|sq yd", 0.83612736),
    ),
    **dict.fromkeys(
        ("°c", "celsius", "degrees celsius", "grad celsius", "degrees c"), (Unit("temperature", 1, 273.15),)
    ),
    **dict.fromkeys(
        ("°f", "fahrenheit", "degrees fahrenheit", "degrees f"), (Unit("temperature", 5 / 9, 255.3722222),)
    ),
    **dict.fromkeys(("kelvin", "kelvins"), (Unit("temperature"),)),
    **dict.fromkeys(
        ("°", "deg", "degree", "degrees", "degrés", "grados"),
        (Unit("angle"), Unit("temperature", 1, 273.15), Unit("temperature", 5 / 9, 255.3722222)),
    ),
    **_spelled("dose", ("iu|international unit|international units", 1)),
    **_prefixed("substance", "mol", "mole", micro=1e-6, milli=1e-3, one=1),
    **_spelled("loudness", ("db decibel decibels dezibel", 1)),
    **_spelled(
        "percent",
        ("% percent pct prozent percentage", 1),
        ("per cent|pour cent|pour-cent|por ciento", 1),
        ("‰|promille", 0.1),
    ),
    **_spelled(
        "percentage points", ("percentage point|percentage points|prozentpunkt|prozentpunkte|prozentpunkten", 1)
    ),
    **dict.fromkeys(
        ("basis point", "basis points", "bps", "basispunkt", "basispunkte"),
        (Unit("percentage points", 0.01), Unit("percent", 0.01)),
    ),
    **dict.fromkeys(("times", "time", "mal", "fois", "veces"), (Unit("times"), Unit("factor"))),
    **dict.fromkeys(("x", "×", "fold"), (Unit("factor"), Unit("times"))),
}
"""Name in lower case → what it measures, and its size against others that measure the same."""
CASED_UNITS: dict[str, Units] = {
    **{prefix + "b": (Unit("data", size / 8),) for prefix, size in (("K", 1), ("M", 1e3), ("G", 1e6), ("T", 1e9))},
    "mW": (Unit("power", 0.001),),
    "mJ": (Unit("energy", 0.001),),
    "mPa": (Unit("pressure", 0.001),),
    "MV": (Unit("voltage", 1e6),),
    "A": (Unit("current"),),
    "V": (Unit("voltage"),),
    "C": (Unit("temperature", 1, 273.15),),
    "F": (Unit("temperature", 5 / 9, 255.3722222),),
    "K": (Unit("temperature"), Unit("number", 1000)),
    "M": (Unit("number", 1e6), Unit("length")),
}
"""Units that only their capitals tell from others: `Gb` is a gigabit, `GB`, and `gb` as people write it, a gigabyte."""

PERIODS: dict[str, Unit] = {
    **{
        name: units[0]
        for name, units in UNITS.items()
        if units[0].dimension in ("time", "length", "mass", "volume", "area")
    },
    **{
        name: Unit("time", units[0].size * 365.25 / 12 * 86400)
        for name, units in UNITS.items()
        if units[0].dimension == "month"
    },
    **dict.fromkeys(("annum", "an", "año"), Unit("time", 365.25 * 86400)),
}
"""What stands after "per"; a month has 30.4 days here."""
ADVERBS: dict[str, str] = {
    adverb: period
    for adverbs, period in (
        ("hourly stündlich", "h"),
        ("daily täglich quotidien quotidienne diario diaria", "day"),
        ("weekly wöchentlich hebdomadaire semanal", "week"),
        ("monthly monatlich mensuel mensuelle mensual", "month"),
        ("yearly annually annual jährlich annuel annuelle anual", "year"),
    )
    for adverb in adverbs.split()
}
"""Words that say "per day" and the like by themselves."""

_DOLLARS = ("USD", "AUD", "CAD", "NZD", "HKD", "SGD")
CURRENCIES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("$", "dollar", "dollars"), _DOLLARS),
    **dict.fromkeys(("us$", "usd", "us dollar", "us dollars", "american dollars"), ("USD",)),
    **dict.fromkeys(("a$", "aud", "australian dollars"), ("AUD",)),
    **dict.fromkeys(("c$", "cad", "canadian dollars"), ("CAD",)),
    **dict.fromkeys(("nz$", "nzd", "new zealand dollars"), ("NZD",)),
    **dict.fromkeys(("hk$", "hkd"), ("HKD",)),
    **dict.fromkeys(("s$", "sgd"), ("SGD",)),
    **dict.fromkeys(("€", "eur", "euro", "euros"), ("EUR",)),
    **dict.fromkeys(("£", "gbp", "sterling", "pounds sterling"), ("GBP",)),
    **dict.fromkeys(("¥", "jpy", "yen"), ("JPY",)),
    **dict.fromkeys(("₹", "inr", "rupee", "rupees"), ("INR",)),
    **dict.fromkeys(("chf", "franken", "swiss francs"), ("CHF",)),
    **dict.fromkeys(("cny", "rmb", "yuan"), ("CNY",)),
    **dict.fromkeys(("sek", "kronor", "swedish kronor"), ("SEK",)),
    **dict.fromkeys(("nok", "norwegian kroner"), ("NOK",)),
    **dict.fromkeys(("dkk", "danish kroner"), ("DKK",)),
    **dict.fromkeys(("kr", "kroner", "krone"), ("SEK", "NOK", "DKK")),
    **dict.fromkeys(("pln", "zł", "zloty"), ("PLN",)),
    **dict.fromkeys(("czk", "kč"), ("CZK",)),
    **dict.fromkeys(("rub", "rubles", "roubles", "₽"), ("RUB",)),
    **dict.fromkeys(("krw", "₩"), ("KRW",)),
    **dict.fromkeys(("brl", "r$", "reais"), ("BRL",)),
}
"""Name → the currencies that it may stand for."""
CODES = frozenset(code for codes in CURRENCIES.values() for code in codes)
UNITS |= {name: tuple(Unit(code) for code in codes) for name, codes in CURRENCIES.items()}
UNITS |= {
    **dict.fromkeys(("pound", "pounds", "pfund"), (Unit("GBP"), Unit("mass", _POUND_MASS))),
    **dict.fromkeys(
        ("cent", "cents", "¢", "centime", "centimes", "céntimos"),
        tuple(Unit(code, 0.01) for code in (*_DOLLARS, "EUR", "CHF")),
    ),
    **dict.fromkeys(("penny", "pence"), (Unit("GBP", 0.01),)),
    "öre": (Unit("SEK", 0.01),),
    "øre": (Unit("NOK", 0.01), Unit("DKK", 0.01)),
}

ERAS: dict[str, str] = {
    **dict.fromkeys(("BC", "BCE", "B.C.", "B.C.E.", "v. Chr.", "v.Chr.", "av. J.-C.", "a. C.", "a.C."), "BC"),
    **dict.fromkeys(("AD", "CE", "A.D.", "C.E.", "n. Chr.", "n.Chr.", "ap. J.-C.", "d. C.", "d.C."), "AD"),
}
"""How a year says on which side of year 1 it lies."""
