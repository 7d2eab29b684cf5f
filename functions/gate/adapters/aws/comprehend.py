"""Personal data found by Amazon Comprehend: names, addresses and some thirty kinds more, in English and Spanish."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import boto3
from botocore.config import Config

from gate.adapters.aws.bedrock.bedrock_errors import translated
from gate.errors import RequestRefusedError, SettingsError
from gate.privacy.redaction import Finding
from gate.privacy.stretches import stretches

MAX_BYTES = 90_000
"""Of one request; the service takes 100 KB."""
LANGUAGES = ("en", "es")
KINDS = {
    "CREDIT_DEBIT_NUMBER": "CARD",
    "INTERNATIONAL_BANK_ACCOUNT_NUMBER": "IBAN",
    "IP_ADDRESS": "IP",
    "US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER": "SSN",
}
"""Comprehend's kinds that have another name here; the rest keep theirs."""
NOT_PERSONAL = frozenset({"DATE_TIME", "URL"})
"""A date or a link alone leads to nobody, and hiding them would empty citations."""


class Comprehend:
    """Recognises with `DetectPiiEntities`.

    Args:
        options: `en` or `es`, empty for English; with `@0.8` behind it the lowest score that counts (else 0.5).
    """

    def __init__(self, options: str = "", region: str = "") -> None:
        language, _, score = options.partition("@")
        self._language = language or "en"
        if self._language not in LANGUAGES:
            raise SettingsError(
                f"GATE_REDACTOR: comprehend knows no language {language!r}", hint="comprehend:en or comprehend:es"
            )
        try:
            self._min_score = float(score or 0.5)
        except ValueError:
            raise SettingsError(f"GATE_REDACTOR: {score!r} is no score", hint="comprehend:en@0.8") from None
        self.name = f"comprehend:{self._language}@{self._min_score}"
        config = Config(connect_timeout=5, read_timeout=20, retries={"mode": "standard", "total_max_attempts": 3})
        with translated("comprehend"):
            self._client = boto3.client("comprehend", region_name=region or None, config=config)

    def find(self, text: str) -> Iterable[Finding]:
        """Ask the service; a text longer than it takes is asked in stretches.

        Raises:
            ModelThrottledError, ModelUnavailableError: try again later.
            SettingsError: it may not be used, or does not take the request.
        """
        for offset, stretch in stretches(text, MAX_BYTES):
            for entity in self._entities(stretch):
                if entity["Score"] >= self._min_score and entity["Type"] not in NOT_PERSONAL:
                    kind = KINDS.get(entity["Type"], entity["Type"])
                    start, end = offset + entity["BeginOffset"], offset + entity["EndOffset"]
                    yield Finding(kind, "comprehend", start, end)

    def _entities(self, text: str) -> list[dict[str, Any]]:
        try:
            with translated("comprehend"):
                return list(self._client.detect_pii_entities(Text=text, LanguageCode=self._language)["Entities"])
        except RequestRefusedError as error:
            raise SettingsError(error.safe_message, hint="does the Region offer DetectPiiEntities?") from None
