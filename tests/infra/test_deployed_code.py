"""The code of the functions: the asset is small, the package is compiled, and nothing is left out that is imported."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

from gate.adapters import readers
from gate.catalogue import BY_NAME
from gate.reports import FORMATS
from infra.app import Synthesized
from infra.bytecode import compile_all
from infra.code import NOT_DEPLOYED, PACKAGE, SOURCE, lay_out

pytestmark = pytest.mark.infra
LEFT_OUT = [f"{PACKAGE}.{name.removesuffix('.py').replace('/', '.')}" for name in NOT_DEPLOYED if "**" not in name]
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


def packed(folder: Path) -> int:
    """Bytes of the archive of a folder."""
    archived = io.BytesIO()
    with zipfile.ZipFile(archived, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.rglob("*"):
            archive.write(path, path.relative_to(folder))
    return archived.tell()


def test_the_code_asset_holds_the_handlers_and_nothing_else(synthesized: Synthesized) -> None:
    (handlers,) = [path.parent for path in Path(synthesized.app.outdir).glob("asset.*/verify_claims")]
    assert {path.name for path in handlers.iterdir()} == set(BY_NAME)
    assert packed(handlers) < 50_000


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The layer of the package, compiled by this Python."""
    folder = tmp_path_factory.mktemp("layer") / "python"
    lay_out(folder)
    compile_all(folder, sys.executable)
    return folder


def test_every_module_of_the_package_is_compiled_in_its_layer(laid_out: Path) -> None:
    sources = set(laid_out.rglob("*.py"))
    compiled = {path.parent.parent / f"{path.name.partition('.')[0]}.py" for path in laid_out.rglob("*.pyc")}
    assert len(sources) > 300
    assert compiled == sources
    assert not [path for name in LEFT_OUT for path in laid_out.glob(name.replace(".", "/") + "*")]
    assert packed(laid_out) < 5_000_000


def test_a_handler_starts_from_the_bytecode_of_the_layer_without_a_look_at_its_source(
    laid_out: Path, tmp_path: Path
) -> None:
    shutil.copytree(laid_out, tmp_path / "layer")
    shutil.copytree(SOURCE / "judge", tmp_path / "handlers" / "judge")
    for source in (tmp_path / "layer").rglob("*.py"):
        source.write_text("raise SystemExit('the source was read')")
    code = "import sys; sys.path[:0] = sys.argv[1:]; import judge.handler as it; print(it.handler.__module__)"
    command = [sys.executable, "-c", code, str(tmp_path / "handlers"), str(tmp_path / "layer")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "gate.runtime"), done.stderr
