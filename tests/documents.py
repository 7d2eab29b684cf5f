"""Writes the generated parts of the documents anew, and the JSON Schemas: `python -m tests.documents`.

A generated part stands between `<!-- generated: NAME -->` and `<!-- end -->`; a test says when it is out of date.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from pydantic import BaseModel

import gate
from gate import cli
from gate.agents.api import openapi
from gate.model import Policy
from gate.reports import FORMATS
from gate.reports.model import Report, ReportClaim
from gate.settings import PREFIX, Settings
from gate.submission.transcripts.own import Submission
from tests.explained_faults import faults_table
from tests.hostile.table import security_table
from tests.load import scale
from tests.quality import outages
from tests.report_sentences import sentences_table
from tests.site import gallery_table

ROOT = Path(__file__).parents[1]
API = ROOT / "docs" / "schemas" / "openapi.json"
SCHEMAS: dict[str, type[BaseModel]] = {"submission": Submission, "report": Report, "policy": Policy}
EXAMPLE = (
    "Shipping to Norway costs a flat 9 euros. It comes with 64 GB of storage. The founder sailed around the world."
)
ENVIRONMENT = {**os.environ, "GATE_HOME": str(ROOT / ".gate")}
"""Examples run as a user runs them, and leave nothing in the home of whoever writes the documents."""
PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def openapi_document() -> str:
    """The REST API as it describes itself."""
    return json.dumps(json.loads(openapi()), indent=2) + "\n"


def settings_table() -> str:
    """Every setting: variable, default, what it is for."""
    rows = ["| variable | default | what it says |", "| --- | --- | --- |"]
    for name, field in Settings.model_fields.items():
        default = "" if field.default_factory else field.get_default()
        shown = "" if default == "" else f"`{str(default).lower() if isinstance(default, bool) else default}`"
        rows.append(f"| `{PREFIX}{name.upper()}` | {shown} | {field.description} |")
    return "\n".join(rows) + "\n"


def formats_table() -> str:
    """Every report format: name, ending, what it is for."""
    rows = [f"| `{name}` | `{each.suffix}` | {each.purpose} |" for name, each in FORMATS.items()]
    return "\n".join(["| format | ending | for |", "| --- | --- | --- |", *rows]) + "\n"


def help_texts() -> str:
    """The help of the command and of each subcommand, as it prints."""
    context = click.Context(cli.group, info_name="gate")
    parts = []
    for arguments in _commands(cli.group, context, []):
        title = " ".join(["gate", *arguments])
        result = CliRunner().invoke(cli.group, [*arguments, "--help"], prog_name="gate", terminal_width=100)
        parts.append(f"## `{title}`\n\n```text\n{result.output.strip()}\n```\n")
    return "\n".join(parts)


def _commands(group: click.Group, context: click.Context, path: list[str]) -> Iterator[list[str]]:
    yield path
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, context, [*path, name])
        else:
            yield [*path, name]


def diagram() -> str:
    """The state machine as a Mermaid flow chart, from the definition that is deployed."""
    definition = json.loads((ROOT / "functions" / "gate" / "pipeline.asl.json").read_text(encoding="utf-8"))
    return "\n".join(
        ["```mermaid", "flowchart TD", *_states(definition["States"], definition["StartAt"], "  "), "```\n"]
    )


def _states(states: dict[str, Any], start: str, indent: str) -> Iterator[str]:
    """The states of one scope; Pass states only rename values, so the lines go through them."""
    for name, state in states.items():
        if state["Type"] in ("Parallel", "Map"):
            yield f'{indent}subgraph {name}["{name} ({state["Type"].lower()})"]'
            inner = state.get("Branches") or [state["ItemProcessor"]]
            for branch in inner:
                yield from _states(branch["States"], branch["StartAt"], indent + "  ")
            yield f"{indent}end"
        elif state["Type"] == "Choice":
            yield f"{indent}{name}{{{name}}}"
        elif state["Type"] == "Task":
            yield f"{indent}{name}"
    for name, state in states.items():
        if state["Type"] != "Pass":
            for target in dict.fromkeys(filter(None, (_visible(states, one) for one in _targets(state)))):
                yield f"{indent}{name} --> {target}"


def _targets(state: dict[str, Any]) -> list[str]:
    nexts = [state.get("Next"), state.get("Default"), *(choice["Next"] for choice in state.get("Choices", []))]
    return [name for name in nexts if name]


def _visible(states: dict[str, Any], name: str | None) -> str | None:
    while name and states[name]["Type"] == "Pass":
        name = states[name].get("Next")
    return name


def example() -> str:
    """What the README's example prints, run as a user runs it."""
    command = ["check", "-", "--corpus", "events/demo/corpus.jsonl"]
    shown = f'$ echo "{EXAMPLE}" | gate {" ".join(command)}\n'
    result = subprocess.run(
        [sys.executable, "-c", "from gate.cli import main; main()", *command],
        input=EXAMPLE, capture_output=True, text=True, cwd=ROOT, check=False, env=ENVIRONMENT,
    )  # fmt: skip
    lines = [line.rstrip() for line in result.stdout.splitlines()]
    return "```console\n" + shown + "\n".join(lines) + f"\n$ echo $?\n{result.returncode}\n```\n"


