"""Policies and signals: YAML and JSON that somebody wrote."""

from __future__ import annotations

from pydantic import ValidationError

from gate.decision.policy_document import policy_of
from gate.errors import InputError
from gate.retrieval.segment_query import Signals
from gate.text.formats import strict_json, strict_yaml
from tests.fuzz.targets import choice

SEEDS = [
    b"\0version: 2026-11-22\nname: strict\nunsupported: block\nmin_grounding: 0.9\nmax_weak_share: 0.1\n",
    b'\1{"name": "x", "unsupported": "review", "min_grounding": 0.5}',
    b"\2synonyms: {payment plan: [installment agreement]}\nproducts: {loan: [AB-1, '7']}\n",
    b"\0a: &x [1, 0x1f, 0o7, 12:30:45, 1_000, .inf, 2020-13-45]\nb: *x\nc: !!python/name:os.system\n--- |\n  t\n",
]


def read(data: bytes) -> None:
    kind, data = choice(data, "policy", "json", "signals")
    text = data.decode("utf-8", "replace")
    document = strict_json.load(text) if kind == "json" else strict_yaml.load(text)
    if kind != "signals":
        policy_of(document)
        return
    try:
        Signals.model_validate(document or {})
    except ValidationError as error:
        raise InputError(
            error.errors(include_url=False, include_input=False, include_context=False)[0]["msg"]
        ) from None
