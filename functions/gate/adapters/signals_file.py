"""Reads the file of a domain's words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gate.errors import InputError, SettingsError, first_misfit
from gate.retrieval.segment_query import Signals
from gate.text.formats import strict_json, strict_yaml

MAX_BYTES = 1_000_000
EXAMPLE = "synonyms: {payment plan: [installment agreement]}"


def read_signals(path: Path) -> Signals:
    """Read synonyms and product ids, YAML or JSON (`*.json`).

    Raises:
        SettingsError: not there, or not of that form.
    """
    try:
        return Signals.model_validate(_load(path))
    except OSError as error:
        raise SettingsError(f"signals {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"signals {path}: not UTF-8 at byte {error.start}", hint="save it as UTF-8") from None
    except InputError as error:
        raise SettingsError(f"signals {path}: {error.safe_message}", hint=error.hint) from None
    except ModuleNotFoundError:
        raise SettingsError(f"signals {path}: YAML cannot be read here", hint="write it as *.json") from None
    except ValidationError as error:
        raise SettingsError(f"signals {path}: {first_misfit(error)}", hint=EXAMPLE) from None


def _load(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"larger than {MAX_BYTES} bytes")
    text = data.decode("utf-8-sig")
    document = strict_json.load(text) if path.suffix == ".json" else strict_yaml.load(text)
    if not isinstance(document, dict | None):
        raise InputError("should be a mapping", hint=EXAMPLE)
    return document or {}
