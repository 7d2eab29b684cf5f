"""Runs the benchmarks and prints a table for each: `python -m tests.benchmarks [NAME …] [--write]`.

A benchmark is a module in this folder with a docstring, whose first line is its title, and `measure()`, which returns
rows (see `table.Row`). `SLOW = True` keeps it out of the run of everything: it is run by name. `--write` puts the
tables into docs/benchmarks.md, each with the command and the date.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
from pathlib import Path
from types import ModuleType

from tests.benchmarks import table

FOLDER = Path(__file__).parent


def benchmarks() -> dict[str, ModuleType]:
    """Every module here that measures something, by name."""
    names = [module.name for module in pkgutil.iter_modules([str(FOLDER)]) if module.name not in ("__main__", "table")]
    modules = {name: importlib.import_module(f"tests.benchmarks.{name}") for name in names}
    return {name: module for name, module in modules.items() if hasattr(module, "measure")}


def main() -> None:
    """Measure what was asked for; everything that is not slow by default."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__.splitlines()[0])
    known = benchmarks()
    parser.add_argument("names", nargs="*", choices=[*known, []], metavar="NAME", help=", ".join(known))
    parser.add_argument("--write", action="store_true", help="put the tables into docs/benchmarks.md")
    asked = parser.parse_args()
    names = asked.names or [name for name, module in known.items() if not getattr(module, "SLOW", False)]
    for name in names:
        text = table.render(name, known[name].__doc__ or name, known[name].measure())
        print(text, flush=True)
        if asked.write:
            table.write(name, text)


if __name__ == "__main__":
    main()
