"""`gate doctor`: whether what the settings name can be used, and what to do where it cannot."""

from __future__ import annotations

from collections.abc import Callable

import click


@click.command(short_help="Check that model, search, storage and machine can be used.")
def doctor() -> None:
    """Try each thing that the settings name, once and small: the model answers one question.

    \b
    Exit codes:
    0  everything can be used
    2  something cannot; the line says what to do
    """
    from gate.errors import GateError

    failed = 0
    for name, check in CHECKS.items():
        try:
            click.echo(f"ok      {name:<10} {check()}")
        except GateError as error:
            failed += 1
            click.echo(f"failed  {name:<10} {error.safe_message}{f' ({error.hint})' if error.hint else ''}")
    if failed:
        raise click.exceptions.Exit(2)


def _model() -> str:
    from gate import wiring
    from gate.errors import AnswerError

    model = wiring.language_model()
    try:
        model.complete("Answer with one word: ready?")
    except AnswerError:
        # It was reached and answered; that the answer has no form is no matter here.
        return f"{model.name} answers"
    return f"{model.name} answers"


def _search() -> str:
    from gate import wiring
    from gate.errors import SettingsError

    index = wiring.settings().index
    engine = wiring.search_engine()
    if not engine.exists(index):
        raise SettingsError(f"{engine.name}: no index {index!r}", hint="gate index add, or upload to corpora/")
    return f"{engine.name}: {engine.count(index)} passages in {index}"


def _storage() -> str:
    from gate import wiring

    store = wiring.blob_store()
    store.put("runs/doctor/probe", b"{}")
    store.get("runs/doctor/probe")
    store.delete_prefix("runs/doctor")
    return wiring.settings().blobs or str(wiring.settings().home)


def _embedder() -> str:
    from gate import wiring

    embedder = wiring.embedder()
    if embedder is None:
        return "none: keyword search alone"
    embedder.embed(["ready?"])
    return f"{embedder.name}, {embedder.dimension} dimensions"


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


CHECKS: dict[str, Callable[[], str]] = {
    "model": _model,
    "embedder": _embedder,
    "search": _search,
    "storage": _storage,
    "machine": _machine,
    "policy": _policy,
}
