"""Whether the quotas of an account carry so many branches of claims at once; for `gate doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def keep(model: str, file: Path) -> str:
    """Write a model's quota of a minute into CDK's context, as what the deployment parts unless it is told otherwise.

    Returns:
        what was written, in words.

    Raises:
        InputError: the file is no JSON object, or cannot be written.
        SettingsError: there is no quota to write; what is in the file stays.
    """
    import json

    from gate import wiring
    from gate.adapters.aws.account import quota_of_model, quotas
    from gate.cli.outputs import write
    from gate.errors import InputError, SettingsError

    found = quotas("bedrock", wiring.current().settings.region)
    known = {what: int(quota_of_model(found, model, what) or 0) for what in ("requests", "tokens")}
    if not any(known.values()):
        raise SettingsError(f"no quota a minute of {model} that could be kept", hint="set model_requests, model_tokens")
    try:
        context = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except (OSError, ValueError):
        context = None
    if not isinstance(context, dict):
        raise InputError(f"{file}: should be a JSON object")
    context |= {f"gate:model_{what}": quota for what, quota in known.items()}
    write(f"{json.dumps(context, indent=2)}\n".encode(), file)
    return f"{file}: {', '.join(f'model_{what} {quota:,}' for what, quota in known.items())}"


def quotas_of(model: str, at_once: int) -> list[tuple[bool, str]]:
    """Look at each quota that a run meets: whether it is enough (one that cannot be read is not), and a line."""
    return [*_model_quotas(model, at_once), *_account_quotas(at_once)]


def _model_quotas(model: str, at_once: int) -> list[tuple[bool, str]]:
    from gate import wiring
    from gate.adapters.aws.account import quota_of_model, quotas
    from gate.adapters.aws.bedrock.models import capabilities
    from gate.decision.costs import SECONDS_A_CLAIM, TOKENS_IN
    from gate.errors import DependencyError, SettingsError
    from gate.prompts.verdicts import VERDICT_TOKENS

    try:
        found = quotas("bedrock", wiring.current().settings.region)
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
    from gate.adapters.aws.account import concurrent_executions, quotas
    from gate.decision.costs import SECONDS_A_CLAIM, TRANSITIONS_A_CLAIM
    from gate.errors import DependencyError, SettingsError

    now = wiring.current().settings
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
