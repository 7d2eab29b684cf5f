"""The configuration file, and `gate config`: what holds, and where it comes from.

A checkout, or an archive, brings any file along. So none is looked for: a file is read where --config or GATE_CONFIG
names it, and it can say what a command's own options say of a check, never a model, an endpoint, a key or a place that
is written to.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gate.cli.printing import say
from gate.errors import InputError
from gate.text.nearest import nearest
from gate.text.visible import one_line

MOST_BYTES = 200_000
PATHS = ("policy", "baseline")
"""Keys that name a file, seen from the configuration file; so does `corpus`, where there is such a path."""
KEYS: dict[str, tuple[str, ...]] = {
    "check": ("corpus", "source", "tenant", "policy", "baseline", "fail-on", "format", "jobs", "quiet"),
    "audit-docs": ("fail-on", "format"),
}
"""Command → the options that a file may say something of."""
PARAMETERS = {"fail-on": "fail_on", "format": "form"}
SECRET = ("password", "token", "key", "key_file")


@click.command(short_help="Show what holds for a check, and where it comes from.")
@click.pass_context
def config(context: click.Context) -> None:
    """Show what holds for `gate check` and `gate audit-docs`, and which settings are set.

    What the command line says comes first, then the file of --config (or GATE_CONFIG), then the default. Settings are
    variables of the environment (`GATE_…`) and stand in no file. No file is looked for: a checkout brings any along.

    \b
    gate config
    gate --config gate.toml config
    """
    from gate import wiring
    from gate.cli import group

    root = context.find_root()
    path, given = root.params.get("config"), root.default_map or {}
    say(f"file: {path or 'none (--config FILE, or GATE_CONFIG)'}")
    for name, keys in KEYS.items():
        command = group.get_command(context, name)
        options = {option.name: option for option in command.params} if command else {}
        for key in keys:
            parameter = PARAMETERS.get(key, key)
            held = given.get(name, {})
            value = held[parameter] if parameter in held else options[parameter].get_default(context)
            shown = one_line(str(value)) if isinstance(value, str | int | list) else ""  # click marks what is unset
            say(f"{name}.{key} = {shown}".rstrip() + ("  (file)" if parameter in held else "  (default)"))
    settings = wiring.current().settings
    for name in sorted(settings.model_fields_set):
        shown = "…" if name.endswith(SECRET) else one_line(str(getattr(settings, name)))
        say(f"GATE_{name.upper()} = {shown}  (environment)")


def read(path: Path) -> dict[str, dict[str, Any]]:
    """Read a configuration file as defaults of the commands' parameters; of `pyproject.toml` it is `[tool.gate]`.

    Raises:
        InputError: it is not there, is no TOML, or says something that it may not; names the key.
    """
    from gate.cli.inputs import read_text

    try:
        document: Mapping[str, Any] = tomllib.loads(read_text(path, max_bytes=MOST_BYTES))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path}: is no TOML: {error}") from None
    if path.name == "pyproject.toml":
        document = _table(_table(document.get("tool", {}), path, "tool").get("gate", {}), path, "tool.gate")
    _known(document, tuple(KEYS), path, "")
    return {name: _defaults(name, _table(each, path, name), path) for name, each in document.items()}


def _table(value: object, path: Path, name: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{path}: {name} is no table")
    return value


def _known(table: Mapping[str, Any], keys: tuple[str, ...], path: Path, within: str) -> None:
    for key in table:
        if key not in keys:
            raise InputError(f"{path}: {within}{key} may not stand in a configuration file", hint=nearest(key, keys))


def _defaults(name: str, table: Mapping[str, Any], path: Path) -> dict[str, Any]:
    _known(table, KEYS[name], path, f"{name}.")
    return {PARAMETERS.get(key, key): _value(key, value, path, name) for key, value in table.items()}


def _value(key: str, value: Any, path: Path, name: str) -> Any:
    if key == "source" and isinstance(value, list) and all(isinstance(one, str) for one in value):
        return value
    kind = {"jobs": int, "quiet": bool}.get(key, str)
    if type(value) is not kind:
        raise InputError(f"{path}: {name}.{key} is no {kind.__name__}")
    beside = path.parent / str(value)
    if key in PATHS or (key == "corpus" and beside.exists()):
        return str(beside)
    return value
