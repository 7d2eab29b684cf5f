"""Recognizers beside the patterns, alone and together, and the time they take on hostile text."""

from __future__ import annotations

import os

import pytest

from gate.adapters.redactors import phone_numbers, redactor_named
from gate.errors import SettingsError
from tests.growth import superlinear

if not os.environ.get("CI"):
    pytest.importorskip("phonenumbers", reason="the extra `redact` is not installed")

EVERYTHING_LOCAL = "patterns,phonenumbers:GB+DE,cards,iban,ip"


@pytest.mark.parametrize(
    ("spec", "text", "shown"),
    [
        ("phonenumbers", "Ring +44 20 7946 0958 2 times", "Ring [REDACTED_PHONE] 2 times"),
        ("phonenumbers", "Ring 0049 30 901820", "Ring [REDACTED_PHONE]"),
        ("phonenumbers", "the sum +1234567 stays", "the sum +1234567 stays"),
        ("phonenumbers", "Ring 020 7946 0958", "Ring 020 7946 0958"),
        ("phonenumbers:GB", "Ring 020 7946 0958", "Ring [REDACTED_PHONE]"),
        ("phonenumbers:GB", "Flat 12, 020 7946 0958", "Flat 12, [REDACTED_PHONE]"),
        ("cards", "4111 1111 1111 1111 or 378282246310005", "[REDACTED_CARD] or [REDACTED_CARD]"),
        ("cards", "4111 1111 1111 1112 is no card", "4111 1111 1111 1112 is no card"),
        ("iban", "to DE89 3704 0044 0532 0130 00 is it", "to [REDACTED_IBAN] is it"),
        ("iban", "to DE89 3704 0044 0532 0130 01", "to DE89 3704 0044 0532 0130 01"),
        ("ip", "from 203.0.113.9, version 1.2.3.4", "from [REDACTED_IP], version 1.2.3.4"),
        ("ip", "2001:db8::1 at 12:30:45 in std::vector", "[REDACTED_IP] at 12:30:45 in std::vector"),
    ],
)
def test_a_recognizer_hides_its_kind_and_leaves_what_looks_alike(spec: str, text: str, shown: str) -> None:
    assert redactor_named(spec).redact(text).text == shown


def test_recognizers_compose_and_the_policy_names_them_all() -> None:
    result = redactor_named("cards,ip").redact("a@example.com 4111111111111111 203.0.113.9")
    assert result.text == "[REDACTED_EMAIL] [REDACTED_CARD] [REDACTED_IP]"
    assert [name.partition("/")[0] for name in result.policy.split("+")] == ["patterns", "cards", "ip"]


def test_a_region_that_does_not_exist_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match="no region 'XX'"):
        redactor_named("phonenumbers:GB+XX")


def test_beyond_the_checks_that_fit_numbers_are_hidden_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_numbers, "MAX_CHECKS", 2)
    shown = redactor_named("phonenumbers").redact("+1234567, +1234567, +1234567, +1234567").text
    assert shown == "+1234567, +1234567, [REDACTED_PHONE], [REDACTED_PHONE]"


HOSTILE = {
    "digits": "5",
    "separated digits": "1-",
    "spaced digits": "1 ",
    "unfinished numbers": "555-",
    "brackets": "(",
    "area codes": "(555) ",
    "at signs": "a@",
    "labels": "a@b.",
    "one long name": "a",
    "quotes": '"',
    "spelled": "a[at]b[dot]",
    "blanks": " ",
    "country codes": "+1 ",
    "zeros": "00",
    "near cards": "4 1 ",
    "colons": ":",
    "groups": "fe80::",
    "cues": "ssn ",
}


@pytest.mark.hostile
@pytest.mark.parametrize("name", HOSTILE)
def test_redaction_takes_time_in_proportion_to_hostile_text(name: str) -> None:
    assert not superlinear(redactor_named(EVERYTHING_LOCAL).redact, HOSTILE[name], 4_000)
