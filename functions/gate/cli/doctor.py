"""`gate doctor`: whether what the settings name can be used, and what to do where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from gate.catalogue import MAX_CONCURRENCY
from gate.cli.options import A_FILE
from gate.cli.printing import say

OLDEST_BOOTSTRAP = 6
"""What the templates ask for by a rule of their own."""
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
@click.option(
    "--before-deploy", is_flag=True, help="Ask of the account what a deployment needs of it, and nothing that it makes."
)
@click.option(
    "--keep-quotas",
    type=A_FILE,
    metavar="FILE",
    help="Write the model's calls and tokens a minute here, for `cdk deploy` to part: cdk.context.json.",
)
@click.option("--deep", is_flag=True, help="Compare every byte of every corpus kept here with what was written.")
def doctor(max_concurrency: int, before_deploy: bool, keep_quotas: Path | None, deep: bool) -> None:
    """Try each thing that the settings name, once and small, and say what to do.

    A model on Bedrock is asked for one token. A refusal names the action that a role lacks. A quota that is low, or
    that cannot be read, is a note: it slows runs down and fails none. What a laptop does not need has no line.

    \b
    gate doctor
    GATE_MODEL=bedrock:us.anthropic.claude-haiku-5-5 gate doctor
    gate doctor --before-deploy --keep-quotas cdk.context.json

    \b
    Exit codes:
    0  everything can be used
    2  something cannot; the line says what to do
    """
    from gate.errors import GateError

    failed = 0
    checks: dict[str, Callable[[], str]] = {**CHECKS, "quotas": partial(_quotas, max_concurrency)}
    if before_deploy:
        checks = {name: check for name, check in checks.items() if name in ("region", "model", "residency", "quotas")}
        checks |= {"bootstrap": bootstrap_said, "api-logs": _api_logs}
    if keep_quotas is not None:
        checks["kept"] = partial(_quotas_kept, keep_quotas)
    if deep:
        checks["corpora"] = _corpora
    for name, check in checks.items():
        try:
            if said := check():
                say(f"{'note  ' if isinstance(said, Note) else 'ok    '}  {name:<10} {said}")
        except GateError as error:
            failed += 1
            say(f"failed  {name:<10} {error.safe_message}{f' ({error.hint})' if error.hint else ''}")
    if failed:
        raise click.exceptions.Exit(2)


def _bedrock() -> str:
    """Id of the model on Bedrock that verifies, of two the second; empty: it is another's."""
    from gate import wiring
    from gate.settings import stages

    kind, _, name = stages(wiring.current().settings.model)[-1].partition(":")
    return name if kind == "bedrock" else ""


def _host() -> str:
    """Where the verifier's model is, of those that speak OpenAI's protocol; empty: it is another's."""
    from urllib.parse import urlsplit

    from gate import wiring
    from gate.settings import endpoint_of, stages

    now = wiring.current().settings
    last = stages(now.model)[-1]
    return urlsplit(endpoint_of(last, now.model, now.model_endpoint)).hostname or "" if _is_served(last) else ""


def _is_served(model: str) -> bool:
    from gate.settings import is_here

    return not is_here(model) and not model.startswith("bedrock:")


def _region() -> str:
    from gate import wiring
    from gate.errors import SettingsError
    from gate.settings import KNOWLEDGE_BASE

    now = wiring.current().settings
    on_aws = [now.blobs, now.machine, now.budget_table, now.search_service, _bedrock()]
    if not any(on_aws) and not now.embedder.startswith("bedrock:") and now.search != KNOWLEDGE_BASE:
        return ""
    from gate.adapters.aws.account import region_of

    region = region_of(now.region)
    if not region:
        raise SettingsError("no AWS region is set", hint="GATE_REGION, or AWS_REGION, for example eu-central-1")
    return region


def _model() -> str:
    from gate import wiring
    from gate.settings import endpoint_of, stages

    model = _bedrock()
    if not model:
        now = wiring.current().settings
        alone = {"model": stages(now.model)[-1], "model_endpoint": now.model_endpoint.rpartition(">")[2]}
        verifier = wiring.current().changed(verdict_cache=False, **alone).verifier()
        judged = verifier.judge(READY, "", [{"content": READY}])
        said = f"{judged.model} answers, {f'at {_host()}' if _host() else 'on this machine'}"
        return _with_encoder(said) if alone["model"] == "local" else said
    from gate.adapters.aws.account import ask_one_token
    from gate.adapters.aws.bedrock.client import BedrockOptions

    now = wiring.current().settings
    endpoint = endpoint_of(stages(now.model)[-1], now.model, now.model_endpoint)
    ask_one_token(model, BedrockOptions(region=now.region, endpoint=endpoint, timeout_s=now.model_timeout_s))
    return f"{model} answers"


def _with_encoder(said: str) -> str:
    """What is said of the local verifier, and what it lacks to judge by more than words."""
    from gate.adapters.local_verifier.cross_encoder import missing
    from gate.adapters.minilm import PACKAGES

    lacking = missing()
    return Note(f"{said}; it counts words alone, for {lacking} is not installed: {PACKAGES}") if lacking else said


