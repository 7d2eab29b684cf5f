"""Policies, signals and the environment: what readers could read differently is one line and exit code 2."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gate import cli
from gate.adapters.settings_files import read_signals
from gate.agents.load_transcript import load_transcript
from gate.cli.inputs import read_policy
from gate.errors import InputError, SettingsError
from gate.services.submissions import team_policy
from gate.settings import Settings
from gate.text.formats import strict_yaml
from tests.entrance import Entrance
from tests.growth import superlinear
from tests.hostile_text import FORBIDDEN

HUGE = "9" * 5_000
YAML_POLICIES = [
    ("unsupported: block\nunsupported: pass\n", "the key 'unsupported' twice, at line 2"),
    ("name: 2020-13-45\n", "line 1"),
    ("name: 0000-00-00\n", "line 1"),
    (f"version: {HUGE}\n", "more than 1000"),
    (f"version: 0x{HUGE}\n", "more than 1000"),
    ("version: 0x1f\n", "not every reader"),
    ("version: 012\n", "not every reader"),
    ("version: 1:30\n", "not every reader"),
    ("version: 1_000\n", "not every reader"),
    ("unsupported: no\n", "'no' is true or false to some"),
    (f"version: {'1:' * 3_000}1\n", "more than 1000"),
    ("min_grounding: .inf\n", "line 1"),
    ("min_grounding: .nan\n", "line 1"),
    ("min_grounding: 1.0e+999\n", "line 1"),
    ("min_grounding: true\n", "min_grounding"),
    ("min_grounding: [0.5]\n", "min_grounding"),
    ("min_grounding: 1.5\n", "min_grounding"),
    ("name: " + "[" * 500 + "]" * 500, "nested"),
    ("name: " + "[" * 40 + "]" * 40, "nested deeper than 32"),
    ("name: {}\n", "name"),
    ("a: &a [x]\nname: *a\n", "line"),
    ("<<: {unsupported: pass}\n", "line 1"),
    ("unsupported: !!python/object:os.system block\n", "line 1"),
    ("name: !!binary QUJD\n", "line 1"),
    ("no: block\n", "line 1"),
    ("1: block\n", "line 1"),
    ("? [a]\n: block\n", "line 1"),
    ("name: a\n---\nname: b\n", "not YAML"),
    ("name: \x1b[31m\n", "not YAML"),
    ("name: [\n", "not YAML at line 2"),
    ("unsuported: block\n", "is no key of a policy"),
    ('"min_grou\\nding": 1\n', "min_grou\N{REPLACEMENT CHARACTER}ding: is no key of a policy"),
    (f"name: {'x' * 300}\n", "name"),
    (f"{'x' * 300}: 1\n", "is no key of a policy"),
    ("- a\n", "a policy is a mapping"),
    ("", "a policy is a mapping"),
]
JSON_POLICIES = [
    ('{"unsupported": "block", "unsupported": "pass"}', "twice"),
    (f'{{"version": {HUGE}}}', "more than 1000 digits"),
    ('{"min_grounding": 1e999}', "larger than any"),
    ('{"min_grounding": NaN}', "NaN"),
    ('{"min_grounding": true}', "min_grounding"),
    ('{"min_grounding": "0.5"}', "min_grounding"),
    ('{"name": ' + "[" * 100_000 + "]" * 100_000 + "}", "deep"),
    ('{"name": "\\ud800"}', "surrogate"),
    ("[]", "a policy is a mapping"),
]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("The sky is blue.")
    Path("c.jsonl").write_text('{"id": "a", "content": "The sky is blue."}\n')
    Path("s.json").write_text('{"use_case": "sky"}')
    return tmp_path


def refused(*arguments: str) -> str:
    """The one line that a command says where it ends with exit code 2."""
    result = CliRunner().invoke(cli.group, list(arguments))
    assert result.exit_code == 2, result.output + repr(result.exception)
    lines = result.stderr.splitlines()
    assert [line.partition(": ")[0] for line in lines] in (["gate"], ["gate", "hint"]), lines
    assert not FORBIDDEN.search(result.output)
    assert len(lines[0]) < 400
    return lines[0]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [("p.yaml", *case) for case in YAML_POLICIES] + [("p.json", *case) for case in JSON_POLICIES],
)
def test_a_policy_that_readers_could_read_differently_is_refused(
    place: Path, name: str, content: str, says: str
) -> None:
    Path(name).write_text(content)
    line = refused("check", "a.md", "--corpus", "c.jsonl", "--policy", name)
    with pytest.raises(InputError, match=says):
        raise InputError(line)
    assert line.startswith(f"gate: {name}: ")


def test_a_policy_may_be_versioned_by_a_date(place: Path) -> None:
    Path("p.yaml").write_text("version: 2026-11-22\nmin_grounding: .5\nmax_weak_share: 1\n")
    read = read_policy(Path("p.yaml"), max_bytes=1_000)
    assert (read["version"], read["min_grounding"], read["max_weak_share"]) == ("2026-11-22", 0.5, 1.0)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
@pytest.mark.parametrize("name", ["p.yaml", "p.json"])
def test_a_policy_in_another_encoding_is_refused(place: Path, name: str, encoding: str) -> None:
    Path(name).write_bytes('{"name": "Zoë"}'.encode(encoding))
    assert refused("check", "a.md", "--corpus", "c.jsonl", "--policy", name).startswith(f"gate: {name}: ")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("w.yaml", b"synonyms: {a: [b]}\nsynonyms: {a: [c]}\n", "the key 'synonyms' twice"),
        ("w.yaml", b"synonyms:\n  a: [b]\n  a: [c]\n", "the key 'a' twice"),
        ("w.yaml", b"synonyms: {a: [2020-13-45]}\n", "line 1"),
        ("w.yaml", b"synonyms: {no: [b]}\n", "line 1"),
        ("w.yaml", b"synonyms: {a: b}\n", r"synonyms\.a"),
        ("w.yaml", b"- a\n", "a mapping"),
        ("w.yaml", "synonyms: {é: [b]}\n".encode("utf-16"), "not UTF-8"),
        ("w.yaml", "synonyms: {é: [b]}\n".encode("latin-1"), "not UTF-8"),
        ("w.json", b'{"synonyms": {"a": ["b"], "a": ["c"]}}', "twice"),
        ("w.json", b"[" * 100_000, "deep"),
        ("w.json", b'{"synonyms": {"a": [' + b"9" * 5_000 + b"]}}", "more than 1000 digits"),
        ("w.json", b"[]", "a mapping"),
    ],
)
def test_signals_that_cannot_be_read_one_way_are_refused(place: Path, name: str, content: bytes, says: str) -> None:
    Path(name).write_bytes(content)
    line = refused("cite", "--segment", "s.json", "--corpus", "c.jsonl", "--signals", name)
    with pytest.raises(SettingsError, match=rf"signals {name}: .*{says}"):
        read_signals(Path(name))
    assert f"signals {name}: " in line


def test_an_empty_file_of_signals_is_none(tmp_path: Path) -> None:
    (tmp_path / "w.yaml").write_text("# nothing yet\n")
    assert read_signals(tmp_path / "w.yaml").synonyms == {}


@pytest.mark.parametrize(
    "data",
    [
        b'{"unsupported": "block", "unsupported": "pass"}',
        b'{"min_grounding": NaN}',
        b'{"min_grounding": true}',
        b'{"name": "Zo\xeb"}',
        '{"name": "Zoë"}'.encode("utf-16"),
        b"[]",
        b'{"unsuported": "block"}',
        b"[" * 100_000,
    ],
)
def test_the_policy_of_a_deployment_is_read_as_strictly(entrance: Entrance, data: bytes) -> None:
    class Uploads:
        def current(self, url: str) -> tuple[bytes, str]:
            return data, "v2"

        def earlier(self, url: str) -> Iterator[tuple[bytes, str]]:
            yield data, "v1"

    entrance.use(Settings(policy="s3://bucket/policy.json"))
    entrance.give(uploads=Uploads())
    with pytest.raises(SettingsError, match=r"^GATE_POLICY: ") as caught:
        team_policy()
    assert "\n" not in caught.value.safe_message


def test_the_policy_of_a_run_is_read_as_strictly() -> None:
    state = {"submission": {"name": "a.md", "text": "A."}, "config": {"policy": {"min_grounding": True}}}
    with pytest.raises(SettingsError, match=r"^policy: min_grounding"):
        load_transcript(state)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("GATE_MAX_BYTES", "9" * 30),
        ("GATE_MAX_BYTES", HUGE),
        ("GATE_MAX_TURNS", "-1"),
        ("GATE_MAX_DEPTH", "100000"),
        ("GATE_BUDGET_TOKENS", "9" * 30),
        ("GATE_MODEL_TIMEOUT_S", "inf"),
        ("GATE_MODEL_TIMEOUT_S", "nan"),
        ("GATE_MODEL_TIMEOUT_S", "1e9"),
        ("GATE_LOG_LEVEL", "LOUD"),
        ("GATE_HOME", "\udcff"),
        ("GATE_MODEL", "\udcff"),
        ("GATE_SIGNALS", "\udcff"),
    ],
)
def test_a_setting_that_no_machine_can_hold_is_refused(variable: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"^{variable}: ") as caught:
        Settings.from_env({variable: value})
    assert "\n" not in caught.value.safe_message
    assert len(caught.value.safe_message) < 300


@pytest.mark.parametrize(("variable", "value"), [("GATE_LANGUAGE", "klingon"), ("GATE_MAX_BYTES", "9" * 30)])
def test_a_bad_setting_is_one_line_of_the_command(place: Path, variable: str, value: str) -> None:
    command = [sys.executable, "-m", "gate", "check", "a.md", "--corpus", "c.jsonl"]
    environment = os.environ | {"GATE_HOME": str(place / "home"), variable: value}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"gate: {variable}: ")
    assert len(ended.stderr.splitlines()) <= 2


@given(st.text(max_size=200) | st.text(alphabet="a:[]{}&*!|>-\n '\"#?,%0.", max_size=200))
def test_any_text_is_yaml_of_plain_values_or_refused(text: str) -> None:
    try:
        value = strict_yaml.load(text)
    except InputError as error:
        assert "\n" not in error.safe_message  # noqa: PT017 - that it is refused is one of two good ends
        return
    assert _plain(value)


def _plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _plain(inner) for key, inner in value.items())
    if isinstance(value, list):
        return all(map(_plain, value))
    return value is None or type(value) in (str, int, float, bool)


HOSTILE = ["[", "{", "- ", "a: ", "a: [", "'", '"', "&a ", "? ", "|\n", "#", "a\n", ",", "a: b, "]


@pytest.mark.hostile
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_yaml_takes_time_in_proportion_to_its_length(unit: str) -> None:
    def read(text: str) -> None:
        with suppress(InputError):
            strict_yaml.load(text[:-2])  # without the end that no parser gets past

    assert not superlinear(read, unit, 2_000)


def test_no_setting_of_the_environment_ends_in_a_traceback() -> None:
    for name in Settings.model_fields:
        for value in ("", HUGE, "-1", "nan", "[", "\x1b[31m", "x" * 100_000, "é", os.sep):
            try:
                Settings.from_env({f"GATE_{name.upper()}": value})
            except SettingsError as error:
                assert "\n" not in error.safe_message  # noqa: PT017 - that it is refused is one of two good ends
