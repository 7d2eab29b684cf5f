"""Runs one deployed function's code in a process of its own: an event a line in, an answer a line out.

`python lambda_worker.py <folder of the unpacked zip> <folder of the package> <module.attribute>`, with the function's
environment.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any


def answer(handler: Any, event: Any) -> dict[str, Any]:
    """What the Lambda service would answer."""
    context = SimpleNamespace(aws_request_id="request", function_name="function", memory_limit_in_mb=512)
    try:
        return {"payload": json.loads(json.dumps(handler(event, context)))}
    except Exception as error:
        return {"error": {"errorType": type(error).__name__, "errorMessage": str(error)}}


def main() -> None:
    """Import the handler from the zip, and serve until the input ends."""
    folder, package, name = sys.argv[1:]
    sys.path[:0] = [folder, package]
    replies, sys.stdout = sys.stdout, sys.stderr
    module, attribute = name.rsplit(".", 1)
    if calls := os.environ.get("RECORDED_CALLS"):
        recorder = importlib.import_module("call_recorder")  # beside this file, which runs by its path
        recorder.record(module.partition(".")[0], Path(calls))
    handler = getattr(importlib.import_module(module), attribute)
    code = str(importlib.import_module("gate").__file__)
    assert code.startswith(package), f"the code that ran is {code}, not the deployed one"
    for line in sys.stdin:
        replies.write(json.dumps(answer(handler, json.loads(line))) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
