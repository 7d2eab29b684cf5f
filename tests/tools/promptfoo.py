"""promptfoo, from npm: the assertion of the page's configuration, with a provider that repeats what it is asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.tools.recipes import FALSE, TRUE, block, harbour

installed = Path(sys.prefix) / "node_modules" / ".bin" / "promptfoo"
tests = [
    {"vars": {"answer": TRUE}},
    {"vars": {"answer": FALSE}},
    {"vars": {"answer": f"{TRUE} {FALSE}", "contexts": [TRUE, FALSE]}},
]
folder = harbour()
(folder / "gate_assertion.py").write_text(block("promptfoo"), encoding="utf-8")
own = {"prompts": ["{{answer}}"], "providers": ["echo"], "tests": tests}
lines = [f"{name}: {json.dumps(value)}" for name, value in own.items()]
(folder / "promptfooconfig.yaml").write_text("\n".join([*lines, block("promptfoo", "yaml")]), encoding="utf-8")
quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": str(folder)}
subprocess.run(
    [installed, "eval", "--no-cache", "-o", "found.json"],
    env=os.environ | quiet | {"PROMPTFOO_PYTHON": sys.executable},
    stdout=subprocess.DEVNULL,
    check=False,  # 100 where an assertion fails, as one does
)
found = json.loads((folder / "found.json").read_text(encoding="utf-8"))["results"]["results"]
results = sorted((one["vars"]["answer"], one["success"], one["gradingResult"]["score"]) for one in found)
assert results == [(FALSE, False, 0), (TRUE, True, 1), (f"{TRUE} {FALSE}", True, 1)], results
