"""Who may call a model now: requests and tokens of a minute, parted between tenants, and between uploads and people.

A call that has no place in this minute is not made: `BusyError` has the state machine try again later, as often as it
takes, so that no claim is unchecked for want of a quota.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from gate.adapters.model_protocol.capabilities import Capabilities
from gate.adapters.spending.allowance import Allowance, current
from gate.errors import BusyError
from gate.ports import Completion, LanguageModel, Question

RESERVED = 0.1
"""Of a minute for people, always; and for uploads, where there are any."""
MINUTES_KNOWN = 4
KINDS = {True: "people", False: "uploads"}


class Counters(Protocol):
    """Numbers by name, under a key; shared by everything that calls the model."""

    def add(self, key: str, amounts: Mapping[str, int], limits: Mapping[str, int]) -> tuple[bool, Mapping[str, int]]:
        """Add to several numbers at once, unless one of `limits` would be passed.

        Returns:
            whether they were added, and all numbers under the key, as they are now.
        """
        ...


class LocalCounters:
    """`Counters` in this process: those of the last keys."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, dict[str, int]] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, key: str, amounts: Mapping[str, int], limits: Mapping[str, int]) -> tuple[bool, Mapping[str, int]]:
        """See `Counters`."""
        with self._lock:
            held = self._held.setdefault(key, {})
            while len(self._held) > 2 * MINUTES_KNOWN:
                self._held.popitem(last=False)
            fits = all(held.get(name, 0) + amounts.get(name, 0) <= most for name, most in limits.items())
            if fits:
                for name, amount in amounts.items():
                    held[name] = held.get(name, 0) + amount
            return fits, dict(held)


@dataclass(frozen=True, slots=True)
class Quota:
    """What a model takes in a minute; 0: it is not known, and not asked for."""

    requests: int = 0
    tokens: int = 0


class Admission:
    """Parts a quota, minute by minute.

    Tenants that are there share alike what either kind of caller may have; who is there is known a minute after. Those
    who were refused are noted for the next minute, so that whoever is early leaves room for them.
    """

    def __init__(self, counters: Counters, model: str, quota: Quota) -> None:
        self._counters, self._quota = counters, quota
        self._model = hashlib.sha256(model.encode()).hexdigest()[:16]
        self._seen: dict[int, Mapping[str, int]] = {}
        self._refused: set[tuple[int, str]] = set()

    def admit(self, tokens: int, tenant: str = "", *, is_urgent: bool = False) -> bool:
        """Whether a call of so many tokens at most may be made now; if so it is counted."""
        minute, kind = int(time.time() // 60), KINDS[is_urgent]
        who = f"{kind}_{hashlib.sha256(tenant.encode('utf-8', 'replace')).hexdigest()[:12]}"
        if (minute, who) in self._refused:
            return False
        amounts = {"requests": 1, "tokens": tokens, kind: 1, who: 1}
        admitted, now = self._counters.add(self._key(minute), amounts, self._limits(minute, kind, who))
        self._remember(minute, now)
        if not admitted:
            self._refused.add((minute, who))
            _, later = self._counters.add(self._key(minute + 1), {kind: 0, who: 0}, {})
            self._remember(minute + 1, later)
        return admitted

    def _limits(self, minute: int, kind: str, who: str) -> dict[str, int]:
        there = {**self._seen.get(minute - 1, {}), **self._seen.get(minute, {})}
        limits = {
            name: most for name, most in (("requests", self._quota.requests), ("tokens", self._quota.tokens)) if most
        }
        if requests := self._quota.requests:
            is_alone = kind == KINDS[True] and KINDS[False] not in there
            share = requests if is_alone else requests - round(RESERVED * requests)
            limits[kind] = share
            alike = {name for name in (*there, who) if name.startswith(f"{kind}_")}
            limits[who] = max(1, -(-share // len(alike)))
        return limits

    def _remember(self, minute: int, found: Mapping[str, int]) -> None:
        self._seen[minute] = found
        if len(self._seen) > MINUTES_KNOWN:
            self._seen = {key: value for key, value in self._seen.items() if key > minute - MINUTES_KNOWN}
            self._refused = {each for each in self._refused if each[0] >= minute - 1}

    def _key(self, minute: int) -> str:
        return f"minute/{self._model}/{minute}"


class AdmittedModel:
    """A `LanguageModel` that is called when there is room for it."""

    def __init__(self, model: LanguageModel, admission: Admission, able: Capabilities | None = None) -> None:
        self._model, self._admission, self._able = model, admission, able or Capabilities()
        self.name = model.name

    def complete(self, question: Question) -> Completion:
        """Answer a question.

        Raises:
            BusyError: there is no room in this minute; nothing was asked, and nothing is to be paid.
        """
        allowance = current() or Allowance("", 0)
        tokens = sum(self._able.call_tokens(question))
        if not self._admission.admit(tokens, allowance.tenant, is_urgent=allowance.is_urgent):
            raise BusyError("the model's quota of this minute is taken", hint="the state machine tries again")
        return self._model.complete(question)
