"""Phone numbers of the world, checked against the numbering plans that `phonenumbers` carries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gate.errors import SettingsError
from gate.privacy.patterns import BLANKS, DASHES, is_counted
from gate.privacy.redaction import Finding

MAX_CHECKS = 20_000
"""Numbers checked in one text (about 30 µs each). Beyond, whatever looks like a number is hidden unchecked."""

_FILLER = f"[\\d{BLANKS}{DASHES}./()]"
INTERNATIONAL = re.compile(f"(?<![\\w+])(?:\\+|00)[{BLANKS}]?\\(?\\d{_FILLER}{{5,22}}\\d(?!\\w)")
NATIONAL = re.compile(f"(?<![\\w+.,$€£#/-])\\(?\\d{_FILLER}{{5,18}}\\d(?!\\w|[.,-]\\d)")
_GROUP = re.compile(r"\d+")
_DATE = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")


class PhoneNumbers:
    """Recognises numbers with a country code, and national ones of the regions it is told."""

    def __init__(self, options: str = "") -> None:
        """Take regions as `GB+DE` (ISO 3166); without any only numbers with `+` or `00` are recognised."""
        try:
            import phonenumbers
        except ModuleNotFoundError:
            raise SettingsError(
                "GATE_REDACTOR: phonenumbers is not installed", hint="pip install 'llm-reliability-gate[redact]'"
            ) from None
        self._library = phonenumbers
        self._regions = tuple(options.upper().split("+")) if options else ()
        unknown = [each for each in self._regions if each not in phonenumbers.SUPPORTED_REGIONS]
        if unknown:
            raise SettingsError(
                f"GATE_REDACTOR: phonenumbers knows no region {unknown[0]!r}", hint="ISO 3166: phonenumbers:GB+DE"
            )
        self.name = f"phonenumbers/{phonenumbers.__version__}" + (f":{'+'.join(self._regions)}" if options else "")

    def find(self, text: str) -> Iterable[Finding]:
        """Return the numbers in `text` that exist in their country's plan."""
        checks = 0
        for match, region in self._candidates(text):
            for start, end in _stretches(match, leading=region is not None):
                checks += 1
                if checks > MAX_CHECKS or self._exists(text[start:end], region):
                    yield Finding("PHONE", f"phone-{region or 'international'}", start, end)
                    break

    def _candidates(self, text: str) -> Iterator[tuple[re.Match[str], str | None]]:
        for match in INTERNATIONAL.finditer(text):
            yield match, None
        for region in self._regions:
            for match in NATIONAL.finditer(text):
                if not is_counted(text, match.start()):
                    yield match, region

    def _exists(self, number: str, region: str | None) -> bool:
        if region is None and number.startswith("00"):
            number = f"+{number[2:]}"
        if region is not None and not self._is_written_nationally(number, region):
            return False
        try:
            return bool(self._library.is_valid_number(self._library.parse(number, region)))
        except self._library.NumberParseException:
            return False

    def _is_written_nationally(self, number: str, region: str) -> bool:
        """Whether it begins as numbers do inside the region, or is in groups where they begin with nothing special."""
        prefix = self._library.ndd_prefix_for_region(region, True) or ""
        if _DATE.fullmatch(number) or number.startswith("0."):
            return False
        return number.lstrip("(").startswith(prefix) if prefix.strip("1") else not number.isdigit()


def _stretches(match: re.Match[str], *, leading: bool) -> Iterator[tuple[int, int]]:
    """Yield the candidate and what is left of it without its last groups of digits, or its first one."""
    groups = [group.span() for group in _GROUP.finditer(match.string, *match.span())]
    for first in range(min(2, len(groups)) if leading else 1):
        start = match.start() if first == 0 else groups[first][0]
        if first and not match.string[start - 1].isspace():
            continue
        for last in range(len(groups) - 1, max(first - 1, len(groups) - 4), -1):
            yield start, groups[last][1]
