"""Names, places and more, found by Presidio with a spaCy model."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gate.errors import SettingsError
from gate.privacy.redaction import Finding
from gate.privacy.stretches import stretches

DEFAULT_MODEL = "en_core_web_lg"
MIN_SCORE = 0.4
MAX_BYTES = 200_000
"""Of text at once: memory grows with it, and spaCy refuses a million characters."""
KINDS = {
    "PERSON": "NAME",
    "LOCATION": "PLACE",
    "NRP": "GROUP",
    "PHONE_NUMBER": "PHONE",
    "US_SSN": "SSN",
    "US_ITIN": "SSN",
    "CREDIT_CARD": "CARD",
    "IBAN_CODE": "IBAN",
    "IP_ADDRESS": "IP",
    "US_PASSPORT": "PASSPORT",
    "US_DRIVER_LICENSE": "LICENCE",
    "US_BANK_NUMBER": "ACCOUNT",
}
"""Presidio's kinds that are asked for, and their names here. Not e-mail addresses: the patterns have them, and Presidio
would fetch a list of domains from the network."""


class Presidio:
    """Recognises with Presidio's analyzer.

    Args:
        options: a spaCy model, by package or folder; its first two letters are the language. Empty: the large
            English one. It must be installed: nothing is downloaded.
    """

    def __init__(self, options: str = "") -> None:
        model = options or DEFAULT_MODEL
        if find_spec("presidio_analyzer") is None:
            raise SettingsError(
                "GATE_REDACTOR: presidio is not installed", hint="pip install 'llm-reliability-gate[presidio]'"
            )
        if not Path(model).is_dir() and find_spec(model) is None:
            raise SettingsError(
                f"GATE_REDACTOR: the spaCy model {model!r} is not installed", hint=f"python -m spacy download {model}"
            )
        self._language = Path(model).name[:2]
        self._engine = _engine(model, self._language)
        self._asked = sorted(set(KINDS) & set(self._engine.get_supported_entities(self._language)))
        self.name = f"presidio:{Path(model).name}"

    def find(self, text: str) -> Iterable[Finding]:
        """Analyse the text, in stretches where it is long."""
        for offset, stretch in stretches(text, MAX_BYTES):
            for found in self._engine.analyze(stretch, self._language, self._asked, score_threshold=MIN_SCORE):
                yield Finding(KINDS[found.entity_type], "presidio", offset + found.start, offset + found.end)


def _engine(model: str, language: str) -> Any:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    named = {"nlp_engine_name": "spacy", "models": [{"lang_code": language, "model_name": model}]}
    engine = NlpEngineProvider(nlp_configuration=named).create_engine()
    return AnalyzerEngine(nlp_engine=engine, supported_languages=[language])
