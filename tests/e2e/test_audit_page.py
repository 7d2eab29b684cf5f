"""Every command of docs/audit.md that needs no account, run in order as an auditor would, says what stands there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(r"```console\n(.*?)```", (ROOT / "docs/audit.md").read_text(encoding="utf-8"), re.DOTALL)
LOCAL = [block for block in BLOCKS if "s3://" not in block]


class Auditor:
    """Works in a folder, in one shell after the other; what is exported stays."""

    def __init__(self, folder: Path) -> None:
        names = ("GATE_", "AWS_", "CI")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(names)}
        own = {"GATE_HOME": str(folder / "gate"), "GATE_EMBEDDER": "none", "GATE_MODEL": "local:lexical"}
        self._environment = {**kept, **own, "PYTHONPATH": str(ROOT / "functions")}
        self._folder = folder

    @property
    def run_id(self) -> str:
        """Of the latest report."""
        report = self._folder / "report.json"
        return str(json.loads(report.read_text())["run_id"]) if report.exists() else "RUN_ID"

    def types(self, command: str) -> str:
        """What a command says; what the policy decides (1) is no failure."""
        if command.startswith("export "):
            self._environment |= dict(pair.split("=", 1) for pair in command.removeprefix("export ").split())
            return ""
        script = f'gate() {{ "{sys.executable}" -m gate "$@"; }}\n{command.replace("RUN_ID", self.run_id)}'
        found = subprocess.run(
            ["bash", "-c", script],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert found.returncode == (1 if command.startswith("gate check") else 0), found.stdout + found.stderr
        return found.stdout


def test_the_page_can_be_followed_command_by_command(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "shop.md").write_text("The shop opens at nine. Returns are accepted within 14 days.\n")
    (tmp_path / "answer.md").write_text("The shop opens at nine. Returns are accepted within 30 days.\n")
    auditor, said, commands = Auditor(tmp_path), "", 0
    for line in "".join(LOCAL).splitlines():
        if line.startswith("$ "):
            said, commands = auditor.types(line.removeprefix("$ ")), commands + 1
        else:
            wanted = re.escape(line.replace("RUN_ID", auditor.run_id)).replace("…", ".*")
            assert re.search(f"^{wanted}", said, re.MULTILINE), f"{line!r} is not in {said!r}"
    assert commands >= 12
    assert json.loads((tmp_path / "period.json").read_text())["deleted"] == 1
    assert json.loads((tmp_path / "story.json").read_text())["report"] == "deleted"
    assert "erasure" in (tmp_path / "period.html").read_text()


def test_only_what_lies_in_aws_is_left_out() -> None:
    assert [block for block in BLOCKS if block not in LOCAL] == [
        "$ export GATE_LEDGER=s3://<LedgerBucket> GATE_LEDGER_KEY=<LedgerKeyArn> GATE_BLOBS=s3://<BlobsBucket>\n"
        "$ gate ledger verify --since 2026-11-01\n"
    ]
