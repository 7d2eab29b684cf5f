"""`gate doctor`: whether what the settings name can be used, and what to do where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from gate.catalogue import MAX_CONCURRENCY

READY = "ready?"
"""The text that every probe sends; nothing of a submission is ever used."""


class Note(str):
    """Something to know that stops nothing."""


@click.command(short_help="Check region, model, quotas, index, storage and permissions.")
@click.option(
    "--max-concurrency",
    type=click.IntRange(1, MAX_CONCURRENCY),
    default=MAX_CONCURRENCY,
    show_default=True,
    help="Branches of claims at once that the quotas should carry: the stack's `max_concurrency`.",
)
def doctor(max_concurrency: int) -> None:
    """Try each thing that the settings name, once and small, and say what to do.

    A model on Bedrock is asked for one token. A refusal names the action that a role lacks. A quota that is low, or
    that cannot be read, is a note: it slows runs down and fails none.

    \b
    Exit codes:
    0  everything can be used
    2  something cannot; the line says what to do
    """
    from gate.errors import GateError

    failed = 0
    checks: dict[str, Callable[[], str]] = {**CHECKS, "quotas": partial(_quotas, max_concurrency)}
    for name, check in checks.items():
        try:
            said = check()
            click.echo(f"{'note  ' if isinstance(said, Note) else 'ok    '}  {name:<10} {said}")
        except GateError as error:
            failed += 1
            click.echo(f"failed  {name:<10} {error.safe_message}{f' ({error.hint})' if error.hint else ''}")
    if failed:
        raise click.exceptions.Exit(2)


def _bedrock() -> str:
    """Id of the model on Bedrock that verifies; empty: it is another's."""
    from gate import wiring

    kind, _, name = wiring.settings().model.partition(":")
    return name if kind == "bedrock" else ""


def _region() -> str:
    from gate import wiring
    from gate.errors import SettingsError

    now = wiring.settings()
    on_aws = [now.blobs, now.machine, now.budget_table, now.search_service, _bedrock()]
    if not any(on_aws) and not now.embedder.startswith("bedrock:"):
        return "none needed: nothing is on AWS"
    from gate.adapters.aws_account import region_of

    region = region_of(now.region)
    if not region:
        raise SettingsError("no AWS region is set", hint="GATE_REGION, or AWS_REGION, for example eu-central-1")
    return region


def _model() -> str:
    from gate import wiring

    model = _bedrock()
    if not model:
        wiring.language_model()
        return f"{wiring.settings().model}: on this machine"
    from gate.adapters.aws_account import ask_one_token
    from gate.adapters.bedrock_client import BedrockOptions

    now = wiring.settings()
    ask_one_token(model, BedrockOptions(region=now.region, endpoint=now.model_endpoint, timeout_s=now.model_timeout_s))
    return f"{model} answers"


def _residency() -> str:
    from gate import wiring
    from gate.errors import DependencyError, SettingsError

    model = _bedrock()
    if not model:
        return "claims stay on this machine"
    from gate.adapters.aws_account import GEOGRAPHIES, region_of, regions_of_profile

    region = wiring.settings().region
    geography, _, rest = model.partition(".")
    if model.startswith("arn:") or not (geography in GEOGRAPHIES and "." in rest):
        return f"claims and evidence stay in {region_of(region)}"
    try:
        routed = ", ".join(regions_of_profile(model, region))
    except (SettingsError, DependencyError) as error:
        return Note(f"where {model} sends claims could not be read: {error.safe_message}; bedrock:GetInferenceProfile")
    said = f"{model} may send claims and evidence to {routed}"
    return Note(f"{said}: it leaves its geography") if geography == "global" else said


def _embedder() -> str:
    from gate import wiring

    embedder = wiring.embedder()
    if embedder is None:
        return "none: keyword search alone"
    embedder.embed([READY])
    return f"{embedder.name}, {embedder.dimension} dimensions"


