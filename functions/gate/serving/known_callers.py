"""Whom `gate serve` knows by a token of their own: a file of names, hashes of tokens, and groups."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from gate.cli.inputs import read_text
from gate.errors import InputError, first_misfit
from gate.model import Frozen
from gate.services.callers import ANONYMOUS
from gate.services.reviews.deciding import refuse_name
from gate.text.formats import strict_yaml
from gate.trail.review_items import person

MOST_BYTES = 200_000


class KnownCaller(Frozen):
    """One person, or program.

    Attributes:
        sha256: of the token, in small hexadecimal digits.
        groups: of which roles are made (`GATE_REVIEW_ROLE` and the like).
    """

    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    groups: tuple[Annotated[str, Field(pattern=r"^[^\s,\[\]*]+$")], ...] = ()


FILE = TypeAdapter(dict[str, KnownCaller])
Claims = Mapping[str, str]
"""Of who calls, as the claims of a token; none: nobody knows."""


def read_callers(path: Path) -> dict[str, Claims]:
    """The claims of each caller, by the hash of their token.

    Raises:
        InputError: it is no such file; two callers cannot be told apart.
    """
    try:
        given = FILE.validate_python(strict_yaml.load(read_text(path, max_bytes=MOST_BYTES)) or {})
    except ValidationError as error:
        raise InputError(f"{path}: {first_misfit(error)}") from None
    if not given:
        raise InputError(f"{path}: names nobody")
    for name in given:
        refuse_name(name)
        if person(name) == ANONYMOUS:  # they could decide in any name
            raise InputError(f"{path}: {name} is what nobody in particular is called")
    if len({person(name) for name in given}) < len(given) or len({one.sha256 for one in given.values()}) < len(given):
        raise InputError(f"{path}: two callers have the same name, or the same token")
    return {one.sha256: {"sub": name, "cognito:groups": ",".join(one.groups)} for name, one in given.items()}


def claims_of(token: str, callers: Mapping[str, Claims]) -> Claims | None:
    """The claims of whoever has a token; None: nobody that is known has it."""
    return callers.get(hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest())


def context_of(claims: Claims) -> dict[str, Any]:
    """What an event of API Gateway says of who calls."""
    return {"authorizer": {"claims": dict(claims)}} if claims else {}
