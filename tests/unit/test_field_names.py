"""How the owner of a corpus says what its fields are."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate import wiring
from gate.adapters.existing_corpora.existing_index import ExistingIndex
from gate.adapters.existing_corpora.field_names import FieldNames, field_names, text_of, value_at
from gate.errors import SettingsError
from gate.settings import Settings
from gate.wiring import Wiring


@pytest.mark.parametrize(
    ("name", "text"),
    [("f.yaml", "content: body\ntitle: headline.raw\n"), ("f.json", '{"content": "body", "title": "headline.raw"}')],
)
def test_names_are_read_from_a_file_or_from_the_setting_itself(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    found = field_names(str(tmp_path / name))
    assert found == field_names('{"content": "body", "title": "headline.raw"}')
    assert found.parts() == {"content": "body", "title": "headline.raw"}
    assert found.searched() == ["body", "headline.raw"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("nowhere.yaml", "GATE_SEARCH_FIELDS nowhere.yaml: No such file"),
        ('{"content": "body"', "GATE_SEARCH_FIELDS: "),
        ('{"contents": "body"}', "GATE_SEARCH_FIELDS: contents: "),
        ('{"content": 5}', "GATE_SEARCH_FIELDS: content: "),
        ('{"content": "body", "vector": "v"}', "`vector` and `embedder` go together"),
    ],
)
def test_what_cannot_be_used_is_one_line(given: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        field_names(given)


def test_a_value_is_found_however_its_name_is_written() -> None:
    for source in ({"a.b.c": 1}, {"a": {"b.c": 1}}, {"a.b": {"c": 1}}, {"a": {"b": {"c": 1}}, "a.b": 3}):
        assert value_at(source, "a.b.c") == 1
    assert value_at({"a": [{"b": 1}]}, "a.b") is None


def test_several_values_are_lines_of_one_text() -> None:
    assert text_of(["One.", None, ["Two.", 3]]) == "One.\nTwo.\n3"
    assert text_of([None]) is None
    with pytest.raises(ValueError, match="neither"):
        text_of([{"x": 1}])


def test_an_index_is_its_owners_where_its_fields_are_named(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, search="http://127.0.0.1:9", search_fields='{"content": "body"}')
    with wiring.entered(Wiring(settings)) as gate:
        assert isinstance(gate.search_engine(), ExistingIndex)
        assert gate.searching_here().search_engine() is gate.searching_here().embedded_store()
        with pytest.raises(SettingsError, match="says of no field that it holds the text"):
            gate.changed(search_fields="{}").search_engine()


def test_what_a_field_is_called_is_not_what_it_holds() -> None:
    assert FieldNames(content="body", search=["all"]).searched() == ["all"]
