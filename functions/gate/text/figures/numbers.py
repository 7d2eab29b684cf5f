"""Number words: cardinals, ordinals, scales."""

from __future__ import annotations


def _spelled(*groups: tuple[str, float]) -> dict[str, float]:
    return {word: value for words, value in groups for word in words.split()}


SCALES: dict[str, float] = {
    "dozen": 12,
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "million": 1e6,
    "mn": 1e6,
    "mio": 1e6,
    "billion": 1e9,
    "bn": 1e9,
    "trillion": 1e12,
    "tausend": 1e3,
    "billions": 1e9,
    **_spelled(
        ("millionen millions millones", 1e6),
        ("mrd milliarde milliarden milliard milliards", 1e9),
        ("billionen billones", 1e12),
    ),
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

FRACTIONS: dict[str, float] = _spelled(
    ("half halves hälfte moitié mitad", 2),
    ("third thirds drittel tiers tercio tercios", 3),
    ("quarter quarters fourth fourths viertel quart quarts cuarto", 4),
    ("fifth fifths fünftel cinquième", 5),
    ("tenth tenths zehntel dixième décima", 10),
)
"""Part of a whole → how many make it."""
FACTORS: dict[str, float] = _spelled(
    ("doubled doubles doubling twofold verdoppelt verdoppelte doublé duplicado duplicó", 2),
    ("tripled triples tripling trebled threefold verdreifacht verdreifachte triplé triplicado", 3),
    ("quadrupled quadruples quadrupling fourfold vervierfacht quadruplé", 4),
    ("fivefold verfünffacht quintupled quintuplé", 5),
    ("tenfold verzehnfacht décuplé", 10),
    ("halved halves halving halbiert halbierte", 0.5),
)
"""Words for becoming so many times as much."""
REPEATS: dict[str, float] = _spelled(
    ("once einmal", 1),
    ("twice zweimal", 2),
    ("thrice dreimal", 3),
    ("viermal", 4),
)
"""Words for how often."""
