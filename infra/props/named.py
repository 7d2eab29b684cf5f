"""How models, guardrails and secrets are named."""

from __future__ import annotations

import re

MODEL = re.compile(r"arn:[\w-]+:bedrock:[\w-]*:\d*:[\w-]+/[\w.:-]+|[\w-]+(\.[\w:-]+)+")
"""An id of a model or of an inference profile, or the ARN of either."""
SECRET = re.compile(r"arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}")
GUARDRAIL = re.compile(r"(arn:[\w-]+:bedrock:[\w-]+:\d{12}:guardrail/)?[\w-]+:(\d+|DRAFT)")
