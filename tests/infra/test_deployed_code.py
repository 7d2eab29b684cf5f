"""The code asset of the functions: it is small, and what is left out of it no function can come to import."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

from gate.adapters import readers
from gate.catalogue import BY_NAME
from gate.reports import FORMATS
from infra.app import Synthesized
from infra.functions import NOT_DEPLOYED, SOURCE

pytestmark = pytest.mark.infra
LEFT_OUT = [name.removesuffix(".py").replace("/", ".") for name in NOT_DEPLOYED if name.startswith("gate/")]
ASKED_FOR_ELSEWHERE = {"gate.adapters.minilm", "gate.adapters.remote_gate"}
"""Imported in the wiring where `GATE_EMBEDDER` names it, which no deployment's does, and where a command wants it."""


def reached(graph: grimp.ImportGraph, roots: set[str]) -> Iterator[str]:
    """Modules that an import of the roots may come to, those that functions import in their bodies with them."""
    seen, found = set[str](), set(roots)
    while found - seen:
        name = (found - seen).pop()
        seen.add(name)
        yield name
        packages = {name.rsplit(".", depth)[0] for depth in range(1, name.count(".") + 1)}
        found |= graph.find_modules_directly_imported_by(name) | packages


def imported_by_name(graph: grimp.ImportGraph) -> set[str]:
    """What tables name and no import statement does: agents, formats of reports, readers, rules of redaction."""
    rules = graph.find_children("gate.privacy")
    return {*(agent.module for agent in BY_NAME.values()), *(one.module for one in FORMATS.values()), *rules} | (
        graph.find_descendants(readers.__name__)
    )


def test_no_function_comes_to_import_what_is_left_out_of_its_code() -> None:
    graph = grimp.build_graph("gate", *BY_NAME, exclude_type_checking_imports=True, cache_dir=None)
    roots = {f"{name}.handler" for name in BY_NAME} | imported_by_name(graph)
    deployed = set(reached(graph, roots))
    lost = {name for name in deployed if any(name == part or name.startswith(f"{part}.") for part in LEFT_OUT)}
    assert {name for name in lost if not name.startswith(tuple(ASKED_FOR_ELSEWHERE))} == set()
    assert len(deployed) > 300
    for part in LEFT_OUT:
        assert list(SOURCE.glob(part.replace(".", "/") + "*")) or "weights" in part, f"{part} is not there"


def test_the_code_of_the_functions_is_less_than_a_megabyte(synthesized: Synthesized) -> None:
    (folder,) = [path.parent for path in Path(synthesized.app.outdir).glob("asset.*/gate")]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.rglob("*"):
            archive.write(path, path.relative_to(folder))
    assert packed.tell() < 1_000_000
