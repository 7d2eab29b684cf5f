"""Words and signs that stand for amounts: units with their size, currencies, scales, number words."""

from __future__ import annotations


def _spelled(*groups: tuple[str, str, float]) -> dict[str, tuple[str, float]]:
    return {word: (dimension, size) for words, dimension, size in groups for word in words.split()}


UNITS: dict[str, tuple[str, float]] = _spelled(
    ("mm millimetre millimeter millimetres millimeters", "length", 0.001),
    ("cm centimetre centimeter centimetres centimeters", "length", 0.01),
    ("m metre meter metres meters", "length", 1),
    ("km kilometre kilometer kilometres kilometers", "length", 1000),
    ("inch inches", "length", 0.0254),
    ("ft foot feet", "length", 0.3048),
    ("yd yard yards", "length", 0.9144),
    ("mi mile miles", "length", 1609.344),
    ("mg milligram milligrams", "mass", 0.000001),
    ("g gram grams gramme grammes", "mass", 0.001),
    ("kg kilogram kilograms kilo kilos", "mass", 1),
    ("t ton tons tonne tonnes", "mass", 1000),
    ("lb lbs", "mass", 0.45359237),
    ("oz ounce ounces", "mass", 0.028349523),
    ("ms millisecond milliseconds", "time", 0.001),
    ("s sec secs second seconds", "time", 1),
    ("min mins minute minutes", "time", 60),
    ("h hr hrs hour hours", "time", 3600),
    ("day days", "time", 86400),
    ("week weeks", "time", 604800),
    ("month months", "month", 1),
    ("year years yr yrs", "month", 12),
    ("decade decades", "month", 120),
    ("ml millilitre milliliter millilitres milliliters", "volume", 0.001),
    ("l litre liter litres liters", "volume", 1),
    ("gallon gallons", "volume", 3.785411784),
    ("kb kilobyte kilobytes", "data", 1),
    ("mb megabyte megabytes", "data", 1e3),
    ("gb gigabyte gigabytes", "data", 1e6),
    ("tb terabyte terabytes", "data", 1e9),
    ("kib", "data", 1.024),
    ("mib", "data", 1.024**2 * 1e3),
    ("gib", "data", 1.024**3 * 1e6),
    ("kbit kilobit kilobits", "data", 1 / 8),
    ("mbit megabit megabits", "data", 1e3 / 8),
    ("gbit gigabit gigabits", "data", 1e6 / 8),
    ("tbit terabit terabits", "data", 1e9 / 8),
    ("kbps kbit/s", "rate", 1),
    ("mbps mbit/s", "rate", 1e3),
    ("gbps gbit/s", "rate", 1e6),
    ("kb/s", "rate", 8),
    ("mb/s", "rate", 8e3),
    ("gb/s", "rate", 8e6),
    ("w watt watts", "power", 1),
    ("kw kilowatt kilowatts", "power", 1e3),
    ("mw megawatt megawatts", "power", 1e6),
    ("gw gigawatt gigawatts", "power", 1e9),
    ("wh", "energy", 1),
    ("kwh", "energy", 1e3),
    ("mwh", "energy", 1e6),
    ("km/h kph kmh", "speed", 1),
    ("mph", "speed", 1.609344),
    ("km² km2", "area", 1),
    ("ha hectare hectares", "area", 0.01),
    ("acre acres", "area", 0.0040468564),
    ("m² m2", "area", 1e-6),
    ("°c celsius", "celsius", 1),
    ("°f fahrenheit", "fahrenheit", 1),
    ("% percent pct", "percent", 1),
)
"""Unit → what it measures, and its size against others that measure the same."""
UNITS |= {
    "per cent": ("percent", 1),
    **dict.fromkeys(("percentage point", "percentage points"), ("percentage points", 1)),
}
CASED_UNITS: dict[str, tuple[str, float]] = {
    **{prefix + "b": ("data", size / 8) for prefix, size in (("K", 1), ("M", 1e3), ("G", 1e6), ("T", 1e9))},
    "mW": ("power", 0.001),
}
"""Units that only their capitals tell from others: `Gb` is a gigabit, `GB`, and `gb` as people write it, a gigabyte."""

CURRENCIES: dict[str, str] = {
    **dict.fromkeys(("us$", "$", "usd", "dollar", "dollars"), "USD"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "EUR"),
    **dict.fromkeys(("£", "gbp", "sterling"), "GBP"),
    **dict.fromkeys(("¥", "jpy", "yen"), "JPY"),
    **dict.fromkeys(("₹", "inr", "rupee", "rupees"), "INR"),
    **dict.fromkeys(("chf", "franken"), "CHF"),
    **dict.fromkeys(("cny", "rmb", "yuan"), "CNY"),
    **dict.fromkeys(("a$", "aud"), "AUD"),
    **dict.fromkeys(("c$", "cad"), "CAD"),
}

SCALES: dict[str, float] = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "mio": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
}

_UNDER_TWENTY = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
CARDINALS: dict[str, int] = {
    **{word: value for value, word in enumerate(_UNDER_TWENTY.split())},
    **{word: 10 * value for value, word in enumerate(_TENS.split(), 2)},
}
ORDINALS: dict[str, int] = {word: value for value, word in enumerate(_ORDINALS.split(), 1)}
VAGUE_WORDS = frozenset({"one", "zero", "first", "second"})
"""Number words that a claim uses without meaning an amount ("one of them", "second to none")."""
