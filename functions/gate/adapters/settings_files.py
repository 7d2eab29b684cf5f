"""Reads files that settings name: YAML or JSON (`*.json`), each of one form."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from gate.errors import InputError, SettingsError, first_misfit
from gate.retrieval.segment_query import Signals
from gate.text.formats import strict_json, strict_yaml

MAX_BYTES = 1_000_000
Form = TypeVar("Form", bound=BaseModel)


def read_signals(path: Path) -> Signals:
    """Read synonyms and product ids.

    Raises:
        SettingsError: not there, or not of that form.
    """
    return read_as(Signals, path, called="signals", example="synonyms: {payment plan: [installment agreement]}")


def read_as(form: type[Form], path: Path, *, called: str, example: str) -> Form:
    """Read a file of a form; an empty one has nothing set.

    Args:
        called: what messages call it, before its path.
        example: of such a file, in a line.

    Raises:
        SettingsError: not there, or not of that form.
    """
    place = f"{called} {path}"
    try:
        return form.model_validate(_load(path, example))
    except OSError as error:
        raise SettingsError(f"{place}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise SettingsError(f"{place}: not UTF-8 at byte {error.start}", hint="save it as UTF-8") from None
    except InputError as error:
        raise SettingsError(f"{place}: {error.safe_message}", hint=error.hint) from None
    except ModuleNotFoundError:
        raise SettingsError(f"{place}: YAML cannot be read here", hint="write it as *.json") from None
    except ValidationError as error:
        raise SettingsError(f"{place}: {first_misfit(error)}", hint=example) from None


def _load(path: Path, example: str) -> dict[str, Any]:
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"larger than {MAX_BYTES} bytes")
    text = data.decode("utf-8-sig")
    document = strict_json.load(text) if path.suffix == ".json" else strict_yaml.load(text)
    if not isinstance(document, dict | None):
        raise InputError("should be a mapping", hint=example)
    return document or {}