PYTHON = """\
from gate import check

report = check("Shipping to Norway costs a flat 9 euros. It comes with 64 GB of storage.", "events/demo/corpus.jsonl")
print(report.outcome, [claim.status for claim in report.claims])
"""


def python_example() -> str:
    """The README's Python, run as a user runs it, and what it prints."""
    result = subprocess.run(
        [sys.executable, "-c", PYTHON], capture_output=True, text=True, cwd=ROOT, check=True, env=ENVIRONMENT
    )
    return f"```python\n{PYTHON.rstrip()}  # {result.stdout.strip()}\n```\n"


def python_reference() -> str:
    """What `import gate` offers, from its docstrings."""
    methods = [value for name, value in vars(gate.Gate).items() if inspect.isfunction(value) and name[0] != "_"]
    shown = [value for name, value in vars(Report).items() if _is_offered(name, value)]
    parts = [_described(gate.check, "check"), _described(gate.Gate, "Gate")]
    parts += [_described(method, f"Gate.{method.__name__}") for method in methods]
    parts += [_described(Report, "Report", signature=False)]
    parts += [_described(value, f"Report.{name_of(value)}") for value in shown]
    parts += [_described(ReportClaim, "ReportClaim", signature=False)]
    parts += [_described(Policy, "Policy", signature=False)]
    return "\n".join(parts)


QUOTED_TYPE, PLAIN_TYPE = re.compile(r": '([^']+)'"), r": \1"


def _is_offered(name: str, value: object) -> bool:
    return (inspect.isfunction(value) or isinstance(value, property)) and not name.startswith(("_", "model_"))


def name_of(value: Any) -> str:
    """The name of a function, or of a property."""
    name: str = getattr(value, "fget", value).__name__
    return name


def _described(value: Any, name: str, *, signature: bool = True) -> str:
    """A heading, the signature, and the docstring as Markdown: its sections as lists."""
    called = ""
    if signature and not isinstance(value, property):
        found = inspect.signature(value)
        kept = [one for one in found.parameters.values() if one.name != "self"]
        shown = str(found.replace(parameters=kept, return_annotation=found.empty))
        called = f"```python\n{name}{QUOTED_TYPE.sub(PLAIN_TYPE, shown)}\n```\n\n"
    lines = inspect.cleandoc(value.__doc__).splitlines()
    return f"### `{name}`\n\n{called}" + "\n".join(_as_markdown(lines)) + "\n"


def _as_markdown(lines: list[str]) -> Iterator[str]:
    entry = re.compile(r"    (\w[\w, ]*): (.*)")
    for line in lines:
        if line in ("Args:", "Raises:", "Attributes:", "Yields:"):
            yield from (line.replace("Args", "Arguments"), "")
        elif found := entry.fullmatch(line):
            yield f"- `{found[1]}`: {found[2]}"
        else:
            yield "  " + line.strip() if line.startswith("     ") else line.strip()


PARTS: dict[str, Callable[[], str]] = {
    "settings": settings_table,
    "formats": formats_table,
    "sentences": sentences_table,
    "faults": faults_table,
    "help": help_texts,
    "diagram": diagram,
    "outages": outages.table,
    "hostile": security_table,
    "example": example,
    "python": python_example,
    "reference": python_reference,
    "scale": scale.tables,
    "gallery": gallery_table,
}


def renewed(text: str, parts: dict[str, Callable[[], str]]) -> str:
    """Return a document with the parts named in `parts` written anew."""

    def fill(found: re.Match[str]) -> str:
        write = parts.get(found[2])
        return found[1] + write() + found[3] if write else found[0]

    return PART.sub(fill, text)


def main() -> None:
    """Write everything anew."""
    for name, model in SCHEMAS.items():
        target = ROOT / "docs" / "schemas" / f"{name}.schema.json"
        target.write_text(json.dumps(model.model_json_schema(), indent=2) + "\n", encoding="utf-8")
    API.write_text(openapi_document(), encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        text = path.read_text(encoding="utf-8")
        path.write_text(renewed(text, PARTS), encoding="utf-8")


if __name__ == "__main__":
    main()
