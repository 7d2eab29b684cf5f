"""Documents against a manifest: time and memory of the detectives.

10,000 made-up documents of about 7,000 characters (links, names in code, shell blocks, prose; one citation in fifty is
wrong) against a repository of 100,000 files, through the three steps of `gate audit-docs`: list, cite, aggregate.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from typing import Any

from tests.benchmarks.table import Row
from tests.memory import most_memory

DOCUMENTS, FILES = 10_000, 100_000
SECONDS, MEGABYTES = 60, 500
WORDS = ["the", "gate", "reads", "every", "claim", "looks", "for", "evidence", "documents", "that", "owner", "trusts"]


def measure() -> list[Row]:
    """Run the detectives in a process of their own."""
    done = subprocess.run([sys.executable, "-m", __name__], capture_output=True, text=True, check=True)
    seen: dict[str, Any] = json.loads(done.stdout)
    return [
        Row("list, cite and aggregate, on one core", f"{seen['cpu']:.1f} s", f"< {SECONDS} s", seen["cpu"] < SECONDS),
        Row("the same by the clock, other work beside it", f"{seen['clock']:.1f} s"),
        Row("peak memory, documents included", f"{seen['mb']:.0f} MB", f"< {MEGABYTES} MB", seen["mb"] < MEGABYTES),
        Row("text read", f"{seen['characters'] / 1e6:.0f} million characters"),
        Row("citations that resolve", str(seen["found"])),
        Row("absent paths reported", str(seen["missing"])),
    ]


def files() -> list[str]:
    """Names of a repository: four levels, 500 folders, mixed endings."""
    endings = ("py", "md", "ts", "yaml", "png")
    return [f"pkg{n % 50}/area{n % 500}/module{n}.{endings[n % 5]}" for n in range(FILES)]


def documents(names: list[str]) -> list[dict[str, str]]:
    """Made-up documents that cite the files."""
    chance = random.Random(20261121)
    return [{"location": f"docs/part{n % 40}/page{n}.md", "text": _text(chance, names)} for n in range(DOCUMENTS)]


def _text(chance: random.Random, names: list[str]) -> str:
    lines = ["# A page", ""]
    for n in range(70):
        words = " ".join(chance.choices(WORDS, k=14))
        path = chance.choice(names)
        if chance.random() < 0.02:
            path = path.replace("module", "modul")
        forms = (f"{words} [it](../../{path}).", f"{words} `{path}` {words}", words, words, words)
        lines.append(forms[n % 5] if n % 35 else f"```bash\ncd docs\npython {path}\n```")
    return "\n".join(lines)


def run() -> dict[str, Any]:
    """The work itself; memory is the peak of this process, in MB of a million bytes."""
    from gate.agents.aggregate_evidence import aggregate_evidence
    from gate.agents.collect_docs_evidence import collect_docs_evidence
    from gate.agents.collect_repo_evidence import collect_repo_evidence

    names = files()
    state: dict[str, Any] = {"artifacts": {"repo": {"kind": "files", "files": names}, "docs": documents(names)}}
    characters = sum(len(document["text"]) for document in state["artifacts"]["docs"])
    began, cpu = time.perf_counter(), time.process_time()
    collected = []
    for detective in (collect_repo_evidence, collect_docs_evidence):
        detective(state)
        collected.append({"detective": detective.__name__, "evidences": state.pop("evidences"), "error": None})
    whole: dict[str, Any] = {"collected": collected}
    aggregate_evidence(whole)
    clock, cpu = time.perf_counter() - began, time.process_time() - cpu
    docs = whole["evidences"]["docs"]
    return {
        "cpu": cpu,
        "clock": clock,
        "mb": most_memory() / 1e6,
        "characters": characters,
        "found": sum(entry["found"] for entry in docs if entry["evidence_class"] == "PATH_MENTION"),
        "missing": whole["metadata"]["missing_paths"],
    }


if __name__ == "__main__":
    print(json.dumps(run()))
