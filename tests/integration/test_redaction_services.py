"""Redactors that are services, through the real SDK against a stand-in on loopback; Presidio where it is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.adapters.aws import comprehend
from gate.adapters.redactors import redactor_named
from gate.errors import ModelThrottledError, ModelUnavailableError, SettingsError
from tests.stubs.converse import ConverseStub, Response, Seen, failure, running

pytestmark = pytest.mark.integration

TEXT = "Maria Gonzalez (maria@example.com) was born on 12 March 1984."


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[ConverseStub]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "stub")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "stub")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with running() as stub:
        monkeypatch.setenv("AWS_ENDPOINT_URL_COMPREHEND", stub.url)
        yield stub


def entities_of(values: dict[str, str], score: float = 0.99) -> Any:
    """Answer as Comprehend does: every occurrence of these values, by character offsets."""

    def answer(seen: Seen) -> Response:
        text = seen.body["Text"]
        found = [
            {"Type": kind, "Score": score, "BeginOffset": text.find(value), "EndOffset": text.find(value) + len(value)}
            for value, kind in values.items()
            if value in text
        ]
        return Response({"Entities": found})

    return answer


def assessed(entities: list[dict[str, str]], regexes: list[dict[str, str]] | None = None) -> Response:
    policy = {"piiEntities": entities, "regexes": regexes or []}
    return Response({"action": "NONE", "outputs": [], "assessments": [{"sensitiveInformationPolicy": policy}]})


def test_comprehend_hides_names_and_leaves_dates(stub: ConverseStub) -> None:
    stub.on("Text", entities_of({"Maria Gonzalez": "NAME", "12 March 1984": "DATE_TIME"}))
    result = redactor_named("comprehend", region="us-east-1").redact(TEXT)
    assert result.text == "[REDACTED_NAME] ([REDACTED_EMAIL]) was born on 12 March 1984."
    assert stub.seen[0].body["LanguageCode"] == "en"
    assert result.policy == "patterns/2+comprehend:en@0.5"


def test_comprehend_is_asked_in_stretches_and_its_offsets_fit_the_whole(
    stub: ConverseStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comprehend, "MAX_BYTES", 500)
    stub.on("Text", entities_of({"Maria": "NAME"}))
    filler = "Größe zählt. " * 60
    shown = redactor_named("comprehend:es", region="us-east-1").redact(f"{filler}Maria {filler}").text
    assert shown == f"{filler}[REDACTED_NAME] {filler}"
    assert len(stub.seen) > 3
    assert all(len(seen.body["Text"].encode()) <= 500 for seen in stub.seen)


def test_comprehend_below_the_asked_score_does_not_count(stub: ConverseStub) -> None:
    stub.on("Text", entities_of({"Maria Gonzalez": "NAME"}, score=0.7))
    assert "Maria" in redactor_named("comprehend:en@0.8", region="us-east-1").redact(TEXT).text


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (Response({"__type": "ThrottlingException"}, status=400), ModelThrottledError),
        (Response({"__type": "InternalServerException"}, status=500), ModelUnavailableError),
        (Response({"__type": "AccessDeniedException"}, status=400), SettingsError),
        (Response({"__type": "UnsupportedLanguageException"}, status=400), SettingsError),
    ],
)
def test_what_comprehend_refuses_is_an_error_and_never_a_text_let_through(
    stub: ConverseStub, response: Response, error: type[Exception]
) -> None:
    stub.on("Text", response)
    with pytest.raises(error) as caught:
        redactor_named("comprehend", region="us-east-1").redact(TEXT)
    assert "Maria" not in str(caught.value)


def test_a_guardrail_hides_its_values_wherever_they_stand(stub: ConverseStub) -> None:
    found = [{"match": "Maria Gonzalez", "type": "NAME", "action": "ANONYMIZED"}]
    stub.on("Maria", assessed(found, [{"name": "badge", "match": "B-77", "action": "BLOCKED"}]))
    redactor = redactor_named("guardrail:gr1:3", region="us-east-1", endpoint=stub.url)
    shown = redactor.redact("Maria Gonzalez, B-77, that is Maria Gonzalez").text
    assert shown == "[REDACTED_NAME], [REDACTED_CUSTOM], that is [REDACTED_NAME]"
    assert stub.seen[0].path == "/guardrail/gr1/version/3/apply"
    assert stub.seen[0].body["source"] == "INPUT"


def test_a_guardrail_that_fails_is_an_error_and_never_a_text_let_through(stub: ConverseStub) -> None:
    stub.on("Maria", failure(503, "ServiceUnavailableException"))
    with pytest.raises(ModelUnavailableError):
        redactor_named("guardrail:gr1:3", region="us-east-1", endpoint=stub.url).redact(TEXT)


@pytest.mark.parametrize("spec", ["guardrail", "guardrail:gr1", "comprehend:fr", "comprehend:en@high"])
def test_an_option_that_a_service_cannot_take_is_a_settings_error(stub: ConverseStub, spec: str) -> None:
    with pytest.raises(SettingsError):
        redactor_named(spec, region="us-east-1")


def test_presidio_hides_names_and_places_and_stays_on_this_machine(tmp_path: Path) -> None:
    import spacy

    pipeline = spacy.blank("en")
    ruler: Any = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "PERSON", "pattern": "Maria Gonzalez"}, {"label": "GPE", "pattern": "Springfield"}])
    pipeline.to_disk(tmp_path / "en_small")
    redactor = redactor_named(f"presidio:{tmp_path / 'en_small'}")
    shown = redactor.redact("Maria Gonzalez of Springfield, maria@example.com, on 2024-01-15").text
    assert shown == "[REDACTED_NAME] of [REDACTED_PLACE], [REDACTED_EMAIL], on 2024-01-15"


def test_a_model_that_is_not_installed_is_not_downloaded() -> None:
    with pytest.raises(SettingsError, match="not installed"):
        redactor_named("presidio:en_core_web_missing")
