"""The files that a project begins with: what is found in it → their texts. Nothing is written here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gate.model import BLOCK_RISK, REVIEW_RISK

DOCUMENTS = ("docs", "doc", "documentation", "handbook", "kb")
ANSWERS = ("answers", "samples/answers", "evals/answers")
READMES = ("README.md", "README.rst", "README.txt")
OTHER_SERVICES = (".gitlab-ci.yml", "Jenkinsfile")
"""Files of services that build, other than GitHub; docs/ci.md has a recipe for each."""
POLICY = "gate-policy.yaml"
WORKFLOW = ".github/workflows/gate.yml"
HOOKS = ".pre-commit-config.yaml"
CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1"


@dataclass(frozen=True, slots=True)
class Project:
    """What was found in a folder.

    Attributes:
        corpus: folder of documents to check answers against; empty: none was found.
        answers: folder of answers; empty: none was found.
        audited: documents, or folders of them, whose cited paths must exist.
        is_repository: git has it.
        other_service: the file by which a service other than GitHub builds it; empty: none, or GitHub does too.
        has_pyproject: there is a `pyproject.toml` without `[tool.gate]`; `is_configured`: the gate has its file.
    """

    corpus: str
    answers: str
    audited: tuple[str, ...]
    is_repository: bool
    other_service: str
    has_pyproject: bool
    is_configured: bool


@dataclass(frozen=True, slots=True)
class StartingFile:
    """A file to write; `added`: its text goes to the end of what is there."""

    name: str
    text: str
    why: str
    added: bool = False


def found_in(root: Path) -> Project:
    """Look at a folder; only names are looked at, and `pyproject.toml`."""
    corpus = next((name for name in DOCUMENTS if (root / name).is_dir()), "")
    readmes = [name for name in READMES if (root / name).is_file()]
    pyproject = _pyproject(root)
    services = (name for name in OTHER_SERVICES if (root / name).is_file())
    own = "gate" in (pyproject or {}).get("tool", {})
    return Project(
        corpus=corpus,
        answers=next((name for name in ANSWERS if (root / name).is_dir()), ""),
        audited=(*readmes, *([corpus] if corpus else [])),
        is_repository=(root / ".git").exists(),
        other_service="" if (root / ".github").is_dir() else next(services, ""),
        has_pyproject=pyproject is not None and not own,
        is_configured=own or (root / "gate.toml").exists(),
    )


def _pyproject(root: Path) -> dict[str, dict[str, object]] | None:
    try:
        found: dict[str, dict[str, object]] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found.get("tool", {}), dict) else None


def starting_files(project: Project, action: str) -> Iterator[StartingFile]:
    """The files for a project, in the order in which they are read.

    Args:
        action: `OWNER/REPOSITORY@COMMIT`, from where a workflow takes the gate; empty: no workflow can be written.
    """
    if not project.is_configured:
        yield _configuration(project)
    yield StartingFile(POLICY, _POLICY, "when an answer passes")
    if project.is_repository and action and not project.other_service:
        yield StartingFile(WORKFLOW, _workflow(project, action), "checks pull requests")
    if project.is_repository and (project.audited or (project.answers and project.corpus)):
        yield StartingFile(HOOKS, _hooks(project), "checks before a commit")


def _configuration(project: Project) -> StartingFile:
    prefix, name = ("tool.gate.", "pyproject.toml") if project.has_pyproject else ("", "gate.toml")
    lines = [f"[{prefix}check]"]
    lines += [f'corpus = "{project.corpus}"'] if project.corpus else ['# corpus = "docs"']
    lines += [f'policy = "{POLICY}"', "", f"[{prefix}audit-docs]", 'fail-on = "block"', ""]
    text = "\n".join(lines)
    return StartingFile(name, f"\n{text}" if project.has_pyproject else text, "options", added=project.has_pyproject)


_POLICY = f"""\
# When an answer passes. Without this file the same holds; docs/policy.md of the gate has every key.
name: ours
version: "1"
combine: strict          # the gravest opinion decides
contradicted: block      # the evidence says the opposite
failed_check: review     # a figure, a date or a quotation differs
missing_path: block      # a cited path is not in the repository
unchecked: review        # could not be checked: never a pass
# review_risk: {REVIEW_RISK}      # chance of an unsupported claim from which a person looks
# block_risk: {BLOCK_RISK}       # and from which the answer is blocked
"""


def _workflow(project: Project, action: str) -> str:
    inputs = []
    if project.answers and project.corpus:
        inputs += [f"          files: {project.answers}/**/*.md", f"          corpus: {project.corpus}/"]
        inputs += [f"          # policy: {POLICY}   # once the branch that requests go to has it"]
    if project.audited:
        inputs += ["          audit-docs: |", *(f"            {name}" for name in project.audited)]
    if not inputs:
        inputs = ["          files: answers/**/*.md", "          corpus: docs/"]
    return "\n".join(
        [
            "name: Gate",
            "on: pull_request",
            "permissions:",
            "  contents: read",
            "jobs:",
            "  gate:",
            "    runs-on: ubuntu-24.04",
            "    steps:",
            f"      - uses: {CHECKOUT}",
            "        with:",
            "          persist-credentials: false",
            f"      - uses: {action}",
            "        with:",
            *inputs,
            "",
        ]
    )


def _hooks(project: Project) -> str:
    lines = ["repos:", "  - repo: local", "    hooks:"]
    if project.audited:
        pattern = "|".join(f"{name}/.*" if "." not in name else name.replace(".", "[.]") for name in project.audited)
        lines += _hook("gate-audit-docs", "cited paths exist", "gate audit-docs", f"^({pattern})$")
        lines += ["        types_or: [markdown, rst, html]"]
    if project.answers and project.corpus:
        entry = f"gate check --corpus {project.corpus} --policy {POLICY}"
        lines += _hook("gate-check", "answers are grounded", entry, f"^{project.answers}/.*[.](md|txt)$")
    return "\n".join([*lines, ""])


def _hook(identifier: str, name: str, entry: str, files: str) -> list[str]:
    return [
        f"      - id: {identifier}",
        f"        name: {name}",
        f"        entry: {entry}",
        "        language: system",
        f"        files: '{files}'",
    ]
