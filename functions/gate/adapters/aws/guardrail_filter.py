"""Personal data found by the sensitive information filters of a Bedrock guardrail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from gate.adapters.aws.bedrock.bedrock_errors import translated
from gate.adapters.aws.bedrock.client import BedrockOptions, guardrail_parts, runtime_client
from gate.errors import RequestRefusedError, SettingsError
from gate.privacy.redaction import Finding
from gate.privacy.stretches import stretches

MAX_BYTES = 20_000
"""Of one request; the service counts 25 units of 1,000 characters."""
KINDS = {
    "CREDIT_DEBIT_CARD_NUMBER": "CARD",
    "INTERNATIONAL_BANK_ACCOUNT_NUMBER": "IBAN",
    "IP_ADDRESS": "IP",
    "US_SOCIAL_SECURITY_NUMBER": "SSN",
    "US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER": "SSN",
}
"""The guardrail's kinds that have another name here; the rest keep theirs."""


class GuardrailFilter:
    """Recognises what a guardrail's PII entities and regexes are set to block, mask or detect.

    Args:
        options: `<guardrail id>:<version>`.
    """

    def __init__(self, options: str, region: str = "", endpoint: str = "") -> None:
        self._guardrail = guardrail_parts(options, "GATE_REDACTOR=guardrail")
        self.name = f"guardrail:{options}"
        self._client = runtime_client(BedrockOptions(region=region, endpoint=endpoint, attempts=3, timeout_s=20))

    def find(self, text: str) -> Iterable[Finding]:
        """Ask the guardrail, in stretches. It names values without their places: each of them is hidden everywhere.

        Raises:
            ModelThrottledError, ModelUnavailableError: try again later.
            SettingsError: it may not be used, or does not take the request.
        """
        values = dict.fromkeys(found for _, stretch in stretches(text, MAX_BYTES) for found in self._values(stretch))
        for kind, value in values:
            start = text.find(value)
            while start >= 0:
                yield Finding(kind, "guardrail", start, start + len(value))
                start = text.find(value, start + len(value))

    def _values(self, text: str) -> Iterator[tuple[str, str]]:
        for assessment in self._apply(text).get("assessments", []):
            policy = assessment.get("sensitiveInformationPolicy", {})
            for entity in policy.get("piiEntities", []):
                if entity.get("match"):
                    yield KINDS.get(entity["type"], entity["type"]), entity["match"]
            for regex in policy.get("regexes", []):
                if regex.get("match"):
                    yield "CUSTOM", regex["match"]

    def _apply(self, text: str) -> dict[str, Any]:
        name, version = self._guardrail
        try:
            with translated("bedrock guardrail"):
                response: dict[str, Any] = self._client.apply_guardrail(
                    guardrailIdentifier=name,
                    guardrailVersion=version,
                    source="INPUT",
                    content=[{"text": {"text": text}}],
                )
                return response
        except RequestRefusedError as error:
            raise SettingsError(error.safe_message, hint="GATE_REDACTOR=guardrail:<id>:<version>") from None
