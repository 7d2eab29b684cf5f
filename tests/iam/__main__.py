"""The whole matrix of variants: `python -m tests.iam` synthesizes, evaluates and lints each, and says what it found."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.iam.refusals import confused, refused
from tests.iam.variants import Variant, whole_matrix


def linted(template: dict[str, Any]) -> list[str]:
    """Findings of cfn-lint; W3005 aside: CDK writes dependencies that CloudFormation would see by itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "template.json"
        path.write_text(json.dumps(template))
        command = [str(Path(sys.executable).parent / "cfn-lint"), "--format", "json", "--ignore-checks", "W3005", "--"]
        done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    return [f"{one['Rule']['Id']} {one['Message']} {one['Location']['Path']}" for one in json.loads(done.stdout)]


def findings_of(variant: Variant) -> list[str]:
    """All that is wrong with a variant, a line each."""
    template = variant.template()
    account = variant.account(template)
    refusals = [f"refused: {line}" for line in refused(account)]
    return [*refusals, *(f"anybody: {line}" for line in confused(account)), *linted(template)]


def main() -> int:
    """Print a line for each variant and each finding; 1 where there is one."""
    wrong, began = 0, time.monotonic()
    for variant in whole_matrix():
        found = findings_of(variant)
        wrong += bool(found)
        print("wrong" if found else "right", variant, *found, sep="\n    " if found else "  ", flush=True)
    print(f"{len(whole_matrix())} variants, {wrong} with findings, {time.monotonic() - began:.0f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
