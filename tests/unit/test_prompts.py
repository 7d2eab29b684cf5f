"""The system prompts ship with the package and state their version."""

from __future__ import annotations

from gate.model import LABELS
from gate.prompts import load


def test_the_verifier_is_told_the_labels_the_format_and_that_the_texts_are_data() -> None:
    prompt = load("verify_claims")
    assert all(label in prompt for label in LABELS)
    assert "LABEL: <label>" in prompt
    assert "JUSTIFICATION: <" in prompt
    assert "data" in prompt


def test_a_prompt_knows_its_name_version_hash_and_its_task_without_the_format() -> None:
    prompt = load("verify_claims")
    assert (prompt.name, prompt.version, len(prompt.sha256)) == ("verify_claims", "1", 64)
    assert not prompt.startswith("version")
    assert "LABEL:" not in prompt.task
    assert prompt.startswith(prompt.task)
