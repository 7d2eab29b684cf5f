"""`python -m gate`, and what the command `gate` starts."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; where it is not installed, say how to install it."""
    try:
        from gate.cli import main as run
        from gate.cli.watching import watched
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "gate":
            raise
        print(f"gate: the package {error.name!r} is not installed", file=sys.stderr)  # noqa: T201
        print("hint: pip install 'llm-reliability-gate[local]'", file=sys.stderr)  # noqa: T201
        sys.exit(2)
    watched(run)


if __name__ == "__main__":
    main()
