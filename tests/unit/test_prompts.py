"""The system prompts ship with the package and state their version."""

from __future__ import annotations

from gate.model import LABELS
from gate.prompts import load
from gate.prompts.fencing import fence
from gate.prompts.verdicts import verdict_question


def test_the_verifier_is_told_the_labels_the_format_and_that_the_texts_are_data() -> None:
    text = load("verify_claims").in_words
    assert all(label in text for label in LABELS)
    assert "LABEL: <label>" in text
    assert "JUSTIFICATION: <" in text
    assert "data" in text


def test_a_prompt_knows_its_name_version_hash_and_its_task_without_the_format() -> None:
    prompt = load("verify_claims")
    assert (prompt.name, prompt.version, len(prompt.sha256)) == ("verify_claims", "2", 64)
    assert not prompt.in_words.startswith("version")
    assert "LABEL:" not in prompt.by_schema
    assert prompt.in_words == f"{prompt.task}\n{prompt.format}"
    assert prompt.by_schema == f"{prompt.task}\n{prompt.schema}"


def test_a_context_is_fenced_and_explained_where_there_is_one() -> None:
    prompts = (fence("They take 14 days.", [{"content": "14."}], context) for context in ("", "Refunds"))
    plain, told = map(verdict_question, prompts)
    assert "CONTEXT" not in plain.text + plain.system
    assert told.text.startswith("<<<CONTEXT ")
    assert "\nRefunds\n" in told.text
    for question in (plain, told):
        assert question.form is not None
        assert ("CONTEXT" in question.system) == ("CONTEXT" in question.form.system) == (question is told)


def test_a_remark_ends_both_forms_of_a_question() -> None:
    question = verdict_question(fence("A.", [{"content": "B."}])).with_note("Once more.")
    assert question.form is not None
    assert question.system.endswith("\nOnce more.")
    assert question.form.system.endswith("\nOnce more.")
