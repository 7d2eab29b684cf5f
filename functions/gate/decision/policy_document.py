"""Reads a policy that somebody wrote; wherever it lies, it is read as strictly."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from gate.errors import InputError, first_misfit
from gate.model import Policy
from gate.text.nearest import nearest


def policy_of(document: Any) -> Policy:
    """Return the policy that a JSON document stands for; every key is optional.

    Raises:
        InputError: it is no mapping, or names the key that does not fit.
    """
    if not isinstance(document, dict):
        raise InputError("a policy is a mapping of keys to values", hint=f"keys: {', '.join(Policy.model_fields)}")
    try:
        return Policy.model_validate(document)
    except ValidationError as error:
        misfit = first_misfit(error)
        if misfit.is_unknown:
            hint = nearest(misfit.place, list(Policy.model_fields))
            raise InputError(f"{misfit.place}: is no key of a policy", hint=hint) from None
        raise InputError(str(misfit)) from None
