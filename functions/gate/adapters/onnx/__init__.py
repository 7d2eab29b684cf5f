"""Opens the models that run here on onnxruntime, as the runtime itself would keep them: optimised, packed and mapped.

A model read from ONNX is parsed, optimised and copied at every start: 0.2 s of processor time and 40 MB for 23 MB of
weights. So the first start keeps a form of it beside it: the optimised graph, and a file with its weights as they are
and as this processor's multiplications take them. Later starts map that file, and only what is used is in memory.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import logging
import shutil
import tempfile
import zlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gate.adapters.onnx.hardware import processor
from gate.adapters.onnx.int8_sums import sums_are_cut
from gate.cleanup import note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from onnxruntime import InferenceSession, SessionOptions

DIGEST = 16
"""Hexadecimal digits of a digest in a name."""
GRAPH, WEIGHTS = "graph.onnx", "weights.bin"
"""Of a form: the first names the second, where there are weights of a size."""
BLOCK = 2**18
"""Bytes read at once where a form is summed up."""
LARGE = 2**20
"""Bytes of a block of memory that is given back to the system; smaller ones cost more to fetch than they save."""
_MMAP_THRESHOLD = -3
"""Of `mallopt`, in glibc's malloc.h."""
logger = logging.getLogger(__name__)


def opened(
    model: Path, folder: Path | None, beside: Sequence[Path] = (), unjoined: Sequence[str] = ()
) -> InferenceSession:
    """Open an ONNX model to run in this process, by one thread a run.

    Args:
        model: the `.onnx` file.
        folder: where its form is kept, in a folder `<model>-<its digest>-<runtime>-<products>-<processor>-<sum>.form`;
            one that is damaged, or of another model, runtime, kind of products or processor, is made anew. None, or
            where nothing can be written: the model itself is run.
        beside: files with weights of the model, which belong to it.
        unjoined: optimisations of the runtime that make this model slower, and are left out.
    """
    import onnxruntime

    _give_large_blocks_back()
    if folder is None:
        return _session(model, _options(), unjoined)
    products = "u8u8" if sums_are_cut() else "u8s8"  # of which its weights are made
    stem = f"{model.stem}-{_digest(model, *beside)}-{onnxruntime.__version__}-{products}-{processor() or 'unknown'}-"
    for kept in sorted(folder.glob(f"{stem}*.form")):
        with contextlib.suppress(Exception):  # onnxruntime's errors have no class in common
            if kept.name == f"{stem}{_sum(kept)}.form":
                return _session(kept / GRAPH, _as_kept(), unjoined)
    return _made(model, folder, stem, unjoined)


@cache
def _give_large_blocks_back() -> None:
    """Without it glibc keeps what it was given back, and a process stays as large as its largest text made it."""
    with contextlib.suppress(AttributeError, TypeError):  # another C library
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, LARGE)


def _made(model: Path, folder: Path, stem: str, unjoined: Sequence[str]) -> InferenceSession:
    """Keep the form of a model if that is possible, and open it."""
    try:
        with _unfinished(folder) as form:
            _session(model, _keeping(form), unjoined)
            for old in folder.glob(f"{model.stem}-*"):
                _remove(old)
            kept = form.replace(folder / f"{stem}{_sum(form)}.form")
        return _session(kept / GRAPH, _as_kept(), unjoined)
    except Exception as error:  # noqa: BLE001 - as above; where the model itself is at fault, it is said next
        logger.info("the optimised form of %s is not kept: %s", model.name, error)
        return _session(model, _options(), unjoined)


def _remove(old: Path) -> None:
    """Of another model, runtime or processor; before 2026-11-26 a form was one file, `.ort`."""
    if old.suffix == ".form":
        shutil.rmtree(old, ignore_errors=True)
    elif old.suffix == ".ort":
        old.unlink(missing_ok=True)


@contextlib.contextmanager
def _unfinished(folder: Path) -> Iterator[Path]:
    """A folder of its own in `folder`, gone afterwards if it was not renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    form = Path(tempfile.mkdtemp(dir=folder, prefix=".unfinished-"))
    note(form)
    try:
        yield form
    finally:
        shutil.rmtree(form, ignore_errors=True)


def _session(path: Path, options: SessionOptions, unjoined: Sequence[str]) -> InferenceSession:
    from onnxruntime import InferenceSession

    return InferenceSession(str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=list(unjoined))


def _options() -> SessionOptions:
    from onnxruntime import SessionOptions

    options = SessionOptions()
    # Texts run side by side: more threads in one of them spin, and are slower.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # an arena keeps the largest input's memory for good
    options.log_severity_level = 4  # a damaged form is said as an error, and made anew
    if sums_are_cut():  # else results differ from those of other machines
        options.add_session_config_entry("session.x64quantprecision", "1")
    return options


def _keeping(form: Path) -> SessionOptions:
    """Write the form of what is opened; weights as a processor takes them only where it is known which it is."""
    options = _options()
    options.optimized_model_filepath = str(form / GRAPH)
    options.add_session_config_entry("session.optimized_model_external_initializers_file_name", WEIGHTS)
    options.add_session_config_entry("session.optimized_model_external_initializers_min_size_in_bytes", "1024")
    if processor():
        options.add_session_config_entry("session.save_external_prepacked_constant_initializers", "1")
    return options


def _as_kept() -> SessionOptions:
    from onnxruntime import GraphOptimizationLevel

    options = _options()
    options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL  # it is optimised
    return options


def _sum(form: Path) -> str:
    """Of a form's files, for what a disk or a fall of the machine does to them; who wishes ill could write any."""
    found = 0
    for path in sorted(form.iterdir()):
        with path.open("rb", buffering=0) as file:
            while block := file.read(BLOCK):
                found = zlib.crc32(block, found)
    return f"{found:08x}"


def _digest(path: Path, *beside: Path) -> str:
    """Of a file; with others, of all of them."""
    digests = []
    for each in (path, *beside):
        with each.open("rb") as file:
            digests.append(hashlib.file_digest(file, "sha256").hexdigest())
    return (hashlib.sha256("".join(digests).encode()).hexdigest() if beside else digests[0])[:DIGEST]
