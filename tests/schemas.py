"""Writes the JSON Schemas in docs/schemas anew: `python -m tests.schemas`."""

from __future__ import annotations

import json
from pathlib import Path

from gate.rules.transcripts.own import Submission

if __name__ == "__main__":
    target = Path("docs/schemas/submission.schema.json")
    target.write_text(json.dumps(Submission.model_json_schema(), indent=2) + "\n")
