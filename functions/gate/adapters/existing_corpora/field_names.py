"""What the owner of a corpus calls the parts of a passage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from gate.adapters.settings_files import read_as
from gate.errors import InputError, SettingsError, first_misfit
from gate.ports import SearchFilter
from gate.text.formats import strict_json

SETTING = "GATE_SEARCH_FIELDS"
EXAMPLE = "content: body"


class FieldNames(BaseModel):
    """By part of a passage the field that holds it, dots between the names of nested ones; empty: nothing does.

    Attributes:
        search: fields that keyword search reads; empty: those of `content`, `title` and `section`.
        vector: field of vectors.
        embedder: what made them, as an `Embedder` calls itself.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    content: str = ""
    title: str = ""
    section: str = ""
    url: str = ""
    published_date: str = ""
    source: str = ""
    tenant: str = ""
    classification: str = ""
    document: str = ""
    search: list[str] = []
    vector: str = ""
    embedder: str = ""

    @model_validator(mode="after")
    def _vectors_have_a_maker(self) -> FieldNames:
        if bool(self.vector) != bool(self.embedder):
            raise ValueError("`vector` and `embedder` go together")
        return self

    def parts(self) -> dict[str, str]:
        """The field of each part that has one."""
        named = self.model_dump(exclude={"search", "vector", "embedder"})
        return {part: field for part, field in named.items() if field}

    def searched(self) -> list[str]:
        """Fields that keyword search reads."""
        return list(self.search) or [name for name in (self.content, self.title, self.section) if name]

    def limits(self, where: SearchFilter) -> dict[str, list[str]]:
        """Values that a passage must have one of, by part; dates are not among them.

        Raises:
            SettingsError: a search is limited by a part that no field holds.
        """
        wanted = {"tenant": [where.tenant] if where.tenant is not None else [], "source": list(where.sources),
                  "classification": list(where.classifications)}  # fmt: skip
        found = {part: values for part, values in wanted.items() if values}
        dated = ["published_date"] if where.published_from is not None or where.published_to is not None else []
        for part in (*found, *dated):
            if part not in self.parts():
                raise SettingsError(f"{SETTING}: no field holds `{part}`, by which the search is limited", hint=SETTING)
        return found


def field_names(given: str, default: FieldNames | None = None) -> FieldNames:
    """Read what a setting says: a file, or the JSON itself.

    Args:
        default: what holds where the setting is empty.

    Raises:
        SettingsError: not there, or not of that form.
    """
    if not given and default is not None:
        return default
    if not given.lstrip().startswith("{"):
        return read_as(FieldNames, Path(given).expanduser(), called=SETTING, example=EXAMPLE)
    try:
        return FieldNames.model_validate(strict_json.load(given))
    except InputError as error:
        raise SettingsError(f"{SETTING}: {error.safe_message}", hint=error.hint) from None
    except ValidationError as error:
        raise SettingsError(f"{SETTING}: {first_misfit(error)}", hint=EXAMPLE) from None


def value_at(source: Mapping[str, Any], field: str) -> Any:
    """What stands under a field's name, written flat (`a.b`) or nested; None: nothing."""
    if field in source:
        return source[field]
    names = field.split(".")
    for count in range(1, len(names)):
        inner = source.get(".".join(names[:count]))
        if isinstance(inner, Mapping) and (found := value_at(inner, ".".join(names[count:]))) is not None:
            return found
    return None


def text_of(value: Any) -> str | None:
    """A value as text; of several the lines of them; None: it is none.

    Raises:
        ValueError: it is neither text nor number.
    """
    if isinstance(value, list):
        parts = [text for each in value if (text := text_of(each)) is not None]
        return "\n".join(parts) if parts else None
    if value is not None and not isinstance(value, str | int | float):
        raise ValueError("neither text nor number")
    return None if value is None else str(value)