def _residency() -> str:
    from gate import wiring
    from gate.errors import DependencyError, SettingsError

    model = _bedrock()
    if not model:
        return f"claims and evidence are sent to {_host()}" if _host() else "claims stay on this machine"
    from gate.adapters.aws.account import GEOGRAPHIES, region_of, regions_of_profile

    region = wiring.current().settings.region
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

    embedder = wiring.current().embedder()
    if embedder is None:
        from gate.adapters.minilm import remedy

        now, said = wiring.current().settings, "none: keyword search alone"
        lacking = remedy(now.models.expanduser()) if now.embedder == "auto" else ""
        return Note(f"{said}; to search by meaning too: {lacking}") if lacking else said
    embedder.embed([READY])
    return f"{embedder.name}, {embedder.dimension} dimensions"


def _search() -> str:
    from gate import wiring
    from gate.errors import SettingsError
    from gate.services.indexes import index_embedder

    index = wiring.current().settings.index
    engine = wiring.current().search_engine()
    if not engine.exists(index):
        if engine is wiring.current().embedded_store():
            how = "gate check ANSWER --corpus PATH needs none; gate index add PATH keeps one"
            return Note(f"no corpus {index!r} is kept here yet: {how}")
        what = "gate index init, or upload to corpora/: the first document makes it"
        raise SettingsError(f"{engine.name}: no index {index!r}", hint=what)
    count = engine.count(index)
    engine.search_docs(READY, index, k=1)
    embedder = index_embedder(index, engine)
    if embedder is not None:
        # An index made by hand may hold other vectors than it says: searching it finds out.
        engine.vector_search(embedder.embed([READY])[0], index, k=1)
    how = "by meaning too" if embedder else engine.describe(index).get("retrieval") or "by keywords alone"
    said = f"{engine.name}: {'passages' if count is None else f'{count} passages'} in {index}, {how}"
    return Note(f"{said}: without a passage no claim is supported") if count == 0 else said


def _corpora() -> str:
    """Whether what is kept on this machine is what was written, byte by byte."""
    from gate import wiring
    from gate.errors import SettingsError

    store = wiring.current().embedded_store()
    size, damaged = 0, list[str]()
    for name in store.names():
        try:
            size += sum(file.bytes for file in store.check(name).files.values())
        except SettingsError as damage:
            damaged.append(damage.safe_message)
    if damaged:
        raise SettingsError("; ".join(damaged), hint="gate index delete NAME, then add the corpus again")
    if not store.names():
        return "none kept here"
    return f"{len(store.names())} kept here, {size / 1e6:,.1f} MB: every byte is as written"


def _storage() -> str:
    from gate import wiring

    store = wiring.current().blob_store()
    store.put("runs/doctor/probe", b"{}")
    store.get("runs/doctor/probe")
    store.delete_prefix("runs/doctor")
    return wiring.current().settings.blobs or str(wiring.current().settings.home)


def _machine() -> str:
    from gate import wiring

    if not wiring.current().settings.machine:
        return ""
    wiring.current().runs().status("doctor")
    return wiring.current().settings.machine


def _policy() -> str:
    from gate import wiring
    from gate.services.submissions import team_policy

    found = team_policy()
    if found.problem:
        return Note(f"{found.problem}: version {found.version}, from before, goes on")
    return f"{found.document['name']}, version {found.version}" if wiring.current().settings.policy else "the default"


def bootstrap_said() -> str:
    """The version of CDK's own resources in the account and region.

    Raises:
        SettingsError: there are none, or they are too old for what is deployed.
    """
    from gate import wiring
    from gate.adapters.aws.account import bootstrap_version
    from gate.errors import SettingsError

    version = bootstrap_version(wiring.current().settings.region)
    if version < OLDEST_BOOTSTRAP:
        found = f"version {version} is too old" if version else "this account and region have none"
        raise SettingsError(f"CDK's bootstrap: {found}", hint="cdk bootstrap")
    return f"version {version}"


def _api_logs() -> str:
    """Without the role the API's stage cannot be made; the account and region have one, for every API."""
    from gate import wiring
    from gate.adapters.aws.account import api_log_role

    role = api_log_role(wiring.current().settings.region)
    if role:
        return Note(f"APIs log by {role}: deploy with -c gate:api_log_role=false, or another takes its place")
    return "no API of this account and region logs yet: the deployment makes the role (api_log_role)"


def _quotas(at_once: int) -> str:
    """Whether the account carries so many branches of claims at once."""
    model = _bedrock()
    if not model:
        return ""
    from gate.cli.quotas import quotas_of

    lines = quotas_of(model, at_once)
    short = [text for enough, text in lines if not enough]
    return Note("; ".join(short)) if short else "; ".join(text for _, text in lines)


def _quotas_kept(file: Path) -> str:
    from gate.cli.quotas import keep
    from gate.errors import SettingsError

    model = _bedrock()
    if not model:
        raise SettingsError("the model is not on Bedrock: it has no quota to keep", hint="GATE_MODEL=bedrock:…")
    return keep(model, file)


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
