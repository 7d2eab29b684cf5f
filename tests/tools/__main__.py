"""Tries the recipes of docs/integrations.md against tools that are too heavy for the suite: `make tools`.

Each has an environment of its own in build/tools; nothing of it reaches a lock. `make tools TOOL=ragas` tries one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}") or "uv"
SETTINGS = {
    "GATE_MODEL": "local:lexical",
    "GATE_EMBEDDER": "none",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "RAGAS_DO_NOT_TRACK": "true",
}


@dataclass(frozen=True)
class Tool:
    """What is installed to try a tool: the first package is the tool itself.

    `npm`: it comes from npm.
    """

    packages: tuple[str, ...]
    npm: bool = False


TOOLS = {
    "deepeval": Tool(("deepeval==4.3.1",)),
    "fastapi": Tool(("fastapi==0.165.0", "httpx")),
    "llamaindex": Tool(("llama-index-core==0.14.25",)),
    "promptfoo": Tool(("promptfoo@0.121.20",), npm=True),
    "ragas": Tool(("ragas==0.4.3", "langchain-community<0.4")),
    "strands": Tool(("strands-agents==1.62.0",)),
}


def tried(name: str) -> bool:
    """Install a tool where it is not, and run what tries it."""
    tool, home = TOOLS[name], ROOT / "build" / "tools" / name
    python = home / "bin" / "python"
    packages = ["--editable", f"{ROOT}[local]", *(() if tool.npm else tool.packages)]
    from_npm: list[str | Path] = ["npm", "install", "--silent", "--no-save", "--prefix", home, *tool.packages]
    steps: list[list[str | Path]] = [
        [UV, "venv", "--quiet", "--allow-existing", "--python", sys.executable, home],
        [UV, "pip", "install", "--quiet", "--python", python, *packages],
        *([from_npm] if tool.npm else []),
        [python, "-m", f"tests.tools.{name}"],
    ]
    environment = os.environ | SETTINGS | {"GATE_HOME": str(home / "gate")}
    done = all(subprocess.run(step, cwd=ROOT, env=environment, check=False).returncode == 0 for step in steps)
    print(f"{'ok    ' if done else 'FAILED'} {' '.join(tool.packages)}", flush=True)
    return done


if __name__ == "__main__":
    results = [tried(name) for name in sys.argv[1:] or TOOLS]
    sys.exit(not all(results))