def _search() -> str:
    from gate import wiring
    from gate.errors import SettingsError
    from gate.indexing import index_embedder

    index = wiring.settings().index
    engine = wiring.search_engine()
    if not engine.exists(index):
        what = "gate index init, or upload to corpora/: the first document makes it"
        raise SettingsError(f"{engine.name}: no index {index!r}", hint=what)
    count = engine.count(index)
    engine.search_docs(READY, index, k=1)
    embedder = index_embedder(index, engine)
    if embedder is not None:
        # An index made by hand may hold other vectors than it says: searching it finds out.
        engine.vector_search(embedder.embed([READY])[0], index, k=1)
    said = f"{engine.name}: {count} passages in {index}, {'by meaning too' if embedder else 'by keywords alone'}"
    return said if count else Note(f"{said}: without a passage no claim is supported")


def _storage() -> str:
    from gate import wiring

    store = wiring.blob_store()
    store.put("runs/doctor/probe", b"{}")
    store.get("runs/doctor/probe")
    store.delete_prefix("runs/doctor")
    return wiring.settings().blobs or str(wiring.settings().home)


def _machine() -> str:
    from gate import wiring

    if not wiring.settings().machine:
        return "none set: runs are local"
    wiring.runs().status("doctor")
    return wiring.settings().machine


def _policy() -> str:
    from gate import services

    policy, version = services.team_policy()
    return f"{policy['name']}, version {version}"


def _quotas(at_once: int) -> str:
    """Whether the account carries so many branches of claims at once."""
    model = _bedrock()
    if not model:
        return "none needed: the model is on this machine"
    lines = [*_model_quotas(model, at_once), *_account_quotas(at_once)]
    short = [text for enough, text in lines if not enough]
    return Note("; ".join(short)) if short else "; ".join(text for _, text in lines)


def _model_quotas(model: str, at_once: int) -> list[tuple[bool, str]]:
    from gate import wiring
    from gate.adapters.aws_account import quota_of_model, quotas
    from gate.adapters.bedrock_models import capabilities
    from gate.errors import DependencyError, SettingsError
    from gate.rules.answer_formats import VERDICT_TOKENS
    from gate.rules.costs import SECONDS_A_CLAIM, TOKENS_IN

    try:
        found = quotas("bedrock", wiring.settings().region)
    except (SettingsError, DependencyError) as error:
        return [(False, f"{error.safe_message}: servicequotas:ListServiceQuotas")]
    calls = 60 / SECONDS_A_CLAIM
    # What is reserved against the quota is the prompt and the longest answer, thoughts included.
    tokens = TOKENS_IN + VERDICT_TOKENS + capabilities(model).thinking
    said = []
    for what, each in (("tokens", calls * tokens), ("requests", calls)):
        quota = quota_of_model(found, model, what)
        if quota is None:
            said.append((False, f"no quota of {what} a minute is listed for {model}: look in the console"))
        elif (carried := int(quota / each)) < at_once:
            cure = f"deploy with max_concurrency {max(1, carried)}, or ask for {each * at_once:,.0f}"
            said.append((False, f"{quota:,.0f} {what} a minute carry {carried} branches, not {at_once}: {cure}"))
        else:
            said.append((True, f"{quota:,.0f} {what} a minute"))
    return said


def _account_quotas(at_once: int) -> list[tuple[bool, str]]:
    from gate import wiring
    from gate.adapters.aws_account import concurrent_executions, quotas
    from gate.errors import DependencyError, SettingsError
    from gate.rules.costs import SECONDS_A_CLAIM, TRANSITIONS_A_CLAIM

    now = wiring.settings()
    if not now.machine:
        return []
    said = []
    try:
        functions = concurrent_executions(now.region)
        said.append((functions > at_once, f"{functions:,} executions of functions at once"))
    except (SettingsError, DependencyError) as error:
        said.append((False, f"{error.safe_message}: lambda:GetAccountSettings"))
    try:
        rates = [rate for name, rate in quotas("states", now.region).items() if "StateTransition" in name]
        needed = at_once * TRANSITIONS_A_CLAIM / SECONDS_A_CLAIM
        said += [(max(rates) >= needed, f"{max(rates):,.0f} state transitions a second")] if rates else []
    except (SettingsError, DependencyError) as error:
        said.append((False, f"{error.safe_message}: servicequotas:ListServiceQuotas"))
    return said


CHECKS: dict[str, Callable[[], str]] = {
    "region": _region,
    "model": _model,
    "residency": _residency,
    "embedder": _embedder,
    "search": _search,
    "storage": _storage,
    "machine": _machine,
    "policy": _policy,
}
"""Checks by name, in the order in which a failure explains what follows it."""
