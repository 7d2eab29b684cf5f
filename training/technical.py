"""Pairs of our own making in the manner of handbooks: options, defaults, limits, versions, plans and terms.

A passage says facts about things with names that look alike; the claim says one of them in other words, or with another
thing's value, another name, the contrary, the roles exchanged, or says what no sentence of the passage does.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

SUPPORT, REFUTE, NEITHER = (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
Made = tuple[str, list[str], tuple[float, float, float]]
"""A claim, its documents and the chances of neither, support and refute."""


@dataclass(frozen=True)
class Kind:
    """A kind of fact; `{e}` stands for the thing, `{v}` for its value.

    Attributes:
        values: a key of `VALUES`.
        written: how a passage says it.
        claimed: how a claim says the same.
        contrary: claims that it refutes.
        further: claims that go beyond it.
    """

    values: str
    written: tuple[str, ...]
    claimed: tuple[str, ...]
    contrary: tuple[str, ...] = ()
    further: tuple[str, ...] = ()


KINDS = (
    Kind(
        "amount",
        ("The default of {e} is {v}.", "If {e} is not given, {v} is used.", "Unless set otherwise, {e} takes {v}."),
        ("{e} defaults to {v}.", "By default, {e} is {v}.", "Without further settings {e} is {v}."),
        ("{e} has no default.", "{e} must always be given.", "The default of {e} is not {v}."),
        ("The default of {e}, {v}, was chosen for speed.", "{e} is {v} and cannot be changed."),
    ),
    Kind(
        "amount",
        ("{e} may be {v} at most.", "The upper limit of {e} is {v}.", "Values of {e} above {v} are refused."),
        ("{e} cannot be more than {v}.", "The largest value of {e} is {v}.", "{e} must not exceed {v}."),
        ("{e} must be at least {v}.", "The smallest value of {e} is {v}.", "{e} has no upper limit."),
        ("{e} is usually set to {v}.",),
    ),
    Kind(
        "version",
        ("{e} was added in {v}.", "New in {v}: {e}.", "Since {v} there is {e}."),
        ("{e} is available since {v}.", "{e} was introduced in {v}.", "{e} exists from {v} on."),
        ("{e} was removed in {v}.", "{e} is available before {v}.", "{e} has been there from the first release."),
        ("{e} was added in {v} at the request of many users.",),
    ),
    Kind(
        "version",
        ("{e} is deprecated and will be removed in {v}.", "{e} goes away in {v}; do not use it in new projects."),
        ("{e} will no longer be there in {v}.", "The removal of {e} is planned for {v}."),
        ("{e} will be added in {v}.", "{e} stays after {v}.", "{e} has already been removed."),
    ),
    Kind(
        "other",
        ("{e} can only be used together with {v}.", "{e} requires {v}.", "{e} has no effect without {v}."),
        ("{e} needs {v}.", "To use {e}, {v} is needed too.", "{e} works only along with {v}."),
        ("{e} cannot be used together with {v}.", "{e} works without {v}."),
        ("{v} requires {e}.",),
    ),
    Kind(
        "other",
        ("{e} overrides {v}.", "Where both are given, {e} wins over {v}.", "{v} gives way to {e}."),
        ("{e} takes precedence over {v}.", "{v} is overridden by {e}.", "When {e} and {v} are both set, {e} counts."),
        ("{v} overrides {e}.", "{v} takes precedence over {e}.", "{e} is overridden by {v}."),
    ),
    Kind(
        "other",
        ("Every command except {v} accepts {e}.", "{e} is accepted by all commands but {v}."),
        ("{v} does not accept {e}.", "Not every command accepts {e}.", "All commands other than {v} accept {e}."),
        ("Every command accepts {e}.", "{v} accepts {e}.", "Only {v} accepts {e}."),
    ),
    Kind(
        "switch",
        ("{e} is {v} by default.", "Out of the box {e} is {v}.", "{e} starts {v}."),
        ("{e} is {v} unless someone changes it.", "After installation, {e} is {v}."),
        ("{e} is {w} by default.", "After installation, {e} is {w}."),
        ("{e} is always {v}.",),
    ),
    Kind(
        "system",
        ("{e} works on {v} only.", "{e} is limited to {v}.", "Only {v} has {e}."),
        ("{e} works on {v}.", "Outside of {v}, {e} does not work.", "{e} can be used on {v} alone."),
        ("{e} works on every system.", "{e} does not work on {v}."),
        ("{e} works on {v} and is fastest there.",),
    ),
    Kind(
        "version",
        ("Support for {e} is planned for {v}.", "We hope to have {e} by {v}.", "{e} may come with {v}."),
        ("{e} is planned.", "{e} may be there in {v}."),
        ("{e} is not planned.",),
        ("{e} is supported.", "{e} was added in {v}.", "{v} has {e}."),
    ),
    Kind(
        "code",
        ("{e} ends with status {v}.", "The exit status of {e} is {v}.", "{e} returns {v}."),
        ("{e} exits with {v}.", "After {e} the status is {v}."),
        ("{e} never ends with {v}.",),
        ("{e} ends with status {v} after an error.",),
    ),
    Kind(
        "price",
        ("{e} costs {v} a month.", "The price of {e} is {v} a month.", "For {e} we charge {v} a month."),
        ("{e} is {v} per month.", "One pays {v} a month for {e}."),
        ("{e} is free.", "{e} costs {v} a year.", "{e} costs more than {v} a month."),
        ("{e} costs {v} a month and can be cancelled at any time.",),
    ),
    Kind(
        "time",
        ("Requests about {e} are answered within {v}.", "{e} is answered in at most {v}."),
        ("{e} gets an answer within {v}.", "Nobody waits longer than {v} for an answer about {e}."),
        ("Answers about {e} take at least {v}.", "Requests about {e} are not answered."),
    ),
    Kind(
        "time",
        ("Data of {e} are kept for {v}.", "{e} is deleted after {v}.", "{e} is stored for no longer than {v}."),
        ("{e} is kept for {v}.", "After {v}, {e} is deleted."),
        ("{e} is kept for ever.", "{e} is never stored."),
        ("{e} is kept for {v} in an encrypted form.",),
    ),
)
SWITCH = {"on": "off", "off": "on", "enabled": "disabled", "disabled": "enabled"}
SYSTEMS = ("Linux", "macOS", "Windows", "FreeBSD", "Android", "the paid plan", "64-bit machines", "the server")
STEMS = (
    "retry", "retries", "timeout", "cache", "workers", "depth", "batch", "port", "level", "interval", "limit", "buffer",
    "threads", "history", "colour", "format", "output", "input", "filter", "prefix", "suffix", "order", "quiet",
    "strict", "follow", "ignore", "watch", "token", "profile", "region", "schema", "index", "merge", "split",
    "archive", "backup",
)  # fmt: skip
LEADS = ("max", "min", "no", "default", "keep", "allow", "skip", "force", "use", "log", "auto", "read", "write")
PLANS = ("Basic", "Team", "Plus", "Pro", "Family", "Student", "Starter", "Business", "Premium", "Night", "Export")
NOUNS = ("plan", "service", "report", "account", "room", "delivery", "insurance", "log")


def technical(chance: random.Random) -> Made:
    """Make one pair."""
    things = _things(chance)
    unfit = ("code", "other") if things[0].startswith("the ") else ("price", "time")
    kinds = [kind for kind in KINDS if kind.values not in unfit]
    facts = [(chance.choice(kinds), thing) for thing in things for _ in range(chance.randint(1, 3))]
    chance.shuffle(facts)
    filled = [(kind, thing, _value(kind.values, things, thing, chance)) for kind, thing in facts]
    kind, thing, value = chance.choice(filled)
    same = {(k, t): v for k, t, v in filled}
    filled = [(k, t, v) for (k, t), v in same.items()]
    value = same[kind, thing]
    said = [_fill(chance.choice(k.written), t, v) for k, t, v in filled]
    mine = filled.index((kind, thing, value))
    way = chance.random()
    target = SUPPORT
    if way < 0.45:
        claim = _fill(chance.choice(kind.claimed), thing, value)
    elif way < 0.62 and kind.contrary:
        claim, target = _fill(chance.choice(kind.contrary), thing, value), REFUTE
    elif way < 0.72 and kind.further:
        claim, target = _fill(chance.choice(kind.further), thing, value), (0.8, 0.0, 0.2)
    elif way < 0.86:
        other = next((v for k, t, v in filled if k.values == kind.values and v not in (value, thing)), "")
        for _ in range(9):
            other = other or _value(kind.values, things, thing, chance)
            other = "" if other == value else other
        named = [form for form in kind.claimed if "{v}" in form]
        if not other or not named:
            return technical(chance)
        claim, target = _fill(chance.choice(named), thing, other), (0.1, 0.0, 0.9)
    else:
        absent = chance.random() < 0.5
        if absent:
            claim = _fill(chance.choice(kind.claimed), thing, value)
            said.pop(mine)
        else:
            stranger = chance.choice([t for t in things if t not in (thing, value)] or [_near(thing, chance)])
            if (kind, stranger) in same:
                stranger = _near(thing, chance)
            claim = _fill(chance.choice(kind.claimed), stranger, value)
        target = (0.85, 0.0, 0.15)
    if chance.random() < 0.4:
        return claim, [" ".join(said)], target
    return claim, said or ["There is nothing here yet."], target


def _things(chance: random.Random) -> list[str]:
    """Two to four names, some of them almost the same."""
    style = chance.random()
    if style < 0.5:
        first = f"--{chance.choice((*LEADS, ''))}-{chance.choice(STEMS)}".replace("---", "--")
    elif style < 0.65:
        first = f"{chance.choice(STEMS)}_{chance.choice(STEMS)}"
    elif style < 0.75:
        first = "".join(chance.choice("ABEGKLNPRSTXZ") for _ in range(chance.randint(2, 4)))
    else:
        first = f"the {chance.choice(PLANS)} {chance.choice(NOUNS)}"
    found = [first]
    for _ in range(chance.randint(1, 3)):
        if (near := _near(first, chance)) not in found:
            found.append(near)
    return found


def _near(name: str, chance: random.Random) -> str:
    """Another name of the same make."""
    if name.startswith("the "):
        return f"the {chance.choice(PLANS)} {chance.choice((name.split()[-1], chance.choice(NOUNS)))}"
    if name.isupper():
        return chance.choice("ABEGKLNPRSTXZ") + name[1:]
    head, mark, last = name.rpartition("_" if "_" in name else "-")
    if chance.random() < 0.5 or not head.strip("-"):
        return f"{head}{mark}{chance.choice(STEMS)}"
    return f"--{chance.choice(LEADS)}-{last}" if mark == "-" else f"{chance.choice(STEMS)}_{last}"


def _value(values: str, things: list[str], thing: str, chance: random.Random) -> str:
    number = chance.choice((1, 2, 3, 4, 5, 7, 8, 10, 12, 15, 20, 24, 30, 50, 60, 64, 90, 100, 120, 250, 500, 512, 1000))
    match values:
        case "amount":
            return f"{number}{chance.choice(('', '', ' seconds', ' ms', ' MB', ' items', ' %'))}"
        case "version":
            return f"version {chance.randint(1, 12)}.{chance.randint(0, 12)}"
        case "other":
            return chance.choice([one for one in things if one != thing] or [_near(thing, chance)])
        case "switch":
            return chance.choice(tuple(SWITCH))
        case "system":
            return chance.choice(SYSTEMS)
        case "code":
            return str(chance.randint(0, 9))
        case "price":
            return f"{chance.choice(('€', '$', '£'))}{number}"
        case _:
            return f"{number} {chance.choice(('minutes', 'hours', 'days', 'weeks', 'months'))}"


def _fill(form: str, thing: str, value: str) -> str:
    text = form.format(e=thing, v=value, w=SWITCH.get(value, value))
    return text[0].upper() + text[1:]
