"""Writes the JSON Schemas in docs/schemas anew: `python -m tests.schemas`."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel

from gate.reports.model import Report
from gate.rules.transcripts.own import Submission

PUBLISHED: dict[str, type[BaseModel]] = {"submission": Submission, "report": Report}

if __name__ == "__main__":
    for name, model in PUBLISHED.items():
        target = Path("docs/schemas") / f"{name}.schema.json"
        target.write_text(json.dumps(model.model_json_schema(), indent=2) + "\n", encoding="utf-8")
