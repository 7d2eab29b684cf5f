"""Redactors by name. They compose: each finds in the text as it came, what overlaps is hidden as one.

A redactor is named by what it recognises with; several are given comma separated, `patterns,cards,iban`. The
patterns are always among them: they are the floor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from typing import NamedTuple, Protocol

from gate.errors import SettingsError
from gate.ports import Redacted
from gate.privacy import patterns
from gate.privacy.redaction import Finding, redacted

FLOOR = "patterns"


class Recognizer(Protocol):
    """Finds personal data; a redactor is one or more of these."""

    @property
    def name(self) -> str:
        """Name and version, such as `cards/1`: part of the policy that every redaction names."""
        ...

    def find(self, text: str) -> Iterable[Finding]:
        """Return what is personal in `text`; findings may overlap."""
        ...


@dataclass(frozen=True, slots=True)
class RuleRecognizer:
    """Recognises with rules of our own."""

    name: str
    rules: tuple[patterns.Rule, ...]

    def find(self, text: str) -> Iterable[Finding]:
        """Return what the rules find."""
        return patterns.find(text, self.rules)


@dataclass(frozen=True, slots=True)
class CompositeRedactor:
    """Applies several recognizers to the same text."""

    recognizers: tuple[Recognizer, ...]

    @property
    def policy(self) -> str:
        """Names and versions of what is applied, joined with `+`."""
        return "+".join(recognizer.name for recognizer in self.recognizers)

    def find(self, text: str) -> Iterable[Finding]:
        """Return what any recognizer finds, in the recognizers' order."""
        return chain.from_iterable(recognizer.find(text) for recognizer in self.recognizers)

    def redact(self, text: str) -> Redacted:
        """Return `text` with every finding replaced by its token."""
        return redacted(text, self.find(text), self.policy)


class Site(NamedTuple):
    """Where the recognizers that are services are: AWS region and Bedrock endpoint; empty: the SDK's own."""

    region: str = ""
    endpoint: str = ""


Maker = Callable[[str, Site], Recognizer]


def _rules(name: str, module: str, rules: str, options: str, site: Site) -> Recognizer:
    """Rules of ours, loaded when they are asked for: compiling the forms of every country's IBAN takes 0.15 s."""
    del site
    if options:
        raise SettingsError(f"GATE_REDACTOR: {name} takes no options", hint=f"write {name} alone")
    return RuleRecognizer(f"{name}/{patterns.VERSION}", getattr(import_module(f"gate.privacy.{module}"), rules))


def _phone_numbers(options: str, site: Site) -> Recognizer:
    from gate.adapters.redactors.phone_numbers import PhoneNumbers

    del site
    return PhoneNumbers(options)


def _presidio(options: str, site: Site) -> Recognizer:
    from gate.adapters.redactors.presidio import Presidio

    del site
    return Presidio(options)


def _comprehend(options: str, site: Site) -> Recognizer:
    from gate.adapters.aws.comprehend import Comprehend

    return Comprehend(options, site.region)


def _guardrail(options: str, site: Site) -> Recognizer:
    from gate.adapters.aws.guardrail_filter import GuardrailFilter

    return GuardrailFilter(options, site.region, site.endpoint)


RECOGNIZERS: dict[str, Maker] = {
    FLOOR: partial(_rules, FLOOR, "patterns", "RULES"),
    "phonenumbers": _phone_numbers,
    "cards": partial(_rules, "cards", "account_numbers", "CARDS"),
    "iban": partial(_rules, "iban", "account_numbers", "IBANS"),
    "ip": partial(_rules, "ip", "network_addresses", "IPS"),
    "presidio": _presidio,
    "comprehend": _comprehend,
    "guardrail": _guardrail,
}
"""Name in `GATE_REDACTOR` → maker, which takes what follows the colon."""


def redactor_named(spec: str, *, region: str = "", endpoint: str = "") -> CompositeRedactor:
    """Make the redactor that `spec` names, such as `patterns`, or `patterns,phonenumbers:GB+DE,cards,iban,ip`.

    Args:
        spec: recognizers, comma separated, each with its options behind a colon; the patterns are added when left out.
        region, endpoint: AWS region and Bedrock endpoint for those that are services; empty: the SDK's own.

    Raises:
        SettingsError: a name that is not known, an option that does not fit, a package that is missing.
    """
    given = [part.strip() for part in spec.split(",") if part.strip()]
    parts = dict.fromkeys(given if FLOOR in given else [FLOOR, *given])
    return CompositeRedactor(tuple(_recognizer(part, Site(region, endpoint)) for part in parts))


def _recognizer(part: str, site: Site) -> Recognizer:
    name, _, options = part.partition(":")
    if name not in RECOGNIZERS:
        raise SettingsError(f"GATE_REDACTOR: {name!r} is not known", hint=f"one or more of {', '.join(RECOGNIZERS)}")
    return RECOGNIZERS[name](options, site)
