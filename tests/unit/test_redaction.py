"""What is hidden, what stays, and that offsets survive."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.redactors import redactor_named
from gate.errors import SettingsError
from gate.privacy import patterns
from gate.privacy.redaction import Finding, merged, redacted, relocated

PATTERNS = redactor_named("patterns")
pieces = st.sampled_from(
    [
        "call ",
        "555-123-4567",
        "a@example.com",
        "123-45-6789",
        "5551234567",
        " order ",
        "@",
        ".",
        "-",
        "(",
        "x",
        "1",
        "\n",
    ]
)
texts = st.lists(pieces | st.text(max_size=4), max_size=12).map("".join)
written_otherwise = st.sampled_from(
    ["ssn: ", "078 05 1120", "078051120", "jo", "%40", "&#64;", " [at] ", " (AT) ", "＠", "b.com", " dot ", "٣", "+1 "]
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "If you owe money you can call 555-123-4567 or email debt@example.com to...",
            "If you owe money you can call [REDACTED_PHONE] or email [REDACTED_EMAIL] to...",
        ),
        ("My SSN is 123-45-6789.", "My SSN is [REDACTED_SSN]."),
        ("Call +1 (555) 123-4567 today", "Call [REDACTED_PHONE] today"),
        ("555.123.4567 and 555 123 4567 and 5551234567", "[REDACTED_PHONE] and [REDACTED_PHONE] and [REDACTED_PHONE]"),
        ("", ""),
        ("Nothing personal here.", "Nothing personal here."),
    ],
)
def test_the_specified_kinds_become_the_specified_tokens(text: str, shown: str) -> None:
    assert PATTERNS.redact(text).text == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Call 555-1\u200b23-4567.", "Call [REDACTED_PHONE]."),
        ("Call 555\u00ad-123-\u200e4567.", "Call [REDACTED_PHONE]."),
        ("SSN 123-\ufeff45-6789.", "SSN [REDACTED_SSN]."),
        ("Mail jane\u200b.doe@exam\u00adple.com.", "Mail [REDACTED_EMAIL]."),
        ("Call ５５５－１２３－４５６７.", "Call [REDACTED_PHONE]."),
        ("SSN １２３－４５－６７８９.", "SSN [REDACTED_SSN]."),
        ("Call 555\u3000123\u30004567.", "Call [REDACTED_PHONE]."),
        ("Mail jane﹫example.com.", "Mail [REDACTED_EMAIL]."),
        ("A\u200bB stays.", "A\u200bB stays."),
    ],
)
def test_what_only_a_pattern_would_overlook_is_hidden(text: str, shown: str) -> None:
    assert PATTERNS.redact(text).text == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("SSN 123-45-\n6789.", "SSN [REDACTED_SSN]."),
        ("SSN 123 - 45 - 6789.", "SSN [REDACTED_SSN]."),
        ("Call 555-123-\r\n4567.", "Call [REDACTED_PHONE]."),
        ("Call ( 555 ) 123-4567.", "Call [REDACTED_PHONE]."),
        ("Jane,5551234567,NY", "Jane,[REDACTED_PHONE],NY"),
        ("jane%2540example.com", "[REDACTED_EMAIL]"),
        ("jane&#x40;example.com", "[REDACTED_EMAIL]"),
        ("Mail jane@例え.jp now.", "Mail [REDACTED_EMAIL] now."),
        ("Mail jane@مثال.إختبار now.", "Mail [REDACTED_EMAIL] now."),
        ("See jane@example.com@2x.png.", "See [REDACTED_EMAIL]."),
        ("See icon@2x.png and package@1.2.0-beta.rc.", "See icon@2x.png and package@1.2.0-beta.rc."),
        ("1,5551234567", "1,5551234567"),
    ],
)
def test_values_are_hidden_across_line_ends_and_in_other_notations(text: str, shown: str) -> None:
    assert PATTERNS.redact(text).text == shown


def test_a_text_of_invisible_characters_takes_no_longer_than_its_length() -> None:
    began = time.process_time()
    PATTERNS.redact("5\u200b5\u00ad5-" * 60_000)
    assert time.process_time() - began < 5


SIMPLE_EMAIL = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{4,6}\b")
SIMPLE_SSN = re.compile(r"\b\d{3}-\d{2}-\d{4}\b")
SIMPLE_PHONE = re.compile(r"\b\d{3}[-. ]\d{3}[-. ]\d{4}\b")


@given(texts)
def test_nothing_that_a_simple_pattern_sees_is_left(text: str) -> None:
    shown = PATTERNS.redact(text).text
    assert not SIMPLE_SSN.search(shown)
    assert not SIMPLE_PHONE.search(shown)
    assert all(patterns.is_address(shown, *found.span()) is False for found in SIMPLE_EMAIL.finditer(shown))


@given(st.lists(pieces, max_size=12).map(" ".join))
def test_redacting_again_leaves_every_token_of_the_first_time(text: str) -> None:
    once = PATTERNS.redact(text).text
    tokens = re.findall(r"\[REDACTED_[A-Z]+\]", once)
    again = PATTERNS.redact(once).text
    assert all(again.count(token) >= once.count(token) for token in tokens)


@given(texts)
def test_every_replacement_is_recorded_with_its_place_and_without_its_value(text: str) -> None:
    result = PATTERNS.redact(text)
    for one in result.redactions:
        assert result.text[one.start : one.end] == f"[REDACTED_{one.kind}]"
        assert one.rule in {rule.name for rule in patterns.RULES}
    assert result.text.count("[REDACTED_") == len(result.redactions) + text.count("[REDACTED_")
    assert result.policy == f"patterns/{patterns.VERSION}"


@given(texts, st.data())
def test_a_stretch_of_the_source_is_found_again_in_the_redacted_text(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    result = PATTERNS.redact(text)
    new_start, new_end = relocated(result, start, end)
    inside = [one for one in result.redactions if one.source_start < end and start < one.source_end]
    if not inside:
        assert result.text[new_start:new_end] == text[start:end]
    elif start < end:
        assert new_start <= inside[0].start
        assert inside[-1].end <= new_end


def test_addresses_that_stand_against_each_other_are_all_hidden() -> None:
    assert PATTERNS.redact("a@example.com-b@example.org_c@example.net").text == "[REDACTED_EMAIL]"


def test_findings_that_overlap_are_hidden_as_one_of_the_longer_kind() -> None:
    findings = [Finding("PHONE", "a", 4, 9), Finding("CARD", "b", 0, 8), Finding("EMAIL", "c", 9, 10)]
    assert merged(findings) == [Finding("CARD", "b", 0, 9), Finding("EMAIL", "c", 9, 10)]
    assert redacted("0123456789", findings, "p").text == "[REDACTED_CARD][REDACTED_EMAIL]"


def test_the_patterns_are_part_of_every_redactor() -> None:
    assert redactor_named("").redact("a@example.com").text == "[REDACTED_EMAIL]"
    assert redactor_named("").policy == redactor_named("patterns").policy


def test_an_unknown_redactor_is_a_settings_error_that_names_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="'paterns' is not known") as caught:
        redactor_named("paterns")
    assert "patterns" in caught.value.hint


def test_an_option_that_a_redactor_does_not_take_is_a_settings_error() -> None:
    with pytest.raises(SettingsError, match="takes no options"):
        redactor_named("patterns:strict")


@given(st.lists(pieces | written_otherwise | st.text(max_size=3), max_size=12).map("".join))
def test_a_rule_that_is_not_tried_would_have_found_nothing(text: str) -> None:
    every_rule = tuple(rule._replace(needs=None) for rule in patterns.RULES)
    assert list(patterns.find(text)) == list(patterns.find(text, every_rule))


@pytest.mark.parametrize("sign", ["@", "＠", "%40", "&commat;", "[at]", "(at)", "{at}", "<at>"])
def test_an_address_is_found_with_each_sign_that_stands_for_at(sign: str) -> None:
    assert {found.kind for found in patterns.find(f"anna.moor{sign}example.com")} == {"EMAIL"}


@pytest.mark.parametrize("number", ["202-555-0123", "٢٠٢-٥٥٥-٠١٢٣"])
def test_a_phone_number_is_found_in_the_digits_of_any_script(number: str) -> None:
    assert {found.kind for found in patterns.find(f"Call {number}.")} == {"PHONE"}
