"""Reads the file of a domain's words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gate.errors import SettingsError
from gate.rules.query_building import Signals


def read_signals(path: Path) -> Signals:
    """Read synonyms and product ids, YAML or JSON (`*.json`).

    Raises:
        SettingsError: not there, or not of that form.
    """
    try:
        return Signals.model_validate(_read(path) or {})
    except OSError as error:
        raise SettingsError(f"signals {path}: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SettingsError(
            f"signals {path}: {place}: {first['msg']}", hint="synonyms: {payment plan: [installment agreement]}"
        ) from None


def _read(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        try:
            return json.loads(text)
        except ValueError:
            raise SettingsError(f"signals {path}: not JSON") from None
    try:
        import yaml
    except ModuleNotFoundError:
        raise SettingsError(f"signals {path}: YAML cannot be read here", hint="write it as *.json") from None
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise SettingsError(f"signals {path}: not YAML") from None
