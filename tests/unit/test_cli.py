"""The command as a whole: help, lazy loading, errors as one line, exit codes."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gate import cli
from gate.errors import GateError, InputError, ModelUnavailableError, SettingsError

HEAVY = (
    "boto3",
    "botocore",
    "moto",
    "tantivy",
    "numpy",
    "rich",
    "opensearchpy",
    "onnxruntime",
    "aws_lambda_powertools",
    "pydantic",
)


def loaded_after(code: str) -> set[str]:
    """Top-level modules in a fresh interpreter after running `code`."""
    probe = f"import sys\n{code}\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    result = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return set(result.stdout.splitlines()[-1].split())


def test_importing_gate_loads_nothing_heavy() -> None:
    assert loaded_after("import gate").isdisjoint(HEAVY)


def test_the_help_loads_nothing_heavy() -> None:
    code = "import gate.cli\ntry: gate.cli.group(['--help'])\nexcept SystemExit: pass"
    assert loaded_after(code).isdisjoint(HEAVY)


@pytest.mark.slow
def test_a_check_over_an_indexed_corpus_loads_nothing_of_aws_of_pages_or_of_locks(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("The sky is blue.")
    (tmp_path / "c.jsonl").write_text('{"id": "a", "content": "The sky is blue."}\n')
    code = f"""
import os
os.environ["GATE_HOME"] = {str(tmp_path / "home")!r}
import gate.cli
try: gate.cli.group(["check", {str(tmp_path / "a.md")!r}, "--corpus", {str(tmp_path / "c.jsonl")!r}, "-q"])
except SystemExit as end: assert end.code == 0, end.code"""
    aws = {"boto3", "botocore", "moto", "opensearchpy", "aws_lambda_powertools", "antlr4", "cryptography"}
    assert loaded_after(code).isdisjoint(aws | {"jinja2"}), "the first check indexes the corpus"
    assert loaded_after(code).isdisjoint(aws | {"jinja2", "filelock", "asyncio", "onnx"})


def test_a_check_at_a_deployed_gate_loads_nothing_that_checks_here(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("The sky is blue.")
    code = f"""
import os
os.environ["GATE_REMOTE_TOKEN"] = "t"
import gate.cli, gate.adapters.remote_gate
gate.adapters.remote_gate.TRIES = 1
try: gate.cli.group(["check", {str(tmp_path / "a.md")!r}, "--remote", "http://127.0.0.1:9"])
except SystemExit as end: assert end.code == 3"""
    assert loaded_after(code).isdisjoint(set(HEAVY) - {"botocore", "pydantic"})


def test_the_help_explains_the_command_and_its_exit_codes() -> None:
    result = CliRunner().invoke(cli.group, ["--help"])
    assert result.exit_code == 0
    assert "Exit codes: 0 pass" in result.output
    for name in cli.COMMANDS:
        assert name in result.output


def test_every_command_has_a_help_line() -> None:
    for name in cli.COMMANDS:
        command = cli.group.get_command(click.Context(cli.group), name)
        assert command is not None, name
        assert command.get_short_help_str(), name


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("answer.md: the file is empty", hint="write something"), 2),
        (SettingsError("GATE_MODEL: not known"), 2),
        (ModelUnavailableError("the model is asleep"), 3),
    ],
)
def test_an_expected_error_is_one_line_and_a_hint(monkeypatch: pytest.MonkeyPatch, error: GateError, code: int) -> None:
    @click.command()
    def failing() -> None:
        """Fail."""
        raise error

    monkeypatch.setattr(cli.group, "get_command", lambda ctx, name: failing)
    result = CliRunner().invoke(cli.group, ["failing"])
    assert result.exit_code == code
    expected = f"gate: {error.safe_message}\n" + (f"hint: {error.hint}\n" if error.hint else "")
    assert result.stderr == expected
    assert result.stdout == ""


def test_a_disk_that_is_full_is_one_line_and_not_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def failing() -> None:
        """Fail."""
        raise OSError(28, "No space left on device", ".gate/indexes/x/part-000001.columns")

    monkeypatch.setattr(cli.group, "get_command", lambda ctx, name: failing)
    result = CliRunner().invoke(cli.group, ["failing"])
    assert result.exit_code == 3
    assert result.stderr.splitlines()[0] == "gate: .gate/indexes/x/part-000001.columns: no space left on device"


def test_a_bug_exits_3_with_its_traceback(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(prog_name: str) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(cli, "group", broken)
    with pytest.raises(SystemExit) as stopped:
        cli.main()
    assert stopped.value.code == 3
    assert "ZeroDivisionError: a bug" in capsys.readouterr().err


@pytest.mark.parametrize(("package", "extras"), [("tantivy", "local"), ("boto3", "local,aws")])
def test_a_missing_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch, package: str, extras: str) -> None:
    @click.command()
    def failing() -> None:
        """Fail."""
        raise ModuleNotFoundError(f"No module named '{package}'", name=package)

    monkeypatch.setattr(cli.group, "get_command", lambda ctx, name: failing)
    result = CliRunner().invoke(cli.group, ["failing"])
    assert result.exit_code == 2
    assert f"llm-reliability-gate[{extras}]" in result.stderr


def test_an_installation_without_the_command_says_what_to_install() -> None:
    code = "import sys; sys.modules['click'] = None; from gate.__main__ import main; main()"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr.splitlines()[1] == "hint: pip install 'llm-reliability-gate[local]'"
    assert "Traceback" not in result.stderr


def test_the_command_may_be_run_as_a_module() -> None:
    result = subprocess.run([sys.executable, "-m", "gate", "--version"], capture_output=True, text=True, check=True)
    assert result.stdout.startswith("gate, version ")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_by_a_script(shell: str) -> None:
    result = CliRunner().invoke(cli.group, ["completion", shell])
    assert result.exit_code == 0
    assert "_GATE_COMPLETE" in result.output
    assert "_gate_completion" in result.output


def examples(command: click.Command) -> list[list[str]]:
    """The lines of a command's help that call `gate`, as arguments."""
    lines = re.findall(r"^\s*(?:GATE_\w+=\S+ )*gate (.+)$", command.help or "", re.MULTILINE)
    return [shlex.split(line) for line in lines]


def test_every_command_shows_examples_and_each_of_them_can_be_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a folder that an example names is made
    root = click.Context(cli.group, info_name="gate", **cli.group.context_settings)
    for name in cli.COMMANDS:
        command = cli.group.get_command(root, name)
        assert command is not None
        shown = examples(command)
        assert shown or name == "completion", name
        for arguments in shown:
            called = cli.group.get_command(root, arguments[0]) if arguments[0] in cli.COMMANDS else None
            if called is not None and not isinstance(called, click.Group):
                called.make_context(arguments[0], arguments[1:], parent=root)


@pytest.mark.parametrize("name", ["check", "report", "diff", "summary", "audit-docs", "evaluate", "ask", "cite"])
def test_what_a_program_may_read_is_asked_for_in_one_way(name: str) -> None:
    command = cli.group.get_command(click.Context(cli.group), name)
    assert command is not None
    assert "--json" in {option for each in command.params for option in each.opts}
